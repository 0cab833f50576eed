// SPDX-License-Identifier: MIT
// xml.h — the part of XML that level files use: elements with attributes, comments, declarations; no text between elements.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree {

/// Reads one tag after the other, without recursion. Throws Error with file:line as its place.
class XmlReader {
public:
    XmlReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    /// Goes to the next tag. False at the end of the text, where all elements must be closed.
    bool next();
    /// The element that begins or ends here.
    const std::string& name() const { return name_; }
    bool begins() const { return begins_; }
    /// Of an element that begins. Missing ones are errors.
    const std::string& text(std::string_view attribute) const;
    std::uint32_t whole(std::string_view attribute) const;
    template <std::size_t count>
    std::array<double, count> numbers(std::string_view attribute) const {
        std::array<double, count> out{};
        read_numbers(attribute, out.data(), count);
        return out;
    }
    double number(std::string_view attribute) const { return numbers<1>(attribute)[0]; }
    bool flag(std::string_view attribute) const;
    [[noreturn]] void fail(const std::string& what) const;

private:
    void skip_blanks();
    void skip_to(std::string_view end, const char* what);
    std::string word();
    void attributes();
    std::string unescaped(std::string_view raw) const;
    void read_numbers(std::string_view attribute, double* out, std::size_t count) const;

    std::string_view text_;
    std::string file_, name_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 1;
    bool begins_ = false, ends_itself_ = false;
    std::vector<std::string> open_;
    std::vector<std::pair<std::string, std::string>> attributes_;
};

/// For an attribute, with & < > and quotes replaced.
std::string xml_text(std::string_view text);
/// With as many digits as it takes to read the same numbers.
std::string xml_numbers(const double* values, std::size_t count);

} // namespace scree
