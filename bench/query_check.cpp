// SPDX-License-Identifier: MIT
// query_check.cpp — see query_check.h.
#include "query_check.h"

#include "device_rays.h"
#include "query_judge.h"
#include "scree/mesh.h"
#include "scree/query.h"
#include "scree/world.h"

#include <atomic>
#include <map>
#include <numbers>
#include <thread>

namespace scree::bench {
namespace {

constexpr double fine = 1e-5; // m: what a float of a few metres can tell

class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
    double between(double low, double high) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return low + (high - low) * static_cast<double>(state_ >> 11) * 0x1p-53;
    }
    float size() { return static_cast<float>(between(0.15, 0.7)); }
    std::uint32_t whole(std::uint32_t end) { return static_cast<std::uint32_t>(between(0, end)); }
    DVec3 spot(double half) {
        const double x = between(-half, half), y = between(-half, half), z = between(-half, half);
        return {x, y, z};
    }
    DVec3 direction() {
        for (;;)
            if (const DVec3 v = spot(1); length(v) > 0.1 && length(v) < 1) return normalized(v);
    }
    Quat rotation() {
        const DVec3 axis = direction();
        const double half = between(0, std::numbers::pi);
        return narrow(DQuat{.x = axis.x * std::sin(half),
                            .y = axis.y * std::sin(half),
                            .z = axis.z * std::sin(half),
                            .s = std::cos(half)});
    }

private:
    std::uint64_t state_;
};

Geometry convex(Dice& dice) {
    const float a = dice.size(), b = dice.size(), c = dice.size();
    switch (dice.whole(6)) {
    case 0:
        return Sphere{a};
    case 1:
        return Capsule{a, b};
    case 2:
        return Box{a, b, c};
    case 3:
        return Cylinder{a, b};
    case 4:
        return Cone{a, b};
    default: {
        std::vector<Vec3> points;
        for (int k = 0; k < 14; ++k) {
            const DVec3 out = dice.direction();
            points.push_back(narrow(out * (a * dice.between(0.85, 1))));
        }
        return Hull::from_points(points);
    }
    }
}

/// A dented ball.
Mesh ball(Dice& dice, bool two_sided) {
    constexpr std::uint32_t around = 8, rings = 5;
    const float radius = 2 * dice.size();
    std::vector<Vec3> vertices{{0, radius, 0}, {0, -radius, 0}};
    for (std::uint32_t r = 0; r < rings; ++r)
        for (std::uint32_t k = 0; k < around; ++k) {
            const double up = std::numbers::pi * (r + 1) / (rings + 1),
                         turn = 2 * std::numbers::pi * k / around;
            const double out = radius * dice.between(0.8, 1.1);
            vertices.push_back(narrow(
                DVec3{std::sin(up) * std::cos(turn), std::cos(up), std::sin(up) * std::sin(turn)} * out));
        }
    std::vector<std::uint32_t> indices;
    const auto at = [](std::uint32_t r, std::uint32_t k) { return 2 + around * r + k % around; };
    for (std::uint32_t k = 0; k < around; ++k) {
        indices.insert(indices.end(), {0, at(0, k + 1), at(0, k)});
        indices.insert(indices.end(), {1, at(rings - 1, k), at(rings - 1, k + 1)});
        for (std::uint32_t r = 0; r + 1 < rings; ++r) {
            indices.insert(indices.end(), {at(r, k), at(r, k + 1), at(r + 1, k)});
            indices.insert(indices.end(), {at(r, k + 1), at(r + 1, k + 1), at(r + 1, k)});
        }
    }
    const Vec3 scale{dice.size() + 0.5f, dice.size() + 0.5f, dice.size() + 0.5f};
    return Mesh::from_triangles(vertices, indices, {.two_sided = two_sided}).scaled(scale);
}

Mesh hills(Dice& dice) {
    HeightField field{.columns = 9, .rows = 7, .spacing = 0.6f};
    for (std::uint32_t k = 0; k < field.columns * field.rows; ++k)
        field.heights.push_back(static_cast<float>(dice.between(-0.3, 0.3)));
    return Mesh::from_heights(field);
}

struct JudgedShape {
    std::vector<Judged> parts; ///< one, or the triangles of a mesh
    bool mesh = false, two_sided = false;

