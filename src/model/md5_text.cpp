// SPDX-License-Identifier: MIT
// md5_text.cpp — see md5_text.h.
#include "model/md5_text.h"

#include "geometry/mesh_text.h"
#include "scree/error.h"
#include "text/blanks.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

bool is_mark(char c) { return c == '(' || c == ')' || c == '{' || c == '}' || c == '"'; }

} // namespace

Md5Text::Md5Text(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = line_start_ = 3;
}

void Md5Text::fail(const std::string& what, const Md5Token& at) const {
    throw Error(what, file_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column));
}

void Md5Text::skip() { skip_blanks(text_, at_, line_, line_start_); }

Md5Token Md5Text::take() {
    skip();
    // columns count bytes: what stands before a fault is ASCII in these files
    last_ = {{}, false, line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
    if (at_ == text_.size()) return last_;
    if (text_[at_] == '"') {
        const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
        if (end == std::string_view::npos || text_[end] == '\n')
            fail("a string without an end; expected \" before the end of the line");
        last_.text = text_.substr(at_ + 1, end - at_ - 1);
        last_.quoted = true;
        at_ = end + 1;
        return last_;
    }
    std::size_t end = at_ + 1;
    if (!is_mark(text_[at_]))
        while (end < text_.size() && !is_blank(text_[end]) && !is_mark(text_[end])) ++end;
    last_.text = text_.substr(at_, end - at_);
    at_ = end;
    return last_;
}

void Md5Text::expect(std::string_view word) {
    const Md5Token token = take();
    if (token.is(word)) return;
    if (token.ends()) fail("the file ends; expected '" + std::string(word) + "'");
    fail(quote(token.text) + "; expected '" + std::string(word) + "'");
}

std::string Md5Text::name(const char* of) {
    const Md5Token token = take();
    if (token.ends()) fail(std::string("the file ends; expected ") + of);
    if (!token.quoted && is_mark(token.text[0])) fail(quote(token.text) + "; expected " + of);
    return std::string(token.text);
}

double Md5Text::number(const char* of) {
    const Md5Token token = take();
    if (token.ends()) fail(std::string("the file ends; expected ") + of);
    const auto value = token.quoted ? std::nullopt : parse_decimal(token.text);
    if (!value || !is_coordinate(*value))
        fail(quote(token.text) + " is not " + of + "; expected a finite number");
    return *value;
}

std::int64_t Md5Text::whole(const char* of, std::int64_t low, std::int64_t high) {
    const Md5Token token = take();
    if (token.ends()) fail(std::string("the file ends; expected ") + of);
    const auto value = token.quoted ? std::nullopt : parse_index(token.text);
    if (!value || *value < low || *value > high)
        fail(quote(token.text) + " is not " + of + "; expected a whole number from " + std::to_string(low) +
             " to " + std::to_string(high));
    return *value;
}

std::size_t Md5Text::count(const char* of, std::size_t most, std::size_t bytes) {
    const Md5Token token = take();
    const auto value = token.quoted ? std::nullopt : parse_index(token.text);
    if (!value || *value < 0)
        fail(token.ends() ? std::string("the file ends; expected ") + of
                          : quote(token.text) + " is not " + of + "; expected a whole number from 0");
    const auto n = static_cast<std::size_t>(*value);
    if (n > most)
        fail(count_text(n) + " is too many for " + of + "; at most " + count_text(most) + " are read");
    if (n > left() / bytes + 1)
        fail(count_text(n) + " is too many for " + of + ": the file has " + count_text(left()) +
             " bytes left");
    return n;
}

Vec3 Md5Text::vector(const char* of) {
    expect("(");
    Vec3 out;
    for (float* part : {&out.x, &out.y, &out.z}) *part = static_cast<float>(number(of));
    expect(")");
    return out;
}

Quat Md5Text::rotation(const char* of) {
    expect("(");
    const Md5Token start = last_;
    double part[3];
    for (double& one : part) one = number(of);
    expect(")");
    Quat out;
    if (!md5_rotation(part[0], part[1], part[2], out))
        fail(std::string("is too long for ") + of +
                 "; expected the vector of a unit quaternion, whose length is at most 1",
             start);
    return out;
}

bool md5_rotation(double x, double y, double z, Quat& out) {
    const double square = x * x + y * y + z * z;
    if (!(square < 1.01)) return false;
    out = narrow(normalized(DQuat{x, y, z, -std::sqrt(std::max(0.0, 1 - square))}));
    return true;
}

} // namespace scree
