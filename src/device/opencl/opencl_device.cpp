// SPDX-License-Identifier: MIT
// opencl_device.cpp — the Device of OpenCL: one context, one in-order queue, the kernels compiled at opening.
#include "device/opencl/opencl_device.h"

#include "device/opencl/arguments.h"
#include "device/opencl/discovery.h"
#include "device/opencl/program.h"
#include "device/opencl/sort.h"
#include "device/opencl/stage_clock.h"
#include "device/trial.h"
#include "scree/error.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

extern const char* const scree_opencl_source;
extern const char* const scree_opencl_impact_source;

namespace scree::opencl {

namespace {

constexpr std::size_t kernel_count = static_cast<std::size_t>(first_fabric_kernel);
constexpr std::size_t first_impact = static_cast<std::size_t>(first_impact_kernel);

/// Shared by the queues of a device: the context and its compiled kernels.
struct Compiled {
    explicit Compiled(const FoundDevice& chosen);
    /// Of IMPACT_KERNELS; compiled by the first call.
    cl_program impacts();

    FoundDevice found;
    DeviceReport report;
    cl_device_id device;
    cl_ulong memory, largest_buffer; ///< bytes
    std::size_t group;               ///< work-items, at most
    Tiling tiling;
    Context context;
    std::string options;
    Program program;

private:
    std::mutex mutex_; ///< queues may be used by several threads
    Program impacts_;
};

struct LaunchedKernel {
    Kernel kernel;
    std::size_t group = 1;
};

class OpenclDevice final : public Device {
public:
    explicit OpenclDevice(std::shared_ptr<Compiled> compiled);
    ~OpenclDevice() override;
    OpenclDevice(const OpenclDevice&) = delete;
    OpenclDevice& operator=(const OpenclDevice&) = delete;

    const DeviceReport& report() const override { return compiled_->report; }
    std::unique_ptr<Device> another() const override { return std::make_unique<OpenclDevice>(compiled_); }
    std::uint32_t padding() const override { return 16; }

    Buffer allocate(std::size_t bytes) override;
    void release(Buffer& buffer) override;
    void upload(const Buffer& to, const void* from, std::size_t bytes, std::size_t offset) override;
    void download(void* to, const Buffer& from, std::size_t bytes, std::size_t offset) override;
    void copy(const Buffer& to, const Buffer& from, std::size_t bytes) override;
    void fill(const Buffer& buffer, std::uint32_t value, std::size_t words, std::size_t first_word) override;

    void launch(KernelId kernel, std::uint32_t items, std::span<const Buffer> buffers, const void* params,
                std::size_t params_bytes) override;
    void sort(const Buffer& keys, const Buffer& values, const Buffer& spare_keys, const Buffer& spare_values,
              std::uint32_t count, int bits) override;
    void sort64(const Buffer& keys, const Buffer& values, const Buffer& spare_keys,
                const Buffer& spare_values, std::uint32_t count, int bits) override;
    void exclusive_scan(const Buffer& in, const Buffer& out, std::uint32_t count) override;
    void finish() override { check(clFinish(queue_.get()), "clFinish"); }

    void time_stages(bool on) override { clock_->start(on); }
    void mark(int stage) override { clock_->mark(stage); }
    std::array<double, 16> stage_seconds() override { return clock_->seconds(); }

private:
    void sort_words(SortArrays arrays, SortArrays spare, std::uint32_t count, std::uint32_t words, int bits);
    void grow(Buffer& buffer, std::size_t bytes);
    LaunchedKernel made(cl_program program, std::size_t k) const;
    const LaunchedKernel& kernel_of(std::size_t k);

    std::shared_ptr<Compiled> compiled_;
    Queue queue_;
    std::vector<LaunchedKernel> kernels_, impacts_; ///< the latter made by the first launch of one
    std::optional<Sorter> sorter_;
    std::optional<StageClock> clock_;
};

cl_mem memory_of(const Buffer& buffer) { return static_cast<cl_mem>(buffer.raw); }

Compiled::Compiled(const FoundDevice& chosen)
    : found(chosen),
      report(found.report),
      device(found.device),
      memory(device_value<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE)),
      largest_buffer(device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE)),
      group((found.type & CL_DEVICE_TYPE_CPU) != 0 ? 64 : 128),
      tiling(choose_tiling(device)) {
    cl_int code = CL_SUCCESS;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                reinterpret_cast<cl_context_properties>(found.platform), 0};
    context = Context(clCreateContext(properties, 1, &device, nullptr, nullptr, &code));
    check(code, "clCreateContext");
    options = "-cl-std=CL1.2" + tiling.options();
    if (found.rounds_correctly) options += " -cl-fp32-correctly-rounded-divide-sqrt";
    program = build_program(context.get(), found, scree_opencl_source, options);
}

