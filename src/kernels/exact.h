// SPDX-License-Identifier: MIT
// exact.h — numbers as sums of two floats, and positions finer than a float.   compiles as: host, lanes, cuda
//
// Bodies carry what a float drops (storage.h, Bodies::carry), so that many small steps add up as in double precision. Only
// plain additions and multiplications are used; with contraction off they give the same bits everywhere.

struct exact_t {
    real high, low; // low is at most half a unit in high's last place
};
typedef struct exact_t exact;

KERNEL_FN exact make_exact(real high, real low) {
    exact e;
    e.high = high;
    e.low = low;
    return e;
}

/// a + b without an error (D. Knuth, The Art of Computer Programming 2, 4.2.2)
KERNEL_FN exact exact_sum(real a, real b) {
    real sum = a + b, part = sum - a;
    return make_exact(sum, (a - (sum - part)) + (b - part));
}

/// a b without an error, for numbers below 2^115 (T. Dekker 1971)
KERNEL_FN exact exact_product(real a, real b) {
    real wide_a = 4097.0f * a, wide_b = 4097.0f * b;
    real a1 = wide_a - (wide_a - a), b1 = wide_b - (wide_b - b);
    real a2 = a - a1, b2 = b - b1, product = a * b;
    return make_exact(product, ((a1 * b1 - product) + (a1 * b2 + a2 * b1)) + a2 * b2);
}

/// a number and a small one; a low part that is not finite is dropped
KERNEL_FN exact exact_of(real high, real low) {
    real sum = high + low, rest = low - (sum - high);
    return make_exact(sum, pick(is_finite(rest), rest, to_real(0.0f)));
}

/// a + b, with the low part of a
KERNEL_FN exact exact_plus(exact a, real b) {
    exact sum = exact_sum(a.high, b);
    return exact_of(sum.high, sum.low + a.low);
}

struct exact3_t {
    exact x, y, z;
};
typedef struct exact3_t exact3;

KERNEL_FN exact3 make_exact3(exact x, exact y, exact z) {
    exact3 e;
    e.x = x;
    e.y = y;
    e.z = z;
    return e;
}
KERNEL_FN real3 high3(exact3 a) { return make_real3(a.x.high, a.y.high, a.z.high); }
KERNEL_FN real3 low3(exact3 a) { return make_real3(a.x.low, a.y.low, a.z.low); }

// The fourth word of a position holds its low parts, rounded to FINE_UNIT: ten bits each. So whatever compares two
// positions has them to 8 um up to 131 km from the origin, without reading more. It is 0 within 64 m, where a float alone
// is as fine.
#define FINE_UNIT 7.62939453125e-6f // m: 2^-17
#define FINE_RATE 131072.0f
#define FINE_MOST 511.0f

KERNEL_FN whole fine_part(real low) {
    // whole numbers are rounded towards 0, so the sum is made positive
    return to_whole(clamped(low * FINE_RATE, to_real(-FINE_MOST), to_real(FINE_MOST)) + 512.5f) - 512;
}
KERNEL_FN real fine_word(real3 low) {
    return as_real((fine_part(low.x) & 1023) | ((fine_part(low.y) & 1023) << 10) |
                   ((fine_part(low.z) & 1023) << 20));
}
KERNEL_FN real3 fine_offset(whole word) {
    return make_real3(to_real((word << 22) >> 22), to_real((word << 12) >> 22), to_real((word << 2) >> 22)) *
           FINE_UNIT;
}

/// from the first position (a quad) to the second
KERNEL_FN real3 position_between(real4 a, real4 b) {
    real3 between = make_real3(b.x - a.x, b.y - a.y, b.z - a.z);
    whole fine_a = as_whole(a.w), fine_b = as_whole(b.w);
    if (any((fine_a | fine_b) != 0)) between = between + (fine_offset(fine_b) - fine_offset(fine_a));
    return between;
}
