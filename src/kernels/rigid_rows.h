// SPDX-License-Identifier: MIT
// rigid_rows.h — the rows of a joint, as both solvers see them.   compiles as: host, lanes, cuda
//
// A joint has six rows: three of how its anchors lie apart, three of how its second frame is turned against the first. A
// row is held at 0, free, or bounded: kept from `low` to `high` and driven with a limited force. Held rows are solved
// together, three linear and three angular ones; bounded rows one by one before them. Types of joints only fill rows
// (world/joint_types.h): no kernel knows a type.
//
// A word says what each row is and what the rows measure:
//     linear    all three held: along the axes of the world. Otherwise along those of the first frame, or with ROWS_LINE the
//               first row is the distance between the anchors.
//     angular   the rotation from the first frame to the second, along its axes, as 2 sin of half the angle; with ROWS_TILT x
//               and y are the angles by which the second z axis is tilted, with ROWS_CONE x is the angle between the two z
//               axes, whatever its direction; with either z is the twist: the angle about z. With ROWS_GIMBAL they are the
//               angles of three turns one after the other: about the first x, about y so turned, about the second z.
// Joints that hold a point and, of the angular rows, none, x and y by tilt, or all are the common ones. Others have
// ROWS_SPECIAL set, and what they need beyond the common formula is left to functions that are called for them alone.
// Gears, racks and pulleys have one row of their own (rigid_coupling.h).

#define ROWS_OF_JOINT 6
#define ROWS_HELD 0 // the first of six bits
#define ROWS_POINT 7
#define ROWS_TURNS 56
#define ROWS_TILT 64
#define ROWS_CONE 128
#define ROWS_LINE 256
#define ROWS_BOUNDED 9 // the first of six bits
#define ROWS_SPECIAL 32768
// of special joints only
#define ROWS_GIMBAL 65536
#define ROWS_BREAKS 131072 // with a largest force or torque
// bits of rigid_coupling.h follow
#define ROWS_END 2097152

// quads of a joint's limits, two for each row; read for bounded rows only
#define JOINT_LIMITS 12
#define JOINT_LIMIT_RANGE 0 // low, high; hertz and damping ratio of the drive
#define JOINT_LIMIT_DRIVE 1 // target (m, rad), speed, largest force (N, N m); see below
// the fourth word of the first and the second drive: force and torque at which the joint breaks, 0: never
#define JOINT_BREAK_FORCE 7
#define JOINT_BREAK_TORQUE 15
#define ROW_UNLIMITED 1e30f

KERNEL_FN mask row_held(whole rows, u32 k) { return (rows & (1 << (ROWS_HELD + k))) != 0; }
KERNEL_FN mask row_bounded(whole rows, u32 k) { return (rows & (1 << (ROWS_BOUNDED + k))) != 0; }

/// v, and 0 along rows that are not held; `first` is 0 for the linear rows and 3 for the angular ones
KERNEL_FN real3 held3(whole rows, u32 first, real3 v) {
    real zero = to_real(0.0f);
    return make_real3(pick(row_held(rows, first), v.x, zero), pick(row_held(rows, first + 1), v.y, zero),
                      pick(row_held(rows, first + 2), v.z, zero));
}
/// the response of three rows, in which those that are not held stand alone
KERNEL_FN sym3 held_block(whole rows, u32 first, sym3 k) {
    mask x = row_held(rows, first), y = row_held(rows, first + 1), z = row_held(rows, first + 2);
    real zero = to_real(0.0f), one = to_real(1.0f);
    k.xx = pick(x, k.xx, one);
    k.yy = pick(y, k.yy, one);
    k.zz = pick(z, k.zz, one);
    k.xy = pick(both(x, y), k.xy, zero);
    k.xz = pick(both(x, z), k.xz, zero);
    k.yz = pick(both(y, z), k.yz, zero);
    return k;
}
KERNEL_FN sym3 pick_sym3(mask m, sym3 a, sym3 b) {
    a.xx = pick(m, a.xx, b.xx);
    a.yy = pick(m, a.yy, b.yy);
    a.zz = pick(m, a.zz, b.zz);
    a.xy = pick(m, a.xy, b.xy);
    a.xz = pick(m, a.xz, b.xz);
    a.yz = pick(m, a.yz, b.yz);
    return a;
}
KERNEL_FN mat3 pick_mat3(mask m, mat3 a, mat3 b) {
    a.x = pick3(m, a.x, b.x);
    a.y = pick3(m, a.y, b.y);
    a.z = pick3(m, a.z, b.z);
    return a;
}

