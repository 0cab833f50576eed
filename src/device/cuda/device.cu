// SPDX-License-Identifier: MIT
// device.cu — the CUDA device: one GPU, one stream, sort and scan from CUB; and the exports of the plug-in.
//
// Buffers are raw device pointers. Everything is queued on one stream of its own; upload and download wait for
// it, because the host's memory is the caller's again when they return.
#include "device/cuda/check.h"
#include "device/cuda/kernel_clock.h"
#include "device/cuda/kernels.h"
#include "device/plugin.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>

#if defined(_WIN32)
#define SCREE_EXPORT extern "C" __declspec(dllexport)
#else
#define SCREE_EXPORT extern "C" __attribute__((visibility("default")))
#endif

// as cuda_gl_interop.h declares them, which asks for OpenGL's headers
extern "C" {
cudaError_t cudaGLGetDevices(unsigned int* count, int* devices, unsigned int room, int list);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t* resource, unsigned int buffer,
                                         unsigned int flags);
}

namespace scree::cuda {
namespace {

std::string version_text(int version) // CUDA counts 12080 for 12.8
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

DeviceReport describe(int index) {
    DeviceReport report;
    report.name = "cuda:" + std::to_string(index);
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
    int driver = 0, runtime = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    char memory[32];
    std::snprintf(memory, sizeof memory, "%.0f GiB",
                  static_cast<double>(properties.totalGlobalMem) / (1 << 30));
    report.description = std::string(properties.name) + ", " +
                         std::to_string(properties.multiProcessorCount) + " multiprocessors, " + memory +
                         ", compute capability " + std::to_string(properties.major) + "." +
                         std::to_string(properties.minor) + ", driver " + version_text(driver) +
                         ", runtime " + version_text(runtime);
    report.available = true;
    report.same_bits = true;
    return report;
}

int device_count() {
    int count = 0;
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess) return count;
    static_cast<void>(cudaGetLastError());
    if (code == cudaErrorNoDevice) return 0;
    int driver = 0, runtime = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));
    static_cast<void>(cudaRuntimeGetVersion(&runtime));
    if (code == cudaErrorInsufficientDriver && driver == 0)
        throw Error("no CUDA driver: " + error_text(code));
    if (code == cudaErrorInsufficientDriver)
        throw Error("the driver is for CUDA " + version_text(driver) + " and too old for the plug-in's " +
                    version_text(runtime) + ": " + error_text(code));
    throw Error("CUDA does not start: " + error_text(code));
}

/// Events between stages; their times are read on request, or when too many are pending.
class StageClock {
public:
    ~StageClock() {
        for (const Mark& mark : marks_) cudaEventDestroy(mark.event);
        for (cudaEvent_t event : idle_) cudaEventDestroy(event);
    }

    void switch_on(bool on) {
        on_ = on;
        for (const Mark& mark : marks_) idle_.push_back(mark.event);
        marks_.clear();
        seconds_ = {};
    }

    void mark(int stage, cudaStream_t stream) {
        if (!on_) return;
        // by now the older half is long done: reading it does not hold up the queue
        if (marks_.size() >= most_waiting) read(marks_.size() / 2);
        if (idle_.empty()) {
            cudaEvent_t fresh = nullptr;
            check(cudaEventCreate(&fresh), "cudaEventCreate");
            idle_.push_back(fresh);
        }
        check(cudaEventRecord(idle_.back(), stream), "cudaEventRecord");
        marks_.push_back({idle_.back(), stage});
        idle_.pop_back();
    }

    std::array<double, 16> seconds(cudaStream_t stream) {
        if (!marks_.empty()) {
            mark(marks_.back().stage, stream); // what the open stage has taken so far
            read(marks_.size() - 1);
        }
        return seconds_;
    }

private:
    struct Mark {
        cudaEvent_t event;
        int stage;
    };
    static constexpr std::size_t most_waiting = 4096;

    /// adds the first `spans` spans between marks to the totals and forgets them
    void read(std::size_t spans) {
        check(cudaEventSynchronize(marks_[spans].event), "cudaEventSynchronize");
        for (std::size_t k = 0; k < spans; ++k) {
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, marks_[k].event, marks_[k + 1].event),
                  "cudaEventElapsedTime");
            int stage = marks_[k].stage;
            if (stage >= 0 && stage < 16) seconds_[static_cast<std::size_t>(stage)] += 1e-3 * milliseconds;
            idle_.push_back(marks_[k].event);
        }
        marks_.erase(marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(spans));
    }

    bool on_ = false;
    std::vector<Mark> marks_;
    std::vector<cudaEvent_t> idle_;
    std::array<double, 16> seconds_{};
};

