// SPDX-License-Identifier: MIT
// calls.h — OpenCL's C API made safe: checked return codes, owned handles, device queries.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <string>
#include <utility>

namespace scree::opencl {

/// "CL_OUT_OF_RESOURCES" or, for a code without a name here, "code -1234"
std::string code_name(cl_int code);

/// Throws Error naming the call and the code unless it is CL_SUCCESS.
void check(cl_int code, const char* call);

/// Owns one reference to an OpenCL object.
template <class T, cl_int (*release)(T)>
class Owned {
public:
    Owned() = default;
    explicit Owned(T handle) : handle_(handle) {}
    Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Owned() {
        if (handle_ != nullptr) release(handle_);
    }
    T get() const { return handle_; }
    explicit operator bool() const { return handle_ != nullptr; }

private:
    T handle_ = nullptr;
};

using Context = Owned<cl_context, clReleaseContext>;
using Queue = Owned<cl_command_queue, clReleaseCommandQueue>;
using Program = Owned<cl_program, clReleaseProgram>;
using Kernel = Owned<cl_kernel, clReleaseKernel>;
using Event = Owned<cl_event, clReleaseEvent>;

template <class T>
T device_value(cl_device_id device, cl_device_info what) {
    T value{};
    check(clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "clGetDeviceInfo");
    return value;
}
std::string device_text(cl_device_id device, cl_device_info what);
std::string platform_text(cl_platform_id platform, cl_platform_info what);

} // namespace scree::opencl
