// SPDX-License-Identifier: MIT
// event_test.cpp — what a step tells: contacts that begin, end and hit, sensors, sleep, the region; on every device alike.
#include "scree/event.h"
#include "scree/rollback.h"
#include "scree/worlds.h"
#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace scree::test {
namespace {

#define EXPECT_REFUSED(call, where) EXPECT_EQ(error_place([&] { (void)(call); }), where)

constexpr ShapeDef telling{.contact_events = true, .hit_events = true};

/// Runs and counts events.
struct Counts {
    std::size_t begins = 0, ends = 0, hits = 0, enters = 0, leaves = 0;
    void add(const Events& e) {
        begins += e.contact_begins.size(), ends += e.contact_ends.size(), hits += e.hits.size();
        enters += e.sensor_begins.size(), leaves += e.sensor_ends.size();
    }
};
Counts run(World& world, int steps) {
    Counts counts;
    for (int k = 0; k < steps; ++k) {
        world.step(frame);
        counts.add(world.events());
    }
    return counts;
}

// contacts -----------------------------------------------------------------------------------------------------------

TEST(Events, AWorldInWhichNobodyAsksHasNone) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        add_floor(world);
        add_pile(world, Kind::mixed, 8);
        for (int k = 0; k < 60; ++k) {
            world.step(frame);
            EXPECT_EQ(world.events(), Events{});
        }
    }
}

TEST(Events, ABouncingBallBeginsEndsAndHitsAtEachBounce) {
    for (const std::string& device : all_devices()) {
        World world(without_sleep(), on_device(device));
        add_floor(world, {.restitution = 1});
        const float height = 2, g = 9.81f;
        const BodyId ball = add(world, Sphere{0.25f}, {0, height + 0.25f, 0}, telling);
        // falls for sqrt(2 h / g), then as often as it takes to come down again; it loses a little at each bounce
        const float fall = std::sqrt(2 * height / g), time = 8;
        const auto expected = static_cast<std::size_t>(std::floor((time - fall) / (2 * fall))) + 1;
        std::size_t bounces = 0;
        Counts counts;
        for (float at = 0; at < time; at += frame) {
            const bool falls = world.state(ball).velocity.y < 0;
            world.step(frame);
            bounces += falls && world.state(ball).velocity.y > 0;
            counts.add(world.events());
        }
        EXPECT_GE(bounces, expected);
        EXPECT_LE(bounces, expected + 1);
        EXPECT_EQ(counts.begins, bounces) << device;
        EXPECT_EQ(counts.ends, bounces) << device;
        EXPECT_EQ(counts.hits, bounces) << device;
    }
}

TEST(Events, AHitTellsSpeedImpulsePointAndNormal) {
    for (const std::string& device : all_devices())
        for (const Solver solver : {Solver::soft_step, Solver::sor}) {
            WorldSettings settings = without_sleep();
            settings.solver = solver;
            World world(settings, on_device(device));
            const BodyId floor = add_floor(world);
            const float height = 3, radius = 0.5f, density = 1000;
            const BodyId ball = add(world, Sphere{radius}, {1, height + radius, 2}, telling);
            const float speed = std::sqrt(2 * 9.81f * height);
            const float mass = density * 4 / 3 * 3.14159265f * radius * radius * radius;
            std::vector<HitEvent> hits;
            for (int k = 0; k < 120; ++k) {
                world.step(frame);
                hits.insert(hits.end(), world.events().hits.begin(), world.events().hits.end());
            }
            ASSERT_EQ(hits.size(), 1u) << device;
            EXPECT_EQ(hits[0].first_body, floor);
            EXPECT_EQ(hits[0].second_body, ball);
            // within what a step of falling changes
            EXPECT_NEAR(hits[0].speed, speed, 9.81f * frame);
            // the SOR solver lets it come down to the ground first, and takes the rest in the next step
            EXPECT_GE(hits[0].impulse, 0.5f * mass * hits[0].speed);
            EXPECT_NEAR(hits[0].impulse, mass * speed,
                        mass * (solver == Solver::sor ? 0.5f * speed : 2 * 9.81f * frame));
            EXPECT_NEAR(hits[0].normal.y, 1, 1e-5f);
            EXPECT_NEAR(hits[0].point.x, 1, 1e-3f);
            EXPECT_NEAR(hits[0].point.y, 0, 0.05f);
            EXPECT_NEAR(hits[0].point.z, 2, 1e-3f);
        }
}

TEST(Events, SlowImpactsAreNoHits) {
    World world({.hit_speed = 20});
    add_floor(world);
    add(world, Sphere{0.5f}, {0, 3, 0}, telling);
    EXPECT_EQ(run(world, 120).hits, 0u);
}

