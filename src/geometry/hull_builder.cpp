// SPDX-License-Identifier: MIT
// hull_builder.cpp — builds convex hulls: quickhull on a lattice in exact integers, then coplanar triangles become polygons.
//
// Points are put on a lattice of 2^30 cells a side, some five hundred times finer than the tolerance; whether a point is
// above a triangle is then decided without rounding, so the surface is closed and convex at every moment (Barber, Dobkin,
// Huhdanpaa 1996 for the algorithm, with the farthest point of all taken next). The tolerance decides only which points
// are worth a vertex and which triangles are one face; a merge that is in doubt is left out, which costs a face and
// never the shape.
// compiled alone
#include "geometry/hull.h"

#include "text/number_text.h"

#include "scree/error.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>

namespace scree {
namespace {

constexpr const char* place = "Hull::from_points";
constexpr std::uint32_t nobody = 0xffffffffu;
/// beyond this many the vertices are no longer counted
constexpr std::uint32_t most_counted = 512;

__extension__ typedef __int128 Exact;

struct Cell {
    std::int64_t x = 0, y = 0, z = 0;
};
Cell operator-(Cell a, Cell b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Cell cross(Cell a, Cell b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

DVec3 wide(Cell a) { return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)}; }

// ---- points on the lattice ----------------------------------------------------------------------------------------

struct Cloud {
    std::vector<Cell> cell;
    std::vector<DVec3> at; ///< the same, for distances
    double tolerance = 0;  ///< in cells
    double metre = 0;      ///< cells in a metre
};

void check_points(std::span<const Vec3> points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 p = points[i];
        if (!is_finite(p))
            throw Error("point " + std::to_string(i) + " is not finite: " + number_text(p.x) + " " +
                            number_text(p.y) + " " + number_text(p.z),
                        place);
    }
    if (points.size() < 4)
        throw Error("a hull needs at least 4 points, not " + std::to_string(points.size()), place);
}

Cloud on_lattice(std::span<const Vec3> points) {
    DVec3 low = wide(points[0]), high = low;
    for (const Vec3& p : points) {
        low = min(low, wide(p));
        high = max(high, wide(p));
    }
    const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    if (extent <= 0) throw Error("all " + std::to_string(points.size()) + " points are one point", place);

    int exponent = 0;
    std::frexp(extent, &exponent);
    Cloud cloud;
    cloud.metre = std::ldexp(1.0, 30 - exponent); // a power of two: short coordinates stay exact
    cloud.tolerance = hull_tolerance(points) * cloud.metre;
    cloud.cell.reserve(points.size());
    cloud.at.reserve(points.size());
    for (const Vec3& p : points) {
        const DVec3 r = cloud.metre * (wide(p) - low);
        cloud.cell.push_back({static_cast<std::int64_t>(r.x + 0.5), static_cast<std::int64_t>(r.y + 0.5),
                              static_cast<std::int64_t>(r.z + 0.5)});
        cloud.at.push_back(wide(cloud.cell.back()));
    }
    return cloud;
}

// ---- the triangulated hull -----------------------------------------------------------------------------------------

struct Triangle {
    std::uint32_t vertex[3];
    std::uint32_t across[3]; ///< the triangle beyond the edge vertex[k], vertex[k + 1]
    Cell normal;             ///< outward, exact
    DVec3 unit;
    bool alive = true;
};

class Triangulation {
public:
    /// Of those points of the cloud; throws Error when they span no volume.
    Triangulation(const Cloud& cloud, std::vector<std::uint32_t> members)
        : cloud_(&cloud), members_(std::move(members)) {
        start();
        while (inserted_ <= most_counted && insert_farthest()) {}
    }

    bool complete() const { return inserted_ <= most_counted; }
    std::vector<Triangle> triangles() const {
        std::vector<Triangle> out;
        for (const Triangle& t : triangles_)
            if (t.alive) out.push_back(t);
        return out;
    }
    /// In the order of the points.
    std::vector<std::uint32_t> vertices() const {
        std::vector<std::uint32_t> out;
        for (const Triangle& t : triangles_)
            if (t.alive) out.insert(out.end(), t.vertex, t.vertex + 3);
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }
    double above(const Triangle& t, std::uint32_t p) const {
        return dot(t.unit, cloud_->at[p] - cloud_->at[t.vertex[0]]);
    }

private:
    /// A point not known to be inside, and the triangle it is farthest above.
    struct Outside {
        std::uint32_t point;
        std::uint32_t triangle;
        double above;
    };

