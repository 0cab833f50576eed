// SPDX-License-Identifier: MIT
// cpu_device.cpp — see cpu_device.h.

#include "device/cpu/cpu_device.h"

#include "device/cpu/lanes.h"
#include "device/cpu/radix_sort.h"
#include "device/cpu/waiting.h"
#include "scree/error.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>

namespace scree {

namespace {

constexpr std::uint32_t lane_granule = 64;
constexpr std::size_t line = 64; // bytes; buffers begin at a cache line
constexpr std::size_t most_buffers =
    *std::max_element(std::begin(kernel_buffer_counts), std::end(kernel_buffer_counts));

const LaneTable& table_of(int lanes) {
    if constexpr (SCREE_MOST_LANES >= 16)
        if (lanes == 16) return lane_table_16();
    if constexpr (SCREE_MOST_LANES >= 8)
        if (lanes == 8) return lane_table_8();
    return lanes == 4 ? lane_table_4() : lane_table_1();
}

bool runs_in_lanes(KernelId kernel) {
    switch (kernel) {
#define SCREE_LANE_CASE(Family, FAMILY, name) case KernelId::name:
        LANE_KERNELS(SCREE_LANE_CASE)
        FABRIC_LANE_KERNELS(SCREE_LANE_CASE)
#undef SCREE_LANE_CASE
        return true;
    default:
        return false;
    }
}

class CpuDevice final : public Device {
public:
    CpuDevice(std::shared_ptr<TaskSystem> tasks, const LaneTable& table, int ranges, DeviceReport report)
        : shared_(std::move(tasks)),
          tasks_(*shared_),
          table_(table),
          ranges_(ranges),
          report_(std::move(report)) {}

    const DeviceReport& report() const override { return report_; }
    std::unique_ptr<Device> another() const override {
        return std::make_unique<CpuDevice>(shared_, table_, ranges_, report_);
    }
    std::uint32_t padding() const override { return lane_granule; }

    Buffer allocate(std::size_t bytes) override {
        if (bytes == 0) return {};
        const std::size_t rounded = (bytes + line - 1) / line * line;
        void* raw = rounded < bytes ? nullptr : std::aligned_alloc(line, rounded);
        if (raw == nullptr)
            throw Error("not enough memory for a buffer of " + std::to_string(bytes) + " bytes", "cpu");
        traffic_.allocated += bytes;
        return {raw, bytes};
    }
    void release(Buffer& buffer) override {
        std::free(buffer.raw);
        traffic_.allocated -= buffer.bytes;
        buffer = {};
    }
    void upload(const Buffer& to, const void* from, std::size_t bytes, std::size_t offset) override {
        if (bytes != 0) std::memcpy(static_cast<char*>(to.raw) + offset, from, bytes);
        traffic_.uploaded += bytes;
        ++traffic_.uploads;
    }
    void download(void* to, const Buffer& from, std::size_t bytes, std::size_t offset) override {
        if (bytes != 0) std::memcpy(to, static_cast<const char*>(from.raw) + offset, bytes);
        traffic_.downloaded += bytes;
        ++traffic_.downloads;
    }
    void copy(const Buffer& to, const Buffer& from, std::size_t bytes) override {
        if (bytes != 0) timed(Work::copy, bytes / 4, [&] { std::memcpy(to.raw, from.raw, bytes); });
    }
    const void* host_view(const Buffer& buffer) override { return buffer.raw; }
    Buffer begin_shared(GraphicsBuffer& memory) override {
        void* raw = memory.map();
        if (!raw) throw Error("OpenGL does not give its memory to the host", report_.name);
        return {raw, memory.bytes()};
    }
    void end_shared(GraphicsBuffer& memory) override { memory.unmap(); }
    void copy_to_shared(GraphicsBuffer& memory, std::span<const SharedCopy> parts) override {
        const Buffer drawn = begin_shared(memory);
        for (const SharedCopy& part : parts)
            std::memcpy(static_cast<char*>(drawn.raw) + part.offset, part.from.raw, part.bytes);
        end_shared(memory);
    }
    void fill(const Buffer& buffer, std::uint32_t value, std::size_t words, std::size_t first_word) override {
        timed(Work::fill, words,
              [&] { std::fill_n(static_cast<std::uint32_t*>(buffer.raw) + first_word, words, value); });
    }

    void launch(KernelId kernel, std::uint32_t items, std::span<const Buffer> buffers, const void* params,
                std::size_t) override {
        ++traffic_.launches;
        if (items == 0) return;
        std::array<void*, most_buffers> raw{};
        for (std::size_t k = 0; k < buffers.size(); ++k) raw[k] = buffers[k].raw;
        const RangeFunction range = range_of(kernel);
        // most pairs of IMPACT_KERNELS are far apart and take no time
        const std::uint32_t granule = runs_in_lanes(kernel)           ? lane_granule
                                      : kernel >= first_impact_kernel ? 16
                                                                      : 1;
        const StageRanges parts(items, granule, tasks_.workers(), ranges_);
        timed(work_of(kernel), items, [&] {
            tasks_.run(parts.count(),
                       [&](int k) { range(parts.edge(k), parts.edge(k + 1), raw.data(), params); });
        });
    }

