// SPDX-License-Identifier: MIT
// mesh_test.cpp — triangle meshes and height fields: what rests on them, slides over them and asks about them.

#include "geometry/mesh_geometry.h"
#include "geometry/shapes.h"
#include "scree/world.h"
#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace scree::test {
namespace {

template <class Height>
HeightField field_of(std::uint32_t columns, std::uint32_t rows, float spacing, const Height& height) {
    HeightField field{.columns = columns, .rows = rows, .spacing = spacing};
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column)
            field.heights.push_back(
                height((static_cast<float>(column) - 0.5f * static_cast<float>(columns - 1)) * spacing,
                       (static_cast<float>(row) - 0.5f * static_cast<float>(rows - 1)) * spacing));
    return field;
}
Mesh flat_floor(std::uint32_t side = 81, float spacing = 0.25f) {
    return Mesh::from_heights(field_of(side, side, spacing, [](float, float) { return 0.0f; }));
}
Mesh hills(std::uint32_t side = 41, float spacing = 0.5f) {
    return Mesh::from_heights(field_of(side, side, spacing, [](float x, float z) {
        // no library's sine: bits are compared
        const auto wave = [](float t) {
            t = t - std::floor(t);
            return 16 * t * t * (1 - t) * (1 - t);
        };
        return 0.6f * wave(0.21f * x) * wave(0.17f * z + 0.3f) + 0.012f * (x * x + z * z);
    }));
}

/// Two slopes of 45 degrees that meet in a ridge along z at y = 0.
Mesh ridge() {
    const Vec3 vertices[] = {{-5, -5, -5}, {-5, -5, 5}, {0, 0, -5}, {0, 0, 5}, {5, -5, -5}, {5, -5, 5}};
    const std::uint32_t indices[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
    return Mesh::from_triangles(vertices, indices);
}

BodyId add_mesh(World& world, const Mesh& mesh, const ShapeDef& shape = {}, BodyType type = BodyType::fixed) {
    const BodyId body = world.create_body({.type = type});
    world.attach(body, mesh, shape);
    return body;
}

std::vector<std::pair<const char*, Geometry>> convex_shapes() {
    return {{"sphere", Sphere{0.3f}},         {"capsule", Capsule{0.3f, 0.2f}},
            {"box", Box{0.3f, 0.25f, 0.35f}}, {"cylinder", Cylinder{0.3f, 0.3f}},
            {"cone", Cone{0.3f, 0.3f}},       {"hull", pebble(3, 0.35f)}};
}

void drop_all(World& world, int count) {
    Dice dice(7);
    const auto shapes = convex_shapes();
    for (int k = 0; k < count; ++k) {
        const Vec3 at{static_cast<float>(k % 6) - 2.5f, 2 + static_cast<float>(k / 36),
                      static_cast<float>(k / 6 % 6) - 2.5f};
        add(world, shapes[static_cast<std::size_t>(k) % shapes.size()].second, at, {},
            {.rotation = dice.rotation()});
    }
}

// making ----------------------------------------------------------------------------------------------------------------

TEST(Meshes, KeepsTheNumbersOfTrianglesAndDropsThoseWithoutArea) {
    const Vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {2, 0, 0}};
    const std::uint32_t indices[] = {0, 1, 3, 0, 2, 1, 1, 1, 2};
    const Mesh mesh = Mesh::from_triangles(vertices, indices);
    EXPECT_EQ(mesh.triangles(), 3u);
    EXPECT_EQ(mesh.dropped(), 2u);
    World world;
    add_mesh(world, mesh);
    const auto hit = world.cast_ray({.origin = {0.2, 1, 0.2}, .translation = {0, -2, 0}});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->sub_shape, 1u);
}

