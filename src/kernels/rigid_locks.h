// SPDX-License-Identifier: MIT
// rigid_locks.h — locked directions of a body, as bits.   compiles as: host, lanes
//
// A body's bits: 0 … 2 say that it does not move along x, y, z of the world, 3 … 5 that it does not turn about them. Turns
// are left out of its inverse inertia, and no formula needs to know of them. Its inverse mass is one number, which two
// bodies in a contact or joint correct by the bits of the pair: 0 … 2 of the first, 3 … 5 of the second.

#define LOCK_TURN 3
#define LOCK_A 0
#define LOCK_B 3
#define LOCK_FIRM 6 // of a contact: one of the two does not give way along the normal
#define LOCK_SPIN 6 // of a joint: one of the two does not turn about some axis
#define LOCK_ROPE 7 // of a joint, a pulley: the two are not pushed against each other (rigid_coupling.h)

/// of the bits of two bodies those that a contact or joint needs
KERNEL_FN whole pair_locks(whole a, whole b) { return (a & 7) + (b & 7) * (1 << LOCK_B); }

/// 1 where the bit of `locks` is clear, 0 where it is set
KERNEL_FN real unlocked(whole locks, i32 bit) {
    return pick((locks & (1 << bit)) == 0, to_real(1.0f), to_real(0.0f));
}
KERNEL_FN real3 unlocked3(whole locks, i32 bit, real3 v) {
    return make_real3(v.x * unlocked(locks, bit), v.y * unlocked(locks, bit + 1),
                      v.z * unlocked(locks, bit + 2));
}

/// `now`, and along locked axes `before`
KERNEL_FN real3 kept_where_locked(whole locks, i32 bit, real3 before, real3 now) {
    return make_real3(pick((locks & (1 << bit)) == 0, now.x, before.x),
                      pick((locks & (2 << bit)) == 0, now.y, before.y),
                      pick((locks & (4 << bit)) == 0, now.z, before.z));
}

/// What is left of a unit vector along free axes. Less than a hundredth of it counts as nothing: the normal of a floor is
/// not exactly the axis that a body on it is locked in, which must not make the body a wedge that shoots out sideways.
KERNEL_FN real3 free_part(whole locks, i32 bit, real3 unit) {
    real3 part = unlocked3(locks, bit, unit);
    mask some = either((locks & (7 << bit)) == 0, dot3(part, part) > 1e-4f);
    real zero = to_real(0.0f);
    return pick3(some, part, make_real3(zero, zero, zero));
}

/// d.(F d) of a unit vector d and the free axes F: how much of the inverse mass answers to an impulse along d
KERNEL_FN real free_share(whole locks, i32 bit, real3 unit) {
    real3 part = free_part(locks, bit, unit);
    return pick((locks & (7 << bit)) == 0, to_real(1.0f), dot3(part, part));
}
