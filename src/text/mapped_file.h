// SPDX-License-Identifier: MIT
// mapped_file.h — a file's bytes, mapped into memory where the system can, read elsewhere.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace scree {

/// For files that are replaced as a whole: one that is cut while it is mapped ends the program that looks at it.
class MappedFile {
public:
    /// Throws Error with the system's reason, also for a folder. Of a file that is not mapped, no more than a little beyond `most`
    /// bytes are read.
    MappedFile(const std::string& file, std::size_t most);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const;
    bool mapped() const { return pages_ != nullptr; }

private:
    void map(const std::string& file, std::size_t most);

    void* pages_ = nullptr;
    std::size_t size_ = 0;
    std::string text_; ///< of a file that is not mapped
};

} // namespace scree
