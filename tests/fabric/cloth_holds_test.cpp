// SPDX-License-Identifier: MIT
// cloth_holds_test.cpp — small forms of `scree bench cloth --holds`: no edge passes through a triangle, counted exactly after each step.
#include "cloth_trials.h"
#include "scree/cloth_intersections.h"
#include "scree/warning.h"
#include "scree/worlds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace scree {
namespace {

using bench::ClothHold;
using bench::ClothTrial;

/// `most`: of the stretch of any edge after any step, one and a half times what it is.
void expect_held(ClothTrial trial, int steps, double most) {
    ASSERT_EQ(bench::intersections_of(trial.world), 0u);
    double stretch = 0;
    const auto look = [&](const World& world) {
        for (const ClothId id : trial.cloths) stretch = std::max(stretch, world.measure(id).max_stretch);
    };
    trial.drive = [&look, drive = trial.drive](World& world, double time, float dt) {
        look(world);
        if (drive) drive(world, time, dt);
    };
    const ClothHold held = bench::hold(trial, steps);
    look(trial.world);
    EXPECT_LT(stretch, most);
    EXPECT_EQ(held.intersections, 0u) << "first in step " << held.first_bad;
    EXPECT_EQ(held.forced, 0u);
    EXPECT_FALSE(held.frozen);
    EXPECT_GT(held.stopped, 0u) << "nothing had to be stopped";
}

const Place one_thread({.device = "cpu", .threads = 1});

TEST(ClothHolds, ATowelTwistedByTwoAndAHalfTurns) {
    expect_held(bench::twisted_towel(one_thread, 0.35, 2.5, 1.5), 90, 0.55);
}

TEST(ClothHolds, ASkirtOnAMovingFigure) { expect_held(bench::skirt_on_figure(one_thread, 0.35), 120, 0.23); }

TEST(ClothHolds, TwelveLayersThatFallOnABox) {
    expect_held(bench::fifty_layers(one_thread, 0.3, 12), 60, 0.07);
}

double height_of(const World& world, ClothId id) {
    double sum = 0;
    for (const Vec3& v : world.vertices(id)) sum += double{v.y};
    return sum / static_cast<double>(world.vertices(id).size());
}

TEST(ClothHolds, TwentyLayersAtRestKeepHalfOfTheirThicknessOnAverage) {
    ClothTrial trial = bench::resting_layers(one_thread, 320, 20);
    EXPECT_EQ(bench::hold(trial, 60).intersections, 0u);
    const World& world = trial.world;
    double least = 1;
    for (std::size_t k = 1; k < trial.cloths.size(); ++k)
        least = std::min(least, height_of(world, trial.cloths[k]) - height_of(world, trial.cloths[k - 1]));
    EXPECT_GT(least, 0.03 * 0.004) << "single pairs stay as they were pressed";
    EXPECT_GT((height_of(world, trial.cloths.back()) - height_of(world, trial.cloths.front())) / 19,
              0.5 * 0.004);
    double squares = 0;
    for (const ClothId id : trial.cloths)
        for (const Vec3& v : world.vertex_velocities(id)) squares += double{dot(v, v)};
    EXPECT_LT(std::sqrt(squares / 320), 0.005) << "they have come to rest";
}

struct LayersOnAPlate {
    double force; ///< on the plate, over the weight of the layers
    double gap;   ///< between two of them, over their thickness
};

/// Sheets of cloth on a plate that a spring and a damper hold. `turned`: half the angle of each against the one below; `side`: half
/// of the plate's.
LayersOnAPlate layers_on_a_plate(int layers, float turned, float side = 0.8f) {
    World world({}, Place({.device = "cpu", .threads = 1}));
    const BodyId plate = world.create_body({.gravity_scale = 0});
    world.attach(plate, Box{side, 0.05f, side}, {.density = 20});
    world.set_locks(plate, {.x = true, .z = true, .turn_x = true, .turn_y = true, .turn_z = true});
    double weight = 0, force = 0;
    std::vector<ClothId> sheets;
    for (int k = 1; k <= layers; ++k) {
        ClothDef def = make_cloth(1, 1, 7, 7);
        const float turn = turned * static_cast<float>(k);
        def.rotation = {.x = 0, .y = std::sin(turn), .z = 0, .s = std::cos(turn)};
        def.position = {0, 0.06f + 0.006f * static_cast<float>(k), 0};
        def.material.thickness = 0.005f;
        def.self_collision = true;
        def.can_sleep = false;
        sheets.push_back(world.create_cloth(def));
        weight += 9.81 * world.measure(sheets.back()).mass;
    }
    constexpr int steps = 120, measured = 40;
    for (int i = 0; i < steps; ++i) {
        const BodyState now = world.state(plate);
        const float up = -4000 * now.position.y - 200 * now.velocity.y;
        world.apply_force(plate, {0, up, 0});
        world.step(1 / 60.0f);
        if (i >= steps - measured) force += double{up} / measured;
    }
    const double high = height_of(world, sheets.back()) - height_of(world, sheets.front());
    return {force / weight, high / (0.005 * std::max(1, layers - 1))};
}

TEST(ClothHolds, ABodyFeelsTheWeightOfTheLayersOnIt) {
    EXPECT_NEAR(layers_on_a_plate(1, 0).force, 1, 0.01);
    // what is dropped at the end of a step counts: too much of sheets in line, the more the lighter the plate; too little of turned ones
    EXPECT_NEAR(layers_on_a_plate(6, 0, 0.6f).force, 1, 0.15);
    const LayersOnAPlate ten = layers_on_a_plate(10, 0.185f);
    EXPECT_NEAR(ten.force, 1, 0.05);
    EXPECT_GT(ten.gap, 0.75);
}

ClothDef free_sheet(std::uint32_t side, Vec3 position, Vec3 velocity) {
    ClothDef def = make_cloth(0.3f, 0.3f, side, side);
    def.position = position;
    def.velocity = velocity;
    def.self_collision = true;
    def.can_sleep = false;
    def.material.drag = def.material.damping = 0;
    return def;
}

TEST(ClothHolds, AStartWithIntersectionsIsReportedAndStaysStable) {
    std::vector<std::string> warnings;
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    World world({}, one_thread);
    const ClothId flat = world.create_cloth(free_sheet(5, {0, 1, 0}, {}));
    EXPECT_EQ(find_cloth_intersections(world).count, 0u);
    ClothDef across = free_sheet(6, {0.01f, 1.02f, 0.013f}, {});
    across.rotation = {.x = std::sin(0.6f), .y = 0, .z = 0, .s = std::cos(0.6f)};
    const ClothId upright = world.create_cloth(across);
    const ClothIntersections found = find_cloth_intersections(world, 4);
    EXPECT_EQ(found.count, bench::intersections_of(world));
    ASSERT_EQ(found.first.size(), 4u);
    for (const ClothIntersection& each : found.first) {
        EXPECT_NE(each.cloth, each.through);
        EXPECT_TRUE(each.through == flat || each.through == upright);
        const auto corners = world.definition(each.cloth).triangles[each.triangle];
        for (const std::uint32_t v : each.edge)
            EXPECT_NE(std::find(corners.begin(), corners.end(), v), corners.end());
        EXPECT_LT(each.hit, world.definition(each.through).triangles.size());
    }
    for (int k = 0; k < 60; ++k) world.step(1 / 60.0f);
    set_warning_handler({});
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find(std::to_string(found.count) + " edges through triangles"), std::string::npos)
        << warnings[0];
    EXPECT_NE(warnings[0].find("first triangle "), std::string::npos) << warnings[0];
    // a second of falling, and nothing was thrown
    for (const ClothId id : {flat, upright}) EXPECT_LT(world.measure(id).max_speed, 12);
    EXPECT_FALSE(world.cloth_contacts().frozen);
}

