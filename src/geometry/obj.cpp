// SPDX-License-Identifier: MIT
// obj.cpp — the part of Wavefront's .obj format that describes a surface.
#include "geometry/obj.h"

#include "geometry/mesh_text.h"
#include "scree/error.h"
#include "text/file_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

namespace scree {
namespace {

constexpr std::array<std::string_view, 9> passed_over{"vt", "vn", "vp", "s", "mg", "mtllib", "l", "p", "lod"};

class ObjReader {
public:
    explicit ObjReader(MeshMaker& out) : file_(out.file()), out_(out), mesh_(out.mesh()) {}

    void read(std::string_view text) {
        std::string joined;
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            std::string_view line = text.substr(0, end);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
            ++line_;
            if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
            // a backslash continues the statement on the next line
            const bool more = !line.empty() && line.back() == '\\' && !text.empty();
            if (more) line.remove_suffix(1);
            if (more || !joined.empty()) {
                joined.append(line).push_back(' ');
                if (more) continue;
                line = joined;
            }
            statement(line);
            joined.clear();
        }
        if (mesh_.triangles.empty()) throw Error("holds no faces; expected at least one 'f' line", file_);
        // an index may name a vertex that comes later, so the upper end is known only now
        for (std::size_t i = 0; i < mesh_.triangles.size(); ++i)
            for (const std::uint32_t v : mesh_.triangles[i])
                if (v >= mesh_.vertices.size())
                    throw Error("face names vertex " + std::to_string(std::uint64_t(v) + 1) +
                                    "; the file has " + std::to_string(mesh_.vertices.size()) + " vertices",
                                file_ + ":" + std::to_string(lines_[i]));
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(what, file_ + ":" + std::to_string(line_));
    }

    void statement(std::string_view line) {
        words_.clear();
        line = line.substr(0, line.find('#'));
        for (std::size_t i = 0; i < line.size();) {
            const std::size_t begin = line.find_first_not_of(" \t\v\f", i);
            if (begin == std::string_view::npos) break;
            const std::size_t end = std::min(line.find_first_of(" \t\v\f", begin), line.size());
            words_.push_back(line.substr(begin, end - begin));
            i = end;
        }
        if (words_.empty()) return;
        if (words_[0] == "v") vertex();
        else if (words_[0] == "f") face();
        else if (words_[0] == "o" || words_[0] == "g") out_.part(rest());
        else if (words_[0] == "usemtl") out_.material(rest());
        else if (std::find(passed_over.begin(), passed_over.end(), words_[0]) == passed_over.end())
            fail(quote(words_[0]) +
                 " is not a statement that can be read; expected v, f, vt, vn, vp, o, g, s, mg, usemtl, "
                 "mtllib, l, p or lod");
    }

    // what follows the keyword: a name may hold blanks
    std::string_view rest() const {
        if (words_.size() < 2) return {};
        const std::string_view first = words_[1], last = words_.back();
        const char *begin = first.data(), *end = last.data() + last.size(); // both of the same line
        return {begin, static_cast<std::size_t>(end - begin)};
    }

    // x y z, perhaps with a weight or a colour behind
    void vertex() {
        if (words_.size() < 4)
            fail("vertex with " + std::to_string(words_.size() - 1) + " numbers; expected three");
        std::array<float, 3> p{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::optional<double> value = parse_decimal(words_[k + 1]);
            if (!value || !is_coordinate(*value))
                fail(quote(words_[k + 1]) + " is not a coordinate; expected a finite number");
            p[k] = float(*value);
        }
        out_.vertex({p[0], p[1], p[2]});
    }

    void face() {
        if (words_.size() < 4)
            fail("face with " + std::to_string(words_.size() - 1) + " corners; expected at least three");
        corners_.clear();
        for (std::size_t k = 1; k < words_.size(); ++k) corners_.push_back(corner(words_[k]));
        for (std::size_t k = 2; k < corners_.size(); ++k) {
            out_.triangle(corners_[0], corners_[k - 1], corners_[k]);
            lines_.push_back(line_);
        }
    }

    // v, v/vt, v//vn or v/vt/vn; counted from 1, or backwards from the last vertex so far
    std::uint32_t corner(std::string_view word) const {
        const std::optional<std::int64_t> index = parse_index(word.substr(0, word.find('/')));
        if (!index)
            fail(quote(word) + " is not a corner of a face; expected a vertex number, as in 3 or 3/1/2");
        if (*index == 0) fail("face names vertex 0; vertices are counted from 1");
        const std::int64_t count = std::int64_t(mesh_.vertices.size());
        const std::int64_t v = *index > 0 ? *index - 1 : count + *index;
        if (v < 0)
            fail("face names vertex " + std::to_string(*index) + "; only " + std::to_string(count) +
                 " vertices come before it");
        if (v >= std::int64_t(0xffffffff))
            fail("face names vertex " + std::to_string(*index) + "; at most 4294967295 vertices can be read");
        return std::uint32_t(v);
    }

    const std::string& file_;
    MeshMaker& out_;
    TriangleMesh& mesh_;
    std::vector<std::size_t> lines_; // of each triangle
    std::vector<std::string_view> words_;
    std::vector<std::uint32_t> corners_;
    std::size_t line_ = 0;
};

} // namespace

void read_obj(std::string_view text, MeshMaker& out) { ObjReader(out).read(text); }

TriangleMesh parse_obj(std::string_view text, const std::string& file) {
    return parse_mesh(text, file, {.format = MeshFormat::obj, .max_bytes = static_cast<std::size_t>(-1)});
}

TriangleMesh read_obj(const std::string& file) { return parse_obj(file_text(file), file); }

} // namespace scree
