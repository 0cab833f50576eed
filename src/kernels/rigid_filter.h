// SPDX-License-Identifier: MIT
// rigid_filter.h — whether the filters of two shapes agree.   compiles as: host, cuda

/// A group that both share decides alone: a negative one (its upper bit is set) forbids, another allows.
KERNEL_FN bool filters_agree(u32 category_a, u32 mask_a, u32 group_a, u32 category_b, u32 mask_b,
                             u32 group_b) {
    if (group_a == group_b && group_a != 0) return group_a < 0x80000000u;
    return (category_a & mask_b) != 0 && (category_b & mask_a) != 0;
}
