// SPDX-License-Identifier: MIT
// ply.cpp — the PLY format (Turk 1994): ASCII and binary of either byte order.
//
// The header lists elements, each with a count and properties. Read are x, y, z of "vertex" and the list "vertex_indices"
// or "vertex_index" of "face"; everything else is passed over. Nothing is reserved for a count that the rest of
// the file cannot hold.
#include "bytes/byte_order.h"
#include "geometry/mesh_text.h"

#include "scree/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace scree {
namespace {

enum class Type { i8, u8, i16, u16, i32, u32, f32, f64 };
enum class Encoding { ascii, little, big };

struct TypeName {
    std::string_view name;
    Type type;
};
constexpr TypeName type_names[] = {
    {"char", Type::i8},   {"int8", Type::i8},     {"uchar", Type::u8},   {"uint8", Type::u8},
    {"short", Type::i16}, {"int16", Type::i16},   {"ushort", Type::u16}, {"uint16", Type::u16},
    {"int", Type::i32},   {"int32", Type::i32},   {"uint", Type::u32},   {"uint32", Type::u32},
    {"float", Type::f32}, {"float32", Type::f32}, {"double", Type::f64}, {"float64", Type::f64},
};

std::size_t size_of(Type type) {
    constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[static_cast<std::size_t>(type)];
}
bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }

struct Property {
    std::string_view name;
    Type type = Type::f32;
    std::optional<Type> count; ///< of a list
};

struct Element {
    std::string_view name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

struct Header {
    Encoding encoding = Encoding::ascii;
    std::vector<Element> elements;
};

Header read_header(WordReader& in) {
    Header header;
    const auto expected = [&](std::string_view word, const char* what) {
        in.fail((word.empty() ? "the file ends" : quote(word)) + "; expected " + what);
    };
    const auto type = [&] {
        const std::string_view word = in.next();
        for (const TypeName& t : type_names)
            if (t.name == word) return t.type;
        expected(word, "a type: char, uchar, short, ushort, int, uint, float, double or int8 … float64");
        return Type::f32;
    };
    if (const std::string_view word = in.next(); word != "ply") expected(word, "'ply'");
    if (const std::string_view word = in.next(); word != "format") expected(word, "'format'");
    const std::string_view encoding = in.next();
    if (encoding == "binary_little_endian") header.encoding = Encoding::little;
    else if (encoding == "binary_big_endian") header.encoding = Encoding::big;
    else if (encoding != "ascii") expected(encoding, "ascii, binary_little_endian or binary_big_endian");
    if (const std::string_view word = in.next(); word != "1.0") expected(word, "version 1.0");
    while (true) {
        const std::string_view word = in.next();
        if (word == "end_header") return header;
        if (word == "comment" || word == "obj_info") {
            in.rest_of_line();
        } else if (word == "element") {
            Element element{in.next(), 0, {}};
            const std::string_view number = in.next();
            const std::optional<std::int64_t> count = parse_index(number);
            if (!count || *count < 0) expected(number, "the number of elements");
            element.count = static_cast<std::uint64_t>(*count);
            header.elements.push_back(std::move(element));
        } else if (word == "property") {
            if (header.elements.empty()) in.fail("'property' before any 'element'");
            Property property;
            WordReader ahead = in;
            if (ahead.next() == "list") {
                in.next();
                property.count = type();
                if (is_float(*property.count))
                    in.fail("a list is counted by a float; expected whole numbers");
            }
            property.type = type();
            property.name = in.next();
            header.elements.back().properties.push_back(property);
        } else {
            expected(word, "element, property, comment, obj_info or end_header");
        }
    }
}

/// The values behind the header, one after the other, whichever way they are written.
class Values {
public:
    Values(Encoding encoding, WordReader text, std::string_view body, std::size_t start,
           const std::string& file)
        : encoding_(encoding), text_(text), body_(body), start_(start), file_(&file) {}

    std::size_t left() const { return encoding_ == Encoding::ascii ? text_.left() : body_.size() - at_; }
    /// The fewest bytes that a value takes.
    std::size_t least(Type type) const { return encoding_ == Encoding::ascii ? 1 : size_of(type); }

    double value(Type type) {
        if (encoding_ == Encoding::ascii) {
            const std::string_view word = text_.next();
            if (word.empty()) fail("the file ends; expected a value");
            const std::optional<double> value = parse_decimal(word);
            if (!value && is_float(type)) return std::nan(""); // checked where it matters
            if (!value) fail(quote(word) + " is not a number");
            return *value;
        }
        const std::size_t size = size_of(type);
        if (size > left()) fail("the file ends; expected a value of " + std::to_string(size) + " bytes");
        std::uint64_t bits = 0;
        for (std::size_t k = 0; k < size; ++k) {
            const std::size_t shift = 8 * (encoding_ == Encoding::little ? k : size - 1 - k);
            bits |= std::uint64_t{static_cast<unsigned char>(body_[at_ + k])} << shift;
        }
        at_ += size;
        switch (type) {
        case Type::i8:
            return static_cast<std::int8_t>(bits);
        case Type::i16:
            return static_cast<std::int16_t>(bits);
        case Type::i32:
            return static_cast<std::int32_t>(bits);
        case Type::f32:
            return bytes::bits_as<float>(static_cast<std::uint32_t>(bits));
        case Type::f64:
            return bytes::bits_as<double>(bits);
        case Type::u8:
        case Type::u16:
        case Type::u32:
            break;
        }
        return static_cast<double>(bits);
    }

