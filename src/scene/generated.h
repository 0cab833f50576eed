// SPDX-License-Identifier: MIT
// generated.h — what the entries of "bodies" share in scenes of every kind: generators, their options and limits.
#pragma once

#include "scene/fields.h"
#include "scree/scene.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace scree {

constexpr std::int64_t most_exact = (std::int64_t{1} << 53) - 1; ///< whole numbers that a double holds

/// Whether an entry of "bodies" has a key of the generators.
bool generates(const Field& entry, const format::Object& generators);
/// Call after all entries. Throws Error if SceneOptions::bodies is set and there is not exactly one generator to resize.
void finish_bodies(const Field& all, Scene& scene, const SceneOptions& options, std::uint64_t resizable,
                   const char* generators);

/// The number of bodies to make: SceneOptions::bodies, default: that of the file.
std::uint64_t body_count(const Field& field, std::uint64_t in_file, const SceneOptions& options);
/// From "seed", unless the options have one.
std::uint64_t seed_of(const Fields& fields, const SceneOptions& options);

/// Throws Error if there are more bodies than SceneOptions::max_bodies.
void check_limit(const Field& field, std::uint64_t bodies, std::uint64_t so_far, const SceneOptions& options);
/// Throws Error if the bodies need more memory than the machine has.
void check_memory(const Field& field, std::uint64_t bodies, std::uint64_t bytes_each);
/// Calls `reserve`, and throws Error if there is not enough memory.
void reserve_bodies(const Field& field, std::uint64_t bodies, const std::function<void()>& reserve);
/// Throws Error for a position beyond single precision.
void check_position(const Field& field, std::size_t body, Vec3 position);

[[noreturn]] void refuse_shape(const Field& field, const std::vector<std::string>& known);
/// The shape of the name.
template <class Shape>
std::uint32_t index_of(const Field& field, const std::vector<Shape>& shapes) {
    const std::string name = field.text();
    std::vector<std::string> known;
    for (std::uint32_t i = 0; i < shapes.size(); ++i) {
        if (shapes[i].name == name) return i;
        known.push_back(shapes[i].name);
    }
    refuse_shape(field, known);
}
/// Appends a shape of an entry of "shapes"; refuses the name of another.
template <class Shape>
void add_named(const Field& entry, std::vector<Shape>& shapes, Shape shape, const format::Object& format) {
    for (const Shape& other : shapes)
        if (other.name == shape.name)
            Fields(entry, format).at("name").refuse("a name that no other shape has");
    shapes.push_back(std::move(shape));
}

} // namespace scree
