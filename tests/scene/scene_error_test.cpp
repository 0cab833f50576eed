// SPDX-License-Identifier: MIT
// scene_error_test.cpp — every kind of bad scene, and the message it gets: file, line, path, value,
// expectation.
#include "scene_text.h"

#include <gtest/gtest.h>

namespace {

using namespace scree;
using scree::testing::refusal;
using scree::testing::scene_with;
using scree::testing::scene_with_cube;

struct Case {
    std::string text, message;
};

void expect_refusals(std::initializer_list<Case> cases, const SceneOptions& options = {}) {
    for (const Case& c : cases) EXPECT_EQ(refusal(c.text, options), c.message) << c.text;
}

std::string world(const std::string& settings) { return scene_with("\"world\": {" + settings + "}"); }
std::string shapes(const std::string& list) { return scene_with("\"shapes\": [" + list + "]"); }
std::string shape(const std::string& kind) { return shapes("{\"name\": \"s\", " + kind + "}"); }
std::string bodies(const std::string& list) { return scene_with_cube("\"bodies\": [" + list + "]"); }
std::string body(const std::string& more) {
    return bodies("{\"shape\": \"c\", \"position\": [0, 0, 0]" + (more.empty() ? "" : ", " + more) + "}");
}
std::string obstacles(const std::string& list) { return scene_with("\"obstacles\": [" + list + "]"); }
std::string expects(const std::string& inside) { return scene_with("\"expect\": {" + inside + "}"); }

TEST(SceneErrors, Document) {
    expect_refusals({
        {"[]", "a.json:1: an empty list is not allowed; an object was expected"},
        {"{}", "a.json:1: the key \"scree\" is missing"},
        {R"({"scree": 2, "title": "t", "steps": 1})",
         "a.json:1: scree: 2 is not allowed; a whole number from 1 to 1 was expected"},
        {R"({"scree": 1, "steps": 1})", "a.json:1: the key \"title\" is missing"},
        {R"({"scree": 1, "title": "t"})", "a.json:1: the key \"steps\" is missing"},
        {R"({"scree": 1, "title": "", "steps": 1})",
         "a.json:1: title: \"\" is not allowed; a string that is not empty was expected"},
        {R"({"scree": 1, "title": "a\nb", "steps": 1})",
         "a.json:1: title: \"a\\u000ab\" is not allowed; one line of at most 120 characters was expected"},
        {"{\"scree\": 1, \"title\": \"t\",\n\"steps\": 0}",
         "a.json:2: steps: 0 is not allowed; a whole number from 1 to 1000000000 was expected"},
        {"{\"scree\": 1, \"title\": \"t\",\n\"steps\": -5}",
         "a.json:2: steps: -5 is not allowed; a whole number from 1 to 1000000000 was expected"},
        {"{\"scree\": 1, \"title\": \"t\",\n\"steps\": 1.5}",
         "a.json:2: steps: 1.5 is not allowed; a whole number from 1 to 1000000000 was expected"},
        {"{\"scree\": 1, \"title\": \"t\",\n\"steps\": 1e12}",
         "a.json:2: steps: 1e12 is not allowed; a whole number from 1 to 1000000000 was expected"},
        {scene_with("\"bodys\": []"), "a.json:2: bodys: this key is not known; did you mean \"bodies\"?"},
        {scene_with("\"qqqqqqqq\": []"), "a.json:2: qqqqqqqq: this key is not known; one of $schema, scree, "
                                         "kind, title, notes, steps, world, camera, lights, ground, shapes, bodies, "
                                         "obstacles, expect was expected"},
        {scene_with("\"notes\": \"x\""), "a.json:2: notes: \"x\" is not allowed; a list was expected"},
        {scene_with("\"notes\": [\"x\", 1]"),
         "a.json:2: notes[1]: 1 is not allowed; a string that is not empty was expected"},
        {"{\"scree\": 1,\n \"scree\": 1}", "a.json:2:2: the key \"scree\" occurs twice; one was expected"},
    });
}

TEST(SceneErrors, Settings) {
    expect_refusals({
        {scene_with("\"world\": 3"), "a.json:2: world: 3 is not allowed; an object was expected"},
        {world("\"stifness\": 1"),
         "a.json:2: world.stifness: this key is not known; did you mean \"stiffness\"?"},
        {world("\"stiffness\": \"hard\""),
         "a.json:2: world.stiffness: \"hard\" is not allowed; a number greater than 0 was expected"},
        {world("\"stiffness\": 0"),
         "a.json:2: world.stiffness: 0 is not allowed; a number greater than 0 was expected"},
        {world("\"time_step\": -0.01"),
         "a.json:2: world.time_step: -0.01 is not allowed; a number greater than 0 was expected"},
        {world("\"time_step\": 1e-60"), "a.json:2: world.time_step: 1e-60 is not allowed; a number greater "
                                        "than 0 in single precision was expected"},
        {world("\"damping\": -1"),
         "a.json:2: world.damping: -1 is not allowed; a number of at least 0 was expected"},
        {world("\"friction\": 1e39"), "a.json:2: world.friction: 1e39 is not allowed; a number that fits "
                                      "into single precision was expected"},
        {world("\"friction\": 1e999"),
         "a.json:2:23: 1e999 is not allowed; a number that fits into double precision was expected"},
        {world("\"grid_cells\": 2"),
         "a.json:2: world.grid_cells: 2 is not allowed; a whole number from 4 to 1024 was expected"},
        {world("\"grid_cells\": 5000"),
         "a.json:2: world.grid_cells: 5000 is not allowed; a whole number from 4 to 1024 was expected"},
        {world("\"walls\": 1"), "a.json:2: world.walls: 1 is not allowed; true or false was expected"},
        {world("\"gravity\": 9.81"),
         "a.json:2: world.gravity: 9.81 is not allowed; a list of 3 numbers was expected"},
        {world("\"gravity\": [0, 1]"),
         "a.json:2: world.gravity: a list of 2 is not allowed; a list of 3 numbers was expected"},
        {world("\"gravity\": [0, null, 1]"),
         "a.json:2: world.gravity[1]: null is not allowed; a number was expected"},
        {world("\"mode\": \"refrence\""),
         "a.json:2: world.mode: \"refrence\" is not allowed; \"reference\", \"improved\" "
         "or \"brute\" was expected"},
        {world("\"contact\": 1"),
         "a.json:2: world.contact: 1 is not allowed; \"linear\", \"split\", \"history\" or "
         "\"hertz\" was expected"},
        {world("\"world_size\": \"big\""),
         "a.json:2: world.world_size: \"big\" is not allowed; a number greater than 0 was expected"},
        {world("\"mode\": \"reference\", \"substeps\": 2"),
         "a.json:1: world.substeps: 2 is not allowed; 0 or 1 in reference mode was expected"},
        {world("\"world_size\": \"fit\""),
         "a.json:1: \"world_size\": \"fit\" is not allowed without bodies; a number was expected"},
    });
}

TEST(SceneErrors, Shapes) {
    expect_refusals({
        {scene_with("\"shapes\": {}"),
         "a.json:2: shapes: an empty object is not allowed; a list was expected"},
        {shapes("{\"cube\": {}}"), "a.json:2: shapes[0]: the key \"name\" is missing"},
        {shapes("{\"name\": 4, \"cube\": {}}"),
         "a.json:2: shapes[0].name: 4 is not allowed; a string that is not empty was expected"},
        {shapes("{\"name\": \"s\"}"),
         "a.json:2: shapes[0]: one of cube, cuboid, grain, ball, capsule, desk, mesh, "
         "particles was expected"},
        {shape("\"cube\": {}, \"grain\": {}"),
         "a.json:2: shapes[0].grain: one of cube, cuboid, grain is there already; one alone was expected"},
        {shapes("{\"name\": \"s\", \"cube\": {}},\n{\"name\": \"s\", \"grain\": {}}"),
         "a.json:3: shapes[1].name: \"s\" is not allowed; a name that no other shape has was expected"},
        {shape("\"cubes\": {}"), "a.json:2: shapes[0].cubes: this key is not known; did you mean \"cube\"?"},
        {shape("\"cube\": 0.2"), "a.json:2: shapes[0].cube: 0.2 is not allowed; an object was expected"},
        {shape("\"cube\": {\"radius\": 0}"),
         "a.json:2: shapes[0].cube.radius: 0 is not allowed; a number greater than 0 was expected"},
        {shape("\"cube\": {\"radius\": -1}"),
         "a.json:2: shapes[0].cube.radius: -1 is not allowed; a number greater than 0 was expected"},
        {shape("\"cube\": {\"spheres\": 0}"),
         "a.json:2: shapes[0].cube.spheres: 0 is not allowed; a whole number from 1 to 100000 was expected"},
        {shape("\"cube\": {\"spheres\": 1000}"), "a.json:2: shapes[0].cube: about 1e+09 particles are too "
                                                 "many; at most 10000000 in a shape were expected"},
        {shape("\"cuboid\": {}"), "a.json:2: shapes[0].cuboid: the key \"spheres\" is missing"},
        {shape("\"cuboid\": {\"spheres\": [1, 2]}"),
         "a.json:2: shapes[0].cuboid.spheres: a list of 2 is not allowed; a list of 3 was expected"},
        {shape("\"cuboid\": {\"spheres\": [1, 2, 1.5]}"),
         "a.json:2: shapes[0].cuboid.spheres[2]: 1.5 is not allowed; a whole number from 1 to 100000 was "
         "expected"},
        {shape("\"ball\": {\"radius\": 0.1}"),
         "a.json:2: shapes[0].ball: the key \"ball_radius\" is missing"},
        {shape("\"ball\": {\"radius\": 0.0009765625, \"ball_radius\": 1024}"),
         "a.json:2: shapes[0].ball.ball_radius: about 6.036697e+17 particles are too many; at most 10000000 "
         "in a shape were "
         "expected"},
        {shape("\"capsule\": {\"spheres\": 2, \"bend_degrees\": 400}"),
         "a.json:2: shapes[0].capsule.bend_degrees: 400 is not allowed; a number from -360 to 360 was "
         "expected"},
        {shape("\"particles\": []"),
         "a.json:2: shapes[0].particles: an empty list is not allowed; a list of at least 1 was expected"},
        {shape("\"particles\": [{\"radius\": 1}]"),
         "a.json:2: shapes[0].particles[0]: the key \"offset\" is missing"},
        {shape("\"particles\": [{\"offset\": [0, 0, 0], \"radius\": -2}]"),
         "a.json:2: shapes[0].particles[0].radius: -2 is not allowed; a number greater than 0 was expected"},
        {shape("\"mesh\": {\"radius\": 1}"), "a.json:2: shapes[0].mesh: the key \"file\" is missing"},
        {scene_with("\"world\": {\"mode\": \"reference\"},\n\"shapes\": [{\"name\": \"s\", \"grain\": "
                    "{\"radius\": 0.1}}]"),
         "a.json:3: shapes[0].grain: in reference mode all particles have the radius world.particle_radius, "
         "0.2"},
    });
    EXPECT_EQ(refusal(shape("\"mesh\": {\"file\": \"m.obj\"}"), {.read_files = false}),
              "a.json:2: shapes[0].mesh.file: mesh files are not read here");
    std::string ball = refusal(shape("\"ball\": {\"ball_radius\": 0.1}"));
    EXPECT_EQ(ball.find("a.json:2: shapes[0].ball: "), 0u)
        << "refused by the library, placed by the reader: " << ball;
    EXPECT_NE(refusal(shape("\"mesh\": {\"file\": \"no such file.obj\"}")), "");
}

TEST(SceneErrors, Bodies) {
    expect_refusals({
        {bodies("7"), "a.json:3: bodies[0]: 7 is not allowed; an object was expected"},
        {bodies("{\"position\": [0, 0, 0]}"), "a.json:3: bodies[0]: the key \"shape\" is missing"},
        {bodies("{\"shape\": \"c\"}"), "a.json:3: bodies[0]: the key \"position\" is missing"},
        {bodies("{\"shape\": \"cc\", \"position\": [0, 0, 0]}"),
         "a.json:3: bodies[0].shape: there is no shape \"cc\" in \"shapes\"; did you mean \"c\"?"},
        {body("\"mass\": -1"),
         "a.json:3: bodies[0].mass: -1 is not allowed; a number greater than 0 was expected"},
        {body("\"mass\": 0"),
         "a.json:3: bodies[0].mass: 0 is not allowed; a number greater than 0 was expected"},
        {body("\"mas\": 1"), "a.json:3: bodies[0].mas: this key is not known; did you mean \"mass\"?"},
        {body("\"velocity\": [1, 2, \"x\"]"),
         "a.json:3: bodies[0].velocity[2]: \"x\" is not allowed; a number was expected"},
        {body("\"rotation\": 90"),
         "a.json:3: bodies[0].rotation: 90 is not allowed; a unit quaternion [s, x, y, z] or an "
         "object with \"axis\" and \"degrees\" was expected"},
        {body("\"rotation\": [1, 1, 0, 0]"),
         "a.json:3: bodies[0].rotation: a quaternion of length 1.41421356 is not "
         "allowed; a length of 1 within 0.001 was expected"},
        {body("\"rotation\": [0, 0, 0, 0]"),
         "a.json:3: bodies[0].rotation: a quaternion of length 0 is not allowed; a "
         "length of 1 within 0.001 was expected"},
        {body("\"rotation\": {\"axis\": [0, 0, 0], \"degrees\": 9}"),
         "a.json:3: bodies[0].rotation.axis: a list of 3 is not allowed; an axis longer than 0 was expected"},
        {body("\"rotation\": {\"axis\": [0, 0, 1]}"),
         "a.json:3: bodies[0].rotation: the key \"degrees\" is missing"},
        {body("\"stream\": {}"),
         "a.json:3: bodies[0].shape: this key is not known; one of stream, tower, lattice was "
         "expected"},
        {bodies(
             "{\"shape\": \"c\", \"position\": [0, 0, 0]},\n{\"shape\": \"c\", \"position\": [0, 1e39, 0]}"),
         "a.json:4: bodies[1].position[1]: 1e39 is not allowed; a number that fits into single precision was "
         "expected"},
    });
}

TEST(SceneErrors, Generators) {
    auto stream = [](const std::string& more) {
        return bodies("{\"stream\": {\"shape\": \"c\"" + more + "}}");
    };
    auto tower = [](const std::string& more) {
        return bodies("{\"tower\": {\"shape\": \"c\"" + more + "}}");
    };
    auto lattice = [](const std::string& more) {
        return bodies("{\"lattice\": {\"shape\": \"c\"" + more + "}}");
    };
    expect_refusals({
        {stream(""), "a.json:3: bodies[0].stream: the key \"count\" is missing"},
        {stream(", \"count\": 0"), "a.json:3: bodies[0].stream.count: 0 is not allowed; a whole number from "
                                   "1 to 9007199254740991 was expected"},
        {stream(", \"count\": -3"), "a.json:3: bodies[0].stream.count: -3 is not allowed; a whole number "
                                    "from 1 to 9007199254740991 was expected"},
        {stream(", \"count\": 5, \"pitch\": 0"),
         "a.json:3: bodies[0].stream.pitch: 0 is not allowed; a number greater than 0 was expected"},
        {stream(", \"count\": 5, \"pitch\": 1e38"), "a.json:3: bodies[0].stream: body 4 would stand beyond "
                                                    "single precision; a finite position was expected"},
        {stream(", \"count\": 200000000"),
         "a.json:3: bodies[0].stream.count: 200000000 bodies after 0 others are too "
         "many; at most 100000000 in all were expected"},
        {stream(", \"count\": 40000000"),
         "a.json:3: bodies[0].stream.count: 40000000 bodies of 27 particles after 0 "
         "others are too many; at most 268435456 particles in all were expected"},
        {tower(", \"count\": 4"), "a.json:3: bodies[0].tower: the key \"footprint\" is missing"},
        {tower(", \"count\": 4, \"footprint\": [2]"),
         "a.json:3: bodies[0].tower.footprint: a list of 1 is not allowed; a list of 2 was expected"},
        {tower(", \"count\": 4, \"footprint\": [2, 0]"),
         "a.json:3: bodies[0].tower.footprint[1]: 0 is not allowed; a whole number from 1 to 100000 was "
         "expected"},
        {tower(", \"count\": 4, \"footprint\": [2, 2], \"jitter\": -1"),
         "a.json:3: bodies[0].tower.jitter: -1 is not allowed; a number of at least 0 was expected"},
        {tower(", \"count\": 4, \"footprint\": [2, 2], \"seed\": -1"),
         "a.json:3: bodies[0].tower.seed: -1 is not allowed; a whole number from 0 to 9007199254740991 was "
         "expected"},
        {lattice(", \"counts\": [1, 1, 1]"), "a.json:3: bodies[0].lattice: the key \"spacing\" is missing"},
        {lattice(", \"spacing\": 1"),
         "a.json:3: bodies[0].lattice: \"counts\", or \"count\" and \"layers\", were expected"},
        {lattice(", \"spacing\": 1, \"count\": 4"),
         "a.json:3: bodies[0].lattice: \"counts\", or \"count\" and \"layers\", were expected"},
        {lattice(", \"spacing\": 1, \"counts\": [1, 1, 1], \"count\": 4"),
         "a.json:3: bodies[0].lattice.count: \"counts\" is there already; one of the two was expected"},
        {lattice(", \"spacing\": 1, \"counts\": [1, 1, 1], \"layers\": 4"),
         "a.json:3: bodies[0].lattice.layers: this belongs to \"count\", not to \"counts\""},
        {lattice(", \"spacing\": 1, \"counts\": [100000, 100000, 100000]"),
         "a.json:3: bodies[0].lattice.counts: 1000000000000000 bodies after 0 others are too many; at most "
         "100000000 in "
         "all were expected"},
        {lattice(", \"spacing\": 0, \"counts\": [1, 1, 1]"),
         "a.json:3: bodies[0].lattice.spacing: 0 is not allowed; a number greater than 0 was expected"},
        {bodies("{\"stream\": {\"shape\": \"c\", \"count\": 1}, \"tower\": {}}"),
         "a.json:3: bodies[0].tower: one of stream, tower is there already; one alone was expected"},
    });
}

TEST(SceneErrors, LimitsHoldOverAllBodies) {
    std::string three = "{\"stream\": {\"shape\": \"c\", \"count\": 3}}";
    EXPECT_EQ(refusal(bodies(three + "," + three), {.max_bodies = 6}), "");
    EXPECT_EQ(refusal(bodies(three + "," + three), {.max_bodies = 5}),
              "a.json:3: bodies[1].stream.count: 3 bodies after 3 others are too many; at most 5 in all were "
              "expected");
    EXPECT_EQ(refusal(bodies(three + "," + three), {.max_particles = 162}), "");
    EXPECT_EQ(refusal(bodies(three + "," + three), {.max_particles = 161}),
              "a.json:3: bodies[1].stream.count: 3 bodies of 27 particles after 81 others are too many; at "
              "most 161 "
              "particles in all were expected");
    EXPECT_EQ(
        refusal(shape("\"cube\": {}"), {.max_particles = 20}),
        "a.json:2: shapes[0].cube: about 27 particles are too many; at most 20 in a shape were expected");
    EXPECT_NE(refusal(bodies(three), {.bodies = ~std::uint64_t{0}}), "") << "the largest count of all";
}

TEST(SceneErrors, Obstacles) {
    expect_refusals({
        {obstacles("{}"), "a.json:2: obstacles[0]: one of plane, box, sphere was expected"},
        {obstacles("{\"cone\": {}}"),
         "a.json:2: obstacles[0].cone: this key is not known; one of plane, box, sphere was expected"},
        {obstacles("{\"plane\": {\"point\": [0, 0, 0]}}"),
         "a.json:2: obstacles[0].plane: the key \"normal\" is missing"},
        {obstacles("{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 0, 0]}}"),
         "a.json:2: obstacles[0].plane.normal: a list of 3 is not allowed; a normal longer than 0 was "
         "expected"},
        {obstacles("{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0], \"mass\": 1}}"),
         "a.json:2: obstacles[0].plane.mass: this key is not known; one of point, normal was expected"},
        {obstacles("{\"box\": {\"position\": [0, 0, 0], \"half_size\": [1, 0, 1]}}"),
         "a.json:2: obstacles[0].box.half_size[1]: 0 is not allowed; a number greater than 0 was expected"},
        {obstacles("{\"box\": {\"position\": [0, 0, 0], \"half_size\": [1, 1, 1], \"mass\": -1}}"),
         "a.json:2: obstacles[0].box.mass: -1 is not allowed; a number of at least 0 was expected"},
        {obstacles("{\"sphere\": {\"position\": [0, 0, 0], \"radius\": -1}}"),
         "a.json:2: obstacles[0].sphere.radius: -1 is not allowed; a number greater than 0 was expected"},
    });
}

TEST(SceneErrors, Expectations) {
    expect_refusals({
        {expects("\"tops\": 1"), "a.json:2: expect.tops: this key is not known; did you mean \"top\"?"},
        {expects("\"top\": \"high\""), "a.json:2: expect.top: \"high\" is not allowed; a number or an object "
                                       "with \"min\" or \"max\" was expected"},
        {expects("\"top\": {}"), "a.json:2: expect.top: \"min\" or \"max\" was expected"},
        {expects("\"top\": {\"below\": 1}"),
         "a.json:2: expect.top.below: this key is not known; one of min, max was expected"},
        {expects("\"top\": {\"min\": 2, \"max\": 1}"),
         "a.json:2: expect.top.max: 1 is not allowed; a number of at least \"min\", 2, was expected"},
        {expects("\"close_pairs\": 3"),
         "a.json:2: expect.close_pairs: 3 is not allowed; an object was expected"},
        {expects("\"close_pairs\": {\"min\": 3}"),
         "a.json:2: expect.close_pairs: the key \"distance\" is missing"},
        {expects("\"hash\": \"12\""), "a.json:2: expect.hash: \"12\" is not allowed; a string of 16 "
                                      "hexadecimal digits in lower case was expected"},
        {expects("\"hash\": \"00000000000000zz\""),
         "a.json:2: expect.hash: \"00000000000000zz\" is not allowed; a string "
         "of 16 hexadecimal digits in lower case was expected"},
    });
}

} // namespace
