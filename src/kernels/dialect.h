// SPDX-License-Identifier: MIT
// dialect.h — the kernel dialect: the only file that knows the compilers.   compiles as: host, lanes, cuda, opencl
//
// Kernel files are included after this one and compile unchanged as
//   host     real = float (SCREE_LANES 1)
//   lanes    real = a vector of SCREE_LANES floats (4, 8 or 16), by the compilers' vector extensions
//   cuda     nvcc
//   opencl   OpenCL C 1.2
// (glsl      GLSL ES 3.00 has no pointers and no types of its own making: dialect_glsl.h is this file for it)
// They are included again for each target inside its own namespace, so neither this file nor they have an include guard; the
// including file includes the needed standard headers outside that namespace.
//
// Only IEEE + - * / sqrt and comparisons come from the hardware, with contraction off, so every target computes the
// same bits. NaN operands: least/greatest return the second argument, comparisons are false.
//
//   real, whole, mask       one value per lane: float, 32-bit signed integer, truth
//   f32, u32, i32           one value for all lanes
//   load/store(…, i)        lane l accesses item i + l;  gather/scatter(…, w): lane l accesses item w[l]
//   shared4(…, k)           every lane reads item k
//   F32_BUFFER, U32_BUFFER  the members of a family's view
//
// Attributes of four words are interleaved (xyzw xyzw …), so that a gather touches one cache line; lanes load them whole
// and transpose, which beats the processors' own gather instructions.

#undef KERNEL_QUADS
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

#pragma OPENCL FP_CONTRACT OFF
typedef float real;
typedef int whole;
typedef int mask;
typedef float f32;
typedef uint u32;
typedef int i32;
typedef float3 real3;
typedef float4 real4;
#define KERNEL_FN
#define GLOBAL __global
#define PRIVATE __private
#define F32_BUFFER(name) __global float* name;
#define U32_BUFFER(name) __global uint* name;
#define make_real3(a, b, c) ((float3)(a, b, c))
#define make_real4(a, b, c, d) ((float4)(a, b, c, d))
#define pick(m, a, b) ((m) ? (a) : (b))
#define pick_whole(m, a, b) ((m) ? (a) : (b))
#define pick3(m, a, b) ((m) ? (a) : (b))
#define to_real(a) ((float)(a))
#define to_whole(a) ((int)(a))
#define as_whole(a) as_int(a)
#define as_real(a) as_float(a)
#define root(a) sqrt(a)
#undef any // a macro already in some drivers
#define any(m) (m)
#define both(a, b) ((a) && (b))
#define either(a, b) ((a) || (b))
#define no(a) (!(a))
#define truth(b) (b)
#define whole_from(u) ((int)(u))
#define word_of(w) ((uint)(w))

typedef float2 real2;
real4 load4(GLOBAL const f32* a, u32 i) { return ((GLOBAL const float4*)a)[i]; }
void store4(GLOBAL f32* a, u32 i, real4 v) { ((GLOBAL float4*)a)[i] = v; }
void store2(GLOBAL f32* a, u32 i, real x, real y) { ((GLOBAL float2*)a)[i] = (float2)(x, y); }
#define gather4(a, i) load4(a, (u32)(i))
#define shared4(a, k) load4(a, k)
#define gather2(a, i) (((GLOBAL const float2*)(a))[i])
#define gather_whole(a, i) ((int)((a)[i]))
#define load_whole(a, i) ((int)((a)[i]))
#define store_whole(a, i, v) ((a)[i] = (u32)(v))
#define lane_index(i) ((int)(i))
#define largest_lane(a) (a)
#define raise_flag(a, i) ((a)[i] = 1u)
#define count_one(a, i) atomic_inc((volatile GLOBAL u32*)(a) + (i))

#else // C++ ------------------------------------------------------------------------------------------------------

#if defined(__CUDACC__)
#define KERNEL_FN static __device__ __forceinline__
#define KERNEL_RARE static __device__ __noinline__
#else
#define KERNEL_FN [[maybe_unused, gnu::always_inline]] static inline
#define KERNEL_RARE [[maybe_unused, gnu::noinline]] static // seldom called: costs its callers no registers
#define KERNEL_MEMBER [[gnu::always_inline]] inline
#endif
#define GLOBAL
#define PRIVATE
#define F32_BUFFER(name) float* name;
#define U32_BUFFER(name) unsigned int* name;

typedef float f32;
typedef unsigned int u32;
typedef int i32;

