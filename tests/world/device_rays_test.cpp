// SPDX-License-Identifier: MIT
// device_rays_test.cpp — batches of rays in the memory of a device: answers as those of single queries, bit for bit.
#include "device_rays.h"

#include "scree/mesh.h"
#include "scree/query.h"
#include "scree/rollback.h"
#include "scree/worlds.h"
#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace scree::test {
namespace {

template <class Result>
std::vector<Result> ask_there(World& world, const std::vector<RayCast>& rays,
                              const QueryFilter& filter = {}) {
    return bench::DeviceRays(world, rays).ask<Result>(filter);
}

/// Every shape, piled up between a hilly ground and a ball that turns.
void fill(World& world) {
    world.attach(world.create_body({.type = BodyType::fixed}), Plane{}, {.position = {0, -3, 0}});
    HeightField field{.columns = 25, .rows = 25, .spacing = 0.5f};
    Dice dice(5);
    for (std::uint32_t k = 0; k < field.columns * field.rows; ++k)
        field.heights.push_back(static_cast<float>(dice.between(-0.5, 0.5)));
    world.attach(world.create_body({.type = BodyType::fixed}),
                 Mesh::from_heights(field).scaled({1, 0.8f, 1.1f}), {.position = {-6, -1, -6}});
    const std::vector<Vec3> corners{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const std::vector<std::uint32_t> faces{0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                           2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    for (const bool two_sided : {false, true})
        world.attach(world.create_body({.type = BodyType::kinematic,
                                        .position = {two_sided ? 3.0f : -3.0f, 3, 0},
                                        .rotation = about({1, 2, 3}, 40),
                                        .angular_velocity = {0, 1, 0.5f}}),
                     Mesh::from_triangles(corners, faces, {.two_sided = two_sided}));
    add_pile(world, Kind::mixed, 60);
    add_pile(world, Kind::compounds, 20, 3, 4, 7);
}

std::vector<RayCast> some_rays(int count, std::uint32_t seed) {
    Dice dice(seed);
    std::vector<RayCast> rays;
    const auto spot = [&] { return DVec3(dice.in_box({-5, -2, -5}, {5, 6, 5})); };
    for (int k = 0; k < count; ++k) {
        const DVec3 from = spot();
        rays.push_back({from, narrow(spot() - from), k % 2 == 0});
        if (k % 10 == 0) rays.back().translation.x = 0;
        if (k % 20 == 0) rays.back().translation = {0, -9, 0};
    }
    return rays;
}

int expect_as_singles(World& world, const std::vector<RayCast>& rays, const QueryFilter& filter = {}) {
    const std::vector<QueryHit> hits = ask_there<QueryHit>(world, rays, filter);
    const std::vector<std::uint8_t> any = ask_there<std::uint8_t>(world, rays, filter);
    int found = 0;
    for (std::size_t k = 0; k < rays.size(); ++k) {
        const QueryHit single = world.cast_ray(rays[k], filter).value_or(QueryHit{});
        EXPECT_EQ(std::memcmp(&single, &hits[k], sizeof single), 0)
            << k << ": shapes " << single.shape.index << " and " << hits[k].shape.index << " at "
            << single.fraction << " and " << hits[k].fraction;
        EXPECT_EQ(any[k], single ? 1 : 0) << k;
        found += single ? 1 : 0;
    }
    return found;
}

class DeviceRays : public ::testing::TestWithParam<std::string> {};

TEST_P(DeviceRays, EqualSingleQueriesBitForBit) {
    World world(default_settings(), on_device(GetParam()));
    fill(world);
    EXPECT_GT(expect_as_singles(world, some_rays(1500, 1)), 300);
    run_steps(world, 30);
    EXPECT_GT(expect_as_singles(world, some_rays(1500, 2)), 300);
    // hits on meshes, from both sides of the one that has two
    std::vector<RayCast> at_balls;
    for (const RayCast& ray : some_rays(300, 3))
        at_balls.push_back(
            {ray.origin, narrow(DVec3{ray.origin.x < 0 ? -3.0 : 3.0, 3, 0} - ray.origin) * 1.5f});
    EXPECT_GT(expect_as_singles(world, at_balls), 200);
}

TEST_P(DeviceRays, SeeChangesSinceTheLastBatch) {
    World world(default_settings(), on_device(GetParam()));
    fill(world);
    const std::vector<RayCast> rays = some_rays(300, 4);
    expect_as_singles(world, rays);
    const BodyId body = world.bodies()[20];
    world.set_pose(body, {0, 8, 0}, {});
    const std::vector<RayCast> down(3, {{0, 12, 0}, {0, -30, 0}});
    expect_as_singles(world, down);
    EXPECT_EQ(ask_there<QueryHit>(world, down)[2].body, body);
    world.set_filter(world.shapes(body)[0], {.mask = 0});
    expect_as_singles(world, down);
    world.destroy(body);
    expect_as_singles(world, down);
    add(world, Sphere{0.5f}, {0, 9, 0});
    expect_as_singles(world, down);
    Rollback ring(world, 4);
    ring.save();
    run_steps(world, 10);
    expect_as_singles(world, rays);
    ring.restore(0);
    expect_as_singles(world, rays);
    EXPECT_EQ(ask_there<QueryHit>(world, down)[0].point.y, 9.5);
    // back to before the first batch
    World young(default_settings(), on_device(GetParam()));
    fill(young);
    Rollback back(young, 2);
    back.save();
    run_steps(young, 20);
    expect_as_singles(young, rays);
    back.restore(0);
    expect_as_singles(young, rays);
}

TEST_P(DeviceRays, AreFiltered) {
    World world(default_settings(), on_device(GetParam()));
    fill(world);
    const std::vector<RayCast> rays = some_rays(300, 6);
    const BodyId first = world.cast_ray(rays[0])->body;
    expect_as_singles(world, rays, {.ignore = first});
    world.set_filter(world.shapes(first)[0], {.category = 4, .group = -3});
    expect_as_singles(world, rays, {.filter = {.category = 0xffffffffu, .mask = 4}});
    expect_as_singles(world, rays, {.filter = {.category = 0xffffffffu, .group = -3}});
    EXPECT_EQ(error_place([&] {
                  RayCast ray;
                  QueryHit hit;
                  world.cast_device_rays(&ray, 1, &hit,
                                         {.accept = [](ShapeId, std::size_t) { return true; }});
              }),
              "accept");
}

TEST_P(DeviceRays, ThatAreNoneHitNothing) {
    World world(default_settings(), on_device(GetParam()));
    fill(world);
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const RayCast down{{0, 9, 0}, {0, -20, 0}};
    std::vector<RayCast> rays(8, down);
    rays[0].translation = {};
    rays[1].translation.x = nan;
    rays[2].translation.z = std::numeric_limits<float>::infinity();
    rays[3].origin.y = infinity;
    rays[4].origin.x = nan;
    rays[5].origin = {1e300, 0, 0};
    rays[6].translation = {0, -3e38f, 0};
    const std::vector<QueryHit> hits = ask_there<QueryHit>(world, rays);
    const std::vector<std::uint8_t> any = ask_there<std::uint8_t>(world, rays);
    for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_EQ(hits[k], QueryHit{}) << k;
        EXPECT_EQ(any[k], 0) << k;
    }
    EXPECT_EQ(hits[6], world.cast_ray(rays[6]).value_or(QueryHit{}));
    EXPECT_EQ(hits[7], world.cast_ray(down).value());
    // nothing to do, and nowhere to do it
    world.cast_device_rays(nullptr, 0, nullptr);
    world.cast_device_rays_any(nullptr, 0, nullptr);
    QueryHit hit;
    EXPECT_EQ(error_place([&] { world.cast_device_rays(nullptr, 1, &hit); }), "rays");
    EXPECT_EQ(error_place([&] { world.cast_device_rays(rays.data(), 1, nullptr); }), "results");
}

TEST_P(DeviceRays, OfAWorldAmongMany) {
    Worlds worlds(3, default_settings(), on_device(GetParam()));
    for (std::uint32_t n = 0; n < 3; ++n)
        for (std::uint32_t k = 0; k <= n; ++k)
            add(worlds[n], k % 2 ? Geometry{Sphere{0.5f}} : Geometry{pebble(n, 0.6f)},
                {0, 2.0f * static_cast<float>(k), 0});
    worlds.step(1 / 60.0f);
    const std::vector<RayCast> rays = some_rays(200, 8);
    for (std::uint32_t n = 0; n < 3; ++n) expect_as_singles(worlds[n], rays);
    for (std::uint32_t n = 0; n < 3; ++n) expect_as_singles(worlds[n], {{{0, 20, 0}, {0, -40, 0}}});
}

INSTANTIATE_TEST_SUITE_P(On, DeviceRays, ::testing::ValuesIn(all_devices()),
                         [](const auto& device) { return "device" + std::to_string(device.index); });

TEST(Query, ABatchMayHaveTenMillionRays) {
    World world(default_settings(), on(2));
    add_floor(world);
    std::vector<RayCast> rays(10'000'000, {{0, 2, 0}, {0, -4, 0}});
    rays.back().translation = {0, 1, 0};
    std::vector<std::uint8_t> hits(rays.size(), 7);
    world.cast_device_rays_any(rays.data(), rays.size(), hits.data());
    EXPECT_EQ(std::count(hits.begin(), hits.end(), 1), 9'999'999);
    EXPECT_EQ(hits.back(), 0);
}

} // namespace
} // namespace scree::test
