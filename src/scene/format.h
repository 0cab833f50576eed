// SPDX-License-Identifier: MIT
// format.h — the keys of the objects in a scene file: the reader, the schema's test and messages lean on them.
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
extern const Object axis_rotation, range, paint, camera, light, ground;

/// Those that all kinds share.
std::span<const Object* const> shared_objects();

/// The known names that `name` may be a slip of, nearest first; at most three.
std::vector<std::string> near_names(std::string_view name, std::span<const std::string> known);
/// `; did you mean "a" or "b"?`, empty without near names.
std::string suggestion(std::string_view name, std::span<const std::string> known);

} // namespace scree::format