std::vector<Geometry> solids() {
    return {Sphere{0.4f},         Capsule{0.3f, 0.3f}, Box{0.4f, 0.3f, 0.35f},
            Cylinder{0.4f, 0.3f}, Cone{0.4f, 0.4f},    pebble(3, 0.45f)};
}

TEST(Events, EveryPairOfShapesBeginsAndEndsOnceAndIsSeenBySensors) {
    for (const std::string& device : all_devices()) {
        for (const Geometry& first : solids())
            for (const Geometry& second : solids()) {
                World world(in_space(), on_device(device));
                // the second flies by the first, and past a sensor of the same shape
                const BodyId still =
                    add(world, first, {0, 0, 0}, {.contact_events = true}, {.type = BodyType::fixed});
                const BodyId gate =
                    add(world, first, {20, 0, 0}, {.sensor = true}, {.type = BodyType::fixed});
                const BodyId flies = add(world, second, {-2, 0.05f, 0.02f}, {.material = {.restitution = 1}},
                                         {.velocity = {6, 0, 0}});
                const BodyId passes = add(world, second, {18, 0.05f, 0.02f}, {}, {.velocity = {6, 0, 0}});
                std::vector<ContactEvent> begins, ends;
                std::vector<SensorEvent> enters, leaves;
                for (int k = 0; k < 90; ++k) {
                    world.step(frame);
                    const Events& e = world.events();
                    begins.insert(begins.end(), e.contact_begins.begin(), e.contact_begins.end());
                    ends.insert(ends.end(), e.contact_ends.begin(), e.contact_ends.end());
                    enters.insert(enters.end(), e.sensor_begins.begin(), e.sensor_begins.end());
                    leaves.insert(leaves.end(), e.sensor_ends.begin(), e.sensor_ends.end());
                }
                ASSERT_FALSE(begins.empty());
                EXPECT_EQ(begins[0].first_body, still);
                EXPECT_EQ(begins[0].second_body, flies);
                EXPECT_EQ(begins.size(), ends.size());
                ASSERT_EQ(enters.size(), 1u) << device << first.index() << second.index();
                EXPECT_EQ(leaves, enters);
                EXPECT_EQ(enters[0].sensor_body, gate);
                EXPECT_EQ(enters[0].visitor_body, passes);
                // not held up
                EXPECT_NEAR(world.state(passes).velocity.x, 6, 1e-5f);
            }
    }
}

TEST(Events, BeginsAndEndsAreTheDifferencesOfContacts) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        add_container(world, 1.5f, 4);
        for (int k = 0; k < 40; ++k) {
            const Vec3 at{0.6f * static_cast<float>(k % 4) - 0.9f, 0.5f + 0.5f * static_cast<float>(k / 8),
                          0.6f * static_cast<float>(k / 4 % 2) - 0.3f};
            add(world, k % 2 ? Geometry(Box{0.2f, 0.2f, 0.2f}) : Geometry(Sphere{0.22f}), at, telling);
        }
        using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
        Pairs before;
        for (int k = 0; k < 200; ++k) {
            // shapes come and go, and bodies jump
            const std::vector<BodyId> bodies = world.bodies();
            if (k % 20 == 7) world.destroy(bodies[5 + static_cast<std::size_t>(k / 10)]);
            if (k % 20 == 11) world.set_pose(bodies[8], {0, 3, 0}, {});
            if (k % 20 == 15) add(world, Sphere{0.22f}, {0, 3.5f, 0}, telling);
            world.step(frame);
            Pairs now, begins, ends;
            for (const ContactInfo& c : world.contacts()) now.emplace(c.first.index, c.second.index);
            const Events& e = world.events();
            for (const ContactEvent& c : e.contact_begins) begins.emplace(c.first.index, c.second.index);
            for (const ContactEvent& c : e.contact_ends) ends.emplace(c.first.index, c.second.index);
            Pairs expected = before;
            for (const auto& pair : ends) EXPECT_EQ(expected.erase(pair), 1u);
            expected.insert(begins.begin(), begins.end());
            ASSERT_EQ(expected, now) << device << " step " << k;
            const auto sorted = [](const std::vector<ContactEvent>& list) {
                return std::is_sorted(list.begin(), list.end(), [](const auto& a, const auto& b) {
                    return std::pair(a.first.index, a.second.index) <
                           std::pair(b.first.index, b.second.index);
                });
            };
            EXPECT_TRUE(sorted(e.contact_begins) && sorted(e.contact_ends));
            before = now;
        }
        EXPECT_GT(before.size(), 20u);
    }
}

