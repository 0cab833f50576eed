// SPDX-License-Identifier: MIT
// temporary_folder.h — a folder that is gone after the test, and whole files to and from strings.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <system_error>

namespace scree::testing {

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::random_device random;
        path_ = std::filesystem::temp_directory_path() /
                ("scree-" + std::to_string(random()) + std::to_string(random()));
        std::filesystem::create_directories(path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string file(const std::string& name) const { return (path_ / name).string(); }
    std::size_t file_count() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
    }

private:
    std::filesystem::path path_;
};

inline std::string file_bytes(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
}

/// The lines of a text that hold a word: what a regular expression looks for in them alone it finds much sooner.
inline std::string lines_with(const std::string& word, const std::string& text) {
    std::string lines;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
        const std::size_t before = text.rfind('\n', at), end = std::min(text.find('\n', at), text.size());
        const std::size_t begin = before == std::string::npos ? 0 : before + 1;
        lines += text.substr(begin, end - begin) + '\n';
        at = end;
    }
    return lines;
}

} // namespace scree::testing
