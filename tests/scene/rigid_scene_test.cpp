// SPDX-License-Identifier: MIT
// rigid_scene_test.cpp — what a good rigid scene file becomes, and where its generators put bodies.
// compiled alone
#include "rigid_text.h"
#include "scree/ragdoll.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace {

using namespace scree;
using scree::testing::rigid_with;

RigidScene parsed(const std::string& lines, const SceneOptions& options = {}) {
    return rigid_scene(parse_scene(rigid_with(lines), "a.json", options));
}

const std::string ball = R"("shapes": [{"name": "s", "sphere": {"radius": 0.5}}])";
const std::string brick = R"("shapes": [{"name": "b", "box": {"half_size": [1, 0.25, 0.5]}}])";

double distance(Vec3 a, Vec3 b) {
    double x = static_cast<double>(a.x - b.x), y = static_cast<double>(a.y - b.y),
           z = static_cast<double>(a.z - b.z);
    return std::sqrt(x * x + y * y + z * z);
}

TEST(RigidSceneFile, KindDecidesWhatADocumentIs) {
    EXPECT_EQ(parse_scene(R"({"scree": 1, "title": "t", "steps": 1})", "a.json").kind, "granular");
    EXPECT_EQ(parse_scene(R"({"scree": 1, "kind": "granular", "title": "t", "steps": 1})", "a.json").kind,
              "granular");
    EXPECT_EQ(parse_scene(rigid_with(""), "a.json").kind, "rigid");
}

TEST(RigidSceneFile, SmallestSceneHasTheDefaultsOfTheWorld) {
    Scene scene = parse_scene(rigid_with(""), "a.json");
    Scene defaults;
    defaults.kind = "rigid";
    defaults.content = RigidScene{};
    EXPECT_TRUE(rigid_scene(scene).bodies.empty());
    EXPECT_FALSE(scene.altered);
    for (const std::string& name : setting_names("rigid"))
        EXPECT_EQ(setting_value(scene, name), setting_value(defaults, name)) << name;
    EXPECT_EQ(rigid_scene(scene).time_step, 1 / 60.0f);
}

TEST(RigidSceneFile, ReadsEverySetting) {
    Scene scene = parse_scene(
        rigid_with(
            R"("world": {"time_step": 0.5, "level_reach": 23, "gravity": [1, 2, 3], "solver": "sor", "broad_phase": "grid",
        "substeps": 3, "contact_hertz": 4, "contact_damping": 5, "push_speed": 6, "joint_hertz": 7, "joint_damping": 8,
        "slop": 9, "speculative_distance": 10, "restitution_threshold": 11, "hit_speed": 20, "impact_tolerance": 0.75, "recycling": false, "continuous": false, "warm_starting": false,
        "sleeping": false, "sleep_speed": 12, "sleep_delay": 13, "sor_iterations": 14, "sor_omega": 1.5, "sor_cfm": 15,
        "sor_erp": 0.25, "sor_schedule": "groups", "sor_groups": 21, "sor_vary": true, "sor_tolerance": 22, "sor_on_chip": true,
        "integrator": "runge_kutta", "grid_cell": 16, "grid_origin": [17, 18, 19], "grid_bits": [4, 5, 6]})"),
        "a.json");
    const char* expected[] = {"0.5",        "23",
                              "[1, 2, 3]",  "\"sor\"",
                              "\"grid\"",   "3",
                              "4",          "5",
                              "6",          "7",
                              "8",          "9",
                              "10",         "11",
                              "20",         "0.75",
                              "false",      "false",
                              "false",      "false",
                              "12",         "13",
                              "14",         "1.5",
                              "15",         "0.25",
                              "\"groups\"", "21",
                              "true",       "22",
                              "true",       "\"runge_kutta\"",
                              "16",         "[17, 18, 19]",
                              "[4, 5, 6]"};
    std::vector<std::string> names = setting_names("rigid");
    ASSERT_EQ(names.size(), std::size(expected));
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(setting_value(scene, names[i]), expected[i]) << names[i];
}

