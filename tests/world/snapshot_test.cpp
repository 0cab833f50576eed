// SPDX-License-Identifier: MIT
// snapshot_test.cpp — a restored World goes on as the saved one does; bytes that are no snapshot are refused.
#include "bytes/checksum.h"
#include "scree/world.h"
#include "support/refused.h"
#include "support/rigid_support.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

namespace scree::test {
namespace {

struct Scene {
    World world{{.substeps = 3}};
    std::vector<BodyId> bodies;
    ShapeId hull;
    JointId joint;
    BodyId gone;

    /// every kind of shape and joint; slots that were used before; some sleep, some are pushed
    Scene() {
        const BodyId ground = world.create_body({.type = BodyType::fixed, .user_data = 5});
        world.attach(ground, Plane{}, {.material = {.friction = 0.9f}});
        const std::vector<Vec3> points{{-0.5f, -0.5f, -0.5f}, {0.5f, -0.5f, -0.5f}, {0, 0.6f, 0},
                                       {0, -0.5f, 0.7f},      {0.4f, 0.2f, 0.4f},   {-0.3f, 0.3f, 0.3f}};
        const Hull rock = Hull::from_points(points);
        const Geometry kinds[] = {Sphere{0.4f},
                                  Capsule{0.3f, 0.2f},
                                  Box{0.3f, 0.4f, 0.5f},
                                  Cylinder{0.4f, 0.3f},
                                  Cone{0.5f, 0.4f},
                                  rock,
                                  rock};
        for (int k = 0; k < 21; ++k) {
            const auto x = static_cast<float>(k);
            BodyDef body;
            body.position = {0.3f * std::fmod(x, 5.0f), 1 + 0.9f * x, 0.2f * std::fmod(x, 3.0f)};
            body.rotation = {.y = 0.8f, .s = 0.6f};
            body.angular_velocity = {0.1f * x, 0, 1};
            body.linear_damping = 0.01f;
            body.awake = k % 7 != 3;
            bodies.push_back(world.create_body(body));
            hull = world.attach(bodies.back(), kinds[k % 7], {.position = {0.01f * x, 0, 0}});
            if (k % 4 == 0) world.attach(bodies.back(), Sphere{0.2f}, {.position = {0, 0.4f, 0.1f}});
        }
        for (int k = 0; k + 1 < 12; k += 4)
            joint = world.create_joint({.type = static_cast<JointType>(k / 4),
                                        .first = bodies[static_cast<std::size_t>(k)],
                                        .second = bodies[static_cast<std::size_t>(k + 1)],
                                        .anchor = {0, 1 + 0.9f * static_cast<float>(k), 0}});
        world.create_joint({.first = bodies[20], .anchor = {0, 25, 0}});
        gone = bodies[6];
        world.destroy(gone);
        world.destroy(bodies[14]);
        world.create_body({.type = BodyType::kinematic, .velocity = {1, 0, 0}});
    }
    void run(int steps) {
        for (int k = 0; k < steps; ++k) world.step(1 / 60.0f);
    }
};

std::vector<std::byte> some_snapshot() {
    Scene scene;
    scene.run(20);
    return scene.world.save();
}

/// Bytes changed on purpose, with a checksum that fits them.
void forge(std::vector<std::byte>& bytes) {
    const auto* payload = reinterpret_cast<const std::uint8_t*>(bytes.data()) + 32;
    const std::uint64_t length = bytes.size() - 32;
    const std::uint64_t sum = bytes::checksum({payload, bytes.size() - 32});
    for (std::size_t k = 0; k < 8; ++k) {
        bytes[16 + k] = static_cast<std::byte>(length >> (8 * k));
        bytes[24 + k] = static_cast<std::byte>(sum >> (8 * k));
    }
}

/// Where a number that occurs once begins.
std::size_t place_of(const std::vector<std::byte>& bytes, float number) {
    std::byte pattern[4];
    std::memcpy(pattern, &number, 4);
    return static_cast<std::size_t>(std::search(bytes.begin(), bytes.end(), pattern, pattern + 4) -
                                    bytes.begin());
}

template <class Word>
void put(std::vector<std::byte>& bytes, std::size_t at, Word word) {
    ASSERT_LE(at + sizeof word, bytes.size());
    std::memcpy(&bytes[at], &word, sizeof word);
    forge(bytes);
}

/// One body of this type and its speed limit, by which its bytes are found: four words before it is the type.
std::vector<std::byte> lone_body(BodyDef body, std::size_t& speed_limit) {
    World world;
    body.max_speed = 321.5f;
    world.create_body(body);
    std::vector<std::byte> bytes = world.save();
    speed_limit = place_of(bytes, body.max_speed);
    return bytes;
}

TEST(WorldSnapshot, ARestoredWorldGoesOnWithTheSameBits) {
    Scene scene;
    scene.run(40);
    World restored = World::restore(scene.world.save());
    EXPECT_EQ(restored.hash(), scene.world.hash());
    for (int k = 0; k < 60; ++k) {
        scene.world.step(1 / 60.0f);
        restored.step(1 / 60.0f);
        ASSERT_EQ(restored.hash(), scene.world.hash()) << "step " << k;
    }
    EXPECT_EQ(restored.steps_done(), 100u);
    EXPECT_EQ(restored.time(), scene.world.time());
}

TEST(WorldSnapshot, ItHoldsBeforeTheFirstStepToo) {
    Scene scene;
    World restored = World::restore(scene.world.save());
    scene.run(60);
    for (int k = 0; k < 60; ++k) restored.step(1 / 60.0f);
    EXPECT_EQ(restored.hash(), scene.world.hash());
}

TEST(WorldSnapshot, SavingChangesNothing) {
    Scene saved, plain;
    for (int k = 0; k < 30; ++k) {
        saved.world.save();
        saved.world.step(1 / 60.0f);
        plain.world.step(1 / 60.0f);
    }
    EXPECT_EQ(saved.world.hash(), plain.world.hash());
}

TEST(WorldSnapshot, ARestoredWorldSavesTheSameBytes) {
    const std::vector<std::byte> bytes = some_snapshot();
    EXPECT_EQ(World::restore(bytes).save(), bytes);
}

TEST(WorldSnapshot, WorldsInTheSameStateSaveTheSameBytesButForTheTagOfTheirIds) {
    std::vector<std::byte> a = some_snapshot(), b = some_snapshot();
    for (std::vector<std::byte>* bytes : {&a, &b}) (*bytes)[12] = (*bytes)[13] = std::byte{0};
    EXPECT_EQ(a, b);
}

TEST(WorldSnapshot, IdsStayValidAndStaleOnesStale) {
    Scene scene;
    const World restored = World::restore(scene.world.save());
    EXPECT_EQ(restored.bodies(), scene.world.bodies());
    EXPECT_TRUE(restored.alive(scene.joint));
    EXPECT_FALSE(restored.alive(scene.gone));
    EXPECT_TRUE(contains(refusal([&] { restored.state(scene.gone); }).what, "was destroyed"));
    for (const BodyId body : scene.world.bodies()) {
        EXPECT_EQ(restored.state(body).position, scene.world.state(body).position);
        EXPECT_EQ(restored.state(body).asleep, scene.world.state(body).asleep);
        EXPECT_EQ(restored.user_data(body), scene.world.user_data(body));
        EXPECT_EQ(restored.shapes(body), scene.world.shapes(body));
        EXPECT_EQ(restored.mass(body).mass, scene.world.mass(body).mass);
    }
    EXPECT_EQ(restored.body_count(), scene.world.body_count());
    EXPECT_EQ(restored.shape_count(), scene.world.shape_count());
    EXPECT_EQ(restored.joint_count(), scene.world.joint_count());
}

TEST(WorldSnapshot, NewIdsAreTheSameInBothWorlds) {
    Scene scene;
    World restored = World::restore(scene.world.save());
    for (int k = 0; k < 3; ++k) {
        const BodyId body = scene.world.create_body();
        EXPECT_EQ(restored.create_body(), body);
        EXPECT_EQ(restored.attach(body, Sphere{}), scene.world.attach(body, Sphere{}));
    }
}

TEST(WorldSnapshot, ChangesAfterwardsGiveTheSameBitsToo) {
    Scene scene;
    scene.run(20);
    World restored = World::restore(scene.world.save());
    for (World* world : {&scene.world, &restored}) {
        world->destroy(scene.bodies[2]);
        world->attach(scene.bodies[3], Box{0.1f, 0.2f, 0.3f}, {.position = {0.3f, 0.3f, 0.3f}});
        world->apply_impulse(scene.bodies[4], {100, 0, 30}, {0, 1, 0});
        world->destroy(scene.joint);
        for (int k = 0; k < 40; ++k) world->step(1 / 60.0f);
    }
    EXPECT_EQ(restored.hash(), scene.world.hash());
}

TEST(WorldSnapshot, PendingForcesAreKept) {
    World world;
    const BodyId body = world.create_body();
    world.apply_force(body, {60, 0, 0});
    World restored = World::restore(world.save());
    restored.step(1 / 60.0f);
    EXPECT_NEAR(restored.state(body).velocity.x, 1, 1e-4f);
}

TEST(WorldSnapshot, ABodyThatCreptWhenItFellAsleepIsTouchedAtTheSameTime) {
    World world(in_space(default_settings()));
    const BodyId box = add(world, Box{0.5f, 0.5f, 0.5f}, {}, {}, {.velocity = {0.04f, 0, 0}});
    add(world, Sphere{0.1f}, {20, 0, 0}, {}, {.velocity = {-20, 0, 0}});
    run_steps(world, 40);
    ASSERT_TRUE(world.state(box).asleep);
    World twin = World::restore(world.save());
    for (int k = 0; k < 40; ++k) {
        world.step(frame);
        twin.step(frame);
        ASSERT_EQ(world.hash(), twin.hash()) << "step " << k;
    }
    EXPECT_FALSE(world.state(box).asleep);
}

TEST(WorldSnapshot, ABeltThatFellAsleepOnTrianglesKeepsItsDirection) {
    // the box turns as it falls asleep: its belt has the direction of the poses that made the manifold
    World world({.sleep_speed = 2, .sleep_delay = 0.2f});
    const Vec3 vertices[] = {{-20, 0, -20}, {20, 0, -20}, {0, 0, 40}};
    const std::uint32_t indices[] = {0, 2, 1};
    world.attach(world.create_body({.type = BodyType::fixed}), Mesh::from_triangles(vertices, indices));
    const BodyId box = add(world, Box{0.5f, 0.25f, 0.5f}, {0, 0.25f, 0},
                           {.material = {.friction = 0.05f, .surface_velocity = {0.5f, 0, 0.2f}}},
                           {.angular_velocity = {0, 1.5f, 0}});
    add(world, Sphere{0.1f}, {9, 0.25f, 0}, {}, {.velocity = {-20, 0, 0}, .gravity_scale = 0});
    run_steps(world, 18);
    ASSERT_TRUE(world.state(box).asleep);
    World twin = World::restore(world.save());
    bool woke = false;
    for (int k = 0; k < 40; ++k) {
        world.step(frame);
        twin.step(frame);
        ASSERT_EQ(world.hash(), twin.hash()) << "step " << k;
        woke = woke || !world.state(box).asleep;
    }
    EXPECT_TRUE(woke);
}

TEST(WorldSnapshot, FrozenBodiesAreKeptWithWhatTheyTouch) {
    World world;
    world.attach(world.create_body({.type = BodyType::fixed}), Plane{});
    const BodyId victim = world.create_body({.position = {0, 0.5f, 0}});
    world.attach(victim, Sphere{});
    world.step(1 / 60.0f);
    // no float holds what its velocity becomes
    world.set_mass(victim, MassProperties{.mass = 1e-30f, .inertia = {1e-30f, 1e-30f, 1e-30f}});
    world.apply_force(victim, {1e38f, 0, 0});
    world.step(1 / 60.0f);
    ASSERT_TRUE(world.state(victim).frozen);
    World restored = World::restore(world.save());
    EXPECT_TRUE(restored.state(victim).frozen);
    EXPECT_EQ(restored.hash(), world.hash());
    restored.step(1 / 60.0f);
}

TEST(WorldSnapshot, LocksAreKept) {
    World world;
    const BodyId body =
        world.create_body({.angular_velocity = {0, 1, 1}, .locks = {.y = true, .turn_z = true}});
    for (int k = 0; k < 3; ++k) {
        World restored = World::restore(world.save());
        world.step(1 / 60.0f);
        restored.step(1 / 60.0f);
        EXPECT_EQ(restored.hash(), world.hash());
    }
    EXPECT_EQ(world.state(body).velocity, Vec3{});
}

TEST(WorldSnapshot, SettingsComeFromTheSnapshotButForTheDevice) {
    World world({.gravity = {1, 2, 3}, .substeps = 9, .sleeping = false}, {{.threads = 1, .lanes = 1}});
    const World restored = World::restore(world.save(), {{.threads = 2, .lanes = 4}});
    EXPECT_EQ(restored.settings().gravity, (Vec3{1, 2, 3}));
    EXPECT_EQ(restored.settings().substeps, 9);
    EXPECT_FALSE(restored.settings().sleeping);
    EXPECT_EQ(restored.place().threads(), 2);
    EXPECT_EQ(restored.place().lanes(), 4);
}

TEST(WorldSnapshot, HullsKeepTheirGeometry) {
    Scene scene;
    const World restored = World::restore(scene.world.save());
    const Hull before = std::get<Hull>(scene.world.geometry(scene.hull));
    const Hull after = std::get<Hull>(restored.geometry(scene.hull));
    ASSERT_EQ(after.vertices().size(), before.vertices().size());
    EXPECT_TRUE(std::equal(after.vertices().begin(), after.vertices().end(), before.vertices().begin()));
    EXPECT_EQ(after.faces(), before.faces());
}

TEST(WorldSnapshot, AFileHoldsTheSame) {
    const testing::TemporaryFolder folder;
    const std::string file = folder.file("world.snapshot");
    Scene scene;
    scene.run(5);
    scene.world.save(file);
    EXPECT_EQ(World::restore_file(file).hash(), scene.world.hash());
}

TEST(WorldSnapshot, AMissingFileIsRefusedByItsName) {
    EXPECT_EQ(refusal([] { World::restore_file("/nowhere/at/all"); }).where, "/nowhere/at/all");
    EXPECT_EQ(refusal([] { World().save("/nowhere/at/all"); }).where, "/nowhere/at/all");
}

TEST(WorldSnapshot, ForeignBytesAreRefused) {
    const auto refused = [](std::string text) {
        return refusal([&] { World::restore(std::as_bytes(std::span(text))); });
    };
    EXPECT_EQ(refused("").where, "snapshot");
    EXPECT_EQ(refused("SCREE").where, "snapshot");
    EXPECT_EQ(refused("SCREEWLD").where, "snapshot");
    EXPECT_EQ(refused(std::string(100000, 'x')).where, "snapshot");
    EXPECT_TRUE(contains(refused("{\"a\": 1, \"long\": 2}").what, "not a snapshot"));
}

TEST(WorldSnapshot, AnotherVersionIsRefusedByItsNumber) {
    std::vector<std::byte> bytes = some_snapshot();
    bytes[8] = std::byte{77};
    EXPECT_TRUE(contains(refusal([&] { World::restore(bytes); }).what, "version 77"));
}

TEST(WorldSnapshot, EveryChangedByteIsNoticed) {
    const std::vector<std::byte> bytes = some_snapshot();
    std::mt19937 random(1);
    for (std::size_t at = 0; at < bytes.size(); at += at < 64 ? 1 : 1 + random() % 61) {
        std::vector<std::byte> damaged = bytes;
        damaged[at] ^= static_cast<std::byte>(1 + random() % 255);
        EXPECT_EQ(refusal([&] { World::restore(damaged); }).where, "snapshot") << "byte " << at;
    }
}

TEST(WorldSnapshot, EveryCutIsNoticed) {
    const std::vector<std::byte> bytes = some_snapshot();
    for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 13) {
        const auto cut = std::span(bytes).first(length);
        EXPECT_EQ(refusal([&] { World::restore(cut); }).where, "snapshot") << length;
    }
}

TEST(WorldSnapshot, AFixedBodyThatMovesIsRefused) {
    std::size_t at = 0;
    std::vector<std::byte> bytes = lone_body({.type = BodyType::kinematic, .velocity = {1, 0, 0}}, at);
    World::restore(bytes);
    put(bytes, at - 16, static_cast<std::uint32_t>(BodyType::fixed));
    EXPECT_TRUE(contains(refusal([&] { World::restore(bytes); }).what, "body 1"));
}

TEST(WorldSnapshot, AFixedBodyThatCanBePushedIsRefused) {
    std::size_t at = 0;
    std::vector<std::byte> bytes = lone_body({.type = BodyType::dynamic}, at);
    World::restore(bytes);
    put(bytes, at - 16, static_cast<std::uint32_t>(BodyType::fixed));
    EXPECT_TRUE(contains(refusal([&] { World::restore(bytes); }).what, "body 1"));
}

TEST(WorldSnapshot, AHullThatIsNotConvexIsRefused) {
    World world;
    const Vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.8125f}};
    world.attach(world.create_body(), Hull::from_points(points));
    std::vector<std::byte> bytes = world.save();
    World::restore(bytes);
    put(bytes, place_of(bytes, 0.8125f), -0.5f);
    EXPECT_TRUE(contains(refusal([&] { World::restore(bytes); }).what, "hull"));
}