    const Cloud* cloud_;
    std::vector<std::uint32_t> members_; ///< not known to be inside
    std::vector<Triangle> triangles_;
    std::vector<Outside> outside_;
    DVec3 middle_;
    std::uint32_t inserted_ = 0;

    Triangle triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        const Cell n = cross(cloud_->cell[b] - cloud_->cell[a], cloud_->cell[c] - cloud_->cell[a]);
        const DVec3 w = wide(n);
        const double size = length(w);
        assert(size > 0);
        return {{a, b, c}, {nobody, nobody, nobody}, n, (1 / size) * w};
    }

    bool visible(const Triangle& t, std::uint32_t p) const {
        const Cell d = cloud_->cell[p] - cloud_->cell[t.vertex[0]];
        return static_cast<Exact>(t.normal.x) * d.x + static_cast<Exact>(t.normal.y) * d.y +
                   static_cast<Exact>(t.normal.z) * d.z >
               0;
    }

    /// Of the members for which `measure` is within a tolerance of its largest, the one farthest from `from`: a corner,
    /// where whole edges and faces of a regular cloud are equally far.
    template <class Measure>
    std::uint32_t farthest_corner(Measure measure, DVec3 from, double& largest) const {
        largest = 0;
        for (std::uint32_t p : members_) largest = std::max(largest, measure(p));
        const double enough = std::max(largest - cloud_->tolerance, 0.5 * largest);
        std::uint32_t best = members_[0];
        double far = -1;
        for (std::uint32_t p : members_) {
            const DVec3 d = cloud_->at[p] - from;
            if (const double d2 = dot(d, d); measure(p) >= enough && d2 > far) {
                far = d2;
                best = p;
            }
        }
        return best;
    }

    [[noreturn]] void flat(const char* what, double beyond) const {
        throw Error("the " + std::to_string(members_.size()) + " points lie " + what + " (to " +
                        number_text(beyond / cloud_->metre) + " m)",
                    place);
    }

