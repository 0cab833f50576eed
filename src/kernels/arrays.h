// SPDX-License-Identifier: MIT
// arrays.h — reductions and runs over plain arrays.   compiles as: host, cuda, opencl
//
// A reduction folds `count` words into `items` in one pass, item i taking words i, i + items, i + 2 items … in that
// order, so that the order of a float sum is the same everywhere.

#define ARRAYS_BUFFERS(F, U) U(in) U(out) U(scanned)

#define ARRAYS_SUM_U32 0
#define ARRAYS_MAX_U32 1
#define ARRAYS_MIN_F32 2
#define ARRAYS_MAX_F32 3
#define ARRAYS_SUM_F32 4

struct ArraysParams_t {
    u32 count, items, reduction;
};
typedef struct ArraysParams_t ArraysParams;
struct ArraysView_t {
    GLOBAL u32* in;
    GLOBAL u32* out;
    GLOBAL u32* scanned;
};
typedef struct ArraysView_t ArraysView;

KERNEL_FN void arrays_reduce(u32 i, ArraysView w, ArraysParams p) {
    u32 total = w.in[i];
    for (u32 k = i + p.items; k < p.count; k += p.items) {
        u32 word = w.in[k];
        f32 a = as_real((i32)total), b = as_real((i32)word);
        if (p.reduction == ARRAYS_SUM_U32) total += word;
        else if (p.reduction == ARRAYS_MAX_U32) total = word > total ? word : total;
        else if (p.reduction == ARRAYS_SUM_F32) total = (u32)as_whole(a + b);
        else if (p.reduction == ARRAYS_MIN_F32) total = b < a ? word : total;
        else total = b > a ? word : total;
    }
    w.out[i] = total;
}

/// out[i] = 1 where a run of equal words begins
KERNEL_FN void arrays_run_flags(u32 i, ArraysView w, ArraysParams p) {
    (void)p;
    w.out[i] = (i == 0 || w.in[i] != w.in[i - 1]) ? 1u : 0u;
}

/// out[scanned[i]] = i where a run begins; scanned is the exclusive scan of the flags
KERNEL_FN void arrays_run_starts(u32 i, ArraysView w, ArraysParams p) {
    (void)p;
    if (i == 0 || w.in[i] != w.in[i - 1]) w.out[w.scanned[i]] = i;
}