/// Throws Error when there is no such device.
DeviceReport found(int index) {
    const int count = device_count();
    if (index < 0 || index >= count)
        throw Error("there is no such device; CUDA sees " + std::to_string(count));
    return describe(index);
}

/// A buffer of OpenGL that a GPU may write.
struct GlRegistration {
    int index;
    cudaGraphicsResource_t resource = nullptr;
    ~GlRegistration() {
        if (!resource) return;
        cudaSetDevice(index);
        cudaGraphicsUnregisterResource(resource);
        static_cast<void>(cudaGetLastError());
    }
};

class CudaDevice final : public Device {
public:
    explicit CudaDevice(int index) : CudaDevice(index, found(index)) {}
    CudaDevice(int index, DeviceReport report) : index_(index), report_(std::move(report)) {
        select();
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    }

    ~CudaDevice() override {
        // a failed GPU reports errors from every call; a destructor cannot report them
        try {
            select();
            cudaStreamSynchronize(stream_);
            release(temporary_);
            for (Read& read : reads_) close(read);
        } catch (const Error&) {}
        if (landing_) cudaFreeHost(landing_);
        if (copies_) cudaStreamDestroy(copies_);
        cudaStreamDestroy(stream_);
    }

    CudaDevice(const CudaDevice&) = delete;
    CudaDevice& operator=(const CudaDevice&) = delete;

    const DeviceReport& report() const override { return report_; }
    std::unique_ptr<Device> another() const override { return std::make_unique<CudaDevice>(index_, report_); }
    std::uint32_t padding() const override { return 16; }

    Buffer allocate(std::size_t bytes) override {
        if (bytes == 0) return {};
        select();
        void* memory = nullptr;
        cudaError_t code = cudaMalloc(&memory, bytes);
        if (code != cudaSuccess) {
            static_cast<void>(cudaGetLastError());
            std::size_t free = 0, total = 0;
            static_cast<void>(cudaMemGetInfo(&free, &total));
            throw Error(std::to_string(bytes) + " bytes were asked for, " + std::to_string(free) + " of " +
                            std::to_string(total) + " are free: cudaMalloc: " + error_text(code),
                        report_.name);
        }
        traffic_.allocated += bytes;
        return {memory, bytes};
    }

    void release(Buffer& buffer) override {
        Buffer gone = std::exchange(buffer, Buffer{});
        if (gone.raw == nullptr) return;
        traffic_.allocated -= gone.bytes;
        select();
        check(cudaFree(gone.raw), "cudaFree");
    }

    void upload(const Buffer& to, const void* from, std::size_t bytes, std::size_t offset) override {
        if (bytes == 0) return;
        need(to, bytes, offset, "upload");
        select();
        check(cudaMemcpyAsync(static_cast<char*>(to.raw) + offset, from, bytes, cudaMemcpyHostToDevice,
                              stream_),
              "cudaMemcpyAsync (upload)");
        finish();
        traffic_.uploaded += bytes;
        ++traffic_.uploads;
    }

    void download(void* to, const Buffer& from, std::size_t bytes, std::size_t offset) override {
        if (bytes == 0) return;
        need(from, bytes, offset, "download");
        select();
        // short answers, for which a step waits several times, come sooner into page-locked memory
        const bool is_short = bytes <= landing_bytes;
        if (is_short && !landing_) check(cudaMallocHost(&landing_, landing_bytes), "cudaMallocHost");
        check(cudaMemcpyAsync(is_short ? landing_ : to, static_cast<const char*>(from.raw) + offset, bytes,
                              cudaMemcpyDeviceToHost, stream_),
              "cudaMemcpyAsync (download)");
        finish();
        if (is_short) std::memcpy(to, landing_, bytes);
        traffic_.downloaded += bytes;
        ++traffic_.downloads;
    }

