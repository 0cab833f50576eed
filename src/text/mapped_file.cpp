// SPDX-License-Identifier: MIT
// mapped_file.cpp — see mapped_file.h.
#include "text/mapped_file.h"

#include "text/file_text.h"

#include <cstdint>

#if __has_include(<sys/mman.h>) && !defined(__EMSCRIPTEN__)
#define SCREE_MAPS_FILES 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace scree {

#if defined(SCREE_MAPS_FILES)
void MappedFile::map(const std::string& file, std::size_t most) {
    const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    struct stat status{};
    if (fstat(opened, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
        static_cast<std::uint64_t>(status.st_size) <= most) {
        const auto size = static_cast<std::size_t>(status.st_size);
        int flags = MAP_PRIVATE;
#if defined(MAP_POPULATE)
        flags |= MAP_POPULATE; // all of it is looked at
#endif
        void* pages = mmap(nullptr, size, PROT_READ, flags, opened, 0);
        if (pages != MAP_FAILED) pages_ = pages, size_ = size;
    }
    close(opened);
}
#endif

MappedFile::MappedFile(const std::string& file, std::size_t most) {
#if defined(SCREE_MAPS_FILES)
    // looked at by name first: a pipe may be opened once only
    struct stat status{};
    if (stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode)) map(file, most);
#endif
    if (!pages_) text_ = file_text(file, most); // pipes, empty files and what is wrong with the others
}

MappedFile::~MappedFile() {
#if defined(SCREE_MAPS_FILES)
    if (pages_) munmap(pages_, size_);
#endif
}

std::span<const std::byte> MappedFile::bytes() const {
    if (pages_) return {static_cast<const std::byte*>(pages_), size_};
    return {reinterpret_cast<const std::byte*>(text_.data()), text_.size()};
}

} // namespace scree
