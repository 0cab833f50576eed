// SPDX-License-Identifier: MIT
// generators.h — bodies by the thousand from one line of a scene: streams, towers and lattices.
#pragma once

#include "scene/fields.h"
#include "scree/granular_scene.h"

#include <cstdint>

namespace scree {

/// Appends bodies to a scene and keeps the totals within SceneOptions' limits.
class BodyList {
public:
    BodyList(Scene& heading, GranularScene& content, const SceneOptions& options)
        : heading_(&heading), scene_(&content), options_(&options) {}

    /// One entry of "bodies": a body, or a generator with its bodies.
    void read(const Field& entry);
    /// What is known once all entries are read: whether SceneOptions::bodies found its generator.
    void finish(const Field& all);

private:
    void read_body(const Field& entry);
    void read_generator(const Field& entry);
    void stream(const Fields& fields);
    void tower(const Fields& fields);
    void lattice(const Fields& fields);

    std::uint32_t shape_index(const Field& field) const;
    /// The number of bodies to make: the file's, unless SceneOptions::bodies replaces it.
    std::uint64_t count(const Field& field, std::uint64_t in_file) const;
    std::uint64_t seed(const Fields& fields) const;
    /// Room for `count` bodies of `shape`; throws before anything is allocated.
    void reserve(const Field& field, std::uint64_t count, std::uint32_t shape);
    void append(const Field& field, const GranularBodyDef& body);
    void widen(double half_width);

    Scene* heading_;
    GranularScene* scene_;
    const SceneOptions* options_;
    std::uint64_t particles_ = 0;
    std::uint64_t generators_ = 0;
};

} // namespace scree
