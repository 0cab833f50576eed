// SPDX-License-Identifier: MIT
// rigid_overlap.cpp — see rigid_overlap.h.
#include "rigid_overlap.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace scree::bench {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// half the extent of a box along a unit direction
double reach(const PlacedPart& box, const DVec3& direction) {
    const DVec3 d = rotate(conjugate(box.rotation), direction);
    return std::abs(d.x) * box.half.x + std::abs(d.y) * box.half.y + std::abs(d.z) * box.half.z;
}

/// from where to where the part's core lies along a direction
std::pair<double, double> interval(const PlacedPart& part, const DVec3& direction) {
    const double centre = dot(part.centre, direction);
    if (part.core == PlacedPart::Core::box) {
        const double r = reach(part, direction);
        return {centre - r, centre + r};
    }
    if (part.core == PlacedPart::Core::segment) {
        const double r = std::abs(dot(part.half, direction));
        return {centre - r, centre + r};
    }
    const DVec3 d = rotate(conjugate(part.rotation), direction);
    double low = infinity, high = -infinity;
    for (const DVec3& vertex : part.solid->vertices) {
        const double at = dot(vertex, d);
        low = std::min(low, at);
        high = std::max(high, at);
    }
    return {centre + low, centre + high};
}

std::vector<DVec3> normals(const PlacedPart& part) {
    std::vector<DVec3> directions;
    if (part.core == PlacedPart::Core::hull)
        for (const DVec3& n : part.solid->normals) directions.push_back(rotate(part.rotation, n));
    else if (part.core == PlacedPart::Core::box)
        for (const DVec3& n : {DVec3{1, 0, 0}, DVec3{0, 1, 0}, DVec3{0, 0, 1}})
            directions.push_back(rotate(part.rotation, n));
    return directions;
}

std::vector<DVec3> edges(const PlacedPart& part) {
    if (part.core == PlacedPart::Core::box) return normals(part);
    std::vector<DVec3> directions;
    if (part.core == PlacedPart::Core::hull)
        for (const DVec3& e : part.solid->edges) directions.push_back(rotate(part.rotation, e));
    else if (length(part.half) > 0) directions.push_back((1 / length(part.half)) * part.half);
    return directions;
}

/// the least that one core must move to leave the other; not positive when a direction separates them
double penetration(const PlacedPart& a, const PlacedPart& b) {
    double least = infinity;
    const auto separated_along = [&](const DVec3& direction) {
        const auto [a_low, a_high] = interval(a, direction);
        const auto [b_low, b_high] = interval(b, direction);
        least = std::min({least, a_high - b_low, b_high - a_low});
        return least <= 0;
    };
    for (const PlacedPart* part : {&a, &b})
        for (const DVec3& normal : normals(*part))
            if (separated_along(normal)) return least;
    const std::vector<DVec3> a_edges = edges(a), b_edges = edges(b);
    for (const DVec3& ea : a_edges)
        for (const DVec3& eb : b_edges) {
            const DVec3 direction = cross(ea, eb);
            const double size = length(direction);
            // parallel edges span no direction that the normals do not have
            if (size < 1e-6) continue;
            if (separated_along((1 / size) * direction)) return least;
        }
    return least;
}

/// Ericson 2005, 5.1.9
double segment_distance(const PlacedPart& a, const PlacedPart& b) {
    const DVec3 d1 = 2.0 * a.half, d2 = 2.0 * b.half, r = (a.centre - a.half) - (b.centre - b.half);
    const double aa = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r), c = dot(d1, r), bb = dot(d1, d2);
    double s = 0, t = 0;
    if (aa > 0 && e > 0) {
        const double denominator = aa * e - bb * bb;
        s = denominator > 1e-14 * aa * e ? std::clamp((bb * f - c * e) / denominator, 0.0, 1.0) : 0.5;
        t = (bb * s + f) / e;
        if (t < 0 || t > 1) {
            t = std::clamp(t, 0.0, 1.0);
            s = std::clamp((bb * t - c) / aa, 0.0, 1.0);
        }
    } else if (aa > 0) s = std::clamp(-c / aa, 0.0, 1.0);
    else if (e > 0) t = std::clamp(f / e, 0.0, 1.0);
    return length(r + s * d1 - t * d2);
}

/// the distance of a box from a segment: convex along the segment, so narrowing by thirds finds it
double box_distance(const PlacedPart& box, const PlacedPart& segment) {
    const DVec3 middle = rotate(conjugate(box.rotation), segment.centre - box.centre);
    const DVec3 half = rotate(conjugate(box.rotation), segment.half);
    const auto at = [&](double t) {
        const DVec3 p = middle + t * half;
        const auto out = [](double x, double h) { return std::max(std::abs(x) - h, 0.0); };
        return length(DVec3{out(p.x, box.half.x), out(p.y, box.half.y), out(p.z, box.half.z)});
    };
    if (length(half) == 0) return at(0);
    double low = -1, high = 1;
    for (int i = 0; i < 80; ++i) {
        const double first = low + (high - low) / 3, second = high - (high - low) / 3;
        if (at(first) < at(second)) high = second;
        else low = first;
    }
    return at(0.5 * (low + high));
}

} // namespace

void PlacedPart::bound() {
    const DVec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double* lows[] = {&low.x, &low.y, &low.z};
    double* highs[] = {&high.x, &high.y, &high.z};
    for (int i = 0; i < 3; ++i) {
        const auto [from, to] = interval(*this, axes[i]);
        *lows[i] = from - radius;
        *highs[i] = to + radius;
    }
}

double overlap(const PlacedPart& a, const PlacedPart& b) {
    using Core = PlacedPart::Core;
    if (a.core == Core::segment && b.core == Core::segment)
        return a.radius + b.radius - segment_distance(a, b);
    if (a.core != Core::segment && b.core != Core::segment) return penetration(a, b);
    const PlacedPart& round = a.core == Core::segment ? a : b;
    const PlacedPart& flat = a.core == Core::segment ? b : a;
    if (flat.core == Core::hull) return 0;
    const double distance = box_distance(flat, round);
    if (distance > 1e-9) return round.radius - distance;
    return round.radius + std::max(penetration(flat, round), 0.0);
}

} // namespace scree::bench