TEST(Events, APairOfWhichAShapeIsDestroyedEndsByItsOldName) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        const BodyId floor = add_floor(world);
        const BodyId box = add(world, Box{}, {0, 0.5f, 0}, telling);
        const ShapeId old = world.shapes(box)[0];
        run(world, 10);
        world.destroy(box);
        // in the same slots
        const BodyId next = add(world, Box{}, {0, 0.5f, 0}, telling);
        EXPECT_EQ(next.index, box.index);
        world.step(frame);
        // reading late changes nothing
        world.destroy(next);
        const Events& e = world.events();
        ASSERT_EQ(e.contact_ends.size(), 1u);
        EXPECT_EQ(e.contact_ends[0].second, old);
        EXPECT_EQ(e.contact_ends[0].second_body, box);
        EXPECT_EQ(e.contact_ends[0].first_body, floor);
        ASSERT_EQ(e.contact_begins.size(), 1u);
        EXPECT_EQ(e.contact_begins[0].second_body, next);
        world.step(frame);
        ASSERT_EQ(world.events().contact_ends.size(), 1u);
        EXPECT_EQ(world.events().contact_ends[0].second_body, next);
        world.step(frame);
        EXPECT_EQ(world.events(), Events{});
    }
}

TEST(Events, TheContactsOfABodyAreThoseOfTheWorldThatNameIt) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        add_floor(world);
        const std::vector<BodyId> bodies = add_pyramid(world, 4);
        run(world, 30);
        for (const BodyId body : bodies) {
            std::vector<ContactInfo> expected;
            for (const ContactInfo& c : world.contacts())
                if (c.first_body == body || c.second_body == body) expected.push_back(c);
            const std::vector<ContactInfo> own = world.contacts(body);
            ASSERT_EQ(own.size(), expected.size());
            EXPECT_GE(own.size(), 2u);
            for (std::size_t k = 0; k < own.size(); ++k) {
                EXPECT_EQ(own[k].first, expected[k].first);
                EXPECT_EQ(own[k].second, expected[k].second);
                const auto one = world.contact(own[k].second, own[k].first);
                ASSERT_TRUE(one);
                EXPECT_EQ(one->points[0].normal_impulse, expected[k].points[0].normal_impulse);
            }
        }
        EXPECT_FALSE(world.contact(world.shapes(bodies[0])[0], world.shapes(bodies.back())[0]));
    }
}

// sensors ------------------------------------------------------------------------------------------------------------

TEST(Events, ASensorSeesFixedKinematicAndDynamicBodies) {
    for (const std::string& device : all_devices()) {
        World world(in_space(), on_device(device));
        const auto sensor = [&](Vec3 at, BodyType type) {
            return add(world, Sphere{1}, at, {.sensor = true}, {.type = type});
        };
        const auto box = [&](Vec3 at, BodyType type) { return add(world, Box{}, at, {}, {.type = type}); };
        std::size_t expected = 0;
        int column = 0;
        for (const BodyType of_sensor : {BodyType::fixed, BodyType::kinematic, BodyType::dynamic})
            for (const BodyType other : {BodyType::fixed, BodyType::kinematic, BodyType::dynamic}) {
                const Vec3 at{5.0f * static_cast<float>(column++), 0, 0};
                sensor(at, of_sensor);
                box(at, other);
                expected += of_sensor != BodyType::fixed || other != BodyType::fixed;
            }
        // sensors do not see each other
        sensor({0, 20, 0}, BodyType::dynamic);
        sensor({0, 20, 0}, BodyType::kinematic);
        world.step(frame);
        EXPECT_EQ(world.events().sensor_begins.size(), expected) << device;
        EXPECT_TRUE(world.contacts().empty());
        world.step(frame);
        EXPECT_EQ(world.events(), Events{});
    }
}

TEST(Events, ASleepingBodyStaysInsideASensorAndIsSeenByOneThatCame) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        add_floor(world);
        const BodyId zone = add(world, Box{2, 2, 2}, {0, 1, 0}, {.sensor = true}, {.type = BodyType::fixed});
        const BodyId box = add(world, Box{}, {0, 0.5f, 0}, {}, {.sleep_events = true});
        Counts counts;
        bool slept = false;
        for (int k = 0; k < 120; ++k) {
            world.step(frame);
            counts.add(world.events());
            for (const BodyId id : world.events().fell_asleep) slept = slept || id == box;
        }
        EXPECT_TRUE(slept && world.state(box).asleep) << device;
        EXPECT_EQ(counts.enters, 1u);
        EXPECT_EQ(counts.leaves, 0u);
        // another comes to the sleeper, and does not wake it
        const BodyId second =
            add(world, Sphere{1}, {0, 0.5f, 0}, {.sensor = true}, {.type = BodyType::fixed});
        world.step(frame);
        ASSERT_EQ(world.events().sensor_begins.size(), 1u);
        EXPECT_EQ(world.events().sensor_begins[0].sensor_body, second);
        EXPECT_EQ(world.events().sensor_begins[0].visitor_body, box);
        EXPECT_TRUE(world.state(box).asleep);
        // goes away from it, and comes again
        world.set_pose(second, {0, 9, 0}, {});
        world.step(frame);
        EXPECT_EQ(world.events().sensor_ends.size(), 1u);
        world.set_pose(second, {0.2, 0.5, 0}, {});
        world.step(frame);
        EXPECT_EQ(world.events().sensor_begins.size(), 1u);
        EXPECT_TRUE(world.state(box).asleep);
        // and the body leaves the zone
        world.set_pose(box, {30, 0.5, 0}, {});
        world.step(frame);
        ASSERT_EQ(world.events().sensor_ends.size(), 2u);
        EXPECT_EQ(world.events().sensor_ends[0].sensor_body, zone);
        ASSERT_EQ(world.events().woke.size(), 1u);
        EXPECT_EQ(world.events().woke[0], box);
    }
}

