// SPDX-License-Identifier: MIT
// queries.cpp — rays, shape casts, overlaps and nearest points of a World.

#include "collision/tree_walk.h"
#include "geometry/shapes.h"
#include "geometry/triangle_distance.h"
#include "rigid/crew.h"
#include "rigid/kernels.h"
#include "rigid/quads.h"
#include "rigid/query_image.h"
#include "scree/error.h"
#include "scree/world.h"
#include "world/checks.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/state.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <tuple>
#include <utility>

namespace scree {

namespace {

constexpr float nowhere = std::numeric_limits<float>::infinity();

// requests -------------------------------------------------------------------------------------------------------------

void check_way(const Vec3& translation) {
    check_finite(translation, "translation");
    if (translation == Vec3{})
        throw Error("it has no length; expected a translation other than 0 0 0", "translation");
}

void check(const RayCast& ray) {
    check_finite(ray.origin, "origin");
    check_way(ray.translation);
}

bool is_ray(const RayCast& ray) {
    return is_finite(narrow(ray.origin)) && is_finite(ray.translation) && ray.translation != Vec3{};
}

void check_convex(const Geometry& geometry) {
    check(geometry);
    if (is_plane(geometry))
        throw Error("a plane cannot be cast or placed; expected a geometry that ends somewhere", "geometry");
    if (std::holds_alternative<Mesh>(geometry))
        throw Error("a mesh cannot be cast or placed; expected a convex geometry", "geometry");
}

/// A request's geometry at its pose.
struct Probe {
    HullWords::Words words; ///< before the geometry that points to them
    ConvexGeometry convex;
    DPose pose;
    float reach;
    Bounds bounds;

    Probe(const Geometry& geometry, const DVec3& position, const Quat& rotation) {
        check_convex(geometry);
        check_finite(position, "position");
        pose = {position, normalized(wide(unit_rotation(rotation, "rotation")))};
        if (const Hull* hull = std::get_if<Hull>(&geometry))
            words = std::make_shared<const std::vector<std::uint32_t>>(hull_words(hull->geometry()));
        convex = convex_of(geometry, words);
        reach = radius_of(geometry);
        bounds = bounds_of(geometry, pose);
    }
};

/// Another frame in the probe's.
struct Relative {
    DVec3 position;
    DQuat rotation;

    Relative(const DPose& frame, const DPose& other)
        : position(apply_inverse(frame, other.position)),
          rotation(normalized(conjugate(frame.rotation) * other.rotation)) {}
};

ray_kernels::QueryPose pose_of(const DPose& pose) {
    const DQuat& turn = pose.rotation;
    return {ray_kernels::kernel_vector(pose.position), {turn.x, turn.y, turn.z}, turn.s};
}
ray_kernels::ConvexShape kernel_shape(const ConvexGeometry& geometry) {
    const Vec3& size = geometry.size;
    return {
        static_cast<std::uint32_t>(geometry.type), {size.x, size.y, size.z}, geometry.radius, geometry.hull};
}

/// How close two shapes are that touch.
double touch_distance(double reach_a, double reach_b, double way) {
    return 1e-9 * reach_a + 1e-12 * (way + (reach_b < 1e18 ? reach_b : 0));
}

// one query ------------------------------------------------------------------------------------------------------------

/// Shapes before cloths, each by index and part.
bool earlier(const QueryHit& a, const QueryHit& b) {
    const auto key = [](const QueryHit& hit) {
        return std::tuple(hit.cloth.generation != 0, hit.shape.index, hit.cloth.index, hit.sub_shape);
    };
    return key(a) < key(b);
}
bool nearer(const QueryHit& a, const QueryHit& b) {
    return a.fraction != b.fraction ? a.fraction < b.fraction : earlier(a, b);
}

/// A world that answers: up to date, with what a query sees of it.
class Asked {
public:
    Asked(World::State& world, const QueryFilter& filter, bool batch)
        : world_(world), filter_(filter), scene_(world.queries), batch_(batch) {
        ignored_ = none;
        if (filter.ignore != BodyId{})
            ignored_ = checked_index(filter.ignore, world.bodies.record.all(), world.tag, "ignore");
        if (world.queries.asking && batch)
            throw Error("a predicate of a query asks for a batch; expected single queries only", "accept");
        update_masses(world);
        world.simulation->fetch();
        if (std::exchange(world.callbacks.unseen, false)) {
            scene_.world_moved();
            world.cloth_queries.changed();
        }
        scene_.update(world, world.simulation->crew());
        if (!filter.cloth) return;
        world.simulation->fetch_cloths();
        world.cloth_queries.update(world.cloths);
    }