    /// The number of entries of a list, all of which are still in the file.
    std::size_t list(const Property& property) {
        const double count = value(*property.count);
        if (!(count >= 0) || count != std::floor(count))
            fail("a list has a negative or broken number of entries");
        const std::size_t room = left() / least(property.type);
        if (count > static_cast<double>(room))
            fail("a list of " + std::to_string(static_cast<std::uint64_t>(std::min(count, 1e18))) +
                 " entries does not fit in the " + std::to_string(left()) + " bytes that are left");
        return static_cast<std::size_t>(count);
    }

    [[noreturn]] void fail(const std::string& what) const {
        if (encoding_ == Encoding::ascii) text_.fail(what);
        throw Error(what, *file_ + ": byte " + std::to_string(start_ + at_));
    }

private:
    Encoding encoding_;
    WordReader text_;
    std::string_view body_;
    std::size_t start_, at_ = 0;
    const std::string* file_;
};

/// Throws Error if the rest of the file cannot hold the elements.
void expect_fits(const Element& element, const Values& in) {
    std::size_t least = 0;
    for (const Property& p : element.properties) least += in.least(p.count ? *p.count : p.type);
    if (element.count > 0 && (least == 0 || element.count > in.left() / least))
        in.fail(std::to_string(element.count) + " elements " + quote(element.name) + " do not fit in the " +
                std::to_string(in.left()) + " bytes that are left");
}

void read_vertices(const Element& element, Values& in, MeshMaker& out) {
    std::array<bool, 3> found{};
    for (const Property& p : element.properties)
        for (std::size_t k = 0; k < 3; ++k)
            if (!p.count && p.name.size() == 1 && p.name[0] == "xyz"[k]) found[k] = true;
    if (!found[0] || !found[1] || !found[2]) in.fail("the vertices lack a property x, y or z");
    out.expect_vertices(element.count);
    for (std::uint64_t i = 0; i < element.count; ++i) {
        std::array<double, 3> at{};
        for (const Property& p : element.properties) {
            for (std::size_t n = p.count ? in.list(p) : 1; n > 0; --n) {
                const double v = in.value(p.type);
                for (std::size_t k = 0; k < 3; ++k)
                    if (!p.count && p.name.size() == 1 && p.name[0] == "xyz"[k]) at[k] = v;
            }
        }
        if (!is_coordinate(at[0]) || !is_coordinate(at[1]) || !is_coordinate(at[2]))
            in.fail("vertex " + std::to_string(i) + " is not finite");
        out.vertex({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
    }
}

void read_faces(const Element& element, Values& in, MeshMaker& out, std::uint64_t vertices) {
    const auto is_indices = [](const Property& p) {
        return p.count && (p.name == "vertex_indices" || p.name == "vertex_index");
    };
    if (std::none_of(element.properties.begin(), element.properties.end(), is_indices))
        in.fail("the faces lack a list 'vertex_indices'");
    std::vector<std::uint32_t> corners;
    for (std::uint64_t i = 0; i < element.count; ++i)
        for (const Property& p : element.properties) {
            const std::size_t n = p.count ? in.list(p) : 1;
            corners.clear();
            for (std::size_t k = 0; k < n; ++k) {
                const double v = in.value(p.type);
                if (!is_indices(p)) continue;
                if (!(v >= 0) || v != std::floor(v) || v >= static_cast<double>(vertices))
                    in.fail("face " + std::to_string(i) + " names vertex " +
                            (std::fabs(v) < 1e18 ? std::to_string(static_cast<std::int64_t>(v)) : "?") +
                            "; the file has " + std::to_string(vertices) + " vertices");
                corners.push_back(static_cast<std::uint32_t>(v));
            }
            if (!is_indices(p)) continue;
            if (n < 3)
                in.fail("face " + std::to_string(i) + " has " + std::to_string(n) + " corners; expected 3");
            for (std::size_t k = 2; k < n; ++k) out.triangle(corners[0], corners[k - 1], corners[k]);
        }
}

void skip(const Element& element, Values& in) {
    for (std::uint64_t i = 0; i < element.count; ++i)
        for (const Property& p : element.properties)
            for (std::size_t n = p.count ? in.list(p) : 1; n > 0; --n) in.value(p.type);
}

} // namespace

void read_ply(std::string_view bytes, MeshMaker& out) {
    WordReader text(bytes, out.file());
    const Header header = read_header(text);
    std::uint64_t vertices = 0;
    for (const Element& element : header.elements)
        if (element.name == "vertex") vertices = element.count;

    // a binary body begins behind the line's end, which is one byte, or two
    std::size_t start = bytes.size() - text.left();
    if (start < bytes.size() && bytes[start] == '\r') ++start;
    if (start < bytes.size() && bytes[start] == '\n') ++start;
    Values in(header.encoding, text, bytes.substr(start), start, out.file());
    bool once = false;
    for (const Element& element : header.elements) {
        expect_fits(element, in);
        if (element.name == "vertex" && once) in.fail("a second element 'vertex'");
        if (element.name == "vertex") once = true, read_vertices(element, in, out);
        else if (element.name == "face") read_faces(element, in, out, vertices);
        else skip(element, in);
    }
}

} // namespace scree
