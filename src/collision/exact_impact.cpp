// SPDX-License-Identifier: MIT
// exact_impact.cpp — see exact_impact.h.

#include "collision/exact_impact.h"

#include "collision/flow.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace scree {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// About the body's centre, in the body's frame.
struct Polyhedron {
    struct Face {
        DVec3 normal;
        double distance; ///< no vertex is beyond it
    };
    struct Edge {
        std::uint32_t from, to;
    };
    std::vector<DVec3> vertices;
    std::vector<Face> faces;
    std::vector<Edge> edges;
    bool is_plane = false;
    /// Vertices of a face are in one plane. Where floats keep them from that, the surface has edges that the face does not name.
    bool is_flat = true;
};

void add_box(Polyhedron& out, const DVec3& half) {
    for (std::uint32_t k = 0; k < 8; ++k) {
        out.vertices.push_back(
            {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
        for (const std::uint32_t bit : {1u, 2u, 4u})
            if (!(k & bit)) out.edges.push_back({k, k | bit});
    }
    for (const double side : {-1.0, 1.0}) {
        out.faces.push_back({{side, 0, 0}, 0});
        out.faces.push_back({{0, side, 0}, 0});
        out.faces.push_back({{0, 0, side}, 0});
    }
}

/// The words as geometry/hull.h lays them out. Normals are those of the vertices, in double precision.
void add_hull(Polyhedron& out, const std::uint32_t* words) {
    const std::size_t vertices = words[0], faces = words[1], edges = words[2], corners = words[3];
    const auto number = [&](std::size_t at) { return double{std::bit_cast<float>(words[at])}; };
    for (std::size_t k = 0; k < vertices; ++k)
        out.vertices.push_back({number(4 + 4 * k), number(5 + 4 * k), number(6 + 4 * k)});
    const std::uint32_t *start = words + 4 + 4 * vertices + 4 * faces, *of = start + faces + 1;
    for (std::size_t f = 0; f < faces; ++f) {
        DVec3 normal;
        const std::span<const std::uint32_t> face(of + start[f], of + start[f + 1]);
        for (std::size_t k = 1; k + 1 < face.size(); ++k)
            normal += cross(out.vertices[face[k]] - out.vertices[face[0]],
                            out.vertices[face[k + 1]] - out.vertices[face[0]]);
        out.faces.push_back({normalized(normal), 0});
        for (const std::uint32_t v : face) {
            const DVec3 arm = out.vertices[v] - out.vertices[face[0]];
            const double beside = dot(out.faces.back().normal, arm);
            out.is_flat = out.is_flat && std::abs(beside) <= 1e-14 * length(arm);
        }
    }
    const std::uint32_t* edge = of + corners;
    for (std::size_t k = 0; k < edges; ++k) out.edges.push_back({edge[4 * k], edge[4 * k + 1]});
}

Polyhedron polyhedron_of(const MovingConvex& m) {
    Polyhedron out;
    out.is_plane = m.shape.type == ShapeType::plane;
    if (m.shape.type == ShapeType::box) add_box(out, wide(m.shape.size));
    else if (m.shape.type == ShapeType::hull) add_hull(out, m.shape.hull);
    else out.vertices.push_back({}), out.faces.push_back({{0, 1, 0}, 0});
    for (DVec3& p : out.vertices) p = m.arm + rotate(m.own, p);
    for (Polyhedron::Face& face : out.faces) {
        face.normal = normalized(rotate(m.own, face.normal));
        face.distance = -infinite;
        for (const DVec3& p : out.vertices) face.distance = std::max(face.distance, dot(face.normal, p));
    }
    return out;
}

/// A polyhedron within an interval of time, about the centre of B.
struct Moment {
    Flow3 centre;
    std::vector<Flow3> vertices, normals, edges;
};

/// One of the two on its way.
class Mover {
public:
    Mover(const MovingConvex& motion, const DVec3& about_centre, const DVec3& about_velocity,
          const DVec3& about_pull)
        : solid(polyhedron_of(motion)),
          motion_(motion),
          centre_(motion.centre - about_centre),
          velocity_(motion.velocity - about_velocity),
          pull_(motion.acceleration - about_pull),
          rate_(length(motion.spin)) {}

    void look(double middle, const FlowMath& math, Moment& out) const {
        const DQuat turn = normalized(turn_in(motion_.spin, middle) * motion_.rotation);
        const DVec3 at = centre_ + (velocity_ + pull_ * (0.5 * middle)) * middle,
                    speed = velocity_ + pull_ * middle;
        const double bow = 0.5 * math.half() * math.half();
        const auto part = [&](double p, double v, double a) {
            return math.rounded(p, v, std::abs(a) * bow + 8e-16 * (std::abs(p) + std::abs(v) * middle));
        };
        out.centre = {part(at.x, speed.x, pull_.x), part(at.y, speed.y, pull_.y),
                      part(at.z, speed.z, pull_.z)};
        const auto turned = [&](const DVec3& own) { return turning(rotate(turn, own), middle, bow, math); };
        out.vertices.clear(), out.normals.clear(), out.edges.clear();
        for (const DVec3& p : solid.vertices) out.vertices.push_back(math.add(out.centre, turned(p)));
        for (const Polyhedron::Face& face : solid.faces) out.normals.push_back(turned(face.normal));
        for (const Polyhedron::Edge& edge : solid.edges)
            out.edges.push_back(turned(solid.vertices[edge.to] - solid.vertices[edge.from]));
    }

    const Polyhedron solid;

private:
    /// A vector that turns with the body: its second derivative is |ω| |ω×r| long, always.
    Flow3 turning(const DVec3& r, double middle, double bow, const FlowMath& math) const {
        const DVec3 v = cross(motion_.spin, r);
        const double rest =
            rate_ * length(v) * bow + 4e-16 * length(r) * (8 + rate_ * (middle + math.half()));
        return {math.rounded(r.x, v.x, rest), math.rounded(r.y, v.y, rest), math.rounded(r.z, v.z, rest)};
    }

    const MovingConvex& motion_;
    DVec3 centre_, velocity_, pull_;
    double rate_;
};

DVec3 middle_of(const Flow3& a) { return {a.x.at, a.y.at, a.z.at}; }

/// From a point of one segment to a point of the other, where they are nearest.
DVec3 between_segments(const DVec3& p, const DVec3& e, const DVec3& q, const DVec3& g) {
    const DVec3 d = q - p;
    const double ee = dot(e, e), gg = dot(g, g), eg = dot(e, g), ed = dot(e, d), gd = dot(g, d),
                 square = ee * gg - eg * eg;
    double s = square > 1e-12 * ee * gg ? std::clamp((ed * gg - gd * eg) / square, 0.0, 1.0) : 0.5;
    const double u = std::clamp((s * eg - gd) / gg, 0.0, 1.0);
    s = std::clamp((u * eg + ed) / ee, 0.0, 1.0);
    return d + g * u - e * s;
}

/// Whether points of A stay behind points of B along n: as functions of time the farthest of each are convex, so both ends decide.
bool axis_parts(const DVec3& n, std::span<const Flow3> a, std::span<const Flow3> b, const FlowMath& math) {
    double ahead[2] = {-infinite, -infinite}, behind[2] = {infinite, infinite};
    const double half = math.half();
    for (const Flow3& p : a) {
        const Flow f = math.along(n, p);
        ahead[0] = std::max(ahead[0], f.at - f.slope * half + f.rest);
        ahead[1] = std::max(ahead[1], f.at + f.slope * half + f.rest);
    }
    for (const Flow3& p : b) {
        const Flow f = math.along(n, p);
        behind[0] = std::min(behind[0], f.at - f.slope * half - f.rest);
        behind[1] = std::min(behind[1], f.at + f.slope * half - f.rest);
    }
    return ahead[0] < behind[0] && ahead[1] < behind[1];
}

class Search {
public:
    Search(const MovingConvex& a, const MovingConvex& b)
        : a_(a),
          b_(b),
          mover_a_(a, b.centre, b.velocity, b.acceleration),
          mover_b_(b, b.centre, b.velocity, b.acceleration) {}

    ExactImpact run(double horizon, double width, int most_intervals) {
        ExactImpact out;
        const Gap start = gap_between(a_.shape, pose_at(a_, 0), b_.shape, pose_at(b_, 0));
        if (!(start.distance > 0)) {
            out.found = true;
            out.separation = start.distance, out.normal = start.normal;
            out.point = (start.on_a + start.on_b) * 0.5;
            return out;
        }
        std::vector<Part> open{{0, horizon, all_features()}};
        while (!open.empty()) {
            Part part = std::move(open.back());
            open.pop_back();
            out.time = part.begin;
            if (out.intervals++ >= most_intervals) {
                out.gave_up = true;
                return out;
            }
            if (is_free(part)) continue;
            const double middle = 0.5 * (part.begin + part.end);
            if (part.end - part.begin <= width || !(middle > part.begin && middle < part.end)) {
                tell(part, out);
                return out;
            }
            open.push_back({middle, part.end, part.left});
            open.push_back({part.begin, middle, std::move(part.left)});
        }
        out.time = horizon;
        return out;
    }

private:
    /// Features by number: vertices of A, vertices of B, then pairs of edges.
    struct Part {
        double begin, end;
        std::vector<std::uint32_t> left; ///< that may touch
    };

    std::uint32_t count_a() const {
        return mover_a_.solid.is_plane ? 0 : static_cast<std::uint32_t>(mover_a_.solid.vertices.size());
    }
    std::uint32_t count_b() const {
        return mover_b_.solid.is_plane ? 0 : static_cast<std::uint32_t>(mover_b_.solid.vertices.size());
    }
    std::vector<std::uint32_t> all_features() const {
        const std::size_t count =
            count_a() + count_b() + mover_a_.solid.edges.size() * mover_b_.solid.edges.size();
        std::vector<std::uint32_t> all(count);
        for (std::uint32_t k = 0; k < count; ++k) all[k] = k;
        return all;
    }
    std::pair<std::size_t, std::size_t> edges_of(std::uint32_t feature) const {
        const std::size_t pair = feature - count_a() - count_b(), across = mover_b_.solid.edges.size();
        return {pair / across, pair % across};
    }

    /// Whether it is proved that nothing touches in this part. Drops features that do not.
    bool is_free(Part& part) {
        middle_ = 0.5 * (part.begin + part.end);
        const FlowMath math(0.5 * (part.end - part.begin) * (1 + 1e-15));
        mover_a_.look(middle_, math, now_a_);
        mover_b_.look(middle_, math, now_b_);
        const Gap gap = gap_between(a_.shape, pose_at(a_, middle_), b_.shape, pose_at(b_, middle_));
        if (gap.distance > 0) {
            DVec3 n = gap.normal;
            if (mover_b_.solid.is_plane) n = -middle_of(now_b_.normals[0]);
            if (mover_a_.solid.is_plane) n = middle_of(now_a_.normals[0]);
            if (axis_parts(n, now_a_.vertices, now_b_.vertices, math)) return true;
        }
        kept_.clear();
        for (const std::uint32_t feature : part.left)
            if (may_touch(feature, math)) kept_.push_back(feature);
        const bool flat = mover_a_.solid.is_flat && mover_b_.solid.is_flat;
        if (kept_.empty() && !flat) return false; // an axis alone can tell
        part.left = kept_;
        return part.left.empty();
    }

    bool may_touch(std::uint32_t feature, const FlowMath& math) const {
        if (feature < count_a()) return may_be_inside(now_a_.vertices[feature], mover_b_.solid, now_b_, math);
        if (feature < count_a() + count_b())
            return may_be_inside(now_b_.vertices[feature - count_a()], mover_a_.solid, now_a_, math);
        const auto [e, g] = edges_of(feature);
        return edges_may_meet(e, g, math);
    }

    /// A vertex that is outside of one face all the time does not touch.
    static bool may_be_inside(const Flow3& vertex, const Polyhedron& solid, const Moment& now,
                              const FlowMath& math) {
        const Flow3 arm = math.subtract(vertex, now.centre);
        for (std::size_t f = 0; f < solid.faces.size(); ++f)
            if (math.dot(now.normals[f], arm).least(math.half()) > solid.faces[f].distance) return false;
        return true;
    }

    /// Edges p + s e and q + u g, with s and u from 0 to 1, meet where (q - p)·(e×g) = 0 and both are in their range.
    bool edges_may_meet(std::size_t edge_a, std::size_t edge_b, const FlowMath& math) const {
        const Flow3 &p = now_a_.vertices[mover_a_.solid.edges[edge_a].from],
                    &q = now_b_.vertices[mover_b_.solid.edges[edge_b].from];
        const Flow3 &e = now_a_.edges[edge_a], &g = now_b_.edges[edge_b];
        const Flow3 d = math.subtract(q, p), n = math.cross(e, g);
        const double half = math.half();
        const Flow volume = math.dot(d, n);
        if (volume.least(half) > 0 || volume.most(half) < 0) return false;
        const Flow square = math.dot(n, n);
        for (const Flow& share : {math.dot(math.cross(d, g), n), math.dot(math.cross(d, e), n)})
            if (share.most(half) < 0 || math.subtract(share, square).least(half) > 0) return false;
        // edges that are about parallel have no such normal
        const Flow3 own[2] = {p, now_a_.vertices[mover_a_.solid.edges[edge_a].to]},
                    other[2] = {q, now_b_.vertices[mover_b_.solid.edges[edge_b].to]};
        const DVec3 way = between_segments(middle_of(p), middle_of(e), middle_of(q), middle_of(g));
        const double size = length(way);
        return !(size > 0 && axis_parts(way / size, own, other, math));
    }

    /// How far A and B are apart along a unit vector, in the middle of the part.
    double parting(const DVec3& n) const {
        double ahead = -infinite, behind = infinite;
        for (const Flow3& p : now_a_.vertices) ahead = std::max(ahead, dot(n, middle_of(p)));
        for (const Flow3& p : now_b_.vertices) behind = std::min(behind, dot(n, middle_of(p)));
        return behind - ahead;
    }

    /// The contact of the features that are left: those whose normal parts the shapes best.
    void tell(const Part& part, ExactImpact& out) const {
        out.found = true;
        out.separation = -infinite;
        const DVec3 origin = centre_at(b_, middle_);
        const auto offer = [&](const DVec3& n, const DVec3& point, ExactImpact::Features features) {
            const double size = length(n);
            if (!(size > 0)) return;
            const double apart = parting(n / size);
            if (!(apart > out.separation)) return;
            out.separation = apart, out.normal = n / size, out.point = origin + point;
            out.features = features;
        };
        for (const std::uint32_t feature : part.left) {
            if (feature < count_a()) {
                for (const Flow3& normal : now_b_.normals)
                    offer(-middle_of(normal), middle_of(now_a_.vertices[feature]),
                          ExactImpact::Features::vertex_face);
            } else if (feature < count_a() + count_b()) {
                for (const Flow3& normal : now_a_.normals)
                    offer(middle_of(normal), middle_of(now_b_.vertices[feature - count_a()]),
                          ExactImpact::Features::face_vertex);
            } else {
                const auto [edge_a, edge_b] = edges_of(feature);
                const DVec3 p = middle_of(now_a_.vertices[mover_a_.solid.edges[edge_a].from]),
                            q = middle_of(now_b_.vertices[mover_b_.solid.edges[edge_b].from]),
                            e = middle_of(now_a_.edges[edge_a]), g = middle_of(now_b_.edges[edge_b]),
                            n = cross(e, g);
                if (!(dot(n, n) > 1e-20 * dot(e, e) * dot(g, g))) continue; // a vertex touches too
                const DVec3 on_a = p + e * (dot(cross(q - p, g), n) / dot(n, n));
                for (const double side : {-1.0, 1.0}) offer(n * side, on_a, ExactImpact::Features::edge_edge);
            }
        }
    }

    const MovingConvex &a_, &b_;
    Mover mover_a_, mover_b_;
    Moment now_a_, now_b_;
    std::vector<std::uint32_t> kept_;
    double middle_ = 0;
};

} // namespace

bool has_flat_faces(ShapeType type) {
    return type == ShapeType::box || type == ShapeType::hull || type == ShapeType::plane;
}

ExactImpact exact_impact(const MovingConvex& a, const MovingConvex& b, double horizon, double width,
                         int most_intervals) {
    return Search(a, b).run(horizon, width, most_intervals);
}

} // namespace scree