#if !defined(__CUDACC__) && SCREE_LANES > 1

typedef float real __attribute__((vector_size(4 * SCREE_LANES)));
typedef int whole __attribute__((vector_size(4 * SCREE_LANES)));
typedef whole mask;

KERNEL_FN real to_real(whole a) { return __builtin_convertvector(a, real); }
KERNEL_FN real to_real(f32 a) { return real{} + a; }
KERNEL_FN whole to_whole(real a) { return __builtin_convertvector(a, whole); }
KERNEL_FN whole whole_from(u32 a) { return whole{} + static_cast<i32>(a); }
KERNEL_FN whole as_whole(real a) { return (whole)a; }
KERNEL_FN real as_real(whole a) { return (real)a; }
KERNEL_FN real pick(mask m, real a, real b) { return m ? a : b; }
KERNEL_FN whole pick_whole(mask m, whole a, whole b) { return m ? a : b; }
KERNEL_FN mask both(mask a, mask b) { return a & b; }
KERNEL_FN mask either(mask a, mask b) { return a | b; }
KERNEL_FN mask no(mask a) { return ~a; }
KERNEL_FN mask truth(bool a) { return whole{} - static_cast<i32>(a); }

/// bit l is set where lane l is true
KERNEL_FN u32 mask_bits(mask m) {
#if SCREE_LANES == 16 && defined(__AVX512DQ__)
    return _mm512_movepi32_mask((__m512i)m);
#elif SCREE_LANES == 8 && defined(__AVX2__)
    return static_cast<u32>(_mm256_movemask_ps((__m256)m));
#elif SCREE_LANES == 4 && defined(__SSE2__)
    return static_cast<u32>(_mm_movemask_ps((__m128)m));
#else
    u32 bits = 0;
    for (u32 l = 0; l < SCREE_LANES; ++l) bits |= (m[l] ? 1u : 0u) << l;
    return bits;
#endif
}
KERNEL_FN bool any(mask m) { return mask_bits(m) != 0; }

KERNEL_FN real root(real a) {
#if SCREE_LANES == 16 && defined(__AVX512F__)
    return (real)_mm512_sqrt_ps((__m512)a);
#elif SCREE_LANES == 8 && defined(__AVX__)
    return (real)_mm256_sqrt_ps((__m256)a);
#elif SCREE_LANES == 4 && defined(__SSE2__)
    return (real)_mm_sqrt_ps((__m128)a);
#else
    for (u32 l = 0; l < SCREE_LANES; ++l) a[l] = __builtin_sqrtf(a[l]);
    return a;
#endif
}

KERNEL_FN whole lane_numbers() {
    whole n;
    for (i32 l = 0; l < SCREE_LANES; ++l) n[l] = l;
    return n;
}
KERNEL_FN whole lane_index(u32 i) { return lane_numbers() + static_cast<i32>(i); }
KERNEL_FN i32 largest_lane(whole a) {
    i32 most = a[0];
    for (u32 l = 1; l < SCREE_LANES; ++l) most = a[l] > most ? a[l] : most;
    return most;
}

KERNEL_FN real load(const f32* a) {
    real v;
    __builtin_memcpy(&v, a, sizeof v);
    return v;
}
KERNEL_FN void store(f32* a, real v) { __builtin_memcpy(a, &v, sizeof v); }
KERNEL_FN whole load_whole(const u32* a, u32 i) {
    whole v;
    __builtin_memcpy(&v, a + i, sizeof v);
    return v;
}
KERNEL_FN void store_whole(u32* a, u32 i, whole v) { __builtin_memcpy(a + i, &v, sizeof v); }
KERNEL_FN real gather(const f32* a, whole i) {
#if SCREE_LANES == 16 && defined(__AVX512F__)
    return (real)_mm512_i32gather_ps((__m512i)i, a, 4);
#elif SCREE_LANES == 8 && defined(__AVX2__)
    return (real)_mm256_i32gather_ps(a, (__m256i)i, 4);
#else
    real v;
    for (u32 l = 0; l < SCREE_LANES; ++l) v[l] = a[i[l]];
    return v;
#endif
}
KERNEL_FN whole gather_whole(const u32* a, whole i) { return (whole)gather((const f32*)a, i); }

#else // one lane

typedef float real;
typedef int whole;
typedef bool mask;

