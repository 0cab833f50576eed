// SPDX-License-Identifier: MIT
// triangle_distance.h — the point of a triangle that is nearest to a point.
#pragma once

#include "scree/math.h"

#include <algorithm>

namespace scree {

/// Ericson 2005, section 5.1.5: by the Voronoi region that the point is in. Degenerate triangles are segments or points.
inline DVec3 nearest_on_triangle(DVec3 p, DVec3 a, DVec3 b, DVec3 c) {
    const auto along = [](double t, double of) { return of > 0 ? std::clamp(t / of, 0.0, 1.0) : 0.0; };
    const DVec3 ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return a;
    const DVec3 bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + along(d1, d1 - d3) * ab;
    const DVec3 cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + along(d2, d2 - d6) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) return b + along(d4 - d3, (d4 - d3) + (d5 - d6)) * (c - b);
    const double sum = va + vb + vc;
    if (!(sum > 0)) return a;
    return a + (vb / sum) * ab + (vc / sum) * ac;
}

inline double distance_to_triangle(DVec3 p, DVec3 a, DVec3 b, DVec3 c) {
    return length(p - nearest_on_triangle(p, a, b, c));
}

} // namespace scree
