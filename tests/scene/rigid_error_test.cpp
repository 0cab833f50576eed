// SPDX-License-Identifier: MIT
// rigid_error_test.cpp — what is wrong in a rigid scene is named: file, line, path, value and what was expected.
#include "rigid_text.h"
#include "scene_text.h"

#include <gtest/gtest.h>

namespace {

using namespace scree;
using scree::testing::refusal;
using scree::testing::rigid_with;

std::string said_of(const std::string& lines, const SceneOptions& options = {}) {
    return refusal(rigid_with(lines), options);
}

const std::string ball =
    R"("shapes": [{"name": "s", "sphere": {"radius": 0.5}}, {"name": "p", "plane": {}}],)"
    "\n";

TEST(RigidSceneError, UnknownKindsAreNamed) {
    EXPECT_EQ(refusal(R"({"scree": 1, "kind": "fluid", "title": "t", "steps": 1})"),
              "a.json:1: kind: invalid value \"fluid\": expected \"granular\", \"rigid\", \"cloth\", "
              "\"impact\" or \"staged_impact\"");
    EXPECT_EQ(refusal(R"({"scree": 1, "kind": "ridgid", "title": "t", "steps": 1})"),
              "a.json:1: kind: invalid value \"ridgid\": expected \"granular\", \"rigid\", \"cloth\", "
              "\"impact\" or \"staged_impact\"; did you mean \"rigid\"?");
}

TEST(RigidSceneError, AForgottenKindIsFoundByWhatTheSceneHolds) {
    const std::string heading = R"({"scree": 1, "title": "t", "steps": 1, )",
                      shapes = R"("shapes": [{"name": "s", "sphere": {"radius": 0.5}}])";
    const std::string said =
        refusal(heading + shapes + R"(, "bodies": [{"shape": "s", "position": [0, 1, 0]}]})");
    EXPECT_EQ(said.rfind("a.json:1: shapes[0].sphere: this key is not known", 0), 0u) << said;
    EXPECT_NE(said.find("; did you forget \"kind\": \"rigid\"?"), std::string::npos) << said;
    // a scene that is of neither kind gets no advice
    EXPECT_EQ(
        refusal(heading + shapes + R"(, "bodies": [{"shape": "t", "position": [0, 1, 0]}]})").find("forget"),
        std::string::npos);
}

TEST(RigidSceneError, KeysOfTheOtherKindAreNotKnown) {
    EXPECT_EQ(said_of(R"("obstacles": [])").rfind("a.json:2: obstacles: this key is not known", 0), 0u);
    EXPECT_EQ(refusal(R"({"scree": 1, "title": "t", "steps": 1, "joints": []})")
                  .rfind("a.json:1: joints: a scene of kind \"granular\" has no such key; did you forget "
                         "\"kind\": \"rigid\"?",
                         0),
              0u);
}

TEST(RigidSceneError, SettingsAreCheckedAsTheWorldDoes) {
    EXPECT_EQ(said_of(R"("world": {"sor_omega": 2})"),
              "a.json:2: world.sor_omega: invalid value 2: expected a number greater than 0 and less than 2");
    EXPECT_EQ(said_of(R"("world": {"substeps": 0})"),
              "a.json:2: world.substeps: invalid value 0: expected an integer from 1 to 1000");
    EXPECT_EQ(said_of(R"("world": {"grid_bits": [16, 16, 16]})"),
              "a.json:1: world.grid_bits: invalid value 48: expected a sum of at most 32");
    EXPECT_EQ(
        said_of(R"("world": {"threads": 4})").rfind("a.json:2: world.threads: this key is not known", 0), 0u)
        << "threads belong to the machine";
    EXPECT_EQ(said_of("", {.settings = {{"solvr", "sor", "--set solvr=sor"}}}),
              "--set solvr=sor: the setting \"solvr\" is not known; did you mean \"solver\"?");
}

TEST(RigidSceneError, ShapesAreChecked) {
    EXPECT_EQ(said_of(R"("shapes": [{"name": "s", "sphere": {"radius": 0}}])"),
              "a.json:2: shapes[0].sphere.radius: invalid value 0: expected a number greater than 0");
    EXPECT_EQ(said_of(R"("shapes": [{"name": "s"}])")
                  .rfind("a.json:2: shapes[0]: expected one of sphere, capsule, box", 0),
              0u);
    EXPECT_EQ(said_of(R"("shapes": [{"name": "s", "plane": {}}, {"name": "s", "plane": {}}])"),
              "a.json:2: shapes[1].name: invalid value \"s\": expected a name that no other shape has");
    EXPECT_EQ(
        said_of(R"("shapes": [{"name": "s", "compound": []}])").rfind("a.json:2: shapes[0].compound: ", 0),
        0u);
    EXPECT_EQ(said_of(R"("shapes": [{"name": "s", "plane": {}, "material": "wood"}])"),
              "a.json:2: shapes[0].material: there is no material \"wood\" in \"materials\"");
}

TEST(RigidSceneError, HullsSayWhyTheyAreNone) {
    const std::string flat =
        said_of(R"("shapes": [{"name": "s", "hull": {"points": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}])");
    EXPECT_EQ(flat.rfind("a.json:2: shapes[0].hull.points: ", 0), 0u) << flat;
    EXPECT_NE(flat.find("plane"), flat.npos) << flat;
}

TEST(RigidSceneError, BodiesAreChecked) {
    EXPECT_EQ(said_of(ball + R"("bodies": [{"shape": "p", "position": [0, 0, 0]}])"),
              "a.json:3: bodies[0].shape: a plane cannot move; expected \"type\": \"fixed\"");
    EXPECT_EQ(said_of(ball + R"("bodies": [{"shape": "s", "position": [0, 0, 0], "type": "static"}])"),
              "a.json:3: bodies[0].type: invalid value \"static\": expected \"fixed\", \"kinematic\" or "
              "\"dynamic\"");
    EXPECT_EQ(
        said_of(ball + R"("bodies": [{"shape": "s", "position": [0, 0, 0], "type": "fixed", "mass": 1}])"),
        "a.json:3: bodies[0].mass: only a body of \"type\": \"dynamic\" has a mass");
    EXPECT_EQ(said_of(ball + R"("bodies": [{"shape": "s", "position": [0, 0, 0], "locks": ["w"]}])")
                  .rfind("a.json:3: bodies[0].locks[0]: invalid value \"w\": expected \"x\", \"y\"", 0),
              0u);
    EXPECT_EQ(said_of(ball + R"("bodies": [{"shape": "s", "position": [0, 0, 0], "name": "a"},
        {"shape": "s", "position": [0, 0, 0], "name": "a"}])"),
              "a.json:4: bodies[1].name: invalid value \"a\": expected a name that no other body has");
}

