// SPDX-License-Identifier: MIT
// convex_sweep.h — when a moving convex shape first touches another.   compiles as: host, cuda
//
// Conservative advancement (Mirtich 1996): the two are never closer than their distance less what they can have moved towards
// each other, so time goes on by the distance over the fastest approach along the nearest points' normal. Without turning
// this is Newton's method on a convex function: it comes from below and never passes the first touch. A body's centre moves
// on a straight line; its rotation goes from the first to the last along the shorter arc.

//
// What turns fast close to a surface comes on by tiny steps, since every point of it might be the one that comes down. When
// the iterations are used up, it is looked at in steps of at least 1 / SWEEP_LOOKS: between two of these a corner dips
// by no more than spin^2 reach / (8 SWEEP_LOOKS^2), 0.1 mm for a box of 5 cm and half a turn.

#define SWEEP_ITERATIONS 64
#define SWEEP_LOOKS 64
#define SWEEP_HALVINGS 8 // of the step between two looks

/// a shape of a moving body, in a frame of the caller's; time runs from 0 to 1
struct SweptShape_t {
    ConvexShape shape;
    real shrink;       // of the support functions; radii of round shapes are the caller's
    real3 from, shift; // of the body's centre: at time 0, and until time 1
    quat turn, turned; // of the body at times 0 and 1
    real3 arm;         // of the shape from the centre, in the body's frame
    quat own;          // of the shape in the body's frame
    real spin;         // at least the radians per unit of time: sweep_spin
    real reach;        // no point of the shape is farther from the centre
};
typedef struct SweptShape_t SweptShape;

struct SweepHit_t {
    bool found;
    bool looked; // by steps that may have gone over something thin
    real time;
    real separation; // then
    real3 normal;    // unit, from A to B, in the caller's frame
};
typedef struct SweepHit_t SweepHit;

/// The fastest that a rotation turns between two, mixed linearly and made unit: in the middle, 4 tan of a quarter angle.
KERNEL_FN real sweep_spin(quat a, quat b) {
    real along = ((a.x * b.x + a.y * b.y) + a.z * b.z) + a.s * b.s;
    real side = along < 0.0f ? -1.0f : 1.0f;
    real x = b.x * side - a.x, y = b.y * side - a.y, z = b.z * side - a.z, s = b.s * side - a.s;
    real chord = root(((x * x + y * y) + z * z) + s * s);
    return 4.0f * chord / root(2.0f * (1.0f + magnitude(along)));
}

KERNEL_FN quat swept_turn(PRIVATE const SweptShape* s, real time) {
    if (!(s->spin > 0.0f)) return s->turn;
    quat a = s->turn, b = s->turned;
    real along = ((a.x * b.x + a.y * b.y) + a.z * b.z) + a.s * b.s;
    real t = along < 0.0f ? -time : time, u = 1.0f - time;
    real x = a.x * u + b.x * t, y = a.y * u + b.y * t, z = a.z * u + b.z * t, w = a.s * u + b.s * t;
    real scale = to_real(1.0f) / root(((x * x + y * y) + z * z) + w * w);
    return make_quat(w * scale, x * scale, y * scale, z * scale);
}

/// The two at a time, B's frame in A's; `turn` is A's rotation.
KERNEL_FN void swept_pair(PRIVATE const SweptShape* a, PRIVATE const SweptShape* b, real time,
                          PRIVATE ConvexPair* p, PRIVATE mat3* turn) {
    quat qa = swept_turn(a, time), qb = swept_turn(b, time);
    quat own_a = quat_product(qa, a->own), own_b = quat_product(qb, b->own);
    mat3 ra = quat_matrix(qa), rb = quat_matrix(qb);
    // differences first: both may be far from the frame's origin
    real3 between = (b->from - a->from) + (b->shift - a->shift) * time;
    between = between + (mat3_times(rb, b->arm) - mat3_times(ra, a->arm));
    *turn = quat_matrix(own_a);
    p->a = a->shape;
    p->b = b->shape;
    p->rotation = quat_matrix(quat_product(make_quat(own_a.s, -own_a.x, -own_a.y, -own_a.z), own_b));
    p->position = mat3_transposed_times(*turn, between);
}

/// Their distance, or less, and the normal of a plane that parts them; `start`: a guess of that, from A to B. B may be a plane.
KERNEL_FN void swept_gap(PRIVATE const ConvexPair* p, real shrink_a, real shrink_b, real3 start,
                         PRIVATE ConvexGap* gap) {
    if (p->b.type == CONVEX_PLANE) {
        gap->normal = -make_real3(p->rotation.x.y, p->rotation.y.y, p->rotation.z.y);
        gap->on_a = convex_support(p->a, gap->normal, shrink_a);
        gap->separation = dot3(p->position - gap->on_a, gap->normal);
    } else {
        convex_gjk(p, shrink_a, shrink_b, start, 3e38f, gap);
    }
}

/// The two at the hit's time: its separation and normal; `start`: a guess of the normal in A's frame, and the one found
KERNEL_FN void sweep_look(PRIVATE const SweptShape* a, PRIVATE const SweptShape* b, bool first,
                          PRIVATE real3* start, PRIVATE SweepHit* hit) {
    ConvexPair p;
    mat3 turn;
    swept_pair(a, b, hit->time, &p, &turn);
    if (first) *start = unit3(p.position, *start);
    ConvexGap gap;
    swept_gap(&p, a->shrink, b->shrink, *start, &gap);
    *start = gap.normal;
    hit->normal = mat3_times(turn, gap.normal);
    // along a plane that parts them, whatever rounding lets GJK make of it
    hit->separation = gap.separation - (convex_round(a->shape) + convex_round(b->shape));
}

/// The first time up to `most` at which the two are no farther apart than `target`, to a tolerance above. A is no plane.
KERNEL_FN SweepHit convex_sweep(PRIVATE const SweptShape* a, PRIVATE const SweptShape* b, real target,
                                real tolerance, real most) {
    SweepHit hit;
    hit.found = true;
    hit.looked = false;
    hit.time = 0.0f;
    hit.separation = 0.0f;
    hit.normal = make_real3(0.0f, 1.0f, 0.0f);
    real turning = a->spin * a->reach + b->spin * b->reach;
    real3 start = make_real3(0.0f, 1.0f, 0.0f);
    real apart = 0.0f; // the last time at which they were
    const i32 looks = turning > 0.0f ? SWEEP_LOOKS : 0;
    for (i32 iteration = 0; iteration < SWEEP_ITERATIONS + looks; ++iteration) {
        const bool looking = iteration >= SWEEP_ITERATIONS;
        hit.looked = looking;
        sweep_look(a, b, iteration == 0, &start, &hit);
        if (!(hit.separation > target + tolerance)) {
            SweepHit between = hit;
            for (i32 k = 0; looking && k < SWEEP_HALVINGS; ++k) {
                between.time = 0.5f * (apart + hit.time);
                sweep_look(a, b, false, &start, &between);
                if (between.separation > target + tolerance) apart = between.time;
                else hit = between;
            }
            return hit;
        }
        apart = hit.time;
        real closing = dot3(hit.normal, a->shift - b->shift) + turning;
        real ahead = (hit.separation - target) / closing;
        real next = hit.time + ahead;
        if (looking && hit.time < most)
            next = least(hit.time + greatest(ahead, to_real(1.0f / SWEEP_LOOKS)), most);
        if (!(closing > 0.0f) || !(next <= most) || (looking && !(next > hit.time))) {
            hit.found = false;
            return hit;
        }
        hit.time = next;
    }
    return hit;
}