TEST(RigidSceneFile, SettingsChangeFromOutside) {
    Scene scene =
        parse_scene(rigid_with(""), "a.json",
                    {.settings = {{"time_step", "0.01", "--dt"}, {"solver", "sor", "--set solver=sor"}}});
    EXPECT_EQ(rigid_scene(scene).time_step, 0.01f);
    EXPECT_EQ(rigid_scene(scene).settings.solver, Solver::sor);
    EXPECT_TRUE(scene.altered);
    apply_setting(scene, "grid_bits", "8,8,8", "--set");
    EXPECT_EQ(rigid_scene(scene).settings.grid_bits, (std::array<int, 3>{8, 8, 8}));
    EXPECT_THROW(apply_setting(scene, "stiffness", "3", "--set"), Error);
}

TEST(RigidSceneFile, ReadsEveryGeometry) {
    RigidScene scene = parsed(R"("shapes": [{"name": "a", "sphere": {"radius": 2}},
        {"name": "b", "capsule": {"half_height": 1, "radius": 2}}, {"name": "c", "box": {"half_size": [1, 2, 3]}},
        {"name": "d", "cylinder": {"half_height": 1, "radius": 2}}, {"name": "e", "cone": {"half_height": 1, "radius": 2}},
        {"name": "f", "plane": {}}, {"name": "g", "hull": {"points": [[0,0,0],[1,0,0],[0,2,0],[0,0,3]]}},
        {"name": "h", "compound": [{"sphere": {"radius": 1}, "position": [3, 0, 0], "density": 5},
                                   {"box": {"half_size": [1, 2, 1]}, "rotation": {"axis": [0, 0, 1], "degrees": 90}}],
         "density": 7}])");
    ASSERT_EQ(scene.shapes.size(), 8u);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(scene.shapes[i].parts.at(0).geometry.index(), i);
    EXPECT_EQ(std::get<Box>(scene.shapes[2].parts[0].geometry).z, 3);
    EXPECT_EQ(scene.shapes[1].high, (Vec3{2, 3, 2}));
    EXPECT_EQ(scene.shapes[4].low, (Vec3{-2, -1, -2}));
    EXPECT_EQ(scene.shapes[6].high, (Vec3{1, 2, 3}));
    const RigidShape& compound = scene.shapes[7];
    ASSERT_EQ(compound.parts.size(), 2u);
    EXPECT_EQ(compound.parts[0].definition.density, 5);
    EXPECT_EQ(compound.parts[1].definition.density, 7);
    EXPECT_NEAR(compound.low.x, -2, 1e-6) << "the box lies on its side";
    EXPECT_EQ(compound.high.x, 4);
}

TEST(RigidSceneFile, TurnedRoundShapesFitTheirBounds) {
    RigidScene scene =
        parsed(R"("shapes": [{"name": "a", "compound": [{"cylinder": {"half_height": 2, "radius": 1},
        "rotation": {"axis": [0, 0, 1], "degrees": 90}}]}, {"name": "b", "compound": [{"cone": {"half_height": 2,
        "radius": 1}, "rotation": {"axis": [0, 0, 1], "degrees": -90}}]}])");
    EXPECT_NEAR(scene.shapes[0].high.x, 2, 1e-5);
    EXPECT_NEAR(scene.shapes[0].high.y, 1, 1e-5);
    EXPECT_NEAR(scene.shapes[1].high.x, 2, 1e-5) << "its tip points along x";
    EXPECT_NEAR(scene.shapes[1].low.x, -2, 1e-5);
    EXPECT_NEAR(scene.shapes[1].low.z, -1, 1e-5);
}

