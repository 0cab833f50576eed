// SPDX-License-Identifier: MIT
// cloth_gap.cpp — see cloth_gap.h.
#include "cloth_gap.h"

#include "geometry/triangle_distance.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace scree::bench {
namespace {

/// Of segments p0 p1 and q0 q1 (Ericson 2005, section 5.1.9).
double distance_of_segments(DVec3 p0, DVec3 p1, DVec3 q0, DVec3 q1) {
    const DVec3 d = p1 - p0, e = q1 - q0, r = p0 - q0;
    const double dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dr = dot(d, r), er = dot(e, r);
    const double across = dd * ee - de * de;
    double s = across > 0 ? std::clamp((de * er - dr * ee) / across, 0.0, 1.0) : 0.0;
    double t = ee > 0 ? (de * s + er) / ee : 0.0;
    if (t < 0 || t > 1) {
        t = std::clamp(t, 0.0, 1.0);
        s = dd > 0 ? std::clamp((de * t - dr) / dd, 0.0, 1.0) : 0.0;
    }
    return length((p0 + d * s) - (q0 + e * t));
}

struct Bounds {
    double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
    void add(DVec3 p) {
        const double x[3] = {p.x, p.y, p.z};
        for (int c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], x[c]);
            high[c] = std::max(high[c], x[c]);
        }
    }
    bool near(const Bounds& other, double gap) const {
        for (int c = 0; c < 3; ++c)
            if (low[c] > other.high[c] + gap || other.low[c] > high[c] + gap) return false;
        return true;
    }
};

class Gaps {
public:
    Gaps(std::span<const float> position, double most) : position_(position), least_(most) {}

    /// `test` of parts of `corners` vertices and of parts of `others`, where they may be nearer than any before.
    template <class Test>
    void measure(std::span<const std::uint32_t> parts, std::size_t corners,
                 std::span<const std::uint32_t> others, std::size_t other_corners, const Test& test) {
        std::vector<Part> a = bounded(parts, corners), b = bounded(others, other_corners);
        cell_ = least_;
        for (const std::vector<Part>* list : {&a, &b})
            for (const Part& each : *list)
                for (int c = 0; c < 3; ++c)
                    cell_ = std::max(cell_, each.box.high[c] - each.box.low[c] + least_);
        for (Part& each : b) each.key = key(each.box, 0, 0, 0);
        std::sort(b.begin(), b.end(), [](const Part& x, const Part& y) { return x.key < y.key; });
        for (const Part& each : a)
            for (int x = -1; x <= 1; ++x)
                for (int y = -1; y <= 1; ++y) {
                    const std::uint64_t last = key(each.box, x, y, 1);
                    auto at =
                        std::lower_bound(b.begin(), b.end(), key(each.box, x, y, -1),
                                         [](const Part& part, std::uint64_t k) { return part.key < k; });
                    for (; at != b.end() && at->key <= last; ++at) {
                        if (!each.box.near(at->box, least_) || share(each, corners, *at, other_corners))
                            continue;
                        least_ = std::min(least_, test(each.vertex, at->vertex));
                    }
                }
    }
    DVec3 at(std::uint32_t v) const {
        const float* x = &position_[3 * std::size_t{v}];
        return {double{x[0]}, double{x[1]}, double{x[2]}};
    }
    double least() const { return least_; }

private:
    struct Part {
        Bounds box;
        const std::uint32_t* vertex = nullptr;
        std::uint64_t key = 0;
    };
    std::vector<Part> bounded(std::span<const std::uint32_t> parts, std::size_t corners) const {
        std::vector<Part> all(parts.size() / corners);
        for (std::size_t k = 0; k < all.size(); ++k) {
            all[k].vertex = &parts[k * corners];
            for (std::size_t c = 0; c < corners; ++c) all[k].box.add(at(all[k].vertex[c]));
        }
        return all;
    }
    /// Of the cell of a low corner, moved by so many: cells are as wide as a part and the distance, so that near parts are in
    /// neighbours. Cells along z follow each other.
    std::uint64_t key(const Bounds& box, int x, int y, int z) const {
        const int move[3] = {x, y, z};
        std::uint64_t all = 0;
        for (int c = 0; c < 3; ++c) {
            const double number = std::clamp(std::floor(box.low[c] / cell_), -1e6, 1e6) + 1.0e6 + 2;
            all = all << 21 | (static_cast<std::uint64_t>(number) + static_cast<std::uint64_t>(move[c]));
        }
        return all;
    }
    static bool share(const Part& a, std::size_t of_a, const Part& b, std::size_t of_b) {
        for (std::size_t c = 0; c < of_a; ++c)
            if (std::find(b.vertex, b.vertex + of_b, a.vertex[c]) != b.vertex + of_b) return true;
        return false;
    }

    std::span<const float> position_;
    double least_, cell_ = 0;
};

} // namespace

double thinnest_gap(std::span<const std::uint32_t> triangles, std::span<const std::uint32_t> edges,
                    std::span<const float> position, double most) {
    Gaps gaps(position, most);
    std::vector<std::uint32_t> vertices(triangles.begin(), triangles.end());
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    gaps.measure(vertices, 1, triangles, 3, [&](const std::uint32_t* v, const std::uint32_t* t) {
        return distance_to_triangle(gaps.at(v[0]), gaps.at(t[0]), gaps.at(t[1]), gaps.at(t[2]));
    });
    gaps.measure(edges, 2, edges, 2, [&](const std::uint32_t* a, const std::uint32_t* b) {
        return distance_of_segments(gaps.at(a[0]), gaps.at(a[1]), gaps.at(b[0]), gaps.at(b[1]));
    });
    return gaps.least();
}

} // namespace scree::bench
