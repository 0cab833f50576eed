// SPDX-License-Identifier: MIT
// calls.cpp — names of OpenCL's return codes, and texts about devices.
#include "device/opencl/calls.h"

#include "scree/error.h"

namespace scree::opencl {

std::string code_name(cl_int code) {
    switch (code) {
#define SCREE_CODE(name)                                                                                     \
    case name:                                                                                               \
        return #name;
        SCREE_CODE(CL_SUCCESS)
        SCREE_CODE(CL_DEVICE_NOT_FOUND)
        SCREE_CODE(CL_DEVICE_NOT_AVAILABLE)
        SCREE_CODE(CL_COMPILER_NOT_AVAILABLE)
        SCREE_CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        SCREE_CODE(CL_OUT_OF_RESOURCES)
        SCREE_CODE(CL_OUT_OF_HOST_MEMORY)
        SCREE_CODE(CL_PROFILING_INFO_NOT_AVAILABLE)
        SCREE_CODE(CL_MEM_COPY_OVERLAP)
        SCREE_CODE(CL_BUILD_PROGRAM_FAILURE)
        SCREE_CODE(CL_MAP_FAILURE)
        SCREE_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        SCREE_CODE(CL_INVALID_VALUE)
        SCREE_CODE(CL_INVALID_DEVICE_TYPE)
        SCREE_CODE(CL_INVALID_PLATFORM)
        SCREE_CODE(CL_INVALID_DEVICE)
        SCREE_CODE(CL_INVALID_CONTEXT)
        SCREE_CODE(CL_INVALID_QUEUE_PROPERTIES)
        SCREE_CODE(CL_INVALID_COMMAND_QUEUE)
        SCREE_CODE(CL_INVALID_MEM_OBJECT)
        SCREE_CODE(CL_INVALID_BINARY)
        SCREE_CODE(CL_INVALID_BUILD_OPTIONS)
        SCREE_CODE(CL_INVALID_PROGRAM)
        SCREE_CODE(CL_INVALID_PROGRAM_EXECUTABLE)
        SCREE_CODE(CL_INVALID_KERNEL_NAME)
        SCREE_CODE(CL_INVALID_KERNEL_DEFINITION)
        SCREE_CODE(CL_INVALID_KERNEL)
        SCREE_CODE(CL_INVALID_ARG_INDEX)
        SCREE_CODE(CL_INVALID_ARG_VALUE)
        SCREE_CODE(CL_INVALID_ARG_SIZE)
        SCREE_CODE(CL_INVALID_KERNEL_ARGS)
        SCREE_CODE(CL_INVALID_WORK_DIMENSION)
        SCREE_CODE(CL_INVALID_WORK_GROUP_SIZE)
        SCREE_CODE(CL_INVALID_WORK_ITEM_SIZE)
        SCREE_CODE(CL_INVALID_GLOBAL_OFFSET)
        SCREE_CODE(CL_INVALID_EVENT_WAIT_LIST)
        SCREE_CODE(CL_INVALID_EVENT)
        SCREE_CODE(CL_INVALID_OPERATION)
        SCREE_CODE(CL_INVALID_BUFFER_SIZE)
        SCREE_CODE(CL_INVALID_GLOBAL_WORK_SIZE)
#undef SCREE_CODE
    case -1001:
        return "CL_PLATFORM_NOT_FOUND_KHR";
    default:
        return "code " + std::to_string(code);
    }
}

void check(cl_int code, const char* call) {
    if (code != CL_SUCCESS) throw Error(std::string(call) + " failed with " + code_name(code), "opencl");
}

namespace {

/// drivers pad their names with spaces
std::string trimmed(std::string text) {
    text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The answer of clGetDeviceInfo or clGetPlatformInfo.
template <class Query, class Thing, class What>
std::string text_of(Query query, const char* call, Thing thing, What what) {
    std::size_t bytes = 0;
    check(query(thing, what, 0, nullptr, &bytes), call);
    std::string text(bytes, '\0');
    check(query(thing, what, bytes, text.data(), nullptr), call);
    return trimmed(text);
}

} // namespace

std::string device_text(cl_device_id device, cl_device_info what) {
    return text_of(clGetDeviceInfo, "clGetDeviceInfo", device, what);
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
    return text_of(clGetPlatformInfo, "clGetPlatformInfo", platform, what);
}

} // namespace scree::opencl