TEST(Events, SensorsHaveNoMassAndQueriesDoNotSeeThem) {
    World world;
    const BodyId body = world.create_body();
    world.attach(body, Box{});
    const float mass = world.mass(body).mass;
    world.attach(body, Sphere{3}, {.sensor = true});
    EXPECT_EQ(world.mass(body).mass, mass);
    const auto hit = world.cast_ray({.origin = {0, 10, 0}, .translation = {0, -20, 0}});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->point.y, 0.5, 1e-5);
}

// bodies -------------------------------------------------------------------------------------------------------------

TEST(Events, BodiesTellWhenTheySleepAndWakeAndLeaveTheRegion) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        add_floor(world);
        const BodyId box = add(world, Box{}, {0, 0.5f, 0}, {}, {.sleep_events = true});
        const BodyId quiet = add(world, Box{}, {5, 0.5f, 0});
        const BodyId thrown = add(world, Sphere{}, {0, 3, 8}, {}, {.velocity = {0, 0, 10}});
        world.set_region(Region{{-10, -1, -10}, {10, 20, 10}});
        std::vector<BodyId> slept, woke, left;
        for (int k = 0; k < 120; ++k) {
            if (k == 100) world.wake(box);
            world.step(frame);
            const Events& e = world.events();
            slept.insert(slept.end(), e.fell_asleep.begin(), e.fell_asleep.end());
            woke.insert(woke.end(), e.woke.begin(), e.woke.end());
            left.insert(left.end(), e.left_region.begin(), e.left_region.end());
        }
        EXPECT_TRUE(world.state(quiet).asleep);
        EXPECT_EQ(slept, std::vector{box}) << device;
        EXPECT_EQ(woke, std::vector{box});
        EXPECT_EQ(left, std::vector{thrown});
        // one that comes back can leave again; another region counts from then on
        world.set_pose(thrown, {0, 3, 0}, {});
        world.step(frame);
        world.set_region(Region{{-10, -1, -10}, {10, 2, 10}});
        world.step(frame);
        EXPECT_EQ(world.events().left_region, std::vector{thrown});
        world.set_region({});
        EXPECT_FALSE(world.region());
        world.step(frame);
        EXPECT_TRUE(world.events().left_region.empty());
        EXPECT_REFUSED(world.set_region(Region{{1, 0, 0}, {0, 1, 1}}), "region");
        EXPECT_REFUSED(world.set_region(Region{{NAN, 0, 0}, {0, 1, 1}}), "low.x");
    }
}

// one-way shapes -----------------------------------------------------------------------------------------------------

TEST(Events, BodiesPassAOneWayShapeFromBelowAndLandOnIt) {
    for (const std::string& device : all_devices())
        for (const Geometry& geometry : solids()) {
            World world({}, on_device(device));
            add(world, Box{3, 0.1f, 3}, {0, 3, 0}, {.one_way = {0, 2, 0}}, {.type = BodyType::fixed});
            // upside down: holds nothing that comes from above
            add(world, Box{3, 0.1f, 3}, {10, 3, 0}, {.one_way = {0, -1, 0}}, {.type = BodyType::fixed});
            const BodyId thrown = add(world, geometry, {0, 1, 0}, {}, {.velocity = {0, 9, 0}});
            const BodyId falls = add(world, geometry, {10, 5, 0});
            double top = 0;
            for (int k = 0; k < 240; ++k) {
                world.step(frame);
                top = std::max(top, world.position(thrown).y);
            }
            EXPECT_GT(top, 4) << device; // 1 + 81 / 2g is 5.1
            EXPECT_GT(world.position(thrown).y, 3.1) << device << geometry.index();
            EXPECT_LT(world.position(falls).y, 0) << device;
        }
}

// the same everywhere ------------------------------------------------------------------------------------------------

