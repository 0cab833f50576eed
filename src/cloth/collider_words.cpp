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

/// Ten bits of each coordinate in turns, in cells with equal sides.
std::uint32_t place_on_curve(Vec3 at, const Corners& all) {
    const Vec3 from = at - all.low, extent = all.high - all.low;
    const double side = std::max({double{extent.x}, double{extent.y}, double{extent.z}, 1e-30}) / 1024;
    std::uint32_t code = 0, axis = 0;
    for (const float along : {from.x, from.y, from.z}) {
        const auto cell = static_cast<std::uint32_t>(std::clamp(double{along} / side, 0.0, 1023.0));
        for (std::uint32_t bit = 0; bit < 10; ++bit) code |= (cell >> bit & 1u) << (3 * bit + axis);
        ++axis;
    }
    return code;
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
    Corners corners;
    for (std::uint32_t k = 0; k < all.size(); ++k) {
        if (all[k].kind != kind) continue;
        order.push_back(k);
        corners.add(all[k].position, all[k].position);
    }
    if (order.size() <= CLOTH_GROUP) return order;
    std::vector<std::uint32_t> codes(all.size());
    for (const std::uint32_t k : order) codes[k] = place_on_curve(all[k].position, corners);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return codes[a] != codes[b] ? codes[a] < codes[b] : a < b;
    });
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
