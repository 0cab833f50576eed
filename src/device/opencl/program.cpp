// SPDX-License-Identifier: MIT
// program.cpp — compiles the embedded kernel source and caches the binary.
//
// layout of a cache file: the key text and its 0, then two little-endian words of 8 bytes (length and hash of
// the binary), then the binary. The whole key is compared, so a clash of hashes is only a slow start.
#include "device/opencl/program.h"

#include "scree/error.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

namespace scree::opencl {

namespace {

namespace fs = std::filesystem;

/// FNV-1a
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

std::string hexadecimal(std::uint64_t value) {
    std::string text(16, '0');
    for (int i = 15; i >= 0; --i, value >>= 4)
        text[static_cast<std::size_t>(i)] = "0123456789abcdef"[value & 15];
    return text;
}

std::string cache_key(const FoundDevice& found, const char* source, const std::string& options) {
    std::string key = "scree opencl 1\n";
    key += platform_text(found.platform, CL_PLATFORM_NAME) + "\n" +
           platform_text(found.platform, CL_PLATFORM_VERSION) + "\n";
    key += device_text(found.device, CL_DEVICE_NAME) + "\n" + device_text(found.device, CL_DEVICE_VERSION) +
           "\n";
    key += device_text(found.device, CL_DRIVER_VERSION) + "\n" + options + "\n";
    return key + hexadecimal(hash_of(source));
}

/// empty when the user has no home
fs::path cache_file(const std::string& key) {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    fs::path folder;
    if (cache != nullptr && *cache == '/') folder = cache;
    else if (home != nullptr && *home == '/') folder = fs::path(home) / ".cache";
    else return {};
    return folder / "scree" / ("opencl-" + hexadecimal(hash_of(key)) + ".bin");
}

std::string word_bytes(std::uint64_t value) {
    std::string bytes;
    for (int i = 0; i < 8; ++i, value >>= 8) bytes += static_cast<char>(value & 255);
    return bytes;
}

/// header of a cache file, before the binary
std::string cache_head(const std::string& key, std::string_view binary) {
    return key + '\0' + word_bytes(binary.size()) + word_bytes(hash_of(binary));
}

std::string read_cache(const fs::path& path, const std::string& key) {
    std::ifstream in(path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::size_t head = key.size() + 1 + 16;
    if (content.size() <= head) return {};
    std::string binary = content.substr(head);
    if (content.compare(0, head, cache_head(key, binary)) != 0) return {};
    return binary;
}

void write_cache(const fs::path& path, const std::string& key, const std::string& binary) {
    static std::atomic<unsigned> number{0};
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    // a name that no other process or thread takes
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    fs::path part = path;
    part += "." + hexadecimal(static_cast<std::uint64_t>(now)) + "." + std::to_string(number++) + ".part";
    {
        std::ofstream out(part, std::ios::binary);
        out << cache_head(key, binary) << binary;
        out.close();
        if (out) fs::rename(part, path, error);
    }
    fs::remove(part, error);
}

Program from_binary(cl_context context, const FoundDevice& found, const std::string& options,
                    const std::string& binary) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    const std::size_t size = binary.size();
    cl_int code = CL_SUCCESS, status = CL_SUCCESS;
    Program program(clCreateProgramWithBinary(context, 1, &found.device, &size, &bytes, &status, &code));
    if (code != CL_SUCCESS || status != CL_SUCCESS) return {};
    if (clBuildProgram(program.get(), 1, &found.device, options.c_str(), nullptr, nullptr) != CL_SUCCESS)
        return {};
    return program;
}

std::string binary_of(cl_program program) {
    std::size_t size = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS)
        return {};
    std::string binary(size, '\0');
    char* bytes = binary.data();
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, static_cast<void*>(&bytes), nullptr) !=
        CL_SUCCESS)
        return {};
    return binary;
}

std::string build_log(cl_program program, cl_device_id device) {
    std::size_t bytes = 0;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) != CL_SUCCESS ||
        bytes == 0)
        return {};
    std::string log(bytes, '\0');
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr) !=
        CL_SUCCESS)
        return {};
    log.resize(std::strlen(log.c_str()));
    return log;
}

Program from_source(cl_context context, const FoundDevice& found, const char* source,
                    const std::string& options) {
    cl_int code = CL_SUCCESS;
    Program program(clCreateProgramWithSource(context, 1, &source, nullptr, &code));
    check(code, "clCreateProgramWithSource");
    code = clBuildProgram(program.get(), 1, &found.device, options.c_str(), nullptr, nullptr);
    if (code != CL_SUCCESS)
        throw Error("clBuildProgram failed with " + code_name(code) + " on " + found.report.description +
                        ":\n" + build_log(program.get(), found.device),
                    "device " + found.report.name);
    return program;
}

} // namespace

Program build_program(cl_context context, const FoundDevice& found, const char* source,
                      const std::string& options) {
    // PoCL keeps a cache of its own, and asking it for a binary makes it compile every kernel there and then
    if (platform_text(found.platform, CL_PLATFORM_NAME) == "Portable Computing Language")
        return from_source(context, found, source, options);

    const std::string key = cache_key(found, source, options);
    const fs::path cached = cache_file(key);
    if (!cached.empty()) {
        const std::string binary = read_cache(cached, key);
        if (!binary.empty()) {
            Program program = from_binary(context, found, options, binary);
            if (program) return program;
        }
    }
    Program program = from_source(context, found, source, options);
    if (!cached.empty()) {
        const std::string binary = binary_of(program.get());
        if (!binary.empty()) write_cache(cached, key, binary);
    }
    return program;
}

} // namespace scree::opencl