    /// The first tetrahedron.
    void start() {
        const std::vector<DVec3>& at = cloud_->at;
        // a body thinner than this has faces that cannot be told apart
        const double thin = 8 * cloud_->tolerance;
        DVec3 low = at[members_[0]], high = low;
        for (std::uint32_t p : members_) {
            low = min(low, at[p]);
            high = max(high, at[p]);
        }
        middle_ = 0.5 * (low + high);
        double size = 0;
        const auto from = [&](DVec3 o) { return [&at, o](std::uint32_t p) { return length(at[p] - o); }; };
        const std::uint32_t a = farthest_corner(from(middle_), middle_, size);
        const std::uint32_t b = farthest_corner(from(at[a]), at[a], size);
        if (size <= thin) flat("in one point", size);
        const DVec3 line = (1 / length(at[b] - at[a])) * (at[b] - at[a]);
        const auto off_line = [&](std::uint32_t p) { return length(cross(line, at[p] - at[a])); };
        const std::uint32_t c = farthest_corner(off_line, middle_, size);
        if (size <= thin) flat("on one line", size);
        const DVec3 across = cross(line, at[c] - at[a]);
        const DVec3 normal = (1 / length(across)) * across;
        const auto off_plane = [&](std::uint32_t p) { return std::fabs(dot(normal, at[p] - at[a])); };
        const std::uint32_t d = farthest_corner(off_plane, middle_, size);
        if (size <= thin) flat("in one plane", size);

        triangles_ = {triangle(a, b, c)};
        const bool up = visible(triangles_[0], d); // then a, b, c is seen from inside
        const std::uint32_t u = up ? c : b, v = up ? b : c;
        triangles_ = {triangle(a, u, v), triangle(a, v, d), triangle(v, u, d), triangle(u, a, d)};
        const std::uint32_t across_of[4][3] = {{3, 2, 1}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
        for (int t = 0; t < 4; ++t)
            std::copy(across_of[t], across_of[t] + 3, triangles_[std::size_t(t)].across);
        inserted_ = 4;
        for (std::uint32_t p : members_) outside_.push_back({p, nobody, 0});
        assign(0);
    }

    /// Finds the triangle that each point is farthest above, given that those from `first` on are new; forgets the
    /// points that are inside, as the hull only grows.
    void assign(std::size_t first) {
        std::vector<std::uint32_t> living;
        for (std::uint32_t t = 0; t < triangles_.size(); ++t)
            if (triangles_[t].alive) living.push_back(t);
        const auto fresh =
            static_cast<std::size_t>(std::lower_bound(living.begin(), living.end(), first) - living.begin());
        std::size_t kept = 0;
        for (Outside o : outside_) {
            const bool orphan = o.triangle == nobody || !triangles_[o.triangle].alive;
            if (orphan) o = {o.point, nobody, 0};
            for (std::size_t k = orphan ? 0 : fresh; k < living.size(); ++k)
                if (const double h = above(triangles_[living[k]], o.point); h > o.above)
                    o = {o.point, living[k], h};
            if (o.triangle != nobody) outside_[kept++] = o;
        }
        outside_.resize(kept);
        members_.clear();
        for (const Outside& o : outside_) members_.push_back(o.point);
    }

    /// Whether there was a point beyond the tolerance.
    bool insert_farthest() {
        const Outside* best = nullptr;
        for (const Outside& o : outside_)
            if (!best || o.above > best->above) best = &o;
        if (!best || best->above <= cloud_->tolerance) return false;
        double size = 0;
        const Triangle base = triangles_[best->triangle];
        insert(farthest_corner([&](std::uint32_t p) { return above(base, p); }, middle_, size));
        return true;
    }

    /// Replaces the triangles that the point sees by a cone over their border.
    void insert(std::uint32_t point) {
        std::vector<char> seen(triangles_.size());
        for (std::size_t t = 0; t < triangles_.size(); ++t)
            seen[t] = triangles_[t].alive && visible(triangles_[t], point);
        const std::size_t first = triangles_.size();
        for (std::size_t t = 0; t < first; ++t) {
            if (!seen[t]) continue;
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t beyond = triangles_[t].across[k];
                if (seen[beyond]) continue;
                const std::uint32_t a = triangles_[t].vertex[k], b = triangles_[t].vertex[(k + 1) % 3];
                Triangle cone = triangle(a, b, point);
                cone.across[0] = beyond;
                for (int j = 0; j < 3; ++j)
                    if (triangles_[beyond].vertex[j] == b)
                        triangles_[beyond].across[j] = static_cast<std::uint32_t>(triangles_.size());
                triangles_.push_back(cone);
            }
            triangles_[t].alive = false;
        }
        // the border is one closed line: its edges meet end to start
        for (std::size_t t = first; t < triangles_.size(); ++t)
            for (std::size_t u = first; u < triangles_.size(); ++u)
                if (triangles_[t].vertex[1] == triangles_[u].vertex[0]) {
                    triangles_[t].across[1] = static_cast<std::uint32_t>(u);
                    triangles_[u].across[2] = static_cast<std::uint32_t>(t);
                }
        ++inserted_;
        assign(first);
    }
};

/// Whether every point is inside to twice the tolerance, given that `known` holds them all.
bool holds_all(const Triangulation& hull, const Triangulation& known, const Cloud& cloud) {
    const auto corners = [](const Triangle& t) {
        std::array<std::uint32_t, 3> out{t.vertex[0], t.vertex[1], t.vertex[2]};
        std::sort(out.begin(), out.end());
        return out;
    };
    std::set<std::array<std::uint32_t, 3>> old; // these need no second look
    for (const Triangle& t : known.triangles()) old.insert(corners(t));
    for (const Triangle& t : hull.triangles()) {
        if (old.count(corners(t))) continue;
        for (std::uint32_t p = 0; p < cloud.at.size(); ++p)
            if (hull.above(t, p) > 2 * cloud.tolerance) return false;
    }
    return true;
}

