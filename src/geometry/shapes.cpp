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

} // namespace

const char* geometry_name(const Geometry& geometry) {
    return std::visit([](const auto& shape) { return kind_of(shape).name; }, geometry);
}

bool is_plane(const Geometry& geometry) { return std::holds_alternative<Plane>(geometry); }

double reach_of(const Geometry& geometry) {
    return std::visit([](const auto& shape) { return kind_of(shape).reach(shape); }, geometry);
}

float radius_of(const Geometry& geometry) {
    return std::visit([](const auto& shape) { return kind_of(shape).radius(shape); }, geometry);
}

float thickness_of(const Geometry& geometry) {
    return std::visit([](const auto& shape) { return kind_of(shape).thickness(shape); }, geometry);
}

Bounds bounds_of(const Geometry& geometry, const Pose& pose) {
    const DQuat turn = wide(pose.rotation);
    const Bounds turned =
        std::visit([&](const auto& shape) { return kind_of(shape).bounds(shape, turn); }, geometry);
    return {wide(pose.position) + turned.low, wide(pose.position) + turned.high};
}

MassProperties mass_of(const Geometry& geometry, float density) {
    return std::visit(
        [&](const auto& shape) { return kind_of(shape).mass(shape, static_cast<double>(density)); }, geometry);
}

std::optional<RayHit> ray_hit(const Geometry& geometry, const Ray& ray) {
    return std::visit([&](const auto& shape) { return kind_of(shape).ray_hit(shape, ray); }, geometry);
}

std::optional<Geometry> geometry_of_index(std::size_t index) {
    return pick(index, std::make_index_sequence<std::variant_size_v<Geometry>>());
}

} // namespace scree