/// Sensors, hits, one-way shapes, sleepers, and bodies that come and go.
void build_lively(World& world, int bodies = 48) {
    add_container(world, 3, 3);
    add(world, Box{1, 0.1f, 3}, {0, 2, 0}, {.one_way = {0, 1, 0}}, {.type = BodyType::fixed});
    add(world, Box{1, 1, 1}, {-1.5f, 1, 0}, {.sensor = true}, {.type = BodyType::fixed});
    add(world, Sphere{0.8f}, {1.5f, 1, 1}, {.sensor = true},
        {.type = BodyType::kinematic, .angular_velocity = {0, 1, 0}});
    add(world, Box{0.3f, 0.3f, 1.5f}, {1.5f, 0.4f, -1}, {.contact_events = true},
        {.type = BodyType::kinematic, .angular_velocity = {0, 1.5f, 0}});
    Dice dice(7);
    const std::vector<Geometry> shapes = solids();
    for (int k = 0; k < bodies; ++k) {
        const BodyId body =
            world.create_body({.position = {dice.between(-2, 2), 0.6 + 0.25 * k, dice.between(-2, 2)},
                               .rotation = dice.rotation(),
                               .sleep_events = k % 2 == 0});
        world.attach(body, shapes[static_cast<std::size_t>(k) % shapes.size()],
                     {.material = {.restitution = k % 3 ? 0.0f : 0.7f},
                      .contact_events = k % 4 != 0,
                      .hit_events = true});
        if (k % 8 == 0) world.attach(body, Sphere{0.9f}, {.sensor = true});
    }
    world.set_region(Region{{-2.9f, -1, -2.9f}, {2.9f, 6, 2.9f}});
}
void disturb(World& world, int step) {
    const std::vector<BodyId> bodies = world.bodies();
    const BodyId some = bodies[6 + static_cast<std::size_t>(step * 7) % (bodies.size() - 6)];
    if (step % 45 == 20 && bodies.size() > 30) return world.destroy(some);
    if (step % 45 == 30) world.set_pose(some, {0.3, 2.5, 0.2}, {});
    if (step % 45 == 35) world.set_type(some, BodyType::kinematic);
    if (step % 45 == 40) world.set_type(some, BodyType::dynamic);
    if (step % 60 == 50) world.set_filter(world.shapes(some)[0], {.category = 2});
}
/// Of worlds with other tags.
Events untagged(Events e) {
    const auto strip = [](auto&... ids) { ((ids.generation &= 0xffffffu), ...); };
    for (auto* list : {&e.contact_begins, &e.contact_ends})
        for (ContactEvent& c : *list) strip(c.first, c.second, c.first_body, c.second_body);
    for (HitEvent& h : e.hits) strip(h.first, h.second, h.first_body, h.second_body);
    for (auto* list : {&e.sensor_begins, &e.sensor_ends})
        for (SensorEvent& s : *list) strip(s.sensor, s.visitor, s.sensor_body, s.visitor_body);
    for (auto* list : {&e.fell_asleep, &e.woke, &e.left_region})
        for (BodyId& b : *list) strip(b);
    for (auto* list : {&e.cloths_fell_asleep, &e.cloths_woke})
        for (ClothId& c : *list) strip(c);
    for (TearEvent& t : e.torn) strip(t.cloth);
    return e;
}

TEST(Events, AreTheSameOnEveryDeviceWithAnyThreads) {
    const SplitSmallWorlds split;
    std::vector<World> worlds;
    worlds.emplace_back(WorldSettings{}, on(1));
    worlds.emplace_back(WorldSettings{}, on(2));
    worlds.emplace_back(WorldSettings{}, on(1, 1));
    for (const std::string& device : kernel_devices())
        worlds.emplace_back(WorldSettings{}, on_device(device));
    for (World& world : worlds) build_lively(world);
    Counts counts;
    std::size_t slept = 0, woke = 0, left = 0;
    for (int k = 0; k < 600; ++k) {
        for (World& world : worlds) {
            disturb(world, k);
            world.step(frame);
        }
        const Events expected = untagged(worlds[0].events());
        for (std::size_t w = 1; w < worlds.size(); ++w) {
            // now and then nobody asks
            if ((k + static_cast<int>(w)) % 7 == 0) continue;
            ASSERT_EQ(worlds[w].hash(), worlds[0].hash()) << "world " << w << " step " << k;
            ASSERT_EQ(untagged(worlds[w].events()), expected) << "world " << w << " step " << k;
        }
        counts.add(expected);
        slept += expected.fell_asleep.size(), woke += expected.woke.size();
        left += expected.left_region.size();
    }
    // and there was something to tell
    EXPECT_GT(counts.begins, 200u);
    EXPECT_GT(counts.ends, 200u);
    EXPECT_GT(counts.hits, 30u);
    EXPECT_GT(counts.enters, 20u);
    EXPECT_GT(counts.leaves, 20u);
    EXPECT_GT(slept, 5u);
    EXPECT_GT(woke, 5u);
    EXPECT_GT(left, 0u);
}

