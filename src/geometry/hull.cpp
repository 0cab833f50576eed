// SPDX-License-Identifier: MIT
// hull.cpp — the convex polyhedron; see shapes.h. hull_builder.cpp makes it.
#include "geometry/hull.h"

#include "geometry/shape_parts.h"
#include "scree/error.h"

#include <cstring>

namespace scree {
namespace {

Bounds bounds(const Hull& hull, const DQuat& turn) {
    Bounds bounds{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    for (const Vec3& vertex : hull.vertices()) {
        const DVec3 at = rotate(turn, wide(vertex));
        bounds.low = min(bounds.low, at);
        bounds.high = max(bounds.high, at);
    }
    return bounds;
}

double reach(const Hull& hull) {
    double most = 0;
    for (const Vec3& v : hull.vertices())
        most = std::max(most, std::hypot(double{v.x}, double{v.y}, double{v.z}));
    return most;
}

float radius(const Hull& hull) { return hull.geometry().radius; }

MassProperties mass(const Hull& hull, double density) {
    if (!hull) throw Error("the hull is empty; Hull::from_points makes one", "mass_of");
    const HullGeometry& g = hull.geometry();
    Symmetric i = g.inertia;
    for (double& e : i) e *= density;
    return mass_properties(density * g.volume, wide(g.centroid), i);
}

/// Newell's normal: right for any polygon, however thin its corners.
DVec3 face_normal(const HullGeometry& hull, std::span<const std::uint32_t> face) {
    DVec3 normal{};
    for (std::size_t i = 0; i < face.size(); ++i)
        normal =
            normal + cross(wide(hull.vertices[face[i]]), wide(hull.vertices[face[(i + 1) % face.size()]]));
    return normalized(normal);
}

std::optional<RayHit> hit(const Hull& hull, const Ray& ray) {
    if (!hull) return std::nullopt;
    return host_hit(ray_kernels::ray_hull(hull_words(hull.geometry()).data(), kernel_line(ray)));
}

NearestPoint nearest(const Hull& hull, const DVec3& p) {
    const HullGeometry& g = hull.geometry();
    NearestPoint best{p, infinity, false};
    const auto offer = [&](const DVec3& q) {
        if (const NearestPoint at = nearest_at(q, p); at.distance < best.distance) best = at;
    };
    bool inside = true;
    for (std::uint32_t f = 0; f < g.face_count(); ++f) {
        const auto face = g.face(f);
        const DVec3 normal = face_normal(g, face);
        const double height = dot(normal, p - wide(g.vertices[face[0]]));
        if (height <= 0) continue;
        inside = false;
        // above the face, or nearest to one of its sides
        bool above = true;
        for (std::size_t i = 0; i < face.size(); ++i) {
            const DVec3 a = wide(g.vertices[face[i]]), b = wide(g.vertices[face[(i + 1) % face.size()]]);
            if (dot(cross(b - a, p - a), normal) >= 0) continue;
            above = false;
            offer(nearest_between(a, b, p));
        }
        if (above) offer(p - normal * height);
    }
    return inside ? NearestPoint{p, 0, true} : best;
}

constexpr ShapeKind<Hull> kind{.name = "hull",
                               .sizes = {},
                               .reach = reach,
                               .radius = radius,
                               .thickness = radius,
                               .bounds = bounds,
                               .mass = mass,
                               .ray_hit = hit,
                               .nearest = nearest};

} // namespace

const ShapeKind<Hull>& kind_of(const Hull&) { return kind; }

std::span<const Vec3> Hull::vertices() const {
    return geometry_ ? std::span<const Vec3>(geometry_->vertices) : std::span<const Vec3>();
}

std::vector<std::vector<std::uint32_t>> Hull::faces() const {
    std::vector<std::vector<std::uint32_t>> out;
    if (!geometry_) return out;
    for (std::uint32_t f = 0; f < geometry_->face_count(); ++f) {
        const auto loop = geometry_->face(f);
        out.emplace_back(loop.begin(), loop.end());
    }
    return out;
}

std::vector<std::uint32_t> hull_words(const HullGeometry& hull) {
    std::vector<std::uint32_t> words{hull.vertex_count(), hull.face_count(), hull.edge_count(),
                                     static_cast<std::uint32_t>(hull.face_vertices.size())};
    const auto append = [&words](float v) {
        std::uint32_t bits;
        std::memcpy(&bits, &v, sizeof bits);
        words.push_back(bits);
    };
    for (const Vec3& v : hull.vertices)
        for (float x : {v.x, v.y, v.z, 0.0f}) append(x);
    for (float x : hull.planes) append(x);
    words.insert(words.end(), hull.face_start.begin(), hull.face_start.end());
    words.insert(words.end(), hull.face_vertices.begin(), hull.face_vertices.end());
    words.insert(words.end(), hull.edges.begin(), hull.edges.end());
    return words;
}

HullWords::Words HullWords::of(const Hull& hull) {
    if (!hull) return nullptr;
    std::weak_ptr<const std::vector<std::uint32_t>>& known = known_[&hull.geometry()];
    Words words = known.lock();
    if (!words)
        known = words = std::make_shared<const std::vector<std::uint32_t>>(hull_words(hull.geometry()));
    return words;
}

void weigh_hull(HullGeometry& hull) {
    // the tetrahedra between a point inside and the faces
    DVec3 inside;
    for (const Vec3& v : hull.vertices) inside = inside + wide(v);
    inside = (1.0 / hull.vertex_count()) * inside;

    double volume = 0;
    DVec3 moment;                                          // of x, from inside
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0; // of x x^T, from inside
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
        const auto loop = hull.face(f);
        const DVec3 a = wide(hull.vertices[loop[0]]) - inside;
        for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
            const DVec3 b = wide(hull.vertices[loop[k]]) - inside,
                        c = wide(hull.vertices[loop[k + 1]]) - inside;
            const double v = dot(a, cross(b, c)) / 6;
            const DVec3 s = a + b + c;
            volume += v;
            moment = moment + (v / 4) * s;
            const double w = v / 20;
            xx += w * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
            yy += w * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
            zz += w * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
            xy += w * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
            xz += w * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
            yz += w * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
        }
    }
    const DVec3 o = (1 / volume) * moment;
    xx -= volume * o.x * o.x;
    yy -= volume * o.y * o.y;
    zz -= volume * o.z * o.z;
    xy -= volume * o.x * o.y;
    xz -= volume * o.x * o.z;
    yz -= volume * o.y * o.z;
    const DVec3 centroid = inside + o;
    hull.volume = volume;
    hull.centroid = narrow(centroid);
    hull.inertia = {yy + zz, xx + zz, xx + yy, -xy, -xz, -yz};
}

} // namespace scree