    /// A copy on the device in the queue's order, and from it to the host beside the queue.
    void begin_read(unsigned lane, const Buffer& from, std::size_t bytes) override {
        need(from, bytes, 0, "begin_read");
        select();
        Read& read = reads_[lane];
        if (!copies_)
            check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        if (read.begun) check(cudaStreamWaitEvent(stream_, read.arrived, 0), "cudaStreamWaitEvent");
        if (read.copy.bytes < bytes) {
            close(read);
            read.copy = allocate(bytes);
            check(cudaMallocHost(&read.host, bytes), "cudaMallocHost");
            for (cudaEvent_t* event : {&read.copied, &read.arrived})
                check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
        }
        if (bytes == 0) return;
        copy(read.copy, from, bytes);
        check(cudaEventRecord(read.copied, stream_), "cudaEventRecord");
        check(cudaStreamWaitEvent(copies_, read.copied, 0), "cudaStreamWaitEvent");
        check(cudaMemcpyAsync(read.host, read.copy.raw, bytes, cudaMemcpyDeviceToHost, copies_),
              "cudaMemcpyAsync (begin_read)");
        check(cudaEventRecord(read.arrived, copies_), "cudaEventRecord");
        read.begun = true;
        traffic_.downloaded += bytes;
        ++traffic_.downloads;
    }

    const void* end_read(unsigned lane) override {
        select();
        if (!reads_[lane].begun) return nullptr;
        check(cudaEventSynchronize(reads_[lane].arrived), "cudaEventSynchronize");
        return reads_[lane].host;
    }

    void* queue() const override { return stream_; }

    Buffer begin_shared(GraphicsBuffer& memory) override {
        select();
        auto known = std::static_pointer_cast<GlRegistration>(memory.registration);
        if (!known || known->index != index_) {
            memory.registration.reset();
            known = register_buffer(memory);
            memory.registration = known;
        }
        check(cudaGraphicsMapResources(1, &known->resource, stream_), "cudaGraphicsMapResources");
        void* raw = nullptr;
        std::size_t bytes = 0;
        const cudaError_t code = cudaGraphicsResourceGetMappedPointer(&raw, &bytes, known->resource);
        if (code != cudaSuccess) {
            cudaGraphicsUnmapResources(1, &known->resource, stream_);
            check(code, "cudaGraphicsResourceGetMappedPointer");
        }
        return {raw, bytes};
    }

    void end_shared(GraphicsBuffer& memory) override {
        select();
        auto known = std::static_pointer_cast<GlRegistration>(memory.registration);
        check(cudaGraphicsUnmapResources(1, &known->resource, stream_), "cudaGraphicsUnmapResources");
    }

    void copy(const Buffer& to, const Buffer& from, std::size_t bytes) override {
        if (bytes == 0) return;
        need(to, bytes, 0, "copy");
        need(from, bytes, 0, "copy");
        select();
        kernels_.around(Work::copy, bytes / 4, stream_, [&] {
            check(cudaMemcpyAsync(to.raw, from.raw, bytes, cudaMemcpyDeviceToDevice, stream_),
                  "cudaMemcpyAsync (copy)");
        });
    }

    void fill(const Buffer& buffer, std::uint32_t value, std::size_t words, std::size_t first_word) override {
        if (words == 0) return;
        need(buffer, words * 4, first_word * 4, "fill");
        select();
        std::uint32_t* to = static_cast<std::uint32_t*>(buffer.raw) + first_word;
        kernels_.around(Work::fill, words, stream_, [&] {
            if (value == (value & 0xffu) * 0x01010101u)
                check(cudaMemsetAsync(to, static_cast<int>(value & 0xffu), words * 4, stream_),
                      "cudaMemsetAsync");
            else start_fill(to, value, words, stream_);
        });
    }

    void launch(KernelId kernel, std::uint32_t items, std::span<const Buffer> buffers, const void* params,
                std::size_t params_bytes) override {
        select();
        kernels_.around(work_of(kernel), items, stream_,
                        [&] { start_kernel(kernel, items, buffers, params, params_bytes, stream_); });
        ++traffic_.launches;
    }

    bool solve_world(OneLaunch which, std::span<const Buffer> buffers, const void* params,
                     std::size_t) override {
        select();
        which = world_solve_of(which, params);
        constexpr Work works[] = {Work::soft_step, Work::sor_step, Work::sor_on_chip};
        kernels_.around(works[static_cast<int>(which)], 1, stream_,
                        [&] { start_world_solve(which, buffers.data(), params, stream_); });
        ++traffic_.launches;
        return true;
    }