TEST(RigidSceneFile, MaterialsAreFoundByName) {
    RigidScene scene = parsed(R"("materials": [{"name": "ice", "friction": 0.1, "restitution": 0.5,
        "rolling_resistance": 0.25, "surface_velocity": [1, 2, 3], "friction_rule": "least", "restitution_rule": "product"},
        {"name": "rough", "friction": 2}],
        "shapes": [{"name": "s", "sphere": {"radius": 1}, "material": "ice", "filter": {"category": 2, "mask": 3, "group": -1}}],
        "bodies": [{"shape": "s", "position": [0, 0, 0], "material": "rough"}])");
    const ShapeDef& shape = scene.shapes[0].parts[0].definition;
    EXPECT_EQ(shape.material.friction, 0.1f);
    EXPECT_EQ(shape.material.restitution, 0.5f);
    EXPECT_EQ(shape.material.rolling_resistance, 0.25f);
    EXPECT_EQ(shape.material.surface_velocity, (Vec3{1, 2, 3}));
    EXPECT_EQ(shape.material.friction_rule, Combine::least);
    EXPECT_EQ(shape.material.restitution_rule, Combine::product);
    EXPECT_EQ(shape.filter.category, 2u);
    EXPECT_EQ(shape.filter.mask, 3u);
    EXPECT_EQ(shape.filter.group, -1);
    EXPECT_EQ(scene.bodies[0].material->friction, 2);
}

TEST(RigidSceneFile, ReadsABodyWithEverything) {
    RigidScene scene = parsed(ball + R"(, "bodies": [{"name": "it", "shape": "s", "position": [1, 2, 3],
        "rotation": [0, 1, 0, 0], "type": "kinematic", "velocity": [4, 5, 6], "angular_velocity": [7, 8, 9],
        "linear_damping": 1, "angular_damping": 2, "gravity_scale": -1, "max_speed": 10, "max_angular_speed": 11,
        "locks": ["y", "turn_z"], "can_sleep": false, "awake": false, "density": 12},
        {"shape": "s", "position": [0, 0, 0], "mass": 13}])");
    const RigidBodyDef& it = scene.bodies.at(0);
    EXPECT_EQ(it.name, "it");
    EXPECT_EQ(it.body.type, BodyType::kinematic);
    EXPECT_EQ(it.body.position, (Vec3{1, 2, 3}));
    EXPECT_EQ(it.body.rotation, (Quat{.x = 1, .s = 0}));
    EXPECT_EQ(it.body.velocity, (Vec3{4, 5, 6}));
    EXPECT_EQ(it.body.angular_velocity, (Vec3{7, 8, 9}));
    EXPECT_EQ(it.body.linear_damping, 1);
    EXPECT_EQ(it.body.angular_damping, 2);
    EXPECT_EQ(it.body.gravity_scale, -1);
    EXPECT_EQ(it.body.max_speed, 10);
    EXPECT_EQ(it.body.max_angular_speed, 11);
    EXPECT_TRUE(it.body.locks.y && it.body.locks.turn_z);
    EXPECT_FALSE(it.body.locks.x || it.body.locks.z || it.body.locks.turn_x || it.body.locks.turn_y);
    EXPECT_FALSE(it.body.can_sleep || it.body.awake);
    EXPECT_EQ(it.density, 12.0f);
    EXPECT_EQ(scene.bodies[1].mass, 13.0f);
}

TEST(RigidSceneFile, JointsAndForcesFindBodiesByNameAndNumber) {
    RigidScene scene = parsed(ball + R"(, "bodies": [{"stack": {"shape": "s", "count": 3, "name": "tower"}},
        {"shape": "s", "position": [5, 0, 0], "name": "last"}],
        "joints": [{"type": "hinge", "first": "tower[1]", "second": 3, "anchor": [1, 2, 3], "axis": [1, 0, 0], "collide": true},
                   {"type": "fixed", "first": "last", "anchor": [0, 0, 0]}],
        "forces": [{"body": "tower[2]", "torque": [1, 2, 3], "from": 1, "until": 2}, {"body": 0, "force": [4, 5, 6]}])");
    const RigidJointDef& hinge = scene.joints.at(0);
    EXPECT_EQ(hinge.type, JointType::hinge);
    EXPECT_EQ(hinge.first, 1u);
    EXPECT_EQ(hinge.second, 3u);
    EXPECT_EQ(hinge.anchor, (Vec3{1, 2, 3}));
    EXPECT_EQ(hinge.axis, (Vec3{1, 0, 0}));
    EXPECT_TRUE(hinge.collide);
    EXPECT_FALSE(scene.joints.at(1).second) << "joined to the world";
    EXPECT_EQ(scene.forces.at(0).body, 2u);
    EXPECT_EQ(scene.forces[0].torque, (Vec3{1, 2, 3}));
    EXPECT_EQ(scene.forces[0].from, 1);
    EXPECT_EQ(scene.forces[0].until, 2);
    EXPECT_EQ(scene.forces.at(1).force, (Vec3{4, 5, 6}));
    EXPECT_TRUE(std::isinf(scene.forces[1].until));
}

