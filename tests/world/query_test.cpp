// SPDX-License-Identifier: MIT
// query_test.cpp — rays, casts, overlaps and nearest points, judged by brute force; what they see and what they refuse.
#include "scree/query.h"

#include "query_check.h"
#include "scree/worlds.h"
#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace scree::test {
namespace {

Geometry some_geometry(Dice& dice) {
    const auto size = [&] { return static_cast<float>(dice.between(0.15, 0.7)); };
    switch (static_cast<int>(dice.between(0, 6))) {
    case 0:
        return Sphere{size()};
    case 1:
        return Capsule{size(), size()};
    case 2:
        return Box{size(), size(), size()};
    case 3:
        return Cylinder{size(), size()};
    case 4:
        return Cone{size(), size()};
    default: {
        // the order of a call's arguments is the compiler's
        const float across = size();
        return pebble(static_cast<std::uint32_t>(dice.between(0, 50)), across);
    }
    }
}

// brute force: bench/query_check.h -------------------------------------------------------------------------------------

/// `scree bench queries --check 100000` asks more.
void expect_brute_force(const Place& place, std::uint32_t seed, std::uint32_t count) {
    for (const bench::QueryCheck& check : bench::check_queries(place, seed, count)) {
        EXPECT_TRUE(check.equal()) << check.kind << ": " << check.agreed << " of " << check.asked
                                   << " agree, the first that does not: " << check.first;
        EXPECT_EQ(check.asked, count) << check.kind;
        EXPECT_LT(check.unclear, count / 100 + 1) << check.kind;
        EXPECT_GT(check.hits, count / 10) << check.kind;
        if (check.kind == "ray closest" || check.kind == "ray all") {
            EXPECT_GT(check.inside, count / 25) << check.kind;
        }
        if (check.kind == "shape cast") {
            EXPECT_GT(check.inside, count / 2) << check.kind;
        }
    }
}

// among these are boxes, cylinders and cones whose points were up to 0.02 mm off, and casts that ended as much too early
TEST(Query, AnswersEqualBruteForce) { expect_brute_force(on(2), 8, 2500); }
TEST(Query, AnswersEqualBruteForceOnKernelDevices) {
    for (const std::string& device : kernel_devices()) expect_brute_force(on_device(device), 2, 500);
}

// devices, threads, batches --------------------------------------------------------------------------------------------

/// Everything that a world answers, without the tags of its ids.
struct Answers {
    std::vector<QueryHit> rays, casts, points;
    std::vector<std::uint8_t> any;
    QueryLists rays_all, casts_all, overlaps, contains;
};

struct Requests {
    std::vector<RayCast> rays;
    std::vector<ShapeCast> casts;
    std::vector<ShapePlacement> places;
    std::vector<PointQuery> points;
    std::vector<DVec3> spots;

    Requests(int count, std::uint32_t seed) {
        Dice dice(seed);
        const auto spot = [&] { return DVec3(dice.in_box({-5, -1, -5}, {5, 6, 5})); };
        for (int k = 0; k < count; ++k) {
            spots.push_back(spot());
            points.push_back({spot(), static_cast<float>(dice.between(0, 2))});
            const DVec3 from = spot();
            rays.push_back({from, narrow(spot() - from), k % 2 == 0});
            places.push_back({some_geometry(dice), spot(), dice.rotation()});
            casts.push_back({some_geometry(dice), from, dice.rotation(), rays.back().translation});
        }
    }
    Answers ask(const World& world, const QueryFilter& filter = {}) const {
        Answers a;
        a.rays.resize(rays.size()), a.casts.resize(casts.size()), a.points.resize(points.size());
        a.any.resize(rays.size());
        world.cast_rays(rays, a.rays, filter);
        world.cast_rays_any(rays, a.any, filter);
        world.cast_shapes(casts, a.casts, filter);
        world.closest_points(points, a.points, filter);
        a.rays_all = world.cast_rays_all(rays, filter);
        a.casts_all = world.cast_shapes_all(casts, filter);
        a.overlaps = world.overlaps(places, filter);
        a.contains = world.contains_all(spots, filter);
        return a;
    }
};

void expect_same(std::span<const QueryHit> a, std::span<const QueryHit> b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        QueryHit x = a[k], y = b[k];
        x.shape.generation &= 0xffffffu, y.shape.generation &= 0xffffffu;
        x.body.generation &= 0xffffffu, y.body.generation &= 0xffffffu;
        ASSERT_EQ(x, y) << k;
    }
}
void expect_same(const Answers& a, const Answers& b) {
    expect_same(a.rays, b.rays);
    expect_same(a.casts, b.casts);
    expect_same(a.points, b.points);
    EXPECT_EQ(a.any, b.any);
    for (const auto list :
         {&Answers::rays_all, &Answers::casts_all, &Answers::overlaps, &Answers::contains}) {
        EXPECT_EQ((a.*list).first, (b.*list).first);
        expect_same((a.*list).hits, (b.*list).hits);
    }
}