    // each calls take(hit) for hits that the filter lets pass; take returns the fraction or distance beyond which no more
    // are wanted
    template <class Take>
    void ray(const RayCast& ray, std::size_t request, const Take& take) const;
    template <class Take>
    void cast(const ShapeCast& cast, std::size_t request, const Take& take) const;
    template <class Take>
    void nearest(const PointQuery& point, std::size_t request, const Take& take) const;
    void overlaps(const ShapePlacement& place, std::size_t request, std::vector<QueryHit>& out) const;
    void around(const DVec3& point, std::size_t request, std::vector<QueryHit>& out) const;

    Crew& crew() const { return world_.simulation->crew(); }
    /// Whether rays of the device's memory are cast there.
    bool remote() const { return world_.simulation->remote(); }
    void cast(RayBatch batch) const {
        batch.filter = filter_.filter;
        batch.ignored = ignored_;
        world_.simulation->cast_rays(scene_.image(world_), batch);
    }

private:
    bool sees(std::uint32_t s) const {
        const ShapeRecord& shape = world_.shapes.record[s];
        if (shape.body == ignored_ || shape.definition.sensor) return false;
        const Filter &a = filter_.filter, &b = shape.definition.filter;
        return rigid::pair_allowed(
            {none, a.category, a.mask, static_cast<std::uint32_t>(a.group), true, false, true},
            {shape.body, b.category, b.mask, static_cast<std::uint32_t>(b.group), true, false, true});
    }
    bool is_one_way(std::uint32_t s) const {
        return filter_.one_way && !(world_.shapes.record[s].one_way == Vec3{});
    }
    /// Whether a one-way shape holds what it would hold of a body that meets it there, `depth` deep: by the same rule.
    bool holds(std::uint32_t s, const Vec3& normal, double depth) const {
        if (!is_one_way(s)) return true;
        const DQuat& turn = exact_pose_of(world_, world_.shapes.record[s]).rotation;
        const Vec3 way = narrow(rotate(turn, wide(world_.shapes.record[s].one_way)));
        return rigid::pass_of(false, false, dot(normal, way), -static_cast<float>(depth),
                              world_.settings.speculative_distance) == PASS_SOLID;
    }
    bool accepts(std::uint32_t s, std::size_t request) const {
        if (!filter_.accept) return true;
        const ShapeId id{s, world_.shapes.record[s].generation};
        if (batch_) return filter_.accept(id, request); // threads do not share a flag
        const struct Asking {
            bool& flag;
            bool before = std::exchange(flag, true);
            ~Asking() { flag = before; }
        } asking{scene_.asking};
        return filter_.accept(id, request);
    }
    /// Triangles of cloths, as proxies of their tree.
    bool sees_cloth(std::uint32_t proxy) const {
        const Filter &a = filter_.filter,
                     &b = world_.cloths.record[cloths_.cloth_of(proxy)].definition->filter;
        return rigid::pair_allowed(
            {none, a.category, a.mask, static_cast<std::uint32_t>(a.group), true, false, true},
            {none - 1, b.category, b.mask, static_cast<std::uint32_t>(b.group), true, false, true});
    }
    QueryHit cloth_hit(std::uint32_t proxy, std::uint32_t triangle) const {
        const std::uint32_t c = cloths_.cloth_of(proxy);
        QueryHit hit;
        hit.cloth = {c, world_.cloths.record[c].generation};
        hit.sub_shape = triangle;
        return hit;
    }
    QueryHit hit_of(std::uint32_t s, std::uint32_t sub_shape) const {
        const std::uint32_t b = world_.shapes.record[s].body;
        QueryHit hit;
        hit.shape = {s, world_.shapes.record[s].generation};
        hit.body = {b, world_.bodies.record[b].generation};
        hit.sub_shape = sub_shape;
        return hit;
    }
    /// The hit of a probe; `nearest` is in the probe's frame at its start.
    static QueryHit touch_of(QueryHit hit, const Probe& probe, const ConvexNearest& nearest) {
        hit.point = apply(probe.pose, nearest.on_b);
        hit.normal = narrow(-rotate(probe.pose.rotation, nearest.normal));
        hit.distance = static_cast<float>(nearest.separation);
        return hit;
    }
    std::vector<std::uint32_t> candidates(const Bounds& bounds) const {
        float box[bounds_stride];
        round_outward(bounds, box);
        std::vector<std::uint32_t> shapes;
        scene_.tree().query(box, BoundsTree::all_layers, shapes);
        std::erase_if(shapes, [&](std::uint32_t s) { return !sees(s); });
        std::sort(shapes.begin(), shapes.end());
        return shapes;
    }