TEST(RigidGenerators, APyramidHasABodyLessInEveryRow) {
    RigidScene scene = parsed(
        brick + R"(, "bodies": [{"pyramid": {"shape": "b", "base": 3, "gap": 0.5, "origin": [10, 1, 2]}}])");
    ASSERT_EQ(scene.bodies.size(), 6u);
    EXPECT_EQ(scene.bodies[0].body.position, (Vec3{7.5f, 1.25f, 2}));
    EXPECT_EQ(scene.bodies[1].body.position, (Vec3{10, 1.25f, 2}));
    EXPECT_EQ(scene.bodies[3].body.position, (Vec3{8.75f, 2.25f, 2}));
    EXPECT_EQ(scene.bodies[5].body.position, (Vec3{10, 3.25f, 2}));
}

TEST(RigidGenerators, AStackTouchesWithoutAGap) {
    RigidScene scene = parsed(
        brick +
        R"(, "bodies": [{"stack": {"shape": "b", "count": 3, "each": {"mass": 2, "velocity": [1, 0, 0]}}}])");
    ASSERT_EQ(scene.bodies.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(scene.bodies[i].body.position, (Vec3{0, 0.25f + 0.5f * static_cast<float>(i), 0}));
        EXPECT_EQ(scene.bodies[i].mass, 2.0f);
        EXPECT_EQ(scene.bodies[i].body.velocity, (Vec3{1, 0, 0}));
    }
}

TEST(RigidGenerators, AWallStandsOverItsJoints) {
    RigidScene scene = parsed(brick + R"(, "bodies": [{"wall": {"shape": "b", "columns": 3, "rows": 3}}])");
    ASSERT_EQ(scene.bodies.size(), 8u);
    EXPECT_EQ(scene.bodies[0].body.position, (Vec3{-2, 0.25f, 0}));
    EXPECT_EQ(scene.bodies[3].body.position, (Vec3{-1, 0.75f, 0}));
    EXPECT_EQ(scene.bodies[5].body.position, (Vec3{-2, 1.25f, 0}));
}

TEST(RigidGenerators, ALatticeTakesItsShapesInTurnAndKeepsItsJitter) {
    RigidScene scene =
        parsed(R"("shapes": [{"name": "a", "sphere": {"radius": 1}}, {"name": "b", "sphere": {"radius": 2}}],
        "bodies": [{"lattice": {"shapes": ["a", "b"], "counts": [3, 4, 5], "spacing": [5, 6, 7], "jitter": 0.5, "shift": 1,
                                "tilt_degrees": 10, "origin": [0, 3, 0]}}])");
    ASSERT_EQ(scene.bodies.size(), 60u);
    std::set<float> angles;
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_EQ(scene.bodies[i].shape, i % 2);
        const DVec3 p = scene.bodies[i].body.position;
        const float y = 3 + 6 * static_cast<float>(i / 15), z = 7 * static_cast<float>(i % 5) - 14;
        EXPECT_NEAR(p.y, y, 0.5001f);
        EXPECT_NEAR(p.z, z, 1.5001f) << "the shift and the jitter";
        angles.insert(scene.bodies[i].body.rotation.s);
        EXPECT_GT(scene.bodies[i].body.rotation.s, 0.98f);
    }
    EXPECT_GT(angles.size(), 50u);
}

TEST(RigidGenerators, ALatticeIsAMatterOfItsSeed) {
    const std::string lines =
        ball +
        R"(, "bodies": [{"lattice": {"shape": "s", "counts": [2, 2, 2], "spacing": 2, "jitter": 0.1, "tumble": true}}])";
    auto first = [&](const SceneOptions& options) { return parsed(lines, options).bodies[0].body; };
    EXPECT_EQ(first({}).position, first({}).position);
    EXPECT_EQ(first({}).rotation, first({}).rotation);
    EXPECT_NE(first({}).position, first({.seed = 2}).position);
    EXPECT_NE(first({}).rotation, first({.seed = 2}).rotation);
}