KERNEL_FN real to_real(whole a) { return static_cast<f32>(a); }
KERNEL_FN real to_real(f32 a) { return a; }
KERNEL_FN whole to_whole(real a) { return static_cast<i32>(a); }
KERNEL_FN whole whole_from(u32 a) { return static_cast<i32>(a); }
KERNEL_FN u32 word_of(whole a) { return static_cast<u32>(a); }
KERNEL_FN real pick(mask m, real a, real b) { return m ? a : b; }
KERNEL_FN whole pick_whole(mask m, whole a, whole b) { return m ? a : b; }
KERNEL_FN mask both(mask a, mask b) { return a && b; }
KERNEL_FN mask either(mask a, mask b) { return a || b; }
KERNEL_FN mask no(mask a) { return !a; }
KERNEL_FN mask truth(bool a) { return a; }
KERNEL_FN bool any(mask m) { return m; }
KERNEL_FN whole lane_index(u32 i) { return static_cast<i32>(i); }
KERNEL_FN i32 largest_lane(whole a) { return a; }
KERNEL_FN whole load_whole(const u32* a, u32 i) { return static_cast<i32>(a[i]); }
KERNEL_FN void store_whole(u32* a, u32 i, whole v) { a[i] = static_cast<u32>(v); }
KERNEL_FN whole gather_whole(const u32* a, whole i) { return static_cast<i32>(a[i]); }

#if defined(__CUDACC__)
KERNEL_FN real root(real a) { return __fsqrt_rn(a); }
KERNEL_FN whole as_whole(real a) { return __float_as_int(a); }
KERNEL_FN real as_real(whole a) { return __int_as_float(a); }
#else
KERNEL_FN real root(real a) { return __builtin_sqrtf(a); }
KERNEL_FN whole as_whole(real a) {
    whole w;
    __builtin_memcpy(&w, &a, 4);
    return w;
}
KERNEL_FN real as_real(whole a) {
    real r;
    __builtin_memcpy(&r, &a, 4);
    return r;
}
#endif
KERNEL_FN real load(const f32* a) { return *a; }
KERNEL_FN void store(f32* a, real v) { *a = v; }
KERNEL_FN real gather(const f32* a, whole i) { return a[i]; }

#endif // lanes

/// several items may do this at once, with the same result whatever their order
#if defined(__CUDACC__)
KERNEL_FN void raise_flag(u32* a, u32 i) { a[i] = 1u; }
KERNEL_FN void count_one(u32* a, u32 i) { atomicAdd(a + i, 1u); }
#else
KERNEL_FN void raise_flag(u32* a, u32 i) { __atomic_store_n(a + i, 1u, __ATOMIC_RELAXED); }
KERNEL_FN void count_one(u32* a, u32 i) { __atomic_fetch_add(a + i, 1u, __ATOMIC_RELAXED); }
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
KERNEL_FN real3 operator*(real s, real3 a) { return {s * a.x, s * a.y, s * a.z}; }
#if !defined(__CUDACC__) && SCREE_LANES > 1
KERNEL_FN real3 operator*(real3 a, f32 s) { return {a.x * s, a.y * s, a.z * s}; }
KERNEL_FN real3 operator*(f32 s, real3 a) { return {s * a.x, s * a.y, s * a.z}; }
#endif
KERNEL_FN real3 pick3(mask m, real3 a, real3 b) {
    return {pick(m, a.x, b.x), pick(m, a.y, b.y), pick(m, a.z, b.z)};
}

struct real2 {
    real x, y;
};

#if defined(__CUDACC__)

KERNEL_FN real4 load4(const f32* a, u32 i) {
    float4 v = reinterpret_cast<const float4*>(a)[i];
    return {v.x, v.y, v.z, v.w};
}
KERNEL_FN void store4(f32* a, u32 i, real4 v) {
    reinterpret_cast<float4*>(a)[i] = make_float4(v.x, v.y, v.z, v.w);
}
KERNEL_FN void store2(f32* a, u32 i, real x, real y) { reinterpret_cast<float2*>(a)[i] = make_float2(x, y); }
KERNEL_FN void scatter4(f32* a, whole i, real4 v) { store4(a, static_cast<u32>(i), v); }
KERNEL_FN real4 gather4(const f32* a, whole i) { return load4(a, static_cast<u32>(i)); }
KERNEL_FN real2 gather2(const f32* a, whole i) {
    float2 v = reinterpret_cast<const float2*>(a)[i];
    return {v.x, v.y};
}

#else // host

