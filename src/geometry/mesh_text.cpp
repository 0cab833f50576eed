// SPDX-License-Identifier: MIT
// mesh_text.cpp — see mesh_text.h.
#include "geometry/mesh_text.h"

#include "scree/error.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace scree {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::uint32_t entry(std::vector<std::string>& names, std::string_view name) {
    // the last ones first: files come back to a material soon or never
    const std::size_t oldest = names.size() > 63 ? names.size() - 63 : 0;
    for (std::size_t i = names.size(); i > oldest; --i)
        if (names[i - 1] == name) return static_cast<std::uint32_t>(i - 1);
    names.emplace_back(name);
    return static_cast<std::uint32_t>(names.size() - 1);
}

void expect_room(std::uint64_t there, std::uint64_t more, std::size_t most, const char* what,
                 const std::string& file) {
    if (more > most || there > most - more)
        throw Error(count_text(there + std::min(more, ~there)) + " " + what + "; at most " +
                        count_text(most) + " are read",
                    file);
}

} // namespace

std::optional<double> parse_decimal(std::string_view word) {
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

std::optional<std::int64_t> parse_index(std::string_view word) {
    const bool negative = !word.empty() && word[0] == '-';
    if (negative) word.remove_prefix(1);
    if (word.empty() || word.size() > 18 || !std::all_of(word.begin(), word.end(), is_digit))
        return std::nullopt;
    std::int64_t value = 0;
    for (const char c : word) value = value * 10 + (c - '0');
    return negative ? -value : value;
}

std::string quote(std::string_view word) {
    std::string out = "'";
    for (const char c : word.substr(0, 40)) out += (c >= 32 && c < 127) ? c : '?';
    return out + (word.size() > 40 ? "…'" : "'");
}

bool is_coordinate(double value) { return std::fabs(value) <= 3e38; }

std::string_view WordReader::next() {
    for (; at_ < text_.size(); ++at_) {
        if (text_[at_] == '\n') ++line_;
        else if (blanks.find(text_[at_]) == std::string_view::npos) break;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '\n' && blanks.find(text_[at_]) == std::string_view::npos)
        ++at_;
    return text_.substr(begin, at_ - begin);
}

std::string_view WordReader::rest_of_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view rest = text_.substr(at_, end - at_);
    at_ = end;
    const std::size_t first = rest.find_first_not_of(blanks), last = rest.find_last_not_of(blanks);
    return first == std::string_view::npos ? std::string_view() : rest.substr(first, last - first + 1);
}

double WordReader::coordinate(const char* of) {
    const std::string_view word = next();
    if (word.empty()) fail(std::string("the file ends within ") + of + "; expected a coordinate");
    const std::optional<double> value = parse_decimal(word);
    if (!value || !is_coordinate(*value))
        fail(quote(word) + " is not a coordinate; expected a finite number");
    return *value;
}

void WordReader::fail(const std::string& what) const {
    throw Error(what, *file_ + ":" + std::to_string(line_));
}

void MeshMaker::expect_vertices(std::uint64_t count) const {
    expect_room(mesh_.vertices.size(), count, options_->max_vertices, "vertices", *file_);
}

void MeshMaker::expect_triangles(std::uint64_t count) const {
    expect_room(mesh_.triangles.size(), count, options_->max_triangles, "triangles", *file_);
}

void MeshMaker::vertex(Vec3 at) {
    expect_vertices(1);
    mesh_.vertices.push_back(at);
}

void MeshMaker::triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    expect_triangles(1);
    mesh_.triangles.push_back({a, b, c});
    if (!mesh_.parts.empty()) mesh_.triangle_parts.push_back(part_);
    if (!mesh_.materials.empty()) mesh_.triangle_materials.push_back(material_);
}

void MeshMaker::part(std::string_view name) {
    // triangles before the first name belong to a part without one
    if (mesh_.parts.empty() && !mesh_.triangles.empty()) {
        mesh_.parts.emplace_back();
        mesh_.triangle_parts.assign(mesh_.triangles.size(), 0);
    }
    part_ = entry(mesh_.parts, name);
}

void MeshMaker::material(std::string_view name) {
    if (mesh_.materials.empty() && !mesh_.triangles.empty()) {
        mesh_.materials.emplace_back();
        mesh_.triangle_materials.assign(mesh_.triangles.size(), 0);
    }
    material_ = entry(mesh_.materials, name);
}

TriangleMesh MeshMaker::finish() {
    if (mesh_.triangles.empty()) throw Error("holds no triangles", *file_);
    if (const float scale = options_->scale; scale != 1)
        for (Vec3& v : mesh_.vertices) v *= scale;
    check_mesh(mesh_, *file_);
    return std::move(mesh_);
}

} // namespace scree
