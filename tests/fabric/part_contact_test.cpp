// SPDX-License-Identifier: MIT
// part_contact_test.cpp — triangles and lines of cloth against bodies, where no vertex is near.
#include "fabric/part_support.h"
#include "fabric/places.h"
#include "scree/scree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace scree {
namespace {

using namespace scree::testing;

double distance_to_ball(const World& world, ClothId id, BodyId ball, double radius, int fine = 24) {
    const DVec3 centre = wide(world.state(ball).position);
    return least_over(world, id, [&](const DVec3& q) { return length(q - centre) - radius; }, fine);
}

/// Below 0: how deep the cloth is in the box.
double distance_to_box(const World& world, ClothId id, BodyId box, const Vec3& half, int fine = 24) {
    const BodyState state = world.state(box);
    return least_over(
        world, id,
        [&](const DVec3& q) {
            const Vec3 local = rotate(conjugate(state.rotation), narrow(q - wide(state.position)));
            const double x = std::abs(double{local.x}) - double{half.x},
                         y = std::abs(double{local.y}) - double{half.y},
                         z = std::abs(double{local.z}) - double{half.z};
            return std::max({x, y, z});
        },
        fine);
}

TEST(PartContact, ABallSmallerThanATriangleRestsOnACoarseSheet) {
    // two triangles of 2 m; then eight, and the ball rolls towards the middle, which sags
    for (const std::uint32_t n : {2u, 3u}) {
        World world({.sleeping = false});
        ClothDef sheet = drum(2, n);
        sheet.material.thickness = 0.01f;
        const ClothId id = world.create_cloth(sheet);
        const BodyId ball = world.create_body({.position = {0.35, 0.4, 0.45}});
        world.attach(ball, Sphere{0.1f}, {.density = 100});
        for (int k = 0; k < 120; ++k) {
            world.step(cloth_step);
            ASSERT_GT(distance_to_ball(world, id, ball, 0.1), 0.0) << n << " " << k;
        }
        EXPECT_GT(world.state(ball).position.y, 0);
        EXPECT_LT(distance_to_ball(world, id, ball, 0.1), 0.03);
        if (n > 2) continue;
        EXPECT_NEAR(world.state(ball).position.y, 0.11, 0.002);
        EXPECT_LT(length(world.state(ball).velocity), 0.01f);
    }
}

TEST(PartContact, EveryShapeThatIsSmallRestsOnACoarseSheet) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back({k & 1 ? 0.1f : -0.1f, k & 2 ? 0.06f : -0.06f, k & 4 ? 0.08f : -0.08f});
    for (const Geometry& shape : {Geometry{Sphere{0.1f}}, Geometry{Capsule{0.1f, 0.05f}},
                                  Geometry{Box{0.1f, 0.05f, 0.08f}}, Geometry{Cylinder{0.08f, 0.06f}},
                                  Geometry{Cone{0.08f, 0.1f}}, Geometry{Hull::from_points(corners)}}) {
        World world({.sleeping = false});
        ClothDef sheet = drum(2, 2); // two triangles
        sheet.material.thickness = 0.01f;
        world.create_cloth(sheet);
        const BodyId body = world.create_body({.position = {0.35, 0.15, 0.45}});
        world.attach(body, shape, {.density = 100});
        steps(world, 120);
        const BodyState state = world.state(body);
        EXPECT_GT(state.position.y, 0.03) << shape.index();
        EXPECT_LT(length(state.velocity), 0.05f) << shape.index();
    }
}

