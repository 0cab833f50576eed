// SPDX-License-Identifier: MIT
// polyhedron.cpp — cuts a large cube by one plane after the other.
//
// A corner is the three planes that made it, so that its place is never rounded while something is decided. Where more than
// three planes meet, the side of a corner is exactly 0 and the corner is kept, so that corners are never doubled.
#include "level/polyhedron.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace scree {
namespace {

constexpr std::int64_t cube_size = std::int64_t{1} << 49; // steps of the grid: 2^25 units

/// New corners on edges, and the edges of the new face: both are few, so that looking through them beats a map.
struct Cut {
    struct Crossing {
        std::uint32_t low, high, corner; ///< the edge's ends
    };
    struct Edge {
        std::uint32_t from, to, face;
    };
    std::vector<Crossing> crossings;
    std::vector<Edge> cap;
};

std::uint32_t crossing(ExactPolyhedron& solid, Cut& cut, std::uint32_t from, std::uint32_t to,
                       const ExactPlane& a, const ExactPlane& b, const ExactPlane& plane) {
    const auto [low, high] = std::minmax(from, to);
    for (const Cut::Crossing& known : cut.crossings)
        if (known.low == low && known.high == high) return known.corner;
    cut.crossings.push_back({low, high, static_cast<std::uint32_t>(solid.corners.size())});
    solid.corners.push_back(*corner_of(a, b, plane));
    return cut.crossings.back().corner;
}

void cut_face(ExactPolyhedron& solid, std::uint32_t f, const ExactPlane& plane, const std::vector<int>& sides,
              std::uint32_t cap_face, Cut& cut) {
    ExactPolyhedron::Face& face = solid.faces[f];
    bool inside = false, outside = false;
    for (const std::uint32_t corner : face.corners) {
        inside = inside || sides[corner] < 0;
        outside = outside || sides[corner] > 0;
    }
    if (!inside) {
        face.corners.clear();
        face.beyond.clear();
        return;
    }
    if (outside) {
        std::vector<std::uint32_t> ring, beyond;
        const std::size_t size = face.corners.size();
        ring.reserve(size + 1), beyond.reserve(size + 1);
        for (std::size_t k = 0; k < size; ++k) {
            const std::uint32_t from = face.corners[k], to = face.corners[(k + 1) % size],
                                other = face.beyond[k];
            const int a = sides[from], b = sides[to];
            if (a <= 0) {
                ring.push_back(from);
                beyond.push_back(other);
            }
            if (a * b >= 0) continue;
            ring.push_back(crossing(solid, cut, from, to, *face.plane, *solid.faces[other].plane, plane));
            beyond.push_back(other);
        }
        face.corners = std::move(ring);
        face.beyond = std::move(beyond);
    }
    // new corners are on the plane; a convex face with a corner inside has at most one edge there
    const auto on = [&](std::uint32_t corner) { return corner >= sides.size() || sides[corner] == 0; };
    for (std::size_t k = 0; k < face.corners.size(); ++k) {
        const std::size_t next = (k + 1) % face.corners.size();
        if (!on(face.corners[k]) || !on(face.corners[next])) continue;
        face.beyond[k] = cap_face;
        cut.cap.push_back({face.corners[next], face.corners[k], f});
    }
}

double fan_volume(const std::vector<DVec3>& ring, DVec3 origin) {
    double six = 0;
    for (std::size_t k = 2; k < ring.size(); ++k)
        six += dot(ring[0] - origin, cross(ring[k - 1] - origin, ring[k] - origin));
    return six / 6;
}

} // namespace