void fill(World& world) {
    add_floor(world);
    add_pile(world, Kind::mixed, 60);
    add_pile(world, Kind::compounds, 20, 3, 4, 7);
}

TEST(Query, AnswersAreTheSameOnEveryDeviceAndWithAnyThreads) {
    const Requests requests(300, 9);
    const auto run = [&](const Place& place) {
        World world(default_settings(), place);
        fill(world);
        std::vector<Answers> answers{requests.ask(world)};
        run_steps(world, 40);
        answers.push_back(requests.ask(world));
        return answers;
    };
    const std::vector<Answers> expected = run(on(1));
    EXPECT_GT(std::count_if(expected[1].rays.begin(), expected[1].rays.end(),
                            [](const QueryHit& hit) { return bool(hit); }),
              60);
    EXPECT_GT(expected[1].overlaps.hits.size(), 50u);
    std::vector<Place> places{on(3), on(1, 1)};
    for (const std::string& device : kernel_devices()) places.push_back(on_device(device));
    for (const Place& place : places) {
        const std::vector<Answers> answers = run(place);
        expect_same(expected[0], answers[0]);
        expect_same(expected[1], answers[1]);
    }
}

TEST(Query, ABatchEqualsSingleQueries) {
    World world(default_settings(), on(2));
    fill(world);
    run_steps(world, 30);
    const Requests requests(200, 11);
    const Answers batch = requests.ask(world);
    for (std::size_t k = 0; k < requests.rays.size(); ++k) {
        EXPECT_EQ(world.cast_ray(requests.rays[k]).value_or(QueryHit{}), batch.rays[k]);
        EXPECT_EQ(world.cast_ray_any(requests.rays[k]), batch.any[k] != 0);
        EXPECT_EQ(world.cast_shape(requests.casts[k]).value_or(QueryHit{}), batch.casts[k]);
        EXPECT_EQ(world.closest_point(requests.points[k]).value_or(QueryHit{}), batch.points[k]);
        const auto same = [&](const std::vector<QueryHit>& one, std::span<const QueryHit> many) {
            EXPECT_TRUE(std::equal(one.begin(), one.end(), many.begin(), many.end()));
        };
        same(world.cast_ray_all(requests.rays[k]), batch.rays_all[k]);
        same(world.cast_shape_all(requests.casts[k]), batch.casts_all[k]);
        same(world.overlap(requests.places[k]), batch.overlaps[k]);
        same(world.contains(requests.spots[k]), batch.contains[k]);
    }
}

TEST(Query, ABatchMayBeEmptyOrLarge) {
    World world(default_settings(), on(2));
    add_floor(world);
    world.cast_rays({}, {});
    EXPECT_EQ(world.overlaps({}).size(), 0u);
    const std::vector<RayCast> rays(1000000, {{0, 2, 0}, {0, -4, 0}});
    std::vector<QueryHit> hits(rays.size());
    world.cast_rays(rays, hits);
    EXPECT_TRUE(
        std::all_of(hits.begin(), hits.end(), [](const QueryHit& hit) { return hit.fraction == 0.5f; }));
    EXPECT_EQ(error_place([&] { world.cast_rays(rays, std::span(hits).first(3)); }), "results");
}

// what they see --------------------------------------------------------------------------------------------------------

const RayCast down{{0, 10, 0}, {0, -20, 0}};

