// SPDX-License-Identifier: MIT
// file_text.cpp — see file_text.h.
#include "text/file_text.h"

#include "scree/error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace scree {

std::string file_text(const std::string& file, std::size_t most) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), &std::fclose);
    if (!in) throw Error(std::string("cannot be opened: ") + std::strerror(errno), file);
    std::string text;
    char chunk[1 << 16];
    while (const std::size_t got = std::fread(chunk, 1, sizeof chunk, in.get())) {
        text.append(chunk, got);
        if (text.size() > most) break;
    }
    if (std::ferror(in.get()) && errno == EISDIR)
        throw Error("cannot be read: this is a folder; expected a file", file);
    if (std::ferror(in.get())) throw Error(std::string("cannot be read: ") + std::strerror(errno), file);
    return text;
}

bool leads_out(const std::string& name) {
    if (name.find_first_of(":\\") != std::string::npos) return true;
    const std::filesystem::path path(name);
    return path.is_absolute() || path.has_root_path() ||
           std::find(path.begin(), path.end(), std::filesystem::path("..")) != path.end();
}

std::string path_beside(const std::string& file, const std::string& name) {
    namespace fs = std::filesystem;
    const auto refuse = [] { throw Error("is outside the folder of the file"); };
    if (name.empty() || name.find('\0') != std::string::npos) throw Error("is not a path");
    if (leads_out(name)) refuse();
    const fs::path folder = fs::path(file).parent_path();
    const fs::path full = folder / name;
    // a link may lead out of the folder as well
    std::error_code error;
    const fs::path real = fs::weakly_canonical(full, error);
    const fs::path home = error ? fs::path() : fs::weakly_canonical(folder.empty() ? "." : folder, error);
    if (error) throw Error("cannot be found: " + error.message());
    if (std::mismatch(home.begin(), home.end(), real.begin(), real.end()).first != home.end()) refuse();
    if (!fs::is_regular_file(real, error)) throw Error("is not a file that can be read");
    return full.string();
}

} // namespace scree