/// Two sheets, the second turned about x so that it passes through the first, which is so many times as heavy.
World crossing_sheets(const Place& place, float angle, bool held = false, float heavier = 1) {
    World world({.gravity = {0, 0, 0}}, place);
    ClothDef flat = free_sheet(6, {0, 1, 0}, {}), across = free_sheet(7, {0.01f, 1.02f, 0.013f}, {});
    flat.material.density *= heavier;
    across.rotation = {.x = std::sin(angle / 2), .y = 0, .z = 0, .s = std::cos(angle / 2)};
    for (std::uint32_t v = 0; held && v < 36; ++v) flat.pins.push_back({.vertex = v});
    for (std::uint32_t v = 0; held && v < 49; ++v) across.pins.push_back({.vertex = v});
    (void)world.create_cloth(flat);
    (void)world.create_cloth(across);
    return world;
}

TEST(ClothHolds, SheetsThatBeginThroughEachOtherComeApart) {
    set_warning_handler([](const std::string&) {});
    for (const float angle : {0.3f, 0.6f, 1.2f, 1.57f}) {
        World world = crossing_sheets(one_thread, angle);
        World kernels = crossing_sheets(Place({.device = "cpu:kernels", .threads = 2}), angle);
        EXPECT_GT(find_cloth_intersections(world).count, 5u);
        for (int k = 0; k < 45; ++k) {
            world.step(1 / 60.0f);
            kernels.step(1 / 60.0f);
        }
        EXPECT_EQ(find_cloth_intersections(world).count, 0u) << angle;
        EXPECT_EQ(world.cloth_contacts().intersections, 0u) << angle;
        EXPECT_EQ(world.hash(), kernels.hash()) << angle;
    }
    set_warning_handler({});
}

