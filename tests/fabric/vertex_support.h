// SPDX-License-Identifier: MIT
// vertex_support.h — shapes for the tests of vertex contacts, and their contacts.
#pragma once

#include "collision/float_dice.h"
#include "collision/vertex_contact.h"
#include "geometry/hull.h"
#include "geometry/mesh_geometry.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace scree::test {

struct VertexHits {
    int count = 0;
    VertexContact hit[2]{};
};

inline VertexHits hits_of(const ConvexGeometry& shape, Vec3 point, Vec3 before, float margin) {
    VertexHits hits;
    hits.count = vertex_contacts(shape, point, before, margin, hits.hit);
    return hits;
}

struct NamedShape {
    std::string name;
    ConvexGeometry geometry;
    std::vector<std::uint32_t> words{};

    NamedShape(std::string what, const ConvexGeometry& of) : name(std::move(what)), geometry(of) {}
    NamedShape(std::string what, const Hull& hull)
        : name(std::move(what)), words(hull_words(hull.geometry())) {
        geometry.type = ShapeType::hull;
    }
    NamedShape(std::string what, const Mesh& mesh) : name(std::move(what)), words(mesh.geometry().words) {
        geometry.type = ShapeType::mesh;
        geometry.size = mesh.scale();
    }
    /// with its words, wherever it was copied to
    ConvexGeometry placed() const {
        ConvexGeometry g = geometry;
        if (!words.empty()) g.hull = words.data();
        return g;
    }
};

inline Hull random_hull(unsigned seed, int points) {
    FloatDice dice(seed);
    std::vector<Vec3> all;
    for (int i = 0; i < points; ++i) {
        const DVec3 v = wide(dice.point(1));
        all.push_back(narrow((0.7 / length(v)) * v));
    }
    return Hull::from_points(all);
}
inline Hull box_hull(Vec3 half) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    return Hull::from_points(corners);
}

inline std::vector<NamedShape> convex_shapes() {
    return {
        {"sphere", ConvexGeometry{ShapeType::sphere, {}, 0.5f, nullptr}},
        {"capsule", ConvexGeometry{ShapeType::capsule, {0, 0.6f, 0}, 0.3f, nullptr}},
        {"box", ConvexGeometry{ShapeType::box, {0.5f, 0.3f, 0.8f}, 0, nullptr}},
        {"plate", ConvexGeometry{ShapeType::box, {0.5f, 0.001f, 0.8f}, 0, nullptr}},
        {"cylinder", ConvexGeometry{ShapeType::cylinder, {0, 0.4f, 0}, 0.6f, nullptr}},
        {"disc", ConvexGeometry{ShapeType::cylinder, {0, 0.001f, 0}, 0.6f, nullptr}},
        {"cone", ConvexGeometry{ShapeType::cone, {0, 0.5f, 0}, 0.4f, nullptr}},
        {"flat cone", ConvexGeometry{ShapeType::cone, {0, 0.05f, 0}, 0.8f, nullptr}},
        {"plane", ConvexGeometry{ShapeType::plane, {}, 0, nullptr}},
        {"hull", random_hull(3, 40)},
        {"small hull", random_hull(4, 5)},
        {"hull of a box", box_hull({0.5f, 0.3f, 0.8f})},
        {"hull of a plate", box_hull({0.5f, 0.001f, 0.8f})},
    };
}

/// Evenly spread over the sphere.
inline DVec3 direction(int i, int count) {
    const double y = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - y * y), angle = i * 2.399963229728653;
    return {r * std::cos(angle), y, r * std::sin(angle)};
}

} // namespace scree::test
