// SPDX-License-Identifier: MIT
// granular_contact.h — the force between two particles, and between a particle and a surface.   compiles as: host, lanes, cuda, opencl
//
// After Fossum 2011. "i" is the particle whose force is computed, "j" the other; n points from j to i. Every formula is
// antisymmetric under exchange of i and j to the bit, so the two sides of a contact agree without communication.

struct GranularTouch_t {
    real3 force;  // on i
    real3 torque; // on i, about the centre of particle i
    real3 spring; // tangential spring after the step (history model)
};
typedef struct GranularTouch_t GranularTouch;

/// the distance below which two particles are in contact
KERNEL_FN mask granular_touching(real distance, real reach, GranularParams p) {
    return distance + p.contact_epsilon < reach;
}

/// unit vector from j to i; where the centres coincide, up or down by `tie` (+1 for the one with the lower number)
KERNEL_FN real3 granular_normal(real3 from_i_to_j, real distance, real tie) {
    mask apart = distance > 0.0f;
    real scale = to_real(-1.0f) / pick(apart, distance, to_real(1.0f));
    real3 up = make_real3(to_real(0.0f), tie, to_real(0.0f));
    return pick3(apart, from_i_to_j * scale, up);
}

/// A deep contact whose normal would pull the bodies further into each other is pushed out along the shapes' outward
/// directions instead (after Macklin et al. 2014, "Unified Particle Physics", 5: one-sided normals).
KERNEL_FN real3 granular_unlocked_normal(real3 n, real overlap, real reach, real3 out_i, real3 out_j) {
    mask deep = overlap > reach * 0.125f;
    mask inward = either(dot3(n, out_j) < -0.1f, dot3(n, out_i) > 0.1f);
    return pick3(both(deep, inward), unit3(out_j - out_i, n), n);
}

/// the law of Fossum 2011: a spring along the normal and a dashpot on the whole relative velocity
KERNEL_FN real3 granular_linear_force(real3 n, real overlap, real3 vi, real3 vj, GranularParams p) {
    return n * (overlap * p.stiffness) + (vj - vi) * p.damping;
}

/// Normal and tangential parts apart. `slip` is the velocity of i against j at the contact; `lever` is the distance
/// from the centre of i to the contact. The normal part never pulls; the tangential part ends at Coulomb's limit.
KERNEL_FN GranularTouch granular_split_force(real3 n, real overlap, real3 slip, real lever, real3 spring,
                                             GranularParams p) {
    real along = dot3(slip, n);
    real3 sideways = slip - n * along;
    real push = overlap * p.stiffness;
    if (p.model == GRANULAR_HERTZ) push = push * (root(overlap) * p.hertz_scale);
    real normal = greatest(push - along * p.damping, to_real(0.0f));
    real3 drag = sideways * -p.tangent_damping;
    real3 tangent = drag;
    if (p.model == GRANULAR_HISTORY) {
        // the spring turns with the contact plane and stretches with the slip
        spring = (spring - n * dot3(spring, n)) + sideways * p.time_step;
        tangent = drag - spring * p.tangent_stiffness;
    }
    real size = length3(tangent);
    real limit = normal * p.friction;
    mask slides = size > limit;
    real scale = pick(slides, limit / pick(slides, size, to_real(1.0f)), to_real(1.0f));
    tangent = tangent * scale;
    if (p.model == GRANULAR_HISTORY) {
        // a sliding contact drags its spring along: keep what the limited force stands for (Cundall and Strack 1979)
        real3 kept = (drag - tangent) * (1.0f / p.tangent_stiffness);
        spring = pick3(slides, kept, spring);
        // a stiffness near 0 asks for a stretch beyond any number; NaN has other bits on other devices
        real zero = to_real(0.0f);
        spring = pick3(finite3(spring), spring, make_real3(zero, zero, zero));
    }
    GranularTouch touch;
    touch.force = n * normal + tangent;
    touch.torque = cross3(n, tangent) * -lever;
    touch.spring = spring;
    return touch;
}

/// velocity of i against j where they touch
KERNEL_FN real3 granular_slip(real3 n, real3 vi, real3 wi, real ri, real3 vj, real3 wj, real rj) {
    return (vi - vj) - cross3(wi * ri + wj * rj, n);
}

/// the five planes of Fossum 2011: ground, low and high walls of x and z. The dashpot acts once for all planes touched.
KERNEL_FN real3 granular_reference_planes(real3 x, real3 v, real r, GranularParams p) {
    real zero = to_real(0.0f);
    real3 f = make_real3(zero, zero, zero);
    mask ground = both(truth(p.ground != 0u), x.y - r < 0.0f);
    f.y = pick(ground, p.stiffness * (r - x.y), zero);
    mask walls = truth(p.walls != 0u);
    mask x_low = both(walls, x.x - r < -p.world_size);
    mask x_high = both(both(walls, no(x_low)), x.x + r > p.world_size);
    f.x = pick(x_low, p.stiffness * ((-p.world_size - x.x) + r),
               pick(x_high, p.stiffness * ((p.world_size - x.x) - r), zero));
    mask z_low = both(walls, x.z - r < -p.world_size);
    mask z_high = both(both(walls, no(z_low)), x.z + r > p.world_size);
    f.z = pick(z_low, p.stiffness * ((-p.world_size - x.z) + r),
               pick(z_high, p.stiffness * ((p.world_size - x.z) - r), zero));
    mask touched = either(ground, either(either(x_low, x_high), either(z_low, z_high)));
    return pick3(touched, f - v * p.damping, f);
}
