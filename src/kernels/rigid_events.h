// SPDX-License-Identifier: MIT
// rigid_events.h — what a step tells of contacts: hits, and which shapes let others pass.   compiles as: host, cuda
//
// Host and device keep contacts in different structures; these functions read the quads that both have.

/// arrays of bodies, and records of contacts
struct TouchView_t {
    const f32* position;
    const f32* rotation;
    const f32* motion;
    const f32* inverse_mass;
    const f32* contact;
};
typedef struct TouchView_t TouchView;

/// a point of a contact at the bodies' current poses
struct TouchPoint_t {
    real3 arm_a, arm_b; // from the centres of mass
    real separation;    // negative: overlap
    real speed;         // at which the bodies approach each other along the normal
};
typedef struct TouchPoint_t TouchPoint;

KERNEL_FN TouchPoint touch_point(u32 c, u32 point, u32 body_a, u32 body_b, const TouchView v) {
    TouchPoint t;
    const u32 at = RECORD_QUADS * c;
    real3 n = xyz(load4(v.contact, at + RECORD_NORMAL));
    t.arm_a = mat3_times(quat_matrix(quat_of(load4(v.rotation, body_a))),
                         xyz(load4(v.contact, at + RECORD_POINT + 2 * point)));
    t.arm_b = mat3_times(quat_matrix(quat_of(load4(v.rotation, body_b))),
                         xyz(load4(v.contact, at + RECORD_POINT + 2 * point + 1)));
    real3 between = position_between(load4(v.position, body_a), load4(v.position, body_b));
    t.separation = dot3((between + t.arm_b) - t.arm_a, n);
    real3 va = xyz(load4(v.motion, 4 * body_a)) + cross3(xyz(load4(v.motion, 4 * body_a + 1)), t.arm_a);
    real3 vb = xyz(load4(v.motion, 4 * body_b)) + cross3(xyz(load4(v.motion, 4 * body_b + 1)), t.arm_b);
    t.speed = dot3(va - vb, n);
    return t;
}
KERNEL_FN u32 touch_count(u32 c, const TouchView v) {
    return static_cast<u32>(as_whole(load4(v.contact, RECORD_QUADS * c + RECORD_STATE).x) & RECORD_COUNT);
}

// one-way shapes -------------------------------------------------------------------------------------------------------

// a shape lands where the normal is this close to the direction (60 degrees), and no deeper than shapes are speculative
#define ONE_WAY_COSINE 0.5f

#define PASS_SOLID 0u
#define PASS_OPEN 1u    // does not hold, and does not overlap
#define PASS_THROUGH 2u // overlaps, and goes on through until it does not

/// What a one-way shape is to the other shape of a contact. `along`: of the normal towards the other and the direction.
KERNEL_FN u32 pass_of(bool solid, bool passing, real along, real separation, f32 distance) {
    if (solid) return PASS_SOLID;
    const bool overlaps = separation < 0.0f;
    if (!(passing && overlaps) && along > ONE_WAY_COSINE && separation >= -distance) return PASS_SOLID;
    return overlaps ? PASS_THROUGH : PASS_OPEN;
}

/// The same of a contact, one of whose shapes is one-way or both: a direction of zero is none. Directions are the world's.
KERNEL_FN u32 contact_pass(u32 c, u32 body_a, u32 body_b, real3 way_a, real3 way_b, bool solid, bool passing,
                           f32 distance, const TouchView v) {
    const u32 count = touch_count(c, v);
    if (!count) return PASS_OPEN;
    real separation = touch_point(c, 0, body_a, body_b, v).separation;
    for (u32 k = 1; k < count; ++k)
        separation = least(separation, touch_point(c, k, body_a, body_b, v).separation);
    real3 n = xyz(load4(v.contact, RECORD_QUADS * c + RECORD_NORMAL));
    const u32 of_a = dot3(way_a, way_a) > 0.0f ? pass_of(solid, passing, dot3(n, way_a), separation, distance)
                                               : PASS_SOLID;
    const u32 of_b = dot3(way_b, way_b) > 0.0f
                         ? pass_of(solid, passing, -dot3(n, way_b), separation, distance)
                         : PASS_SOLID;
    return of_a > of_b ? of_a : of_b;
}

// hits -----------------------------------------------------------------------------------------------------------------

/// Before the solver: the point where the bodies approach each other fastest, and the speed.
struct Approach_t {
    real speed;
    u32 point;
};
typedef struct Approach_t Approach;

KERNEL_FN Approach contact_approach(u32 c, u32 body_a, u32 body_b, const TouchView v) {
    Approach a;
    a.speed = 0.0f;
    a.point = 0;
    const u32 count = touch_count(c, v);
    for (u32 k = 0; k < count; ++k) {
        real speed = touch_point(c, k, body_a, body_b, v).speed;
        if (!(speed > a.speed)) continue;
        a.speed = speed;
        a.point = k;
    }
    return a;
}

/// After the solver. A hit has taken at least half of the approach;
/// its impulse is the change of speed times the mass that the two bodies have along the normal at the point.
struct Hit_t {
    bool hits;
    real impulse;
    real3 normal, point;
};
typedef struct Hit_t Hit;

KERNEL_FN real turning_share(real4 low, real4 high, real3 arm, real3 n) {
    real3 turn = cross3(arm, n);
    return high.z + dot3(sym3_times(gather_inertia(low, high), turn), turn);
}
KERNEL_FN Hit contact_hit(u32 c, u32 body_a, u32 body_b, Approach before, const TouchView v) {
    Hit h;
    TouchPoint t = touch_point(c, before.point, body_a, body_b, v);
    h.normal = xyz(load4(v.contact, RECORD_QUADS * c + RECORD_NORMAL));
    h.point = xyz(load4(v.position, body_a)) + t.arm_a;
    real taken = before.speed - t.speed;
    real share = turning_share(load4(v.inverse_mass, 2 * body_a), load4(v.inverse_mass, 2 * body_a + 1),
                               t.arm_a, h.normal) +
                 turning_share(load4(v.inverse_mass, 2 * body_b), load4(v.inverse_mass, 2 * body_b + 1),
                               t.arm_b, h.normal);
    h.impulse = share > 0.0f ? taken / share : 0.0f;
    // a body that is no longer finite is told as such
    h.hits = taken >= 0.5f * before.speed && h.impulse > 0.0f && h.impulse < 3e38f &&
             dot3(h.point, h.point) < 3e38f;
    return h;
}

// bodies ---------------------------------------------------------------------------------------------------------------

/// Whether the centre of mass is beyond a region: two quads, low and high. One that is nowhere lies in it.
KERNEL_FN bool beyond_region(real4 position, const f32* region) {
    return position.x < region[0] || position.y < region[1] || position.z < region[2] ||
           position.x > region[4] || position.y > region[5] || position.z > region[6];
}
