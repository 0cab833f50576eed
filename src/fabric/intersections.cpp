// SPDX-License-Identifier: MIT
// intersections.cpp — see intersections.h.
#include "fabric/intersections.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// A number as the sum of doubles that do not overlap, smallest first.
class Expansion {
public:
    Expansion() = default;
    explicit Expansion(double a) {
        if (a != 0) parts_.push_back(a);
    }
    void add(double b) {
        std::vector<double> sum;
        for (const double part : parts_) {
            const double s = part + b, v = s - part, rest = (part - (s - v)) + (b - v);
            if (rest != 0) sum.push_back(rest);
            b = s;
        }
        if (b != 0) sum.push_back(b);
        parts_ = std::move(sum);
    }
    friend Expansion operator+(Expansion a, const Expansion& b) {
        for (const double part : b.parts_) a.add(part);
        return a;
    }
    friend Expansion operator-(Expansion a, const Expansion& b) {
        for (const double part : b.parts_) a.add(-part);
        return a;
    }
    friend Expansion operator*(const Expansion& a, const Expansion& b) {
        Expansion product;
        for (const double x : a.parts_)
            for (const double y : b.parts_) {
                const double high = x * y;
                product.add(std::fma(x, y, -high));
                product.add(high);
            }
        return product;
    }
    int sign() const { return parts_.empty() ? 0 : parts_.back() > 0 ? 1 : -1; }

private:
    std::vector<double> parts_;
};

/// the sign of the volume of a b c d
int orientation(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, const ExactPoint& d) {
    using L = long double;
    const auto off = [](const ExactPoint& p, const ExactPoint& q, int k) {
        return L{p[static_cast<std::size_t>(k)]} - L{q[static_cast<std::size_t>(k)]};
    };
    const L bx = off(b, a, 0), by = off(b, a, 1), bz = off(b, a, 2), cx = off(c, a, 0), cy = off(c, a, 1),
            cz = off(c, a, 2), dx = off(d, a, 0), dy = off(d, a, 1), dz = off(d, a, 2);
    const L volume = bx * (cy * dz - cz * dy) + by * (cz * dx - cx * dz) + bz * (cx * dy - cy * dx);
    const L most = std::abs(bx) * (std::abs(cy * dz) + std::abs(cz * dy)) +
                   std::abs(by) * (std::abs(cz * dx) + std::abs(cx * dz)) +
                   std::abs(bz) * (std::abs(cx * dy) + std::abs(cy * dx));
    if (std::abs(volume) > most * 1e-17L) return volume > 0 ? 1 : -1;
    const auto exact = [](const ExactPoint& p, const ExactPoint& q, std::size_t k) {
        return Expansion(p[k]) - Expansion(q[k]);
    };
    const Expansion ex = exact(b, a, 0), ey = exact(b, a, 1), ez = exact(b, a, 2), fx = exact(c, a, 0),
                    fy = exact(c, a, 1), fz = exact(c, a, 2), gx = exact(d, a, 0), gy = exact(d, a, 1),
                    gz = exact(d, a, 2);
    return (ex * (fy * gz - fz * gy) + ey * (fz * gx - fx * gz) + ez * (fx * gy - fy * gx)).sign();
}

/// the sign of the area of a b c without coordinate `k`
int orientation(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, std::size_t k) {
    const std::size_t x = (k + 1) % 3, y = (k + 2) % 3;
    const auto exact = [](const ExactPoint& p, const ExactPoint& q, std::size_t of) {
        return Expansion(p[of]) - Expansion(q[of]);
    };
    return (exact(b, a, x) * exact(c, a, y) - exact(b, a, y) * exact(c, a, x)).sign();
}

/// whether p q and a b meet, seen along axis k
bool segments_meet(const ExactPoint& p, const ExactPoint& q, const ExactPoint& a, const ExactPoint& b,
                   std::size_t k) {
    const int s0 = orientation(p, q, a, k), s1 = orientation(p, q, b, k), s2 = orientation(a, b, p, k),
              s3 = orientation(a, b, q, k);
    if (s0 * s1 > 0 || s2 * s3 > 0) return false;
    // in a line: their bounds overlap
    for (const std::size_t c : {(k + 1) % 3, (k + 2) % 3})
        if (std::max(p[c], q[c]) < std::min(a[c], b[c]) || std::max(a[c], b[c]) < std::min(p[c], q[c]))
            return false;
    return true;
}

/// whether p q meets a b c, all in one plane, seen along axis k
bool meet_in_plane(const ExactPoint& p, const ExactPoint& q, const ExactPoint& a, const ExactPoint& b,
                   const ExactPoint& c, std::size_t k) {
    if (segments_meet(p, q, a, b, k) || segments_meet(p, q, b, c, k) || segments_meet(p, q, c, a, k))
        return true;
    const int s0 = orientation(a, b, p, k), s1 = orientation(b, c, p, k), s2 = orientation(c, a, p, k);
    return (s0 > 0 && s1 > 0 && s2 > 0) || (s0 < 0 && s1 < 0 && s2 < 0);
}

} // namespace

std::vector<std::uint32_t> edges_of(std::span<const std::uint32_t> triangles) {
    std::vector<std::uint64_t> keys;
    keys.reserve(triangles.size());
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint64_t a = triangles[t + k], b = triangles[t + (k + 1) % 3];
            if (a != b) keys.push_back(std::min(a, b) << 32 | std::max(a, b));
        }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<std::uint32_t> edges;
    edges.reserve(2 * keys.size());
    for (const std::uint64_t key : keys) {
        edges.push_back(static_cast<std::uint32_t>(key >> 32));
        edges.push_back(static_cast<std::uint32_t>(key));
    }
    return edges;
}

