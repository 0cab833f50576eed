// SPDX-License-Identifier: MIT
// arguments.h — making kernels and setting their arguments.
#pragma once

#include "device/device.h"
#include "device/opencl/calls.h"
#include "scree/error.h"

#include <cstdint>
#include <string>

namespace scree::opencl {

inline Kernel make_kernel(cl_program program, const std::string& name) {
    cl_int code = CL_SUCCESS;
    Kernel kernel(clCreateKernel(program, name.c_str(), &code));
    if (code != CL_SUCCESS)
        throw Error("clCreateKernel failed with " + code_name(code) + " for " + name, "opencl");
    return kernel;
}

/// an empty buffer becomes a null pointer in the kernel
inline void set_argument(cl_kernel kernel, cl_uint index, const Buffer& buffer) {
    const cl_mem memory = static_cast<cl_mem>(buffer.raw);
    check(clSetKernelArg(kernel, index, sizeof(cl_mem), static_cast<const void*>(&memory)), "clSetKernelArg");
}

inline void set_argument(cl_kernel kernel, cl_uint index, std::uint32_t value) {
    check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
}

template <class... Values>
void set_arguments(cl_kernel kernel, const Values&... values) {
    cl_uint index = 0;
    (set_argument(kernel, index++, values), ...);
}

} // namespace scree::opencl
