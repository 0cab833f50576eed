// SPDX-License-Identifier: MIT
// cloth_test.cpp — cloth in a World: quality, contacts, momentum, devices, snapshots, bad input.
// compiled alone
#include "fabric/intersections.h"
#include "fabric/places.h"
#include "scree/cloth_intersections.h"
#include "scree/error.h"
#include "scree/rollback.h"
#include "scree/scree.h"
#include "scree/warning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace scree {
namespace {

constexpr float dt = 1 / 60.0f;

void steps(World& world, int count) {
    for (int i = 0; i < count; ++i) world.step(dt);
}

/// A square of 2 m, hung by two corners.
ClothDef hung(std::uint32_t n) {
    ClothDef cloth = make_cloth(2, 2, n, n);
    cloth.position = {0, 3, 0};
    cloth.pins = {{.vertex = 0}, {.vertex = n - 1}};
    return cloth;
}

TEST(Cloth, ASquareHungByTwoCornersHardlyStretchesAndComesToRest) {
    World world;
    const ClothId id = world.create_cloth(hung(32));
    steps(world, 300);
    const FabricMeasure m = world.measure(id);
    EXPECT_LT(m.mean_stretch, 0.01);
    EXPECT_LT(m.max_stretch, 0.1);
    EXPECT_LT(m.max_speed, 0.1);
    // it hangs: the diagonal points down
    EXPECT_NEAR(m.low.y, 1.0, 0.1);
}

TEST(Cloth, TheSameMaterialSagsAlikeAtEveryResolution) {
    double low[3];
    for (int k = 0; k < 3; ++k) {
        World world({.substeps = 4});
        ClothDef cloth = hung(32u << k);
        cloth.material.damping = 2;
        const ClothId id = world.create_cloth(cloth);
        steps(world, 180);
        low[k] = 3 - double{world.measure(id).low.y};
    }
    EXPECT_NEAR(low[0] / low[1], 1, 0.02);
    EXPECT_NEAR(low[2] / low[1], 1, 0.02);
}

TEST(Cloth, MassesFromAMilligramToTenKilogramsBehaveAlike) {
    for (const float vertex_mass : {1e-6f, 1e-3f, 10.0f}) {
        World world;
        ClothDef cloth = hung(16);
        cloth.material.density = vertex_mass * 256 / 4;
        cloth.material.stretch = std::numeric_limits<float>::infinity();
        cloth.material.drag = 0;
        const ClothId id = world.create_cloth(cloth);
        steps(world, 240);
        const FabricMeasure m = world.measure(id);
        EXPECT_LT(m.mean_stretch, 0.01) << vertex_mass;
        EXPECT_NEAR(m.mass, double{vertex_mass} * 256, 0.01 * double{vertex_mass} * 256);
        EXPECT_NEAR(double{m.low.y}, 1.0, 0.15) << vertex_mass;
    }
}

TEST(Cloth, AStripUnderLoadStretchesByItsStiffness) {
    // a strip of 0.2 m x 1 m hangs from its upper edge: at the top it carries its weight, at the end nothing
    World world;
    ClothDef strip = make_cloth(0.2f, 1, 5, 21);
    strip.rotation = {.x = std::sqrt(0.5f), .y = 0, .z = 0, .s = std::sqrt(0.5f)};
    strip.position = {0, 2, 0};
    strip.material = {.density = 1, .stretch = 200, .bend = 0, .damping = 3, .drag = 0};
    strip.max_stretch = std::numeric_limits<float>::infinity();
    for (std::uint32_t k = 0; k < 5; ++k) strip.pins.push_back({.vertex = k});
    const ClothId id = world.create_cloth(strip);
    const double before = double{world.measure(id).low.y};
    steps(world, 420);
    // density g L^2 / (2 stretch)
    const double sag = before - double{world.measure(id).low.y};
    EXPECT_NEAR(sag, 9.81 / 400, 0.35 * 9.81 / 400);
}

TEST(Cloth, StiffClothBendsLess) {
    double low[2];
    for (int k = 0; k < 2; ++k) {
        World world;
        ClothDef sheet = make_cloth(1, 1, 9, 9);
        sheet.position = {0, 2, 0};
        sheet.material.bend = k ? 1.0f : 1e-6f;
        sheet.material.damping = 3;
        for (std::uint32_t row = 0; row < 9; ++row)
            for (std::uint32_t column : {0u, 1u}) sheet.pins.push_back({.vertex = column + 9 * row});
        const ClothId id = world.create_cloth(sheet);
        steps(world, 240);
        low[k] = double{world.measure(id).low.y};
    }
    EXPECT_LT(low[0], 1.2); // hangs
    EXPECT_GT(low[1], 1.8); // sticks out: a beam of that rigidity sags by about 0.1 m
}

struct Solid {
    const char* name;
    Geometry geometry;
};

class ClothOnShape : public ::testing::TestWithParam<Solid> {};

TEST_P(ClothOnShape, NoVertexIsInsideAfterItFell) {
    World world;
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    const BodyId body = world.create_body({.type = BodyType::fixed, .position = {0, 0.8, 0}});
    const ShapeId shape = world.attach(body, GetParam().geometry);
    ClothDef cloth = make_cloth(1.6f, 1.6f, 33, 33);
    cloth.position = {0, 1.7f, 0};
    cloth.material.thickness = 0.01f;
    const ClothId id = world.create_cloth(cloth);
    steps(world, 150);
    double top = 0;
    for (const Vec3& v : world.vertices(id)) {
        top = std::max(top, double{v.y});
        EXPECT_GT(v.y, 0.005f);
        for (const QueryHit& hit : world.contains(wide(v)))
            EXPECT_NE(hit.shape, shape) << v.x << " " << v.y << " " << v.z;
    }
    EXPECT_GT(top, 0.8); // it lies on the shape
}

Mesh hill() {
    const std::vector<Vec3> vertices{
        {-1, -0.2f, -1}, {1, -0.2f, -1}, {1, -0.2f, 1}, {-1, -0.2f, 1}, {0, 0.4f, 0}};
    const std::vector<std::uint32_t> triangles{0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0};
    return Mesh::from_triangles(vertices, triangles);
}

Hull crystal() {
    const Vec3 points[] = {{-0.4f, 0, -0.3f}, {0.4f, 0, -0.3f}, {0.3f, 0, 0.4f},    {-0.3f, -0.1f, 0.4f},
                           {0, 0.35f, 0},     {0.1f, -0.3f, 0}, {0.3f, 0.2f, -0.2f}};
    return Hull::from_points(points);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ClothOnShape,
                         ::testing::Values(Solid{"sphere", Sphere{0.4f}}, Solid{"box", Box{0.4f, 0.3f, 0.4f}},
                                           Solid{"capsule", Capsule{0.3f, 0.3f}},
                                           Solid{"cylinder", Cylinder{0.3f, 0.4f}},
                                           Solid{"cone", Cone{0.4f, 0.5f}}, Solid{"mesh", hill()},
                                           Solid{"hull", crystal()}),
                         [](const auto& param) { return std::string(param.param.name); });

/// Ground of waves, a height at each half metre.
float wave(std::uint32_t column, std::uint32_t row) {
    return 0.15f * std::sin(1.3f * static_cast<float>(column)) * std::cos(1.1f * static_cast<float>(row));
}

TEST(Cloth, LiesInTheHollowsOfAHeightField) {
    World world;
    HeightField field{.columns = 9, .rows = 9, .spacing = 0.5f};
    for (std::uint32_t row = 0; row < 9; ++row)
        for (std::uint32_t column = 0; column < 9; ++column) field.heights.push_back(wave(column, row));
    const BodyId ground = world.create_body({.type = BodyType::fixed, .position = {0, 0.5, 0}});
    const ShapeId shape = world.attach(ground, Mesh::from_heights(field), {.material = {.friction = 1}});
    ClothDef sheet = make_cloth(2, 2, 41, 41);
    sheet.position = {0, 0.9f, 0};
    sheet.rotation = {.x = 0, .y = std::sin(0.2f), .z = 0, .s = std::cos(0.2f)};
    sheet.material.friction = 1;
    const ClothId id = world.create_cloth(sheet);
    steps(world, 120);
    double least = 1, most = 0;
    for (const Vec3& v : world.vertices(id)) {
        const auto hit = world.cast_ray({.origin = wide(v) + DVec3{0, 2, 0}, .translation = {0, -4, 0}});
        ASSERT_TRUE(hit && hit->shape == shape);
        const double above = double{v.y} - hit->point.y;
        least = std::min(least, above), most = std::max(most, above);
    }
    EXPECT_GT(least, 0) << "a vertex is below the ground";
    EXPECT_LT(most, 0.03) << "it does not lie in the hollows";
    EXPECT_LT(world.measure(id).max_speed, 0.1);
}

TEST(Cloth, ABodyPutAcrossItLeavesSlowlyTowardsItsMiddle) {
    for (const double middle : {0.05, -0.05}) {
        World world({.gravity = {0, 0, 0}});
        ClothDef sheet = make_cloth(1, 1, 21, 21);
        for (std::uint32_t v : {0u, 20u, 420u, 440u}) sheet.pins.push_back({.vertex = v});
        const ClothId id = world.create_cloth(sheet);
        const BodyId ball = world.create_body({.position = {0, 2, 0}});
        const ShapeId shape = world.attach(ball, Sphere{0.15f}, {.density = 100});
        steps(world, 5);
        world.set_pose(ball, {0, middle, 0}, {});
        double fastest = 0;
        for (int i = 0; i < 120; ++i) {
            world.step(dt);
            fastest = std::max(fastest, double{length(world.state(ball).velocity)});
        }
        EXPECT_LT(fastest, 0.5) << "it was thrown";
        EXPECT_LT(world.measure(id).max_speed, 0.3) << "the sheet has come to rest";
        EXPECT_GT(world.state(ball).position.y * (middle > 0 ? 1 : -1), 0.1);
        for (const Vec3& v : world.vertices(id))
            for (const QueryHit& hit : world.contains(wide(v))) EXPECT_NE(hit.shape, shape) << middle;
        EXPECT_FALSE(world.cloth_contacts().frozen);
    }
}

TEST(Cloth, ABodyPutThroughItIsOnTheOtherSide) {
    World world;
    ClothDef sheet = make_cloth(1, 1, 21, 21);
    sheet.position = {0, 1, 0};
    for (std::uint32_t v : {0u, 20u, 420u, 440u}) sheet.pins.push_back({.vertex = v});
    const ClothId id = world.create_cloth(sheet);
    const BodyId ball = world.create_body({.position = {0, 1.3, 0}});
    world.attach(ball, Sphere{0.15f}, {.density = 100});
    steps(world, 120);
    EXPECT_GT(world.state(ball).position.y, 0.9) << "the sheet held it";
    world.set_pose(ball, {0, 0.3, 0}, {});
    steps(world, 30);
    EXPECT_LT(world.state(ball).position.y, 0.1) << "it falls on";
    EXPECT_LT(world.measure(id).max_stretch, 0.1);
}

TEST(Cloth, ABoxCaughtByANetAndTheNetKeepTheirMomentum) {
    // free net, no gravity: what the box loses the net gains
    World world({.gravity = {0, 0, 0}, .sleeping = false});
    ClothDef net = make_cloth(2, 2, 25, 25);
    net.material.drag = 0, net.material.damping = 0;
    net.material.thickness = 0.02f;
    const ClothId id = world.create_cloth(net);
    const BodyId box = world.create_body({.position = {0.05, 0.3, 0.1}, .velocity = {0, -3, 0}});
    world.attach(box, Box{0.15f, 0.1f, 0.15f}, {.density = 20});
    const auto total = [&] {
        const BodyState state = world.state(box);
        return world.measure(id).momentum + wide(state.velocity) * double{world.mass(box).mass};
    };
    const DVec3 before = total();
    steps(world, 60);
    const DVec3 after = total();
    EXPECT_GT(world.state(box).velocity.y, -2.9f); // it was caught
    EXPECT_LT(length(after - before), 1e-3 * length(before));
}

TEST(Cloth, PinsToABodyPullIt) {
    World world({.sleeping = false});
    ClothDef rope = make_rope({0, 3, 0}, {0, 2, 0}, 10);
    const BodyId ball = world.create_body({.position = {0, 1.9, 0}});
    world.attach(ball, Sphere{0.1f}, {.density = 200});
    rope.pins = {{.vertex = 0}, {.vertex = 10, .body = ball}};
    const ClothId id = world.create_cloth(rope);
    steps(world, 180);
    // it hangs on the rope
    EXPECT_NEAR(world.state(ball).position.y, 1.9f, 0.05f);
    EXPECT_LT(world.measure(id).max_stretch, 0.05);
    world.destroy(ball);
    EXPECT_EQ(world.definition(id).pins.size(), 1u);
    steps(world, 10);
}

TEST(Cloth, AFlagMovesWithTheWind) {
    World world({.gravity = {0, 0, 0}});
    ClothDef sheet = make_cloth(1, 1, 11, 11);
    sheet.wind = {0, 5, 0};
    const ClothId id = world.create_cloth(sheet);
    steps(world, 60);
    EXPECT_GT(world.measure(id).momentum.y / world.measure(id).mass, 2.5);
    world.set_wind(id, {0, -5, 0});
    steps(world, 120);
    EXPECT_LT(world.measure(id).momentum.y / world.measure(id).mass, -2.0);
}

TEST(Cloth, FallingLayersNeverPassThroughEachOther) {
    World world;
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    const BodyId block = world.create_body({.type = BodyType::fixed, .position = {0, 0.15, 0}});
    world.attach(block, Box{0.15f, 0.15f, 0.15f});
    std::vector<ClothId> ids;
    std::vector<std::uint32_t> triangles;
    for (int k = 0; k < 4; ++k) {
        ClothDef sheet = make_cloth(0.8f, 0.8f, 13, 13);
        sheet.position = {0, 0.4f + 0.05f * static_cast<float>(k), 0};
        sheet.rotation = {.x = 0,
                          .y = std::sin(0.2f * static_cast<float>(k)),
                          .z = 0,
                          .s = std::cos(0.2f * static_cast<float>(k))};
        sheet.material.thickness = 0.01f;
        sheet.self_collision = true;
        for (const auto& corners : sheet.triangles)
            for (const std::uint32_t v : corners)
                triangles.push_back(v + 169 * static_cast<std::uint32_t>(k));
        ids.push_back(world.create_cloth(sheet));
    }
    const std::vector<std::uint32_t> edges = edges_of(triangles);
    for (int step = 0; step < 90; ++step) {
        world.step(dt);
        std::vector<float> quads;
        for (const ClothId id : ids)
            for (const Vec3& v : world.vertices(id)) quads.insert(quads.end(), {v.x, v.y, v.z, 1});
        ASSERT_EQ(count_intersections(triangles, edges, quads), 0u) << step;
    }
    for (const ClothId id : ids) EXPECT_LT(world.measure(id).mean_stretch, 0.02);
}

World scene_of_everything(const Place& place) {
    World world({}, place);
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    const BodyId ball =
        world.create_body({.type = BodyType::kinematic, .position = {0, 0.6, 0}, .velocity = {0.3f, 0, 0}});
    world.attach(ball, Sphere{0.3f});
    const BodyId box = world.create_body({.position = {0.1, 1.6, 0}});
    world.attach(box, Box{0.1f, 0.1f, 0.1f}, {.density = 50});
    ClothDef sheet = make_cloth(1.4f, 1.4f, 15, 13);
    sheet.position = {0, 1.2f, 0};
    sheet.pins = {{.vertex = 0}, {.vertex = 14, .body = box}};
    sheet.wind = {1, 0, 0.5f};
    sheet.self_collision = true;
    world.create_cloth(sheet);
    world.create_cloth(make_rope({-0.5f, 1.5f, 0.2f}, {0.5f, 1.5f, 0.2f}, 17));
    return world;
}

TEST(Cloth, HasTheSameBitsOnEveryPlace) { testing::expect_same_bits_on_every_place(scene_of_everything, 40); }

/// A GPU runs a sweep over the constraints in one launch: many blocks those of the cloth, one block those of coarse levels.
World scene_of_many_vertices(const Place& place) {
    World world({.substeps = 2}, place);
    world.attach(world.create_body({.type = BodyType::fixed, .position = {0, 0.7, 0}}), Sphere{0.3f});
    ClothDef sheet = make_cloth(1, 1, 112, 112);
    sheet.position = {0, 1.01f, 0};
    sheet.pins = {{.vertex = 0}, {.vertex = 111}};
    sheet.wind = {1, 0, 2};
    world.create_cloth(sheet);
    ClothDef small = make_cloth(0.5f, 0.5f, 24, 24);
    small.position = {2, 1, 0};
    world.create_cloth(small);
    return world;
}

TEST(Cloth, OfManyVerticesHasTheSameBitsOnEveryPlace) {
    testing::expect_same_bits_on_every_place(scene_of_many_vertices, 6);
}

TEST(Cloth, GoesOnFromSnapshotsClonesAndRollback) {
    for (const char* device : {"cpu", "cpu:kernels"}) {
        World world = scene_of_everything(Place({.device = device, .threads = 1}));
        Rollback ring(world, 4);
        steps(world, 15);
        ring.save();
        const std::vector<std::byte> saved = world.save();
        World twin = world.clone();
        steps(world, 10);
        const std::uint64_t hash = world.hash();
        World restored = World::restore(saved, Place({.device = "cpu", .threads = 1}));
        EXPECT_EQ(restored.save().size(), saved.size());
        steps(restored, 10);
        EXPECT_EQ(restored.hash(), hash) << device;
        steps(twin, 10);
        EXPECT_EQ(twin.hash(), hash) << device;
        ring.restore(0);
        steps(world, 10);
        EXPECT_EQ(world.hash(), hash) << device;
    }
}

TEST(Cloth, GoesBackToTheShapesOfItsTime) {
    for (const char* device : {"cpu", "cpu:kernels"}) {
        World world({}, Place({.device = device, .threads = 1}));
        world.attach(world.create_body({.type = BodyType::fixed}), Plane{});
        ClothDef sheet = make_cloth(1, 1, 9, 9);
        sheet.position = {0, 0.2f, 0};
        world.create_cloth(sheet);
        Rollback ring(world, 1);
        ring.save();
        steps(world, 30);
        const std::uint64_t hash = world.hash();
        ring.restore(0);
        world.attach(world.create_body({.type = BodyType::fixed}), Sphere{0.1f});
        steps(world, 30);
        EXPECT_NE(world.hash(), hash) << device << ": the sheet lies on the sphere";
        ring.restore(0);
        steps(world, 30);
        EXPECT_EQ(world.hash(), hash) << device << ": it touches a sphere that is gone";
    }
}

TEST(Cloth, WakesWhatItFallsOn) {
    World world;
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    const BodyId box = world.create_body({.position = {0, 0.1, 0}, .awake = false});
    world.attach(box, Box{0.1f, 0.1f, 0.1f}, {.density = 20});
    ClothDef sheet = make_cloth(1, 1, 15, 15);
    sheet.position = {0.4f, 0.6f, 0};
    world.create_cloth(sheet);
    steps(world, 10);
    EXPECT_TRUE(world.state(box).asleep);
    steps(world, 50);
    EXPECT_FALSE(world.state(box).asleep);
}

TEST(Cloth, RefusesWhatMakesNoSense) {
    World world;
    const auto refused = [&](const auto& change, const char* words) {
        ClothDef cloth = make_cloth(1, 1, 3, 3);
        change(cloth);
        try {
            world.create_cloth(cloth);
            ADD_FAILURE() << "accepted: " << words;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    refused([](ClothDef& c) { c.vertices[4].x = std::numeric_limits<float>::quiet_NaN(); },
            "vertex 4 is not finite");
    refused([](ClothDef& c) { c.triangles[2][0] = 99; }, "triangle 2 names vertex 99 of 9");
    refused([](ClothDef& c) { c.triangles[1] = {0, 0, 1}; }, "triangle 1 names a vertex twice");
    refused([](ClothDef& c) { c.vertices[0] = c.vertices[1]; }, "has no area");
    refused([](ClothDef& c) { c.vertices.push_back({5, 5, 5}); }, "vertex 9 belongs to no triangle");
    refused(
        [](ClothDef& c) { c.triangles.push_back({c.triangles[3][2], c.triangles[3][0], c.triangles[3][1]}); },
        "triangle 8 has the vertices of triangle 3");
    refused(
        [](ClothDef& c) {
            c.vertices.resize(3);
            c.triangles = {{0, 1, 2}, {0, 2, 1}};
            c.vertices[2] = {0, 1, 0};
        },
        "triangle 1 has the vertices of triangle 0");
    refused(
        [](ClothDef& c) {
            c.vertices.push_back({0, 1, 0});
            c.triangles.push_back({c.triangles[0][0], c.triangles[0][1], 9});
            c.vertices.push_back({0, 2, 0});
            c.triangles.push_back({c.triangles[0][0], c.triangles[0][1], 10});
        },
        "triangles: expected one or two");
    refused([](ClothDef& c) { c.material.density = 0; }, "invalid value");
    refused([](ClothDef& c) { c.material.stretch = -1; }, "invalid value");
    refused([](ClothDef& c) { c.material.stretch = 1e13f; }, "invalid value");
    refused([](ClothDef& c) { c.material.density = 1e7f; }, "invalid value");
    refused([](ClothDef& c) { c.material.bend = std::numeric_limits<float>::quiet_NaN(); }, "invalid value");
    refused([](ClothDef& c) { c.pins = {{.vertex = 9}}; }, "vertex 9 is not among the 9");
    refused([](ClothDef& c) { c.pins = {{.vertex = 1}, {.vertex = 1}}; }, "pinned twice");
    refused([](ClothDef& c) { c.pins = {{.vertex = 1, .body = {77, 1}}}; }, "is not alive");
    refused(
        [](ClothDef& c) {
            c.vertices.clear();
            c.triangles.clear();
        },
        "needs vertices");
    EXPECT_TRUE(world.cloths().empty());
    EXPECT_THROW(make_cloth(1, 1, 1, 5), Error);
    const ClothId id = world.create_cloth(make_cloth(1, 1, 3, 3));
    EXPECT_THROW(world.set_vertices(id, std::vector<Vec3>(8), std::vector<Vec3>(9)), Error);
    EXPECT_THROW(world.change_settings({.solver = Solver::sor}), Error);
    World sor({.solver = Solver::sor});
    EXPECT_THROW(sor.create_cloth(make_cloth(1, 1, 3, 3)), Error);
    world.destroy(id);
    EXPECT_THROW(world.vertices(id), Error);
    world.step(dt);
}

TEST(Cloth, FollowsTheGroupsOfFilters) {
    const auto height = [](std::int32_t group, std::uint32_t mask, bool surface) {
        World world;
        const BodyId box = world.create_body({.type = BodyType::fixed});
        world.attach(box, Box{1, 0.1f, 1}, {.filter = {.mask = mask, .group = group}});
        ClothDef sheet = make_cloth(0.3f, 0.3f, 5, 5);
        sheet.position = {0, 0.15f, 0};
        sheet.surface_collision = surface;
        sheet.filter.group = group;
        const ClothId id = world.create_cloth(sheet);
        steps(world, 40);
        return world.measure(id).low.y;
    };
    for (const bool surface : {false, true}) {
        EXPECT_LT(height(-3, ~0u, surface), -0.5f) << "they share a group that forbids";
        EXPECT_NEAR(height(3, 0, surface), 0.105f, 0.01f) << "they share one that allows";
        EXPECT_LT(height(0, 0, surface), -0.5f);
    }
}

TEST(Cloth, EveryStepWithoutMemoryThrows) {
    World world({}, Place({.device = "cpu", .threads = 1, .memory = 400000}));
    world.create_cloth(make_cloth(1, 1, 40, 40));
    for (int i = 0; i < 3; ++i) EXPECT_THROW(world.step(dt), Error);
}

TEST(Cloth, ARopeHoldsABodyThatMayNotMove) {
    World world;
    const BodyId hub = world.create_body({.position = {0, 2, 0}});
    world.attach(hub, Sphere{0.2f});
    world.set_locks(hub, {.x = true, .y = true, .z = true});
    const BodyId crane =
        world.create_body({.type = BodyType::kinematic, .position = {1, 2, 0}, .velocity = {0.5f, 0, 0}});
    ClothDef rope = make_rope({0, 2, 0}, {1, 2, 0}, 10);
    rope.pins = {{.vertex = 0, .body = hub}, {.vertex = 10, .body = crane}};
    world.create_cloth(rope);
    steps(world, 30);
    EXPECT_FALSE(world.state(hub).frozen);
    EXPECT_EQ(world.state(hub).position, (Vec3{0, 2, 0}));
    EXPECT_FALSE(world.cloth_contacts().frozen);
}

TEST(Cloth, IntersectionsOfALongTriangleAreCountedAtOnce) {
    World world;
    const ClothId id = world.create_cloth(make_cloth(0.3f, 0.3f, 40, 40));
    const std::span<const Vec3> now = world.vertices(id);
    std::vector<Vec3> places(now.begin(), now.end());
    places[820] = {1000, 1000, 1000};
    world.set_vertices(id, places, std::vector<Vec3>(places.size()));
    EXPECT_EQ(find_cloth_intersections(world).count, 0u);
}

/// A sheet that flies beyond the 1000 km within which cloth can be.
TEST(Cloth, EndsInAFreezeWhenItExplodesAndStaysFrozenWhenRestored) {
    const Place place({.device = "cpu", .threads = 1});
    World world({}, place);
    ClothDef sheet = make_cloth(1, 1, 5, 5);
    sheet.position = {999999.4f, 2, 0};
    sheet.velocity = {300, 0, 0};
    sheet.material.drag = 0;
    const ClothId id = world.create_cloth(sheet);
    std::vector<std::string> warnings;
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    steps(world, 4);
    set_warning_handler({});
    for (const Vec3& v : world.vertices(id)) EXPECT_TRUE(is_finite(v));
    ASSERT_TRUE(world.cloth_contacts().frozen);
    ASSERT_EQ(warnings.size(), 1u); // not in each step
    EXPECT_NE(warnings[0].find("of cloth " + std::to_string(id.index)), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("stay where they were"), std::string::npos) << warnings[0];
    World other = World::restore(world.save(), place);
    for (int i = 0; i < 3; ++i) {
        world.step(dt);
        other.step(dt);
        EXPECT_EQ(world.hash(), other.hash());
        EXPECT_TRUE(other.cloth_contacts().frozen);
    }
}

TEST(Cloth, StepsOfNothingAndOfASecondLeaveItWhole) {
    for (const bool surface : {false, true}) {
        World world;
        world.attach(world.create_body({.type = BodyType::fixed, .position = {0.3, 0, 0}}), Sphere{0.5f});
        ClothDef cloth = hung(8);
        cloth.surface_collision = cloth.self_collision = surface;
        const ClothId id = world.create_cloth(cloth);
        steps(world, 3);
        const std::uint64_t before = world.hash();
        const std::vector<Vec3> places(world.vertices(id).begin(), world.vertices(id).end());
        world.step(0);
        EXPECT_TRUE(std::equal(places.begin(), places.end(), world.vertices(id).begin()));
        EXPECT_EQ(world.hash(), before);
        for (int k = 0; k < 5; ++k) world.step(1);
        EXPECT_FALSE(world.cloth_contacts().frozen);
        for (const Vec3& v : world.vertices(id)) EXPECT_LT(length(v - Vec3{0, 3, 0}), 4);
        steps(world, 120);
        EXPECT_LT(world.measure(id).max_stretch, 0.1);
    }
}

TEST(Cloth, RefusesVerticesBeyondAThousandKilometres) {
    World world;
    ClothDef sheet = make_cloth(1, 1, 3, 3);
    const ClothId id = world.create_cloth(sheet);
    sheet.position = {0, 2e6f, 0};
    EXPECT_THROW(world.create_cloth(sheet), Error);
    std::vector<Vec3> places(9);
    places[8] = {0, 0, -1e6f};
    EXPECT_THROW(world.set_vertices(id, places, std::vector<Vec3>(9)), Error);
    EXPECT_EQ(world.cloths().size(), 1u);
}

} // namespace
} // namespace scree
