// SPDX-License-Identifier: MIT
// functions.h — functions whose built-in versions differ between compilers.   compiles as: host, lanes, cuda, opencl
//
// Polynomials after S. Moshier's Cephes (single precision), evaluated with plain multiplications and additions.

KERNEL_FN real least(real a, real b) { return pick(a < b, a, b); }
KERNEL_FN real greatest(real a, real b) { return pick(a > b, a, b); }
KERNEL_FN real clamped(real a, real low, real high) { return least(greatest(a, low), high); }
KERNEL_FN real magnitude(real a) { return as_real(as_whole(a) & 0x7fffffff); }
KERNEL_FN mask is_finite(real a) { return (as_whole(a) & 0x7f800000) != 0x7f800000; }

/// the largest whole number <= a; a must lie within +-2^30
KERNEL_FN real round_down(real a) {
    real t = to_real(to_whole(a));
    return pick(t > a, t - 1.0f, t);
}

KERNEL_FN real dot3(real3 a, real3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
KERNEL_FN real3 cross3(real3 a, real3 b) {
    return make_real3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
KERNEL_FN real length3(real3 a) { return root(dot3(a, a)); }
/// a / |a|, or `otherwise` where a is zero
KERNEL_FN real3 unit3(real3 a, real3 otherwise) {
    real length = length3(a);
    mask zero = no(length > 0.0f);
    real scale = to_real(1.0f) / pick(zero, to_real(1.0f), length);
    return pick3(zero, otherwise, a * scale);
}
KERNEL_FN mask finite3(real3 a) { return both(both(is_finite(a.x), is_finite(a.y)), is_finite(a.z)); }

/// sine (want_cosine 0) or cosine (1); |a| up to 8192 to about 1 ulp of 1, beyond that by clamping
KERNEL_FN real sine_or_cosine(real a, i32 want_cosine) {
    real x = clamped(a, to_real(-8192.0f), to_real(8192.0f));
    // quadrant, and the rest in -pi/4 … pi/4 by three-part subtraction of pi/2 (Cody and Waite)
    real turns = round_down(x * 0.636619772f + 0.5f);
    whole quadrant = to_whole(turns) + want_cosine;
    real r = ((x - turns * 1.5703125f) - turns * 4.83751296997e-4f) - turns * 7.54978995489e-8f;
    real z = r * r;
    real s = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * r + r;
    real c = ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z -
             0.5f * z + 1.0f;
    real v = pick((quadrant & 1) != 0, c, s);
    return pick((quadrant & 2) != 0, -v, v);
}
KERNEL_FN real sine(real a) { return sine_or_cosine(a, 0); }
KERNEL_FN real cosine(real a) { return sine_or_cosine(a, 1); }

/// the angle of (x, y) in -pi … pi; 0 at the origin
KERNEL_FN real arctangent2(real y, real x) {
    real ax = magnitude(x);
    real ay = magnitude(y);
    real big = greatest(ax, ay);
    real small = least(ax, ay);
    mask origin = no(big > 0.0f);
    real t = small / pick(origin, to_real(1.0f), big);
    // fold t into +-tan(pi/8)
    mask fold = t > 0.414213562f;
    real u = pick(fold, (t - 1.0f) / (t + 1.0f), t);
    real z = u * u;
    real p = (((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z - 3.33329491539e-1f) *
                 z * u +
             u;
    p = p + pick(fold, to_real(0.785398163f), to_real(0.0f));
    p = pick(ay > ax, 1.57079633f - p, p);
    p = pick(x < 0.0f, 3.14159265f - p, p);
    p = pick(y < 0.0f, -p, p);
    return pick(origin, to_real(0.0f), p);
}

/// e^a; 0 below -87, e^88 above 88
KERNEL_FN real exponential(real a) {
    real x = clamped(a, to_real(-87.0f), to_real(88.0f));
    real n = round_down(x * 1.44269504f + 0.5f);
    real r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    real z = r * r;
    real p =
        ((((1.9875691500e-4f * r + 1.3981999507e-3f) * r + 8.3334519073e-3f) * r + 4.1665795894e-2f) * r +
         1.6666665459e-1f) *
            r +
        5.0000001201e-1f;
    p = (p * z + r) + 1.0f;
    real scale = as_real((to_whole(n) + 127) * 8388608);
    return pick(a < -87.0f, to_real(0.0f), p * scale);
}

/// a well-mixed hash of one word (C. Wellons, "lowbias32")
KERNEL_FN u32 hash_word(u32 a) {
    a ^= a >> 16;
    a *= 0x7feb352du;
    a ^= a >> 15;
    a *= 0x846ca68bu;
    a ^= a >> 16;
    return a;
}