TEST(Meshes, RefusesWhatItCannotMake) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), huge = std::numeric_limits<float>::infinity();
    const std::vector<Vec3> good{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    const std::vector<std::uint32_t> one{0, 2, 1};
    const auto place = [&](const std::vector<Vec3>& v, const std::vector<std::uint32_t>& i,
                           const MeshOptions& o = {}) {
        return error_place([&] { (void)Mesh::from_triangles(v, i, o); });
    };
    EXPECT_EQ(place(good, one), "no error");
    EXPECT_EQ(place(good, {}), "indices");
    EXPECT_EQ(place(good, {0, 1}), "indices");
    EXPECT_EQ(place(good, {0, 1, 3}), "indices[2]");
    EXPECT_EQ(place(good, {0, 1, 1}), "indices");
    EXPECT_EQ(place({{0, 0, 0}, {1, nan, 0}, {0, 0, 1}}, one), "vertices[1]");
    EXPECT_EQ(place({{0, 0, 0}, {1, 0, 0}, {0, 0, huge}}, one), "vertices[2]");
    EXPECT_EQ(place(good, one, {.material_of = {0}}), "material_of");
    EXPECT_EQ(place(good, one, {.materials = {Material{}}, .material_of = {0, 0}}), "material_of");
    EXPECT_EQ(place(good, one, {.materials = std::vector<Material>(257)}), "materials");
    EXPECT_EQ(place(good, one, {.materials = {{}, {.friction = -1}}}), "materials[1].friction");
    const std::vector<std::uint32_t> many(3 * (std::size_t{Mesh::max_triangles} + 1));
    EXPECT_EQ(place(good, many), "indices");

    const auto field = [&](const HeightField& f) {
        return error_place([&] { (void)Mesh::from_heights(f); });
    };
    EXPECT_EQ(field({.columns = 2, .rows = 2, .heights = {0, 0, 0, 0}}), "no error");
    EXPECT_EQ(field({.columns = 4, .rows = 1, .heights = {0, 0, 0, 0}}), "columns");
    EXPECT_EQ(field({.columns = 2, .rows = 2, .heights = {0, 0, 0}}), "heights");
    EXPECT_EQ(field({.columns = 2, .rows = 2, .spacing = 0, .heights = {0, 0, 0, 0}}), "spacing");
    EXPECT_EQ(field({.columns = 2, .rows = 2, .heights = {0, 0, huge, 0}}), "vertices[2]");
    EXPECT_EQ(field({.columns = 2, .rows = 2, .heights = {0, nan, 0, 0}}), "indices");
    EXPECT_EQ(field({.columns = 4000, .rows = 4000}), "columns");

    const Mesh mesh = Mesh::from_triangles(good, one);
    EXPECT_EQ(error_place([&] { (void)mesh.scaled({1, 0, 1}); }), "scale.y");
    EXPECT_EQ(error_place([&] { (void)mesh.scaled({-1, 1, 1}); }), "scale.x");
    EXPECT_EQ(error_place([&] { (void)mesh.scaled({1, 1, nan}); }), "scale.z");
    EXPECT_EQ(error_place([&] { (void)Mesh().scaled({1, 1, 1}); }), "mesh");
}

TEST(Meshes, IsForBodiesThatContactsDoNotPush) {
    World world;
    const BodyId dynamic = world.create_body(), kinematic = world.create_body({.type = BodyType::kinematic});
    EXPECT_EQ(error_place([&] { world.attach(dynamic, flat_floor(3)); }), "geometry");
    EXPECT_EQ(error_place([&] { world.attach(kinematic, Mesh{}); }), "mesh");
    const ShapeId shape = world.attach(kinematic, flat_floor(3));
    EXPECT_EQ(error_place([&] { world.set_type(kinematic, BodyType::dynamic); }), "type");
    const ShapeId ball = world.attach(dynamic, Sphere{});
    EXPECT_EQ(error_place([&] { world.set_mesh(ball, flat_floor(3)); }), "shape");
    EXPECT_EQ(error_place([&] { world.set_mesh(shape, {}); }), "mesh");
    EXPECT_EQ(error_place([&] { (void)world.overlap({.geometry = flat_floor(3)}); }), "geometry");
}

// resting and sliding ---------------------------------------------------------------------------------------------------

TEST(Meshes, EveryShapeComesToRestOnTriangles) {
    for (const auto& [name, shape] : convex_shapes()) {
        World world;
        add_mesh(world, flat_floor(21, 0.2f));
        const BodyId body = add(world, shape, {0.13f, 1, 0.07f});
        run_for(world, 4);
        const Bounds under = bounds_of(shape, Pose{world.state(body).position, world.state(body).rotation});
        EXPECT_NEAR(under.low.y, 0, 2e-3) << name;
        EXPECT_LT(speed(world, body), 0.05) << name;
        EXPECT_FALSE(world.contacts().empty()) << name;
    }
}

/// A floor to slide over.
struct Floor {
    const char* name;
    float cell;
    bool as_field, two_sided;
};