    JudgedShape(const Geometry& geometry, const DPose& pose) {
        const Mesh* of = std::get_if<Mesh>(&geometry);
        if (!of) {
            parts.emplace_back(geometry, pose);
            return;
        }
        mesh = true;
        two_sided = of->options().two_sided;
        const Vec3 s = of->scale();
        for (std::uint32_t t = 0; t < of->triangles(); ++t) {
            std::array<DVec3, 3> corner;
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3 v = of->vertices()[of->indices()[3 * t + k]];
                corner[k] = apply(pose, DVec3{double{v.x} * s.x, double{v.y} * s.y, double{v.z} * s.z});
            }
            parts.emplace_back(corner, t);
        }
    }
};

/// A world, its shapes as the judge sees them, and the checks.
class Checker {
public:
    Checker(const Place& place, std::uint64_t seed, std::vector<QueryCheck>& results)
        : world_({.gravity = {0, 0, 0}}, place), dice_(seed), results_(results) {
        for (int k = 0; k < 45; ++k) {
            // meshes and planes do not move by themselves
            const BodyType type = k < 5 ? (k % 2 ? BodyType::kinematic : BodyType::fixed)
                                        : static_cast<BodyType>(dice_.whole(3));
            const BodyId body = world_.create_body({.type = k == 0 ? BodyType::fixed : type,
                                                    .position = dice_.spot(half),
                                                    .rotation = dice_.rotation()});
            if (k == 0 && dice_.between(0, 1) < 0.3) world_.attach(body, Plane{});
            if (k < 3) world_.attach(body, ball(dice_, k == 1));
            else if (k < 5) world_.attach(body, hills(dice_));
            for (int parts = k < 5 ? 0 : dice_.between(0, 1) < 0.2 ? 3 : 1; parts > 0; --parts) {
                ShapeDef at{.position = narrow(dice_.spot(0.5)), .rotation = dice_.rotation()};
                world_.attach(body, convex(dice_), at);
            }
        }
        world_.step(1 / 60.0f);
        for (const BodyId body : world_.bodies())
            for (const ShapeId shape : world_.shapes(body)) {
                const ShapeDef def = world_.definition(shape);
                const DPose pose = DPose{world_.position(body), wide(world_.state(body).rotation)} *
                                   DPose{wide(def.position), wide(def.rotation)};
                shapes_.emplace(shape.index, JudgedShape(world_.geometry(shape),
                                                         {pose.position, normalized(pose.rotation)}));
            }
    }

    void rays(std::uint32_t count);
    void casts(std::uint32_t count);
    void overlaps(std::uint32_t count);
    void points(std::uint32_t count);

private:
    static constexpr double half = 4;
    enum Kind { ray, ray_any, ray_all, cast, overlap, nearest, inside };
    struct Verdict {
        Kind kind;
        bool agrees = false;
        std::size_t hits = 0, inside = 0;
        bool unclear = false;
    };
    static Verdict unclear(Kind kind) { return {kind, false, 0, 0, true}; }

    DVec3 spot() { return dice_.spot(1.3 * half); }
    void count(const Verdict& verdict, const std::string& request) {
        QueryCheck& check = results_[verdict.kind];
        ++check.asked;
        check.hits += verdict.hits;
        check.inside += verdict.inside;
        if (verdict.unclear) ++check.unclear;
        else if (verdict.agrees) ++check.agreed;
        else if (check.first.empty()) check.first = request;
    }
    /// Judges 0 … count - 1 on all cores and counts them in this order.
    template <class Judge>
    void judge(const char* what, std::uint32_t count_of, const Judge& judge_one) {
        std::vector<std::vector<Verdict>> verdicts(count_of);
        std::atomic<std::uint32_t> next{0};
        const auto work = [&] {
            for (std::uint32_t k = next++; k < count_of; k = next++) verdicts[k] = judge_one(k);
        };
        std::vector<std::thread> threads;
        for (unsigned k = 1; k < std::thread::hardware_concurrency(); ++k) threads.emplace_back(work);
        work();
        for (std::thread& thread : threads) thread.join();
        for (std::uint32_t k = 0; k < count_of; ++k)
            for (const Verdict& verdict : verdicts[k]) count(verdict, std::string(what) + std::to_string(k));
    }

