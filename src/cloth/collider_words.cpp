// SPDX-License-Identifier: MIT
// collider_words.cpp — see collider_words.h.
#include "cloth/collider_words.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

using Kind = ClothCollider::Kind;

Vec3 half_sides(const ClothCollider& c) {
    return c.kind == Kind::sphere ? Vec3{c.size.x, c.size.x, c.size.x} : c.size;
}

struct Corners {
    Vec3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
    void add(Vec3 from, Vec3 to) {
        low = {std::min(low.x, from.x), std::min(low.y, from.y), std::min(low.z, from.z)};
        high = {std::max(high.x, to.x), std::max(high.y, to.y), std::max(high.z, to.z)};
    }
};

/// Puts colliders that are near each other next to each other: halves along the longest side, cut where a group ends. Groups along a
/// space-filling curve may jump, and one that lies on both sides of the sheet has it in its bounds.
void gather_near(std::span<const ClothCollider> all, std::span<std::uint32_t> order) {
    if (order.size() <= CLOTH_GROUP) {
        std::sort(order.begin(), order.end()); // as they were added
        return;
    }
    Corners corners;
    for (const std::uint32_t k : order) corners.add(all[k].position, all[k].position);
    const Vec3 extent = corners.high - corners.low;
    const auto along = [&](std::uint32_t k) {
        const Vec3& at = all[k].position;
        return extent.x >= extent.y && extent.x >= extent.z ? at.x : extent.y >= extent.z ? at.y : at.z;
    };
    std::size_t group = CLOTH_GROUP;
    while (group * CLOTH_GROUP < order.size()) group *= CLOTH_GROUP;
    const std::size_t groups = (order.size() + group - 1) / group, half = (groups + 1) / 2 * group;
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(half);
    std::nth_element(order.begin(), middle, order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return along(a) != along(b) ? along(a) < along(b) : a < b;
    });
    gather_near(all, order.first(half));
    gather_near(all, order.subspan(half));
}

void add_words(std::vector<float>& words, const ClothCollider& c, float substep) {
    const Vec3 move = c.velocity * substep, low = c.position - c.size, high = c.position + c.size;
    if (c.kind == Kind::sphere)
        words.insert(words.end(), {c.position.x, c.position.y, c.position.z, c.size.x});
    else words.insert(words.end(), {low.x, low.y, low.z, 0, high.x, high.y, high.z, 0});
    words.insert(words.end(), {move.x, move.y, move.z, 0});
}

/// Of each group of the order: corners with room for a vertex and for rounding.
void add_bounds(std::vector<float>& words, std::span<const ClothCollider> all,
                const std::vector<std::uint32_t>& order, std::size_t group, float radius) {
    for (std::size_t first = 0; first < order.size(); first += group) {
        Corners corners;
        for (std::size_t k = first; k < std::min(first + group, order.size()); ++k) {
            const ClothCollider& c = all[order[k]];
            corners.add(c.position - half_sides(c), c.position + half_sides(c));
        }
        const auto room = [&](float edge) { return radius + 1e-5f * (1 + radius + std::abs(edge)); };
        const Vec3 &low = corners.low, &high = corners.high;
        words.insert(words.end(), {low.x - room(low.x), low.y - room(low.y), low.z - room(low.z), 0,
                                   high.x + room(high.x), high.y + room(high.y), high.z + room(high.z), 0});
    }
}

} // namespace

std::vector<std::uint32_t> collider_order(std::span<const ClothCollider> all, Kind kind) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < all.size(); ++k)
        if (all[k].kind == kind) order.push_back(k);
    gather_near(all, order);
    return order;
}

std::vector<float> collider_words(std::span<const ClothCollider> all, float substep,
                                  kernels::ClothParams& params) {
    const std::vector<std::uint32_t> boxes = collider_order(all, Kind::box),
                                     spheres = collider_order(all, Kind::sphere);
    std::vector<float> words;
    for (const auto* order : {&boxes, &spheres})
        for (const std::uint32_t k : *order) add_words(words, all[k], substep);
    params.boxes = static_cast<std::uint32_t>(boxes.size());
    params.spheres = static_cast<std::uint32_t>(spheres.size());
    const auto bounds = [&](const std::vector<std::uint32_t>& order) {
        const auto first = static_cast<std::uint32_t>(words.size() / 4);
        if (order.size() > CLOTH_GROUP)
            for (const std::size_t group : {std::size_t{CLOTH_GROUP}, std::size_t{CLOTH_GROUP} * CLOTH_GROUP,
                                            std::size_t{CLOTH_GROUP} * CLOTH_GROUP * CLOTH_GROUP})
                add_bounds(words, all, order, group, params.radius);
        return first;
    };
    params.box_bounds = bounds(boxes);
    params.sphere_bounds = bounds(spheres);
    return words;
}

} // namespace scree