TEST(RigidSceneError, GeneratorsAreChecked) {
    EXPECT_EQ(said_of(ball + R"("bodies": [{"stack": {"shape": "p", "count": 3}}])"),
              "a.json:3: bodies[0].stack.shape: a plane has no end; expected a shape of finite size");
    EXPECT_EQ(said_of(R"("bodies": [{"funnel": {"top": 2, "hole": 3, "height": 1}}])"),
              "a.json:2: bodies[0].funnel.hole: invalid value 3: expected a width less than \"top\" (2)");
    EXPECT_EQ(said_of(ball + R"("bodies": [{"lattice": {"counts": [1, 1, 1], "spacing": 1}}])"),
              "a.json:3: bodies[0].lattice: expected \"shape\" or \"shapes\"");
    EXPECT_EQ(said_of(ball + R"("bodies": [{"stack": {"shape": "s", "count": 3, "gap": -2}}])")
                  .rfind("a.json:3: bodies[0].stack.gap: invalid value -2", 0),
              0u);
}

TEST(RigidSceneError, TooManyBodiesAreRefusedBeforeTheyAreMade) {
    EXPECT_EQ(
        said_of(R"("bodies": [{"molecule": {"side": 1000}}])", {.max_bodies = 1000}),
        "a.json:2: bodies[0].molecule.side: 1000000000 bodies after 0 others are too many; expected at most "
        "1000 in all");
    EXPECT_EQ(said_of(ball + R"("bodies": [{"shape": "s", "position": [0, 0, 0]}])", {.bodies = 5}),
              "a.json:3: bodies: the number of bodies cannot be set to 5; expected one generator (stack, "
              "lattice or "
              "chain); there are 0");
}