TEST(ClothHolds, AWorldRestoredWhileItsSheetsComeApartGoesOnAlike) {
    set_warning_handler([](const std::string&) {});
    World world = crossing_sheets(one_thread, 0.6f);
    for (int k = 0; k < 8; ++k) world.step(1 / 60.0f);
    ASSERT_GT(find_cloth_intersections(world).count, 0u);
    World other = World::restore(world.save(), one_thread);
    for (int k = 0; k < 8; ++k) {
        world.step(1 / 60.0f);
        other.step(1 / 60.0f);
    }
    set_warning_handler({});
    EXPECT_EQ(world.hash(), other.hash());
}

TEST(ClothHolds, ACloneTakesTheSameStep) {
    World world({.substeps = 4}, one_thread);
    world.attach(world.create_body({.type = BodyType::fixed}), Sphere{0.15f});
    for (int k = 0; k < 3; ++k) {
        const auto at = static_cast<float>(k);
        ClothDef def = make_cloth(0.5f, 0.5f, 10, 10);
        def.position = {0.01f * at, 0.161f + 0.00075f * at, 0.02f * at};
        def.material.thickness = 0.0005f;
        def.self_collision = true;
        def.can_sleep = false;
        world.create_cloth(def);
    }
    for (int k = 0; k < 90; ++k) {
        World twin = world.clone();
        world.step(1 / 60.0f);
        twin.step(1 / 60.0f);
        ASSERT_EQ(world.hash(), twin.hash()) << k;
    }
}

TEST(ClothHolds, ClothWithoutSelfCollisionIsNotUntangled) {
    set_warning_handler([](const std::string&) {});
    World world = crossing_sheets(one_thread, 0.6f, true);
    ClothDef third = free_sheet(6, {0.02f, 1.01f, -0.11f}, {});
    third.rotation = {.x = std::sin(0.7f), .y = 0, .z = 0, .s = std::cos(0.7f)};
    third.self_collision = false;
    const ClothId id = world.create_cloth(third);
    for (int k = 0; k < 30; ++k) world.step(1 / 60.0f);
    set_warning_handler({});
    EXPECT_LT(world.measure(id).max_speed, 1e-3);
}

TEST(ClothHolds, SheetsThatComeApartKeepMostOfTheirMomentum) {
    set_warning_handler([](const std::string&) {});
    World world = crossing_sheets(one_thread, 0.6f, false, 10);
    for (int k = 0; k < 60; ++k) world.step(1 / 60.0f);
    set_warning_handler({});
    EXPECT_EQ(world.cloth_contacts().intersections, 0u);
    const FabricMeasure heavy = world.measure(world.cloths()[0]), light = world.measure(world.cloths()[1]);
    EXPECT_NEAR(heavy.mass / light.mass, 10, 0.01);
    // at equal speeds it would be 0.06
    EXPECT_LT(length(heavy.momentum + light.momentum), 0.015);
}

TEST(ClothHolds, EachTangleIsReportedAndNoneThatIsGone) {
    std::vector<std::string> warnings;
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    World world = crossing_sheets(one_thread, 0.6f, true);
    world.step(1 / 60.0f);
    for (const ClothId id : world.cloths()) world.destroy(id);
    for (int k = 0; k < 260; ++k) world.step(1 / 60.0f);
    ASSERT_EQ(warnings.size(), 1u);
    (void)world.create_cloth(free_sheet(5, {0, 1, 0}, {}));
    ClothDef across = free_sheet(6, {0.01f, 1.02f, 0.013f}, {});
    across.rotation = {.x = std::sin(0.6f), .y = 0, .z = 0, .s = std::cos(0.6f)};
    (void)world.create_cloth(across);
    world.step(1 / 60.0f);
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_NE(warnings[1].find("begins"), std::string::npos) << warnings[1];
    Worlds many(1, {}, one_thread);
    (void)many[0].create_cloth(free_sheet(5, {0, 1, 0}, {}));
    (void)many[0].create_cloth(across);
    many.step(1 / 60.0f);
    set_warning_handler({});
    EXPECT_EQ(warnings.size(), 3u);
}

