// SPDX-License-Identifier: MIT
// pick_test.cpp — rays against shapes, judged by marching and by formulas of their own, and what the probe says.
#include "view/pick.h"

#include "geometry/shapes.h"
#include "view/session.h"

#include <gtest/gtest.h>

#include <random>

namespace scree::view {
namespace {

/// Inside or not, from the definitions alone.
bool inside(const Geometry& geometry, DVec3 p) {
    const double round = std::hypot(p.x, p.z);
    if (const auto* s = std::get_if<Sphere>(&geometry)) return length(p) < double{s->radius};
    if (const auto* c = std::get_if<Capsule>(&geometry)) {
        const double y = std::clamp(p.y, -double{c->half_height}, double{c->half_height});
        return length(p - DVec3{0, y, 0}) < double{c->radius};
    }
    if (const auto* b = std::get_if<Box>(&geometry))
        return std::abs(p.x) < double{b->x} && std::abs(p.y) < double{b->y} && std::abs(p.z) < double{b->z};
    if (const auto* c = std::get_if<Cylinder>(&geometry))
        return std::abs(p.y) < double{c->half_height} && round < double{c->radius};
    if (const auto* c = std::get_if<Cone>(&geometry)) {
        const double h = double{c->half_height};
        return std::abs(p.y) < h && round < double{c->radius} * (h - p.y) / (2 * h);
    }
    if (std::holds_alternative<Plane>(geometry)) return p.y < 0;
    const Hull& hull = std::get<Hull>(geometry);
    for (const auto& face : hull.faces()) {
        const DVec3 a = wide(hull.vertices()[face[0]]), b = wide(hull.vertices()[face[1]]),
                    c = wide(hull.vertices()[face[2]]);
        if (dot(cross(b - a, c - a), p - a) >= 0) return false;
    }
    return true;
}

std::vector<Geometry> all_shapes() {
    const std::vector<Vec3> points{{1, 0, 0.2f},     {-1, 0.1f, 0}, {0, 1, 0},
                                   {0.1f, -1.2f, 0}, {0, 0, 0.8f},  {0.3f, 0.2f, -1}};
    return {
        Sphere{0.7f}, Capsule{0.6f, 0.4f},      Box{0.5f, 0.8f, 0.3f}, Cylinder{0.5f, 0.7f}, Cone{0.8f, 0.6f},
        Plane{},      Hull::from_points(points)};
}

TEST(Pick, EveryShapeIsMetWhereMarchingMeetsIt) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    for (const Geometry& geometry : all_shapes()) {
        int hits = 0;
        for (int k = 0; k < 400; ++k) {
            const Ray ray{3.0 * normalized(DVec3{number(random), number(random), number(random)}),
                          normalized(DVec3{number(random), number(random), number(random)})};
            const Ray aimed{ray.origin, normalized(0.8 * ray.direction - ray.origin)};
            if (inside(geometry, aimed.origin)) {
                EXPECT_FALSE(ray_hit(geometry, aimed)) << geometry_name(geometry);
                continue;
            }
            std::optional<double> marched;
            constexpr double step = 0.002;
            for (double t = 0; t < 8 && !marched; t += step)
                if (inside(geometry, aimed.at(t))) marched = t;
            const auto hit = ray_hit(geometry, aimed);
            if (!marched) {
                // marching may step over a corner
                if (hit && hit->distance < 7.9) {
                    EXPECT_FALSE(inside(geometry, aimed.at(hit->distance + step)) &&
                                 inside(geometry, aimed.at(hit->distance + 2 * step)));
                }
                continue;
            }
            ++hits;
            ASSERT_TRUE(hit) << geometry_name(geometry);
            EXPECT_NEAR(hit->distance, *marched, 1.01 * step) << geometry_name(geometry);
            EXPECT_NEAR(length(hit->normal), 1, 1e-9);
            EXPECT_LT(dot(hit->normal, aimed.direction), 1e-9);
            // outwards: a little along it is outside, a little against it inside
            const DVec3 at = aimed.at(hit->distance);
            EXPECT_FALSE(inside(geometry, at + 1e-5 * hit->normal)) << geometry_name(geometry);
        }
        EXPECT_GT(hits, 100) << geometry_name(geometry);
    }
}

TEST(Pick, ExactWhereItCanBeSaid) {
    const Ray down{{0.1, 5, 0}, {0, -1, 0}};
    EXPECT_DOUBLE_EQ(ray_hit(Box{1, 2, 1}, down)->distance, 3);
    EXPECT_DOUBLE_EQ(ray_hit(Plane{}, down)->distance, 5);
    EXPECT_NEAR(ray_hit(Capsule{1, 0.5f}, down)->distance, 4 - std::sqrt(0.25 - 0.01), 1e-12);
    EXPECT_DOUBLE_EQ(ray_hit(Cylinder{1, 0.5f}, down)->distance, 4);
    EXPECT_NEAR(ray_hit(Cone{1, 0.5f}, down)->distance, 4.4,
                1e-12); // a fifth of the radius: 0.4 below the tip
    const Ray along{{0, -5, 0}, {0, 1, 0}};
    EXPECT_DOUBLE_EQ(ray_hit(Cone{1, 0.5f}, along)->distance, 4);
    EXPECT_FALSE(ray_hit(Plane{}, along));                          // from inside
    EXPECT_FALSE(ray_hit(Sphere{1}, Ray{{0, 5, 0}, {0, 1, 0}}));    // behind
    EXPECT_FALSE(ray_hit(Sphere{1}, Ray{{0, 0, 0}, {0, 1, 0}}));    // inside
    EXPECT_FALSE(ray_hit(Box{1, 1, 1}, Ray{{2, 0, 0}, {0, 1, 0}})); // beside, parallel
}

Frame first_frame(const std::string& scene) {
    const Session session(find_scene(scene), {}, scene, {{.threads = 1}});
    Frame frame;
    session.show(frame, {});
    return frame;
}

TEST(Pick, TheNearestBodyOfAFrame) {
    const Frame frame = first_frame("stack-10");
    std::uint32_t top = 0;
    for (std::uint32_t b = 0; b < frame.size(); ++b)
        if (frame.pose(b).position.y > frame.pose(top).position.y) top = b;
    const DVec3 over = wide(frame.pose(top).position) + DVec3{0.01, 30, 0.02};
    const auto picked = pick(frame, {over, {0, -1, 0}}, false);
    ASSERT_TRUE(picked);
    EXPECT_EQ(picked->body, top);
    EXPECT_NEAR(picked->normal.y, 1, 1e-6);
    // the local point is the same point
    const DVec3 back = apply(wide(frame.pose(top)), wide(picked->local));
    EXPECT_NEAR(length(back - picked->point), 0, 1e-5);
    EXPECT_FALSE(pick(frame, {over, {0, 1, 0}}, false));
    EXPECT_FALSE(pick(Frame{}, {over, {0, -1, 0}}, false));
}

TEST(Pick, ASurfaceThatFollowsBonesIsMetWhereTheyTakeIt) {
    auto skin = std::make_shared<AppearanceSkin>();
    skin->vertices = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    skin->normals.assign(3, {0, 0, 1});
    skin->bones.resize(3);
    skin->weights.assign(3, {1, 0, 0, 0});
    auto look = std::make_shared<Appearance>();
    look->shapes.push_back(appearance_of("", {}));
    look->bodies.push_back({.shape = 0});
    look->body_count = 1;
    look->meshes.push_back({.name = "hand", .vertex_count = 4, .triangles = {0, 1, 2}, .body = 0});
    look->meshes[0].skin = skin;
    Frame frame;
    frame.appearance = look;
    frame.resize(1);
    frame.set_pose(0, {});
    frame.vertices = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 0, -3}};
    const auto hit = pick(frame, {{5, 0, 4}, {0, 0, -1}}, true);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, 0u);
    EXPECT_NEAR(hit->distance, 7, 1e-9);
    EXPECT_FALSE(pick(frame, {{0, 0, 4}, {0, 0, -1}}, true));
}

