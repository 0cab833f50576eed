// SPDX-License-Identifier: MIT
// files.cpp — see files.h.
#include "scene/files.h"

#include "scree/error.h"
#include "text/file_text.h"

#include <algorithm>

namespace scree {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30; // a recording keeps the file

/// One that was found before, or that the caller gave; null: neither.
const SceneFile* given_file(const std::string& name, const SceneOptions& options,
                            std::vector<SceneFile>& files) {
    const auto named = [&](const SceneFile& file) { return file.name == name; };
    if (const auto known = std::find_if(files.begin(), files.end(), named); known != files.end())
        return &*known;
    const auto given = std::find_if(options.files.begin(), options.files.end(), named);
    return given == options.files.end() ? nullptr : &files.emplace_back(*given);
}

} // namespace

const SceneFile& find_file(const Field& field, const SceneOptions& options, std::vector<SceneFile>& files) {
    return find_file(field, field.text(), options, files);
}

const SceneFile* seek_file(const Field& field, const std::string& name, const SceneOptions& options,
                           std::vector<SceneFile>& files) {
    if (const SceneFile* file = given_file(name, options, files)) return file;
    if (!options.read_files) return nullptr;
    try {
        path_beside(field.file(), name);
    } catch (const Error&) {
        return nullptr;
    }
    return &find_file(field, name, options, files);
}

const SceneFile& find_file(const Field& field, const std::string& name, const SceneOptions& options,
                           std::vector<SceneFile>& files) {
    if (const SceneFile* file = given_file(name, options, files)) return *file;
    if (!options.read_files) field.fail("mesh files are not read here");
    std::string path;
    try {
        path = path_beside(field.file(), name);
    } catch (const Error& error) {
        field.fail("the file " + json::quoted(name) + " " + error.what());
    }
    SceneFile file{name, file_text(path, most_bytes)};
    if (file.bytes.size() > most_bytes) field.fail("the file " + json::quoted(name) + " has more than 1 GiB");
    return files.emplace_back(std::move(file));
}

} // namespace scree