TEST(Query, ChangesSinceTheLastStepAreSeen) {
    std::vector<std::string> devices = kernel_devices();
    devices.push_back("cpu");
    for (const std::string& device : devices) {
        World world(in_space(), on_device(device));
        EXPECT_FALSE(world.cast_ray(down));
        const BodyId ball = add(world, Sphere{0.5f}, {0, 2, 0});
        EXPECT_NEAR(world.cast_ray(down)->distance, 7.5f, 1e-5f);
        world.set_pose(ball, {0, 4, 0}, {});
        EXPECT_NEAR(world.cast_ray(down)->distance, 5.5f, 1e-5f);
        world.set_velocity(ball, {0, -1, 0});
        run_steps(world, 60);
        EXPECT_NEAR(world.cast_ray(down)->distance, 6.5f, 1e-4f);
        // a second shape moves the centre of mass, not the first
        const ShapeId box = world.attach(ball, Box{0.1f, 0.1f, 0.1f}, {.position = {0, 2, 0}});
        EXPECT_EQ(world.cast_ray(down)->shape, box);
        EXPECT_NEAR(world.cast_ray_all(down)[1].distance, 6.5f, 1e-4f);
        world.set_type(ball, BodyType::fixed);
        EXPECT_EQ(world.cast_ray(down)->shape, box);
        const World restored = World::restore(world.save(), on_device(device));
        expect_same(restored.cast_ray_all(down), world.cast_ray_all(down));
        world.destroy(box);
        EXPECT_NEAR(world.cast_ray(down)->distance, 6.5f, 1e-4f);
        world.destroy(ball);
        EXPECT_FALSE(world.cast_ray(down));
        EXPECT_FALSE(world.cast_shape({Sphere{1}, {0, 10, 0}, {}, {0, -20, 0}}));
    }
}

TEST(Query, AFullTurnOfSlotsLeavesNothingBehind) {
    World world(in_space(), on(1));
    for (int round = 0; round < 20; ++round) {
        std::vector<BodyId> bodies;
        for (int k = 0; k < 40; ++k)
            bodies.push_back(add(world, round % 2 ? Geometry(Box{}) : Geometry(Sphere{0.5f}),
                                 {2.0f * static_cast<float>(k), 0, 0}));
        EXPECT_EQ(world.cast_ray_all({{-5, 0, 0}, {100, 0, 0}}).size(), 40u);
        for (const BodyId body : bodies) world.destroy(body);
        EXPECT_EQ(world.cast_ray_all({{-5, 0, 0}, {100, 0, 0}}).size(), 0u);
    }
}

TEST(Query, WorldsAmongManyAnswerForThemselves) {
    for (const char* device : {"cpu", "cpu:kernels"}) {
        Worlds worlds(3, in_space(), on_device(device));
        for (std::uint32_t n = 0; n < 3; ++n)
            add(worlds[n], Sphere{0.5f}, {0, static_cast<float>(n), 0}, {}, {.velocity = {0, 1, 0}});
        worlds.step(1 / 4.0f);
        for (std::uint32_t n = 0; n < 3; ++n)
            EXPECT_NEAR(worlds[n].cast_ray(down)->distance, 9.25f - static_cast<float>(n), 1e-4f) << device;
    }
}

TEST(Query, FarFromTheOriginHitsAreAsFine) {
    World world(in_space(), on(1));
    const BodyId box = world.create_body({.position = {100000.0001, 0, 50000.00025}});
    world.attach(box, Box{0.5f, 0.5f, 0.5f});
    const auto hit = world.cast_ray({{100000.0001, 10, 50000.00025}, {0.0f, -20, 0}});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->point.y, 0.5, 1e-6);
    EXPECT_NEAR(hit->point.x, 100000.0001, 1e-5);
    const auto cast = world.cast_shape({Sphere{0.25f}, {99997.0001, 0, 50000.00025}, {}, {5, 0, 0}});
    ASSERT_TRUE(cast);
    EXPECT_NEAR(cast->distance, 2.25, 2e-5);
}

// filters --------------------------------------------------------------------------------------------------------------