TEST(Pick, LabelsBehindBodiesAreNotSeen) {
    const Frame frame = first_frame("stack-10");
    std::uint32_t top = 0, bottom = 0;
    for (std::uint32_t b = 0; b < frame.size(); ++b) {
        if (frame.appearance->bodies[b].type != BodyType::dynamic) continue;
        if (frame.pose(b).position.y > frame.pose(top).position.y) top = b;
        if (bottom == 0 || frame.pose(b).position.y < frame.pose(bottom).position.y) bottom = b;
    }
    const DVec3 above = wide(frame.centre(top)) + DVec3{0, 30, 0}, low = wide(frame.centre(bottom));
    EXPECT_TRUE(is_seen(frame, above, wide(frame.centre(top)), top, false)); // its own body does not hide it
    EXPECT_FALSE(is_seen(frame, above, low, bottom, false));
    EXPECT_TRUE(is_seen(frame, low + DVec3{30, 0, 0}, low, bottom, false));
    EXPECT_FALSE(is_seen(frame, above, wide(frame.centre(top)), {}, false)); // inside of a body
    EXPECT_TRUE(is_seen(frame, above, above, {}, false));
}

TEST(Pick, LooksThroughTheGlassOfAContainer) {
    const Frame frame = first_frame("boxes-pile");
    std::uint32_t front = 0; // the box nearest to the eye
    for (std::uint32_t b = 0; b < frame.size(); ++b)
        if (frame.appearance->bodies[b].type == BodyType::dynamic &&
            (front == 0 || frame.centre(b).z > frame.centre(front).z))
            front = b;
    const auto picked = pick(frame, {wide(frame.centre(front)) + DVec3{0, 0, 60}, {0, 0, -1}}, false);
    ASSERT_TRUE(picked);
    EXPECT_EQ(picked->body, front);
    // what lies flat is no glass
    const auto floor = pick(frame, {{100, -50, 0}, {0, 1, 0}}, false);
    EXPECT_TRUE(!floor || frame.appearance->bodies[floor->body].type == BodyType::fixed);
    EXPECT_FALSE(is_glass(Box{5, 0.1f, 5}, {}));
    EXPECT_TRUE(is_glass(Box{0.1f, 5, 5}, {}));
    EXPECT_FALSE(is_glass(Box{1, 1, 1}, {}));
}

