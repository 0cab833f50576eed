// SPDX-License-Identifier: MIT
// one_thread.inl — kernels of one thread an item as CUDA kernels, and the table to start them by.
//
// Included in an unnamed namespace, after
//   namespace one   with the kernels
//   SCREE_LIST      their list, such as IMPACT_KERNELS
// It defines start_of(kernel, first), `first` being the first of the list.

using one::u32;

constexpr unsigned block_size = 128;

#define SCREE_TAKE_BUFFER(name) view.name = static_cast<decltype(view.name)>((buffer++)->raw);
#define SCREE_START(Family, FAMILY, name)                                                                    \
    __global__ void __launch_bounds__(block_size)                                                            \
        run_##name(u32 items, const __grid_constant__ one::Family##View view,                                \
                   const __grid_constant__ one::Family##Params params) {                                     \
        u32 i = blockIdx.x * block_size + threadIdx.x;                                                       \
        if (i < items) one::name(i, view, params);                                                           \
    }                                                                                                        \
    void start_##name(u32 items, const Buffer* buffer, const void* params, cudaStream_t stream) {            \
        one::Family##Params values;                                                                          \
        one::Family##View view;                                                                              \
        FAMILY##_BUFFERS(SCREE_TAKE_BUFFER, SCREE_TAKE_BUFFER);                                              \
        std::memcpy(&values, params, sizeof values);                                                         \
        run_##name<<<(items + block_size - 1) / block_size, block_size, 0, stream>>>(items, view, values);   \
    }
SCREE_LIST(SCREE_START)

using Start = void (*)(u32 items, const Buffer* buffer, const void* params, cudaStream_t stream);

constexpr Start starts[] = {
#define SCREE_ENTRY(Family, FAMILY, name) start_##name,
    SCREE_LIST(SCREE_ENTRY)};

Start start_of(KernelId kernel, KernelId first) {
    return starts[static_cast<unsigned>(kernel) - static_cast<unsigned>(first)];
}
