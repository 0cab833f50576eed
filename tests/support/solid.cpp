// SPDX-License-Identifier: MIT
// solid.cpp — see solid.h.
#include "support/solid.h"

#include <algorithm>
#include <cmath>

namespace scree::test {

Solid solid_box(Vec3 half) {
    Solid s;
    s.geometry = {ShapeType::box, half, 0, nullptr};
    for (int i = 0; i < 8; ++i)
        s.vertices.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    s.normals = s.edges = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    s.normals.insert(s.normals.end(), {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
    return s;
}

Placed::Placed(const Solid& s, const Pose& pose) {
    const DMatrix r = matrix(wide(pose.rotation));
    for (DVec3 v : s.vertices) vertices.push_back(r * v + wide(pose.position));
    for (DVec3 v : s.normals) normals.push_back(r * v);
    for (DVec3 v : s.edges) edges.push_back(r * v);
}

double overlap_along(const Solid& a, const Placed& b, DVec3 n) {
    double top = -1e30, bottom = 1e30;
    for (DVec3 v : a.vertices) top = std::max(top, dot(v, n));
    for (DVec3 v : b.vertices) bottom = std::min(bottom, dot(v, n));
    return top - bottom;
}

std::vector<DVec3> separating_axes(const Solid& a, const Placed& b, double least_sine) {
    std::vector<DVec3> axes = a.normals;
    axes.reserve(a.normals.size() + b.normals.size() + 2 * a.edges.size() * b.edges.size());
    for (DVec3 n : b.normals) axes.push_back(-n);
    for (DVec3 e : a.edges)
        for (DVec3 f : b.edges) {
            const DVec3 n = cross(e, f);
            const double size = length(n);
            if (size < least_sine * std::sqrt(dot(e, e) * dot(f, f))) continue;
            axes.push_back((1 / size) * n);
            axes.push_back((-1 / size) * n);
        }
    return axes;
}

double overlap_by_all_axes(const Solid& a, const Placed& b, double least_sine) {
    double least = 1e30;
    for (DVec3 n : separating_axes(a, b, least_sine)) least = std::min(least, overlap_along(a, b, n));
    return least;
}

double overlap_by_sweep(const Solid& a, const Placed& b, int directions) {
    double least = 1e30;
    for (int i = 0; i < directions; ++i) {
        const double y = 1 - (2 * i + 1.0) / directions, r = std::sqrt(1 - y * y);
        const double angle = i * 2.399963229728653;
        least = std::min(least, overlap_along(a, b, {r * std::cos(angle), y, r * std::sin(angle)}));
    }
    return least;
}

} // namespace scree::test
