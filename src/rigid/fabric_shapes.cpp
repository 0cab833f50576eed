// SPDX-License-Identifier: MIT
// fabric_shapes.cpp — writes the table of shapes for cloths.

#include "rigid/fabric_shapes.h"

#include "geometry/hull.h"
#include "geometry/mesh_geometry.h"
#include "kernels/fabric_words.h"
#include "rigid/shape_facts.h"

#include <bit>

namespace scree {

FabricShapes::Change FabricShapes::update(const RigidStorage& world) {
    Change change{false, static_cast<std::uint32_t>(words_.size())};
    if (!stale_) return change;
    stale_ = false;
    change.table = true;
    // places of geometries that are gone are not given to others: now and then all are put anew
    const bool anew = words_.size() > 2 * kept_words_ + 65536;
    if (anew) {
        places_.clear(), hulls_.clear(), meshes_.clear(), words_.clear();
        change.words_from = 0;
    }
    table_.clear(), number_.clear();
    for (std::uint32_t s = 0; s < world.shapes.record.size(); ++s) {
        const ShapeRecord& shape = world.shapes.record[s];
        if (shape.alive && !shape.definition.sensor) write(world, s);
    }
    if (anew) kept_words_ = words_.size();
    return change;
}

std::uint32_t FabricShapes::place(const ShapeRecord& shape) {
    const void* geometry = words_key(shape);
    if (!geometry) return 0;
    const auto [entry, fresh] = places_.try_emplace(geometry, static_cast<std::uint32_t>(words_.size()));
    if (!fresh) return entry->second;
    const auto append = [&](const std::vector<std::uint32_t>& words) {
        words_.insert(words_.end(), words.begin(), words.end());
        words_.resize((words_.size() + 3) / 4 * 4); // quads stay aligned
    };
    if (shape.hull) {
        append(hull_words(shape.hull.geometry()));
        hulls_.push_back(shape.hull);
    } else {
        append(shape.mesh.geometry().words);
        meshes_.push_back(shape.mesh);
    }
    return entry->second;
}

void FabricShapes::write(const RigidStorage& world, std::uint32_t s) {
    const ShapeRecord& shape = world.shapes.record[s];
    const ShapeDef& given = shape.definition;
    const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
    const auto quad = [&](const Vec3& v, float w) {
        table_.insert(table_.end(), {bits(v.x), bits(v.y), bits(v.z), bits(w)});
    };
    std::uint32_t flags = shape.one_way == Vec3{} ? 0u : FABRIC_ONE_WAY;
    if (shape.mesh && shape.mesh.options().two_sided) flags |= FABRIC_TWO_SIDED;
    if (shape.mesh && !shape.mesh.options().materials.empty()) flags |= FABRIC_MATERIALS;
    const std::uint32_t rules = static_cast<std::uint32_t>(given.material.friction_rule) |
                                static_cast<std::uint32_t>(given.material.restitution_rule) << 8;
    table_.insert(table_.end(), {static_cast<std::uint32_t>(shape.type), shape.body, flags, place(shape)});
    table_.insert(table_.end(), {given.filter.category, given.filter.mask,
                                 static_cast<std::uint32_t>(given.filter.group), s});
    quad(shape.size, shape.radius);
    quad(shape.offset, world.shapes.size[4 * std::size_t{s} + 3]);
    quad({given.rotation.x, given.rotation.y, given.rotation.z}, given.rotation.s);
    table_.insert(table_.end(), {bits(given.material.friction), bits(given.material.restitution), rules,
                                 bits(shape.thickness)});
    quad(given.material.surface_velocity, 0);
    quad(shape.one_way, 0);
    number_.push_back(s);
}

} // namespace scree