#if SCREE_LANES > 1 && defined(__SSE2__)

// four lanes at a time: load their xyzw, turn rows into columns
typedef float quad __attribute__((vector_size(16)));
struct quad4 {
    quad x, y, z, w;
};
KERNEL_FN quad4 transposed(quad a, quad b, quad c, quad d) {
    __m128 x = (__m128)a, y = (__m128)b, z = (__m128)c, w = (__m128)d;
    _MM_TRANSPOSE4_PS(x, y, z, w);
    return {(quad)x, (quad)y, (quad)z, (quad)w};
}
KERNEL_FN quad load_quad(const f32* a) { return (quad)_mm_loadu_ps(a); }

#if SCREE_LANES == 16 && defined(__AVX512F__)
KERNEL_FN __m512 four_quads(const f32* a, const f32* b, const f32* c, const f32* d) {
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(a));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(b), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(c), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(d), 3);
}
KERNEL_FN real4 columns(__m512 a, __m512 b, __m512 c, __m512 d) {
    const __m512 ab_low = _mm512_unpacklo_ps(a, b), ab_high = _mm512_unpackhi_ps(a, b);
    const __m512 cd_low = _mm512_unpacklo_ps(c, d), cd_high = _mm512_unpackhi_ps(c, d);
    return {(real)_mm512_shuffle_ps(ab_low, cd_low, 0x44), (real)_mm512_shuffle_ps(ab_low, cd_low, 0xee),
            (real)_mm512_shuffle_ps(ab_high, cd_high, 0x44), (real)_mm512_shuffle_ps(ab_high, cd_high, 0xee)};
}
KERNEL_FN real4 gather4_at(const f32* a, const i32* at) {
    const auto item = [&](int l) { return a + 4 * static_cast<std::size_t>(static_cast<u32>(at[l])); };
    return columns(
        four_quads(item(0), item(4), item(8), item(12)), four_quads(item(1), item(5), item(9), item(13)),
        four_quads(item(2), item(6), item(10), item(14)), four_quads(item(3), item(7), item(11), item(15)));
}
KERNEL_FN real4 gather4(const f32* a, whole i) {
    alignas(64) i32 at[16];
    __builtin_memcpy(at, &i, sizeof at);
    return gather4_at(a, at);
}
KERNEL_FN real4 load4(const f32* a, u32 i) {
    const f32* b = a + 4 * static_cast<std::size_t>(i);
    return columns(four_quads(b, b + 16, b + 32, b + 48), four_quads(b + 4, b + 20, b + 36, b + 52),
                   four_quads(b + 8, b + 24, b + 40, b + 56), four_quads(b + 12, b + 28, b + 44, b + 60));
}
/// Quad number `part` of a register.
template <int part>
KERNEL_FN quad quad_part(real row) {
    return (quad)_mm512_extractf32x4_ps((__m512)row, part);
}
#elif SCREE_LANES == 8 && defined(__AVX__)
KERNEL_FN __m256 two_quads(const f32* a, const f32* b) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
}
KERNEL_FN real4 columns(__m256 a, __m256 b, __m256 c, __m256 d) {
    const __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
    const __m256 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
    return {(real)_mm256_shuffle_ps(ab_low, cd_low, 0x44), (real)_mm256_shuffle_ps(ab_low, cd_low, 0xee),
            (real)_mm256_shuffle_ps(ab_high, cd_high, 0x44), (real)_mm256_shuffle_ps(ab_high, cd_high, 0xee)};
}
KERNEL_FN real4 gather4_at(const f32* a, const i32* at) {
    const auto item = [&](int l) { return a + 4 * static_cast<std::size_t>(static_cast<u32>(at[l])); };
    return columns(two_quads(item(0), item(4)), two_quads(item(1), item(5)), two_quads(item(2), item(6)),
                   two_quads(item(3), item(7)));
}
KERNEL_FN real4 gather4(const f32* a, whole i) {
    alignas(32) i32 at[8];
    __builtin_memcpy(at, &i, sizeof at);
    return gather4_at(a, at);
}
KERNEL_FN real4 load4(const f32* a, u32 i) {
    const f32* b = a + 4 * static_cast<std::size_t>(i);
    return columns(two_quads(b, b + 16), two_quads(b + 4, b + 20), two_quads(b + 8, b + 24),
                   two_quads(b + 12, b + 28));
}
template <int part>
KERNEL_FN quad quad_part(real row) {
    return (quad)_mm256_extractf128_ps((__m256)row, part);
}
#else
KERNEL_FN void set_lanes(real& v, u32 first, quad q) {
    __builtin_memcpy(reinterpret_cast<f32*>(&v) + first, &q, sizeof q);
}
KERNEL_FN real4 gather4_at(const f32* a, const i32* at) {
    const auto item = [&](u32 l) {
        return load_quad(a + 4 * static_cast<std::size_t>(static_cast<u32>(at[l])));
    };
    real4 v;
    for (u32 l = 0; l < SCREE_LANES; l += 4) {
        const quad4 q = transposed(item(l), item(l + 1), item(l + 2), item(l + 3));
        set_lanes(v.x, l, q.x);
        set_lanes(v.y, l, q.y);
        set_lanes(v.z, l, q.z);
        set_lanes(v.w, l, q.w);
    }
    return v;
}
KERNEL_FN real4 gather4(const f32* a, whole i) {
    i32 at[SCREE_LANES];
    __builtin_memcpy(at, &i, sizeof at);
    return gather4_at(a, at);
}
KERNEL_FN real4 load4(const f32* a, u32 i) { return gather4(a, lane_index(i)); }
template <int part>
KERNEL_FN quad quad_part(const real& row) {
    return load_quad(reinterpret_cast<const f32*>(&row) + 4 * part);
}
#endif

