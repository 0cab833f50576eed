// SPDX-License-Identifier: MIT
// shared_corners.cpp — see shared_corners.h.
#include "render/shared_corners.h"

#include <algorithm>
#include <cmath>

namespace scree::render {

namespace {

constexpr double cell = 64, same_place = 1e-5, on_edge = 1e-4; // units

std::int64_t cell_of(double c) { return static_cast<std::int64_t>(std::floor(c / cell)); }

std::uint64_t key_of(std::int64_t x, std::int64_t y, std::int64_t z) {
    constexpr std::uint64_t mask = (std::uint64_t{1} << 21) - 1;
    return (static_cast<std::uint64_t>(x) & mask) << 42 | (static_cast<std::uint64_t>(y) & mask) << 21 |
           (static_cast<std::uint64_t>(z) & mask);
}

} // namespace

template <class Call>
void SharedCorners::each_near(DVec3 low, DVec3 high, Call call) const {
    for (std::int64_t x = cell_of(low.x); x <= cell_of(high.x); ++x)
        for (std::int64_t y = cell_of(low.y); y <= cell_of(high.y); ++y)
            for (std::int64_t z = cell_of(low.z); z <= cell_of(high.z); ++z)
                if (const auto at = grid_.find(key_of(x, y, z)); at != grid_.end())
                    for (const std::uint32_t corner : at->second) call(corner);
}

std::uint32_t SharedCorners::add(DVec3 at) {
    const DVec3 room{same_place, same_place, same_place};
    const auto next = static_cast<std::uint32_t>(corners_.size());
    std::uint32_t known = next;
    each_near(at - room, at + room, [&](std::uint32_t corner) {
        if (length(corners_[corner] - at) < same_place) known = std::min(known, corner);
    });
    if (known != next) return known;
    corners_.push_back(at);
    grid_[key_of(cell_of(at.x), cell_of(at.y), cell_of(at.z))].push_back(next);
    return next;
}

const std::vector<std::uint32_t>& SharedCorners::between(std::uint32_t a, std::uint32_t b) {
    found_.clear();
    const DVec3 from = corners_[a], edge = corners_[b] - from, room{on_edge, on_edge, on_edge};
    const double long_squared = dot(edge, edge);
    if (!(long_squared > 0)) return found_;
    const auto share = [&](std::uint32_t c) { return dot(corners_[c] - from, edge) / long_squared; };
    const auto look_at = [&](std::uint32_t c) {
        const double t = share(c);
        if (c == a || c == b || !(t > 0 && t < 1)) return;
        if (length(corners_[c] - (from + t * edge)) < on_edge) found_.push_back(c);
    };
    // piece by piece, so that the boxes around a slanting edge stay small, unless there are more pieces than corners
    const double pieces = std::ceil(std::sqrt(long_squared) / (2 * cell));
    if (pieces > static_cast<double>(corners_.size()))
        for (std::uint32_t c = 0; c < corners_.size(); ++c) look_at(c);
    else
        for (double k = 0; k < pieces; ++k) {
            const DVec3 begin = from + k / pieces * edge, end = from + (k + 1) / pieces * edge;
            each_near(min(begin, end) - room, max(begin, end) + room, look_at);
        }
    std::sort(found_.begin(), found_.end(), [&](std::uint32_t c, std::uint32_t d) {
        return share(c) != share(d) ? share(c) < share(d) : c < d;
    });
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return found_;
}

} // namespace scree::render