TEST(RigidGenerators, AResizedLatticeGrowsUpwards) {
    const std::string lines =
        ball +
        R"(, "bodies": [{"container": {"inner": [4, 9, 4]}}, {"lattice": {"shape": "s", "counts": [2, 2, 2], "spacing": 2}}])";
    Scene scene = parse_scene(rigid_with(lines), "a.json", {.bodies = 14});
    EXPECT_TRUE(scene.resizable && scene.altered);
    ASSERT_EQ(rigid_scene(scene).bodies.size(), 15u);
    EXPECT_EQ(rigid_scene(scene).bodies.back().body.position.y, 7);
    for (const RigidBodyDef& body : rigid_scene(scene).bodies) EXPECT_LE(std::fabs(body.body.position.x), 1);
}

TEST(RigidGenerators, ARefinedLatticeKeepsItsSizeWhateverTheNumberOfBodies) {
    const std::string lines =
        R"("shapes": [{"name": "floor", "box": {"half_size": [4, 1, 4]}},
                      {"name": "b", "box": {"half_size": [0.2, 0.3, 0.4]}},
                      {"name": "s", "compound": [{"sphere": {"radius": 0.1}, "position": [0, 0.1, 0]},
                                                 {"hull": {"points": [[0,0,0],[0.2,0,0],[0,0.2,0],[0,0,0.2]]}}]}],
           "bodies": [{"shape": "b", "position": [9, 9, 9]},
                      {"lattice": {"shapes": ["b", "s"], "counts": [8, 8, 16], "spacing": 1, "refine": true}}])";
    const auto at = [&](std::uint64_t bodies) {
        return parsed(lines, bodies ? SceneOptions{.bodies = bodies} : SceneOptions{});
    };
    const auto reach = [](const RigidScene& scene) { // of the sites, with half a spacing around each
        Vec3 low{1e9f, 1e9f, 1e9f}, high = -low;
        for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
            low = min(low, narrow(scene.bodies[b].body.position));
            high = max(high, narrow(scene.bodies[b].body.position));
        }
        return high - low;
    };
    const RigidScene whole = at(0), coarse = at(128), fine = at(8192);
    EXPECT_EQ(reach(whole), (Vec3{7, 7, 15}));
    EXPECT_EQ(reach(coarse), (Vec3{6, 6, 14}));        // 4 x 4 x 8 of 2 m
    EXPECT_EQ(reach(fine), (Vec3{7.5f, 7.5f, 15.5f})); // 16 x 16 x 32 of 0.5 m
    EXPECT_EQ(whole.bodies[1].body.position.y, 0.5f);
    EXPECT_EQ(coarse.bodies[1].body.position.y, 1); // the underside stays on the ground
    EXPECT_EQ(fine.bodies[1].body.position.y, 0.25f);
    // shapes are as large as the spacing asks, and others with the same shape stay as they are
    const auto box = [](const RigidScene& scene, std::size_t body) {
        return std::get<Box>(scene.shapes[scene.bodies[body].shape].parts[0].geometry).z;
    };
    EXPECT_EQ(box(coarse, 0), 0.4f);
    EXPECT_EQ(box(coarse, 1), 0.8f);
    EXPECT_EQ(box(fine, 1), 0.2f);
    EXPECT_EQ(box(whole, 1), 0.4f);
    const RigidShape& parts = coarse.shapes[coarse.bodies[2].shape];
    EXPECT_EQ(std::get<Sphere>(parts.parts[0].geometry).radius, 0.2f);
    EXPECT_EQ(parts.parts[0].definition.position, (Vec3{0, 0.2f, 0}));
    EXPECT_EQ(parts.low, (Vec3{-0.2f, 0, -0.2f}));
    EXPECT_EQ(parts.high, (Vec3{0.4f, 0.4f, 0.4f}));
    // two of each shape at most, however many bodies there are
    EXPECT_EQ(fine.shapes.size(), whole.shapes.size() + 2);
    // a number that fills no whole layers
    EXPECT_EQ(at(1000).bodies.size(), 1001u);
    EXPECT_EQ(at(1).bodies.size(), 2u);
}