TEST(Query, FiltersAndPredicatesChooseShapes) {
    World world(in_space(), on(1));
    const BodyId high = add(world, Sphere{0.5f}, {0, 4, 0}, {.filter = {.category = 2}});
    const BodyId low = add(world, Box{}, {0, 2, 0}, {.filter = {.category = 4, .mask = 8}});
    add_floor(world);
    EXPECT_EQ(world.cast_ray(down)->body, high);
    EXPECT_EQ(world.cast_ray(down, {.ignore = high})->body, low);
    EXPECT_EQ(world.cast_ray(down, {.filter = {.category = 8, .mask = 4}})->body, low);
    EXPECT_EQ(world.cast_ray_all(down, {.filter = {.category = 1, .mask = ~2u}}).size(), 1u);
    const auto not_high = [&](ShapeId shape, std::size_t) { return world.body(shape) != high; };
    EXPECT_EQ(world.cast_ray(down, {.accept = not_high})->body, low);
    EXPECT_EQ(world.cast_ray_all(down, {.accept = not_high}).size(), 2u);
    EXPECT_EQ(world.cast_shape({Sphere{0.2f}, {0, 10, 0}, {}, {0, -20, 0}}, {.accept = not_high})->body, low);
    EXPECT_EQ(world.overlap({Box{1, 5, 1}, {0, 3, 0}, {}}, {.accept = not_high}).size(), 2u);
    EXPECT_EQ(world.contains({0, 4, 0}, {.accept = not_high}).size(), 0u);
    EXPECT_EQ(world.closest_point({{0, 4, 0}, 3}, {.accept = not_high})->body, low);
    // by the number of the request
    const std::vector<RayCast> rays(4, down);
    std::vector<QueryHit> hits(4);
    world.cast_rays(rays, hits, {.accept = [](ShapeId, std::size_t request) { return request != 2; }});
    EXPECT_TRUE(hits[1] && hits[3]);
    EXPECT_FALSE(hits[2]);
}

TEST(Query, WhatAPredicateThrowsComesOutAndChangesAreRefused) {
    World world(in_space(), on(2));
    const BodyId ball = add(world, Sphere{0.5f}, {0, 4, 0});
    const std::uint64_t hash = world.hash();
    const QueryFilter throws{.accept = [](ShapeId, std::size_t) -> bool { throw std::runtime_error("no"); }};
    EXPECT_THROW(world.cast_ray(down, throws), std::runtime_error);
    const std::vector<RayCast> rays(1000, down);
    std::vector<QueryHit> hits(1000);
    EXPECT_THROW(world.cast_rays(rays, hits, throws), std::runtime_error);
    const std::vector<std::function<void()>> changes{[&] { world.destroy(ball); },
                                                     [&] { world.create_body(); },
                                                     [&] { world.attach(ball, Box{}); },
                                                     [&] { world.destroy(world.shapes(ball)[0]); },
                                                     [&] { world.step(frame); },
                                                     [&] { world.set_pose(ball, {}, {}); },
                                                     [&] { world.set_type(ball, BodyType::fixed); },
                                                     [&] { world.cast_rays(rays, hits); }};
    for (const auto& change : changes) {
        const QueryFilter changing{.accept = [&](ShapeId, std::size_t) { return change(), true; }};
        EXPECT_EQ(error_place([&] { world.cast_ray(down, changing); }), "accept");
    }
    // a question inside a question is answered
    const QueryFilter asking{.accept = [&](ShapeId, std::size_t) { return world.cast_ray_any(down); }};
    EXPECT_TRUE(world.cast_ray(down, asking));
    EXPECT_EQ(world.hash(), hash);
    world.step(frame);
}

// refused --------------------------------------------------------------------------------------------------------------

