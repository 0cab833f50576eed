// SPDX-License-Identifier: MIT
// opencl_entry.h — the __kernel functions.   compiles as: opencl

#define ARGUMENT_F(name) __global f32 *name,
#define ARGUMENT_U(name) __global u32 *name,
#define FILL_MEMBER(name) w.name = name;
#define ENTRY(Family, FAMILY, name)                                                                          \
    __kernel void name##_entry(FAMILY##_BUFFERS(ARGUMENT_F, ARGUMENT_U) Family##Params p, u32 items) {       \
        u32 i = (u32)get_global_id(0);                                                                       \
        if (i >= items) return;                                                                              \
        Family##View w;                                                                                      \
        FAMILY##_BUFFERS(FILL_MEMBER, FILL_MEMBER) name(i, w, p);                                            \
    }
// of the families that this program has
#ifdef GRANULAR_BUFFERS
LANE_KERNELS(ENTRY)
SCALAR_KERNELS(ENTRY)
#endif
#ifdef IMPACT_BUFFERS
IMPACT_KERNELS(ENTRY)
#endif