/// axes of the angular rows in the world, as rows of a matrix, and where each row is
struct JointTurns_t {
    mat3 axes;
    real3 error;
};
typedef struct JointTurns_t JointTurns;

/// of common joints, from their frames in the world
KERNEL_FN JointTurns joint_turns(quat fa, quat fb, whole rows) {
    mat3 ra = quat_matrix(fa), rb = quat_matrix(fb); // columns are the joint's axes
    JointTurns t;
    t.axes = mat3_transposed(ra);
    quat off = quat_product(make_quat(fa.s, -fa.x, -fa.y, -fa.z), fb);
    real side = pick(off.s < 0.0f, to_real(-2.0f), to_real(2.0f));
    real3 axis_b = make_real3(rb.x.z, rb.y.z, rb.z.z);
    real3 tilt = mat3_transposed_times(ra, cross3(t.axes.z, axis_b));
    t.error = pick3((rows & ROWS_TILT) != 0, make_real3(tilt.x, tilt.y, to_real(0.0f)),
                    make_real3(off.x, off.y, off.z) * side);
    return t;
}

/// what the rows of special joints measure
struct JointReach_t {
    mat3 linear, angular; // axes of the rows in the world, as rows of a matrix
    mat3 local; // those of the angular rows in the first frame; of a gimbal its impulses are kept by row
    real3 apart, angle; // where the rows are
    real
        stretch; // m of a cone's twist: its axis leans by half the swing, and a speed about it counts for more
};
typedef struct JointReach_t JointReach;

/// Turns about the first x, the y between and the second z. Each row's axis is the gradient of its angle: at right angles to
/// the axes of the other two turns. `z`: the second z axis in the first frame.
KERNEL_RARE void joint_gimbal(PRIVATE JointReach* r, whole rows, mat3 ra, mat3 rb, real3 z) {
    real zero = to_real(0.0f), one = to_real(1.0f);
    real3 ex = make_real3(one, zero, zero), ey = make_real3(zero, one, zero),
          ez = make_real3(zero, zero, one);
    real across = root(z.y * z.y + z.z * z.z);
    real3 x = make_real3(ra.x.x, ra.y.x, ra.z.x); // the first x axis in the world
    real along_x = dot3(x, make_real3(rb.x.x, rb.y.x, rb.z.x)),
         along_y = dot3(x, make_real3(rb.x.y, rb.y.y, rb.z.y));
    real3 angle =
        make_real3(arctangent2(-z.y, z.z), arctangent2(z.x, across), arctangent2(-along_y, along_x));
    real3 between = unit3(make_real3(zero, z.z, -z.y), ey);
    real scale = one / greatest(across, to_real(0.05f)); // the first x and the second z must not meet
    const mask gimbal = (rows & ROWS_GIMBAL) != 0;
    r->angular.x = pick3(gimbal, mat3_times(ra, cross3(between, z) * scale), r->angular.x);
    r->angular.y = pick3(gimbal, mat3_times(ra, between), r->angular.y);
    r->angular.z = pick3(gimbal, mat3_times(ra, cross3(ex, between) * scale), r->angular.z);
    r->local.x = pick3(gimbal, ex, r->local.x);
    r->local.y = pick3(gimbal, ey, r->local.y);
    r->local.z = pick3(gimbal, ez, r->local.z);
    r->angle = pick3(gimbal, angle, r->angle);
}