TEST(PartContact, ACornerOfABoxDoesNotPokeThrough) {
    World world;
    // a cube on its tip
    const BodyId box = world.create_body(
        {.type = BodyType::fixed,
         .rotation = rotation_about(Vec3{0, 0, 1}, 0.6155f) * rotation_about(Vec3{1, 0, 0}, 0.7854f)});
    const Vec3 half{0.3f, 0.3f, 0.3f};
    world.attach(box, Box{half.x, half.y, half.z});
    ClothDef sheet = make_cloth(2, 2, 9, 9);
    sheet.surface_collision = true;
    sheet.position = {0.11f, 0.8f, 0.07f};
    sheet.material.thickness = 0.01f;
    const ClothId id = world.create_cloth(sheet);
    double deepest = 1;
    for (int k = 0; k < 45; ++k) {
        world.step(cloth_step);
        deepest = std::min(deepest, distance_to_box(world, id, box, half, 12));
    }
    EXPECT_GT(deepest, -0.01);
    EXPECT_GT(world.measure(id).high.y, 0.45); // it hangs on the tip
}

/// A square net of lines, held along its border; `cells` meshes along a side.
ClothDef line_net(float side, std::uint32_t cells) {
    const std::uint32_t n = cells + 1;
    ClothDef net = drum(side, n);
    net.triangles.clear();
    for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i) {
            if (i + 1 < n) net.lines.push_back({i + n * j, i + 1 + n * j});
            if (j + 1 < n) net.lines.push_back({i + n * j, i + n * (j + 1)});
        }
    net.material.thickness = 0.01f;
    net.material.density = 0.1f;
    return net;
}

TEST(PartContact, ANetOfLinesCatchesWhatIsLargerThanItsMeshesAndLetsSmallerThrough) {
    for (const float radius : {0.2f, 0.08f}) {
        World world({.sleeping = false});
        const ClothId id = world.create_cloth(line_net(2, 7)); // meshes of 0.286 m
        const BodyId ball = world.create_body({.position = {0.01, 0.4, -0.01}});
        world.attach(ball, Sphere{radius}, {.density = 50});
        steps(world, 120);
        if (radius > 0.15f) {
            EXPECT_GT(world.state(ball).position.y, -0.5);
            EXPECT_GT(distance_to_ball(world, id, ball, double{radius}), 0.0);
        } else {
            EXPECT_LT(world.state(ball).position.y, -3);
        }
    }
}

TEST(PartContact, ANetOfLinesThatCatchesABoxKeepsTheirMomentum) {
    World world({.gravity = {0, 0, 0}, .sleeping = false});
    ClothDef net = line_net(2, 7);
    net.pins.clear();
    net.material.drag = 0, net.material.damping = 0;
    const ClothId id = world.create_cloth(net);
    const BodyId box = world.create_body({.position = {0.05, 0.35, 0.1}, .velocity = {0.4f, -3, 0}});
    world.attach(box, Box{0.3f, 0.2f, 0.25f}, {.density = 5});
    const auto total = [&] {
        return world.measure(id).momentum + wide(world.state(box).velocity) * double{world.mass(box).mass};
    };
    const DVec3 before = total();
    steps(world, 60);
    EXPECT_GT(world.state(box).velocity.y, -2.9f); // it was caught
    EXPECT_LT(world.measure(id).momentum.y, -0.01);
    EXPECT_LT(length(total() - before), 1e-3 * length(before));
}

TEST(PartContact, ARopeLiesOverTheEdgeOfABox) {
    World world;
    const Vec3 half{0.5f, 0.5f, 0.5f};
    const BodyId box = world.create_body({.type = BodyType::fixed, .position = {0, 0.5, 0}});
    world.attach(box, Box{half.x, half.y, half.z});
    // vertices 0.3 m apart, none of them near the edge at x = 0.5
    ClothDef rope = make_rope({-0.25f, 1.03f, 0.1f}, {1.55f, 1.03f, 0.1f}, 6, 0.02f);
    rope.surface_collision = true;
    rope.pins = {{.vertex = 0}};
    const ClothId id = world.create_cloth(rope);
    double deepest = 1;
    for (int k = 0; k < 180; ++k) {
        world.step(cloth_step);
        deepest = std::min(deepest, distance_to_box(world, id, box, half));
    }
    EXPECT_GT(deepest, -0.02);
    EXPECT_LT(world.measure(id).low.y, 0.2f); // it hangs down beside the box
}

