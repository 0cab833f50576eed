// SPDX-License-Identifier: MIT
// rigid_solid.cpp — see rigid_solid.h.
#include "rigid_solid.h"

#include "scree/error.h"

#include <algorithm>

namespace scree::bench {

namespace {

/// orders the points of a face counter-clockwise about its normal
void sort_around(const std::vector<DVec3>& points, Solid::Face& face) {
    DVec3 centre;
    for (std::size_t corner : face.corners) centre = centre + points[corner];
    centre = (1.0 / static_cast<double>(face.corners.size())) * centre;
    const DVec3 u = points[face.corners.front()] - centre, v = cross(face.normal, u);
    const auto angle = [&](std::size_t corner) {
        const DVec3 d = points[corner] - centre;
        return std::atan2(dot(d, v), dot(d, u));
    };
    std::sort(face.corners.begin(), face.corners.end(),
              [&](std::size_t a, std::size_t b) { return angle(a) < angle(b); });
}

void add_direction(std::vector<DVec3>& directions, const DVec3& d) {
    const DVec3 unit = (1 / length(d)) * d;
    for (const DVec3& known : directions)
        if (length(cross(known, unit)) < 1e-6) return;
    directions.push_back(unit);
}

/// the plane through three points if all others lie behind it; corners are all points in it
bool face_through(const std::vector<DVec3>& points, std::size_t i, std::size_t j, std::size_t k, double near,
                  Solid::Face& face) {
    const DVec3 n = cross(points[j] - points[i], points[k] - points[i]);
    if (length(n) < near * near) return false;
    face.normal = (1 / length(n)) * n;
    face.offset = dot(face.normal, points[i]);
    bool above = false, below = false;
    face.corners.clear();
    for (std::size_t p = 0; p < points.size(); ++p) {
        const double height = dot(face.normal, points[p]) - face.offset;
        if (std::abs(height) <= near) face.corners.push_back(p);
        else (height > 0 ? above : below) = true;
    }
    if (above == below) return false;
    if (above) {
        face.normal = -face.normal;
        face.offset = -face.offset;
    }
    return true;
}

/// adds the tetrahedra between the origin and the face
void integrate(Solid& solid, const Solid::Face& face) {
    const auto square_sum = [](double a, double b, double c) {
        return a * a + b * b + c * c + a * b + b * c + c * a;
    };
    const DVec3& a = solid.vertices[face.corners[0]];
    for (std::size_t i = 2; i < face.corners.size(); ++i) {
        const DVec3 &b = solid.vertices[face.corners[i - 1]], &c = solid.vertices[face.corners[i]];
        const double volume = dot(a, cross(b, c)) / 6;
        solid.volume += volume;
        solid.second_moment =
            solid.second_moment +
            volume / 10 *
                DVec3{square_sum(a.x, b.x, c.x), square_sum(a.y, b.y, c.y), square_sum(a.z, b.z, c.z)};
    }
}

} // namespace

Solid solid_of(std::span<const Vec3> points) {
    std::vector<DVec3> all;
    for (const Vec3& p : points) all.push_back(wide(p));
    double size = 0;
    for (const DVec3& p : all) size = std::max(size, length(p));
    const double near = 1e-6 * size;

    Solid solid;
    Solid::Face face;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j)
            for (std::size_t k = j + 1; k < all.size(); ++k) {
                if (!face_through(all, i, j, k, near, face)) continue;
                const bool known =
                    std::any_of(solid.faces.begin(), solid.faces.end(),
                                [&](const Solid::Face& f) { return length(f.normal - face.normal) < 1e-6; });
                if (!known) solid.faces.push_back(face);
            }
    if (solid.faces.size() < 4)
        throw Error(std::to_string(points.size()) + " points enclose no volume", "hull");

    // points that are no corner are dropped
    std::vector<std::size_t> number(all.size(), all.size());
    for (Solid::Face& f : solid.faces) {
        sort_around(all, f);
        for (std::size_t& corner : f.corners) {
            if (number[corner] == all.size()) {
                number[corner] = solid.vertices.size();
                solid.vertices.push_back(all[corner]);
            }
            corner = number[corner];
        }
        add_direction(solid.normals, f.normal);
        for (std::size_t c = 0; c < f.corners.size(); ++c)
            add_direction(solid.edges, solid.vertices[f.corners[c]] -
                                           solid.vertices[f.corners[(c + 1) % f.corners.size()]]);
        integrate(solid, f);
    }
    return solid;
}

} // namespace scree::bench