    World world_;
    Dice dice_;
    std::map<std::uint32_t, JudgedShape> shapes_;
    std::vector<QueryCheck>& results_;
};

/// By fraction, then by shape and triangle.
bool in_order(const QueryHit& a, const QueryHit& b) {
    if (a.fraction != b.fraction) return a.fraction < b.fraction;
    return std::pair(a.shape.index, a.sub_shape) < std::pair(b.shape.index, b.sub_shape);
}
std::size_t begin_inside(std::span<const QueryHit> hits) {
    return static_cast<std::size_t>(
        std::count_if(hits.begin(), hits.end(), [](const QueryHit& hit) { return hit.fraction == 0; }));
}

/// Whether a line stays clear of a sphere around the shape.
bool passes(const Judged& shape, const DVec3& from, const DVec3& way) {
    return distance_of(from, way, shape.middle) > shape.reach + 1e-3;
}

/// Where a ray meets a shape; `least`: how near a miss is to a hit.
Entry ray_entry(const JudgedShape& shape, const DVec3& from, const DVec3& way) {
    Entry best{{}, 1};
    if (!shape.mesh) return passes(shape.parts[0], from, way) ? best : entry(shape.parts[0], from, way);
    for (const Judged& part : shape.parts) {
        if (passes(part, from, way)) continue;
        if (!shape.two_sided && dot(part.up(), way) > 0) continue;
        const std::optional<double> at = meets(*part.triangle, from, way);
        if (at && (!best.share || *at < *best.share)) best.share = at;
    }
    return best;
}

void Checker::rays(std::uint32_t count_of) {
    std::vector<RayCast> rays;
    for (std::uint32_t k = 0; k < count_of; ++k) {
        const DVec3 from = spot();
        rays.push_back({from, narrow(spot() - from), k % 5 != 0});
    }
    std::vector<QueryHit> hits(count_of);
    std::vector<std::uint8_t> any(count_of);
    world_.cast_rays(rays, hits);
    world_.cast_rays_any(rays, any);
    const QueryLists lists = world_.cast_rays_all(rays);
    DeviceRays there(world_, rays);
    const std::vector<QueryHit> device_hits = there.ask<QueryHit>();
    const std::vector<std::uint8_t> device_any = there.ask<std::uint8_t>();
    judge("ray ", count_of, [&](std::uint32_t k) -> std::vector<Verdict> {
        const DVec3 from = rays[k].origin, way = wide(rays[k].translation);
        const double long_way = length(way);
        std::map<std::uint32_t, double> met;
        bool doubtful = false;
        double first = 2;
        for (const auto& [index, shape] : shapes_) {
            const Entry at = ray_entry(shape, from, way);
            if (!shape.mesh && !passes(shape.parts[0], from, way))
                doubtful = doubtful || std::abs(at.least) < fine ||
                           std::abs(shape.parts[0].level(from)) < fine ||
                           std::abs(shape.parts[0].level(from + way)) < fine;
            if (!at.share || (!shape.mesh && *at.share == 0 && !rays[k].hit_inside)) continue;
            met[index] = *at.share;
            first = std::min(first, *at.share);
        }
        if (doubtful) return {unclear(ray), unclear(ray_any), unclear(ray_all)};
        const auto right = [&](const QueryHit& hit) {
            const auto of = met.find(hit.shape.index);
            if (of == met.end() || std::abs(hit.fraction - of->second) * long_way > fine ||
                std::abs(hit.distance - of->second * long_way) > fine)
                return false;
            const DVec3 out = wide(hit.normal);
            if (std::abs(length(out) - 1) > 1e-5 || dot(out, way) > 1e-6 ||
                hit.body != world_.body(hit.shape))
                return false;
            if (of->second == 0) return true;
            const JudgedShape& shape = shapes_.at(hit.shape.index);
            const Judged& part = shape.parts[shape.mesh ? hit.sub_shape : 0];
            if (std::abs(part.level(hit.point)) > fine) return false;
            return shape.mesh
                       ? std::abs(std::abs(dot(part.up(), out)) - 1) < fine
                       : part.level(hit.point + out * 1e-3) > 0 && part.level(hit.point - out * 1e-4) < 1e-6;
        };
        bool list_right = lists[k].size() == met.size();
        for (std::size_t n = 0; n < lists[k].size(); ++n)
            list_right =
                list_right && right(lists[k][n]) && (n == 0 || in_order(lists[k][n - 1], lists[k][n]));
        const bool found = bool(hits[k]);
        const bool first_right = found == !met.empty() &&
                                 (!found || (right(hits[k]) && hits[k] == lists[k][0])) &&
                                 device_hits[k] == hits[k];
        return {{ray, first_right, found, begin_inside(lists[k])},
                {ray_any, (any[k] != 0) == !met.empty() && device_any[k] == any[k], any[k]},
                {ray_all, list_right, lists[k].size(), begin_inside(lists[k])}};
    });
}

