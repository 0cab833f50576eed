// SPDX-License-Identifier: MIT
// one_lane.inl — kernels that run in one lane, as functions over ranges, and the table of them.
//
// Included in an unnamed namespace, after
//   SCREE_LIST    the kernels' list, such as IMPACT_KERNELS
//   SCREE_SPACE   the namespace that they are in
// It defines range_of(kernel, first), `first` being the first of the list.

#define SCREE_UNPACK_F(name) w.name = static_cast<float*>(*buffers++);
#define SCREE_UNPACK_U(name) w.name = static_cast<unsigned*>(*buffers++);
#define SCREE_RANGE(Family, FAMILY, name)                                                                    \
    void name##_range(std::uint32_t begin, std::uint32_t end, void* const* buffers, const void* params) {    \
        const auto& p = *static_cast<const SCREE_SPACE::Family##Params*>(params);                            \
        SCREE_SPACE::Family##View w;                                                                         \
        FAMILY##_BUFFERS(SCREE_UNPACK_F, SCREE_UNPACK_U) for (std::uint32_t i = begin; i < end; ++i)         \
            SCREE_SPACE::name(i, w, p);                                                                      \
    }
SCREE_LIST(SCREE_RANGE)

constexpr RangeFunction ranges[] = {
#define SCREE_ENTRY(Family, FAMILY, name) name##_range,
    SCREE_LIST(SCREE_ENTRY)};

RangeFunction range_of(KernelId kernel, KernelId first) {
    return ranges[static_cast<unsigned>(kernel) - static_cast<unsigned>(first)];
}