    World::State& world_;
    const QueryFilter& filter_;
    QueryScene& scene_;
    bool batch_;
    std::uint32_t ignored_;
    const QueryCloths& cloths_ = world_.cloth_queries;
};

template <class Take>
void Asked::ray(const RayCast& ray, std::size_t request, const Take& take) const {
    using namespace ray_kernels;
    const QueryRay line = query_ray(kernel_vector(ray.origin), ray.translation.x, ray.translation.y,
                                    ray.translation.z, ray.hit_inside);
    float limit = 1;
    const auto visit = [&](std::uint32_t s, float key) {
        if (!sees(s)) return;
        const QueryScene::Placed& placed = scene_.shape(s);
        const QueryPose pose = pose_of(placed.pose);
        const RayLine local = query_line(&line, &pose);
        const Mesh* mesh = std::get_if<Mesh>(&placed.geometry);
        // what begins inside is in it to any depth, but a mesh has no inside
        const auto entry_holds = [&](const RayEntry& entry) {
            const QueryFound found = query_found(&line, &pose, s, entry);
            return holds(s, narrow(host_vector(found.normal)), mesh || entry.distance > 0 ? 0 : nowhere);
        };
        const bool passes = is_one_way(s);
        const double most = line.length * double{limit};
        const RayEntry entry = !mesh
                                   ? query_entry(kernel_shape(placed.convex), local, key > 0, ray.hit_inside)
                               : passes ? mesh_entry(*mesh, local, most, std::cref(entry_holds))
                                        : mesh_entry(*mesh, local, most);
        if (!entry.found || !(entry.distance <= line.length)) return;
        if ((passes && !mesh && !entry_holds(entry)) || !accepts(s, request)) return;
        const QueryFound found = query_found(&line, &pose, s, entry);
        QueryHit hit = hit_of(s, found.part);
        hit.point = host_vector(found.point);
        hit.normal = narrow(host_vector(found.normal));
        hit.fraction = found.fraction;
        hit.distance = found.distance;
        limit = take(hit) * (1 + tree_rounding);
    };
    const LineKeys keys(ray.origin, ray.origin, ray.translation);
    walk_nearest(scene_.tree(), limit, keys, visit);
    if (!filter_.cloth) return;
    const RayShear shear = shear_of(line.direction);
    walk_nearest(cloths_.tree(), limit, keys, [&](std::uint32_t t, float) {
        if (!sees_cloth(t)) return;
        const MeshTriangle triangle = cloths_.triangle(world_.cloths, t);
        real corner[3][3], distance, behind;
        for (std::size_t k = 0; k < 3; ++k) {
            const real3 at = kernel_vector(triangle.corner[k] - ray.origin);
            corner[k][0] = axis_of(at, shear.x), corner[k][1] = axis_of(at, shear.y),
            corner[k][2] = axis_of(at, shear.z);
        }
        shear_meet(shear.sx, shear.sy, shear.along, corner[0], corner[1], corner[2], &distance, &behind);
        if (!(distance >= 0 && distance <= line.length)) return;
        QueryHit hit = cloth_hit(t, triangle.number);
        hit.point = ray.origin + distance * host_vector(line.direction);
        hit.normal = narrow(behind > 0 ? -triangle.normal() : triangle.normal());
        hit.fraction = static_cast<float>(distance / line.length);
        hit.distance = static_cast<float>(distance);
        limit = take(hit) * (1 + tree_rounding);
    });
}

template <class Take>
void Asked::cast(const ShapeCast& cast, std::size_t request, const Take& take) const {
    const Probe probe(cast.geometry, cast.position, cast.rotation);
    check_way(cast.translation);
    const DVec3 end = wide(cast.translation);
    const double length = scree::length(end);
    const DVec3 way = rotate(conjugate(probe.pose.rotation), end);
    const Bounds swept{min(probe.bounds.low, probe.bounds.low + end),
                       max(probe.bounds.high, probe.bounds.high + end)};
    float limit = 1;
    // hit_named(normal, depth) names what was met, or is nothing where that is not accepted
    const auto meet = [&](const ConvexGeometry& part, float reach, const DPose& pose, const auto& hit_named) {
        const Relative other(probe.pose, pose);
        const ConvexCast found = convex_cast(probe.convex, part, other.position, other.rotation, way,
                                             touch_distance(probe.reach, reach, length), limit);
        if (!found.found) return;
        const Vec3 normal = narrow(-rotate(probe.pose.rotation, found.nearest.normal));
        const QueryHit named = hit_named(normal, found.fraction > 0 ? 0 : -found.nearest.separation);
        if (!named) return;
        QueryHit hit = touch_of(named, probe, found.nearest);
        hit.fraction = static_cast<float>(std::min(found.fraction, 1.0));
        if (found.fraction > 0) hit.distance = static_cast<float>(found.fraction * length);
        limit = std::min(limit, take(hit) * (1 + tree_rounding));
    };
    const LineKeys keys(probe.bounds.low, probe.bounds.high, cast.translation);
    walk_nearest(scene_.tree(), limit, keys, [&](std::uint32_t s, float) {
        if (!sees(s)) return;
        scene_.each_part(
            s, swept, &end,
            [&](const ConvexGeometry& part, float reach, const DPose& pose, std::uint32_t sub_shape) {
                meet(part, reach, pose, [&](const Vec3& normal, double depth) {
                    return holds(s, normal, depth) && accepts(s, request) ? hit_of(s, sub_shape) : QueryHit{};
                });
            });
    });
    if (!filter_.cloth) return;
    walk_nearest(cloths_.tree(), limit, keys, [&](std::uint32_t t, float) {
        if (!sees_cloth(t)) return;
        const MeshTriangle triangle = cloths_.triangle(world_.cloths, t);
        const TrianglePart part(triangle);
        meet({ShapeType::hull, {}, 0, part.words}, part.reach, {triangle.corner[0], {}},
             [&](const Vec3&, double) { return cloth_hit(t, triangle.number); });
    });
}

template <class Take>
void Asked::nearest(const PointQuery& query, std::size_t request, const Take& take) const {
    check_finite(query.point, "point");
    check_not_negative(query.distance, "distance");
    const auto square = [](float distance) { return distance * distance * (1 + 8 * tree_rounding); };
    float limit = square(query.distance);
    const auto visit = [&](std::uint32_t s, float) {
        if (!sees(s) || is_one_way(s)) return;
        const QueryScene::Placed& placed = scene_.shape(s);
        const NearestPoint found = nearest_point(placed.geometry, apply_inverse(placed.pose, query.point));
        if (!(found.distance <= double{query.distance}) || !accepts(s, request)) return;
        QueryHit hit = hit_of(s, found.sub_shape);
        hit.point = found.inside ? query.point : apply(placed.pose, found.point);
        hit.normal = narrow(normalized(query.point - hit.point));
        hit.distance = static_cast<float>(found.distance);
        limit = square(take(hit));
    };
    const PointKeys keys(query.point);
    walk_nearest(scene_.tree(), limit, keys, visit);
    if (!filter_.cloth) return;
    walk_nearest(cloths_.tree(), limit, keys, [&](std::uint32_t t, float) {
        if (!sees_cloth(t)) return;
        const MeshTriangle triangle = cloths_.triangle(world_.cloths, t);
        const auto& [a, b, c] = triangle.corner;
        QueryHit hit = cloth_hit(t, triangle.number);
        hit.point = nearest_on_triangle(query.point, a, b, c);
        const double distance = length(query.point - hit.point);
        if (!(distance <= double{query.distance})) return;
        hit.normal = narrow(distance > 0 ? normalized(query.point - hit.point) : triangle.normal());
        hit.distance = static_cast<float>(distance);
        limit = square(take(hit));
    });
}

void Asked::overlaps(const ShapePlacement& place, std::size_t request, std::vector<QueryHit>& out) const {
    const Probe probe(place.geometry, place.position, place.rotation);
    for (const std::uint32_t s : candidates(probe.bounds)) {
        const auto first = static_cast<std::ptrdiff_t>(out.size());
        scene_.each_part(s, probe.bounds, nullptr,
                         [&](const ConvexGeometry& part, float, const DPose& pose, std::uint32_t sub_shape) {
                             const Relative other(probe.pose, pose);
                             const ConvexNearest found =
                                 convex_nearest(probe.convex, part, other.position, other.rotation);
                             if (!(found.separation <= 0)) return;
                             const QueryHit hit = touch_of(hit_of(s, sub_shape), probe, found);
                             if (holds(s, hit.normal, -found.separation) && accepts(s, request))
                                 out.push_back(hit);
                         });
        std::sort(out.begin() + first, out.end(),
                  [](const QueryHit& a, const QueryHit& b) { return a.sub_shape < b.sub_shape; });
    }
    if (!filter_.cloth) return;
    float box[bounds_stride];
    round_outward(probe.bounds, box);
    std::vector<std::uint32_t> near;
    cloths_.tree().query(box, BoundsTree::all_layers, near);
    std::sort(near.begin(), near.end());
    for (const std::uint32_t t : near) {
        if (!sees_cloth(t)) continue;
        const MeshTriangle triangle = cloths_.triangle(world_.cloths, t);
        const TrianglePart part(triangle);
        const Relative other(probe.pose, {triangle.corner[0], {}});
        const ConvexNearest found = convex_nearest(probe.convex, {ShapeType::hull, {}, 0, part.words},
                                                   other.position, other.rotation);
        if (found.separation <= 0) out.push_back(touch_of(cloth_hit(t, triangle.number), probe, found));
    }
}

void Asked::around(const DVec3& point, std::size_t request, std::vector<QueryHit>& out) const {
    check_finite(point, "point");
    for (const std::uint32_t s : candidates({point, point})) {
        const QueryScene::Placed& placed = scene_.shape(s);
        if (is_one_way(s)) continue;
        const NearestPoint found = nearest_point(placed.geometry, apply_inverse(placed.pose, point));
        if (!found.inside || !accepts(s, request)) continue;
        out.push_back(hit_of(s, found.sub_shape));
        out.back().point = point;
    }
}

// what is kept of the hits ---------------------------------------------------------------------------------------------

template <class Request>
void search(const Asked& world, const Request& request, std::size_t number, const auto& take) {
    if constexpr (std::same_as<Request, RayCast>) {
        check(request);
        world.ray(request, number, take);
    } else {
        world.cast(request, number, take);
    }
}

template <class Request>
QueryHit closest(const Asked& world, const Request& request, std::size_t number = 0) {
    QueryHit best;
    search(world, request, number, [&](const QueryHit& hit) {
        if (!best || nearer(hit, best)) best = hit;
        return best.fraction;
    });
    return best;
}

template <class Request>
void all(const Asked& world, const Request& request, std::size_t number, std::vector<QueryHit>& out) {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    search(world, request, number, [&](const QueryHit& hit) {
        out.push_back(hit);
        return 1.0f;
    });
    std::sort(out.begin() + first, out.end(), nearer);
}

bool any(const Asked& world, const RayCast& ray, std::size_t number = 0) {
    check(ray);
    bool found = false;
    world.ray(ray, number, [&](const QueryHit&) {
        found = true;
        return -nowhere;
    });
    return found;
}

QueryHit nearest(const Asked& world, const PointQuery& point, std::size_t number = 0) {
    QueryHit best;
    world.nearest(point, number, [&](const QueryHit& hit) {
        if (!best || hit.distance < best.distance || (hit.distance == best.distance && earlier(hit, best)))
            best = hit;
        return best.distance;
    });
    return best;
}

std::optional<QueryHit> if_any(const QueryHit& hit) { return hit ? std::optional(hit) : std::nullopt; }

// batches --------------------------------------------------------------------------------------------------------------

constexpr std::uint32_t batch_grain = 64;

/// Calls work(request, chunk) for each, on the world's threads. Of what is thrown, the first request's comes out.
template <class Work>
void each_request(const Asked& world, std::size_t count, const char* name, const Work& work) {
    // chunks are counted in 31 bits
    constexpr std::size_t most = std::size_t{1} << 31;
    for (std::size_t begin = 0; begin < count; begin += most) {
        const auto items = static_cast<std::uint32_t>(std::min(count - begin, most));
        std::vector<std::exception_ptr> thrown(Crew::chunks(items, batch_grain));
        world.crew().each(items, batch_grain, [&](std::uint32_t from, std::uint32_t to, int chunk) {
            std::size_t request = begin + from;
            try {
                for (; request < begin + to; ++request) work(request, static_cast<std::size_t>(chunk));
            } catch (const Error& error) {
                const std::string where = std::string(name) + "[" + std::to_string(request) + "]";
                const std::string what = error.what();
                thrown[static_cast<std::size_t>(chunk)] = std::make_exception_ptr(
                    Error(what.substr(error.where().empty() ? 0 : error.where().size() + 2),
                          where + (error.where().empty() ? "" : "." + error.where())));
            } catch (...) {
                thrown[static_cast<std::size_t>(chunk)] = std::current_exception();
            }
        });
        for (const std::exception_ptr& error : thrown)
            if (error) std::rethrow_exception(error);
    }
}

void check_room(std::size_t requests, std::size_t results) {
    if (requests != results)
        throw Error("there is room for " + std::to_string(results) +
                        " results; expected as many as requests, " + std::to_string(requests),
                    "results");
}

/// Lists of any length, in the order of the requests.
template <class Work>
QueryLists lists_of(const Asked& world, std::size_t count, const char* name, const Work& work) {
    struct Chunk {
        std::vector<QueryHit> hits;
        std::vector<std::uint32_t> counts;
    };
    std::vector<Chunk> chunks((count + batch_grain - 1) / batch_grain);
    each_request(world, count, name, [&](std::size_t request, std::size_t) {
        Chunk& chunk = chunks[request / batch_grain];
        const std::size_t before = chunk.hits.size();
        work(request, chunk.hits);
        chunk.counts.push_back(static_cast<std::uint32_t>(chunk.hits.size() - before));
    });
    QueryLists lists;
    lists.first.reserve(count + 1);
    lists.first.push_back(0);
    std::size_t total = 0;
    for (const Chunk& chunk : chunks) total += chunk.hits.size();
    lists.hits.reserve(total);
    for (const Chunk& chunk : chunks) {
        lists.hits.insert(lists.hits.end(), chunk.hits.begin(), chunk.hits.end());
        for (const std::uint32_t n : chunk.counts) lists.first.push_back(lists.first.back() + n);
    }
    return lists;
}

/// Rays in the memory of the device: `one` answers one where that is the host's.
template <class Result, class One>
void cast_there(World::State& state, const RayCast* rays, std::size_t count, Result* results,
                const QueryFilter& filter, const One& one) {
    if (filter.accept)
        throw Error("a predicate cannot be called on a device; expected a filter without one", "accept");
    if (filter.cloth)
        throw Error("rays in the device's memory do not find cloth; expected a filter without it", "cloth");
    if (filter.one_way)
        throw Error(
            "rays in the device's memory meet one-way shapes from all sides; expected a filter without it",
            "one_way");
    const Asked world(state, filter, true);
    if (count == 0) return;
    if (!rays) throw Error("it is null; expected an array of the world's device", "rays");
    if (!results) throw Error("it is null; expected an array of the world's device", "results");
    if (world.remote()) {
        RayBatch batch{};
        batch.rays = rays;
        batch.count = count;
        if constexpr (std::same_as<Result, QueryHit>) batch.closest = results;
        else batch.any = results;
        world.cast(batch);
        return;
    }
    each_request(world, count, "rays", [&](std::size_t k, std::size_t) {
        results[k] = is_ray(rays[k]) ? one(world, rays[k]) : Result{};
    });
}

} // namespace

void check_no_query(const World::State& world) {
    check_not_called(world);
    if (world.in_field) throw Error("a field's function may not change its world", "world");
    if (world.queries.asking)
        throw Error("a predicate of a query changes the world; expected one that only asks", "accept");
}

// single ---------------------------------------------------------------------------------------------------------------

std::optional<QueryHit> World::cast_ray(const RayCast& ray, const QueryFilter& filter) const {
    return if_any(closest(Asked(*state_, filter, false), ray));
}
bool World::cast_ray_any(const RayCast& ray, const QueryFilter& filter) const {
    return any(Asked(*state_, filter, false), ray);
}
std::vector<QueryHit> World::cast_ray_all(const RayCast& ray, const QueryFilter& filter) const {
    std::vector<QueryHit> hits;
    all(Asked(*state_, filter, false), ray, 0, hits);
    return hits;
}
std::optional<QueryHit> World::cast_shape(const ShapeCast& shape, const QueryFilter& filter) const {
    return if_any(closest(Asked(*state_, filter, false), shape));
}
std::vector<QueryHit> World::cast_shape_all(const ShapeCast& shape, const QueryFilter& filter) const {
    std::vector<QueryHit> hits;
    all(Asked(*state_, filter, false), shape, 0, hits);
    return hits;
}
std::vector<QueryHit> World::overlap(const ShapePlacement& shape, const QueryFilter& filter) const {
    std::vector<QueryHit> hits;
    Asked(*state_, filter, false).overlaps(shape, 0, hits);
    return hits;
}
std::optional<QueryHit> World::closest_point(const PointQuery& point, const QueryFilter& filter) const {
    return if_any(nearest(Asked(*state_, filter, false), point));
}
std::vector<QueryHit> World::contains(const DVec3& point, const QueryFilter& filter) const {
    std::vector<QueryHit> hits;
    Asked(*state_, filter, false).around(point, 0, hits);
    return hits;
}

// batches --------------------------------------------------------------------------------------------------------------

void World::cast_rays(std::span<const RayCast> rays, std::span<QueryHit> results,
                      const QueryFilter& filter) const {
    check_room(rays.size(), results.size());
    const Asked world(*state_, filter, true);
    each_request(world, rays.size(), "rays",
                 [&](std::size_t k, std::size_t) { results[k] = closest(world, rays[k], k); });
}
void World::cast_rays_any(std::span<const RayCast> rays, std::span<std::uint8_t> results,
                          const QueryFilter& filter) const {
    check_room(rays.size(), results.size());
    const Asked world(*state_, filter, true);
    each_request(world, rays.size(), "rays",
                 [&](std::size_t k, std::size_t) { results[k] = any(world, rays[k], k) ? 1 : 0; });
}
void World::cast_device_rays(const RayCast* rays, std::size_t count, QueryHit* results,
                             const QueryFilter& filter) const {
    cast_there(*state_, rays, count, results, filter,
               [](const Asked& world, const RayCast& ray) { return closest(world, ray); });
}
void World::cast_device_rays_any(const RayCast* rays, std::size_t count, std::uint8_t* results,
                                 const QueryFilter& filter) const {
    cast_there(*state_, rays, count, results, filter, [](const Asked& world, const RayCast& ray) {
        return static_cast<std::uint8_t>(any(world, ray) ? 1 : 0);
    });
}
QueryLists World::cast_rays_all(std::span<const RayCast> rays, const QueryFilter& filter) const {
    const Asked world(*state_, filter, true);
    return lists_of(world, rays.size(), "rays",
                    [&](std::size_t k, std::vector<QueryHit>& out) { all(world, rays[k], k, out); });
}
void World::cast_shapes(std::span<const ShapeCast> shapes, std::span<QueryHit> results,
                        const QueryFilter& filter) const {
    check_room(shapes.size(), results.size());
    const Asked world(*state_, filter, true);
    each_request(world, shapes.size(), "shapes",
                 [&](std::size_t k, std::size_t) { results[k] = closest(world, shapes[k], k); });
}
QueryLists World::cast_shapes_all(std::span<const ShapeCast> shapes, const QueryFilter& filter) const {
    const Asked world(*state_, filter, true);
    return lists_of(world, shapes.size(), "shapes",
                    [&](std::size_t k, std::vector<QueryHit>& out) { all(world, shapes[k], k, out); });
}
QueryLists World::overlaps(std::span<const ShapePlacement> shapes, const QueryFilter& filter) const {
    const Asked world(*state_, filter, true);
    return lists_of(world, shapes.size(), "shapes",
                    [&](std::size_t k, std::vector<QueryHit>& out) { world.overlaps(shapes[k], k, out); });
}
void World::closest_points(std::span<const PointQuery> points, std::span<QueryHit> results,
                           const QueryFilter& filter) const {
    check_room(points.size(), results.size());
    const Asked world(*state_, filter, true);
    each_request(world, points.size(), "points",
                 [&](std::size_t k, std::size_t) { results[k] = nearest(world, points[k], k); });
}
QueryLists World::contains_all(std::span<const DVec3> points, const QueryFilter& filter) const {
    const Asked world(*state_, filter, true);
    return lists_of(world, points.size(), "points",
                    [&](std::size_t k, std::vector<QueryHit>& out) { world.around(points[k], k, out); });
}

} // namespace scree
