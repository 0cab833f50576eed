// SPDX-License-Identifier: MIT
// rotation.h — quaternions (scalar first) and 3x3 matrices.   compiles as: host, lanes, cuda, opencl

struct quat_t {
    real s, x, y, z;
};
typedef struct quat_t quat;

struct mat3_t {
    real3 x, y, z; // rows
};
typedef struct mat3_t mat3;

KERNEL_FN quat make_quat(real s, real x, real y, real z) {
    quat q;
    q.s = s;
    q.x = x;
    q.y = y;
    q.z = z;
    return q;
}

/// a then nothing, b first: the rotation b followed by a
KERNEL_FN quat quat_product(quat a, quat b) {
    real3 u = make_real3(a.x, a.y, a.z);
    real3 v = make_real3(b.x, b.y, b.z);
    real3 w = (a.s * v + b.s * u) + cross3(u, v);
    return make_quat(a.s * b.s - dot3(u, v), w.x, w.y, w.z);
}

KERNEL_FN real quat_square(quat q) { return (q.s * q.s + q.x * q.x) + (q.y * q.y + q.z * q.z); }

/// renormalised only where the square is off by more than the tolerance, as in Fossum 2011
KERNEL_FN quat quat_kept_unit(quat q, f32 tolerance) {
    real square = quat_square(q);
    mask off = both(square > 0.0f, magnitude(square - 1.0f) > tolerance);
    real scale = pick(off, to_real(1.0f) / root(pick(off, square, to_real(1.0f))), to_real(1.0f));
    return make_quat(q.s * scale, q.x * scale, q.y * scale, q.z * scale);
}

/// q turned by the world-frame angular velocity for a time; unchanged where the velocity is zero
KERNEL_FN quat quat_turned(quat q, real3 omega, f32 time) {
    real speed = length3(omega);
    mask still = no(speed > 0.0f);
    real half_angle = speed * time * 0.5f;
    real3 axis = omega * (to_real(1.0f) / pick(still, to_real(1.0f), speed));
    real s = sine(half_angle);
    quat turn = make_quat(cosine(half_angle), axis.x * s, axis.y * s, axis.z * s);
    quat turned = quat_product(turn, q);
    return make_quat(pick(still, q.s, turned.s), pick(still, q.x, turned.x), pick(still, q.y, turned.y),
                     pick(still, q.z, turned.z));
}

KERNEL_FN mat3 quat_matrix(quat q) {
    real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    real xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    real sx = q.s * q.x, sy = q.s * q.y, sz = q.s * q.z;
    mat3 m;
    m.x = make_real3(1.0f - 2.0f * (yy + zz), 2.0f * (xy - sz), 2.0f * (xz + sy));
    m.y = make_real3(2.0f * (xy + sz), 1.0f - 2.0f * (xx + zz), 2.0f * (yz - sx));
    m.z = make_real3(2.0f * (xz - sy), 2.0f * (yz + sx), 1.0f - 2.0f * (xx + yy));
    return m;
}

KERNEL_FN real3 mat3_times(mat3 m, real3 v) { return make_real3(dot3(m.x, v), dot3(m.y, v), dot3(m.z, v)); }
KERNEL_FN real3 mat3_transposed_times(mat3 m, real3 v) { return (m.x * v.x + m.y * v.y) + m.z * v.z; }
KERNEL_FN mat3 mat3_transposed(mat3 m) {
    mat3 t;
    t.x = make_real3(m.x.x, m.y.x, m.z.x);
    t.y = make_real3(m.x.y, m.y.y, m.z.y);
    t.z = make_real3(m.x.z, m.y.z, m.z.z);
    return t;
}
KERNEL_FN real3 scaled3(real3 a, real3 b) { return make_real3(a.x * b.x, a.y * b.y, a.z * b.z); }

/// R diag(d) R^T v
KERNEL_FN real3 rotated_diagonal_times(mat3 r, real3 diagonal, real3 v) {
    return mat3_times(r, scaled3(diagonal, mat3_transposed_times(r, v)));
}
