// SPDX-License-Identifier: MIT
// polyhedron.cpp — cuts a large cube by one plane after the other.
//
// A corner is the three planes that made it, so that its place is never rounded while something is decided. Where more than
// three planes meet, the side of a corner is exactly 0 and the corner is kept, so that corners are never doubled.
#include "level/polyhedron.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace scree {
namespace {

constexpr std::int64_t cube_size = std::int64_t{1} << 49; // steps of the grid: 2^25 units

struct Cutter {
    /// A face's corners, and for each the face beyond the edge that starts there.
    struct Face {
        const ExactPlane* plane = nullptr;
        std::vector<std::uint32_t> corners{}, beyond{};
    };
    std::vector<ExactCorner> corners;
    std::vector<Face> faces;
    std::vector<int> sides;

    explicit Cutter(std::span<const ExactPlane, 6> cube) {
        // corner i: bit 0, 1, 2 set where x, y, z is at the upper end; cube[2 axis + 1] is that plane
        for (std::uint32_t i = 0; i < 8; ++i)
            corners.push_back(*corner_of(cube[0 + (i & 1)], cube[2 + (i >> 1 & 1)], cube[4 + (i >> 2 & 1)]));
        // counter-clockwise seen from outside
        constexpr std::uint32_t rings[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                               {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
        for (std::size_t f = 0; f < 6; ++f) faces.push_back({&cube[f], {rings[f], rings[f] + 4}, {}});
        for (Face& face : faces)
            for (std::size_t k = 0; k < 4; ++k)
                face.beyond.push_back(beyond_edge(face, face.corners[k], face.corners[(k + 1) % 4]));
    }

    std::uint32_t beyond_edge(const Face& face, std::uint32_t from, std::uint32_t to) const {
        for (std::uint32_t f = 0; f < faces.size(); ++f) {
            const auto& ring = faces[f].corners;
            for (std::size_t k = 0; k < ring.size(); ++k)
                if (&faces[f] != &face && ring[k] == to && ring[(k + 1) % ring.size()] == from) return f;
        }
        assert(false);
        return 0;
    }

    /// Cuts off what is outside of the plane; false if nothing with a volume is left.
    bool cut(const ExactPlane& plane) {
        sides.assign(corners.size(), -2); // of corners that no face uses any more
        bool outside = false, inside = false;
        for (const Face& face : faces)
            for (std::uint32_t corner : face.corners) {
                if (sides[corner] == -2) sides[corner] = side_of(plane, corners[corner]);
                outside = outside || sides[corner] > 0;
                inside = inside || sides[corner] < 0;
            }
        if (!inside) return false;
        if (!outside) return true; // it bounds nothing, or has done so already

        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> crossings; // by the edge's ends
        std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>
            cap; // from a corner: to a corner, beyond a face
        const auto cap_face = static_cast<std::uint32_t>(faces.size());
        for (std::uint32_t f = 0; f < cap_face; ++f) cut_face(f, plane, cap_face, crossings, cap);
        // the new face runs along the cut edges the other way round
        Face closing{&plane};
        const std::uint32_t first = cap.begin()->first;
        for (std::uint32_t at = first;;) {
            const auto [next, beyond] = cap.at(at);
            closing.corners.push_back(at);
            closing.beyond.push_back(beyond);
            at = next;
            if (at == first) break;
            assert(closing.corners.size() <= cap.size());
        }
        assert(closing.corners.size() == cap.size() && cap.size() >= 3);
        faces.push_back(std::move(closing));
        return true;
    }

    void cut_face(std::uint32_t f, const ExactPlane& plane, std::uint32_t cap_face,
                  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>& crossings,
                  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>& cap) {
        Face& face = faces[f];
        const bool inside = std::any_of(face.corners.begin(), face.corners.end(),
                                        [&](std::uint32_t corner) { return sides[corner] < 0; });
        if (!inside) {
            face.corners.clear();
            face.beyond.clear();
            return;
        }
        // -1: a corner that is kept, 0: one on the plane
        std::vector<std::uint32_t> ring, beyond;
        std::vector<char> on;
        const std::size_t size = face.corners.size();
        for (std::size_t k = 0; k < size; ++k) {
            const std::uint32_t from = face.corners[k], to = face.corners[(k + 1) % size],
                                other = face.beyond[k];
            const int a = sides[from], b = sides[to];
            if (a <= 0) {
                ring.push_back(from);
                beyond.push_back(other);
                on.push_back(a == 0);
            }
            if (a * b >= 0) continue;
            const auto [found, added] =
                crossings.try_emplace(std::minmax(from, to), static_cast<std::uint32_t>(corners.size()));
            if (added) corners.push_back(*corner_of(*face.plane, *faces[other].plane, plane));
            ring.push_back(found->second);
            beyond.push_back(other);
            on.push_back(true);
        }
        // a convex face with a corner inside has at most one edge on the plane
        for (std::size_t k = 0; k < ring.size(); ++k) {
            const std::size_t next = (k + 1) % ring.size();
            if (!on[k] || !on[next]) continue;
            beyond[k] = cap_face;
            cap[ring[next]] = {ring[k], f};
        }
        face.corners = std::move(ring);
        face.beyond = std::move(beyond);
    }
};

} // namespace

Polyhedron intersect(std::span<const ExactPlane> planes) {
    std::vector<ExactPlane> cube;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool positive : {false, true}) cube.push_back(plane_across(axis, positive, cube_size));
    Cutter cutter(std::span<const ExactPlane, 6>(cube.data(), 6));
    Polyhedron out;
    for (const ExactPlane& plane : planes)
        if (!cutter.cut(plane)) return out;

    out.state = Polyhedron::State::open;
    for (std::size_t f = 0; f < 6; ++f)
        if (!cutter.faces[f].corners.empty()) return out;
    out.state = Polyhedron::State::closed;
    constexpr std::uint32_t unused = 0xffffffffu;
    std::vector<std::uint32_t> number(cutter.corners.size(), unused);
    for (const Cutter::Face& face : cutter.faces) {
        if (face.corners.empty()) continue;
        Polyhedron::Face& made = out.faces.emplace_back();
        made.plane = static_cast<std::uint32_t>(face.plane - planes.data());
        for (std::uint32_t corner : face.corners) {
            if (number[corner] == unused) {
                number[corner] = static_cast<std::uint32_t>(out.vertices.size());
                out.vertices.push_back(position_of(cutter.corners[corner]));
            }
            made.corners.push_back(number[corner]);
        }
    }
    return out;
}

double volume_of(const Polyhedron& polyhedron) {
    double six = 0;
    if (polyhedron.vertices.empty()) return 0;
    const DVec3 origin = polyhedron.vertices[0];
    for (const Polyhedron::Face& face : polyhedron.faces)
        for (std::size_t k = 2; k < face.corners.size(); ++k) {
            const DVec3 a = polyhedron.vertices[face.corners[0]] - origin,
                        b = polyhedron.vertices[face.corners[k - 1]] - origin,
                        c = polyhedron.vertices[face.corners[k]] - origin;
            six += dot(a, cross(b, c));
        }
    return six / 6;
}

} // namespace scree
