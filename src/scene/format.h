// SPDX-License-Identifier: MIT
// format.h — the keys of every kind of object in a scene file: the reader, the schema's test and messages
// lean on it.
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

/// A kind of object; `name` is its entry under $defs in docs/scene.schema.json ("scene" is the document
/// itself).
struct Object {
    std::string_view name;
    std::span<const Key> keys;

    bool knows(std::string_view key) const;
};

extern const Object scene, world, shape, cube, cuboid, grain, ball, capsule, desk, particle, mesh, body,
    generator, stream, tower, lattice, obstacle, plane, box, sphere, axis_rotation, expect, range,
    close_pairs;
// rigid scenes; capsule, cylinder and cone have the keys of `round`
extern const Object rigid_scene, rigid_world, material, filter, rigid_shape, part, rigid_sphere, rigid_box,
    round, rigid_plane, hull, rigid_body, each, rigid_generator, pyramid, stack, wall, rigid_lattice,
    container, funnel, arch, card_house, chain, molecule, joint, force, rigid_expect;

/// All of them.
std::span<const Object* const> objects();

/// The known names that `name` may be a slip of, nearest first; at most three.
std::vector<std::string> near_names(std::string_view name, std::span<const std::string> known);
/// `; did you mean "a" or "b"?`, empty without near names.
std::string suggestion(std::string_view name, std::span<const std::string> known);

} // namespace scree::format