/// How far the vertex stands out from the others in the mean direction of its triangles.
double prominence(const std::vector<Triangle>& triangles, const std::vector<std::uint32_t>& vertices,
                  const Cloud& cloud, std::uint32_t vertex) {
    DVec3 sum;
    for (const Triangle& t : triangles)
        if (t.vertex[0] == vertex || t.vertex[1] == vertex || t.vertex[2] == vertex) sum = sum + t.unit;
    const double size = length(sum);
    if (!(size > 0)) return 0;
    double gap = std::numeric_limits<double>::infinity();
    for (std::uint32_t v : vertices)
        if (v != vertex) gap = std::min(gap, dot(sum, cloud.at[vertex] - cloud.at[v]));
    return gap / size;
}

/// Removes the vertices that the hull can do without: those on an edge or a face between others.
Triangulation without_idle_vertices(Triangulation hull, const Cloud& cloud) {
    for (std::uint32_t vertex : hull.vertices()) {
        std::vector<std::uint32_t> others = hull.vertices();
        const auto it = std::find(others.begin(), others.end(), vertex);
        if (it == others.end() || others.size() <= 4) continue;
        if (prominence(hull.triangles(), others, cloud, vertex) > 2 * cloud.tolerance) continue;
        others.erase(it);
        try {
            if (Triangulation smaller(cloud, others); holds_all(smaller, hull, cloud)) hull = smaller;
        } catch (const Error&) {
            continue; // without it the others are flat
        }
    }
    return hull;
}

// ---- polygons -------------------------------------------------------------------------------------------------------

/// A face while triangles are merged; its vertices are numbered from 0.
struct Polygon {
    std::vector<std::uint32_t> loop;
    DVec3 normal;
    bool alive = true;
};

struct Surface {
    std::vector<std::uint32_t> point; ///< of the cloud, for each vertex
    std::vector<DVec3> at;
    std::vector<Polygon> polygons;
    std::vector<std::uint32_t> owner; ///< of the edge a -> b at a * vertices + b: its polygon

    std::uint32_t& edge(std::uint32_t a, std::uint32_t b) { return owner[a * at.size() + b]; }
    int faces_at(std::uint32_t v) const {
        const auto row = owner.begin() + static_cast<std::ptrdiff_t>(v * at.size());
        return static_cast<int>(at.size()) -
               static_cast<int>(std::count(row, row + static_cast<std::ptrdiff_t>(at.size()), nobody));
    }
};

Surface surface_of(const Triangulation& hull, const Cloud& cloud) {
    Surface s;
    s.point = hull.vertices();
    for (std::uint32_t p : s.point) s.at.push_back(cloud.at[p]);
    s.owner.assign(s.at.size() * s.at.size(), nobody);
    for (const Triangle& t : hull.triangles()) {
        Polygon polygon{{}, t.unit};
        for (std::uint32_t p : t.vertex)
            polygon.loop.push_back(static_cast<std::uint32_t>(
                std::lower_bound(s.point.begin(), s.point.end(), p) - s.point.begin()));
        for (std::size_t k = 0; k < 3; ++k)
            s.edge(polygon.loop[k], polygon.loop[(k + 1) % 3]) =
                static_cast<std::uint32_t>(s.polygons.size());
        s.polygons.push_back(std::move(polygon));
    }
    return s;
}

/// Two neighbours as one polygon, without their common edge, and how far it is from flat.
struct Merger {
    Polygon polygon;
    double bend = 0;
};

