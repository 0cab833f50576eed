// SPDX-License-Identifier: MIT
// exact_plane.cpp — see exact_plane.h.
#include "level/exact_plane.h"

#include <algorithm>

namespace scree {
namespace {

constexpr double error_bound = 1 / 281474976710656.0; // 2^-48
constexpr double whole_limit = 9007199254740992.0;    // 2^53

std::int64_t to_grid(double value) { return static_cast<std::int64_t>(std::round(value * level_grid)); }

ExactPlane finished(std::array<WideInteger, 4> exact) {
    unsigned zeros = exact[0].trailing_zeros();
    for (const WideInteger& value : exact) zeros = std::min(zeros, value.trailing_zeros());
    ExactPlane plane;
    plane.fits = true;
    for (std::size_t i = 0; i < 4; ++i) {
        plane.exact[i] = exact[i].without_zeros(zeros);
        plane.rounded[i] = plane.exact[i].to_double();
        plane.fits = plane.fits && plane.exact[i].fits_double();
    }
    plane.rounded[3] /= level_grid;
    plane.fits = plane.fits && plane.rounded[3] == std::floor(plane.rounded[3]);
    return plane;
}

template <class Number>
std::array<Number, 4> negated(const std::array<Number, 4>& a) {
    return {-a[0], -a[1], -a[2], -a[3]};
}

/// x, y, z and w of the point where the planes p, q and r meet. With `minus` a sum: the magnitudes of what is added.
template <class Number, class Minus>
std::array<Number, 4> meeting(const std::array<Number, 4>& p, const std::array<Number, 4>& q,
                              const std::array<Number, 4>& r, Minus minus) {
    const auto cross = [&](const std::array<Number, 4>& u, const std::array<Number, 4>& v) {
        return std::array<Number, 3>{minus(u[1] * v[2], u[2] * v[1]), minus(u[2] * v[0], u[0] * v[2]),
                                     minus(u[0] * v[1], u[1] * v[0])};
    };
    const std::array<Number, 3> qr = cross(q, r), rp = cross(r, p), pq = cross(p, q);
    std::array<Number, 4> out;
    for (std::size_t i = 0; i < 3; ++i) out[i] = minus(Number(0), p[3] * qr[i] + q[3] * rp[i] + r[3] * pq[i]);
    out[3] = p[0] * qr[0] + p[1] * qr[1] + p[2] * qr[2];
    return out;
}

std::array<WideInteger, 4> exact_meeting(const ExactCorner& corner) {
    const auto [p, q, r] = corner.planes;
    std::array<WideInteger, 4> at = meeting(p->exact, q->exact, r->exact,
                                            [](const WideInteger& a, const WideInteger& b) { return a - b; });
    return at[3].sign() < 0 ? negated(at) : at;
}

/// x / w to the nearest double, so that corners of different planes at one place are equal. The rest of the division is computed
/// exactly and put into units of the last bit.
double quotient(const WideInteger& x, const WideInteger& w) {
    if (x.sign() == 0) return 0;
    int exponent = 0;
    const auto digits =
        static_cast<std::int64_t>(std::ldexp(std::frexp(x.to_double() / w.to_double(), &exponent), 53));
    exponent -= 53; // digits * 2^exponent is within four units of the last bit
    const WideInteger near = w * WideInteger(digits);
    const WideInteger rest = exponent < 0 ? x.with_zeros(static_cast<unsigned>(-exponent)) - near
                                          : x - near.with_zeros(static_cast<unsigned>(exponent));
    const double scale = exponent < 0 ? 1 : std::ldexp(1.0, -exponent);
    const double step = std::round(rest.to_double() / w.to_double() * scale);
    return std::ldexp(static_cast<double>(digits + static_cast<std::int64_t>(step)), exponent);
}

std::array<double, 4> magnitudes(const std::array<double, 4>& a) {
    return {std::fabs(a[0]), std::fabs(a[1]), std::fabs(a[2]), std::fabs(a[3])};
}

} // namespace

std::optional<ExactPlane> plane_through(const std::array<double, 9>& points) {
    std::array<std::int64_t, 9> p{};
    for (std::size_t i = 0; i < 9; ++i) p[i] = to_grid(points[i]);
    std::array<WideInteger, 3> u, v, at;
    for (std::size_t i = 0; i < 3; ++i) {
        u[i] = p[i] - p[i + 3];
        v[i] = p[i + 6] - p[i + 3];
        at[i] = p[i + 3];
    }
    const WideInteger a = u[1] * v[2] - u[2] * v[1], b = u[2] * v[0] - u[0] * v[2],
                      c = u[0] * v[1] - u[1] * v[0];
    if (a.sign() == 0 && b.sign() == 0 && c.sign() == 0) return std::nullopt;
    return finished({a, b, c, -(a * at[0] + b * at[1] + c * at[2])});
}

std::optional<ExactPlane> plane_of(const std::array<double, 4>& coefficients, DVec3 offset) {
    // the normal in steps of 2^-52, the distance in steps of 2^-36 units: 2^-52 2^-24 = 2^-36 2^-40
    std::array<WideInteger, 4> plane;
    for (std::size_t i = 0; i < 3; ++i)
        plane[i] = static_cast<std::int64_t>(std::round(coefficients[i] * 4503599627370496.0));
    if (plane[0].sign() == 0 && plane[1].sign() == 0 && plane[2].sign() == 0) return std::nullopt;
    plane[3] = WideInteger(static_cast<std::int64_t>(std::round(coefficients[3] * 68719476736.0))) *
               WideInteger(std::int64_t{1} << 40);
    plane[3] =
        plane[3] - (plane[0] * WideInteger(to_grid(offset.x)) + plane[1] * WideInteger(to_grid(offset.y)) +
                    plane[2] * WideInteger(to_grid(offset.z)));
    return finished(plane);
}

ExactPlane plane_across(int axis, bool positive, std::int64_t distance) {
    std::array<WideInteger, 4> plane;
    plane[static_cast<std::size_t>(axis)] = positive ? 1 : -1;
    plane[3] = -distance;
    return finished(plane);
}

bool same_plane(const ExactPlane& a, const ExactPlane& b) {
    for (std::size_t i = 0; i < 4; ++i) {
        if (a.exact[i].sign() != b.exact[i].sign()) return false;
        for (std::size_t k = 0; k < i; ++k)
            if (!(a.exact[i] * b.exact[k] == a.exact[k] * b.exact[i])) return false;
    }
    return true;
}

std::optional<ExactCorner> corner_of(const ExactPlane& a, const ExactPlane& b, const ExactPlane& c) {
    ExactCorner corner;
    corner.planes = {&a, &b, &c};
    corner.rounded = meeting(a.rounded, b.rounded, c.rounded, [](double x, double y) { return x - y; });
    corner.magnitude = meeting(magnitudes(a.rounded), magnitudes(b.rounded), magnitudes(c.rounded),
                               [](double x, double y) { return x + y; });
    corner.fits = a.fits && b.fits && c.fits &&
                  *std::max_element(corner.magnitude.begin(), corner.magnitude.end()) < whole_limit;
    double w = corner.rounded[3];
    if (!corner.fits && std::fabs(w) <= error_bound * corner.magnitude[3]) {
        // the sign of w itself; exact_meeting gives w > 0 in any case
        const WideInteger exact = meeting(
            a.exact, b.exact, c.exact, [](const WideInteger& x, const WideInteger& y) { return x - y; })[3];
        w = exact.sign();
    }
    if (w == 0) return std::nullopt;
    if (w < 0) corner.rounded = negated(corner.rounded);
    return corner;
}

int side_of(const ExactPlane& plane, const ExactCorner& corner) {
    // the planes that made it, the usual reason for a corner to be on a plane, need no arithmetic
    for (const ExactPlane* made : corner.planes)
        if (made == &plane || (plane.number != 0xffffffff && made->number / 2 == plane.number / 2)) return 0;
    double value = 0, magnitude = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value += plane.rounded[i] * corner.rounded[i];
        magnitude += std::fabs(plane.rounded[i]) * corner.magnitude[i];
    }
    if (std::fabs(value) > error_bound * magnitude || (plane.fits && corner.fits && magnitude < whole_limit))
        return value > 0 ? 1 : value < 0 ? -1 : 0;
    const std::array<WideInteger, 4> at = exact_meeting(corner);
    return (plane.exact[0] * at[0] + plane.exact[1] * at[1] + plane.exact[2] * at[2] + plane.exact[3] * at[3])
        .sign();
}

DVec3 position_of(const ExactCorner& corner) {
    std::array<double, 3> at{};
    if (corner.fits) {
        for (std::size_t i = 0; i < 3; ++i) at[i] = corner.rounded[i] / corner.rounded[3];
    } else {
        const std::array<WideInteger, 4> exact = exact_meeting(corner);
        for (std::size_t i = 0; i < 3; ++i) at[i] = quotient(exact[i], exact[3]) / level_grid;
    }
    return {at[0] + 0.0, at[1] + 0.0, at[2] + 0.0}; // no -0
}

DVec3 normal_of(const ExactPlane& plane) {
    const DVec3 normal = normalized(DVec3{plane.rounded[0], plane.rounded[1], plane.rounded[2]});
    return {normal.x + 0.0, normal.y + 0.0, normal.z + 0.0}; // no -0
}

} // namespace scree
