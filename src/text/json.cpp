// SPDX-License-Identifier: MIT
// json.cpp — recursive descent over the text; see json.h.
#include "text/json.h"

#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace scree::json {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Length of the well-formed UTF-8 sequence at the start of `s`, 0 if there is none (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view s) {
    auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
    auto tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    unsigned a = byte(0), b = byte(1);
    if (a < 0x80) return s.empty() ? 0 : 1;
    if (a >= 0xC2 && a <= 0xDF) return tail(1) ? 2 : 0;
    if (a >= 0xE0 && a <= 0xEF) {
        bool overlong = a == 0xE0 && b < 0xA0, surrogate = a == 0xED && b > 0x9F;
        return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (a >= 0xF0 && a <= 0xF4) {
        bool overlong = a == 0xF0 && b < 0x90, beyond = a == 0xF4 && b > 0x8F;
        return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

void append_utf8(std::string& out, std::uint32_t code) {
    auto put = [&](std::uint32_t bits) {
        out.push_back(static_cast<char>(static_cast<unsigned char>(bits)));
    };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)),
            put(0x80 | (code & 0x3F));
    }
}

class Parser {
public:
    Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Value document() {
        if (text_.size() > max_bytes)
            throw Error(std::to_string(text_.size()) + " bytes are too many; expected at most " +
                            std::to_string(max_bytes),
                        file_);
        if (text_.substr(0, 3) == "\xEF\xBB\xBF")
            at_ = 3, line_start_ = 3; // a byte order mark is no part of the text
        Value value = read_value(0);
        skip_space();
        if (at_ < text_.size()) fail("the end of the file");
        return value;
    }

private:
    [[noreturn]] void fail(const std::string& expected) const { fail_at(at_, expected); }

    /// `at` is on the current line.
    [[noreturn]] void fail_at(std::size_t at, const std::string& expected) const {
        std::string found = "end of the file";
        if (at < text_.size()) {
            auto c = static_cast<unsigned char>(text_[at]);
            std::size_t length = utf8_length(text_.substr(at));
            char code[24];
            std::snprintf(code, sizeof code, "byte 0x%02X", static_cast<unsigned>(c));
            if (c == '\n' || c == '\r') found = "end of the line";
            else if (c < 0x20 || c == 0x7F || length == 0) found = code;
            else found = "'" + std::string(text_.substr(at, length)) + "'";
        }
        throw Error("unexpected " + found + ": expected " + expected, place(at));
    }

    std::uint32_t column(std::size_t at) const {
        std::uint32_t characters = 1;
        for (std::size_t i = line_start_; i < at; ++i)
            if ((static_cast<unsigned char>(text_[i]) & 0xC0u) != 0x80u) ++characters;
        return characters;
    }

    std::string place(std::size_t at) const {
        return file_ + ":" + std::to_string(line_) + ":" + std::to_string(column(at));
    }

    void skip_space() {
        for (; at_ < text_.size(); ++at_) {
            char c = text_[at_];
            if (c == '\n') ++line_, line_start_ = at_ + 1;
            else if (c != ' ' && c != '\t' && c != '\r') return;
        }
    }

    bool accept(char c) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    Value read_value(int depth) {
        skip_space();
        if (depth > max_depth) fail("nesting of at most " + std::to_string(max_depth) + " levels");
        Value value;
        value.line = line_;
        value.column = next_column();
        char c = at_ < text_.size() ? text_[at_] : '\0';
        if (c == '{') read_object(value, depth);
        else if (c == '[') read_array(value, depth);
        else if (c == '"') value.kind = Kind::string, value.text = read_string();
        else if (c == '-' || is_digit(c)) read_number(value);
        else if (word("true")) value.kind = Kind::boolean, value.boolean = true;
        else if (word("false")) value.kind = Kind::boolean;
        else if (!word("null")) fail("a value (number, string, list, object, true, false or null)");
        return value;
    }

    /// The column of at_; counts on from the last call, so that one long line costs linear time.
    std::uint32_t next_column() {
        if (counted_to_ < line_start_) counted_to_ = line_start_, counted_ = 1;
        for (; counted_to_ < at_; ++counted_to_)
            if ((static_cast<unsigned char>(text_[counted_to_]) & 0xC0u) != 0x80u) ++counted_;
        return counted_;
    }

    bool word(std::string_view name) {
        if (text_.substr(at_, name.size()) != name) return false;
        at_ += name.size();
        return true;
    }

    void read_array(Value& value, int depth) {
        value.kind = Kind::array;
        ++at_;
        if (accept(']')) return;
        do value.items.push_back(read_value(depth + 1));
        while (accept(','));
        if (!accept(']')) fail("',' or ']'");
    }

    void read_object(Value& value, int depth) {
        value.kind = Kind::object;
        std::vector<std::string> places;
        ++at_;
        if (accept('}')) return;
        do {
            skip_space();
            if (at_ >= text_.size() || text_[at_] != '"') fail("a key in double quotes");
            std::uint32_t key_line = line_, key_column = next_column();
            value.keys.push_back(read_string());
            places.push_back(":" + std::to_string(key_line) + ":" + std::to_string(key_column));
            if (!accept(':')) fail("':'");
            value.items.push_back(read_value(depth + 1));
        } while (accept(','));
        if (!accept('}')) fail("',' or '}'");
        refuse_repeated_keys(value, places);
    }

