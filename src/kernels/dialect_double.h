// SPDX-License-Identifier: MIT
// dialect_double.h — what GJK and EPA need of the dialect, functions.h and rotation.h, with real = double.   compiles as: host, cuda
//
// Queries answer in double precision. Include this instead of those, in a namespace of its own; data in memory stay
// floats and words.

#if defined(__CUDACC__)
#define KERNEL_FN static __device__ inline
#else
#define KERNEL_FN [[maybe_unused]] static inline
#endif
#define GLOBAL
#define PRIVATE
#undef KERNEL_QUADS

typedef float f32;
typedef unsigned int u32;
typedef int i32;
typedef double real;
typedef int whole;
typedef bool mask;

#define F32_BUFFER(name) float* name;
#define U32_BUFFER(name) unsigned int* name;

KERNEL_FN real to_real(real a) { return a; }
KERNEL_FN real pick(mask m, real a, real b) { return m ? a : b; }
KERNEL_FN mask both(mask a, mask b) { return a && b; }
KERNEL_FN mask no(mask a) { return !a; }
#if defined(__CUDACC__)
KERNEL_FN real root(real a) { return __dsqrt_rn(a); }
KERNEL_FN real as_real(whole a) { return __int_as_float(a); }
KERNEL_FN f32 as_float(u32 a) { return __uint_as_float(a); }
KERNEL_FN u32 float_bits(f32 a) { return __float_as_uint(a); }
KERNEL_FN real as_double(u32 low, u32 high) { return __hiloint2double((i32)high, (i32)low); }
KERNEL_FN void put_double(real a, GLOBAL u32* to) {
    to[0] = (u32)__double2loint(a);
    to[1] = (u32)__double2hiint(a);
}
#else
KERNEL_FN real root(real a) { return __builtin_sqrt(a); }
/// of the bits of a float
KERNEL_FN real as_real(whole a) {
    f32 r;
    __builtin_memcpy(&r, &a, 4);
    return r;
}
KERNEL_FN f32 as_float(u32 a) {
    f32 r;
    __builtin_memcpy(&r, &a, 4);
    return r;
}
KERNEL_FN u32 float_bits(f32 a) {
    u32 r;
    __builtin_memcpy(&r, &a, 4);
    return r;
}
/// of the two words of a double, little end first, and back
KERNEL_FN real as_double(u32 low, u32 high) {
    const unsigned long long bits = (unsigned long long)high << 32 | low;
    real r;
    __builtin_memcpy(&r, &bits, 8);
    return r;
}
KERNEL_FN void put_double(real a, GLOBAL u32* to) {
    unsigned long long bits;
    __builtin_memcpy(&bits, &a, 8);
    to[0] = (u32)bits;
    to[1] = (u32)(bits >> 32);
}
#endif

struct real3 {
    real x, y, z;
};
struct real4 {
    real x, y, z, w;
};
KERNEL_FN real3 make_real3(real x, real y, real z) { return {x, y, z}; }
KERNEL_FN real4 make_real4(real x, real y, real z, real w) { return {x, y, z, w}; }
KERNEL_FN real3 operator+(real3 a, real3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
KERNEL_FN real3 operator-(real3 a, real3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
KERNEL_FN real3 operator-(real3 a) { return {-a.x, -a.y, -a.z}; }
KERNEL_FN real3 operator*(real3 a, real s) { return {a.x * s, a.y * s, a.z * s}; }
KERNEL_FN real3 operator*(real s, real3 a) { return a * s; }
KERNEL_FN real3 pick3(mask m, real3 a, real3 b) { return m ? a : b; }

KERNEL_FN real least(real a, real b) { return a < b ? a : b; }
KERNEL_FN real greatest(real a, real b) { return a > b ? a : b; }
KERNEL_FN real clamped(real a, real low, real high) { return least(greatest(a, low), high); }
KERNEL_FN real magnitude(real a) { return a < 0 ? -a : a; }
KERNEL_FN real dot3(real3 a, real3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
KERNEL_FN real3 cross3(real3 a, real3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
KERNEL_FN real length3(real3 a) { return root(dot3(a, a)); }
KERNEL_FN real3 unit3(real3 a, real3 otherwise) {
    real length = length3(a);
    return length > 0 ? a * (1 / length) : otherwise;
}

struct mat3 {
    real3 x, y, z; // rows
};
KERNEL_FN real3 mat3_times(mat3 m, real3 v) { return {dot3(m.x, v), dot3(m.y, v), dot3(m.z, v)}; }
KERNEL_FN real3 mat3_transposed_times(mat3 m, real3 v) { return (m.x * v.x + m.y * v.y) + m.z * v.z; }

// precision (convex_gjk.h, convex_epa.h)
#define GJK_ITERATIONS 128
#define GJK_SHARE 1e-10
#define GJK_NOISE 1e-14
#define GJK_FLAT 1e-26
#define GJK_SAME 1e-28
#define GJK_ZERO 1e-24
#define GJK_TRUSTS_PLANES 1
#define EPA_VERTICES 250
#define EPA_FACES 500
#define EPA_EDGES 128
#define EPA_NOISE 1e-13
#define EPA_SHARE 1e-7
#define EPA_FLAT 1e-26
