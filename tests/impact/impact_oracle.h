// SPDX-License-Identifier: MIT
// impact_oracle.h — impacts found by trying all pairs and walls after each impact, in long double: slow and plain.
#pragma once

#include "scree/impact.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace scree::testing {

class ImpactOracle {
public:
    explicit ImpactOracle(const ImpactWorld& world) : settings_(world.settings()), time_(world.time()) {
        for (std::uint32_t k = 0; k < world.particle_count(); ++k) {
            const ImpactParticle p = world.particle(k);
            Ball ball{{}, {}, p.radius, p.mass};
            for (int axis = 0; axis < 3; ++axis) {
                ball.at[axis] = axis_of(p.position, axis);
                ball.velocity[axis] = axis_of(p.velocity, axis);
            }
            balls_.push_back(ball);
        }
    }

    /// Goes to the next impact and answers it. All collisions are elastic.
    Impact next() {
        Real first = never;
        Impact hit;
        for (std::uint32_t a = 0; a < balls_.size(); ++a) {
            for (std::uint32_t b = a + 1; b < balls_.size(); ++b)
                if (const Real t = meeting(balls_[a], balls_[b]); t < first) first = t, hit.a = a, hit.b = b;
            for (int wall = 0; wall < 2 * settings_.dimensions; ++wall)
                if (const Real t = wall_time(balls_[a], wall); t < first)
                    first = t, hit.a = a, hit.b = Impact::wall + static_cast<std::uint32_t>(wall);
        }
        time_ += first;
        for (Ball& ball : balls_)
            for (int k = 0; k < 3; ++k) {
                const Real g = axis_of(settings_.gravity, k);
                ball.at[k] += (ball.velocity[k] + g * first / 2) * first;
                ball.velocity[k] += g * first;
            }
        hit.time = static_cast<double>(time_);
        hit.impulse = static_cast<double>(answer(hit));
        return hit;
    }

private:
    using Real = long double;
    static constexpr Real never = std::numeric_limits<Real>::infinity();
    struct Ball {
        Real at[3], velocity[3], radius, mass;
    };
    static double axis_of(const DVec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
    Real size(int k) const { return Real(axis_of(settings_.upper, k)) - axis_of(settings_.lower, k); }
    bool wraps(int k) const {
        return k < settings_.dimensions &&
               settings_.borders[static_cast<std::size_t>(k)] == ImpactBorder::periodic;
    }

    /// Over all images that are near enough within some seconds.
    Real meeting(const Ball& a, const Ball& b) const {
        Real first = never;
        const int range[] = {wraps(0), wraps(1), wraps(2)};
        for (int x = -range[0]; x <= range[0]; ++x)
            for (int y = -range[1]; y <= range[1]; ++y)
                for (int z = -range[2]; z <= range[2]; ++z) {
                    const int shift[] = {x, y, z};
                    Real dd = 0, dv = 0, vv = 0;
                    for (int k = 0; k < 3; ++k) {
                        const Real image = wraps(k) ? std::round((b.at[k] - a.at[k]) / size(k)) : 0;
                        const Real d = b.at[k] - a.at[k] - (image + shift[k]) * (wraps(k) ? size(k) : 0);
                        const Real v = b.velocity[k] - a.velocity[k];
                        dd += d * d, dv += d * v, vv += v * v;
                    }
                    const Real sum = a.radius + b.radius, root = dv * dv - vv * (dd - sum * sum);
                    if (dv >= 0 || root < 0) continue;
                    first = std::min(first, std::max((-dv - std::sqrt(root)) / vv, Real(0)));
                }
        return first;
    }
    Real wall_time(const Ball& ball, int wall) const {
        const int k = wall / 2;
        if (wraps(k)) return never;
        // as if the wall were above
        const Real sign = wall % 2 ? 1 : -1;
        const Real gap = wall % 2 ? axis_of(settings_.upper, k) - ball.radius - ball.at[k]
                                  : ball.at[k] - ball.radius - axis_of(settings_.lower, k);
        const Real v = sign * ball.velocity[k], g = sign * axis_of(settings_.gravity, k);
        Real first = never;
        if (g == 0) return v > 0 ? std::max(gap / v, Real(0)) : never;
        const Real root = v * v + 2 * g * gap;
        if (root < 0) return never;
        for (const Real t : {(-v + std::sqrt(root)) / g, (-v - std::sqrt(root)) / g})
            if (t >= 0 && v + g * t > 0) first = std::min(first, t);
        return first;
    }
    Real answer(const Impact& hit) {
        Ball& a = balls_[hit.a];
        if (hit.b >= Impact::wall) {
            Real& v = a.velocity[(hit.b - Impact::wall) / 2];
            v = -v;
            return 2 * a.mass * std::abs(v);
        }
        Ball& b = balls_[hit.b];
        Real d[3], dd = 0, dv = 0;
        for (int k = 0; k < 3; ++k) {
            d[k] = b.at[k] - a.at[k];
            if (wraps(k)) d[k] -= std::round(d[k] / size(k)) * size(k);
            dd += d[k] * d[k];
            dv += d[k] * (b.velocity[k] - a.velocity[k]);
        }
        const Real impulse = -2 * dv / std::sqrt(dd) / (1 / a.mass + 1 / b.mass);
        for (int k = 0; k < 3; ++k) {
            a.velocity[k] -= impulse / a.mass * d[k] / std::sqrt(dd);
            b.velocity[k] += impulse / b.mass * d[k] / std::sqrt(dd);
        }
        return impulse;
    }

    ImpactSettings settings_;
    Real time_;
    std::vector<Ball> balls_;
};

} // namespace scree::testing