TEST(PartContact, ABodyAndAFreeSheetKeepTheirMomentum) {
    World world({.gravity = {0, 0, 0}, .sleeping = false});
    ClothDef sheet = make_cloth(1, 1, 3, 3);
    sheet.surface_collision = true;
    sheet.material.drag = 0, sheet.material.damping = 0;
    const ClothId id = world.create_cloth(sheet);
    const BodyId box = world.create_body(
        {.position = {0.18, 0.3, 0.14}, .velocity = {0.3f, -2, 0}, .angular_velocity = {1, 2, 3}});
    world.attach(box, Box{0.06f, 0.05f, 0.04f}, {.density = 100});
    const std::vector<float> mass = [&] {
        std::vector<float> m(9, 0.0f);
        for (const auto& corners : sheet.triangles)
            for (const std::uint32_t v : corners) m[v] += 0.2f / 24;
        return m;
    }();
    const auto turning = [&] { // of the sheet, about the origin
        DVec3 sum{};
        for (std::size_t v = 0; v < 9; ++v)
            sum = sum +
                  cross(wide(world.vertices(id)[v]), wide(world.vertex_velocities(id)[v])) * double{mass[v]};
        return sum;
    };
    const auto total = [&] {
        return world.measure(id).momentum + wide(world.state(box).velocity) * double{world.mass(box).mass};
    };
    const DVec3 before = total();
    const double turned = length(turning());
    steps(world, 40);
    EXPECT_GT(world.state(box).velocity.y, -1.9f); // they met
    EXPECT_GT(length(turning()), turned + 1e-3);
    EXPECT_LT(length(total() - before), 1e-3 * length(before));
}

TEST(PartContact, ASailAndTheRaftThatItPullsKeepTheirMomentum) {
    World world({.gravity = {0, 0, 0}, .sleeping = false});
    const BodyId raft = world.create_body({});
    world.attach(raft, Box{1, 0.1f, 0.7f}, {.density = 10});
    world.attach(raft, Cylinder{0.8f, 0.03f}, {.position = {0, 1, 0}, .density = 10});
    ClothDef sail = make_cloth(1.4f, 1.4f, 8, 8);
    sail.surface_collision = true;
    sail.rotation = rotation_about(Vec3{0, 0, 1}, std::numbers::pi_v<float> / 2);
    sail.position = {0.1f, 1, 0};
    sail.velocity = {-4, 0, 0}; // into the mast
    sail.material.drag = 0, sail.material.damping = 0;
    for (const std::uint32_t v : {0u, 7u, 56u, 63u}) sail.pins.push_back({.vertex = v, .body = raft});
    const ClothId id = world.create_cloth(sail);
    const auto total = [&] {
        return world.measure(id).momentum + wide(world.state(raft).velocity) * double{world.mass(raft).mass};
    };
    const DVec3 before = total();
    steps(world, 60);
    EXPECT_LT(world.state(raft).velocity.x, -0.01f); // it was pulled
    EXPECT_LT(length(total() - before), 1e-3 * length(before));
}

TEST(PartContact, AHeavyBoxRestsOnALightClothHeldByItsCorners) {
    World world({.sleeping = false});
    constexpr std::uint32_t n = 21;
    ClothDef sheet = make_cloth(1, 1, n, n); // 0.2 kg
    sheet.surface_collision = true;
    sheet.pins = {{.vertex = 0}, {.vertex = n - 1}, {.vertex = n * (n - 1)}, {.vertex = n * n - 1}};
    sheet.material.thickness = 0.01f;
    sheet.material.friction = 0.8f;
    const ClothId id = world.create_cloth(sheet);
    const Vec3 half{0.15f, 0.1f, 0.15f};
    const BodyId box = world.create_body({.position = {0, 0.12, 0}});
    world.attach(box, Box{half.x, half.y, half.z}, {.density = 10 / (8 * 0.15f * 0.1f * 0.15f)});
    EXPECT_NEAR(world.mass(box).mass, 10, 1e-3);
    double deepest = 1;
    for (int k = 0; k < 240; ++k) {
        world.step(cloth_step);
        deepest = std::min(deepest, distance_to_box(world, id, box, half, 4));
    }
    const BodyState state = world.state(box);
    EXPECT_GT(state.position.y, -0.2);
    EXPECT_LT(length(state.velocity), 0.3f);
    EXPECT_GT(rotate(state.rotation, Vec3{0, 1, 0}).y, 0.9f);
    EXPECT_GT(deepest, -0.02);
}

