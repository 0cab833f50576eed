// SPDX-License-Identifier: MIT
// md5_text.h — words, marks and strings of MD5 files, with line and column for errors.
#pragma once

#include "scree/math.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace scree {

/// A word, a mark, or a string in quotes. At the end of the text: none of these.
struct Md5Token {
    std::string_view text;
    bool quoted = false;
    std::uint32_t line = 1, column = 1;
    bool is(std::string_view word) const { return !quoted && text == word; }
    bool ends() const { return text.empty() && !quoted; }
};

class Md5Text {
public:
    Md5Text(std::string_view text, const std::string& file);

    const std::string& file() const { return file_; }
    Md5Token take();
    const Md5Token& last() const { return last_; }
    std::size_t left() const { return text_.size() - at_; }

    void expect(std::string_view word);
    std::string name(const char* of); ///< in quotes, or one word
    double number(const char* of);    ///< finite as a float
    /// A whole number from low to high.
    std::int64_t whole(const char* of, std::int64_t low, std::int64_t high);
    /// A number of things to come: not more than `most`, and not more than the rest of the file can hold at `bytes` each.
    std::size_t count(const char* of, std::size_t most, std::size_t bytes);
    Vec3 vector(const char* of);   ///< ( x y z )
    Quat rotation(const char* of); ///< ( x y z ) of a unit quaternion whose s is not positive
    [[noreturn]] void fail(const std::string& what) const { fail(what, last_); }
    [[noreturn]] void fail(const std::string& what, const Md5Token& at) const;

private:
    void skip();
    std::string_view text_;
    std::string file_;
    std::size_t at_ = 0, line_start_ = 0;
    std::uint32_t line_ = 1;
    Md5Token last_;
};

/// The unit quaternion of these first three numbers, with the s that MD5 files leave out. False if they are too long.
bool md5_rotation(double x, double y, double z, Quat& out);

} // namespace scree
