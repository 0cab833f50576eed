// SPDX-License-Identifier: MIT
// granular_body.h — the motion of a body and of the particles in it.   compiles as: host, lanes, cuda, opencl
//
// After Fossum 2011. Momenta are the state; velocities follow from them.

struct GranularMotion_t {
    real3 momentum, spin;
};
typedef struct GranularMotion_t GranularMotion;

/// P and L after the force and torque have acted for the step; each component of P is limited to M v_term
KERNEL_FN GranularMotion granular_kicked(real3 momentum, real3 spin, real3 force, real3 torque, real mass,
                                         GranularParams p) {
    real limit = mass * p.terminal_velocity;
    real3 P = momentum + force * p.time_step;
    GranularMotion m;
    m.momentum =
        make_real3(clamped(P.x, -limit, limit), clamped(P.y, -limit, limit), clamped(P.z, -limit, limit));
    m.spin = spin + torque * p.time_step;
    return m;
}

/// w = R I^-1 R^T L
KERNEL_FN real3 granular_angular_velocity(quat q, real3 unit_inverse_inertia, real inverse_mass, real3 spin) {
    return rotated_diagonal_times(quat_matrix(q), unit_inverse_inertia * inverse_mass, spin);
}

/// particle centre, velocity of the centre
struct GranularParticle_t {
    real3 position, velocity;
};
typedef struct GranularParticle_t GranularParticle;

KERNEL_FN GranularParticle granular_particle(real3 centre, quat q, real3 velocity, real3 omega,
                                             real3 offset) {
    GranularParticle a;
    real3 arm = mat3_times(quat_matrix(q), offset);
    a.position = arm + centre;
    a.velocity = velocity + cross3(omega, arm);
    return a;
}

KERNEL_FN real3 granular_particle_position(real3 centre, quat q, real3 offset) {
    return mat3_times(quat_matrix(q), offset) + centre;
}
