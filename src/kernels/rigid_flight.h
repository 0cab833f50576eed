// SPDX-License-Identifier: MIT
// rigid_flight.h — free flight by the classical Runge-Kutta method of fourth order.   compiles as: host, lanes, cuda
//
// dX/dt = V,  dq/dt = [0, w] q / 2,  dV/dt = a - c V,  dw/dt = I^-1 (torque - w x I w) - c' w, with forces that stay as they are
// for a step. V and w are followed as what they differ from the step's beginning, and q as the rotation from it, so that the sums
// at the step's end lose nothing (rigid_body.h).

struct Flight_t {
    real3 v, spin, torque; // at the step's beginning, world
    real3 pull;            // acceleration by forces
    quat rotation;
    sym3 inertia, inverse; // body frame
    real damping, turn_damping;
};
typedef struct Flight_t Flight;

struct Flown_t {
    real3 pull, turn; // mean accelerations of the step
    real3 more;       // mean velocity less that of the beginning
    quat turned;      // from the rotation at the beginning; unit
};
typedef struct Flown_t Flown;

/// the change of spin at a spin and a rotation
KERNEL_FN real3 flight_turn(const Flight* f, real3 spin, quat turned) {
    mat3 axes = quat_matrix(quat_product(turned, f->rotation));
    real3 own = mat3_transposed_times(axes, spin);
    real3 torque = mat3_transposed_times(axes, f->torque) - cross3(own, sym3_times(f->inertia, own));
    return mat3_times(axes, sym3_times(f->inverse, torque)) - f->turn_damping * spin;
}
KERNEL_FN quat quat_plus(quat a, quat b, real by) {
    return make_quat(a.s + by * b.s, a.x + by * b.x, a.y + by * b.y, a.z + by * b.z);
}
/// half [0, spin] turned
KERNEL_FN quat flight_spun(real3 spin, quat turned) {
    real half = to_real(0.5f), zero = to_real(0.0f);
    return quat_product(make_quat(zero, half * spin.x, half * spin.y, half * spin.z), turned);
}
KERNEL_FN quat quat_unit(quat q) {
    real scale = to_real(1.0f) / root(quat_square(q));
    return make_quat(q.s * scale, q.x * scale, q.y * scale, q.z * scale);
}

KERNEL_RARE void runge_kutta(Flown* out, const Flight* f, f32 dt) {
    real zero = to_real(0.0f), sixth = to_real(1.0f) / to_real(6.0f);
    real3 none3 = make_real3(zero, zero, zero), pulls = none3, turns = none3, ways = none3;
    real3 dv = none3, dw = none3;
    quat start = make_quat(to_real(1.0f), zero, zero, zero), q = start,
         spins = make_quat(zero, zero, zero, zero);
    for (u32 k = 0; k < 4; ++k) {
        // weights 1 2 2 1; the slope of one stage leads to the next, half a step on or a whole one
        real weight = to_real(k == 1 || k == 2 ? 2.0f : 1.0f);
        f32 ahead = k == 2 ? dt : 0.5f * dt;
        real3 pull = f->pull - f->damping * (f->v + dv), turn = flight_turn(f, f->spin + dw, q);
        quat spun = flight_spun(f->spin + dw, q);
        pulls = pulls + weight * pull;
        turns = turns + weight * turn;
        ways = ways + weight * dv;
        spins = quat_plus(spins, spun, weight);
        dv = ahead * pull;
        dw = ahead * turn;
        q = quat_unit(quat_plus(start, spun, to_real(ahead)));
    }
    out->pull = pulls * sixth;
    out->turn = turns * sixth;
    out->more = ways * sixth;
    out->turned = quat_unit(quat_plus(start, spins, dt * sixth));
}