TEST(WorldSnapshot, ForgedBytesGiveAWorldThatCanBeUsedOrAnError) {
    const std::vector<std::byte> bytes = some_snapshot();
    std::mt19937 random(2);
    int refused = 0, accepted = 0;
    for (int k = 0; k < 1500; ++k) {
        std::vector<std::byte> forged = bytes;
        if (k % 5 == 0) forged.resize(33 + random() % (bytes.size() - 33));
        for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
            // single bytes, or whole words that are likely to be counts, indices or numbers
            const std::size_t at = 32 + random() % (forged.size() - 32);
            const std::uint32_t words[] = {0,           1,           0xffffffffu,
                                           0x7fffffffu, 0x7fc00000u, static_cast<std::uint32_t>(random())};
            const std::uint32_t word = words[random() % 6];
            std::memcpy(&forged[at], &word,
                        std::min<std::size_t>(random() % 2 == 0 ? 1 : 4, forged.size() - at));
        }
        forge(forged);
        try {
            World world = World::restore(forged);
            ++accepted;
            ASSERT_NO_THROW(world.step(1 / 60.0f)) << k;
            EXPECT_TRUE(all_are_finite(world)) << k;
            EXPECT_NO_THROW(World::restore(world.save())) << k;
            world.measure();
            for (const BodyId body : world.bodies()) world.destroy(body);
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 100);
    EXPECT_GT(accepted, 100); // a changed number is a number
}

TEST(WorldSnapshot, CountsThatCannotBeAreRefusedBeforeMemoryIsTaken) {
    // every word of the snapshot in turn becomes the largest count
    const std::vector<std::byte> bytes = [] {
        World world;
        world.attach(world.create_body(), Sphere{});
        return world.save();
    }();
    for (std::size_t at = 32; at + 4 <= bytes.size(); at += 4) {
        std::vector<std::byte> forged = bytes;
        std::memset(&forged[at], 0x7f, 4);
        forge(forged);
        try {
            World::restore(forged);
        } catch (const Error&) {}
    }
}

} // namespace
} // namespace scree::test