cl_program Compiled::impacts() {
    const std::lock_guard lock(mutex_);
    if (!impacts_) impacts_ = build_program(context.get(), found, scree_opencl_impact_source, options);
    return impacts_.get();
}

OpenclDevice::OpenclDevice(std::shared_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {
    const Compiled& shared = *compiled_;
    cl_int code = CL_SUCCESS;
    queue_ =
        Queue(clCreateCommandQueue(shared.context.get(), shared.device, CL_QUEUE_PROFILING_ENABLE, &code));
    check(code, "clCreateCommandQueue");
    // arguments are kept in the kernel: each queue has its own
    for (std::size_t k = 0; k < kernel_count; ++k) kernels_.push_back(made(shared.program.get(), k));
    sorter_.emplace(queue_.get(), shared.program.get(), shared.tiling,
                    [this](Buffer& b, std::size_t bytes) { grow(b, bytes); });
    clock_.emplace(queue_.get());
}

LaunchedKernel OpenclDevice::made(cl_program program, std::size_t k) const {
    LaunchedKernel launched;
    launched.kernel = make_kernel(program, std::string(kernel_names[k]) + "_entry");
    std::size_t most = 1;
    check(clGetKernelWorkGroupInfo(launched.kernel.get(), compiled_->device, CL_KERNEL_WORK_GROUP_SIZE,
                                   sizeof most, &most, nullptr),
          "clGetKernelWorkGroupInfo");
    launched.group = std::clamp<std::size_t>(most, 1, compiled_->group);
    return launched;
}

const LaunchedKernel& OpenclDevice::kernel_of(std::size_t k) {
    if (k < kernel_count) return kernels_[k];
    if (impacts_.empty())
        for (std::size_t each = first_impact; each < static_cast<std::size_t>(KernelId::count); ++each)
            impacts_.push_back(made(compiled_->impacts(), each));
    return impacts_[k - first_impact];
}

OpenclDevice::~OpenclDevice() {
    if (!queue_) return;
    clFinish(queue_.get());
    if (sorter_)
        for (Buffer* scratch : sorter_->scratch()) release(*scratch);
}

// memory ----------------------------------------------------------------------------------------------------

Buffer OpenclDevice::allocate(std::size_t bytes) {
    if (bytes == 0) return {};
    const std::string where = "device " + report().name;
    if (bytes > compiled_->largest_buffer)
        throw Error("a buffer of " + std::to_string(bytes) +
                        " bytes was asked for; the largest that the device allows has " +
                        std::to_string(compiled_->largest_buffer),
                    where);
    if (traffic_.allocated + bytes > compiled_->memory)
        throw Error("a buffer of " + std::to_string(bytes) + " bytes was asked for with " +
                        std::to_string(traffic_.allocated) + " in use; the device has " +
                        std::to_string(compiled_->memory),
                    where);
    cl_int code = CL_SUCCESS;
    cl_mem memory = clCreateBuffer(compiled_->context.get(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
    if (code != CL_SUCCESS)
        throw Error("clCreateBuffer failed with " + code_name(code) + " for " + std::to_string(bytes) +
                        " bytes",
                    where);
    traffic_.allocated += bytes;
    return {memory, bytes};
}

void OpenclDevice::release(Buffer& buffer) {
    if (buffer.raw != nullptr) {
        // the driver keeps the memory until queued work that uses it is done
        clReleaseMemObject(memory_of(buffer));
        traffic_.allocated -= buffer.bytes;
    }
    buffer = {};
}

void OpenclDevice::grow(Buffer& buffer, std::size_t bytes) {
    if (buffer.bytes >= bytes) return;
    release(buffer);
    buffer = allocate(bytes);
}

void OpenclDevice::upload(const Buffer& to, const void* from, std::size_t bytes, std::size_t offset) {
    if (bytes == 0) return;
    check(
        clEnqueueWriteBuffer(queue_.get(), memory_of(to), CL_TRUE, offset, bytes, from, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
    traffic_.uploaded += bytes;
    ++traffic_.uploads;
}

void OpenclDevice::download(void* to, const Buffer& from, std::size_t bytes, std::size_t offset) {
    if (bytes == 0) return;
    check(clEnqueueReadBuffer(queue_.get(), memory_of(from), CL_TRUE, offset, bytes, to, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    traffic_.downloaded += bytes;
    ++traffic_.downloads;
}

void OpenclDevice::copy(const Buffer& to, const Buffer& from, std::size_t bytes) {
    if (bytes == 0) return;
    check(clEnqueueCopyBuffer(queue_.get(), memory_of(from), memory_of(to), 0, 0, bytes, 0, nullptr, nullptr),
          "clEnqueueCopyBuffer");
}

void OpenclDevice::fill(const Buffer& buffer, std::uint32_t value, std::size_t words,
                        std::size_t first_word) {
    if (words == 0) return;
    check(clEnqueueFillBuffer(queue_.get(), memory_of(buffer), &value, sizeof value, 4 * first_word,
                              4 * words, 0, nullptr, nullptr),
          "clEnqueueFillBuffer");
}

// work ------------------------------------------------------------------------------------------------------

void OpenclDevice::launch(KernelId kernel, std::uint32_t items, std::span<const Buffer> buffers,
                          const void* params, std::size_t params_bytes) {
    const std::size_t k = static_cast<std::size_t>(kernel);
    if (kernel >= KernelId::count)
        throw Error("kernel " + std::to_string(k) + " does not exist", "device " + report().name);
    if (k >= kernel_count && k < first_impact)
        throw Error(std::string(kernel_names[k]) + " does not run on OpenCL", "device " + report().name);
    if (buffers.size() != kernel_buffer_counts[k])
        throw Error("got " + std::to_string(buffers.size()) + " buffers; expected " +
                        std::to_string(kernel_buffer_counts[k]),
                    kernel_names[k]);
    if (params_bytes != kernel_params_bytes[k])
        throw Error("got parameters of " + std::to_string(params_bytes) + " bytes; expected " +
                        std::to_string(kernel_params_bytes[k]),
                    kernel_names[k]);
    if (items == 0) return;
    const LaunchedKernel& launched = kernel_of(k);
    const cl_kernel raw = launched.kernel.get();
    cl_uint index = 0;
    for (const Buffer& buffer : buffers) set_argument(raw, index++, buffer);
    check(clSetKernelArg(raw, index++, params_bytes, params), "clSetKernelArg");
    set_argument(raw, index, items);
    const std::size_t global = (items + launched.group - 1) / launched.group * launched.group;
    check(
        clEnqueueNDRangeKernel(queue_.get(), raw, 1, nullptr, &global, &launched.group, 0, nullptr, nullptr),
        kernel_names[k]);
    ++traffic_.launches;
}

void OpenclDevice::sort_words(SortArrays arrays, SortArrays spare, std::uint32_t count, std::uint32_t words,
                              int bits) {
    const std::uint64_t before = sorter_->launches();
    sorter_->sort(arrays, spare, count, words, bits);
    traffic_.launches += sorter_->launches() - before;
}

void OpenclDevice::sort(const Buffer& keys, const Buffer& values, const Buffer& spare_keys,
                        const Buffer& spare_values, std::uint32_t count, int bits) {
    sort_words({keys, values}, {spare_keys, spare_values}, count, 1, bits);
}

void OpenclDevice::sort64(const Buffer& keys, const Buffer& values, const Buffer& spare_keys,
                          const Buffer& spare_values, std::uint32_t count, int bits) {
    sort_words({keys, values}, {spare_keys, spare_values}, count, 2, bits);
}

void OpenclDevice::exclusive_scan(const Buffer& in, const Buffer& out, std::uint32_t count) {
    const std::uint64_t before = sorter_->launches();
    sorter_->scan(in, out, count);
    traffic_.launches += sorter_->launches() - before;
}

} // namespace

} // namespace scree::opencl

namespace scree {

std::unique_ptr<Device> open_opencl_device(const std::string& name) {
    const auto compiled = std::make_shared<opencl::Compiled>(opencl::choose_device(name));
    auto device = std::make_unique<opencl::OpenclDevice>(compiled);
    // a driver may round correctly without saying so, as those of CPUs do
    if (!compiled->report.same_bits && arithmetic_agrees(*device->another())) {
        compiled->report.same_bits = true;
        compiled->report.description += ", divides as the CPU does by trial";
    }
    return device;
}

} // namespace scree
