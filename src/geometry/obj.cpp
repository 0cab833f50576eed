// SPDX-License-Identifier: MIT
// obj.cpp — the part of Wavefront's .obj format that describes a surface.
#include "geometry/obj.h"

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

constexpr std::array<std::string_view, 12> passed_over{"vt", "vn",     "vp",     "o", "g", "s",
                                                       "mg", "usemtl", "mtllib", "l", "p", "lod"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// an error quotes what it found, but not a whole binary file
std::string quote(std::string_view word) {
    std::string out = "'";
    for (const char c : word.substr(0, 40)) out += (c >= 32 && c < 127) ? c : '?';
    return out + (word.size() > 40 ? "…'" : "'");
}

// decimal text to a number, the same whatever the locale. Exact up to 15 digits with exponents to 22
std::optional<double> parse_number(std::string_view word) {
    std::size_t i = 0;
    const bool negative = !word.empty() && word[0] == '-';
    if (!word.empty() && (word[0] == '-' || word[0] == '+')) ++i;
    double mantissa = 0;
    int exponent = 0, digits = 0;
    bool any = false;
    const auto take = [&](bool fraction) {
        for (; i < word.size() && is_digit(word[i]); ++i) {
            any = true;
            // past the digits a double can hold only the magnitude matters
            if (digits < 17) {
                mantissa = mantissa * 10 + (word[i] - '0');
                digits += (mantissa > 0) ? 1 : 0;
                exponent -= fraction ? 1 : 0;
            } else {
                exponent += fraction ? 0 : 1;
            }
        }
    };
    take(false);
    if (i < word.size() && word[i] == '.') {
        ++i;
        take(true);
    }
    if (!any) return std::nullopt;
    if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
        ++i;
        const bool minus = i < word.size() && word[i] == '-';
        if (i < word.size() && (word[i] == '-' || word[i] == '+')) ++i;
        if (i == word.size()) return std::nullopt;
        int e = 0;
        for (; i < word.size() && is_digit(word[i]); ++i) e = std::min(e * 10 + (word[i] - '0'), 100000);
        exponent += minus ? -e : e;
    }
    if (i != word.size()) return std::nullopt;
    exponent = mantissa == 0 ? 0 : std::clamp(exponent, -400, 400);
    double power = 1;
    for (int k = 0; k < std::abs(exponent); ++k) power *= 10;
    const double value = exponent < 0 ? mantissa / power : mantissa * power;
    return negative ? -value : value;
}

// whole numbers of up to 18 digits, which is more than any file has vertices
std::optional<std::int64_t> parse_index(std::string_view word) {
    const bool negative = !word.empty() && word[0] == '-';
    if (negative) word.remove_prefix(1);
    if (word.empty() || word.size() > 18 || !std::all_of(word.begin(), word.end(), is_digit))
        return std::nullopt;
    std::int64_t value = 0;
    for (const char c : word) value = value * 10 + (c - '0');
    return negative ? -value : value;
}

class ObjReader {
public:
    explicit ObjReader(const std::string& file) : file_(file) {}

    TriangleMesh read(std::string_view text) {
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
            if (mesh_.triangles[i] >= mesh_.vertices.size())
                throw Error("face names vertex " + std::to_string(std::uint64_t(mesh_.triangles[i]) + 1) +
                                "; the file has " + std::to_string(mesh_.vertices.size()) + " vertices",
                            file_ + ":" + std::to_string(lines_[i / 3]));
        return std::move(mesh_);
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
        else if (std::find(passed_over.begin(), passed_over.end(), words_[0]) == passed_over.end())
            fail(quote(words_[0]) +
                 " is not a statement that can be read; expected v, f, vt, vn, vp, o, g, s, mg, usemtl, "
                 "mtllib, l, p or lod");
    }

    // x y z, perhaps with a weight or a colour behind
    void vertex() {
        if (words_.size() < 4)
            fail("vertex with " + std::to_string(words_.size() - 1) + " numbers; expected three");
        std::array<float, 3> p{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::optional<double> value = parse_number(words_[k + 1]);
            if (!value || std::fabs(*value) > 3e38)
                fail(quote(words_[k + 1]) + " is not a coordinate; expected a finite number");
            p[k] = float(*value);
        }
        mesh_.vertices.push_back({p[0], p[1], p[2]});
    }

    void face() {
        if (words_.size() < 4)
            fail("face with " + std::to_string(words_.size() - 1) + " corners; expected at least three");
        corners_.clear();
        for (std::size_t k = 1; k < words_.size(); ++k) corners_.push_back(corner(words_[k]));
        for (std::size_t k = 2; k < corners_.size(); ++k) {
            mesh_.triangles.insert(mesh_.triangles.end(), {corners_[0], corners_[k - 1], corners_[k]});
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
    TriangleMesh mesh_;
    std::vector<std::size_t> lines_; // of each triangle
    std::vector<std::string_view> words_;
    std::vector<std::uint32_t> corners_;
    std::size_t line_ = 0;
};

} // namespace

TriangleMesh parse_obj(std::string_view text, const std::string& file) { return ObjReader(file).read(text); }

TriangleMesh read_obj(const std::string& file) { return parse_obj(file_text(file), file); }

} // namespace scree
