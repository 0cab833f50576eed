// SPDX-License-Identifier: MIT
// xml.cpp — see xml.h.
#include "level/xml.h"

#include "geometry/mesh_text.h"
#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace scree {
namespace {

constexpr std::pair<char, std::string_view> escapes[] = {{'&', "&amp;"},  {'<', "&lt;"},    {'>', "&gt;"},
                                                         {'"', "&quot;"}, {'\'', "&apos;"}, {'\n', "&#10;"}};

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

} // namespace

void XmlReader::fail(const std::string& what) const {
    throw Error(what, file_ + ":" + std::to_string(line_));
}

void XmlReader::skip_blanks() {
    for (; at_ < text_.size() && blank(text_[at_]); ++at_) line_ += text_[at_] == '\n';
}

void XmlReader::skip_to(std::string_view end, const char* what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail(std::string(what) + " is not closed");
    line_ += static_cast<std::uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(found), '\n'));
    at_ = found + end.size();
}

std::string XmlReader::word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && of_name(text_[at_])) ++at_;
    if (at_ == begin) fail("expected a name, found " + quote(text_.substr(at_, 1)));
    return std::string(text_.substr(begin, at_ - begin));
}

bool XmlReader::next() {
    if (ends_itself_) { // <name/> begins and ends
        ends_itself_ = false;
        begins_ = false;
        open_.pop_back();
        return true;
    }
    for (;;) {
        skip_blanks();
        if (at_ == text_.size()) {
            if (!open_.empty()) fail("the element " + quote(open_.back()) + " is not closed");
            return false;
        }
        if (text_[at_] != '<') fail("expected <, found " + quote(text_.substr(at_, 1)));
        if (text_.substr(at_, 4) == "<!--") skip_to("-->", "a comment");
        else if (text_.substr(at_, 2) == "<?") skip_to("?>", "a declaration");
        else break;
    }
    ++at_;
    begins_ = at_ >= text_.size() || text_[at_] != '/';
    if (!begins_) {
        ++at_;
        name_ = word();
        if (open_.empty() || open_.back() != name_)
            fail("</" + name_ + "> closes " + (open_.empty() ? "nothing" : "<" + open_.back() + ">"));
        open_.pop_back();
        skip_blanks();
        if (at_ == text_.size() || text_[at_] != '>') fail("expected > after </" + name_);
        ++at_;
        return true;
    }
    name_ = word();
    open_.push_back(name_);
    attributes();
    return true;
}

void XmlReader::attributes() {
    attributes_.clear();
    for (;;) {
        skip_blanks();
        if (at_ == text_.size()) fail("the tag <" + name_ + " is not closed");
        if (text_[at_] == '>') {
            ++at_;
            return;
        }
        if (text_.substr(at_, 2) == "/>") {
            at_ += 2;
            ends_itself_ = true;
            return;
        }
        std::string key = word();
        skip_blanks();
        if (text_.substr(at_, 2) != "=\"") fail("expected =\" after the attribute " + quote(key));
        at_ += 2;
        const std::size_t end = text_.find('"', at_);
        if (end == std::string_view::npos) fail("the attribute " + quote(key) + " is not closed");
        const std::string_view raw = text_.substr(at_, end - at_);
        attributes_.emplace_back(std::move(key), unescaped(raw));
        line_ += static_cast<std::uint32_t>(std::count(raw.begin(), raw.end(), '\n'));
        at_ = end + 1;
    }
}

std::string XmlReader::unescaped(std::string_view raw) const {
    std::string out;
    for (std::size_t i = 0; i < raw.size();) {
        if (raw[i] != '&') {
            out += raw[i++];
            continue;
        }
        const auto* known = std::find_if(std::begin(escapes), std::end(escapes), [&](const auto& one) {
            return raw.substr(i, one.second.size()) == one.second;
        });
        if (known == std::end(escapes)) fail("unknown character " + quote(raw.substr(i, 8)));
        out += known->first;
        i += known->second.size();
    }
    return out;
}

const std::string& XmlReader::text(std::string_view attribute) const {
    for (const auto& [key, value] : attributes_)
        if (key == attribute) return value;
    fail("<" + name_ + "> has no attribute " + quote(attribute));
}

std::uint32_t XmlReader::whole(std::string_view attribute) const {
    const std::string& value = text(attribute);
    const auto number = parse_index(value);
    if (!number || *number < 0 || *number > 0x7fffffff)
        fail("the attribute " + quote(attribute) + " is " + quote(value) + ": expected a whole number");
    return static_cast<std::uint32_t>(*number);
}

bool XmlReader::flag(std::string_view attribute) const {
    const std::uint32_t value = whole(attribute);
    if (value > 1)
        fail("the attribute " + quote(attribute) + " is " + std::to_string(value) + ": expected 0 or 1");
    return value == 1;
}

void XmlReader::read_numbers(std::string_view attribute, double* out, std::size_t count) const {
    const std::string& value = text(attribute);
    const char* at = value.c_str();
    for (std::size_t i = 0; i < count; ++i) {
        char* end = nullptr;
        out[i] = std::strtod(at, &end);
        if (end == at || !std::isfinite(out[i]))
            fail("the attribute " + quote(attribute) + " is " + quote(value) + ": expected " +
                 std::to_string(count) + " numbers");
        at = end;
    }
    while (blank(*at)) ++at;
    if (*at != 0)
        fail("the attribute " + quote(attribute) + " is " + quote(value) + ": expected " +
             std::to_string(count) + " numbers");
}

std::string xml_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto* known = std::find_if(std::begin(escapes), std::end(escapes),
                                         [&](const auto& one) { return one.first == c; });
        if (known == std::end(escapes)) out += c;
        else out += known->second;
    }
    return out;
}

std::string xml_numbers(const double* values, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
        char digits[40];
        // the shortest of three that reads back the same
        for (const int precision : {9, 15, 17}) {
            std::snprintf(digits, sizeof digits, "%.*g", precision, values[i]);
            if (std::strtod(digits, nullptr) == values[i]) break;
        }
        if (i > 0) out += ' ';
        out += digits;
    }
    return out;
}

} // namespace scree
