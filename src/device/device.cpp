// SPDX-License-Identifier: MIT
// device.cpp — functions common to all devices, built on launches and scans.

#include "device/device.h"

#include "kernels/host_params.h"
#include "scree/error.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace scree {

namespace {

constexpr bool is(Reduction what, unsigned number) { return static_cast<unsigned>(what) == number; }
static_assert(is(Reduction::sum_u32, ARRAYS_SUM_U32) && is(Reduction::max_u32, ARRAYS_MAX_U32) &&
              is(Reduction::min_f32, ARRAYS_MIN_F32) && is(Reduction::max_f32, ARRAYS_MAX_F32) &&
              is(Reduction::sum_f32, ARRAYS_SUM_F32));

} // namespace

const Buffer& Device::scratch(int which, std::size_t words) {
    Buffer& buffer = scratch_[static_cast<std::size_t>(which)];
    if (buffer.bytes < words * 4) {
        release(buffer);
        buffer = allocate(words * 4);
    }
    return buffer;
}

void Device::release_scratch() {
    for (Buffer& buffer : scratch_) release(buffer);
}

Buffer Device::allocate_within(std::uint64_t most, std::uint64_t held, std::size_t bytes) {
    if (most && bytes > most - std::min(held, most))
        throw Error(std::to_string(bytes) + " bytes of the device are needed, " + std::to_string(held) +
                        " of at most " + std::to_string(most) + " are taken",
                    "memory");
    return allocate(bytes);
}

void Device::begin_read(unsigned lane, const Buffer& from, std::size_t bytes) {
    read_[lane].resize(bytes);
    download(read_[lane].data(), from, bytes);
}
const void* Device::end_read(unsigned lane) { return read_[lane].empty() ? nullptr : read_[lane].data(); }

std::uint32_t Device::reduce(Reduction what, const Buffer& in, std::uint32_t count) {
    if (count == 0) {
        if (what == Reduction::min_f32)
            return std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());
        if (what == Reduction::max_f32)
            return std::bit_cast<std::uint32_t>(-std::numeric_limits<float>::infinity());
        return 0;
    }
    constexpr std::uint32_t fold = 64;
    const std::size_t most = (count + fold - 1) / fold;
    Buffer from = in;
    for (int pass = 0; count > 1; ++pass) {
        const std::uint32_t items = (count + fold - 1) / fold;
        const Buffer& to = scratch(pass % 2, most);
        const kernels::ArraysParams params{count, items, static_cast<std::uint32_t>(what)};
        const std::array<Buffer, 3> buffers{from, to, Buffer{}};
        launch(KernelId::arrays_reduce, items, buffers, &params, sizeof params);
        from = to;
        count = items;
    }
    std::uint32_t word = 0;
    download(&word, from, 4);
    return word;
}

std::uint32_t Device::segment_starts(const Buffer& keys, const Buffer& starts, std::uint32_t count) {
    if (count == 0) return 0;
    const Buffer& flags = scratch(0, std::size_t{count} + padding());
    const kernels::ArraysParams params{count, count, 0};
    const std::array<Buffer, 3> mark{keys, flags, Buffer{}};
    launch(KernelId::arrays_run_flags, count, mark, &params, sizeof params);
    std::uint32_t last_flag = 0, before_last = 0;
    download(&last_flag, flags, 4, std::size_t{count - 1} * 4);
    exclusive_scan(flags, flags, count);
    download(&before_last, flags, 4, std::size_t{count - 1} * 4);
    const std::array<Buffer, 3> write{keys, starts, flags};
    launch(KernelId::arrays_run_starts, count, write, &params, sizeof params);
    return before_last + last_flag;
}

} // namespace scree