void Checker::casts(std::uint32_t count_of) {
    std::vector<ShapeCast> casts;
    for (std::uint32_t k = 0; k < count_of; ++k) {
        casts.push_back({convex(dice_), spot(), dice_.rotation(), {}});
        casts[k].translation = narrow(spot() - casts[k].position);
    }
    std::vector<QueryHit> hits(count_of);
    world_.cast_shapes(casts, hits);
    const QueryLists lists = world_.cast_shapes_all(casts);
    judge("cast ", count_of, [&](std::uint32_t k) -> std::vector<Verdict> {
        const DVec3 way = wide(casts[k].translation);
        const double long_way = length(way);
        const Judged start(casts[k].geometry, {casts[k].position, normalized(wide(casts[k].rotation))}),
            swept = start.swept(way);
        const auto at = [&](double t) { return start.moved(way * t); };
        std::map<std::pair<std::uint32_t, std::uint32_t>, const QueryHit*> met;
        for (const QueryHit& hit : lists[k]) met[{hit.shape.index, hit.sub_shape}] = &hit;
        bool right = met.size() == lists[k].size() && bool(hits[k]) == !lists[k].empty() &&
                     (lists[k].empty() || hits[k] == lists[k][0]);
        for (const auto& [index, shape] : shapes_)
            for (const Judged& part : shape.parts) {
                const auto of = met.find({index, part.number});
                if (of != met.end()) {
                    const QueryHit& hit = *of->second;
                    const double t = hit.fraction;
                    const DVec3 out = wide(hit.normal);
                    const bool plane = !shape.mesh && std::holds_alternative<Plane>(part.geometry);
                    if (t == 0) {
                        right = right && hit.distance <= fine && seem_touching(start, part, fine);
                        continue;
                    }
                    // both have the point, and the plane through it parts them before
                    const double touching = std::abs(part.level(hit.point)), own = at(t).level(hit.point);
                    right = right && touching < fine && std::abs(own) < fine &&
                            std::abs(hit.distance - t * long_way) < fine && dot(out, way) < 1e-6 * long_way &&
                            (plane || along(part, at(t), out) > -fine);
                    continue;
                }
                if (shape.mesh && !shape.two_sided && dot(part.up(), way) >= -1e-9) continue;
                // the whole sweep is convex, too
                right = right && sweep_seems_apart(swept, part, fine);
            }
        for (std::size_t n = 1; n < lists[k].size(); ++n)
            right = right && in_order(lists[k][n - 1], lists[k][n]);
        return {{cast, right, lists[k].size(), begin_inside(lists[k])}};
    });
}

