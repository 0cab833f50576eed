// SPDX-License-Identifier: MIT
// format.h — the keys of the objects in a scene file, for the reader, the test of the schema, and messages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::format {

struct Key {
    std::string_view name;
    bool required = false;
};

/// An object; `name` is its entry under $defs in docs/scene.schema.json.
struct Object {
    std::string_view name;
    std::span<const Key> keys;

    bool knows(std::string_view key) const;
};

// the objects of each kind are in its folder
extern const Object axis_rotation, range, paint, paints, camera, named_camera, light, carried_light, ground,
    sky;

/// Objects of all kinds.
std::span<const Object* const> shared_objects();

/// Up to three known names similar to `name`, most similar first.
std::vector<std::string> near_names(std::string_view name, std::span<const std::string> known);
/// `; did you mean "a" or "b"?`, empty without similar names.
std::string suggestion(std::string_view name, std::span<const std::string> known);

} // namespace scree::format