    bool sweep_cloth(std::span<const Buffer> buffers, const kernels::FabricSweep& sweep) override {
        select();
        kernels_.around(Work::fabric_sweep, sweep.stages, stream_,
                        [&] { traffic_.launches += start_fabric_sweep(buffers.data(), sweep, stream_); });
        return true;
    }

    void sort(const Buffer& keys, const Buffer& values, const Buffer& spare_keys, const Buffer& spare_values,
              std::uint32_t count, int bits) override {
        kernels_.around(Work::sort, sort_items(count, bits), stream_, [&] {
            sort_pairs<std::uint32_t>(keys, values, spare_keys, spare_values, count, bits);
        });
    }

    void sort64(const Buffer& keys, const Buffer& values, const Buffer& spare_keys,
                const Buffer& spare_values, std::uint32_t count, int bits) override {
        kernels_.around(Work::sort64, sort_items(count, bits), stream_, [&] {
            sort_pairs<std::uint64_t>(keys, values, spare_keys, spare_values, count, bits);
        });
    }

    void exclusive_scan(const Buffer& in, const Buffer& out, std::uint32_t count) override {
        if (count == 0) return;
        need(in, std::size_t{count} * 4, 0, "exclusive_scan");
        need(out, std::size_t{count} * 4, 0, "exclusive_scan");
        const auto* from = static_cast<const std::uint32_t*>(in.raw);
        auto* to = static_cast<std::uint32_t*>(out.raw);
        kernels_.around(Work::scan, count, stream_, [&] {
            with_temporary("cub::DeviceScan::ExclusiveSum", [&](void* memory, std::size_t& bytes) {
                return cub::DeviceScan::ExclusiveSum(memory, bytes, from, to, count, stream_);
            });
        });
    }

    void finish() override {
        select();
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }

    void time_stages(bool on) override { clock_.switch_on(on); }

    void mark(int stage) override {
        select();
        clock_.mark(stage, stream_);
    }

    std::array<double, 16> stage_seconds() override {
        select();
        return clock_.seconds(stream_);
    }

    void time_kernels(bool on) override { kernels_.switch_on(on); }
    std::vector<KernelTime> kernel_times() override {
        select();
        return kernels_.times();
    }

private:
    /// the current device belongs to the thread, and any thread may call
    void select() const { check(cudaSetDevice(index_), "cudaSetDevice"); }

    std::shared_ptr<GlRegistration> register_buffer(const GraphicsBuffer& memory) const {
        constexpr int every_device = 1; // cudaGLDeviceListAll
        unsigned int count = 0;
        int devices[32] = {};
        const cudaError_t code = cudaGLGetDevices(&count, devices, 32, every_device);
        static_cast<void>(cudaGetLastError());
        if (code != cudaSuccess)
            throw Error("OpenGL does not draw on a GPU of CUDA: " + error_text(code), report_.name);
        bool found = false;
        for (unsigned int k = 0; k < count; ++k) found = found || devices[k] == index_;
        if (!found) throw Error("OpenGL draws on another GPU", report_.name);
        auto made = std::make_shared<GlRegistration>(GlRegistration{index_});
        check(cudaGraphicsGLRegisterBuffer(&made->resource, memory.gl_name(),
                                           cudaGraphicsRegisterFlagsWriteDiscard),
              "cudaGraphicsGLRegisterBuffer");
        return made;
    }

    static void need(const Buffer& buffer, std::size_t bytes, std::size_t offset, const char* call) {
        if (offset <= buffer.bytes && bytes <= buffer.bytes - offset) return;
        throw Error(std::to_string(bytes) + " bytes at " + std::to_string(offset) +
                        " are outside a buffer of " + std::to_string(buffer.bytes),
                    call);
    }

    /// Runs a CUB algorithm: asks how much scratch it wants, grows ours to that and keeps it, queues the work.
    template <class Algorithm>
    void with_temporary(const char* name, Algorithm run) {
        select();
        std::size_t bytes = 0;
        check(run(nullptr, bytes), name);
        if (bytes > temporary_.bytes) {
            release(temporary_);
            temporary_ = allocate(bytes);
        }
        check(run(temporary_.raw, bytes), name);
        ++traffic_.launches;
    }

