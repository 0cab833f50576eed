// SPDX-License-Identifier: MIT
// output_file.cpp — see output_file.h.

#include "output_file.h"

#include "scree/error.h"
#include "text.h"
#include "text/partial_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace scree {

void OutputFile::fail(const std::string& what) const {
    const int code = errno;
    throw Error("\"" + printable(file_) + "\" " + what +
                    (code ? std::string(": ") + std::strerror(code) : ""),
                option_);
}

OutputFile::OutputFile(std::string option, std::string file)
    : option_(std::move(option)), file_(std::move(file)) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file_, ignored)) {
        errno = 0;
        fail("is a folder; expected the name of a file");
    }
    PartialFile partial = open_partial(file_);
    out_ = partial.out;
    temporary_ = std::move(partial.name);
    if (!out_) fail("cannot be written");
}

OutputFile::~OutputFile() {
    if (out_) std::fclose(out_);
    if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), out_) != text.size()) fail("cannot be written further");
}

void OutputFile::finish(std::string_view rest) {
    write(rest);
    errno = 0;
    if (std::fclose(std::exchange(out_, nullptr)) != 0) fail("cannot be written to its end");
    std::error_code error;
    std::filesystem::rename(temporary_, file_, error);
    if (error) {
        errno = error.value();
        fail("cannot be put in its place");
    }
    temporary_.clear();
}

void write_file(const std::string& option, const std::string& file, std::string_view text) {
    OutputFile(option, file).finish(text);
}

} // namespace scree
