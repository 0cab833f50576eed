// SPDX-License-Identifier: MIT
// checks.cpp — see checks.h.

#include "granular/checks.h"

#include "scree/error.h"
#include "text/checks.h"

#include <cmath>

namespace scree {

void check(const GranularSettings& s) {
    check_one_of(s.mode, GranularMode::brute, "mode", "reference, improved or brute");
    check_one_of(s.contact, ContactModel::hertz, "contact", "linear, split, history or hertz");
    check_one_of(s.decomposition, Decomposition::per_body, "decomposition", "mixed or per_body");
    check_positive(s.time_step, "time_step");
    check_within(s.substeps, 0, 10000, "substeps", "0 (automatic) to 10000");
    check_finite(s.gravity, "gravity");
    check_positive(s.stiffness, "stiffness");
    check_not_negative(s.damping, "damping");
    check_not_negative(s.tangent_damping, "tangent_damping");
    check_not_negative(s.tangent_stiffness, "tangent_stiffness");
    check_not_negative(s.friction, "friction");
    check_positive(s.particle_radius, "particle_radius");
    check_positive(s.terminal_velocity, "terminal_velocity");
    check_not_negative(s.contact_epsilon, "contact_epsilon");
    check_positive(s.world_size, "world_size");
    check_within(s.grid_cells, 4, 1024, "grid_cells", "4 to 1024");
    check_finite(s.grid_min, "grid_min");
    check_within(s.neighbour_skin, -1, 2, "neighbour_skin", "-1 (automatic) to 2 radii");
    check_positive(s.sleep_speed, "sleep_speed");
    check_positive(s.sleep_delay, "sleep_delay");
    check_positive(s.wake_speed, "wake_speed");
    check_within(s.contact_memory, 1, 12, "contact_memory", "1 to 12");
    if (s.mode == GranularMode::reference && s.substeps > 1)
        refuse(s.substeps, "substeps", "0 or 1 in reference mode");
}

void check(const GranularShape& shape, const GranularSettings& settings) {
    const std::string where = "shape \"" + shape.name + "\"";
    if (shape.particles.empty()) throw Error("no particles; expected at least one", where);
    for (std::size_t k = 0; k < shape.particles.size(); ++k) {
        const ShapeParticle& particle = shape.particles[k];
        const std::string at = where + ".particles[" + std::to_string(k) + "]";
        check_finite(particle.offset, at + ".offset");
        check_finite(particle.outward, at + ".outward");
        check_positive(particle.radius, at + ".radius");
        if (settings.mode == GranularMode::reference && particle.radius != settings.particle_radius)
            refuse(particle.radius, at + ".radius",
                   "the world's particle_radius (reference mode has one radius)");
    }
    check_positive(shape.unit_inertia, where + ".unit_inertia");
    check_positive(shape.half_size, where + ".half_size");
}

void check(const GranularBodyDef& body, std::size_t shapes) {
    if (body.shape >= shapes) refuse(body.shape, "shape", "the index of a shape of this world");
    check_finite(body.position, "position");
    unit_rotation(body.rotation, "rotation");
    check_finite(body.velocity, "velocity");
    check_finite(body.angular_velocity, "angular_velocity");
    check_positive(body.mass, "mass");
}

InverseMass inverse_mass(const Obstacle& o) {
    if (!(o.mass > 0)) return {};
    Vec3 moment{1, 1, 1}; // of 1 kg
    if (o.kind == Obstacle::Kind::box)
        moment = {(o.size.y * o.size.y + o.size.z * o.size.z) / 3,
                  (o.size.x * o.size.x + o.size.z * o.size.z) / 3,
                  (o.size.x * o.size.x + o.size.y * o.size.y) / 3};
    else if (o.kind == Obstacle::Kind::sphere) moment.x = moment.y = moment.z = 0.4f * o.size.x * o.size.x;
    const float inverse = 1.0f / o.mass;
    return {inverse, {inverse / moment.x, inverse / moment.y, inverse / moment.z}};
}

void check(const Obstacle& obstacle) {
    check_one_of(obstacle.kind, Obstacle::Kind::sphere, "kind", "plane, box or sphere");
    check_finite(obstacle.position, "position");
    unit_rotation(obstacle.rotation, "rotation");
    check_finite(obstacle.velocity, "velocity");
    check_finite(obstacle.angular_velocity, "angular_velocity");
    check_not_negative(obstacle.mass, "mass");
    if (obstacle.kind == Obstacle::Kind::plane) {
        if (obstacle.mass > 0) refuse(obstacle.mass, "mass", "0 for a plane, which is infinite");
        return;
    }
    check_positive(obstacle.size.x, "size.x");
    if (obstacle.kind == Obstacle::Kind::box) {
        check_positive(obstacle.size.y, "size.y");
        check_positive(obstacle.size.z, "size.z");
    }
    const InverseMass inverse = inverse_mass(obstacle);
    if (!std::isfinite(inverse.mass))
        refuse(obstacle.mass, "mass", "0, or a mass whose inverse is a finite number");
    if (!is_finite(inverse.moments))
        refuse(obstacle.size.x, "size.x",
               "a size with which a free obstacle of this mass turns at a finite rate");
}

} // namespace scree