TEST(Query, RequestsThatMeanNothingAreRefused) {
    World world(in_space(), on(1));
    const BodyId ball = add(world, Sphere{0.5f}, {0, 4, 0});
    const float nan = std::nanf(""), endless = std::numeric_limits<float>::infinity();
    EXPECT_EQ(error_place([&] { world.cast_ray({{}, {0, 0, 0}}); }), "translation");
    EXPECT_EQ(error_place([&] { world.cast_ray({{}, {0, nan, 0}}); }), "translation.y");
    EXPECT_EQ(error_place([&] { world.cast_ray({{0, 0, endless}, {0, 1, 0}}); }), "origin.z");
    EXPECT_EQ(error_place([&] { world.cast_shape({Sphere{1}, {}, {}, {}}); }), "translation");
    EXPECT_EQ(error_place([&] { world.cast_shape({Sphere{-1}, {}, {}, {1, 0, 0}}); }), "sphere.radius");
    EXPECT_EQ(error_place([&] { world.cast_shape({Plane{}, {}, {}, {1, 0, 0}}); }), "geometry");
    EXPECT_EQ(error_place([&] { world.cast_shape({Hull{}, {}, {}, {1, 0, 0}}); }), "hull");
    EXPECT_EQ(error_place([&] { world.overlap({Box{}, {}, {0, 0, 0, 0}}); }), "rotation");
    EXPECT_EQ(error_place([&] { world.overlap({Plane{}, {}, {}}); }), "geometry");
    EXPECT_EQ(error_place([&] { world.closest_point({{nan, 0, 0}, 1}); }), "point.x");
    EXPECT_EQ(error_place([&] { world.closest_point({{}, -1}); }), "distance");
    EXPECT_EQ(error_place([&] { world.contains({0, nan, 0}); }), "point.y");
    world.destroy(ball);
    EXPECT_EQ(error_place([&] { world.cast_ray(down, {.ignore = ball}); }), "ignore");
    std::vector<RayCast> rays(500, down);
    rays[321].translation = {};
    rays[450].origin.x = endless;
    std::vector<QueryHit> hits(500);
    const Refusal batch = refusal([&] { world.cast_rays(rays, hits); });
    EXPECT_EQ(batch.where, "rays[321].translation");
    EXPECT_EQ(batch.what, "rays[321].translation: it has no length; expected a translation other than 0 0 0");
}

TEST(Query, LongAndTinyRaysMeetWhatLiesOnTheirWay) {
    World world(in_space(), on(1));
    add(world, Sphere{0.5f}, {0, 4, 0});
    add_floor(world);
    EXPECT_NEAR(world.cast_ray({{0, 1e6, 0}, {0, -1e7f, 0}})->point.y, 4.5, 1e-4);
    EXPECT_NEAR(world.cast_ray({{0, 4.6, 0}, {0, -0.2f, 0}})->distance, 0.1f, 1e-6f);
    EXPECT_FALSE(world.cast_ray({{0, 4.6, 0}, {0, -1e-30f, 0}}));
    EXPECT_NEAR(world.cast_shape({Sphere{0.5f}, {0, 1e4, 0}, {}, {0, -2e4f, 0}})->point.y, 4.5, 2e-2);
}

