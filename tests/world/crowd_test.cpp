// SPDX-License-Identifier: MIT
// crowd_test.cpp — thousands of bodies that come at once are made ready by several threads: as if each had come alone.
#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace scree::test {
namespace {

using Each = std::function<void(World& world, BodyId body)>;

const Each nothing = [](World&, BodyId) {};
const Each look = [](World& world, BodyId body) { (void)world.mass(body); };

Vec3 place(int k) {
    return {3.0f * static_cast<float>(k % 20), 3.0f * static_cast<float>(k / 400),
            3.0f * static_cast<float>(k / 20 % 20)};
}

/// Too far apart to touch. Centres of mass lie off the origins, some are joined, held or pushed, and some have taken the place of others that were never stepped.
std::vector<BodyId> add_crowd(World& world, int count, const Each& each) {
    Dice dice(7);
    std::vector<BodyId> bodies;
    const auto come = [&](int k) {
        BodyDef body;
        body.position = place(k);
        body.rotation = dice.rotation();
        body.angular_velocity = {1, 2, 3};
        if (k % 97 == 0) body.locks = {.y = true};
        const BodyId id = world.create_body(body);
        world.attach(id, Box{0.2f, 0.3f, 0.4f}, {.position = {0.1f, 0.05f * static_cast<float>(k % 3), 0}});
        if (k % 2) world.attach(id, Sphere{0.3f}, {.position = {0, -0.2f, 0.1f}});
        each(world, id);
        if (k % 89 == 0) world.apply_force(id, {0, 500, 0});
        return id;
    };
    for (int k = 0; k < count; ++k) bodies.push_back(come(k));
    for (std::size_t k = 0; k < bodies.size(); k += 5) world.destroy(bodies[k]);
    for (std::size_t k = 0; k < bodies.size(); k += 5) bodies[k] = come(static_cast<int>(k));
    for (std::size_t k = 0; k + 1 < bodies.size(); k += 11)
        if (k % 20 != 19)
            world.create_joint({.type = JointType::ball,
                                .first = bodies[k],
                                .second = bodies[k + 1],
                                .anchor = place(static_cast<int>(k))});
    // joining looked at some
    for (std::size_t k = 0; k < bodies.size(); k += 3)
        world.attach(bodies[k], Sphere{0.1f}, {.position = {0.4f, 0, 0}});
    return bodies;
}

constexpr int many = 5'000;
#ifdef SCREE_SANITIZED // the library is
constexpr int thread_counts[] = {3};
#else
constexpr int thread_counts[] = {1, 2, 5};
#endif

std::vector<std::uint64_t> crowd_hashes(const Place& place, const Each& each = nothing) {
    World world({}, place);
    const std::vector<BodyId> bodies = add_crowd(world, many, each);
    std::vector<std::uint64_t> hashes{world.hash()};
    for (int k = 0; k < 3; ++k) {
        world.step(frame);
        hashes.push_back(world.hash());
        // where the world's arrays are elsewhere, these are fetched
        for (std::size_t b = 0; b < bodies.size(); ++b)
            world.attach(bodies[b], Sphere{0.1f}, {.position = {0, 0.4f, 0}});
    }
    return hashes;
}

TEST(Crowd, IsAsIfEachHadComeAlone) {
    const std::vector<std::uint64_t> alone = crowd_hashes(on(1), look);
    for (const int threads : thread_counts)
        EXPECT_EQ(crowd_hashes(on(threads)), alone) << threads << " threads";
    for (const std::string& device : kernel_devices())
        for (const int threads : thread_counts)
            EXPECT_EQ(crowd_hashes({{.device = device, .threads = threads}}), alone)
                << device << ", " << threads << " threads";
}

/// Those that can be computed with are ready; the others are refused as often as somebody steps, until they are gone.
TEST(Crowd, WhoCannotBeComputedWithIsNamedAndHoldsNobodyBack) {
    for (const int count : {10, many}) {
        World world(in_space(), on(3)), without(in_space(), on(3));
        std::vector<BodyId> bodies = add_crowd(world, count, nothing);
        const std::vector<BodyId> others = add_crowd(without, count, nothing);
        const BodyId first = bodies[bodies.size() / 3], second = bodies[bodies.size() / 2];
        for (const BodyId body : {first, second})
            for (int k = 0; k < 3; ++k) world.attach(body, Box{1, 1, 1}, {.density = 1.6e37f});
        for (const BodyId body : {second, first}) {
            for (int again = 0; again < 2; ++again) {
                const Refusal said = refusal([&] { world.step(frame); });
                EXPECT_EQ(said.where, "mass");
                EXPECT_TRUE(contains(said.what, "body " + std::to_string(body.index))) << said.what;
                EXPECT_EQ(world.steps_done(), 0u);
            }
            world.destroy(body);
        }
        without.destroy(others[others.size() / 2]);
        without.destroy(others[others.size() / 3]);
        world.step(frame);
        without.step(frame);
        EXPECT_EQ(world.hash(), without.hash()) << count;
    }
}

} // namespace
} // namespace scree::test