/// Of cells of the size, as a height field or as triangles whose diagonals change direction; rises by `slope` along x.
Mesh sloping_floor(const Floor& floor, float slope) {
    const auto side = static_cast<std::uint32_t>(std::lround(37 / floor.cell)) + 1;
    const HeightField field = field_of(side, side, floor.cell, [&](float x, float) { return slope * x; });
    const MeshOptions options{.two_sided = floor.two_sided};
    const Mesh made = Mesh::from_heights(field, options);
    if (floor.as_field) return made;
    std::vector<std::uint32_t> indices(made.indices().begin(), made.indices().end());
    for (std::uint32_t row = 0; row + 1 < side; ++row)
        for (std::uint32_t column = row % 2; column + 1 < side; column += 2) {
            const std::uint32_t a = row * side + column, b = a + 1, c = a + side, d = c + 1;
            const std::uint32_t turned[] = {a, c, d, a, d, b};
            std::copy(std::begin(turned), std::end(turned),
                      indices.begin() + 6 * (std::ptrdiff_t{row} * (side - 1) + column));
        }
    return Mesh::from_triangles(made.vertices(), indices, options);
}

/// Largest speed across a floor of triangles while a body crosses it; the floor and gravity are tilted by `slope`.
double bump(const Mesh& floor, const Geometry& shape, float rest, float speed, bool rolls, float slope) {
    const DVec3 up = normalized(DVec3{-slope, 1, 0}), ahead = normalized(DVec3{1, double{slope}, 0.3});
    const DVec3 along = normalized(ahead - up * dot(ahead, up)) * double{speed};
    WorldSettings settings = without_sleep();
    settings.gravity = narrow(up * -9.81);
    World world(settings);
    ShapeDef ice;
    ice.material = {.friction = rolls ? 0.6f : 0.0f, .friction_rule = Combine::least};
    add_mesh(world, floor, ice);
    const DVec3 start = DVec3{-16, -16 * double{slope}, -7.1} + up * double{rest};
    const BodyId body =
        add(world, shape, narrow(start), ice,
            {.rotation = about({0, 0, 1}, std::atan(double{slope}) * 180 / 3.14159265358979323846)});
    run_steps(world, 90);
    world.set_velocity(body, narrow(along), rolls ? narrow(cross(up, along) * (1 / double{rest})) : Vec3{});
    double most = 0;
    for (int k = 0; k < 90; ++k) {
        world.step(frame);
        most = std::max(most, std::abs(dot(velocity(world, body), up)));
    }
    EXPECT_NEAR(dot(position(world, body) - start, up), 0, 1e-3);
    EXPECT_NEAR(length(velocity(world, body)), double{speed}, 1e-3 * double{speed});
    return most;
}

TEST(Meshes, NothingBumpsIntoTheEdgesInsideAFloor) {
    const Floor floors[] = {{"height field, cells of 23 cm", 0.23f, true, false},
                            {"height field, cells of 10 cm", 0.1f, true, false},
                            {"height field, cells of 1.1 m", 1.1f, true, false},
                            {"triangles, cells of 23 cm", 0.23f, false, false},
                            {"triangles of two sides, cells of 40 cm", 0.4f, false, true}};
    const Vec3 wedge[] = {{-0.3f, -0.25f, -0.3f},
                          {0.35f, -0.25f, -0.25f},
                          {0.1f, -0.25f, 0.35f},
                          {-0.25f, 0.2f, -0.2f},
                          {0.2f, 0.25f, 0.1f}};
    const Hull hull = Hull::from_points(wedge);
    for (const Floor& floor : floors)
        for (const float slope : {0.0f, 0.2f}) {
            const Mesh mesh = sloping_floor(floor, slope);
            for (const float speed : {0.5f, 3.0f, 10.0f, 20.0f}) {
                const auto where = [&](const char* name) {
                    return std::string(name) + " at " + std::to_string(speed) + " m/s, slope " +
                           std::to_string(slope) + ", " + floor.name;
                };
                EXPECT_LT(bump(mesh, Sphere{0.3f}, 0.3f, speed, true, slope), 1e-4) << where("ball");
                EXPECT_LT(bump(mesh, Box{0.3f, 0.25f, 0.35f}, 0.25f, speed, false, slope), 1e-4)
                    << where("box");
                EXPECT_LT(bump(mesh, Cylinder{0.3f, 0.3f}, 0.3f, speed, false, slope), 1e-4)
                    << where("cylinder");
                EXPECT_LT(bump(mesh, hull, 0.25f, speed, false, slope), 1e-4) << where("hull");
            }
        }
}

TEST(Meshes, ABoxBalancesOnARidge) {
    // only the ridge can hold it: both faces are far below its bottom
    World world(without_sleep());
    add_mesh(world, ridge());
    const BodyId box = add(world, Box{0.5f, 0.2f, 0.5f}, {0, 0.2f, 0});
    run_steps(world, 30);
    EXPECT_NEAR(height(world, box), 0.2, 2e-3);
    for (const ContactInfo& contact : world.contacts()) EXPECT_GT(std::abs(contact.normal.y), 0.99f);
}

