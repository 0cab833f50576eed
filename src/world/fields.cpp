// SPDX-License-Identifier: MIT
// fields.cpp — see fields.h and scree/field.h.

#include "world/fields.h"

#include "geometry/hull.h"
#include "rigid/quads.h"
#include "rigid/shape_facts.h"
#include "scree/error.h"
#include "world/checks.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/waking.h"

#include <bit>
#include <limits>

namespace scree {

namespace {

template <class... Functions>
struct Each : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Each(Functions...) -> Each<Functions...>;

std::uint32_t index_of(const World::State& world, FieldId id) {
    return checked_index(id, world.fields.record, world.tag, "field");
}

void changed(World::State& world, bool wakes) {
    list_fields(world.fields);
    world.simulation->fields_changed();
    if (wakes) wake_all(world);
}

bool is_custom(const ForceField& field) { return std::holds_alternative<Custom>(field.force); }

/// A double as two floats.
void put_place(float* high, float* low, const DVec3& place) {
    const Vec3 near = narrow(place), rest = narrow(place - wide(near));
    high[0] = near.x, high[1] = near.y, high[2] = near.z;
    low[0] = rest.x, low[1] = rest.y, low[2] = rest.z;
}

float word(std::uint32_t value) { return std::bit_cast<float>(value); }

} // namespace

void check(const ForceField& field) {
    if (field.force.valueless_by_exception()) throw Error("the field is empty", "force");
    const auto fluid = [](const auto& f) {
        check_finite(f.velocity, "velocity");
        check_not_negative(f.density, "density");
        check_not_negative(f.drag, "drag");
    };
    std::visit(Each{[&](const Wind& f) { fluid(f); },
                    [&](const Water& f) {
                        fluid(f);
                        check_finite(f.surface, "surface");
                        check_finite(f.normal, "normal");
                        if (!(length(f.normal) > 1e-6f)) throw Error("the normal has no direction", "normal");
                        check_not_negative(f.damping, "damping");
                    },
                    [](const Attractor& f) {
                        check_finite(f.centre, "centre");
                        check_finite(f.strength, "strength");
                        check_positive(f.radius, "radius");
                        check_one_of(f.falloff, Attractor::Falloff::square, "falloff",
                                     "none, linear or square");
                        check_positive(f.core, "core");
                    },
                    [](const Custom&) {}},
               field.force);
    if (!field.region) return;
    check_finite(field.region->low, "region.low");
    check_finite(field.region->high, "region.high");
}

void list_fields(ForceFields& fields) {
    fields.quads.clear();
    fields.custom = 0;
    for (const FieldRecord& record : fields.record) {
        if (!record.alive) continue;
        const ForceField& field = record.definition;
        if (is_custom(field)) {
            ++fields.custom;
            continue;
        }
        const std::size_t first = fields.quads.size();
        fields.quads.resize(first + 4 * FIELD_QUADS);
        float* to = &fields.quads[first];
        const auto at = [to](int quad) { return to + 4 * quad; };
        const auto fluid = [&](const auto& f) {
            at(FIELD_KIND)[1] = f.density, at(FIELD_KIND)[2] = f.drag;
            at(FIELD_VELOCITY)[0] = f.velocity.x, at(FIELD_VELOCITY)[1] = f.velocity.y,
            at(FIELD_VELOCITY)[2] = f.velocity.z;
        };
        std::visit(Each{[&](const Wind& f) {
                            to[0] = word(FIELD_WIND);
                            fluid(f);
                        },
                        [&](const Water& f) {
                            to[0] = word(FIELD_WATER);
                            fluid(f);
                            at(FIELD_KIND)[3] = f.damping;
                            put_place(at(FIELD_CENTRE), at(FIELD_LOW), f.surface);
                            const Vec3 n = f.normal * (1 / length(f.normal));
                            at(FIELD_NORMAL)[0] = n.x, at(FIELD_NORMAL)[1] = n.y, at(FIELD_NORMAL)[2] = n.z;
                        },
                        [&](const Attractor& f) {
                            to[0] = word(FIELD_ATTRACTOR);
                            put_place(at(FIELD_CENTRE), at(FIELD_LOW), f.centre);
                            at(FIELD_CENTRE)[3] = f.strength;
                            at(FIELD_LOW)[3] = word(static_cast<std::uint32_t>(f.falloff));
                            at(FIELD_VELOCITY)[3] = f.radius;
                            at(FIELD_NORMAL)[3] = f.core;
                        },
                        [](const Custom&) {}},
                   field.force);
        constexpr float far = std::numeric_limits<float>::max();
        const ForceField::Region region =
            field.region.value_or(ForceField::Region{{-far, -far, -far}, {far, far, far}});
        float* low = at(FIELD_REGION);
        low[0] = region.low.x, low[1] = region.low.y, low[2] = region.low.z;
        low[4] = region.high.x, low[5] = region.high.y, low[6] = region.high.z;
    }
}

void apply_custom_fields(World::State& world, float dt) {
    if (!world.fields.custom || !(dt > 0)) return;
    world.simulation->fetch();
    const Bodies& bodies = world.bodies;
    std::vector<FieldBody> all;
    for (std::uint32_t b = 1; b < bodies.record.size(); ++b) {
        const BodyRecord& record = bodies.record[b];
        if (!record.alive || record.type != BodyType::dynamic || record.asleep || record.frozen) continue;
        all.push_back({{b, record.generation},
                       centre_of(bodies, b),
                       rotation_of(bodies, b),
                       velocity_of(bodies, b),
                       spin_of(bodies, b),
                       record.mass.mass});
    }
    std::vector<std::shared_ptr<const FieldFunction>> functions;
    for (const FieldRecord& record : world.fields.record)
        if (const auto* custom = record.alive ? std::get_if<Custom>(&record.definition.force) : nullptr)
            if (custom->function && *custom->function) functions.push_back(custom->function);
    {
        struct Guard {
            bool& flag;
            explicit Guard(bool& f) : flag(f) { flag = true; }
            ~Guard() { flag = false; }
        } guard(world.in_field);
        for (const auto& function : functions) (*function)(all, dt);
    }
    // all or none
    for (const FieldBody& body : all) {
        check_finite(body.force, "force");
        check_finite(body.torque, "torque");
    }
    for (const FieldBody& body : all) {
        if ((body.force == Vec3{} && body.torque == Vec3{}) || !names_living(body.id, bodies.record.all()))
            continue;
        BodyRecord& record = world.bodies.record.edit(body.id.index);
        record.force = record.force + body.force;
        record.torque = record.torque + body.torque;
        world.simulation->force_added(body.id.index);
    }
}

FieldId World::add_field(const ForceField& field) {
    check(field);
    State& world = *state_;
    check_no_query(world);
    const std::uint32_t f = take_slot(world.fields.record, world.fields.free, world.tag, "fields");
    world.fields.record[f].definition = field;
    ++world.fields.count;
    changed(world, !is_custom(field));
    return {f, world.fields.record[f].generation};
}

void World::set_field(FieldId id, const ForceField& definition) {
    check(definition);
    State& world = *state_;
    check_no_query(world);
    FieldRecord& record = world.fields.record[index_of(world, id)];
    const bool custom = is_custom(record.definition) && is_custom(definition);
    record.definition = definition;
    changed(world, !custom);
}

ForceField World::definition(FieldId id) const {
    return state_->fields.record[index_of(*state_, id)].definition;
}

void World::destroy(FieldId id) {
    State& world = *state_;
    check_no_query(world);
    const std::uint32_t f = index_of(world, id);
    const bool custom = is_custom(world.fields.record[f].definition);
    free_slot(world.fields.record, world.fields.free, f);
    --world.fields.count;
    changed(world, !custom);
}

bool World::alive(FieldId id) const { return names_living(id, state_->fields.record); }

std::vector<FieldId> World::fields() const {
    std::vector<FieldId> ids;
    for (std::uint32_t f = 0; f < state_->fields.record.size(); ++f)
        if (state_->fields.record[f].alive) ids.push_back({f, state_->fields.record[f].generation});
    return ids;
}

void World::explode(const Explosion& e) {
    check_finite(e.centre, "centre");
    check_not_negative(e.radius, "radius");
    check_not_negative(e.falloff, "falloff");
    check_finite(e.impulse, "impulse");
    State& world = *state_;
    check_no_query(world);
    update_masses(world);
    world.simulation->fetch();
    const double reach = double{e.radius} + double{e.falloff};
    // all of them before the first is pushed: a body that wakes changes no other
    struct Push {
        BodyId body;
        Vec3 impulse;
        DVec3 at;
    };
    std::vector<Push> pushes;
    for (std::uint32_t b = 1; b < world.bodies.record.size(); ++b) {
        const BodyRecord& record = world.bodies.record[b];
        if (!record.alive || record.type != BodyType::dynamic || record.frozen) continue;
        const DVec3 centre = exact_centre_of(world.bodies, b);
        const rigid::quat turn = rigid::quat_of(rigid::load4(world.bodies.rotation.data(), b));
        for (std::uint32_t s = record.first_shape; s != none; s = world.shapes.record[s].next) {
            const ShapeRecord& shape = world.shapes.record[s];
            if (shape.definition.sensor) continue;
            std::vector<std::uint32_t> hull;
            if (shape.hull) hull = hull_words(shape.hull.geometry());
            const rigid::ShapeFacts facts = shape_facts(shape, hull.data());
            const rigid::real3 arm = rigid::mat3_times(rigid::quat_matrix(turn), facts.offset);
            const DVec3 at = centre + DVec3{arm.x, arm.y, arm.z};
            const DVec3 away = at - e.centre;
            const double distance = length(away);
            if (!(distance < reach) || !(distance > 0)) continue;
            const double share = distance <= e.radius ? 1 : (reach - distance) / double{e.falloff};
            const Vec3 direction = narrow(away * (1 / distance));
            const float area = rigid::shape_area(facts, rigid::quat_product(turn, facts.turn),
                                                 {direction.x, direction.y, direction.z});
            pushes.push_back(
                {{b, record.generation}, direction * (e.impulse * area * static_cast<float>(share)), at});
        }
    }
    for (const Push& push : pushes) check_finite(push.impulse, "impulse");
    for (const Push& push : pushes) apply_impulse(push.body, push.impulse, push.at);
}

} // namespace scree
