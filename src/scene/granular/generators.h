// SPDX-License-Identifier: MIT
// generators.h — generators of granular scenes: streams, towers and lattices.
#pragma once

#include "scene/fields.h"
#include "scree/granular_scene.h"

#include <cstdint>

namespace scree {

/// Appends bodies to a scene, within the limits of SceneOptions.
class BodyList {
public:
    BodyList(Scene& heading, GranularScene& content, const SceneOptions& options)
        : heading_(&heading), scene_(&content), options_(&options) {}

    /// One entry of "bodies": a body, or a generator with its bodies.
    void read(const Field& entry);
    /// Call after all entries. Throws Error if SceneOptions::bodies is set and there is not exactly one generator.
    void finish(const Field& all);

private:
    void read_body(const Field& entry);
    void read_generator(const Field& entry);
    void stream(const Fields& fields);
    void tower(const Fields& fields);
    void lattice(const Fields& fields);

    /// The body that a generator repeats, without a pose.
    GranularBodyDef model(const Fields& fields) const;
    /// Reserves `count` bodies of `shape`; throws Error for too many before allocating.
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