/// The same beside a cloth that tears, one that falls asleep, and a joint that breaks.
void build_eventful(World& world) {
    build_lively(world, 20);
    ClothDef strip = make_cloth(1, 0.5f, 9, 5);
    strip.position = {10, 2, 0};
    strip.material = {.stretch = 500, .tear = 0.3f};
    const BodyId wall =
        world.create_body({.type = BodyType::kinematic, .position = {10.5, 2, 0}, .velocity = {0.8f, 0, 0}});
    for (std::uint32_t row = 0; row < 5; ++row) {
        strip.pins.push_back({.vertex = 9 * row});
        strip.pins.push_back({.vertex = 9 * row + 8, .body = wall});
    }
    world.create_cloth(strip);
    add(world, Box{1, 0.5f, 1}, {14, 0, 0}, {}, {.type = BodyType::fixed});
    ClothDef sheet = make_cloth(0.5f, 0.5f, 5, 5);
    sheet.position = {14, 0.52f, 0};
    sheet.material.thickness = 0.01f;
    sheet.material.friction = 0.8f;
    world.create_cloth(sheet);
    const BodyId load = add(world, Box{}, {18, 4, 0});
    world.create_joint({.type = JointType::ball, .first = load, .anchor = {18, 5, 0}, .break_force = 15000});
    add(world, Box{}, {18, 6, 0}, {}, {.velocity = {0, -8, 0}});
}

TEST(Events, EveryListIsTheSameWithAnyThreadsAndLanes) {
    WorldSettings settings;
    settings.sleep_speed = 0.2f, settings.sleep_delay = 0.2f;
    const SplitSmallWorlds split;
    std::vector<Place> places{on(1), on(2), on(5), on(16)};
    for (const int lanes : available_lanes()) places.push_back(on(1, lanes));
    places.push_back(on_device("cpu:kernels"));
    std::vector<World> worlds;
    for (const Place& place : places) {
        worlds.emplace_back(settings, place);
        build_eventful(worlds.back());
    }
    Events all;
    std::size_t broken = 0;
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    for (int k = 0; k < 180; ++k) {
        for (World& world : worlds) {
            disturb(world, k);
            if (k == 170) world.wake(world.cloths()[1]);
            world.step(frame);
        }
        const Events expected = untagged(worlds[0].events());
        for (std::size_t w = 1; w < worlds.size(); ++w) {
            ASSERT_EQ(untagged(worlds[w].events()), expected) << "world " << w << " step " << k;
            ASSERT_EQ(worlds[w].broken_joints().size(), worlds[0].broken_joints().size()) << w << " " << k;
        }
        append(all.contact_begins, expected.contact_begins), append(all.contact_ends, expected.contact_ends);
        append(all.hits, expected.hits);
        append(all.sensor_begins, expected.sensor_begins), append(all.sensor_ends, expected.sensor_ends);
        append(all.fell_asleep, expected.fell_asleep), append(all.woke, expected.woke);
        append(all.left_region, expected.left_region);
        append(all.cloths_fell_asleep, expected.cloths_fell_asleep),
            append(all.cloths_woke, expected.cloths_woke);
        append(all.torn, expected.torn);
        broken += worlds[0].broken_joints().size();
    }
    for (std::size_t w = 1; w < worlds.size(); ++w) EXPECT_EQ(worlds[w].hash(), worlds[0].hash()) << w;
    // each list had something to tell
    EXPECT_FALSE(all.contact_begins.empty() || all.contact_ends.empty() || all.hits.empty());
    EXPECT_FALSE(all.sensor_begins.empty() || all.sensor_ends.empty());
    EXPECT_FALSE(all.fell_asleep.empty() || all.woke.empty() || all.left_region.empty());
    EXPECT_FALSE(all.cloths_fell_asleep.empty());
    EXPECT_FALSE(all.cloths_woke.empty());
    EXPECT_FALSE(all.torn.empty());
    EXPECT_EQ(broken, 1u);
}

