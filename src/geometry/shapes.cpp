// SPDX-License-Identifier: MIT
// shapes.cpp — passes each question to the file of the shape; see shapes.h.
#include "geometry/shapes.h"

#include "scree/appearance.h"

#include <utility>

namespace scree {
namespace {

template <std::size_t... index>
std::optional<Geometry> pick(std::size_t wanted, std::index_sequence<index...>) {
    std::optional<Geometry> geometry;
    static_cast<void>(((wanted == index && (geometry.emplace(std::in_place_index<index>), true)) || ...));
    return geometry;
}

template <class Question>
auto ask(const Geometry& geometry, Question question) {
    return std::visit([&](const auto& shape) { return question(kind_of(shape), shape); }, geometry);
}

} // namespace

bool is_plane(const Geometry& geometry) { return std::holds_alternative<Plane>(geometry); }
const char* geometry_name(const Geometry& geometry) {
    return ask(geometry, [](const auto& kind, const auto&) { return kind.name; });
}
double reach_of(const Geometry& geometry) {
    return ask(geometry, [](const auto& kind, const auto& shape) { return kind.reach(shape); });
}
float radius_of(const Geometry& geometry) {
    return ask(geometry, [](const auto& kind, const auto& shape) { return kind.radius(shape); });
}
float thickness_of(const Geometry& geometry) {
    return ask(geometry, [](const auto& kind, const auto& shape) { return kind.thickness(shape); });
}
Bounds bounds_of(const Geometry& geometry, const Pose& pose) { return bounds_of(geometry, wide(pose)); }
Bounds bounds_of(const Geometry& geometry, const DPose& pose) {
    const Bounds turned =
        ask(geometry, [&](const auto& kind, const auto& shape) { return kind.bounds(shape, pose.rotation); });
    return {pose.position + turned.low, pose.position + turned.high};
}
MassProperties mass_of(const Geometry& geometry, float density) {
    return ask(geometry,
               [&](const auto& kind, const auto& shape) { return kind.mass(shape, double{density}); });
}
std::optional<RayHit> ray_hit(const Geometry& geometry, const Ray& ray) {
    return ask(geometry, [&](const auto& kind, const auto& shape) { return kind.ray_hit(shape, ray); });
}
NearestPoint nearest_point(const Geometry& geometry, const DVec3& point) {
    return ask(geometry, [&](const auto& kind, const auto& shape) { return kind.nearest(shape, point); });
}

std::optional<Geometry> geometry_of_index(std::size_t index) {
    return pick(index, std::make_index_sequence<std::variant_size_v<Geometry>>());
}

} // namespace scree
