// SPDX-License-Identifier: MIT
// output_file.h — a file that appears under its name only when it is complete.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace scree {

/// Written as `FILE.partial` and renamed by finish(); without finish() nothing is left behind.
class OutputFile {
public:
    /// Throws Error naming `option` and the file when it cannot be written.
    OutputFile(std::string option, std::string file);
    ~OutputFile();
    OutputFile(OutputFile&&) = delete; // nor copied

    void write(std::string_view text);
    /// Writes `rest` and puts the file in its place.
    void finish(std::string_view rest = {});
    const std::string& name() const { return file_; }
    /// For another program that writes it.
    const std::string& temporary() const { return temporary_; }

private:
    [[noreturn]] void fail(const std::string& what) const;

    std::string option_, file_, temporary_;
    std::FILE* out_ = nullptr;
};

/// A whole file at once.
void write_file(const std::string& option, const std::string& file, std::string_view text);

} // namespace scree