/// `apart`: the second anchor from the first
KERNEL_RARE void joint_reach(PRIVATE JointReach* r, whole rows, quat fa, quat fb, real3 apart) {
    mat3 ra = quat_matrix(fa), rb = quat_matrix(fb), axes = mat3_transposed(ra);
    real zero = to_real(0.0f), one = to_real(1.0f);
    real3 ex = make_real3(one, zero, zero), ey = make_real3(zero, one, zero),
          ez = make_real3(zero, zero, one);

    mask line = (rows & ROWS_LINE) != 0;
    real3 along = unit3(apart, axes.x), across = tangent_of(along);
    r->linear.x = pick3(line, along, axes.x);
    r->linear.y = pick3(line, across, axes.y);
    r->linear.z = pick3(line, cross3(along, across), axes.z);
    r->apart = pick3(line, make_real3(length3(apart), zero, zero), mat3_times(axes, apart));

    // the rotation by a swing that takes z to z and a twist about it
    quat off = quat_product(make_quat(fa.s, -fa.x, -fa.y, -fa.z), fb);
    real side = pick(off.s < 0.0f, to_real(-2.0f), to_real(2.0f));
    real3 z = mat3_times(axes, make_real3(rb.x.z, rb.y.z, rb.z.z)); // b's z axis in the first frame
    real twist = 2.0f * arctangent2(0.5f * side * off.z, magnitude(off.s));
    // the axis of the rotation, as long as its angle
    real3 turned = make_real3(off.x, off.y, off.z) * side;
    real sine = length3(turned);
    mask turns = sine > 1e-3f;
    turned =
        turned * pick(turns, 2.0f * arctangent2(0.5f * sine, magnitude(off.s)) / pick(turns, sine, one), one);
    real3 tilted = make_real3(arctangent2(-z.y, z.z), arctangent2(z.x, z.z), twist);
    real swing = arctangent2(root(z.x * z.x + z.y * z.y), z.z);

    mask cone = (rows & ROWS_CONE) != 0;
    real3 about = unit3(make_real3(-z.y, z.x, zero), ex), lean = unit3(z + ez, ez);
    r->local.x = pick3(cone, about, ex);
    r->local.y = pick3(cone, cross3(lean, about), ey);
    r->local.z = pick3(cone, lean, ez);
    r->angular.x = mat3_times(ra, r->local.x);
    r->angular.y = mat3_times(ra, r->local.y);
    r->angular.z = mat3_times(ra, r->local.z);
    r->stretch = pick(cone, root(0.5f * greatest(one + z.z, zero)), one);
    r->angle = pick3((rows & ROWS_TILT) != 0, tilted, turned);
    r->angle = pick3(cone, make_real3(swing, zero, twist * r->stretch), r->angle);
    if (any((rows & ROWS_GIMBAL) != 0)) joint_gimbal(r, rows, ra, rb, z);
}

/// of an impulse along the axes (rows of a matrix) what rows that are not free keep of it: axes turn, and what they held
/// before may point along a free row now
KERNEL_FN real3 kept_by_rows(whole rows, u32 first, mat3 axes, real3 impulse) {
    whole held = rows | (rows >> ROWS_BOUNDED);
    return mat3_transposed_times(axes, held3(held & 63, first, mat3_times(axes, impulse)));
}

/// range and drive of a bounded row; `h`: the time over which it acts
struct RowBounds_t {
    real low, high;
    real target, speed, most;             // `most`: impulse
    real rate, mass_scale, impulse_scale; // softness of the drive (E. Catto, "Soft constraints", 2011)
};
typedef struct RowBounds_t RowBounds;

KERNEL_FN RowBounds row_bounds(const f32* limits, lane_indices joint, u32 k, real stretch, f32 h) {
    real4 range = gather_quad(limits, joint, JOINT_LIMITS, 2 * k + JOINT_LIMIT_RANGE);
    real4 drive = gather_quad(limits, joint, JOINT_LIMITS, 2 * k + JOINT_LIMIT_DRIVE);
    RowBounds r;
    r.low = range.x * stretch;
    r.high = range.y * stretch;
    r.target = drive.x * stretch;
    r.speed = drive.y * stretch;
    r.most = drive.z * h;
    mask spring = range.z > 0.0f;
    real zero = to_real(0.0f), one = to_real(1.0f);
    real omega = 6.28318531f * range.z;
    real a1 = 2.0f * range.w + h * omega, a2 = h * omega * a1, a3 = one / (one + a2);
    r.rate = pick(spring, omega / pick(spring, a1, one), zero);
    r.mass_scale = pick(spring, a2 * a3, one);
    r.impulse_scale = pick(spring, a3, zero);
    return r;
}

/// Which speed a row wants at one end of its range, `gap` away from it: inside it may reach the end within the step; beyond
/// it comes back at a rate. `inside`: where the row is on the free side of this end.
KERNEL_FN real end_speed(real gap, mask inside, f32 inv_h, f32 rate) {
    return pick(inside, -(gap * inv_h), -(gap * rate));
}

/// Whether a joint breaks; impulses are its largest of a step, `limits` those of the joint, `h` the time over which they acted.
KERNEL_FN bool joint_breaks(const f32* limits, f32 impulse, f32 angular, f32 h) {
    const f32 force = limits[JOINT_BREAK_FORCE], torque = limits[JOINT_BREAK_TORQUE];
    return (force > 0.0f && impulse > force * h) || (torque > 0.0f && angular > torque * h);
}