/// The quads of the lanes, rows of which `v` has the columns: of lane 4 part + 0 … 3.
template <int part>
KERNEL_FN quad4 lane_quads(const real4& rows) {
    return {quad_part<part>(rows.x), quad_part<part>(rows.y), quad_part<part>(rows.z),
            quad_part<part>(rows.w)};
}
/// What lane_quads is to be asked for. Wide registers turn all their lanes at once.
KERNEL_FN real4 quad_rows(real4 v) {
#if SCREE_LANES == 16 && defined(__AVX512F__)
    return columns((__m512)v.x, (__m512)v.y, (__m512)v.z, (__m512)v.w);
#elif SCREE_LANES == 8 && defined(__AVX__)
    return columns((__m256)v.x, (__m256)v.y, (__m256)v.z, (__m256)v.w);
#else
    const auto turn = [&](u32 l) {
        const auto part = [l](const real& r) { return load_quad(reinterpret_cast<const f32*>(&r) + l); };
        const quad4 q = transposed(part(v.x), part(v.y), part(v.z), part(v.w));
        set_lanes(v.x, l, q.x);
        set_lanes(v.y, l, q.y);
        set_lanes(v.z, l, q.z);
        set_lanes(v.w, l, q.w);
    };
    for (u32 l = 0; l < SCREE_LANES; l += 4) turn(l);
    return v;
#endif
}
template <class To>
KERNEL_FN void put_quads(const quad4& q, u32 l, u32 lanes, const To& to) {
    if (lanes >> l & 1) _mm_storeu_ps(to(l), (__m128)q.x);
    if (lanes >> (l + 1) & 1) _mm_storeu_ps(to(l + 1), (__m128)q.y);
    if (lanes >> (l + 2) & 1) _mm_storeu_ps(to(l + 2), (__m128)q.z);
    if (lanes >> (l + 3) & 1) _mm_storeu_ps(to(l + 3), (__m128)q.w);
}
/// Writes the quads of lanes whose bit is set to to(lane).
template <class To>
KERNEL_FN void put_rows(real4 rows, u32 lanes, const To& to) {
    put_quads(lane_quads<0>(rows), 0, lanes, to);
#if SCREE_LANES >= 8
    put_quads(lane_quads<1>(rows), 4, lanes, to);
#endif
#if SCREE_LANES == 16
    put_quads(lane_quads<2>(rows), 8, lanes, to);
    put_quads(lane_quads<3>(rows), 12, lanes, to);
#endif
}
#define ALL_LANES ((1u << SCREE_LANES) - 1u)
KERNEL_FN void store4(f32* a, u32 i, real4 v) {
    f32* b = a + 4 * static_cast<std::size_t>(i);
    put_rows(quad_rows(v), ALL_LANES, [&](u32 l) { return b + 4 * l; });
}
KERNEL_FN void scatter4(f32* a, whole i, real4 v) {
    i32 at[SCREE_LANES];
    __builtin_memcpy(at, &i, sizeof at);
    put_rows(quad_rows(v), ALL_LANES,
             [&](u32 l) { return a + 4 * static_cast<std::size_t>(static_cast<u32>(at[l])); });
}

