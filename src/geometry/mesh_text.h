// SPDX-License-Identifier: MIT
// mesh_text.h — numbers and words of mesh files in text form, and the parts that all readers share.
#pragma once

#include "scree/mesh_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scree {

/// Decimal text to a number, the same whatever the locale; exact up to 15 digits with exponents to 22.
std::optional<double> parse_decimal(std::string_view word);
/// Whole numbers of up to 18 digits, which is more than any file has vertices.
std::optional<std::int64_t> parse_index(std::string_view word);
/// What was found, for an error; of a binary file not all.
std::string quote(std::string_view word);

/// Whether a coordinate can be a float.
bool is_coordinate(double value);

/// Words of a text with the number of their line.
class WordReader {
public:
    WordReader(std::string_view text, const std::string& file) : text_(text), file_(&file) {}

    /// The next word, on this line or a later one; empty at the end.
    std::string_view next();
    /// The rest of the line, without blanks at its ends, from the end of the last word on.
    std::string_view rest_of_line();
    std::size_t left() const { return text_.size() - at_; }
    /// A finite coordinate.
    double coordinate(const char* of);
    [[noreturn]] void fail(const std::string& what) const;

private:
    std::string_view text_;
    const std::string* file_;
    std::size_t at_ = 0, line_ = 1;
};

/// A mesh that refuses to grow beyond the limits of the options.
class MeshMaker {
public:
    MeshMaker(const std::string& file, const MeshFileOptions& options) : file_(&file), options_(&options) {}

    const std::string& file() const { return *file_; }
    const MeshFileOptions& options() const { return *options_; }
    TriangleMesh& mesh() { return mesh_; }

    /// Before anything is reserved: throws Error if that many more are too many.
    void expect_vertices(std::uint64_t count) const;
    void expect_triangles(std::uint64_t count) const;
    void vertex(Vec3 at);
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
    /// Names the part or the material of the triangles to come.
    void part(std::string_view name);
    void material(std::string_view name);
    /// Checks what only the whole can tell, scales, and hands over.
    TriangleMesh finish();

private:
    const std::string* file_;
    const MeshFileOptions* options_;
    TriangleMesh mesh_;
    std::uint32_t part_ = 0, material_ = 0;
};

void read_obj(std::string_view text, MeshMaker& out);
void read_stl(std::string_view bytes, MeshMaker& out);
void read_ply(std::string_view bytes, MeshMaker& out);
void read_gltf(std::string_view bytes, MeshMaker& out);

} // namespace scree
