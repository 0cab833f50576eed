// SPDX-License-Identifier: MIT
// file_text.cpp — see file_text.h.
#include "text/file_text.h"

#include "scree/error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
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

} // namespace scree