ExactPolyhedron ExactPolyhedron::box(std::span<const ExactPlane, 6> planes) {
    ExactPolyhedron out;
    // corner i: bit 0, 1, 2 set where x, y, z is at the upper end
    for (std::uint32_t i = 0; i < 8; ++i)
        out.corners.push_back(
            *corner_of(planes[0 + (i & 1)], planes[2 + (i >> 1 & 1)], planes[4 + (i >> 2 & 1)]));
    // counter-clockwise seen from outside, and the faces beyond
    constexpr std::uint32_t rings[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    constexpr std::uint32_t beyond[6][4] = {{2, 5, 3, 4}, {4, 3, 5, 2}, {4, 1, 5, 0},
                                            {0, 5, 1, 4}, {0, 3, 1, 2}, {2, 1, 3, 0}};
    for (std::size_t f = 0; f < 6; ++f)
        out.faces.push_back({&planes[f], {rings[f], rings[f] + 4}, {beyond[f], beyond[f] + 4}});
    return out;
}

bool ExactPolyhedron::cut(const ExactPlane& plane) {
    std::vector<int> side(corners.size(), -2); // -2: of corners that no face uses any more
    bool outside = false, inside = false;
    for (const Face& face : faces)
        for (std::uint32_t corner : face.corners) {
            if (side[corner] == -2) side[corner] = side_of(plane, corners[corner]);
            outside = outside || side[corner] > 0;
            inside = inside || side[corner] < 0;
        }
    if (!inside) return false;
    if (!outside) return true; // it bounds nothing, or has done so already

    Cut made;
    const auto cap_face = static_cast<std::uint32_t>(faces.size());
    for (std::uint32_t f = 0; f < cap_face; ++f) cut_face(*this, f, plane, side, cap_face, made);
    // the new face runs along the cut edges the other way round, from the corner with the lowest number
    Face closing{&plane};
    const auto less = [](const Cut::Edge& a, const Cut::Edge& b) { return a.from < b.from; };
    const auto first = std::min_element(made.cap.begin(), made.cap.end(), less);
    for (auto edge = first;;) {
        closing.corners.push_back(edge->from);
        closing.beyond.push_back(edge->face);
        if (edge->to == first->from) break;
        edge = std::find_if(made.cap.begin(), made.cap.end(),
                            [&](const Cut::Edge& one) { return one.from == edge->to; });
        assert(edge != made.cap.end() && closing.corners.size() <= made.cap.size());
    }
    assert(closing.corners.size() == made.cap.size() && made.cap.size() >= 3);
    faces.push_back(std::move(closing));
    return true;
}

std::pair<int, int> ExactPolyhedron::sides(const ExactPlane& plane) const {
    std::pair<int, int> out{1, -1};
    for (const Face& face : faces)
        for (std::uint32_t corner : face.corners) {
            const int side = side_of(plane, corners[corner]);
            out = {std::min(out.first, side), std::max(out.second, side)};
            if (out.first < 0 && out.second > 0) return out;
        }
    return out;
}

void ExactPolyhedron::compact() {
    constexpr std::uint32_t unused = 0xffffffffu;
    std::vector<std::uint32_t> corner_number(corners.size(), unused), face_number(faces.size(), unused);
    std::vector<ExactCorner> kept;
    std::uint32_t count = 0;
    for (std::size_t f = 0; f < faces.size(); ++f)
        if (!faces[f].corners.empty()) face_number[f] = count++;
    std::erase_if(faces, [](const Face& face) { return face.corners.empty(); });
    for (Face& face : faces) {
        for (std::uint32_t& corner : face.corners) {
            if (corner_number[corner] == unused) {
                corner_number[corner] = static_cast<std::uint32_t>(kept.size());
                kept.push_back(corners[corner]);
            }
            corner = corner_number[corner];
        }
        for (std::uint32_t& other : face.beyond) other = face_number[other];
    }
    corners = std::move(kept);
}

ExactPolygon ExactPolyhedron::polygon(const Face& face) const {
    ExactPolygon out;
    out.plane = face.plane;
    for (std::size_t k = 0; k < face.corners.size(); ++k) {
        out.corners.push_back(corners[face.corners[k]]);
        out.edges.push_back(faces[face.beyond[k]].plane);
    }
    return out;
}

double ExactPolyhedron::volume() const {
    double volume = 0;
    std::vector<DVec3> ring;
    DVec3 origin{};
    bool first = true;
    for (const Face& face : faces) {
        ring.clear();
        for (std::uint32_t corner : face.corners) ring.push_back(position_of(corners[corner]));
        if (ring.empty()) continue;
        if (first) origin = ring[0];
        first = false;
        volume += fan_volume(ring, origin);
    }
    return volume;
}

ExactPolygon clipped(const ExactPolygon& polygon, const ExactPlane& plane) {
    ExactPolygon out;
    out.plane = polygon.plane;
    const std::size_t size = polygon.corners.size();
    std::vector<int> side(size);
    bool inside = false;
    for (std::size_t k = 0; k < size; ++k) {
        side[k] = side_of(plane, polygon.corners[k]);
        inside = inside || side[k] < 0;
    }
    if (!inside) return out;
    for (std::size_t k = 0; k < size; ++k) {
        const int a = side[k], b = side[(k + 1) % size];
        if (a < 0 || (a == 0 && b <= 0)) {
            out.corners.push_back(polygon.corners[k]);
            out.edges.push_back(polygon.edges[k]);
        } else if (a == 0) { // leaves here: the cut runs from this corner on
            out.corners.push_back(polygon.corners[k]);
            out.edges.push_back(&plane);
        }
        if (a * b >= 0) continue;
        out.corners.push_back(*corner_of(*polygon.plane, *polygon.edges[k], plane));
        out.edges.push_back(a < 0 ? &plane : polygon.edges[k]);
    }
    return out;
}

Polyhedron intersect(std::span<const ExactPlane> planes) {
    std::vector<ExactPlane> cube;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool positive : {false, true}) cube.push_back(plane_across(axis, positive, cube_size));
    ExactPolyhedron cutter = ExactPolyhedron::box(std::span<const ExactPlane, 6>(cube.data(), 6));
    Polyhedron out;
    for (const ExactPlane& plane : planes)
        if (!cutter.cut(plane)) return out;

    out.state = Polyhedron::State::open;
    for (std::size_t f = 0; f < 6; ++f)
        if (!cutter.faces[f].corners.empty()) return out;
    out.state = Polyhedron::State::closed;
    constexpr std::uint32_t unused = 0xffffffffu;
    std::vector<std::uint32_t> number(cutter.corners.size(), unused);
    for (const ExactPolyhedron::Face& face : cutter.faces) {
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
    double volume = 0;
    std::vector<DVec3> ring;
    for (const Polyhedron::Face& face : polyhedron.faces) {
        ring.clear();
        for (std::uint32_t corner : face.corners) ring.push_back(polyhedron.vertices[corner]);
        volume += fan_volume(ring, polyhedron.vertices[0]);
    }
    return volume;
}

} // namespace scree