TEST(RigidGenerators, StrataHaveTheColoursFromBelow) {
    const auto colours = [](const char* more) {
        const std::string lines =
            ball + R"(, "bodies": [{"lattice": {"shape": "s", "counts": [2, 6, 2], "spacing": 2,)" + more +
            R"( "each": {"paint": {"colours": ["#ff0000", "#00ff00", "#0000ff"]}}}}])";
        std::string all;
        for (const RigidBodyDef& body : parsed(lines).bodies) {
            const Vec3 colour = body.paint.colour.value();
            all += colour.x > 0.5f ? 'r' : colour.y > 0.5f ? 'g' : 'b';
        }
        return all;
    };
    EXPECT_EQ(colours(R"("strata": true,)"), "rrrrrrrrggggggggbbbbbbbb");
    EXPECT_EQ(colours(""), "rgbrgbrgbrgbrgbrgbrgbrgb");
}

TEST(RigidGenerators, AContainerHasInnerSizeAndAFixedBody) {
    RigidScene scene =
        parsed(R"("bodies": [{"container": {"inner": [4, 3, 2], "thickness": 0.5, "origin": [0, 1, 0]}}])");
    ASSERT_EQ(scene.bodies.size(), 1u);
    EXPECT_EQ(scene.bodies[0].body.type, BodyType::fixed);
    EXPECT_EQ(scene.bodies[0].body.position, (Vec3{0, 1, 0}));
    const RigidShape& shape = scene.shapes.at(scene.bodies[0].shape);
    ASSERT_EQ(shape.parts.size(), 5u);
    EXPECT_EQ(shape.low, (Vec3{-2.5f, -0.5f, -1.5f}));
    EXPECT_EQ(shape.high, (Vec3{2.5f, 3, 1.5f}));
    // nothing reaches into the inner space
    for (const RigidShape::Part& part : shape.parts) {
        const Box& box = std::get<Box>(part.geometry);
        const Vec3 p = part.definition.position;
        EXPECT_TRUE(std::fabs(p.x) - box.x >= 2 || std::fabs(p.z) - box.z >= 1 || p.y + box.y <= 0);
    }
}

TEST(RigidGenerators, AFunnelLeavesItsHoleFree) {
    RigidScene scene =
        parsed(R"("bodies": [{"funnel": {"top": 8, "hole": 2, "height": 3, "thickness": 0.5}}])");
    const RigidShape& shape = scene.shapes.at(0);
    ASSERT_EQ(shape.parts.size(), 4u);
    // the inner face of the first board passes through (1, 0) and (4, 3): its normal is (-1, 1) / sqrt 2
    const RigidShape::Part& part = shape.parts[0];
    const double outwards = (static_cast<double>(part.definition.position.x) -
                             static_cast<double>(part.definition.position.y) - 1) /
                            std::sqrt(2.0);
    EXPECT_NEAR(outwards, 0.25, 1e-6);
    EXPECT_NEAR(shape.parts[1].definition.position.x, -part.definition.position.x, 1e-6);
    EXPECT_NEAR(shape.parts[2].definition.position.z, part.definition.position.x, 1e-6);
    EXPECT_LT(shape.low.y, 0.001f);
}

TEST(RigidGenerators, AnArchIsAHalfCircleOnItsEnds) {
    RigidScene scene =
        parsed(R"("bodies": [{"arch": {"stones": 9, "radius": 3, "thickness": 1, "depth": 1}}])");
    ASSERT_EQ(scene.bodies.size(), 9u);
    for (const RigidBodyDef& body : scene.bodies)
        EXPECT_NEAR(distance(narrow(body.body.position), {}), 3.5, 1e-5);
    EXPECT_NEAR(scene.bodies[4].body.position.x, 0, 1e-6) << "the keystone";
    EXPECT_NEAR(scene.bodies[0].body.position.x, -scene.bodies[8].body.position.x, 1e-5);
    EXPECT_EQ(std::get<Hull>(scene.shapes.at(0).parts[0].geometry).vertices().size(), 8u);
}