TEST(ClothHolds, SheetsThatCannotComeApartAreReportedAgain) {
    std::vector<std::string> warnings;
    set_warning_handler([&](const std::string& text) { warnings.push_back(text); });
    World world = crossing_sheets(one_thread, 0.6f, true);
    for (int k = 0; k < 260; ++k) world.step(1 / 60.0f);
    set_warning_handler({});
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_NE(warnings[1].find("still"), std::string::npos) << warnings[1];
}

TEST(ClothHolds, ACornerThatIsFoldedOntoTheMiddleDoesNotPassThrough) {
    ClothTrial trial{.world = World({.sleeping = false}, one_thread), .cloths = {}, .drive = {}};
    const BodyId hand = trial.world.create_body({.type = BodyType::kinematic, .position = {0.15, 1, 0.15}});
    ClothDef sheet = free_sheet(9, {0, 1, 0}, {});
    sheet.pins = {{.vertex = 0}, {.vertex = 8}, {.vertex = 72}, {.vertex = 80, .body = hand}};
    trial.cloths.push_back(trial.world.create_cloth(sheet));
    // up, over to the middle, and down through it
    trial.drive = [hand](World& world, double time, float step) {
        const double in = 0.15 * std::clamp(1 - time / 0.6, 0.0, 1.0);
        const double up = 0.12 * std::min(1.0, time / 0.3) - 0.4 * std::max(0.0, time - 0.6);
        world.set_target(hand, {in, 1 + up, in}, {}, step);
    };
    const ClothHold held = bench::hold(trial, 72);
    EXPECT_EQ(held.intersections, 0u) << "first in step " << held.first_bad;
    EXPECT_GT(held.forced, 0u) << "the corner had to wait";
}

/// A sheet hung by its border, and above it one whose vertices are all pinned to a plate that goes down through it and up again.
ClothTrial driven_sheet(const char* device) {
    ClothTrial trial{.world = World({.sleeping = false}, Place({.device = device, .threads = 1})),
                     .cloths = {},
                     .drive = {}};
    ClothDef hung = make_cloth(0.4f, 0.4f, 9, 9), driven = make_cloth(0.1f, 0.1f, 4, 4);
    hung.self_collision = driven.self_collision = true;
    hung.material.thickness = driven.material.thickness = 0.004f;
    hung.position = {0, 1, 0};
    driven.position = {0.01f, 1.05f, 0.02f};
    for (std::uint32_t v = 0; v < 81; ++v)
        if (v % 9 == 0 || v % 9 == 8 || v < 9 || v >= 72) hung.pins.push_back({.vertex = v});
    const BodyId plate =
        trial.world.create_body({.type = BodyType::kinematic, .position = wide(driven.position)});
    for (std::uint32_t v = 0; v < 16; ++v) driven.pins.push_back({.vertex = v, .body = plate});
    trial.cloths = {trial.world.create_cloth(hung), trial.world.create_cloth(driven)};
    trial.drive = [plate](World& world, double time, float dt) {
        const double down = std::clamp(std::min(time, 0.5 - time), 0.0, 0.2);
        world.set_target(plate, {0.01, 1.05 - 5 * down, 0.02}, {}, dt);
    };
    return trial;
}

TEST(ClothHolds, PinsThatAreDrivenThroughClothWaitBehindIt) {
    ClothTrial trial = driven_sheet("cpu");
    const ClothHold down = bench::hold(trial, 15);
    EXPECT_EQ(down.intersections, 0u) << "first in step " << down.first_bad;
    EXPECT_GT(down.forced, 0u);
    // the plate is a metre below where it began, and the sheet did not follow it
    for (const Vec3& v : trial.world.vertices(trial.cloths[1])) EXPECT_GT(v.y, 0.3f);
    const ClothHold up = bench::hold(trial, 30);
    EXPECT_EQ(up.intersections, 0u) << "first in step " << up.first_bad;
    EXPECT_EQ(trial.world.cloth_contacts().forced, 0u);
    for (const Vec3& v : trial.world.vertices(trial.cloths[1])) EXPECT_NEAR(v.y, 1.05f, 1e-5f);
    ClothTrial pipeline = driven_sheet("cpu:kernels");
    EXPECT_EQ(bench::hold(pipeline, 45).hash, up.hash);
}

TEST(ClothHolds, HardTrialsHaveTheSameBitsOnThePipelineOfDevices) {
    const auto hash = [](const char* device) {
        ClothTrial trial = bench::twisted_towel(Place({.device = device, .threads = 1}), 0.25, 4, 1);
        return bench::hold(trial, 45).hash;
    };
    EXPECT_EQ(hash("cpu"), hash("cpu:kernels"));
}

} // namespace
} // namespace scree