bool edge_meets_triangle(const ExactPoint& p, const ExactPoint& q, const ExactPoint& a, const ExactPoint& b,
                         const ExactPoint& c) {
    const int above = orientation(a, b, c, p), below = orientation(a, b, c, q);
    if (above * below > 0) return false;
    if (above == 0 && below == 0) {
        bool flat = true;
        for (std::size_t k = 0; k < 3; ++k)
            if (orientation(a, b, c, k) != 0) {
                flat = false;
                if (!meet_in_plane(p, q, a, b, c, k)) return false;
            }
        if (!flat) return true;
        for (std::size_t k = 0; k < 3; ++k)
            if (!meet_in_plane(p, q, a, b, c, k)) return false;
        return true;
    }
    const int s0 = orientation(p, q, a, b), s1 = orientation(p, q, b, c), s2 = orientation(p, q, c, a);
    return !((s0 > 0 || s1 > 0 || s2 > 0) && (s0 < 0 || s1 < 0 || s2 < 0));
}

std::uint64_t count_intersections(std::span<const std::uint32_t> triangles,
                                  std::span<const std::uint32_t> edges, std::span<const float> position,
                                  std::size_t stride,
                                  const std::function<void(std::uint32_t, std::uint32_t)>& found) {
    const auto at = [&](std::uint32_t v) {
        const float* x = &position[stride * v];
        return ExactPoint{x[0], x[1], x[2]};
    };
    struct Bounds {
        ExactPoint low{3e38f, 3e38f, 3e38f}, high{-3e38f, -3e38f, -3e38f};
        bool finite = true;
        void add(const ExactPoint& p) {
            for (std::size_t c = 0; c < 3; ++c) {
                finite = finite && std::isfinite(p[c]);
                low[c] = std::min(low[c], p[c]);
                high[c] = std::max(high[c], p[c]);
            }
        }
    };
    std::vector<Bounds> bounds(triangles.size() / 3);
    double extent = 0;
    for (std::size_t t = 0; t < bounds.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) bounds[t].add(at(triangles[3 * t + k]));
        if (!bounds[t].finite) continue;
        for (std::size_t c = 0; c < 3; ++c) extent += double{bounds[t].high[c]} - double{bounds[t].low[c]};
    }
    const double cell =
        std::max(1e-9, extent / static_cast<double>(std::max<std::size_t>(1, 2 * bounds.size())));
    const auto cell_of = [&](float x) {
        return static_cast<std::int64_t>(std::clamp(std::floor(double{x} / cell), -1e6, 1e6));
    };
    const auto key = [](std::int64_t x, std::int64_t y, std::int64_t z) {
        return static_cast<std::uint64_t>((x & 0x1fffff) << 42 | (y & 0x1fffff) << 21 | (z & 0x1fffff));
    };
    const auto for_cells = [&](const Bounds& b, const auto& visit) {
        for (std::int64_t x = cell_of(b.low[0]); x <= cell_of(b.high[0]); ++x)
            for (std::int64_t y = cell_of(b.low[1]); y <= cell_of(b.high[1]); ++y)
                for (std::int64_t z = cell_of(b.low[2]); z <= cell_of(b.high[2]); ++z) visit(key(x, y, z));
    };
    // of a few long ones: looked at by all, and look at all
    const auto covers_many = [&](const Bounds& b) {
        double cells = 1;
        for (std::size_t c = 0; c < 3; ++c)
            cells *= static_cast<double>(cell_of(b.high[c]) - cell_of(b.low[c]) + 1);
        return cells > 4096;
    };
    std::vector<std::pair<std::uint64_t, std::uint32_t>> cells;
    std::vector<std::uint32_t> large;
    for (std::uint32_t t = 0; t < bounds.size(); ++t) {
        if (!bounds[t].finite) continue;
        if (covers_many(bounds[t])) large.push_back(t);
        else for_cells(bounds[t], [&](std::uint64_t k) { cells.emplace_back(k, t); });
    }
    std::sort(cells.begin(), cells.end());
    std::vector<std::uint32_t> seen(bounds.size(), ~0u);
    std::uint64_t count = 0;
    for (std::uint32_t e = 0; e < edges.size() / 2; ++e) {
        const std::uint32_t a = edges[2 * e], b = edges[2 * e + 1];
        const ExactPoint p = at(a), q = at(b);
        Bounds box;
        box.add(p);
        box.add(q);
        if (!box.finite) continue;
        const auto look = [&](std::uint32_t t) {
            if (seen[t] == e || !bounds[t].finite) return;
            seen[t] = e;
            const std::uint32_t* v = &triangles[3 * std::size_t{t}];
            if (std::find(v, v + 3, a) != v + 3 || std::find(v, v + 3, b) != v + 3) return;
            bool apart = false;
            for (std::size_t c = 0; c < 3; ++c)
                apart = apart || box.high[c] < bounds[t].low[c] || bounds[t].high[c] < box.low[c];
            if (apart || !edge_meets_triangle(p, q, at(v[0]), at(v[1]), at(v[2]))) return;
            ++count;
            if (found) found(e, t);
        };
        if (covers_many(box)) {
            for (std::uint32_t t = 0; t < bounds.size(); ++t) look(t);
            continue;
        }
        for_cells(box, [&](std::uint64_t k) {
            for (auto it = std::lower_bound(cells.begin(), cells.end(), std::pair{k, 0u});
                 it != cells.end() && it->first == k; ++it)
                look(it->second);
        });
        for (const std::uint32_t t : large) look(t);
    }
    return count;
}

} // namespace scree