TEST(Events, ARestoredAClonedAndARolledBackWorldTellWhatTheOtherTells) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        build_lively(world);
        Rollback ring(world, 2);
        for (int k = 0; k < 200; ++k) {
            // also amid changes that no step has seen
            disturb(world, k);
            if (k % 10 == 0) {
                World restored = World::restore(world.save(), on_device(k % 20 ? "cpu" : device));
                World clone = world.clone();
                ring.save();
                EXPECT_EQ(restored.events(), Events{});
                std::vector<Events> told;
                for (int step = 0; step < 5; ++step) {
                    if (step) disturb(world, k + step);
                    world.step(frame);
                    told.push_back(world.events());
                    for (World* other : {&restored, &clone}) {
                        if (step) disturb(*other, k + step);
                        other->step(frame);
                        ASSERT_EQ(other->hash(), world.hash());
                        ASSERT_EQ(other->events(), told.back())
                            << device << (other == &clone ? " clone" : " restored") << k << "+" << step;
                    }
                }
                ring.restore(0);
                for (int step = 0; step < 5; ++step) {
                    if (step) disturb(world, k + step);
                    world.step(frame);
                    ASSERT_EQ(world.events(), told[static_cast<std::size_t>(step)])
                        << device << k << "+" << step;
                }
                ring.restore(0);
            }
            world.step(frame);
        }
    }
}

TEST(Events, AWorldThatReplacesAnotherDoesNotTellItsEnds) {
    for (const std::string& device : all_devices()) {
        Worlds many(2, default_settings(), on_device(device));
        const BodyId floor = add_floor(many[1]);
        add(many[1], Sphere{0.25f}, {0, 0.3f, 0}, telling);
        for (int k = 0; k < 30; ++k) many.step(frame);
        const std::vector<std::byte> touching = many[1].save();
        many[1].destroy(floor);
        many[1].save();
        many.restore(1, touching);
        EXPECT_EQ(many[1].save(), touching);
        many.step(frame);
        EXPECT_TRUE(many[1].events().contact_ends.empty()) << device;
    }
}

