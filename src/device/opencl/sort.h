// SPDX-License-Identifier: MIT
// sort.h — radix sort and exclusive scan on an OpenCL queue; the kernels are src/kernels/opencl_sort.h.
#pragma once

#include "device/device.h"
#include "device/opencl/calls.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace scree::opencl {

/// How arrays are cut: `threads` work-items share a tile of threads * items words; a pass of the sort takes
/// `bits` bits.
struct Tiling {
    std::uint32_t threads = 1, items = 1, bits = 4;

    std::uint32_t tile() const { return threads * items; }
    std::uint32_t tiles(std::uint32_t count) const { return count / tile() + (count % tile() != 0 ? 1 : 0); }
    std::string options() const; ///< for the compiler
};

/// One work-item a tile on CPUs, 128 on everything else that can hold them.
Tiling choose_tiling(cl_device_id device);

struct SortArrays {
    Buffer keys, values;
};

class Sorter {
public:
    /// `grow` makes a scratch buffer at least as large as asked; the device gives it back when it goes
    Sorter(cl_command_queue queue, cl_program program, Tiling tiling,
           std::function<void(Buffer&, std::size_t)> grow);

    /// stable, by the low `bits` bits of keys of `words` words; the result is in `arrays`
    void sort(SortArrays arrays, SortArrays spare, std::uint32_t count, std::uint32_t words, int bits);
    void scan(const Buffer& in, const Buffer& out, std::uint32_t count);

    std::uint64_t launches() const { return launches_; }
    /// scratch, for the device to release
    std::vector<Buffer*> scratch();

private:
    void scan_level(const Buffer& in, const Buffer& out, std::uint32_t count, std::size_t level);
    void run(const Kernel& kernel, std::uint32_t tiles);

    cl_command_queue queue_;
    Tiling tiling_;
    std::function<void(Buffer&, std::size_t)> grow_;
    Kernel scan_sums_, scan_tiles_, sort_count_, sort_move_;
    Buffer counts_;
    std::vector<Buffer> sums_; ///< one for each level of the scan
    std::uint64_t launches_ = 0;
};

} // namespace scree::opencl