// from 2.9 to 3.1 m, and the same lying on its side
TEST(Query, PassesOneWayShapesWhereBodiesDoIfItIsToldTo) {
    const std::vector<Vec3> corners{{-3, 0.1f, -3}, {-3, 0.1f, 3}, {3, 0.1f, 3}, {3, 0.1f, -3}};
    const Mesh sheet = Mesh::from_triangles(corners, std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3});
    for (const bool turned : {false, true})
        for (const Geometry& geometry : {Geometry{Box{3, 0.1f, 3}}, Geometry{sheet}}) {
            SCOPED_TRACE(turned);
            SCOPED_TRACE(geometry.index());
            World world(in_space(), on(2));
            const Quat turn = turned ? about({0, 0, 1}, 90) : Quat{};
            const auto there = [&](Vec3 v) { return rotate(turn, v); };
            const auto at = [&](Vec3 v) { return wide(there(v)); };
            const bool solid = std::holds_alternative<Box>(geometry);
            const ShapeId shape = world.attach(
                world.create_body({.type = BodyType::fixed, .position = at({0, 3, 0}), .rotation = turn}),
                geometry, {.one_way = {0, 1, 0}});
            const QueryFilter as_bodies{.one_way = true};
            const auto ray = [&](Vec3 from, Vec3 way) { return RayCast{at(from), there(way)}; };
            const auto ball = [&](Vec3 from, Vec3 way) {
                return ShapeCast{Sphere{0.25f}, at(from), {}, there(way)};
            };
            const auto met = [&](const std::optional<QueryHit>& hit) { return hit && hit->shape == shape; };
            // onto it
            EXPECT_TRUE(met(world.cast_ray(ray({0, 5, 0}, {0.5f, -5, 0}), as_bodies)));
            EXPECT_TRUE(world.cast_ray_any(ray({0, 5, 0}, {0.5f, -5, 0}), as_bodies));
            EXPECT_TRUE(met(world.cast_shape(ball({0, 5, 0}, {0.5f, -5, 0}), as_bodies)));
            EXPECT_EQ(world.cast_shape_all(ball({0, 5, 0}, {0, -5, 0}), as_bodies).size(),
                      world.cast_shape_all(ball({0, 5, 0}, {0, -5, 0})).size());
            // from below, from a side, from within: by the filter alone
            const std::pair<Vec3, Vec3> through[] = {
                {{0, 1, 0}, {0, 5, 0}}, {{-5, 3, 0}, {9, 0, 0}}, {{0, 3, 0}, {0, -2, 0}}};
            for (const auto& [from, way] : through) {
                EXPECT_FALSE(world.cast_ray(ray(from, way), as_bodies));
                EXPECT_FALSE(world.cast_ray_any(ray(from, way), as_bodies));
                EXPECT_TRUE(world.cast_ray_all(ray(from, way), as_bodies).empty());
                EXPECT_FALSE(world.cast_shape(ball(from, way), as_bodies));
                if (!solid) continue;
                EXPECT_TRUE(met(world.cast_ray(ray(from, way))));
                EXPECT_TRUE(met(world.cast_shape(ball(from, way))));
            }
            // as deep as bodies are held, and deeper
            const auto overlaps = [&](float height, const QueryFilter& filter) {
                return world.overlap({Sphere{0.25f}, at({0, height, 0})}, filter).size();
            };
            EXPECT_GT(overlaps(3.34f, as_bodies), 0u); // 1 cm
            EXPECT_EQ(overlaps(3.30f, as_bodies), 0u);
            EXPECT_GT(overlaps(3.30f, {}), 0u);
            // a batch gives the same
            const RayCast rays[] = {ray({0, 5, 0}, {0, -5, 0}), ray({0, 1, 0}, {0, 5, 0})};
            QueryHit hits[2];
            world.cast_rays(rays, hits, as_bodies);
            EXPECT_EQ(hits[0].shape, shape);
            EXPECT_FALSE(hits[1]);
            // what has no direction does not see it
            EXPECT_TRUE(met(world.closest_point({at({0, 3.5f, 0})})));
            EXPECT_FALSE(world.closest_point({at({0, 3.5f, 0})}, as_bodies));
            if (solid) {
                EXPECT_EQ(world.contains(at({0, 3, 0})).size(), 1u);
            }
            EXPECT_TRUE(world.contains(at({0, 3, 0}), as_bodies).empty());
            EXPECT_EQ(error_place([&] { world.cast_device_rays(rays, 2, hits, as_bodies); }), "one_way");
        }
}

// of one mesh: a floor at 0 m, and above it a slope from 2 to 6 m, too steep to hold
TEST(Query, RaysGoOnBehindOneWayTrianglesThatDoNotHold) {
    const std::vector<Vec3> corners{{-3, 0, -3},    {-3, 0, 3},    {3, 0, 3},    {3, 0, -3},
                                    {-0.2f, 1, -1}, {-0.2f, 1, 1}, {0.2f, 3, 1}, {0.2f, 3, -1}};
    const std::vector<std::uint32_t> floor_and_slope{0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 4, 5, 6, 4, 6, 7};
    for (const bool two_sided : {false, true}) {
        World world(in_space(), on(2));
        const Mesh mesh = Mesh::from_triangles(corners, floor_and_slope, {.two_sided = two_sided});
        const ShapeId shape = world.attach(world.create_body({.type = BodyType::fixed}),
                                           mesh.scaled({1, 2, 1}), {.one_way = {0, 1, 0}});
        const QueryFilter as_bodies{.one_way = true};
        const RayCast drop{{0, 8, 0.1f}, {0, -10, 0}};
        ASSERT_GT(world.cast_ray(drop)->point.y, 3);
        const auto hit = world.cast_ray(drop, as_bodies);
        ASSERT_TRUE(hit);
        EXPECT_EQ(hit->shape, shape);
        EXPECT_LT(hit->sub_shape, 2u);
        EXPECT_NEAR(hit->point.y, 0, 1e-6);
        EXPECT_NEAR(hit->normal.y, 1, 1e-6);
        EXPECT_EQ(world.cast_shape({Sphere{0.01f}, drop.origin, {}, drop.translation}, as_bodies)->sub_shape,
                  hit->sub_shape);
        EXPECT_TRUE(world.cast_ray_any(drop, as_bodies));
        EXPECT_EQ(world.cast_ray_all(down, as_bodies).size(), 1u);
        // one that begins on the slope, one that ends above the floor, one from below
        EXPECT_TRUE(world.cast_ray({{0, 4, 0.1f}, {0, -10, 0}}, as_bodies));
        EXPECT_FALSE(world.cast_ray({{0, 8, 0.1f}, {0, -7, 0}}, as_bodies));
        EXPECT_FALSE(world.cast_ray({{0, -1, 0.1f}, {0, 9, 0}}, as_bodies));
        // one that begins on the floor: a mesh has no inside
        const auto touching = world.cast_ray({{0, 0, 0.1f}, {0, -1, 0}}, as_bodies);
        ASSERT_TRUE(touching);
        EXPECT_EQ(touching->distance, 0);
    }
}

