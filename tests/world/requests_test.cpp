// SPDX-License-Identifier: MIT
// requests_test.cpp — bodies made and destroyed by kernels of the user.
//
// A kernel here is a loop over the same memory: "cpu" and "cpu:kernels" share theirs with the host.
#include "scree/error.h"
#include "scree/rollback.h"
#include "scree/world.h"
#include "scree/worlds.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace scree::test {
namespace {

const std::vector<std::string> shared_memory{"cpu", "cpu:kernels"};

BodyRequest like(BodyId body, std::uint32_t key, Vec3 position, Vec3 velocity = {}) {
    BodyRequest request;
    request.key = key;
    request.body = body.index;
    request.generation = body.generation;
    request.position[0] = position.x, request.position[1] = position.y, request.position[2] = position.z;
    request.velocity[0] = velocity.x, request.velocity[1] = velocity.y, request.velocity[2] = velocity.z;
    return request;
}
BodyRequest end_of(BodyId body, std::uint32_t key = 0) {
    BodyRequest request = like(body, key, {});
    request.action = RequestAction::destroy;
    return request;
}

/// What threads of a kernel do.
void write(const DeviceRequests& memory, const std::vector<BodyRequest>& list) {
    for (const BodyRequest& request : list) {
        const std::uint32_t at = (*memory.count)++;
        if (at < memory.room) memory.list[at] = request;
    }
}

/// A stone of two shapes, asleep out of sight, to be copied; a floor.
struct Quarry {
    explicit Quarry(World& world) {
        add_floor(world);
        stone = world.create_body({.position = {0, 500, 0},
                                   .linear_damping = 0.1f,
                                   .gravity_scale = 0.5f,
                                   .awake = false,
                                   .user_data = 77});
        world.attach(stone, Box{0.3f, 0.2f, 0.2f}, {.density = 500, .material = {.friction = 0.3f}});
        world.attach(stone, Sphere{0.25f}, {.position = {0.3f, 0, 0}, .density = 900});
    }
    BodyId stone;
};

TEST(Requests, AStepMakesABodyLikeAnother) {
    for (const std::string& device : shared_memory) {
        World world({}, on_device(device));
        const Quarry quarry(world);
        world.step(frame);
        write(world.device_requests(8), {like(quarry.stone, 5, {1, 2, 3}, {0, 1, 0})});
        EXPECT_TRUE(world.request_results().empty());
        world.step(0);
        ASSERT_EQ(world.request_results().size(), 1u);
        const RequestResult result = world.request_results()[0];
        EXPECT_TRUE(result.done);
        EXPECT_EQ(result.key, 5u);
        EXPECT_EQ(result.action, RequestAction::make);
        ASSERT_TRUE(world.alive(result.body));
        EXPECT_EQ(world.state(result.body).position, (Vec3{1, 2, 3}));
        EXPECT_EQ(world.shapes(result.body).size(), 2u);
        EXPECT_EQ(world.definition(world.shapes(result.body)[0]).material.friction, 0.3f);
        EXPECT_EQ(world.mass(result.body).mass, world.mass(quarry.stone).mass);
        EXPECT_EQ(world.user_data(result.body), 77u);
        EXPECT_FALSE(world.state(result.body).asleep);
        EXPECT_TRUE(world.state(quarry.stone).asleep);
        world.step(frame);
        EXPECT_TRUE(world.request_results().empty()) << "carried out once";
        EXPECT_EQ(world.body_count(), 3u);
        // half gravity, damped, as the other
        EXPECT_NEAR(velocity(world, result.body).y, (1 - 0.5 * 9.81 / 60) / (1 + 0.1 / 60), 1e-3);
    }
}

TEST(Requests, AStepDestroysBodies) {
    for (const std::string& device : shared_memory) {
        World world({}, on_device(device));
        const Quarry quarry(world);
        const BodyId ball = add(world, Sphere{0.5f}, {0, 5, 0});
        world.step(frame);
        write(world.device_requests(8), {end_of(ball, 3)});
        world.step(frame);
        ASSERT_EQ(world.request_results().size(), 1u);
        EXPECT_EQ(world.request_results()[0], (RequestResult{RequestAction::destroy, 3, ball, true}));
        EXPECT_FALSE(world.alive(ball));
        EXPECT_EQ(world.body_count(), 2u);
    }
}

TEST(Requests, TheOrderOfThreadsAndTheDeviceDoNotShow) {
    std::vector<RequestResult> expected;
    std::vector<std::uint64_t> hashes;
    for (const std::string& device : shared_memory)
        for (int order = 0; order < 3; ++order) {
            World world({}, on_device(device));
            const Quarry quarry(world);
            std::vector<RequestResult> results;
            std::vector<std::uint64_t> seen;
            std::vector<BodyId> made;
            for (std::uint32_t step = 0; step < 60; ++step) {
                std::vector<BodyRequest> list;
                for (std::uint32_t k = 0; k < 4; ++k) {
                    const float x = 0.8f * static_cast<float>(k), y = 3 + 0.1f * static_cast<float>(step % 7);
                    list.push_back(like(quarry.stone, step % 2 ? k : 9, {x, y, 0}));
                }
                if (made.size() > 20) list.push_back(end_of(made[step % 20], step));
                if (order == 1) std::reverse(list.begin(), list.end());
                if (order == 2) std::rotate(list.begin(), list.begin() + 2, list.end());
                write(world.device_requests(16), list);
                world.step(frame);
                for (const RequestResult& result : world.request_results()) {
                    results.push_back(result);
                    if (result.done && result.action == RequestAction::make) made.push_back(result.body);
                }
                seen.push_back(world.hash());
            }
            // ids have the number of their world, which is not the same
            for (RequestResult& result : results) result.body.generation &= 0xffffffu;
            if (expected.empty()) expected = results, hashes = seen;
            ASSERT_EQ(results, expected) << device << ", order " << order;
            ASSERT_EQ(seen, hashes) << device << ", order " << order;
        }
    EXPECT_GT(expected.size(), 240u);
}

TEST(Requests, WhatIsImpossibleIsRefusedAndTold) {
    for (const std::string& device : shared_memory) {
        World world({}, on_device(device));
        const Quarry quarry(world);
        const BodyId ball = add(world, Sphere{0.5f}, {0, 5, 0});
        world.destroy(ball);
        BodyRequest nowhere = like(quarry.stone, 2, {0, std::numeric_limits<float>::quiet_NaN(), 0});
        BodyRequest unknown = like(quarry.stone, 3, {});
        unknown.action = static_cast<RequestAction>(9);
        BodyRequest of_the_world = like(quarry.stone, 4, {});
        of_the_world.body = 0;
        write(world.device_requests(8), {end_of(ball, 1), nowhere, unknown, of_the_world});
        const std::uint32_t before = world.body_count();
        EXPECT_NO_THROW(world.step(frame));
        ASSERT_EQ(world.request_results().size(), 4u);
        for (const RequestResult& result : world.request_results()) EXPECT_FALSE(result.done) << result.key;
        EXPECT_EQ(world.body_count(), before);
    }
}

TEST(Requests, ThoseWithoutRoomAreCounted) {
    for (const std::string& device : shared_memory) {
        World world({}, on_device(device));
        const Quarry quarry(world);
        const DeviceRequests memory = world.device_requests(2);
        EXPECT_EQ(memory.room, 2u);
        std::vector<BodyRequest> list;
        for (std::uint32_t k = 0; k < 5; ++k)
            list.push_back(like(quarry.stone, k, {2 * static_cast<float>(k), 5, 0}));
        write(memory, list);
        world.step(frame);
        EXPECT_EQ(world.request_results().size(), 2u);
        EXPECT_EQ(world.requests_lost(), 3u);
        world.step(frame);
        EXPECT_EQ(world.requests_lost(), 0u);
    }
}

TEST(Requests, ThoseThatWaitAreSavedClonedAndRolledBack) {
    for (const std::string& device : shared_memory) {
        World world({}, on_device(device));
        const Quarry quarry(world);
        world.step(frame);
        const DeviceRequests memory = world.device_requests(8);
        write(memory, {like(quarry.stone, 1, {0, 3, 0}), like(quarry.stone, 2, {2, 3, 0})});
        World saved = World::restore(world.save(), on_device(device)), clone = world.clone();
        Rollback rollback(world, 2);
        rollback.save();
        for (World* each : {&world, &saved, &clone}) {
            run_steps(*each, 10);
            EXPECT_EQ(each->body_count(), 4u);
            EXPECT_EQ(each->hash(), world.hash());
        }
        const std::uint64_t after = world.hash();
        write(memory, {end_of(quarry.stone)}); // of a future that does not come
        rollback.restore(0);
        EXPECT_EQ(world.body_count(), 2u);
        run_steps(world, 10);
        EXPECT_EQ(world.hash(), after);
        EXPECT_TRUE(world.alive(quarry.stone));
    }
}

TEST(Requests, MoreMemoryKeepsThoseThatWait) {
    World world;
    const Quarry quarry(world);
    write(world.device_requests(1), {like(quarry.stone, 1, {0, 3, 0})});
    write(world.device_requests(4), {like(quarry.stone, 2, {2, 3, 0})});
    world.step(frame);
    EXPECT_EQ(world.request_results().size(), 2u);
}

TEST(Requests, BadRoomAndWorldsAmongManyAreRefused) {
    World world;
    EXPECT_THROW(world.device_requests(0), Error);
    EXPECT_THROW(world.device_requests(1u << 25), Error);
    Worlds worlds(2);
    EXPECT_THROW(worlds[0].device_requests(4), Error);
}

} // namespace
} // namespace scree::test