/// Empty unless the result is flat, convex and leaves every vertex three faces.
std::optional<Merger> merger(Surface& s, std::uint32_t a, std::uint32_t b, double tolerance) {
    const std::uint32_t left = s.edge(a, b), right = s.edge(b, a);
    if (left == right || s.faces_at(a) < 4 || s.faces_at(b) < 4) return {};
    const Polygon &f = s.polygons[left], &g = s.polygons[right];
    if (dot(f.normal, g.normal) <= 0) return {};

    // b ... a along the left polygon, then on from a to b along the right one
    std::vector<std::uint32_t> loop;
    const auto append = [&loop](const Polygon& p, std::uint32_t from, std::uint32_t to) {
        const std::size_t n = p.loop.size();
        std::size_t k =
            static_cast<std::size_t>(std::find(p.loop.begin(), p.loop.end(), from) - p.loop.begin());
        for (; p.loop[k] != to; k = (k + 1) % n) loop.push_back(p.loop[k]);
    };
    append(f, b, a);
    append(g, a, b);
    std::vector<std::uint32_t> once = loop;
    std::sort(once.begin(), once.end());
    if (std::adjacent_find(once.begin(), once.end()) != once.end()) return {};

    // Newell's normal, from a vertex so that large coordinates cancel exactly
    DVec3 normal, mean;
    const DVec3 origin = s.at[loop[0]];
    for (std::size_t k = 0; k < loop.size(); ++k) {
        normal = normal + cross(s.at[loop[k]] - origin, s.at[loop[(k + 1) % loop.size()]] - origin);
        mean = mean + (s.at[loop[k]] - origin);
    }
    const double size = length(normal);
    if (!(size > 0)) return {};
    normal = (1 / size) * normal;
    mean = origin + (1.0 / static_cast<double>(loop.size())) * mean;

    Merger out{{{}, normal}, 0};
    for (std::uint32_t v : loop) out.bend = std::max(out.bend, std::fabs(dot(normal, s.at[v] - mean)));
    if (out.bend > tolerance) return {};
    for (const DVec3& p : s.at)
        if (dot(normal, p - mean) > tolerance) return {};
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const DVec3 p = s.at[loop[k]], q = s.at[loop[(k + 1) % loop.size()]],
                    r = s.at[loop[(k + 2) % loop.size()]];
        if (dot(cross(r - p, q - p), normal) > tolerance * length(r - p)) return {}; // q is a dent
    }
    out.polygon.loop = std::move(loop);
    return out;
}

/// Merges neighbours, the flattest pair first.
void merge_polygons(Surface& s, double tolerance) {
    struct Seam {
        std::uint32_t a, b, left, right;
        std::optional<Merger> merger;
    };
    std::vector<Seam> seams;
    const std::uint32_t n = static_cast<std::uint32_t>(s.at.size());
    for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = a + 1; b < n; ++b)
            if (s.edge(a, b) != nobody)
                seams.push_back({a, b, s.edge(a, b), s.edge(b, a), merger(s, a, b, tolerance)});

    while (true) {
        Seam* best = nullptr;
        Merger* least = nullptr;
        for (Seam& seam : seams)
            if (seam.merger && (!least || seam.merger->bend < least->bend))
                best = &seam, least = &*seam.merger;
        if (!best) return;
        const struct {
            std::uint32_t a, b, left, right;
        } done{best->a, best->b, best->left, best->right};
        s.edge(done.a, done.b) = s.edge(done.b, done.a) = nobody;
        s.polygons[done.right].alive = false;
        s.polygons[done.left] = std::move(least->polygon);
        const std::vector<std::uint32_t>& loop = s.polygons[done.left].loop;
        for (std::size_t k = 0; k < loop.size(); ++k)
            s.edge(loop[k], loop[(k + 1) % loop.size()]) = done.left;
        seams.erase(seams.begin() + (best - seams.data()));

        // what bordered on the two, or ends where a vertex lost a face, may have changed its mind
        for (Seam& seam : seams) {
            const auto touched = [&](std::uint32_t f) { return f == done.left || f == done.right; };
            const auto ended = [&](std::uint32_t v) { return v == done.a || v == done.b; };
            if (!touched(seam.left) && !touched(seam.right) && !ended(seam.a) && !ended(seam.b)) continue;
            seam.left = s.edge(seam.a, seam.b);
            seam.right = s.edge(seam.b, seam.a);
            seam.merger = merger(s, seam.a, seam.b, tolerance);
        }
    }
}

// ---- the geometry ---------------------------------------------------------------------------------------------------

/// The plane from the vertices as they were given, not from the lattice.
void append_plane(HullGeometry& hull, std::span<const std::uint32_t> loop) {
    const DVec3 origin = wide(hull.vertices[loop[0]]);
    DVec3 normal;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
        normal =
            normal + cross(wide(hull.vertices[loop[k]]) - origin, wide(hull.vertices[loop[k + 1]]) - origin);
    normal = (1 / length(normal)) * normal;
    const Vec3 n{static_cast<float>(normal.x), static_cast<float>(normal.y), static_cast<float>(normal.z)};
    double offset = 0; // for the rounded normal, so that far from the origin its error does not count
    for (std::uint32_t v : loop) offset += dot(wide(n), wide(hull.vertices[v]));
    offset /= static_cast<double>(loop.size());
    hull.planes.insert(hull.planes.end(), {n.x, n.y, n.z, static_cast<float>(offset)});
}