// their cores overlap in a plane, a line or a point
TEST(Query, ShapesWhoseCoresHaveNoVolumeOverlapByTheirRadii) {
    World world(in_space(), on(1));
    add(world, Capsule{1, 0.25f}, {0, 0, 0}, {}, {.type = BodyType::fixed});
    const auto depth = [&](const Geometry& geometry, DVec3 at, Quat turn) {
        const auto hits = world.overlap({geometry, at, turn});
        return hits.size() == 1 ? -double{hits[0].distance} : -1;
    };
    EXPECT_NEAR(depth(Capsule{1, 0.25f}, {}, about({1, 0, 0}, 90)), 0.5, 1e-6); // crossing
    EXPECT_NEAR(depth(Capsule{1, 0.25f}, {0, 0.5, 0}, {}), 0.5, 1e-6);          // along the same line
    EXPECT_NEAR(depth(Sphere{0.25f}, {0, 0.5, 0}, {}), 0.5, 1e-6);
    World flat(in_space(), on(1));
    const std::vector<Vec3> corners{{-1, 0, -1}, {-1, 0, 1}, {1, 0, -1}};
    flat.attach(flat.create_body({.type = BodyType::fixed}),
                Mesh::from_triangles(corners, std::vector<std::uint32_t>{0, 1, 2}));
    for (const Geometry& probe : {Geometry{Sphere{0.25f}}, Geometry{Capsule{0.5f, 0.25f}}}) {
        const auto hits = flat.overlap({probe, {-0.4, 0, -0.4}, about({1, 0, 0}, 90)});
        ASSERT_EQ(hits.size(), 1u);
        EXPECT_NEAR(hits[0].distance, -0.25, 1e-6);
        EXPECT_NEAR(std::abs(hits[0].normal.y), 1, 1e-6);
    }
}

// a floor of any size is where it is
TEST(Query, CastsAgainstLargeBoxesArePrecise) {
    for (const float half : {5.0f, 50.0f, 500.0f, 5000.0f}) {
        World world({}, on(1));
        const BodyId floor = world.create_body({.type = BodyType::fixed});
        world.attach(floor, Box{half, 0.5f, half}, {.position = {0, -0.5f, 0}});
        double worst = 0;
        for (int k = 0; k < 500; ++k) {
            const double x = (k % 50 - 25) * 0.013 * half, height = 0.01 + 0.002 * (k % 7);
            for (const auto& [geometry, low] : {std::pair<Geometry, double>{Capsule{0.6f, 0.3f}, 0.9},
                                                {Sphere{0.3f}, 0.3},
                                                {Box{0.2f, 0.1f, 0.3f}, 0.1}}) {
                const auto hit = world.cast_shape({.geometry = geometry,
                                                   .position = {x, low + height, 0.3 * x},
                                                   .translation = {0.1f, -0.37f, 0}});
                ASSERT_TRUE(hit) << half << " " << k;
                worst = std::max(worst, std::abs(double{hit->fraction} * 0.37 - height));
                ASSERT_NEAR(hit->normal.y, 1, 1e-5);
            }
        }
        EXPECT_LT(worst, 2e-6) << half;
        EXPECT_FALSE(world.cast_shape(
            {.geometry = Sphere{0.3f}, .position = {half + 1, 0, 0}, .translation = {0, 0, 5}}));
        EXPECT_TRUE(world.cast_shape(
            {.geometry = Sphere{0.3f}, .position = {half + 1, 0, 0}, .translation = {-2, -0.2f, 0}}));
    }
}

} // namespace
} // namespace scree::test