TEST(Pick, ParticlesAreSeenAsParticlesOrAsTheirBox) {
    const Frame frame = first_frame("tower-2");
    const DVec3 centre = wide(frame.pose(0).position);
    // beside the corner sphere, within the box
    const AppearanceShape& shape = frame.appearance->shapes[0];
    const Box box = std::get<Box>(shape.parts[0].geometry);
    const Ray corner{centre + DVec3{double{box.x} * 0.98, 20, double{box.z} * 0.98}, {0, -1, 0}};
    EXPECT_TRUE(pick(frame, corner, false));
    EXPECT_FALSE(pick(frame, corner, true));
    const Ray middle{centre + DVec3{0, 20, 0}, {0, -1, 0}};
    EXPECT_TRUE(pick(frame, middle, true));
}

TEST(Pick, TheProbeNamesWhatItHits) {
    Frame frame = first_frame("stack-10");
    const auto b = static_cast<std::uint32_t>(frame.size() - 1);
    frame.velocity[b] = {3, 0, 4};
    Picked picked{b, 0, 1, {1, 2, 3}, {0, 1, 0}, {}};
    const std::string text = probe_text(frame, picked);
    EXPECT_NE(text.find("body " + std::to_string(b)), std::string::npos) << text;
    EXPECT_NE(text.find("box"), std::string::npos) << text;
    EXPECT_NE(text.find("5 m/s"), std::string::npos) << text;
    EXPECT_NE(text.find(" kg"), std::string::npos) << text;
    EXPECT_EQ(text.find("asleep"), std::string::npos) << text;
    frame.flags[b] = Frame::asleep;
    EXPECT_NE(probe_text(frame, picked).find("asleep"), std::string::npos);
    for (std::uint32_t k = 0; k < frame.size(); ++k)
        if (frame.appearance->bodies[k].type == BodyType::fixed) {
            picked.body = k;
            EXPECT_NE(probe_text(frame, picked).find("fixed"), std::string::npos);
        }
}

TEST(Looks, BoundsHoldTheirShapesAndTouchThem) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(-1, 1);
    for (const Geometry& geometry : all_shapes()) {
        if (is_plane(geometry)) continue;
        const float s = number(random), x = number(random), y = number(random), z = number(random);
        const float l = std::sqrt(s * s + x * x + y * y + z * z);
        const Pose pose{{1, 2, 3}, {.x = x / l, .y = y / l, .z = z / l, .s = s / l}};
        const Bounds bounds = bounds_of(geometry, pose);
        for (int k = 0; k < 2000; ++k) {
            const DVec3 p{2.0 * number(random), 2.0 * number(random), 2.0 * number(random)};
            if (!inside(geometry, p)) continue;
            const DVec3 w = apply(wide(pose), p);
            EXPECT_TRUE(w.x >= bounds.low.x - 1e-6 && w.y >= bounds.low.y - 1e-6 &&
                        w.z >= bounds.low.z - 1e-6 && w.x <= bounds.high.x + 1e-6 &&
                        w.y <= bounds.high.y + 1e-6 && w.z <= bounds.high.z + 1e-6);
        }
    }
    const Bounds plain = bounds_of(Capsule{1, 0.5f});
    EXPECT_EQ(plain.high, (DVec3{0.5, 1.5, 0.5}));
}

} // namespace
} // namespace scree::view
