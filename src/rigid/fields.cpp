// SPDX-License-Identifier: MIT
// fields.cpp — forces of fields on the bodies of a CpuSimulation.

#include "rigid/parts.h"
#include "rigid/shape_facts.h"
#include "rigid/softness.h"

namespace scree {

void CpuSimulation::Parts::add_fields(std::uint32_t b, float dt) {
    const Bodies& bodies = world.bodies;
    const float* inverse = &bodies.inverse_mass[8 * std::size_t{b}];
    if (!(inverse[6] > 0)) return;
    const float* motion = &bodies.motion[16 * std::size_t{b}];
    const Vec3& g = world.settings.gravity;
    const float lead = rigid::field_lead(dt, substeps_of(world.settings));
    const rigid::real3 velocity = rigid::xyz(rigid::load4(motion, 0));
    const rigid::FieldTarget target{
        rigid::xyz(rigid::load4(bodies.position.data(), b)),
        rigid::xyz(rigid::load4(bodies.carry.data(), CARRY_QUADS * b + CARRY_POSITION)) + velocity * lead,
        rigid::quat_of(rigid::load4(bodies.rotation.data(), b)),
        velocity,
        rigid::xyz(rigid::load4(motion, 1)),
        inverse[6],
        (inverse[0] + inverse[1]) + inverse[2],
        {g.x, g.y, g.z}};
    rigid::FieldSum sum = rigid::no_field();
    const Array<float>& quads = world.fields.quads;
    for (std::size_t k = 0; k < quads.size(); k += 4 * FIELD_QUADS) {
        const float* field = &quads[k];
        if (static_cast<std::uint32_t>(rigid::as_whole(field[0])) == FIELD_ATTRACTOR) {
            rigid::field_on_body(&sum, field, &target);
            continue;
        }
        for (std::uint32_t s = bodies.record[b].first_shape; s != none; s = world.shapes.record[s].next)
            if (!world.shapes.record[s].definition.sensor)
                rigid::field_on_shape(
                    &sum, field, &target,
                    shape_facts(world.shapes.record[s], hulls[s] ? hulls[s]->data() : nullptr));
    }
    rigid::field_store(&sum, &target, dt, &force[8 * std::size_t{b}]);
}

} // namespace scree
