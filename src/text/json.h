// SPDX-License-Identifier: MIT
// json.h — a small JSON reader (RFC 8259) that remembers where each value stood, so that errors can say so.
//
// Stricter than most: UTF-8 is checked, a key may occur once, nothing may follow the document, a number must
// be finite as a double. Nesting is limited, so input cannot exhaust the stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree::json {

constexpr int max_depth = 32;
constexpr std::size_t max_bytes = std::size_t{1} << 28; // 256 MiB of text; a larger scene wants a generator

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

struct Value {
    Kind kind = Kind::null;
    bool boolean = false;
    std::uint32_t line = 1,
                  column = 1; ///< of its first character, from 1; columns count characters, not bytes
    double number = 0;
    std::string text;              ///< a string's content, or a number as it was written
    std::vector<Value> items;      ///< of an array; of an object, in the order of keys
    std::vector<std::string> keys; ///< of an object, in the order of the text

    const Value* find(std::string_view key) const; ///< null when there is no such key
    std::string shown() const;                     ///< short, for a message: `-1`, `"cubee"`, `[1, 2]`
};

/// Throws Error with where() = file:line:column.
Value parse(std::string_view text, const std::string& file);

/// Text as a JSON string, quotes included.
std::string quoted(std::string_view text);

/// `parent` with `key` or `[index]` appended: bodies[3].mass
std::string path_of(const std::string& parent, std::string_view key);
std::string path_of(const std::string& parent, std::size_t index);

} // namespace scree::json
