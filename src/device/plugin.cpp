// SPDX-License-Identifier: MIT
// plugin.cpp — finds and loads the CUDA plug-in; the only file that loads code at run time.
#include "device/plugin.h"

#include "scree/error.h"

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#elif !defined(__EMSCRIPTEN__)
#include <dlfcn.h>
#endif

namespace scree {
namespace {

namespace fs = std::filesystem;

using Open = Device*(int index, const char* abi, char* error, std::size_t error_size);
using List = int(const char* abi, std::vector<DeviceReport>* reports, char* error, std::size_t error_size);

struct Plugin {
    Open* open = nullptr;
    List* list = nullptr;
    std::string reason; ///< why there is none
};

// the platform: the executable's folder, a library, a function in it ----------------------------------------

#if defined(_WIN32)

constexpr const char* plugin_file = "scree_cuda.dll";
constexpr char list_separator = ';';

fs::path executable_folder() {
    std::wstring path(32768, L'\0');
    path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
    return fs::path(path).parent_path();
}

void* load(const fs::path& path, std::string& reason) {
    HMODULE library = LoadLibraryW(path.c_str());
    if (library == nullptr) reason = std::system_category().message(static_cast<int>(GetLastError()));
    return reinterpret_cast<void*>(library);
}

void* symbol(void* library, const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(reinterpret_cast<HMODULE>(library), name));
}

#elif !defined(__EMSCRIPTEN__)

constexpr const char* plugin_file = "scree_cuda.so";
constexpr char list_separator = ':';

/// empty where the system does not tell
fs::path executable_folder() {
    std::error_code fault;
    return fs::read_symlink("/proc/self/exe", fault).parent_path();
}

void* load(const fs::path& path, std::string& reason) {
    // unresolved symbols show now rather than in the first call; the plug-in's own stay out of everybody's way
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* text = dlerror();
        reason = text != nullptr ? text : "dlopen failed";
    }
    return library;
}

void* symbol(void* library, const char* name) { return dlsym(library, name); }

#endif

#if !defined(__EMSCRIPTEN__)

std::vector<fs::path> plugin_folders() {
    std::vector<fs::path> folders;
    if (const char* variable = std::getenv("SCREE_PLUGIN_PATH")) {
        std::string rest = variable;
        while (!rest.empty()) {
            const std::size_t end = rest.find(list_separator);
            if (end != 0) folders.emplace_back(rest.substr(0, end));
            rest = end == std::string::npos ? std::string() : rest.substr(end + 1);
        }
    }
    if (const fs::path here = executable_folder(); !here.empty()) {
        folders.push_back(here);
        folders.push_back((here / ".." / "lib" / "scree").lexically_normal());
    }
#if defined(SCREE_PLUGIN_DIR)
    folders.emplace_back(SCREE_PLUGIN_DIR);
#endif
    return folders;
}

Plugin load_plugin() {
    Plugin plugin;
    std::string looked;
    for (const fs::path& folder : plugin_folders()) {
        const fs::path path = folder / plugin_file;
        std::error_code fault;
        if (!fs::exists(path, fault)) {
            looked += (looked.empty() ? "" : ", ") + folder.string();
            continue;
        }
        // the first one found is meant: a later one would hide that this one is broken
        void* library = load(path, plugin.reason);
        if (library == nullptr) return plugin;
        plugin.open = reinterpret_cast<Open*>(symbol(library, "scree_cuda_open"));
        plugin.list = reinterpret_cast<List*>(symbol(library, "scree_cuda_list"));
        if (plugin.open == nullptr || plugin.list == nullptr)
            return {nullptr, nullptr,
                    path.string() + " is not a Scree plug-in: scree_cuda_open or scree_cuda_list is missing"};
        return plugin;
    }
    plugin.reason =
        "no CUDA plug-in (scree_cuda.so) in " + looked +
        ": install the CUDA toolkit (nvcc), then cmake --preset release && cmake --build --preset release; "
        "a plug-in elsewhere is found through SCREE_PLUGIN_PATH";
    return plugin;
}

#else

Plugin load_plugin() { return {nullptr, nullptr, "plug-ins are not supported on the web"}; }

#endif

/// Loaded once and never unloaded: the driver's threads may still run in it when the program ends.
const Plugin& cuda_plugin() {
    static const Plugin plugin = load_plugin();
    return plugin;
}

DeviceReport missing(std::string reason) {
    DeviceReport report;
    report.name = "cuda";
    report.description = "NVIDIA GPU";
    report.reason = std::move(reason);
    return report;
}

} // namespace

std::vector<DeviceReport> list_cuda_devices() {
    try {
        const Plugin& plugin = cuda_plugin();
        if (plugin.list == nullptr) return {missing(plugin.reason)};
        std::vector<DeviceReport> reports;
        char error[512] = "no CUDA device";
        const int count = plugin.list(plugin_abi().c_str(), &reports, error, sizeof error);
        if (count <= 0) return {missing(error)};
        return reports;
    } catch (const std::exception& fault) {
        return {missing(fault.what())};
    }
}

std::unique_ptr<Device> open_cuda_device(int index) {
    const std::string name = "cuda:" + std::to_string(index);
    const Plugin& plugin = cuda_plugin();
    if (plugin.open == nullptr) throw Error(plugin.reason, name);
    char error[512] = "no reason was given";
    Device* device = plugin.open(index, plugin_abi().c_str(), error, sizeof error);
    if (device == nullptr) throw Error(error, name);
    return std::unique_ptr<Device>(device);
}

} // namespace scree
