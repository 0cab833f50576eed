// SPDX-License-Identifier: MIT
// kernel_clock.h — times queued work by CUDA events, when timing is on.
//
// The time between two events includes waiting for the host to queue the work, so short kernels seem a few microseconds
// longer.
#pragma once

#include "device/cuda/check.h"
#include "device/kernel_times.h"

#include <cuda_runtime_api.h>

#include <vector>

namespace scree::cuda {

class KernelClock {
public:
    ~KernelClock() {
        for (const Span& span : spans_) {
            cudaEventDestroy(span.begin);
            cudaEventDestroy(span.end);
        }
        for (cudaEvent_t event : idle_) cudaEventDestroy(event);
    }

    void switch_on(bool on) {
        on_ = on;
        for (const Span& span : spans_) {
            idle_.push_back(span.begin);
            idle_.push_back(span.end);
        }
        spans_.clear();
        totals_.clear();
    }

    /// runs what queues the work
    template <class Queue>
    void around(Work work, std::uint64_t items, cudaStream_t stream, Queue queue) {
        if (!on_) {
            queue();
            return;
        }
        if (spans_.size() >= most_waiting) read(spans_.size() / 2);
        cudaEvent_t begin = fresh(), end = fresh();
        check(cudaEventRecord(begin, stream), "cudaEventRecord");
        queue();
        check(cudaEventRecord(end, stream), "cudaEventRecord");
        spans_.push_back({begin, end, work, items});
    }

    std::vector<KernelTime> times() {
        if (!spans_.empty()) read(spans_.size());
        return totals_.list();
    }

private:
    struct Span {
        cudaEvent_t begin, end;
        Work work;
        std::uint64_t items;
    };
    static constexpr std::size_t most_waiting = 8192;

    cudaEvent_t fresh() {
        cudaEvent_t event = nullptr;
        if (idle_.empty()) {
            check(cudaEventCreate(&event), "cudaEventCreate");
            return event;
        }
        event = idle_.back();
        idle_.pop_back();
        return event;
    }

    void read(std::size_t count) {
        check(cudaEventSynchronize(spans_[count - 1].end), "cudaEventSynchronize");
        for (std::size_t k = 0; k < count; ++k) {
            const Span& span = spans_[k];
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, span.begin, span.end), "cudaEventElapsedTime");
            totals_.add(span.work, span.items, 1e-3 * milliseconds);
            idle_.push_back(span.begin);
            idle_.push_back(span.end);
        }
        spans_.erase(spans_.begin(), spans_.begin() + static_cast<std::ptrdiff_t>(count));
    }

    bool on_ = false;
    std::vector<Span> spans_;
    std::vector<cudaEvent_t> idle_;
    KernelTotals totals_;
};

} // namespace scree::cuda