    template <class Key>
    void sort_pairs(const Buffer& keys, const Buffer& values, const Buffer& spare_keys,
                    const Buffer& spare_values, std::uint32_t count, int bits) {
        if (count < 2 || bits <= 0) return;
        const std::size_t key_bytes = std::size_t{count} * sizeof(Key), value_bytes = std::size_t{count} * 4;
        for (const Buffer* buffer : {&keys, &spare_keys}) need(*buffer, key_bytes, 0, "sort");
        for (const Buffer* buffer : {&values, &spare_values}) need(*buffer, value_bytes, 0, "sort");
        cub::DoubleBuffer<Key> key(static_cast<Key*>(keys.raw), static_cast<Key*>(spare_keys.raw));
        cub::DoubleBuffer<std::uint32_t> value(static_cast<std::uint32_t*>(values.raw),
                                               static_cast<std::uint32_t*>(spare_values.raw));
        const int key_bits = 8 * static_cast<int>(sizeof(Key));
        const int last_bit = bits < key_bits ? bits : key_bits;
        with_temporary("cub::DeviceRadixSort::SortPairs", [&](void* memory, std::size_t& bytes) {
            return cub::DeviceRadixSort::SortPairs(memory, bytes, key, value, count, 0, last_bit, stream_);
        });
        // an odd number of passes ends in the spare arrays; copying back costs a fraction of one more pass
        if (key.Current() != keys.raw)
            check(cudaMemcpyAsync(keys.raw, key.Current(), key_bytes, cudaMemcpyDeviceToDevice, stream_),
                  "cudaMemcpyAsync (sorted keys)");
        if (value.Current() != values.raw)
            check(
                cudaMemcpyAsync(values.raw, value.Current(), value_bytes, cudaMemcpyDeviceToDevice, stream_),
                "cudaMemcpyAsync (sorted values)");
    }

    /// what begin_read has on its way
    struct Read {
        Buffer copy;
        void* host = nullptr; ///< page-locked
        cudaEvent_t copied = nullptr, arrived = nullptr;
        bool begun = false;
    };
    void close(Read& read) {
        if (copies_) cudaStreamSynchronize(copies_);
        release(read.copy);
        if (read.host) cudaFreeHost(read.host);
        for (cudaEvent_t event : {read.copied, read.arrived})
            if (event) cudaEventDestroy(event);
        read = {};
    }

    int index_;
    DeviceReport report_;
    cudaStream_t stream_ = nullptr, copies_ = nullptr;
    std::array<Read, 4> reads_;
    static constexpr std::size_t landing_bytes = 16384;
    void* landing_ = nullptr; ///< page-locked
    Buffer temporary_;
    StageClock clock_;
    KernelClock kernels_;
};

void say(const char* text, char* error, std::size_t error_size) {
    if (error_size != 0) std::snprintf(error, error_size, "%s", text);
}

/// false, with the reason in `error`, when the library that loads us is of another build
bool same_build(const char* abi, char* error, std::size_t error_size) {
    const std::string own = plugin_abi();
    if (own == abi) return true;
    say(("the plug-in was built as " + own + ", the library as " + abi).c_str(), error, error_size);
    return false;
}

/// runs `body` and returns exceptions as text, because a C function must not throw
template <class Body>
bool guarded(char* error, std::size_t error_size, Body body) {
    try {
        body();
        return true;
    } catch (const std::exception& fault) {
        say(fault.what(), error, error_size);
    } catch (...) {
        say("an unknown fault", error, error_size);
    }
    return false;
}

} // namespace
} // namespace scree::cuda

/// Opens device `index`; null, with the reason in `error`, when that fails or `abi` is not plugin_abi().
SCREE_EXPORT scree::Device* scree_cuda_open(int index, const char* abi, char* error, std::size_t error_size) {
    scree::Device* device = nullptr;
    if (scree::cuda::same_build(abi, error, error_size))
        scree::cuda::guarded(error, error_size, [&] { device = new scree::cuda::CudaDevice(index); });
    return device;
}

/// Appends a report for each GPU and returns their number; -1, with the reason in `error`, when that fails.
SCREE_EXPORT int scree_cuda_list(const char* abi, std::vector<scree::DeviceReport>* reports, char* error,
                                 std::size_t error_size) {
    int count = -1;
    if (scree::cuda::same_build(abi, error, error_size))
        scree::cuda::guarded(error, error_size, [&] {
            const int found = scree::cuda::device_count();
            for (int index = 0; index < found; ++index) reports->push_back(scree::cuda::describe(index));
            count = found;
        });
    return count;
}
