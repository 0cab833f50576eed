// SPDX-License-Identifier: MIT
// box3d_scenes.cpp — Box3D's joint grid, pyramids, washer, junkyard and convex pile; see box3d_scenes.h.
#include "box3d_scenes.h"

#include "rigid_piles.h"
#include "scene/rotation.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace scree::bench {

BenchScene box3d_scene(int steps, bool sleeping) {
    BenchScene scene;
    scene.contract = "box3d-1";
    scene.steps = steps;
    scene.special = true;
    scene.own_settings = true;
    scene.first_step_counts = false;
    scene.rigid.settings.gravity = {0, -10, 0};
    scene.rigid.settings.substeps = 4;
    scene.rigid.settings.sleeping = sleeping;
    return scene;
}

RigidShape::Part box3d_part(const Geometry& geometry, float density) {
    RigidShape::Part part = part_of(geometry, density);
    part.definition.material.friction = 0.6f;
    return part;
}

void add_fixed(BenchScene& scene, std::vector<RigidShape::Part> parts, Vec3 position) {
    scene.rigid.bodies.push_back(body_at(add_shape(scene, std::move(parts)), position));
    scene.rigid.bodies.back().body.type = BodyType::fixed;
}

Hull prism(float height, float radius, float bottom, int sides) {
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i) {
        const SineCosine turn = of_degrees(360.0 * i / sides);
        for (const float y : {bottom, bottom + height})
            points.push_back(
                {radius * static_cast<float>(turn.cosine), y, radius * static_cast<float>(turn.sine)});
    }
    return Hull::from_points(points);
}

namespace {

/// a floor with its top at y = 0
void add_floor(BenchScene& scene, float reach) {
    add_fixed(scene, {box3d_part(Box{reach, 1, reach})}, {0, -1, 0});
    scene.low = {-reach, 0, -reach};
    scene.high = {reach, 1e9f, reach};
}

/// a pyramid one deep of boxes 1 m wide, in the plane z
void add_pyramid(BenchScene& scene, std::uint32_t shape, std::uint32_t base, float left, float z) {
    for (std::uint32_t row = 0; row < base; ++row)
        for (std::uint32_t i = 0; i < base - row; ++i)
            scene.rigid.bodies.push_back(
                body_at(shape, {left + 0.5f * static_cast<float>(row + 1) + static_cast<float>(i),
                                static_cast<float>(row) + 0.5f, z}));
}

/// the convex hull of two quadrilaterals at z = +-10 m: a ring's segment between two radii and two directions
RigidShape::Part drum_segment(double inner, double outer, double from_degrees, double to_degrees) {
    std::vector<Vec3> points;
    for (const double degrees : {from_degrees, to_degrees}) {
        const SineCosine turn = of_degrees(degrees);
        for (const double radius : {inner, outer})
            for (const float z : {-10.0f, 10.0f})
                points.push_back(
                    {static_cast<float>(radius * turn.cosine), static_cast<float>(radius * turn.sine), z});
    }
    return box3d_part(Hull::from_points(points));
}

/// ten points of a Fibonacci lattice on a sphere
Hull rock(double radius) {
    constexpr int count = 10;
    const double golden_turn = 360 * (std::sqrt(5.0) - 1) / 2;
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        const double z = 1 - (2.0 * i + 1) / count, across = std::sqrt(1 - z * z);
        const SineCosine turn = of_degrees(golden_turn * i);
        points.push_back({static_cast<float>(radius * across * turn.cosine),
                          static_cast<float>(radius * across * turn.sine), static_cast<float>(radius * z)});
    }
    return Hull::from_points(points);
}

constexpr float pusher_orbit = 35; // m

/// 6 degrees a second, clockwise seen from above
DVec3 pusher_after(int step) {
    const SineCosine turn = of_degrees(-6.0 / 60 * (step + 1));
    return {pusher_orbit * turn.cosine, 0, pusher_orbit * turn.sine};
}

/// 32 random points on a sphere of 2 m, from the generator of PEEL (Terdiman), which Box3D's scene comes from
Hull random_polyhedron() {
    std::uint32_t state = 42;
    const auto random = [&] {
        state = state * 2147001325u + 715136305u;
        return static_cast<float>(state & 0xffffu) / 65535.0f - 0.5f;
    };
    std::vector<Vec3> points;
    while (points.size() < 32) {
        Vec3 point;
        point.x = random();
        point.y = random();
        point.z = random();
        if (dot(point, point) <= 0.25f) points.push_back(2.0f * normalized(point));
    }
    return Hull::from_points(points);
}

} // namespace

BenchScene box3d_joint_grid(std::uint32_t side) {
    BenchScene scene = box3d_scene(100, false);
    RigidShape::Part ball = box3d_part(Sphere{0.4f});
    ball.definition.filter = {.category = 2, .mask = ~2u};
    const std::uint32_t shape = add_shape(scene, {ball});
    for (std::uint32_t column = 0; column < side; ++column)
        for (std::uint32_t row = 0; row < side; ++row) {
            const auto body = static_cast<std::uint32_t>(scene.rigid.bodies.size());
            const Vec3 at{static_cast<float>(column), -static_cast<float>(row), 0};
            scene.rigid.bodies.push_back(body_at(shape, at));
            if (row == 0) scene.rigid.bodies.back().body.type = BodyType::fixed;
            const auto join = [&](std::uint32_t other, Vec3 anchor) {
                // fixed bodies need no joint between them
                if (row == 0) return;
                RigidJointDef joint;
                joint.first = body;
                joint.second = other;
                joint.anchor = anchor;
                scene.rigid.joints.push_back(joint);
            };
            if (row > 0) join(body - 1, at + Vec3{0, 0.5f, 0});
            if (column > 0) join(body - side, at - Vec3{0.5f, 0, 0});
        }
    return scene;
}