TEST(Meshes, ABallInAValleyTouchesBothSides) {
    World world;
    const Vec3 vertices[] = {{-3, 3, -3}, {-3, 3, 3}, {0, 0, -3}, {0, 0, 3}, {3, 3, -3}, {3, 3, 3}};
    const std::uint32_t indices[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
    add_mesh(world, Mesh::from_triangles(vertices, indices));
    const BodyId ball = add(world, Sphere{0.5f}, {0.1f, 1.2f, 0});
    run_for(world, 3);
    EXPECT_NEAR(height(world, ball), 0.5 * std::sqrt(2.0), 5e-3);
    EXPECT_EQ(world.contacts().size(), 2u);
}

TEST(Meshes, ATriangleOfOneSidePushesNothingBehindIt) {
    for (const bool two_sided : {false, true}) {
        World world(in_space());
        const Vec3 vertices[] = {{-3, 0, -3}, {3, 0, -3}, {0, 0, 4}};
        const std::uint32_t up[] = {0, 2, 1};
        add_mesh(world, Mesh::from_triangles(vertices, up, {.two_sided = two_sided}));
        const BodyId from_above = add(world, Sphere{0.2f}, {0.5f, 1, 0}, {}, {.velocity = {0, -3, 0}});
        const BodyId from_below = add(world, Sphere{0.2f}, {-0.5f, -1, 0}, {}, {.velocity = {0, 3, 0}});
        run_for(world, 1);
        EXPECT_GT(height(world, from_above), 0.19);
        if (two_sided) EXPECT_LT(height(world, from_below), -0.19);
        else EXPECT_GT(height(world, from_below), 1.5);
    }
}

TEST(Meshes, HolesAreOpen) {
    World world;
    HeightField field = field_of(9, 9, 1, [](float, float) { return 0.0f; });
    field.heights[40] = std::numeric_limits<float>::quiet_NaN(); // the middle
    add_mesh(world, Mesh::from_heights(field));
    const BodyId through = add(world, Sphere{0.3f}, {0.1f, 1, 0.1f}),
                 beside = add(world, Sphere{0.3f}, {2.5f, 1, 0});
    run_for(world, 2);
    EXPECT_LT(height(world, through), -1);
    EXPECT_NEAR(height(world, beside), 0.3, 2e-3);
}

TEST(Meshes, ScalesAndMovesWithItsBody) {
    World world(without_sleep());
    const Mesh floor = flat_floor(21, 0.2f); // 4 m wide
    const BodyId lift = world.create_body({.type = BodyType::kinematic, .position = {0, 1, 0}});
    world.attach(lift, floor.scaled({3, 1, 3}));
    const BodyId ball = add(world, Box{0.3f, 0.3f, 0.3f}, {4.5f, 1.4f, 0});
    run_for(world, 0.5);
    EXPECT_NEAR(height(world, ball), 1.3, 2e-3);
    world.set_velocity(lift, {0, 0.5f, 0});
    run_for(world, 2);
    EXPECT_NEAR(height(world, ball), 2.3, 5e-3);
}

TEST(Meshes, TrianglesHaveMaterials) {
    World world(without_sleep());
    MeshOptions options;
    options.materials = {Material{.friction = 0, .friction_rule = Combine::least}, Material{.friction = 1}};
    const HeightField field = field_of(21, 3, 1, [](float, float) { return 0.0f; });
    for (std::uint32_t cell = 0; cell < 40; ++cell)
        for (int half = 0; half < 2; ++half) options.material_of.push_back(cell < 20 ? 0 : 1);
    add_mesh(world, Mesh::from_heights(field, options));
    const BodyId on_ice = add(world, Box{0.2f, 0.2f, 0.2f}, {-8, 0.2f, -0.5f}, {}, {.velocity = {3, 0, 0}}),
                 on_sand = add(world, Box{0.2f, 0.2f, 0.2f}, {-8, 0.2f, 0.5f}, {}, {.velocity = {3, 0, 0}});
    run_for(world, 2);
    EXPECT_NEAR(speed(world, on_ice), 3, 0.01);
    EXPECT_LT(speed(world, on_sand), 0.01);
}

TEST(Meshes, ReplacingItWakesWhatLiesOnIt) {
    World world;
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    const ShapeId shape = world.attach(ground, flat_floor(21, 0.4f));
    const BodyId box = add(world, Box{0.3f, 0.3f, 0.3f}, {0.1f, 0.3f, 0.2f});
    ASSERT_GE(steps_until_asleep(world, 5), 0);
    world.set_mesh(shape, Mesh::from_heights(field_of(21, 21, 0.4f, [](float, float) { return -0.5f; })));
    run_for(world, 3);
    EXPECT_NEAR(height(world, box), -0.2, 2e-3);
    // and what comes up under a sleeper pushes it
    ASSERT_GE(steps_until_asleep(world, 5), 0);
    world.set_mesh(shape, Mesh::from_heights(field_of(21, 21, 0.4f, [](float, float) { return -0.3f; })));
    run_for(world, 3);
    EXPECT_NEAR(height(world, box), 0, 2e-3);
}

TEST(Meshes, AnySurfaceCarriesOrLetsPassAndNothingBecomesInfinite) {
    // folded, crossing, doubled, turned over, needles and slivers: triangles between chance points
    Dice dice(31);
    for (int round = 0; round < 6; ++round) {
        std::vector<Vec3> vertices;
        std::vector<std::uint32_t> indices;
        for (int k = 0; k < 60; ++k) vertices.push_back(dice.in_box({-2, -0.4f, -2}, {2, 0.4f, 2}));
        for (int k = 0; k < 120; ++k)
            for (int corner = 0; corner < 3; ++corner)
                indices.push_back(static_cast<std::uint32_t>(dice.between(0, 59.99)));
        for (std::size_t k = 0; k < 30; ++k) indices.push_back(indices[k]);      // twice
        for (std::size_t k = 0; k < 30; ++k) indices.push_back(indices[29 - k]); // turned over
        for (const bool two_sided : {false, true}) {
            World world;
            add_mesh(world, Mesh::from_triangles(vertices, indices, {.two_sided = two_sided}));
            drop_all(world, 36);
            run_for(world, 2);
            EXPECT_EQ(world.measure().frozen, 0u);
            EXPECT_TRUE(world.quarantined().empty());
            EXPECT_LT(world.measure().max_speed, 60)
                << "what is squeezed out leaves no faster than it could fall";
        }
    }
}

// no tunnelling ---------------------------------------------------------------------------------------------------------

TEST(Meshes, SmallBoxesThatRainOnASurfaceAreNeverBelowIt) {
    const Mesh field = hills(61, 0.3f);
    const Mesh triangles = Mesh::from_triangles(field.vertices(), field.indices());
    for (const Mesh& ground : {field, triangles}) {
        World world;
        add_mesh(world, ground);
        Dice dice(21);
        std::vector<BodyId> boxes;
        for (int k = 0; k < 300; ++k)
            boxes.push_back(add(world, Box{0.025f, 0.025f, 0.025f}, dice.in_box({-5, 4, -5}, {5, 7, 5}), {},
                                {.rotation = dice.rotation(),
                                 .velocity = {0, -static_cast<float>(dice.between(2, 16)), 0},
                                 .angular_velocity = dice.in_box({-20, -20, -20}, {20, 20, 20})}));
        for (int step = 0; step < 120; ++step) {
            world.step(frame);
            for (const BodyId box : boxes) {
                // triangles of one side let a ray from below pass
                const DVec3 at = position(world, box);
                const RayHit hit = ray_hit(ground, {at, {0, -1, 0}}).value_or(RayHit{-1, {}, 0});
                ASSERT_GE(hit.distance, 0) << "step " << step << ", body " << box.index;
            }
        }
    }
}

TEST(Meshes, WhereNothingTouchesAMeshOfManyTrianglesDoesNothing) {
    World world(without_sleep());
    const Mesh mesh = flat_floor(501, 0.1f); // half a million triangles, 50 m wide
    add_mesh(world, mesh);
    // above its bounds: no pair; and what sleeps on it costs nothing either
    for (int k = 0; k < 20; ++k)
        add(world, Sphere{0.2f}, {static_cast<float>(k) - 10, 5, 0}, {}, {.gravity_scale = 0});
    run_steps(world, 3);
    EXPECT_EQ(world.counters().pairs, 0u);
    EXPECT_EQ(world.counters().allocations, 0u);
    EXPECT_TRUE(world.contacts().empty());
}

TEST(Meshes, TheSameTreeIsBuiltByAnyNumberOfThreads) {
    const Mesh ground = hills(260, 0.1f); // enough that threads share the work
    const std::vector<std::uint32_t>* first = nullptr;
    std::vector<Mesh> built;
    for (const int threads : {1, 2, 3, 8}) {
        built.push_back(Mesh::from_triangles(ground.vertices(), ground.indices(),
                                             {.two_sided = true, .threads = threads}));
        EXPECT_GT(built.back().triangles(), 130'000u);
    }
    first = &built.front().geometry().words;
    for (const Mesh& mesh : built) EXPECT_EQ(mesh.geometry().words, *first);
}

// sensors ---------------------------------------------------------------------------------------------------------------

TEST(Meshes, ASensorSeesTheTrianglesThatItOverlaps) {
    for (const std::string& device : all_devices())
        for (const auto& [name, shape] : convex_shapes()) {
            World world(in_space(), on_device(device));
            const BodyId ground = add_mesh(world, hills(33, 0.4f).scaled({1, 1.5f, 1}));
            const BodyId probe = add(
                world, shape, {-6, 1.2f, 0.3f}, {.sensor = true},
                {.type = BodyType::kinematic, .velocity = {4, 0, 0.5f}, .angular_velocity = {1, 2, 0.5f}});
            bool inside = false;
            int changes = 0, different = 0;
            for (int k = 0; k < 180; ++k) {
                // sensors look at the poses that the step before left
                const BodyState at = world.state(probe);
                const bool expected =
                    !world
                         .overlap({.geometry = shape, .position = wide(at.position), .rotation = at.rotation})
                         .empty();
                world.step(frame);
                const Events& events = world.events();
                for (const SensorEvent& e : events.sensor_begins) {
                    EXPECT_EQ(e.sensor_body, probe);
                    EXPECT_EQ(e.visitor_body, ground);
                }
                changes += static_cast<int>(events.sensor_begins.size() + events.sensor_ends.size());
                inside = (inside || !events.sensor_begins.empty()) && events.sensor_ends.empty();
                different += inside != expected;
            }
            EXPECT_GE(changes, 3) << device << " " << name;
            EXPECT_EQ(different, 0) << device << " " << name;
        }
}

TEST(Meshes, AsASensorItTellsWhoPassesItsSurface) {
    for (const std::string& device : all_devices())
        for (const auto& [name, shape] : convex_shapes()) {
            World world(in_space(), on_device(device));
            const Vec3 vertices[] = {{-3, 0, -3}, {3, 0, -3}, {0, 0, 4}};
            const std::uint32_t up[] = {0, 2, 1};
            const BodyId gate = add_mesh(world, Mesh::from_triangles(vertices, up), {.sensor = true});
            // from above, from below, and beside it within its bounds
            const BodyId above = add(world, shape, {0.3f, 1.5f, 0}, {}, {.velocity = {0, -3, 0}}),
                         below = add(world, shape, {-0.5f, -1.5f, 0.9f}, {}, {.velocity = {0, 3, 0}});
            add(world, shape, {2.5f, 1.5f, 3.5f}, {}, {.velocity = {0, -3, 0}});
            std::vector<BodyId> enters, leaves;
            for (int k = 0; k < 60; ++k) {
                world.step(frame);
                for (const SensorEvent& e : world.events().sensor_begins) {
                    EXPECT_EQ(e.sensor_body, gate);
                    enters.push_back(e.visitor_body);
                }
                for (const SensorEvent& e : world.events().sensor_ends) leaves.push_back(e.visitor_body);
            }
            for (std::vector<BodyId>* all : {&enters, &leaves})
                std::sort(all->begin(), all->end(), [](BodyId a, BodyId b) { return a.index < b.index; });
            EXPECT_EQ(enters, (std::vector<BodyId>{above, below})) << device << " " << name;
            EXPECT_EQ(leaves, enters) << device << " " << name;
            // not held up, and no ray sees it
            EXPECT_NEAR(world.state(above).velocity.y, -3, 1e-5);
            EXPECT_FALSE(world.cast_ray({.origin = {0, 0.1, -2}, .translation = {0, -0.2f, 0}}));
        }
}

TEST(Meshes, APlaneThatIsASensorSeesAMeshThatReachesBelowIt) {
    for (const std::string& device : all_devices()) {
        World world(in_space(), on_device(device));
        add(world, Plane{}, {0, 0, 0}, {.sensor = true}, {.type = BodyType::fixed});
        const BodyId lift = world.create_body(
            {.type = BodyType::kinematic, .position = {3, 2, 0}, .rotation = about({0, 0, 1}, 30)});
        world.attach(lift, ridge().scaled({0.1f, 0.2f, 0.3f}));
        world.set_velocity(lift, {0, -1, 0});
        // the lower end of the left slope, turned
        const double low = -1.0 * std::cos(3.14159265358979323846 / 6) - 0.5 * 0.5;
        for (int k = 0; k < 120; ++k) {
            const double lowest = world.state(lift).position.y + low;
            world.step(frame);
            if (!world.events().sensor_begins.empty()) {
                EXPECT_NEAR(lowest, 0, 0.02) << device;
                EXPECT_LE(lowest, 1e-4) << device;
                break;
            }
            EXPECT_GT(lowest, -0.001) << device;
            ASSERT_LT(k, 119) << device;
        }
    }
}

// equal bits ------------------------------------------------------------------------------------------------------------

World hilly_world(const Place& place, Solver solver = Solver::soft_step) {
    WorldSettings settings;
    settings.solver = solver;
    World world(settings, place);
    add_mesh(world, hills());
    drop_all(world, 72);
    return world;
}

TEST(Meshes, StepsAreTheSameOnEveryDevice) {
    for (const Solver solver : {Solver::soft_step, Solver::sor}) {
        std::optional<std::vector<std::uint64_t>> first;
        for (const std::string& device : all_devices()) {
            World world = hilly_world(on_device(device), solver);
            const auto hashes = hashes_of(world, 120, 20);
            if (!first) first = hashes;
            EXPECT_EQ(hashes, *first) << device;
        }
    }
}

TEST(Meshes, StepsAreTheSameWithEveryNumberOfThreadsAndLanes) {
    World one = hilly_world(on(1));
    const auto first = hashes_of(one, 120, 20);
    for (const int lanes : available_lanes()) {
        World world = hilly_world(on(2, lanes));
        EXPECT_EQ(hashes_of(world, 120, 20), first) << lanes << " lanes";
    }
}

TEST(Meshes, SnapshotsCarryItOnceAndContinue) {
    for (const std::string& device : all_devices()) {
        World world(default_settings(), on_device(device));
        const Mesh mesh = hills();
        MeshOptions options{.two_sided = true, .materials = {Material{.friction = 0.2f}}};
        add_mesh(world, mesh);
        const std::size_t alone = world.save().size();
        world.create_body({.type = BodyType::fixed, .position = {100, 0, 0}});
        world.attach(world.create_body({.type = BodyType::fixed, .position = {0, -30, 0}}),
                     mesh.scaled({1, 2, 1}));
        EXPECT_LT(world.save().size(), alone + 2000);
        const Vec3 vertices[] = {{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}};
        const std::uint32_t indices[] = {0, 2, 1};
        add_mesh(world, Mesh::from_triangles(vertices, indices, options));
        drop_all(world, 36);
        run_steps(world, 50);
        World restored = World::restore(world.save(), on_device(device));
        EXPECT_EQ(restored.hash(), world.hash());
        World elsewhere = World::restore(world.save(), on(1));
        const auto expected = hashes_of(world, 60, 10);
        EXPECT_EQ(hashes_of(restored, 60, 10), expected) << device;
        EXPECT_EQ(hashes_of(elsewhere, 60, 10), expected) << device;
    }
}

TEST(Meshes, BodiesOnItSleepAndCostNothing) {
    World world;
    add_mesh(world, hills());
    drop_all(world, 30);
    ASSERT_GE(steps_until_asleep(world, 40), 0);
    world.step(frame);
    EXPECT_EQ(world.counters().pairs, 0u);
}

// queries ---------------------------------------------------------------------------------------------------------------

struct Corners {
    DVec3 at[3];
};
std::vector<Corners> corners_of(const Mesh& mesh) {
    std::vector<Corners> all;
    const Vec3 s = mesh.scale();
    for (std::size_t t = 0; t < mesh.indices().size(); t += 3) {
        Corners c;
        for (std::size_t k = 0; k < 3; ++k) {
            const DVec3 v = wide(mesh.vertices()[mesh.indices()[t + k]]);
            c.at[k] = {v.x * s.x, v.y * s.y, v.z * s.z};
        }
        all.push_back(c);
    }
    return all;
}

TEST(Meshes, RaysEqualBruteForce) {
    World world;
    const Mesh mesh = hills(33, 0.4f).scaled({1, 2, 1.5f});
    add_mesh(world, mesh);
    const auto triangles = corners_of(mesh);
    Dice dice(3);
    int hits = 0;
    for (int k = 0; k < 2000; ++k) {
        const DVec3 from = wide(dice.in_box({-8, -1, -10}, {8, 8, 10}));
        const Vec3 way = dice.in_box({-9, -9, -9}, {9, 3, 9});
        const DVec3 d = wide(way);
        double nearest = 2;
        for (const Corners& c : triangles) {
            const DVec3 n = cross(c.at[1] - c.at[0], c.at[2] - c.at[0]);
            const double closing = dot(n, d);
            if (closing >= 0) continue;
            const double t = dot(n, c.at[0] - from) / closing;
            if (t < 0 || t > 1) continue;
            const DVec3 p = from + d * t;
            bool inside = true;
            for (int e = 0; e < 3; ++e)
                inside = inside && dot(cross(c.at[(e + 1) % 3] - c.at[e], p - c.at[e]), n) >= 0;
            if (inside) nearest = std::min(nearest, t);
        }
        const auto hit = world.cast_ray({.origin = from, .translation = way});
        ASSERT_EQ(hit.has_value(), nearest <= 1) << k;
        if (!hit) continue;
        ++hits;
        EXPECT_NEAR(hit->fraction, nearest, 1e-6) << k;
        // the triangle it names has the point and the normal
        const Corners& c = triangles[hit->sub_shape];
        const DVec3 n = normalized(cross(c.at[1] - c.at[0], c.at[2] - c.at[0]));
        EXPECT_NEAR(dot(n, hit->point - c.at[0]), 0, 1e-5);
        EXPECT_NEAR(dot(n, wide(hit->normal)), 1, 1e-5);
    }
    EXPECT_GT(hits, 300);
}

TEST(Meshes, ClosestPointsAndOverlapsEqualBruteForce) {
    World world;
    const Mesh mesh = hills(17, 0.6f);
    add_mesh(world, mesh);
    const auto triangles = corners_of(mesh);
    // each triangle as a mesh of its own: no tree to get lost in
    std::vector<Mesh> single;
    for (std::size_t t = 0; t < triangles.size(); ++t)
        single.push_back(Mesh::from_triangles(mesh.vertices(), mesh.indices().subspan(3 * t, 3)));
    Dice dice(5);
    int touching = 0;
    for (int k = 0; k < 200; ++k) {
        const DVec3 at = wide(dice.in_box({-5, -1, -5}, {5, 2, 5}));
        double nearest = 1e9;
        for (const Mesh& one : single) nearest = std::min(nearest, nearest_point(one, at).distance);
        const auto hit = world.closest_point({.point = at, .distance = 100});
        ASSERT_TRUE(hit);
        EXPECT_NEAR(hit->distance, nearest, 1e-5);
        EXPECT_NEAR(nearest_point(single[hit->sub_shape], at).distance, nearest, 1e-5);
        EXPECT_TRUE(world.contains(at).empty());

        std::vector<std::uint32_t> expected, found;
        for (std::uint32_t t = 0; t < single.size(); ++t)
            if (nearest_point(single[t], at).distance <= 0.5) expected.push_back(t);
        for (const QueryHit& one : world.overlap({.geometry = Sphere{0.5f}, .position = at}))
            found.push_back(one.sub_shape);
        // a triangle at the very edge may fall on either side
        std::vector<std::uint32_t> differ;
        std::set_symmetric_difference(expected.begin(), expected.end(), found.begin(), found.end(),
                                      std::back_inserter(differ));
        for (const std::uint32_t t : differ) EXPECT_NEAR(nearest_point(single[t], at).distance, 0.5, 1e-4);
        touching += found.size() > 1;
    }
    EXPECT_GT(touching, 50);
}

TEST(Meshes, ShapesAreCastAgainstTriangles) {
    World world;
    const Mesh mesh = hills(33, 0.4f);
    add_mesh(world, mesh);
    std::vector<Mesh> single;
    for (std::size_t t = 0; t < mesh.triangles(); ++t)
        single.push_back(Mesh::from_triangles(mesh.vertices(), mesh.indices().subspan(3 * t, 3)));
    Dice dice(9);
    for (int k = 0; k < 60; ++k) {
        const DVec3 from = wide(dice.in_box({-4, 3, -4}, {4, 4, 4}));
        const auto hit =
            world.cast_shape({.geometry = Sphere{0.3f}, .position = from, .translation = {0.5f, -8, 0.2f}});
        ASSERT_TRUE(hit) << k;
        // where it stops it touches the triangle that it names, and no other is nearer
        const DVec3 at = from + wide(Vec3{0.5f, -8, 0.2f}) * double{hit->fraction};
        EXPECT_NEAR(nearest_point(single[hit->sub_shape], at).distance, 0.3, 1e-4);
        for (const Mesh& one : single) EXPECT_GT(nearest_point(one, at).distance, 0.3 - 1e-4);
    }
    // from behind there is nothing
    EXPECT_FALSE(
        world.cast_shape({.geometry = Sphere{0.1f}, .position = {0, -3, 0}, .translation = {0, 6, 0}}));
    EXPECT_FALSE(world.cast_ray({.origin = {0, -3, 0}, .translation = {0, 6, 0}}));
}

} // namespace
} // namespace scree::test
