// SPDX-License-Identifier: MIT
// stl.cpp — the STL format, ASCII and binary.
//
// A triangle is given by its three corners; corners at the same place become one vertex. Normals are passed over: the
// order of the corners tells the side. A file is binary if its length is what the count after its 80-byte header asks
// for; a file that begins with "solid" may be either.
#include "bytes/byte_order.h"
#include "geometry/mesh_text.h"

#include "scree/error.h"

#include <array>
#include <cctype>
#include <cstring>
#include <unordered_map>

namespace scree {
namespace {

constexpr std::size_t header_bytes = 80, triangle_bytes = 50;

/// Gives corners at the same place the same number.
class Corners {
public:
    explicit Corners(MeshMaker& out) : out_(&out) {}

    std::uint32_t number(Vec3 at) {
        // -0 and 0 are one place
        for (float* c : {&at.x, &at.y, &at.z})
            if (*c == 0) *c = 0;
        std::array<std::uint32_t, 3> key{};
        std::memcpy(key.data(), &at, sizeof key);
        const auto next = static_cast<std::uint32_t>(out_->mesh().vertices.size());
        const auto [it, fresh] = known_.try_emplace(key, next);
        if (fresh) out_->vertex(at);
        return it->second;
    }

private:
    struct Mix {
        std::size_t operator()(const std::array<std::uint32_t, 3>& k) const {
            std::uint64_t h = k[0] * 0x9E3779B97F4A7C15ull;
            h = (h ^ (h >> 29) ^ k[1]) * 0xBF58476D1CE4E5B9ull;
            h = (h ^ (h >> 32) ^ k[2]) * 0x94D049BB133111EBull;
            return static_cast<std::size_t>(h ^ (h >> 31));
        }
    };
    MeshMaker* out_;
    std::unordered_map<std::array<std::uint32_t, 3>, std::uint32_t, Mix> known_;
};

bool is_word(std::string_view word, std::string_view lower) {
    if (word.size() != lower.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(word[i])) != lower[i]) return false;
    return true;
}

void read_ascii(std::string_view text, MeshMaker& out) {
    WordReader in(text, out.file());
    Corners corners(out);
    const auto expect = [&](std::string_view lower) {
        if (const std::string_view word = in.next(); !is_word(word, lower))
            in.fail((word.empty() ? "the file ends" : quote(word)) + "; expected '" + std::string(lower) +
                    "'");
    };
    expect("solid");
    while (true) {
        if (const std::string_view name = in.rest_of_line(); !name.empty()) out.part(name);
        std::string_view word = in.next();
        for (; is_word(word, "facet"); word = in.next()) {
            expect("normal");
            for (int k = 0; k < 3; ++k) // exporters write nan for the normal of a sliver
                if (in.next().empty()) in.fail("the file ends within a normal");
            expect("outer");
            expect("loop");
            std::array<std::uint32_t, 3> triangle{};
            for (std::uint32_t& corner : triangle) {
                expect("vertex");
                const double x = in.coordinate("a vertex"), y = in.coordinate("a vertex"),
                             z = in.coordinate("a vertex");
                corner =
                    corners.number({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
            }
            expect("endloop");
            expect("endfacet");
            out.triangle(triangle[0], triangle[1], triangle[2]);
        }
        if (!is_word(word, "endsolid"))
            in.fail((word.empty() ? "the file ends" : quote(word)) + "; expected 'facet' or 'endsolid'");
        in.rest_of_line();
        word = in.next();
        if (word.empty()) return;
        if (!is_word(word, "solid")) in.fail(quote(word) + " after 'endsolid'; expected 'solid' or the end");
    }
}

void read_binary(std::string_view bytes, MeshMaker& out) {
    bytes::ByteSource in({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, out.file());
    in.take(header_bytes);
    const std::uint32_t count = in.u32();
    out.expect_triangles(count);
    Corners corners(out);
    for (std::uint32_t t = 0; t < count; ++t) {
        in.take(12); // the normal
        std::array<std::uint32_t, 3> triangle{};
        for (std::uint32_t& corner : triangle) {
            const Vec3 at = in.vec3();
            if (!is_finite(at) || !is_coordinate(at.x) || !is_coordinate(at.y) || !is_coordinate(at.z))
                throw Error("a vertex of triangle " + std::to_string(t) + " is not finite",
                            out.file() + ": byte " +
                                std::to_string(header_bytes + 4 + std::size_t{t} * triangle_bytes));
            corner = corners.number(at);
        }
        in.take(2); // colours, by some programs
        out.triangle(triangle[0], triangle[1], triangle[2]);
    }
}

} // namespace

void read_stl(std::string_view bytes, MeshMaker& out) {
    std::uint64_t expected = 0;
    if (bytes.size() >= header_bytes + 4) {
        std::uint64_t count = 0;
        for (std::size_t k = 0; k < 4; ++k)
            count |= std::uint64_t{static_cast<unsigned char>(bytes[header_bytes + k])} << (8 * k);
        expected = header_bytes + 4 + count * triangle_bytes;
        if (bytes.size() == expected) return read_binary(bytes, out);
    }
    if (is_word(WordReader(bytes, out.file()).next(), "solid")) return read_ascii(bytes, out);
    if (expected == 0)
        throw Error("is no STL file: " + std::to_string(bytes.size()) +
                        " bytes; expected 'solid' or at least 84 bytes",
                    out.file());
    throw Error("holds " + std::to_string(bytes.size()) + " bytes; expected " + std::to_string(expected) +
                    " for the number of triangles in its header",
                out.file());
}

} // namespace scree