TEST(RigidGenerators, ACardHouseHasTentsAndFloors) {
    RigidScene scene = parsed(R"("bodies": [{"card_house": {"levels": 3, "gap": 0}}])");
    ASSERT_EQ(scene.bodies.size(), 12u + 3u);
    // two cards of a tent touch at their tops: their inner upper corners meet above the middle
    const BodyDef &left = scene.bodies[0].body, &right = scene.bodies[1].body;
    EXPECT_NEAR(left.position.y, right.position.y, 1e-6);
    const double sine = std::sin(20 * 3.14159265358979 / 180), cosine = std::cos(20 * 3.14159265358979 / 180);
    EXPECT_NEAR(right.position.x - left.position.x, 2 * (0.02 * cosine + 1 * sine), 1e-5);
    EXPECT_NEAR(left.position.y, 0.02 * sine + 1 * cosine, 1e-6);
    EXPECT_LT(left.rotation.z, 0) << "the left card leans to the right";
}

TEST(RigidGenerators, AChainHasAJointAtEveryEnd) {
    RigidScene scene = parsed(R"("shapes": [{"name": "s", "capsule": {"half_height": 0.5, "radius": 0.25}}],
        "bodies": [{"chain": {"shape": "s", "count": 3, "origin": [0, 5, 0], "direction": [0, 0, 2], "pitch": 1,
                              "anchored": "both", "joint": "hinge", "axis": [1, 0, 0]}}])");
    ASSERT_EQ(scene.bodies.size(), 3u);
    ASSERT_EQ(scene.joints.size(), 4u);
    EXPECT_NEAR(scene.bodies[2].body.position.z, 2.5, 1e-6);
    EXPECT_EQ(scene.joints[0].anchor, (Vec3{0, 5, 0}));
    EXPECT_FALSE(scene.joints[0].second);
    EXPECT_EQ(scene.joints[1].first, 0u);
    EXPECT_EQ(scene.joints[1].second, 1u);
    EXPECT_EQ(scene.joints[1].type, JointType::hinge);
    EXPECT_EQ(scene.joints[1].axis, (Vec3{1, 0, 0}));
    EXPECT_NEAR(scene.joints[3].anchor.z, 3, 1e-6);
    EXPECT_FALSE(scene.joints[3].second);
}

TEST(RigidGenerators, RagdollsAreThoseOfMakeRagdoll) {
    RigidScene scene = parsed(R"("world": {"sleeping": false},
        "bodies": [{"ragdolls": {"count": 3, "columns": 1, "spacing": 2.5, "origin": [1, 3, 0]}}])");
    EXPECT_EQ(scene.bodies.size(), 3u * Ragdoll::parts);
    EXPECT_EQ(scene.joints.size(), 3u * (Ragdoll::parts - 1));
    World world(scene.settings);
    for (const double y : {3.0, 5.5, 8.0}) make_ragdoll(world, {.position = {1, y, 0}});
    World built = build_rigid_world(scene);
    for (int k = 0; k < 30; ++k) world.step(scene.time_step), built.step(scene.time_step);
    const std::vector<BodyId> a = world.bodies(), b = built.bodies();
    for (std::size_t k = 0; k < a.size(); ++k)
        EXPECT_LT(length(world.position(a[k]) - built.position(b[k])), 1e-4) << k;
}

TEST(RigidGenerators, AMoleculeHasTheJointsOfTheSeed) {
    for (int n : {4, 6, 8}) {
        RigidScene scene = parsed("\"bodies\": [{\"molecule\": {\"side\": " + std::to_string(n) + "}}]");
        const auto side = static_cast<std::size_t>(n);
        EXPECT_EQ(scene.bodies.size(), side * side * side);
        EXPECT_EQ(scene.joints.size(), 3 * side * side * (side - 1));
        for (const RigidJointDef& joint : scene.joints) {
            const Vec3 a = narrow(scene.bodies[joint.first].body.position),
                       b = narrow(scene.bodies[*joint.second].body.position);
            EXPECT_NEAR(distance(a, b), 2.5, 1e-5);
            EXPECT_NEAR(distance(a, joint.anchor), 1.25, 1e-5);
            EXPECT_EQ(joint.type, JointType::fixed);
        }
    }
}

} // namespace