#else // one lane, or vectors without transposes of their own

KERNEL_FN real4 gather4(const f32* a, whole i) {
    return {gather(a, 4 * i), gather(a + 1, 4 * i), gather(a + 2, 4 * i), gather(a + 3, 4 * i)};
}
#if SCREE_LANES > 1
KERNEL_FN real4 gather4_at(const f32* a, const i32* at) {
    whole i;
    __builtin_memcpy(&i, at, sizeof i);
    return gather4(a, i);
}
KERNEL_FN real4 load4(const f32* a, u32 i) { return gather4(a, lane_index(i)); }
KERNEL_FN void store4(f32* a, u32 i, real4 v) {
    for (u32 l = 0; l < SCREE_LANES; ++l) {
        f32* b = a + 4 * static_cast<std::size_t>(i + l);
        b[0] = v.x[l];
        b[1] = v.y[l];
        b[2] = v.z[l];
        b[3] = v.w[l];
    }
}
KERNEL_FN void scatter4(f32* a, whole i, real4 v) {
    for (u32 l = 0; l < SCREE_LANES; ++l) {
        f32* b = a + 4 * static_cast<std::size_t>(static_cast<u32>(i[l]));
        b[0] = v.x[l];
        b[1] = v.y[l];
        b[2] = v.z[l];
        b[3] = v.w[l];
    }
}
#else
KERNEL_FN real4 load4(const f32* a, u32 i) {
    const f32* b = a + 4 * static_cast<std::size_t>(i);
    return {b[0], b[1], b[2], b[3]};
}
KERNEL_FN void store4(f32* a, u32 i, real4 v) {
    f32* b = a + 4 * static_cast<std::size_t>(i);
    b[0] = v.x;
    b[1] = v.y;
    b[2] = v.z;
    b[3] = v.w;
}
KERNEL_FN void scatter4(f32* a, whole i, real4 v) { store4(a, static_cast<u32>(i), v); }
KERNEL_FN void store2(f32* a, u32 i, real x, real y) {
    f32* b = a + 2 * static_cast<std::size_t>(i);
    b[0] = x;
    b[1] = y;
}

// loops over the quads of one item, such as the corners of a hull, may take four of these at a time
#define KERNEL_QUADS
typedef float quad_real __attribute__((vector_size(16)));
typedef int quad_whole __attribute__((vector_size(16)));
struct quad_columns {
    quad_real x, y, z, w;
};
/// four quads of words, rows into columns
KERNEL_FN quad_columns quads_at(const u32* a) {
    quad_real p, q, r, s;
    __builtin_memcpy(&p, a, sizeof p);
    __builtin_memcpy(&q, a + 4, sizeof q);
    __builtin_memcpy(&r, a + 8, sizeof r);
    __builtin_memcpy(&s, a + 12, sizeof s);
    const quad_real pq = __builtin_shufflevector(p, q, 0, 4, 1, 5),
                    rs = __builtin_shufflevector(r, s, 0, 4, 1, 5);
    const quad_real pq_high = __builtin_shufflevector(p, q, 2, 6, 3, 7),
                    rs_high = __builtin_shufflevector(r, s, 2, 6, 3, 7);
    return {__builtin_shufflevector(pq, rs, 0, 1, 4, 5), __builtin_shufflevector(pq, rs, 2, 3, 6, 7),
            __builtin_shufflevector(pq_high, rs_high, 0, 1, 4, 5),
            __builtin_shufflevector(pq_high, rs_high, 2, 3, 6, 7)};
}
/// the largest of four, the first of equal ones
KERNEL_FN void quad_most(quad_real value, quad_whole number, PRIVATE u32* which, PRIVATE real* most) {
    for (u32 l = 0; l < 4; ++l) {
        const u32 n = static_cast<u32>(number[l]);
        if (!(value[l] > *most || (value[l] == *most && n < *which))) continue;
        *most = value[l];
        *which = n;
    }
}
#endif

#endif // transposes

KERNEL_FN real2 gather2(const f32* a, whole i) { return {gather(a, 2 * i), gather(a + 1, 2 * i)}; }

#endif // host

KERNEL_FN real4 shared4(const f32* a, u32 k) {
    const f32* b = a + 4 * static_cast<std::size_t>(k);
    return {to_real(b[0]), to_real(b[1]), to_real(b[2]), to_real(b[3])};
}

#endif // C++