HullGeometry geometry_of(const Surface& s, std::span<const Vec3> points) {
    HullGeometry hull;
    for (std::uint32_t p : s.point) hull.vertices.push_back(points[p]);

    std::vector<std::vector<std::uint32_t>> loops;
    for (const Polygon& polygon : s.polygons) {
        if (!polygon.alive) continue;
        loops.push_back(polygon.loop);
        std::rotate(loops.back().begin(), std::min_element(loops.back().begin(), loops.back().end()),
                    loops.back().end());
    }
    std::sort(loops.begin(), loops.end());
    if (loops.size() > max_hull_faces)
        throw Error("the hull has " + std::to_string(loops.size()) + " faces, at most " +
                        std::to_string(max_hull_faces) + " are allowed (it has " +
                        std::to_string(hull.vertices.size()) + " vertices)",
                    place);

    const std::size_t n = hull.vertices.size();
    std::vector<std::uint32_t> owner(n * n, nobody);
    hull.face_start.push_back(0);
    for (std::uint32_t f = 0; f < loops.size(); ++f) {
        const auto& loop = loops[f];
        append_plane(hull, loop);
        hull.face_vertices.insert(hull.face_vertices.end(), loop.begin(), loop.end());
        hull.face_start.push_back(static_cast<std::uint32_t>(hull.face_vertices.size()));
        for (std::size_t k = 0; k < loop.size(); ++k) owner[loop[k] * n + loop[(k + 1) % loop.size()]] = f;
    }
    for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = a + 1; b < n; ++b)
            if (owner[a * n + b] != nobody)
                hull.edges.insert(hull.edges.end(), {a, b, owner[a * n + b], owner[b * n + a]});

    weigh_hull(hull);
    double far = 0;
    for (const Vec3& v : hull.vertices) far = std::max(far, length(wide(v)));
    if (far > static_cast<double>(std::numeric_limits<float>::max()))
        throw Error("a vertex is " + number_text(far) + " m from the origin, beyond the range of a float",
                    place);
    hull.radius = static_cast<float>(far);
    if (hull.radius < far) hull.radius = std::nextafter(hull.radius, std::numeric_limits<float>::infinity());
    return hull;
}

} // namespace

double hull_tolerance(std::span<const Vec3> points) {
    double most[3] = {}, low[3] = {}, high[3] = {};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double p[3] = {points[i].x, points[i].y, points[i].z};
        for (int k = 0; k < 3; ++k) {
            most[k] = std::max(most[k], std::fabs(p[k]));
            low[k] = i == 0 ? p[k] : std::min(low[k], p[k]);
            high[k] = i == 0 ? p[k] : std::max(high[k], p[k]);
        }
    }
    double sum = 0; // roundings of the coordinates, and of the arithmetic that shaped the points
    for (int k = 0; k < 3; ++k) sum += most[k] + (high[k] - low[k]);
    return static_cast<double>(std::numeric_limits<float>::epsilon()) * sum;
}

Hull Hull::from_points(std::span<const Vec3> points) {
    check_points(points);
    const Cloud cloud = on_lattice(points);
    std::vector<std::uint32_t> all(points.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    const auto too_many = [](const std::string& count) {
        return Error("the hull has " + count + " vertices, at most " + std::to_string(max_hull_vertices) +
                         " are allowed",
                     place);
    };
    Triangulation hull(cloud, std::move(all));
    if (!hull.complete()) throw too_many("more than " + std::to_string(most_counted));
    hull = without_idle_vertices(std::move(hull), cloud);
    if (const std::size_t n = hull.vertices().size(); n > max_hull_vertices)
        throw too_many(std::to_string(n));
    Surface surface = surface_of(hull, cloud);
    merge_polygons(surface, cloud.tolerance);

    Hull out;
    out.geometry_ = std::make_shared<const HullGeometry>(geometry_of(surface, points));
    return out;
}

} // namespace scree