TEST(PartContact, AFastBallDoesNotPassAHeldSheet) {
    for (const std::uint32_t n : {5u, 15u}) {
        World world({.gravity = {0, 0, 0}, .sleeping = false});
        const ClothId id = world.create_cloth(drum(2, n));
        const BodyId ball = world.create_body({.position = {0.13, 0.37, 0.11}, .velocity = {0, -30, 0}});
        world.attach(ball, Sphere{0.08f}, {.density = 100});
        for (int k = 0; k < 40; ++k) {
            world.step(cloth_step);
            // seen from below, the sheet is in front of the ball
            const DVec3 at = wide(world.state(ball).position);
            const double above = least_over(world, id, [&](const DVec3& q) {
                return std::hypot(q.x - at.x, q.z - at.z) < 0.06 ? at.y - q.y : 1.0;
            });
            ASSERT_GT(above, 0.0) << n << " vertices, step " << k;
        }
        EXPECT_GT(world.state(ball).velocity.y, -5.0f);
    }
}

TEST(PartContact, ABodyThatIsPutThroughTheClothIsOnTheOtherSide) {
    World world({.sleeping = false});
    const ClothId id = world.create_cloth(drum(2, 5));
    const BodyId box = world.create_body({.position = {0.1, 0.2, 0.1}});
    world.attach(box, Box{0.1f, 0.1f, 0.1f}, {.density = 100});
    steps(world, 60);
    EXPECT_GT(world.state(box).position.y, -0.2);
    // across the sheet, with its middle below: it goes on downwards, and nothing is thrown
    const double sheet = double{world.measure(id).low.y};
    world.set_pose(box, {0.1, sheet - 0.05, 0.1}, {});
    float fastest = 0;
    for (int k = 0; k < 60; ++k) {
        world.step(cloth_step);
        fastest = std::max(fastest, length(world.state(box).velocity));
    }
    EXPECT_LT(world.state(box).position.y, -2);
    EXPECT_LT(fastest, 12.0f); // 9.8 by falling
    EXPECT_LT(world.measure(id).max_stretch, 0.1);
}

World heap(const Place& place) {
    World world({}, place);
    ClothDef sheet = drum(2, 7);
    sheet.pins.resize(12);
    world.create_cloth(sheet);
    ClothDef net = line_net(2, 5);
    net.position = {0, -0.6f, 0};
    world.create_cloth(net);
    std::vector<Vec3> corners;
    for (int k = 0; k < 7; ++k)
        corners.push_back(
            {0.1f * std::cos(float(k)), 0.05f * float(k % 3), 0.1f * std::sin(2.0f * float(k))});
    const Geometry shapes[] = {Sphere{0.08f},         Capsule{0.1f, 0.05f}, Box{0.1f, 0.05f, 0.08f},
                               Cylinder{0.08f, 0.1f}, Cone{0.1f, 0.1f},     Hull::from_points(corners)};
    for (int k = 0; k < 12; ++k) {
        const BodyId body =
            world.create_body({.position = {0.2 * (k % 4) - 0.33, 0.2 + 0.07 * k, 0.25 * (k % 3) - 0.2},
                               .angular_velocity = {1, float(k), 2}});
        world.attach(body, shapes[k % 6], {.density = 60});
    }
    return world;
}

TEST(PartContact, HasTheSameBitsOnEveryPlace) { testing::expect_same_bits_on_every_place(heap, 60); }

} // namespace
} // namespace scree
