// SPDX-License-Identifier: MIT
// determinism_test.cpp — the same scene gives the same bits on any number of threads and lanes, restored and run again,
// and whichever way pairs are found.
#include "support/granular_support.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <ostream>
#include <string>

namespace scree::test {
namespace {

struct Scene {
    const char* name;
    std::function<void(World&)> build;
    bool sleeping = true;
};
std::ostream& operator<<(std::ostream& out, const Scene& scene) { return out << scene.name; }

void build_pile(World& world, Kind kind) {
    add_container(world, 2, 6);
    add_pile(world, kind, 80, 4);
}

/// Restitution, rolling resistance and a belt: what plain contacts do not have.
void build_lively(World& world) {
    add_slab(world, 30, {.surface_velocity = {1, 0, 0.5f}});
    add_pile(world, Kind::mixed, 48, 4, 1, 3,
             {.friction = 0.4f, .restitution = 0.6f, .rolling_resistance = 0.02f});
}

void build_jointed(World& world) {
    add_slab(world, 30);
    add_chain(world, 12, {-3, 6, 0});
    const Molecule molecule = add_molecule(world, 3);
    for (const BodyId ball : molecule.balls) {
        const BodyState s = world.state(ball);
        world.set_pose(ball, {s.position.x + 12, s.position.y + 8, s.position.z}, s.rotation);
    }
    // a door that is hit
    const BodyId door = add(world, Box{1, 1, 0.1f}, {-6, 1.2f, 0});
    world.create_joint({.type = JointType::hinge, .first = door, .anchor = {-7, 1.2f, 0}, .axis = {0, 1, 0}});
    add(world, Sphere{0.4f}, {-5.5f, 1.2f, 4}, {}, {.velocity = {0, 2, -6}});
}

/// More contacts at one body than there are colours.
void build_crowded(World& world) {
    add_slab(world, 30);
    const BodyId tray = world.create_body({.position = {0, 0.25f, 0}});
    world.attach(tray, Box{2.5f, 0.25f, 2.5f});
    for (const float side : {-1.0f, 1.0f}) {
        world.attach(tray, Box{0.25f, 1, 2.5f}, {.position = {side * 2.25f, 1.25f, 0}});
        world.attach(tray, Box{2, 1, 0.25f}, {.position = {0, 1.25f, side * 2.25f}});
    }
    add_pile(world, Kind::mixed, 120, 5, 1);
}

/// A platform that moves to and fro under a tower, and a body that is locked to a plane.
void build_kinematic(World& world) {
    add_slab(world, 30);
    const BodyId platform = add(world, Box{3, 0.25f, 3}, {0, 0.25f, 0}, {},
                                {.type = BodyType::kinematic, .velocity = {0.4f, 0, 0}});
    (void)platform;
    for (int k = 0; k < 20; ++k)
        add(world, Box{0.4f, 0.3f, 0.4f},
            {static_cast<float>(k % 4) - 1.5f, 0.8f + 0.62f * static_cast<float>(k / 4), 0.1f});
    add(world, Sphere{0.4f}, {3.2f, 3, 0}, {}, {.locks = {.z = true, .turn_x = true}});
}

/// Bodies that keep to lines and planes, in a pile and in joints.
void build_locked(World& world) {
    add_container(world, 2, 6);
    const std::vector<BodyId> pile = add_pile(world, Kind::mixed, 60, 4);
    for (std::size_t k = 0; k < pile.size(); ++k)
        world.set_locks(pile[k], {.x = k % 5 == 0,
                                  .y = k % 11 == 0,
                                  .z = k % 3 == 0,
                                  .turn_x = k % 4 == 0,
                                  .turn_y = k % 7 == 0,
                                  .turn_z = k % 10 == 0});
    const Chain chain = add_chain(world, 8, {-3, 9, 0});
    for (std::size_t k = 0; k < 8; k += 2) world.set_locks(chain.links[k], {.y = k == 2, .z = true});
}

std::vector<Scene> scenes() {
    std::vector<Scene> list{
        {"pyramid", [](World& w) { add_slab(w, 50), add_pyramid(w, 10); }},
        {"boxes", [](World& w) { build_pile(w, Kind::boxes); }},
        {"spheres", [](World& w) { build_pile(w, Kind::spheres); }},
        {"capsules", [](World& w) { build_pile(w, Kind::capsules); }},
        {"hulls", [](World& w) { build_pile(w, Kind::hulls); }},
        {"mixed", [](World& w) { build_pile(w, Kind::mixed); }},
        {"compounds", [](World& w) { build_pile(w, Kind::compounds); }},
        {"lively", build_lively},
        {"jointed", build_jointed},
        {"crowded", build_crowded},
        {"kinematic", build_kinematic},
        {"locked", build_locked},
    };
    const std::size_t count = list.size();
    for (std::size_t k = 0; k < count; ++k) {
        Scene awake = list[k];
        awake.sleeping = false;
        list.push_back(awake);
    }
    return list;
}

WorldSettings settings_of(const Scene& scene) { return {.sleeping = scene.sleeping}; }

std::vector<std::uint64_t> history(const Scene& scene, const WorldSettings& settings, int steps,
                                   const Place& place = on(1)) {
    World world(settings, place);
    scene.build(world);
    return hashes_of(world, steps, 30);
}

/// Work split for so many workers and done one after the other in a disorder of its own: what depends on who does what, or
/// on what is done before what, shows without a thread.
class Disorder : public TaskSystem {
public:
    explicit Disorder(int workers) : workers_(workers) {}
    int workers() const override { return workers_; }
    void run(int count, const std::function<void(int)>& task) override {
        // an odd stride that shares no factor with the count, from another beginning each time
        int stride = 7;
        while (std::gcd(stride, count) != 1) stride += 2;
        ++calls_;
        for (int k = 0; k < count; ++k)
            task(static_cast<int>((calls_ + static_cast<unsigned>(k * stride)) %
                                  static_cast<unsigned>(count)));
    }

private:
    int workers_;
    unsigned calls_ = 0;
};

class RigidDeterminism : public testing::TestWithParam<Scene> {};

/// Long enough that piles fall, come to rest and sleep; a sanitizer's build runs less of it.
int steps() { return built_with_sanitizer() ? 100 : 250; }

TEST_P(RigidDeterminism, RunAgainTheBitsAreTheSame) {
    const auto first = history(GetParam(), settings_of(GetParam()), steps());
    EXPECT_EQ(first, history(GetParam(), settings_of(GetParam()), steps()));
    // and the scene does something
    EXPECT_NE(first.front(), first[1]);
}

TEST_P(RigidDeterminism, TheDivisionOfLabourDoesNotShow) {
    const SplitSmallWorlds split;
    const auto one = history(GetParam(), settings_of(GetParam()), steps());
    for (const int workers : {2, 4, 8}) {
        Disorder disorder(workers);
        EXPECT_EQ(one, history(GetParam(), settings_of(GetParam()), steps(), {{.tasks = &disorder}}))
            << workers << " workers";
    }
}

TEST_P(RigidDeterminism, ThreadsDoNotShow) {
    const SplitSmallWorlds split;
    // where there are fewer cores than threads these wait for each other most of the time: few steps, late in the scene
    World world(settings_of(GetParam()), on(1));
    GetParam().build(world);
    run_steps(world, 60);
    const std::vector<std::byte> snapshot = world.save();
    const std::vector<std::uint64_t> one = hashes_of(world, 32, 1);
    for (const int threads : {2, 4, 8}) {
        World other = World::restore(snapshot, on(threads));
        const int count = 64 / threads / (threads / 2); // 32, 8, 2
        const std::vector<std::uint64_t> some(one.begin(), one.begin() + count);
        EXPECT_EQ(some, hashes_of(other, count, 1)) << threads << " threads";
    }
}

TEST_P(RigidDeterminism, LanesDoNotShow) {
    const auto widest = history(GetParam(), settings_of(GetParam()), steps());
    for (const int lanes : available_lanes())
        EXPECT_EQ(widest, history(GetParam(), settings_of(GetParam()), steps(), on(1, lanes)))
            << lanes << " lanes";
}

TEST_P(RigidDeterminism, ARestoredWorldGoesOnWithTheSameBits) {
    World world(settings_of(GetParam()), on(1));
    GetParam().build(world);
    // in the midst of falling, of settling, and perhaps asleep
    for (const int pause : {37, 90, 200}) {
        run_steps(world, pause);
        const std::vector<std::byte> snapshot = world.save();
        World restored = World::restore(snapshot, on(2, available_lanes().front()));
        ASSERT_EQ(world.hash(), restored.hash());
        World again = World::restore(snapshot, on(1));
        for (int k = 0; k < 60; ++k) {
            world.step(frame);
            restored.step(frame);
            again.step(frame);
            ASSERT_EQ(world.hash(), restored.hash())
                << "step " << k + 1 << " after step " << world.steps_done() - 1 - static_cast<unsigned>(k);
            ASSERT_EQ(world.hash(), again.hash());
        }
    }
}

TEST_P(RigidDeterminism, ASnapshotOfARestoredWorldIsTheSame) {
    World world(settings_of(GetParam()), on(1));
    GetParam().build(world);
    run_steps(world, 100);
    const std::vector<std::byte> snapshot = world.save();
    EXPECT_EQ(snapshot, World::restore(snapshot).save());
}

TEST_P(RigidDeterminism, TheBroadPhaseDoesNotShow) {
    const auto tree = history(GetParam(), settings_of(GetParam()), steps());
    for (const BroadPhase broad_phase : {BroadPhase::grid, BroadPhase::brute}) {
        WorldSettings settings = settings_of(GetParam());
        settings.broad_phase = broad_phase;
        EXPECT_EQ(tree, history(GetParam(), settings, steps()))
            << (broad_phase == BroadPhase::grid ? "grid" : "brute");
        Disorder disorder(3);
        EXPECT_EQ(tree, history(GetParam(), settings, steps(), {{.tasks = &disorder}}))
            << (broad_phase == BroadPhase::grid ? "grid" : "brute") << " among 3";
    }
}

TEST_P(RigidDeterminism, DevicesDoNotShow) {
    for (const std::string& device : kernel_devices()) {
        World world(settings_of(GetParam()), on(1)), other(settings_of(GetParam()), on_device(device));
        GetParam().build(world);
        GetParam().build(other);
        ASSERT_EQ(world.hash(), other.hash()) << device << " at first";
        for (int k = 1; k <= steps(); ++k) {
            world.step(frame);
            other.step(frame);
            if (k > 60 && k % 50) continue;
            ASSERT_EQ(world.hash(), other.hash()) << device << " after step " << k;
        }
        EXPECT_EQ(world.counters().contacts, other.counters().contacts);
        EXPECT_EQ(world.counters().pairs, other.counters().pairs);
        EXPECT_EQ(world.counters().overflow, other.counters().overflow);
        EXPECT_EQ(world.counters().awake, other.counters().awake);
    }
}

TEST_P(RigidDeterminism, ASavedWorldMovesBetweenDevices) {
    for (const std::string& device : kernel_devices()) {
        World world(settings_of(GetParam()), on(1));
        GetParam().build(world);
        for (const int pause : {37, 90, 200}) {
            run_steps(world, pause);
            World other = World::restore(world.save(), on_device(device));
            ASSERT_EQ(world.hash(), other.hash()) << device;
            for (int k = 0; k < 30; ++k) {
                world.step(frame);
                other.step(frame);
                ASSERT_EQ(world.hash(), other.hash()) << device << " " << k + 1 << " steps after " << pause;
            }
            world = World::restore(other.save(), on(1));
        }
    }
}

TEST_P(RigidDeterminism, DevicesDoNotShowWithTheOtherSolver) {
    for (const std::string& device : kernel_devices()) {
        WorldSettings settings = settings_of(GetParam());
        settings.solver = Solver::sor;
        World world(settings, on(1)), other(settings, on_device(device));
        GetParam().build(world);
        GetParam().build(other);
        for (int k = 1; k <= 100; ++k) {
            world.step(frame);
            other.step(frame);
            ASSERT_EQ(world.hash(), other.hash()) << device << " after step " << k;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, RigidDeterminism, testing::ValuesIn(scenes()), [](const auto& scene) {
    return std::string(scene.param.name) + (scene.param.sleeping ? "" : "_awake");
});

// scenes large enough for every loop to be split among threads ----------------------------------------------------------

TEST(RigidDeterminismAtSize, AThousandBodiesGiveTheSameBitsOnAnyNumberOfThreads) {
    const Scene scene{"heap", [](World& world) {
                          add_container(world, 5, 10);
                          add_pile(world, Kind::mixed, 1500, 11);
                      }};
    const int count = built_with_sanitizer() ? 30 : 60;
    const auto one = history(scene, settings_of(scene), count);
    for (const int workers : {2, 4, 8}) {
        Disorder disorder(workers);
        EXPECT_EQ(one, history(scene, settings_of(scene), count, {{.tasks = &disorder}}))
            << workers << " workers";
    }
    EXPECT_EQ(one, history(scene, settings_of(scene), count, on(2))) << "2 threads";
    for (const BroadPhase broad_phase : {BroadPhase::grid, BroadPhase::brute}) {
        WorldSettings settings = settings_of(scene);
        settings.broad_phase = broad_phase;
        EXPECT_EQ(one, history(scene, settings, count, on(4)))
            << (broad_phase == BroadPhase::grid ? "grid" : "brute");
    }
    for (const int lanes : available_lanes())
        EXPECT_EQ(one, history(scene, settings_of(scene), count, on(1, lanes))) << lanes << " lanes";
}

TEST(RigidDeterminismAtSize, ThreadsFindTheSamePairsByEveryBroadPhase) {
    const SplitSmallWorlds split;
    for (const BroadPhase broad_phase : {BroadPhase::tree, BroadPhase::grid, BroadPhase::brute}) {
        World world({.broad_phase = broad_phase}, on(1));
        add_container(world, 5, 10);
        add_pile(world, Kind::mixed, 1500, 11);
        // bodies fall and leave their fat bounds: pairs come and go in every step
        run_steps(world, 10);
        const std::vector<std::byte> snapshot = world.save();
        const std::vector<std::uint64_t> one = hashes_of(world, 6, 1);
        for (const int threads : {2, 4}) {
            World other = World::restore(snapshot, on(threads));
            EXPECT_EQ(one, hashes_of(other, 6, 1)) << threads << " threads, broad phase " << int(broad_phase);
        }
    }
}

// sleep, wake and change -------------------------------------------------------------------------------------------------

/// The same hash with any lanes, two threads and on the devices that run the kernels.
void expect_same_everywhere(std::uint64_t (*hash_on)(const Place&)) {
    const std::uint64_t expected = hash_on(on(1));
    for (const int lanes : available_lanes()) EXPECT_EQ(hash_on(on(1, lanes)), expected) << lanes << " lanes";
    EXPECT_EQ(hash_on(on(2)), expected) << "2 threads";
    for (const std::string& device : kernel_devices())
        EXPECT_EQ(hash_on(on_device(device)), expected) << device;
}

/// A tower on a kinematic platform that sleeps, is woken, and hit: contacts that stayed while their body slept.
std::uint64_t woken_on_platform(const Place& place) {
    World world(default_settings(), place);
    add(world, Box{5, 0.5f, 5}, {0, -0.5f, 0}, {}, {.type = BodyType::kinematic});
    std::vector<BodyId> boxes;
    for (int k = 0; k < 24; ++k)
        boxes.push_back(add(world, Box{0.4f, 0.3f, 0.4f},
                            {0.8f * static_cast<float>(k % 4), 0.3f + 0.6f * static_cast<float>(k / 12),
                             0.8f * static_cast<float>(k / 4 % 3)}));
    run_steps(world, 150);
    EXPECT_TRUE(all_asleep(world, boxes));
    for (int round = 0; round < 4; ++round) {
        add(world, Sphere{0.3f}, {-3, 0.5f, 0.3f * static_cast<float>(round)}, {}, {.velocity = {8, 0, 1}});
        run_steps(world, 90);
    }
    return world.hash();
}

TEST(RigidDeterminismOfSleep, SleepersOnAKinematicBodyWakeTheSameWithAnyLanes) {
    expect_same_everywhere(woken_on_platform);
}

/// A plate put to sleep below bodies that stay awake: contacts of one body that nobody may move at the same time.
std::uint64_t put_to_sleep_below(const Place& place) {
    World world(default_settings(), place);
    add_slab(world, 20);
    const BodyId plate = add(world, Box{3, 0.25f, 3}, {0, 0.25f, 0});
    Dice dice(3);
    for (int k = 0; k < 25; ++k)
        add(world, Box{0.3f, 0.3f, 0.3f},
            {1.1f * static_cast<float>(k % 5 - 2), 0.8f, 1.1f * static_cast<float>(k / 5 - 2)}, {},
            {.angular_velocity = dice.in_box({-2, -2, -2}, {2, 2, 2}), .can_sleep = false});
    run_steps(world, 30);
    world.put_to_sleep(plate);
    run_steps(world, 60);
    return world.hash();
}

TEST(RigidDeterminismOfSleep, ABodyPutToSleepAmongOthersGivesTheSameBitsWithAnyLanes) {
    expect_same_everywhere(put_to_sleep_below);
}

/// Bodies that come, go and change while the scene runs.
std::uint64_t changing(const Place& place) {
    World world(default_settings(), place);
    add_container(world, 3, 6);
    std::vector<BodyId> bodies = add_pile(world, Kind::mixed, 60, 5);
    Dice dice(11);
    for (int k = 0; k < 300; ++k) {
        world.step(frame);
        if (k % 7 == 0) {
            const auto at = static_cast<std::size_t>(dice.between(0, static_cast<double>(bodies.size())));
            world.destroy(bodies[at]);
            bodies[at] = add(world, Box{0.2f, 0.3f, 0.25f}, dice.in_box({-2, 5, -2}, {2, 7, 2}));
        }
        if (k % 11 == 0)
            world.apply_impulse(bodies[static_cast<std::size_t>(k) % bodies.size()], {0, 300, 50});
        if (k % 31 == 0) world.set_type(bodies[3], k % 62 ? BodyType::dynamic : BodyType::fixed);
        if (k % 41 == 0) world.set_type(bodies[7], k % 82 ? BodyType::dynamic : BodyType::kinematic);
        if (k % 23 == 0) world.put_to_sleep(bodies[static_cast<std::size_t>(k) % bodies.size()]);
        if (k % 37 == 0) world.attach(bodies[5], Sphere{0.2f}, {.position = {0.3f, 0, 0}});
    }
    return world.hash();
}

TEST(RigidDeterminismOfChange, AWorldThatChangesGivesTheSameBitsOnAnyThreadsAndLanes) {
    const std::uint64_t expected = changing(on(1, 1));
    for (const int lanes : available_lanes())
        EXPECT_EQ(changing(on(1, lanes)), expected) << lanes << " lanes";
    EXPECT_EQ(changing(on(2)), expected) << "2 threads";
    for (const std::string& device : kernel_devices())
        EXPECT_EQ(changing(on_device(device)), expected) << device;
}

} // namespace
} // namespace scree::test
