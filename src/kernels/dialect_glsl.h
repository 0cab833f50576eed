// SPDX-License-Identifier: MIT
// dialect_glsl.h — the kernel dialect as GLSL ES 3.00; see dialect.h.   compiles as: glsl
//
// GLSL has no pointers. A view's members are the numbers of its buffers; src/device/gles/program.cpp writes load4(buffer, item), which
// fetches a texel, and store4(buffer, item, value), which keeps the value for the pixel that the item is. So a kernel for this target
//   - loads, gathers and shares attributes of four words only,
//   - writes one buffer, which it does not read, and of that its own item alone, always,
//   - has no types but structs, no casts but by the functions below, and no implicit conversions: 0u, not 0, beside u32.
// The build turns `typedef struct X_t X;` into a macro, and (u32)x into u32(x).

#define real float
#define whole int
#define mask bool
#define f32 float
#define u32 uint
#define i32 int
#define real2 vec2
#define real3 vec3
#define real4 vec4
#define KERNEL_FN
#define F32_BUFFER(name) uint name;
#define U32_BUFFER(name) uint name;
#define make_real3(a, b, c) vec3(a, b, c)
#define make_real4(a, b, c, d) vec4(a, b, c, d)
#define pick(m, a, b) ((m) ? (a) : (b))
#define pick_whole(m, a, b) ((m) ? (a) : (b))
#define pick3(m, a, b) ((m) ? (a) : (b))
#define to_real(a) float(a)
#define to_whole(a) int(a)
#define as_whole(a) floatBitsToInt(a)
#define as_real(a) intBitsToFloat(a)
#define root(a) sqrt(a)
#define both(a, b) ((a) && (b))
#define either(a, b) ((a) || (b))
#define no(a) (!(a))
#define any(m) (m)
#define truth(b) (b)
#define whole_from(u) int(u)
#define word_of(w) uint(w)
#define gather4(a, i) load4(a, uint(i))
#define shared4(a, k) load4(a, k)
#define lane_index(i) int(i)
#define largest_lane(a) (a)