    void refuse_repeated_keys(const Value& value, const std::vector<std::string>& places) const {
        std::vector<std::size_t> order(value.keys.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            int less = value.keys[a].compare(value.keys[b]);
            return less != 0 ? less < 0 : a < b;
        });
        for (std::size_t i = 1; i < order.size(); ++i)
            if (value.keys[order[i]] == value.keys[order[i - 1]])
                throw Error("the key " + json::quoted(value.keys[order[i]]) + " occurs twice",
                            file_ + places[order[i]]);
    }

    std::uint32_t read_hex4() {
        std::uint32_t code = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            char c = at_ < text_.size() ? text_[at_] : '\0';
            if (is_digit(c)) code = code * 16 + static_cast<std::uint32_t>(c - '0');
            else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
                code = code * 16 + static_cast<std::uint32_t>((c | 0x20) - 'a' + 10);
            else fail("a hexadecimal digit");
        }
        return code;
    }

    void read_escape(std::string& out) {
        std::size_t start = at_++;
        char c = at_ < text_.size() ? text_[at_] : '\0';
        constexpr std::string_view names = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        if (std::size_t i = names.find(c); c != '\0' && i != names.npos) {
            out.push_back(meant[i]);
            ++at_;
            return;
        }
        if (c != 'u') fail("one of \" \\ / b f n r t u after a backslash");
        ++at_;
        std::uint32_t code = read_hex4();
        if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
            at_ += 2;
            std::uint32_t low = read_hex4();
            if (low < 0xDC00 || low > 0xDFFF) fail_at(start, "the second half of a surrogate pair");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else if (code >= 0xD800 && code <= 0xDFFF) {
            fail_at(start, "a complete surrogate pair");
        }
        append_utf8(out, code);
    }

    std::string read_string() {
        std::string out;
        ++at_;
        for (;;) {
            if (at_ >= text_.size()) fail("'\"' to end the string");
            char c = text_[at_];
            if (c == '"') {
                ++at_;
                return out;
            }
            if (c == '\\') {
                read_escape(out);
                continue;
            }
            if (static_cast<unsigned char>(c) < 0x20) fail("'\"' or an escaped control character");
            std::size_t length = utf8_length(text_.substr(at_, 4));
            if (length == 0) fail("UTF-8 text");
            out.append(text_.substr(at_, length));
            at_ += length;
        }
    }

    void digits(const char* expected) {
        if (at_ >= text_.size() || !is_digit(text_[at_])) fail(expected);
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }

    void read_number(Value& value) {
        std::size_t start = at_;
        if (text_[at_] == '-') ++at_;
        if (at_ < text_.size() && text_[at_] == '0') ++at_; // no digit may follow a leading zero
        else digits("a digit");
        if (at_ < text_.size() && text_[at_] == '.') ++at_, digits("a digit after the point");
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            ++at_;
            if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
            digits("a digit of the exponent");
        }
        value.kind = Kind::number;
        value.text = std::string(text_.substr(start, at_ - start));
        // the grammar above leaves nothing for strtod to interpret, and the program never leaves the "C"
        // locale
        value.number = std::strtod(value.text.c_str(), nullptr);
        if (!std::isfinite(value.number))
            throw Error("invalid value " + value.shown() +
                            ": expected a number that fits into double precision",
                        place(start));
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0, line_start_ = 0, counted_to_ = 0;
    std::uint32_t line_ = 1, counted_ = 1;
};

bool plain_key(std::string_view key) {
    return !key.empty() && key.size() <= 40 && std::all_of(key.begin(), key.end(), [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
               c == '-';
    });
}

/// At most `most` bytes of `text`, cut between characters.
std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0u) == 0x80u) --most;
    return std::string(text.substr(0, most)) + "...";
}

} // namespace

const Value* Value::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] == key) return &items[i];
    return nullptr;
}

std::string Value::shown() const {
    switch (kind) {
    case Kind::null:
        return "null";
    case Kind::boolean:
        return boolean ? "true" : "false";
    case Kind::number:
        return shortened(text, 40);
    case Kind::string:
        return json::quoted(shortened(text, 40));
    case Kind::array: {
        std::string list = "[";
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (list.size() > 40) return list + ", ...]";
            list += (i == 0 ? "" : ", ") + items[i].shown();
        }
        return list + "]";
    }
    case Kind::object:
        break;
    }
    return keys.empty() ? "{}" : "{...}";
}

Value parse(std::string_view text, const std::string& file) { return Parser(text, file).document(); }

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            out += code;
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::string path_of(const std::string& parent, std::string_view key) {
    if (!plain_key(key)) return parent + "[" + json::quoted(shortened(key, 40)) + "]";
    return parent.empty() ? std::string(key) : parent + "." + std::string(key);
}

std::string path_of(const std::string& parent, std::size_t index) {
    return parent + "[" + std::to_string(index) + "]";
}

} // namespace scree::json
