// SPDX-License-Identifier: MIT
// atomics.h — atomic operations on words.   compiles as: host, cuda
//
// Used only where the order has no effect on results, or decides only a place in a list.

typedef unsigned long long u64;

#if defined(__CUDACC__)

KERNEL_FN u32 atomic_add(u32* a, u32 v) { return atomicAdd(a, v); }
KERNEL_FN void atomic_add64(u64* a, u64 v) { atomicAdd(a, v); }
KERNEL_FN void atomic_or(u32* a, u32 v) { atomicOr(a, v); }
KERNEL_FN void atomic_least(u32* a, u32 v) { atomicMin(a, v); }
KERNEL_FN void atomic_greatest(u32* a, u32 v) { atomicMax(a, v); }
KERNEL_FN void atomic_least64(u64* a, u64 v) { atomicMin(a, v); }
KERNEL_FN u32 atomic_replace(u32* a, u32 expected, u32 v) { return atomicCAS(a, expected, v); }
KERNEL_FN u64 atomic_replace64(u64* a, u64 expected, u64 v) { return atomicCAS(a, expected, v); }
KERNEL_FN u32 atomic_load(const u32* a) { return *static_cast<const volatile u32*>(a); }
KERNEL_FN u64 atomic_load64(const u64* a) { return *static_cast<const volatile u64*>(a); }
KERNEL_FN void atomic_store(u32* a, u32 v) { *static_cast<volatile u32*>(a) = v; }
KERNEL_FN void atomic_store64(u64* a, u64 v) { *static_cast<volatile u64*>(a) = v; }
/// atomic_add of threads that run together, by one of them: for counters that all threads add to
KERNEL_FN u32 atomic_places(u32* a, u32 count) {
    const u32 together = __activemask(), lane = threadIdx.x & 31u;
    u32 before = 0, sum = 0;
    for (u32 left = together; left != 0; left &= left - 1) {
        const u32 of = __ffs(left) - 1, added = __shfl_sync(together, count, of);
        before += of < lane ? added : 0u;
        sum += added;
    }
    const u32 first = __ffs(together) - 1;
    const u32 begin = lane == first && sum ? atomicAdd(a, sum) : 0u;
    return __shfl_sync(together, begin, first) + before;
}
/// a release fence: readers of later writes also see the earlier ones
KERNEL_FN void publish() { __threadfence(); }

#else

KERNEL_FN u32 atomic_load(const u32* a) { return __atomic_load_n(a, __ATOMIC_RELAXED); }
KERNEL_FN u64 atomic_load64(const u64* a) { return __atomic_load_n(a, __ATOMIC_RELAXED); }
KERNEL_FN void atomic_store(u32* a, u32 v) { __atomic_store_n(a, v, __ATOMIC_RELAXED); }
KERNEL_FN void atomic_store64(u64* a, u64 v) { __atomic_store_n(a, v, __ATOMIC_RELAXED); }
KERNEL_FN u32 atomic_add(u32* a, u32 v) { return __atomic_fetch_add(a, v, __ATOMIC_ACQ_REL); }
KERNEL_FN void atomic_add64(u64* a, u64 v) { __atomic_fetch_add(a, v, __ATOMIC_RELAXED); }
KERNEL_FN void atomic_or(u32* a, u32 v) { __atomic_fetch_or(a, v, __ATOMIC_RELAXED); }
/// compare and exchange; returns the old word
KERNEL_FN u32 atomic_replace(u32* a, u32 expected, u32 v) {
    __atomic_compare_exchange_n(a, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
KERNEL_FN u64 atomic_replace64(u64* a, u64 expected, u64 v) {
    __atomic_compare_exchange_n(a, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
KERNEL_FN void atomic_least(u32* a, u32 v) {
    for (u32 old = atomic_load(a); v < old;) {
        const u32 seen = atomic_replace(a, old, v);
        if (seen == old) return;
        old = seen;
    }
}
KERNEL_FN void atomic_greatest(u32* a, u32 v) {
    for (u32 old = atomic_load(a); v > old;) {
        const u32 seen = atomic_replace(a, old, v);
        if (seen == old) return;
        old = seen;
    }
}
KERNEL_FN void atomic_least64(u64* a, u64 v) {
    for (u64 old = atomic_load64(a); v < old;) {
        const u64 seen = atomic_replace64(a, old, v);
        if (seen == old) return;
        old = seen;
    }
}
KERNEL_FN u32 atomic_places(u32* a, u32 count) { return count ? atomic_add(a, count) : 0u; }
KERNEL_FN void publish() {} // atomic_add does

#endif
