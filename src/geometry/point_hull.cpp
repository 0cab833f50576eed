// SPDX-License-Identifier: MIT
// point_hull.cpp — quickhull (Barber, Dobkin, Huhdanpaa 1996) with lists of outside points.
//
// Points are put on a lattice of 2^20 cells a side. Whether a point is above a triangle is then a sum of products below
// 2^63, exact in 64 bits, so the surface stays closed and convex whatever the points are.
// compiled alone
#include "geometry/point_hull.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

constexpr std::uint32_t nobody = 0xffffffffu;

struct Cell {
    std::int64_t x = 0, y = 0, z = 0;
};
Cell operator-(Cell a, Cell b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Cell cross(Cell a, Cell b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
std::int64_t dot(Cell a, Cell b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double size(Cell a) {
    return std::sqrt(static_cast<double>(a.x) * static_cast<double>(a.x) +
                     static_cast<double>(a.y) * static_cast<double>(a.y) +
                     static_cast<double>(a.z) * static_cast<double>(a.z));
}

struct Face {
    std::array<std::uint32_t, 3> vertex{};
    std::array<std::uint32_t, 3> across{nobody, nobody, nobody}; ///< beyond the edge vertex[k], vertex[k + 1]
    Cell normal;
    double length = 0;                  ///< of the normal
    std::vector<std::uint32_t> outside; ///< points above this face and no earlier one
    std::uint32_t farthest = nobody;
    double distance = 0; ///< of the farthest, in cells
    bool alive = true;
};

class Builder {
public:
    Builder(std::span<const DVec3> points, std::uint32_t most) : points_(points), most_(most) {}

    PointHull build() {
        PointHull out;
        if (points_.size() < 4 || !start()) return out;
        std::uint32_t count = 4;
        // with a limit the farthest point of all comes next, so that those taken matter most
        const bool limited = most_ != nobody;
        std::vector<std::uint32_t> open{0, 1, 2, 3};
        while (true) {
            std::uint32_t face = nobody;
            if (limited) {
                for (std::uint32_t f = 0; f < faces_.size(); ++f)
                    if (faces_[f].alive && faces_[f].farthest != nobody &&
                        (face == nobody || faces_[f].distance > faces_[face].distance))
                        face = f;
                if (face != nobody && count >= most_) {
                    out.missed = faces_[face].distance / scale_;
                    break;
                }
            } else {
                while (!open.empty() &&
                       (!faces_[open.back()].alive || faces_[open.back()].farthest == nobody))
                    open.pop_back();
                if (!open.empty()) face = open.back();
            }
            if (face == nobody) break;
            const auto first = static_cast<std::uint32_t>(faces_.size());
            insert(face);
            ++count;
            for (std::uint32_t f = first; f < faces_.size(); ++f) open.push_back(f);
        }
        finish(out);
        return out;
    }

private:
    std::span<const DVec3> points_;
    std::uint32_t most_;
    std::vector<Cell> cells_;
    std::vector<Face> faces_;
    std::vector<std::uint32_t> mark_; ///< of faces: the insertion that saw it
    double scale_ = 1;                ///< cells in a metre
    std::uint32_t round_ = 0;

    Face face(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        Face f;
        f.vertex = {a, b, c};
        f.normal = cross(cells_[b] - cells_[a], cells_[c] - cells_[a]);
        f.length = size(f.normal);
        return f;
    }
    std::int64_t above(const Face& f, std::uint32_t p) const {
        return dot(f.normal, cells_[p] - cells_[f.vertex[0]]);
    }
    void give(Face& f, std::uint32_t p, std::int64_t height) {
        f.outside.push_back(p);
        const double distance = static_cast<double>(height) / f.length;
        if (f.farthest == nobody || distance > f.distance) f.farthest = p, f.distance = distance;
    }

    /// The first tetrahedron; false if the points are flat.
    bool start() {
        DVec3 low = points_[0], high = low;
        for (const DVec3& p : points_) low = min(low, p), high = max(high, p);
        const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
        if (!(extent > 0)) return false;
        scale_ = 1048575.0 / extent;
        cells_.reserve(points_.size());
        for (const DVec3& p : points_) {
            const DVec3 r = scale_ * (p - low);
            cells_.push_back({static_cast<std::int64_t>(r.x + 0.5), static_cast<std::int64_t>(r.y + 0.5),
                              static_cast<std::int64_t>(r.z + 0.5)});
        }
        const auto n = static_cast<std::uint32_t>(points_.size());
        const auto best = [&](auto measure) {
            std::uint32_t out = 0;
            double most = -1;
            for (std::uint32_t i = 0; i < n; ++i)
                if (const double m = measure(i); m > most) most = m, out = i;
            return out;
        };
        const std::uint32_t a =
            best([&](std::uint32_t i) { return static_cast<double>((std::int64_t{1} << 20) - cells_[i].x); });
        const std::uint32_t b = best([&](std::uint32_t i) { return size(cells_[i] - cells_[a]); });
        const std::uint32_t c =
            best([&](std::uint32_t i) { return size(cross(cells_[b] - cells_[a], cells_[i] - cells_[a])); });
        Face base = face(a, b, c);
        if (base.length == 0) return false;
        const std::uint32_t d =
            best([&](std::uint32_t i) { return std::fabs(static_cast<double>(above(base, i))); });
        const std::int64_t height = above(base, d);
        if (height == 0) return false;
        const std::uint32_t u = height > 0 ? c : b, v = height > 0 ? b : c;
        faces_ = {face(a, u, v), face(a, v, d), face(v, u, d), face(u, a, d)};
        const std::array<std::uint32_t, 3> across[4] = {{3, 2, 1}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
        for (std::size_t f = 0; f < 4; ++f) faces_[f].across = across[f];
        mark_.assign(4, 0);
        for (std::uint32_t i = 0; i < n; ++i)
            for (Face& f : faces_)
                if (const std::int64_t h = above(f, i); h > 0) {
                    give(f, i, h);
                    break;
                }
        return true;
    }

    /// Adds the farthest point of a face: the faces it sees are replaced by a cone over their border.
    void insert(std::uint32_t from) {
        const std::uint32_t point = faces_[from].farthest;
        ++round_;
        std::vector<std::uint32_t> seen{from};
        mark_[from] = round_;
        for (std::size_t i = 0; i < seen.size(); ++i)
            for (const std::uint32_t next : faces_[seen[i]].across)
                if (mark_[next] != round_ && above(faces_[next], point) > 0) {
                    mark_[next] = round_;
                    seen.push_back(next);
                }
        const auto first = static_cast<std::uint32_t>(faces_.size());
        for (const std::uint32_t f : seen)
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t beyond = faces_[f].across[k];
                if (mark_[beyond] == round_) continue;
                const std::uint32_t a = faces_[f].vertex[k], b = faces_[f].vertex[(k + 1) % 3];
                Face cone = face(a, b, point);
                cone.across[0] = beyond;
                for (std::size_t j = 0; j < 3; ++j)
                    if (faces_[beyond].vertex[j] == b)
                        faces_[beyond].across[j] = static_cast<std::uint32_t>(faces_.size());
                faces_.push_back(std::move(cone));
            }
        mark_.resize(faces_.size(), 0);
        // the border is one closed line: its edges meet end to start
        const auto end = static_cast<std::uint32_t>(faces_.size());
        for (std::uint32_t f = first; f < end; ++f)
            for (std::uint32_t g = first; g < end; ++g)
                if (faces_[f].vertex[1] == faces_[g].vertex[0]) {
                    faces_[f].across[1] = g;
                    faces_[g].across[2] = f;
                    break;
                }
        for (const std::uint32_t f : seen) {
            faces_[f].alive = false;
            for (const std::uint32_t p : faces_[f].outside) {
                if (p == point) continue;
                for (std::uint32_t g = first; g < end; ++g)
                    if (const std::int64_t h = above(faces_[g], p); h > 0) {
                        give(faces_[g], p, h);
                        break;
                    }
            }
            faces_[f].outside = {};
        }
    }

    void finish(PointHull& out) const {
        const DVec3 origin = points_[faces_[0].vertex[0]];
        for (const Face& f : faces_) {
            if (!f.alive) continue;
            out.triangles.push_back(f.vertex);
            const DVec3 normal = DVec3{static_cast<double>(f.normal.x), static_cast<double>(f.normal.y),
                                       static_cast<double>(f.normal.z)} /
                                 f.length;
            out.normals.push_back(normal);
            // the highest corner: no vertex of the triangle is outside
            double offset = -std::numeric_limits<double>::infinity();
            for (const std::uint32_t v : f.vertex) offset = std::max(offset, scree::dot(normal, points_[v]));
            out.offsets.push_back(offset);
            const DVec3 a = points_[f.vertex[0]] - origin, b = points_[f.vertex[1]] - origin,
                        c = points_[f.vertex[2]] - origin;
            out.volume += scree::dot(a, scree::cross(b, c)) / 6;
        }
    }
};

} // namespace

std::vector<std::uint32_t> PointHull::vertices() const {
    std::vector<std::uint32_t> out;
    for (const auto& t : triangles) out.insert(out.end(), t.begin(), t.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

double PointHull::depth(DVec3 p) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < normals.size(); ++f) least = std::min(least, offsets[f] - dot(normals[f], p));
    return least;
}

double PointHull::deeper(DVec3 p, double most, std::size_t& near_face) const {
    const auto below = [&](std::size_t f) { return offsets[f] - dot(normals[f], p); };
    double least = below(near_face);
    if (least <= most) return most;
    for (std::size_t f = 0; f < normals.size(); ++f)
        if (const double d = below(f); d < least) {
            least = d;
            near_face = f;
            if (least <= most) return most;
        }
    return least;
}

PointHull hull_of(std::span<const DVec3> points, std::uint32_t most_vertices) {
    return Builder(points, most_vertices).build();
}

} // namespace scree
