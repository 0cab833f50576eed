// SPDX-License-Identifier: MIT
// sort.cpp — the passes of the radix sort and the levels of the scan.
#include "device/opencl/sort.h"

#include "device/opencl/arguments.h"

#include <algorithm>
#include <utility>

namespace scree::opencl {

std::string Tiling::options() const {
    return " -DSORT_THREADS=" + std::to_string(threads) + " -DSORT_ITEMS=" + std::to_string(items) +
           " -DSORT_BITS=" + std::to_string(bits);
}

Tiling choose_tiling(cl_device_id device) {
    // local memory of sort_move with 128 work-items and 4 bits
    constexpr cl_ulong local_bytes = 15000;
    const bool serial = (device_value<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0 ||
                        device_value<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE) < 128 ||
                        device_value<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE) < local_bytes;
    if (serial) return {1, 16384, 8};
    return {128, 8, 4};
}

Sorter::Sorter(cl_command_queue queue, cl_program program, Tiling tiling,
               std::function<void(Buffer&, std::size_t)> grow)
    : queue_(queue),
      tiling_(tiling),
      grow_(std::move(grow)),
      scan_sums_(make_kernel(program, "scan_sums")),
      scan_tiles_(make_kernel(program, "scan_tiles")),
      sort_count_(make_kernel(program, "sort_count")),
      sort_move_(make_kernel(program, "sort_move")),
      sums_(8) {}

std::vector<Buffer*> Sorter::scratch() {
    std::vector<Buffer*> all{&counts_};
    for (Buffer& sums : sums_) all.push_back(&sums);
    return all;
}

void Sorter::run(const Kernel& kernel, std::uint32_t tiles) {
    const std::size_t local = tiling_.threads;
    const std::size_t global = local * tiles;
    check(clEnqueueNDRangeKernel(queue_, kernel.get(), 1, nullptr, &global, &local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    ++launches_;
}

void Sorter::scan(const Buffer& in, const Buffer& out, std::uint32_t count) {
    if (count > 0) scan_level(in, out, count, 0);
}

void Sorter::scan_level(const Buffer& in, const Buffer& out, std::uint32_t count, std::size_t level) {
    const std::uint32_t tiles = tiling_.tiles(count);
    Buffer& sums = sums_[level];
    if (tiles > 1) {
        grow_(sums, std::size_t{4} * tiles);
        set_arguments(scan_sums_.get(), in, sums, count);
        run(scan_sums_, tiles);
        scan_level(sums, sums, tiles, level + 1);
    }
    set_arguments(scan_tiles_.get(), in, out, sums, std::uint32_t{tiles > 1}, count);
    run(scan_tiles_, tiles);
}

void Sorter::sort(SortArrays arrays, SortArrays spare, std::uint32_t count, std::uint32_t words, int bits) {
    if (count < 2 || bits <= 0) return;
    const std::uint32_t tiles = tiling_.tiles(count);
    const std::uint32_t all_bits = std::min(static_cast<std::uint32_t>(bits), 32 * words);
    grow_(counts_, (std::size_t{4} << tiling_.bits) * tiles);

    SortArrays from = arrays, to = spare;
    for (std::uint32_t shift = 0; shift < all_bits; shift += tiling_.bits) {
        const std::uint32_t mask = (1u << std::min(tiling_.bits, all_bits - shift)) - 1;
        set_arguments(sort_count_.get(), from.keys, counts_, words, shift, mask, tiles, count);
        run(sort_count_, tiles);
        scan(counts_, counts_, tiles << tiling_.bits);
        set_arguments(sort_move_.get(), from.keys, from.values, to.keys, to.values, counts_, words, shift,
                      mask, tiles, count);
        run(sort_move_, tiles);
        std::swap(from, to);
    }
    if (from.keys.raw == arrays.keys.raw) return;
    const auto copy = [this](const Buffer& source, const Buffer& target, std::size_t bytes) {
        check(clEnqueueCopyBuffer(queue_, static_cast<cl_mem>(source.raw), static_cast<cl_mem>(target.raw), 0,
                                  0, bytes, 0, nullptr, nullptr),
              "clEnqueueCopyBuffer");
    };
    copy(from.keys, arrays.keys, std::size_t{4} * words * count);
    copy(from.values, arrays.values, std::size_t{4} * count);
}

} // namespace scree::opencl