BenchScene box3d_large_pyramid(std::uint32_t base) {
    BenchScene scene = box3d_scene(200, false);
    scene.stands = true;
    add_floor(scene, 400);
    add_pyramid(scene, add_shape(scene, {box3d_part(Box{}, 100)}), base, -0.5f * static_cast<float>(base), 0);
    return scene;
}

BenchScene box3d_many_pyramids(std::uint32_t side) {
    BenchScene scene = box3d_scene(100, false);
    scene.stands = true;
    const float reach = 5.5f * static_cast<float>(side);
    add_floor(scene, reach);
    const std::uint32_t box = add_shape(scene, {box3d_part(Box{}, 100)});
    for (std::uint32_t row = 0; row < side; ++row)
        for (std::uint32_t column = 0; column < side; ++column)
            add_pyramid(scene, box, 10, -reach + 11 * static_cast<float>(column) + 0.5f,
                        -reach + 1 +
                            static_cast<float>(row) * 2 * (reach - 1) / static_cast<float>(side - 1));
    return scene;
}

BenchScene box3d_washer(std::uint32_t side) {
    BenchScene scene = box3d_scene(1000, true);
    add_floor(scene, 60);
    std::vector<RigidShape::Part> drum;
    for (int i = 0; i < 36; ++i) {
        drum.push_back(drum_segment(16, 18, 10.0 * i - 1, 10.0 * i + 11));
        if (i % 9 == 0) drum.push_back(drum_segment(14, 16, 10.0 * i, 10.0 * i + 10));
    }
    RigidBodyDef turning = body_at(add_shape(scene, std::move(drum)), {0, 21, 0});
    turning.body.type = BodyType::kinematic;
    turning.body.velocity = {0.001f, -0.002f, 0};
    turning.body.angular_velocity = {0, 0, 25 * std::numbers::pi_v<float> / 180};
    scene.rigid.bodies.push_back(turning);
    const std::uint32_t cube = add_shape(scene, {box3d_part(Box{0.2f, 0.2f, 0.2f})});
    const float first = -0.4f * static_cast<float>(side);
    const auto at = [&](std::uint32_t i) { return first + 0.8f * static_cast<float>(i); };
    for (std::uint32_t x = 0; x < side; ++x)
        for (std::uint32_t y = 0; y < side; ++y)
            for (std::uint32_t z = 0; z < side; ++z)
                scene.rigid.bodies.push_back(body_at(cube, {at(x), 21 + at(y), at(z)}));
    return scene;
}

BenchScene box3d_junkyard(std::uint32_t layers) {
    BenchScene scene = box3d_scene(500, true);
    std::vector<RigidShape::Part> yard{box3d_part(Box{120, 1, 120})};
    for (const float sign : {-1.0f, 1.0f}) {
        yard.push_back(box3d_part(Box{1, 8, 50}));
        yard.back().definition.position = {50 * sign, 8, 0};
        yard.push_back(box3d_part(Box{50, 8, 1}));
        yard.back().definition.position = {0, 8, 50 * sign};
    }
    add_fixed(scene, std::move(yard), {0, -1, 0});
    scene.low = {-120, -1, -120};
    scene.high = {120, 1e9f, 120};
    const std::uint32_t shape = add_shape(scene, {box3d_part(rock(1.5))});
    for (std::uint32_t y = 0; y < layers; ++y)
        for (std::uint32_t x = 0; x <= 20; ++x)
            for (std::uint32_t z = 0; z <= 20; ++z)
                scene.rigid.bodies.push_back(
                    body_at(shape, {-40 + 4 * static_cast<float>(x), 25 + 4 * static_cast<float>(y),
                                    -40 + 4 * static_cast<float>(z)}));
    scene.paths.push_back({static_cast<std::uint32_t>(scene.rigid.bodies.size()), pusher_after});
    scene.rigid.bodies.push_back(
        body_at(add_shape(scene, {box3d_part(prism(24, 4, 0, 16))}), {pusher_orbit, 0, 0}));
    scene.rigid.bodies.back().body.type = BodyType::kinematic;
    return scene;
}

BenchScene box3d_convex_pile(std::uint32_t layers) {
    BenchScene scene = box3d_scene(500, true);
    add_floor(scene, 250);
    const std::uint32_t shape = add_shape(scene, {box3d_part(random_polyhedron())});
    for (std::uint32_t layer = 0; layer < layers; ++layer)
        for (std::uint32_t z = 0; z < 8; ++z)
            for (std::uint32_t x = 0; x < 8; ++x)
                scene.rigid.bodies.push_back(
                    body_at(shape, {4 * (static_cast<float>(x) - 4), 2 + 4 * static_cast<float>(layer),
                                    4 * (static_cast<float>(z) - 4)}));
    return scene;
}

} // namespace scree::bench