TEST(RigidSceneError, JointsAndForcesAreChecked) {
    const std::string two = R"("bodies": [{"molecule": {"side": 2, "name": "m"}}],)"
                            "\n";
    EXPECT_EQ(
        said_of(two + R"("joints": [{"type": "ball", "first": "m[8]", "anchor": [0, 0, 0]}])")
            .rfind("a.json:3: joints[0].first: there is no body \"m[8]\" in \"bodies\"; did you mean", 0),
        0u);
    EXPECT_EQ(said_of(two + R"("joints": [{"type": "ball", "first": 8, "anchor": [0, 0, 0]}])"),
              "a.json:3: joints[0].first: invalid value 8: expected an integer from 0 to 7");
    EXPECT_EQ(said_of(two + R"("joints": [{"type": "ball", "first": 1, "second": 1, "anchor": [0, 0, 0]}])"),
              "a.json:3: joints[0].second: invalid value 1: expected another body than \"first\"");
    EXPECT_EQ(said_of(two + R"("joints": [{"type": "hinge", "first": 1, "anchor": [0, 0, 0]}])"),
              "a.json:3: joints[0]: the key \"axis\" is missing");
    EXPECT_EQ(said_of(two + R"("forces": [{"body": 1}])"),
              "a.json:3: forces[0]: expected \"force\" or \"torque\"");
    EXPECT_EQ(said_of(two + R"("forces": [{"body": 1, "force": [0, 0, 1], "from": 2, "until": 1}])"),
              "a.json:3: forces[0].until: invalid value 1: expected a time after \"from\" (2)");
    EXPECT_EQ(said_of(R"("forces": [{"body": 0, "force": [0, 0, 1]}])"),
              "a.json:2: forces[0].body: there are no bodies in \"bodies\"");
}

TEST(RigidSceneError, MotionsAreChecked) {
    const auto said = [](const std::string& motions) {
        return said_of(ball +
                       R"("bodies": [{"name": "a", "shape": "s", "type": "kinematic", "position": [0, 0, 0]},
            {"name": "free", "shape": "s", "position": [0, 5, 0]}], "motions": [)" +
                       motions + "]");
    };
    const std::string keys = R"("keys": [{"at": 0}, {"at": 1, "turn": 90}])";
    EXPECT_EQ(said(R"({"body": "a", )" + keys + "}"), "no error");
    EXPECT_EQ(said(R"({"body": "free", )" + keys + "}"),
              "a.json:4: motions[0].body: only a body of \"type\": \"kinematic\" follows a motion");
    EXPECT_EQ(said(R"({"body": "a", )" + keys + R"(}, {"body": "a", )" + keys + "}"),
              "a.json:4: motions[1].body: the body has a motion already");
    EXPECT_EQ(said(R"({"body": "a", "on": "free", )" + keys + "}"),
              "a.json:4: motions[0].on: invalid value \"free\": expected a body of a motion before this one");
    EXPECT_EQ(said(R"({"body": "a", "axis": [0, 0, 0], )" + keys + "}"),
              "a.json:4: motions[0].axis: invalid value [0, 0, 0]: expected a vector that is not zero");
    EXPECT_EQ(said(R"({"body": "a", "keys": [{"at": 1}, {"at": 1}]})"),
              "a.json:4: motions[0].keys[1]: expected a later \"at\" than that of the key before");
    EXPECT_EQ(said(R"({"body": "a", "repeat": true, )" + keys + "}")
                  .rfind("a.json:4: motions[0].keys[1]: a motion that repeats ends as it begins", 0),
              0u);
}

TEST(RigidSceneError, ExpectationsOfGranularScenesAreNotKnown) {
    EXPECT_EQ(said_of(R"("expect": {"interlocked": 0})")
                  .rfind("a.json:2: expect.interlocked: this key is not known", 0),
              0u);
}

} // namespace
