// SPDX-License-Identifier: MIT
// checks.cpp — see checks.h.

#include "granular/checks.h"

#include "text/number_text.h"
#include "scree/error.h"

#include <cmath>

namespace scree {

namespace {

[[noreturn]] void refuse(double value, const std::string& where, const char* expected) {
    throw Error("invalid value " + number_text(value) + ": expected " + expected, where);
}

void positive(float value, const std::string& where) {
    if (!(value > 0) || !std::isfinite(value)) refuse(value, where, "a number greater than 0");
}
void not_negative(float value, const std::string& where) {
    if (!(value >= 0) || !std::isfinite(value)) refuse(value, where, "a number of at least 0");
}
void finite(float value, const std::string& where) {
    if (!std::isfinite(value)) refuse(value, where, "a finite number");
}
void finite(const Vec3& v, const std::string& where) {
    finite(v.x, where + ".x");
    finite(v.y, where + ".y");
    finite(v.z, where + ".z");
}
template <class Choice>
void one_of(Choice value, Choice last, const std::string& where, const char* expected) {
    if (static_cast<int>(value) < 0 || value > last) refuse(static_cast<int>(value), where, expected);
}
void unit(const Quat& q, const std::string& where) {
    const double square = double{q.s} * q.s + double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z;
    if (!(std::abs(square - 1) < 2e-3)) refuse(std::sqrt(square), where, "length 1");
}

} // namespace

void check(const GranularSettings& s) {
    one_of(s.mode, GranularMode::brute, "mode", "reference, improved or brute");
    one_of(s.contact, ContactModel::hertz, "contact", "linear, split, history or hertz");
    one_of(s.decomposition, Decomposition::per_body, "decomposition", "mixed or per_body");
    positive(s.time_step, "time_step");
    if (s.substeps < 0 || s.substeps > 10000) refuse(s.substeps, "substeps", "0 (automatic) to 10000");
    finite(s.gravity, "gravity");
    positive(s.stiffness, "stiffness");
    not_negative(s.damping, "damping");
    not_negative(s.tangent_damping, "tangent_damping");
    not_negative(s.tangent_stiffness, "tangent_stiffness");
    not_negative(s.friction, "friction");
    positive(s.particle_radius, "particle_radius");
    positive(s.terminal_velocity, "terminal_velocity");
    not_negative(s.contact_epsilon, "contact_epsilon");
    positive(s.world_size, "world_size");
    if (s.grid_cells < 4 || s.grid_cells > 1024) refuse(s.grid_cells, "grid_cells", "4 to 1024");
    finite(s.grid_min, "grid_min");
    if (!(s.neighbour_skin >= -1 && s.neighbour_skin <= 2))
        refuse(s.neighbour_skin, "neighbour_skin", "-1 (automatic) to 2 radii");
    positive(s.sleep_speed, "sleep_speed");
    positive(s.sleep_delay, "sleep_delay");
    positive(s.wake_speed, "wake_speed");
    if (s.contact_memory < 1 || s.contact_memory > 12) refuse(s.contact_memory, "contact_memory", "1 to 12");
    if (s.mode == GranularMode::reference && s.substeps > 1)
        refuse(s.substeps, "substeps", "0 or 1 in reference mode");
}

void check(const GranularShape& shape, const GranularSettings& settings) {
    const std::string where = "shape \"" + shape.name + "\"";
    if (shape.particles.empty()) throw Error("no particles; expected at least one", where);
    for (std::size_t k = 0; k < shape.particles.size(); ++k) {
        const ShapeParticle& particle = shape.particles[k];
        const std::string at = where + ".particles[" + std::to_string(k) + "]";
        finite(particle.offset, at + ".offset");
        finite(particle.outward, at + ".outward");
        positive(particle.radius, at + ".radius");
        if (settings.mode == GranularMode::reference && particle.radius != settings.particle_radius)
            refuse(particle.radius, at + ".radius",
                   "the world's particle_radius (reference mode has one radius)");
    }
    positive(shape.unit_inertia.x, where + ".unit_inertia.x");
    positive(shape.unit_inertia.y, where + ".unit_inertia.y");
    positive(shape.unit_inertia.z, where + ".unit_inertia.z");
    positive(shape.half_size.x, where + ".half_size.x");
    positive(shape.half_size.y, where + ".half_size.y");
    positive(shape.half_size.z, where + ".half_size.z");
}

void check(const GranularBodyDef& body, std::size_t shapes) {
    if (body.shape >= shapes) refuse(body.shape, "shape", "the index of a shape of this world");
    finite(body.position, "position");
    unit(body.rotation, "rotation");
    finite(body.velocity, "velocity");
    finite(body.angular_velocity, "angular_velocity");
    positive(body.mass, "mass");
}

void check(const Obstacle& obstacle) {
    one_of(obstacle.kind, Obstacle::Kind::sphere, "kind", "plane, box or sphere");
    finite(obstacle.position, "position");
    unit(obstacle.rotation, "rotation");
    finite(obstacle.velocity, "velocity");
    finite(obstacle.angular_velocity, "angular_velocity");
    not_negative(obstacle.mass, "mass");
    if (obstacle.kind == Obstacle::Kind::plane) {
        if (obstacle.mass > 0) refuse(obstacle.mass, "mass", "0 for a plane, which is infinite");
        return;
    }
    positive(obstacle.size.x, "size.x");
    if (obstacle.kind == Obstacle::Kind::sphere) return;
    positive(obstacle.size.y, "size.y");
    positive(obstacle.size.z, "size.z");
}

} // namespace scree