TEST(Events, AShapeOnAMeshTouchesItOnce) {
    // a valley: two sides push, but the pair of shapes begins and ends once
    const Vec3 corners[] = {{-2, 1, -2}, {-2, 1, 2}, {0, 0, -2}, {0, 0, 2}, {2, 1, -2}, {2, 1, 2}};
    const std::uint32_t triangles[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
    for (const std::string& device : all_devices()) {
        World world(without_sleep(), on_device(device));
        const BodyId valley = world.create_body({.type = BodyType::fixed});
        world.attach(valley, Mesh::from_triangles(corners, triangles));
        const BodyId ball = add(world, Sphere{0.25f}, {0, 0.6f, 0}, telling);
        Counts counts = run(world, 60);
        EXPECT_EQ(counts.begins, 1u) << device;
        EXPECT_EQ(counts.ends, 0u) << device;
        ASSERT_EQ(world.contacts().size(), 2u) << device;
        World again = World::restore(world.save(), on_device(device));
        EXPECT_EQ(run(again, 10).begins, 0u) << device;
        world.set_velocity(ball, {0, 5, 0});
        counts = run(world, 20);
        EXPECT_EQ(counts.begins, 0u) << device;
        EXPECT_EQ(counts.ends, 1u) << device;
    }
}

TEST(Events, EachOfManyWorldsTellsItsOwn) {
    World alone({}, on(1));
    build_lively(alone);
    for (const std::string& device : all_devices()) {
        Worlds many = Worlds::copies(3, alone.save(), on_device(device));
        World single = World::restore(alone.save(), on(1));
        for (int k = 0; k < 120; ++k) {
            many.step(frame);
            single.step(frame);
            if (k == 60) many[1].wake(many[1].bodies()[8]), single.wake(single.bodies()[8]);
            if (k >= 60) {
                ASSERT_EQ(many[1].events(), single.events()) << device << " step " << k;
                continue;
            }
            for (std::uint32_t n = 0; n < 3; ++n)
                ASSERT_EQ(many[n].events(), single.events()) << device << " world " << n << " step " << k;
        }
    }
}

TEST(Events, BodiesOfAReplacedWorldTellNothing) {
    for (const std::string& device : all_devices()) {
        World alone({.sleep_delay = 0.1f}, on(1));
        const BodyId floor = add_floor(alone);
        const BodyId ball = add(alone, Sphere{0.2f}, {0, 0.2f, 0});
        const std::vector<std::byte> saved = alone.save();
        Worlds many = Worlds::copies(3, saved, on_device(device));
        // sent to the device with the body's sleep, before the floor moves
        many[2].put_to_sleep(many[2].bodies()[ball.index - 1]);
        add(many[2], Box{}, {50, 0, 0}, {}, {.locks = {.y = true}, .sleep_events = true});
        many[2].set_pose(many[2].bodies()[floor.index - 1], {50, -3, 0}, {});
        many.restore(2, saved);
        for (int k = 0; k < 20; ++k) {
            many.step(frame);
            ASSERT_TRUE(many[2].events().fell_asleep.empty()) << device << " step " << k;
        }
    }
}

// functions of the user ----------------------------------------------------------------------------------------------

TEST(Events, AContactFilterDecidesWhichShapesCollide) {
    for (const int threads : {1, 2}) {
        World world({}, on(threads));
        add_floor(world);
        const BodyId through = add(world, Box{}, {0, 2, 0}, {.user_data = 1});
        const BodyId stays = add(world, Box{}, {3, 2, 0});
        std::vector<std::pair<std::uint32_t, std::uint32_t>> asked;
        world.set_contact_filter([&](ShapeId a, ShapeId b) {
            asked.emplace_back(a.index, b.index);
            return world.definition(a).user_data != 1 && world.definition(b).user_data != 1;
        });
        run(world, 90);
        EXPECT_FALSE(asked.empty());
        EXPECT_LT(world.position(through).y, -1);
        EXPECT_NEAR(world.position(stays).y, 0.5, 0.01);
        // without it, and with one that holds from then on
        world.set_pose(through, {0, 2, 0}, {});
        world.set_velocity(through, {});
        world.set_contact_filter({});
        run(world, 90);
        EXPECT_NEAR(world.position(through).y, 0.5, 0.01);
        world.set_contact_filter([](ShapeId, ShapeId) { return false; });
        run(world, 30);
        EXPECT_LT(world.position(stays).y, 0.2);
        EXPECT_LT(world.position(through).y, 0.2);
    }
}

TEST(Events, APreSolveFunctionSeesContactsInOrderAndEndsThem) {
    World world;
    add_floor(world);
    const std::vector<BodyId> pyramid = add_pyramid(world, 4);
    const BodyId ghost = add(world, Box{}, {0, 8, 5}, {.contact_events = true});
    std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;
    world.set_pre_solve([&](const ContactInfo& c) {
        EXPECT_GT(c.count, 0);
        seen.emplace_back(c.first.index, c.second.index);
        return c.first_body != ghost && c.second_body != ghost;
    });
    for (int k = 0; k < 120; ++k) {
        seen.clear();
        world.step(frame);
        EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
        EXPECT_TRUE(world.events().contact_begins.empty()); // what is not solved does not touch
    }
    EXPECT_LT(world.position(ghost).y, -1);
    EXPECT_NEAR(world.position(pyramid.back()).y, 3.5, 0.05);
    world.set_pre_solve({});
    world.step(frame);
}

TEST(Events, FunctionsThatThrowOrChangeTheWorldAreHeard) {
    World world;
    add_floor(world);
    const BodyId box = add(world, Box{}, {0, 0.5f, 0});
    world.set_pre_solve([](const ContactInfo&) -> bool { throw std::runtime_error("mine"); });
    EXPECT_THROW(world.step(frame), std::runtime_error);
    // the step was made, as if the pair had been accepted
    EXPECT_EQ(world.steps_done(), 1u);
    EXPECT_EQ(world.contacts().size(), 1u);
    const auto attempt = [&](auto change) {
        world.set_pre_solve([&](const ContactInfo&) {
            change();
            return true;
        });
        EXPECT_REFUSED(world.step(frame), "world");
    };
    attempt([&] { world.step(frame); });
    attempt([&] { world.destroy(box); });
    attempt([&] { world.create_body(); });
    attempt([&] { world.set_velocity(box, {1, 0, 0}); });
    attempt([&] { world.apply_impulse(box, {1, 0, 0}); });
    attempt([&] { world.wake(box); });
    attempt([&] { world.set_pre_solve({}); });
    attempt([&] { world.save(); });
    attempt([&] { world.set_region({}); });
    world.set_pre_solve({});
    world.set_contact_filter([](ShapeId, ShapeId) -> bool { throw std::runtime_error("mine"); });
    EXPECT_THROW(world.step(frame), std::runtime_error);
    world.set_contact_filter({});
    world.step(frame);
    EXPECT_EQ(world.contacts().size(), 1u);
}

TEST(Events, FunctionsOfTheUserAreForTheCpu) {
    for (const std::string& device : kernel_devices()) {
        World world({}, on_device(device));
        EXPECT_REFUSED(world.set_contact_filter([](ShapeId, ShapeId) { return true; }), "device");
        EXPECT_REFUSED(world.set_pre_solve([](const ContactInfo&) { return true; }), "device");
    }
}

TEST(Events, BadInputIsRefused) {
    World world;
    EXPECT_REFUSED(World({.hit_speed = -1}), "hit_speed");
    const BodyId body = world.create_body();
    EXPECT_REFUSED(world.attach(body, Box{}, {.one_way = {0, INFINITY, 0}}), "one_way.y");
    EXPECT_REFUSED(world.contacts(BodyId{}), "body");
    const ShapeId shape = world.attach(body, Box{});
    world.destroy(shape);
    EXPECT_REFUSED(world.contact(shape, shape), "first");
}

} // namespace
} // namespace scree::test