void Checker::overlaps(std::uint32_t count_of) {
    std::vector<ShapePlacement> places;
    for (std::uint32_t k = 0; k < count_of; ++k) places.push_back({convex(dice_), spot(), dice_.rotation()});
    const QueryLists lists = world_.overlaps(places);
    judge("overlap ", count_of, [&](std::uint32_t k) -> std::vector<Verdict> {
        const Judged own(places[k].geometry, {places[k].position, normalized(wide(places[k].rotation))});
        std::map<std::pair<std::uint32_t, std::uint32_t>, const QueryHit*> met;
        bool right = true;
        for (const QueryHit& hit : lists[k]) {
            // in order, each once
            right = right && (met.empty() || met.rbegin()->first < std::pair(hit.shape.index, hit.sub_shape));
            met[{hit.shape.index, hit.sub_shape}] = &hit;
        }
        for (const auto& [index, shape] : shapes_) {
            for (const Judged& part : shape.parts) {
                const auto of = met.find({index, part.number});
                if (of == met.end()) {
                    right = right && seem_apart(own, part, fine);
                    continue;
                }
                const QueryHit& hit = *of->second;
                const DVec3 out = wide(hit.normal);
                // no direction is better than the normal, and both surfaces are where the hit says
                const bool plane = !shape.mesh && std::holds_alternative<Plane>(part.geometry);
                const double best = rough_separation(own, part);
                right = right && best < hit.distance + 2 * fine && hit.distance <= 0 &&
                        (plane || std::abs(along(part, own, out) - hit.distance) < fine) &&
                        std::abs(part.level(hit.point)) < fine &&
                        std::abs(own.level(hit.point + out * double{hit.distance})) < fine;
                met.erase(of);
            }
        }
        return {{overlap, right && met.empty(), lists[k].size()}};
    });
}

void Checker::points(std::uint32_t count_of) {
    std::vector<PointQuery> points;
    std::vector<DVec3> spots;
    for (std::uint32_t k = 0; k < count_of; ++k) {
        spots.push_back(spot());
        points.push_back({spots[k], static_cast<float>(dice_.between(0.05, 1.5))});
    }
    std::vector<QueryHit> hits(count_of);
    world_.closest_points(points, hits);
    const QueryLists lists = world_.contains_all(spots);
    judge("point ", count_of, [&](std::uint32_t k) -> std::vector<Verdict> {
        const DVec3 p = spots[k];
        const QueryHit& hit = hits[k];
        const double found = hit ? double{hit.distance} : double{points[k].distance};
        std::vector<std::uint32_t> around;
        bool doubtful = false, right = true;
        for (const auto& [index, shape] : shapes_) {
            double level = 1e30;
            for (const Judged& part : shape.parts) level = std::min(level, part.level(p));
            doubtful = doubtful || (!shape.mesh && std::abs(level) < fine);
            if (!shape.mesh && level < 0) around.push_back(index);
            // none is nearer; the level is no greater than the distance
            if (level >= found) continue;
            double away = std::max(level, 0.0);
            if (!shape.mesh && level > 0 && !std::holds_alternative<Plane>(shape.parts[0].geometry))
                away = distance(Judged(Sphere{0}, {p, {}}), shape.parts[0]);
            right = right && away > found - 2 * fine;
        }
        if (doubtful) return {unclear(nearest), unclear(inside)};
        if (hit && right) {
            const JudgedShape& shape = shapes_.at(hit.shape.index);
            const Judged& part = shape.parts[shape.mesh ? hit.sub_shape : 0];
            const DVec3 out = wide(hit.normal);
            right = std::abs(length(hit.point - p) - found) < fine;
            if (found > 0)
                right = right && std::abs(part.level(hit.point)) < fine &&
                        length(p - (hit.point + out * found)) < fine;
        }
        bool same = lists[k].size() == around.size();
        for (std::size_t n = 0; same && n < around.size(); ++n) same = lists[k][n].shape.index == around[n];
        return {{nearest, right, bool(hit)}, {inside, same, around.size()}};
    });
}

} // namespace

std::vector<QueryCheck> check_queries(const Place& place, std::uint32_t seed, std::uint32_t count,
                                      const std::function<void(double)>& progress) {
    constexpr std::uint32_t batch = 250;
    std::vector<QueryCheck> results;
    for (const char* kind :
         {"ray closest", "ray any", "ray all", "shape cast", "overlap", "closest point", "point inside"})
        results.emplace_back().kind = kind;
    for (std::uint32_t done = 0; done < count; done += batch) {
        const std::uint32_t now = std::min(batch, count - done);
        const std::vector<QueryCheck> before = results;
        Checker checker(place, (std::uint64_t{seed} << 32) + done, results);
        checker.rays(now);
        checker.casts(now);
        checker.overlaps(now);
        checker.points(now);
        for (std::size_t k = 0; k < results.size(); ++k)
            if (before[k].first.empty() && !results[k].first.empty())
                results[k].first += " of world " + std::to_string(done / batch);
        if (progress) progress(static_cast<double>(done + now) / count);
    }
    return results;
}

} // namespace scree::bench