    void sort(const Buffer& keys, const Buffer& values, const Buffer& spare_keys, const Buffer& spare_values,
              std::uint32_t count, int bits) override {
        timed(Work::sort, sort_items(count, bits), [&] {
            radix_sort(tasks_, words(keys), words(values), words(spare_keys), words(spare_values), count,
                       bits, histogram_);
        });
    }
    void sort64(const Buffer& keys, const Buffer& values, const Buffer& spare_keys,
                const Buffer& spare_values, std::uint32_t count, int bits) override {
        timed(Work::sort64, sort_items(count, bits), [&] {
            radix_sort(tasks_, static_cast<std::uint64_t*>(keys.raw), words(values),
                       static_cast<std::uint64_t*>(spare_keys.raw), words(spare_values), count, bits,
                       histogram_);
        });
    }
    void exclusive_scan(const Buffer& in, const Buffer& out, std::uint32_t count) override {
        timed(Work::scan, count, [&] { exclusive_sum(tasks_, words(in), words(out), count); });
    }
    void finish() override {}

    void time_stages(bool on) override {
        timing_ = on;
        stage_ = -1;
        seconds_ = {};
    }
    void mark(int stage) override {
        if (!timing_) return;
        const auto now = std::chrono::steady_clock::now();
        if (stage_ >= 0)
            seconds_[static_cast<std::size_t>(stage_)] += std::chrono::duration<double>(now - since_).count();
        stage_ = stage;
        since_ = now;
    }
    std::array<double, 16> stage_seconds() override { return seconds_; }

    void time_kernels(bool on) override {
        timing_kernels_ = on;
        kernels_.clear();
    }
    std::vector<KernelTime> kernel_times() override { return kernels_.list(); }

private:
    template <class Run>
    void timed(Work work, std::uint64_t items, Run run) {
        if (!timing_kernels_) {
            run();
            return;
        }
        const auto start = std::chrono::steady_clock::now();
        run();
        kernels_.add(work, items,
                     std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    RangeFunction range_of(KernelId kernel) const {
        if (kernel >= first_impact_kernel) return impact_range(kernel);
        if (kernel >= first_query_kernel) return query_range(kernel);
        if (kernel >= first_self_kernel) return self_range(kernel);
        if (kernel >= first_world_kernel) return world_range(kernel);
        return table_.kernel[static_cast<unsigned>(kernel)];
    }
    static std::uint32_t* words(const Buffer& buffer) { return static_cast<std::uint32_t*>(buffer.raw); }

    std::shared_ptr<TaskSystem> shared_;
    TaskSystem& tasks_;
    const LaneTable& table_;
    int ranges_; ///< a thread; 0: as many as even out the work
    DeviceReport report_;
    std::vector<std::uint32_t> histogram_;
    bool timing_ = false;
    int stage_ = -1;
    std::chrono::steady_clock::time_point since_;
    std::array<double, 16> seconds_{};
    bool timing_kernels_ = false;
    KernelTotals kernels_;
};

} // namespace

StageRanges::StageRanges(std::uint32_t items, std::uint32_t granule, int workers, int ranges_per_thread)
    : items_(items), granule_(granule), granules_((std::uint64_t{items} + granule - 1) / granule) {
    // several ranges a worker even out uneven items; too small ones cost more than they bring
    const std::uint64_t least = ranges_per_thread == 0 ? 4 : 1, most = (granules_ + least - 1) / least;
    std::uint64_t wanted = static_cast<std::uint64_t>(workers) *
                           static_cast<std::uint64_t>(ranges_per_thread == 0 ? 8 : ranges_per_thread);
    if (workers == 1 && ranges_per_thread == 0) wanted = 1;
    count_ = static_cast<int>(std::clamp<std::uint64_t>(most, 1, wanted));
}

std::uint32_t StageRanges::edge(int k) const {
    const std::uint64_t granules =
        granules_ * static_cast<std::uint64_t>(k) / static_cast<std::uint64_t>(count_);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(granules * granule_, items_));
}

std::string lanes_missing(int lanes) {
    if (lanes > SCREE_MOST_LANES)
        return "this build has at most " + std::to_string(SCREE_MOST_LANES) + " lanes";
#if defined(__x86_64__)
    if (lanes == 16 && !(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")))
        return "16 lanes need a processor with AVX-512";
    if (lanes == 8 && !__builtin_cpu_supports("avx2")) return "8 lanes need a processor with AVX2";
#else
    (void)lanes; // vectors are split into what registers there are
#endif
    return {};
}

int widest_lanes() {
#if defined(__x86_64__)
    for (int lanes : {16, 8})
        if (lanes_missing(lanes).empty()) return lanes;
#endif
    return 4;
}

DeviceReport describe_cpu_device() {
    DeviceReport report;
    report.name = "cpu";
    report.description = std::to_string(std::max(1, Waiting::cores())) + " core(s), up to " +
                         std::to_string(widest_lanes()) + " lanes";
    report.available = true;
    report.same_bits = true;
    return report;
}

int checked_lanes(int lanes) {
    if (lanes == 0) return widest_lanes();
    if (lanes != 1 && lanes != 4 && lanes != 8 && lanes != 16)
        throw Error("invalid value " + std::to_string(lanes) + ": expected 0 (widest), 1, 4, 8 or 16",
                    "lanes");
    if (const std::string reason = lanes_missing(lanes); !reason.empty()) throw Error(reason, "lanes");
    return lanes;
}

std::unique_ptr<Device> open_cpu_device(std::shared_ptr<TaskSystem> tasks, int lanes, int ranges_per_thread,
                                        const std::string& name) {
    DeviceReport report = describe_cpu_device();
    report.name = name;
    report.description +=
        ", " + std::to_string(tasks->workers()) + " thread(s), " + std::to_string(lanes) + " lane(s)";
    return std::make_unique<CpuDevice>(std::move(tasks), table_of(lanes), ranges_per_thread,
                                       std::move(report));
}

} // namespace scree
