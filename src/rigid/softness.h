// SPDX-License-Identifier: MIT
// softness.h — constants of a soft step, the same on every device.
#pragma once

#include "rigid/kernels.h"
#include "scree/world.h"

#include <algorithm>
#include <numbers>

namespace scree {

/// E. Catto, "Soft constraints" (GDC 2011): a spring and damper of this frequency and damping ratio, stable at any step.
/// The SOR has one, and so have impacts.
inline std::uint32_t substeps_of(const WorldSettings& s) {
    return s.solver != Solver::soft_step ? 1 : static_cast<std::uint32_t>(s.substeps);
}

inline rigid::RigidSoftness softness(float hertz, float ratio, float h) {
    if (!(hertz > 0)) return {0, 1, 0};
    const float omega = 2 * std::numbers::pi_v<float> * hertz;
    const float a1 = 2 * ratio + h * omega, a2 = h * omega * a1, a3 = 1 / (1 + a2);
    return {omega / a1, a2 * a3, a3};
}

/// `last_h`: the substep that stored impulses belong to, 0 for none.
inline rigid::RigidStep soft_constants(const WorldSettings& s, float dt, float h, float last_h, bool extras,
                                       bool bullets) {
    rigid::RigidStep step{};
    step.dt = dt;
    step.h = h;
    step.inv_h = 1 / h;
    step.push_speed = s.push_speed;
    step.restitution_threshold = s.restitution_threshold;
    step.warm_scale = s.warm_starting && last_h > 0 ? h / last_h : 0.0f;
    step.extras = extras;
    step.parabolas = s.solver == Solver::soft_step;
    step.runge_kutta = s.integrator == Integrator::runge_kutta;
    step.continuous = s.continuous ? (bullets ? 2 : 1) : 0;
    step.substeps = h > 0 ? static_cast<std::uint32_t>(dt / h + 0.5f) : 0;
    const float hertz = s.contact_hertz > 0 ? std::min(s.contact_hertz, 0.25f / h) : 1 / (6 * h);
    step.contact = softness(hertz, s.contact_damping, h);
    // contacts with immovable bodies are stiffer
    step.static_contact = softness(2 * hertz, 0.5f * s.contact_damping, h);
    // with few substeps half of their rate is still stable
    const float stiffest = std::max(0.25f / h, std::min(60.0f, 0.5f / h));
    const float joint_hertz = s.joint_hertz > 0 ? std::min(s.joint_hertz, stiffest) : stiffest;
    step.joint = softness(joint_hertz, s.joint_damping, h);
    return step;
}

inline rigid::SorStep sor_constants(const WorldSettings& s, float dt) {
    rigid::SorStep p{};
    p.dt = dt;
    p.inv_dt = 1 / dt;
    p.omega = s.sor_omega;
    p.cfm = s.sor_cfm / dt;
    p.erp = s.sor_erp;
    p.slop = s.slop;
    p.push_speed = s.push_speed;
    p.restitution_threshold = s.restitution_threshold;
    p.tolerance = s.sor_tolerance;
    p.apart = s.sor_schedule == SorSchedule::jacobi;
    p.groups = s.sor_schedule == SorSchedule::groups ? static_cast<std::uint32_t>(s.sor_groups) : 0;
    p.vary = s.sor_vary;
    return p;
}

/// Whether every constraint is solved as the overflow is: by splitting masses.
inline bool without_colours(const WorldSettings& s) {
    return s.solver == Solver::sor && s.sor_schedule != SorSchedule::colours;
}

/// A manifold is kept while the bodies have moved and turned less than this against each other since it was made, and
/// turned less than this in the world.
struct RecycleLimits {
    float distance_squared, cosine, turn; ///< cosines of half the angles
};
constexpr RecycleLimits recycle_limits() {
    constexpr float distance = 0.01f, angle = 0.02f, turn = 0.01f; // m, rad
    return {distance * distance, 1 - 0.125f * angle * angle, 1 - 0.125f * turn * turn};
}

} // namespace scree
