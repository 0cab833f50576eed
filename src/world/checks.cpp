// SPDX-License-Identifier: MIT
// checks.cpp — see checks.h.

#include "world/checks.h"

#include "geometry/mass.h"
#include "geometry/shapes.h"
#include "scree/error.h"
#include "world/joint_types.h"

#include <cmath>
#include <string>

namespace scree {

void check_step(float dt, Solver solver) {
    if (solver == Solver::impact) check_within(dt, 0, 3600, "dt", "0 to 3600 s with Solver::impact");
    else check_not_negative(dt, "dt");
}

void check(BodyType type) { check_one_of(type, BodyType::dynamic, "type", "fixed, kinematic or dynamic"); }

void check(const WorldSettings& s) {
    check_finite(s.gravity, "gravity");
    check_one_of(s.solver, Solver::impact, "solver", "soft_step, sor or impact");
    check_one_of(s.broad_phase, BroadPhase::brute, "broad_phase", "tree, grid or brute");
    check_within(s.substeps, 1, 1000, "substeps", "1 to 1000");
    check_not_negative(s.contact_hertz, "contact_hertz");
    check_not_negative(s.contact_damping, "contact_damping");
    check_not_negative(s.push_speed, "push_speed");
    check_not_negative(s.joint_hertz, "joint_hertz");
    check_not_negative(s.joint_damping, "joint_damping");
    check_not_negative(s.slop, "slop");
    check_not_negative(s.speculative_distance, "speculative_distance");
    check_not_negative(s.restitution_threshold, "restitution_threshold");
    check_not_negative(s.hit_speed, "hit_speed");
    check_within(s.impact_tolerance, 1e-9f, 1, "impact_tolerance", "1e-9 to 1 m");
    check_not_negative(s.sleep_speed, "sleep_speed");
    check_not_negative(s.sleep_delay, "sleep_delay");
    check_within(s.sor_iterations, 1, 100000, "sor_iterations", "1 to 100000");
    if (!(s.sor_omega > 0 && s.sor_omega < 2))
        refuse(s.sor_omega, "sor_omega", "more than 0 and less than 2");
    check_not_negative(s.sor_cfm, "sor_cfm");
    check_within(s.sor_erp, 0, 1, "sor_erp", "0 to 1");
    check_one_of(s.sor_schedule, SorSchedule::jacobi, "sor_schedule", "colours, groups or jacobi");
    check_within(s.sor_groups, 1, 65536, "sor_groups", "1 to 65536");
    check_not_negative(s.sor_tolerance, "sor_tolerance");
    check_one_of(s.integrator, Integrator::runge_kutta, "integrator", "euler or runge_kutta");
    check_not_negative(s.grid_cell, "grid_cell");
    check_finite(s.grid_origin, "grid_origin");
    int bits = 0;
    for (const int b : s.grid_bits) {
        check_within(b, 1, 16, "grid_bits", "1 to 16 for each axis");
        bits += b;
    }
    check_within(bits, 3, 32, "grid_bits", "a sum of at most 32");
}

void check(const BodyDef& body) {
    check(body.type);
    check_finite(body.position, "position");
    unit_rotation(body.rotation, "rotation");
    check_finite(body.velocity, "velocity");
    check_finite(body.angular_velocity, "angular_velocity");
    check_not_negative(body.linear_damping, "linear_damping");
    check_not_negative(body.angular_damping, "angular_damping");
    check_finite(body.gravity_scale, "gravity_scale");
    check_positive(body.max_speed, "max_speed");
    check_positive(body.max_angular_speed, "max_angular_speed");
    if (body.mass) check(*body.mass);
}

void check(const MassProperties& mass) {
    check_positive(mass.mass, "mass.mass");
    check_finite(mass.centre, "mass.centre");
    check_positive(mass.inertia, "mass.inertia");
    check_finite(mass.products, "mass.products");
    if (const std::string fault = mass_fault(mass); !fault.empty()) throw Error(fault, "mass");
}

void check(const Geometry& geometry) {
    if (geometry.valueless_by_exception()) throw Error("the shape is empty", "geometry");
    each_size(geometry, [&](const char* name, SizePlace, float size) {
        if (!(size > 0) || !std::isfinite(size))
            refuse(size, std::string(geometry_name(geometry)) + "." + name, "a number greater than 0");
    });
    if (const Hull* hull = std::get_if<Hull>(&geometry); hull && !*hull)
        throw Error("the hull has no points; expected one made by Hull::from_points", "hull");
    if (const Mesh* mesh = std::get_if<Mesh>(&geometry); mesh && !*mesh)
        throw Error("the mesh has no triangles; expected one made by Mesh::from_triangles", "mesh");
}

void check(const ShapeDef& shape) {
    check_finite(shape.position, "position");
    unit_rotation(shape.rotation, "rotation");
    check_not_negative(shape.density, "density");
    check(shape.material);
    check_finite(shape.one_way, "one_way");
}

void check(const Region& region) {
    check_finite(region.low, "low");
    check_finite(region.high, "high");
    if (!(region.low.x <= region.high.x && region.low.y <= region.high.y && region.low.z <= region.high.z))
        throw Error("the region is empty: low is above high", "region");
}

void check(const JointDef& joint) {
    if (!is_known(joint.type)) refuse(static_cast<int>(joint.type), "type", listed_joint_names());
    check_parts(joint);
    kind_of(joint.type).check(joint);
}

} // namespace scree
