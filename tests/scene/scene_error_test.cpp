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
        {"[]", "a.json:1: invalid value []: expected an object"},
        {"{}", "a.json:1: the key \"scree\" is missing"},
        {R"({"scree": 2, "title": "t", "steps": 1})",
         "a.json:1: scree: invalid value 2: expected an integer from 1 to 1"},
        {R"({"scree": 1, "steps": 1})", "a.json:1: the key \"title\" is missing"},
        {R"({"scree": 1, "title": "t"})", "a.json:1: the key \"steps\" is missing"},
        {R"({"scree": 1, "title": "", "steps": 1})",
         "a.json:1: title: invalid value \"\": expected a string that is not empty"},
        {R"({"scree": 1, "title": "a\nb", "steps": 1})",
         "a.json:1: title: invalid value \"a\\u000ab\": expected one line of at most 120 characters"},
        {"{\"scree\": 1, \"title\": \"t\",\n\"steps\": 0}",
         "a.json:2: steps: invalid value 0: expected an integer from 1 to 1000000000"},
        {"{\"scree\": 1, \"title\": \"t\",\n\"steps\": -5}",
         "a.json:2: steps: invalid value -5: expected an integer from 1 to 1000000000"},
        {"{\"scree\": 1, \"title\": \"t\",\n\"steps\": 1.5}",
         "a.json:2: steps: invalid value 1.5: expected an integer from 1 to 1000000000"},
        {"{\"scree\": 1, \"title\": \"t\",\n\"steps\": 1e12}",
         "a.json:2: steps: invalid value 1e12: expected an integer from 1 to 1000000000"},
        {scene_with("\"bodys\": []"), "a.json:2: bodys: this key is not known; did you mean \"bodies\"?"},
        {scene_with("\"qqqqqqqq\": []"),
         "a.json:2: qqqqqqqq: this key is not known; expected one of $schema, scree, "
         "kind, title, group, notes, steps, world, camera, cameras, lights, ground, sky, "
         "shading, shapes, bodies, "
         "obstacles, expect"},
        {scene_with("\"notes\": \"x\""), "a.json:2: notes: invalid value \"x\": expected a list"},
        {scene_with("\"notes\": [\"x\", 1]"),
         "a.json:2: notes[1]: invalid value 1: expected a string that is not empty"},
        {"{\"scree\": 1,\n \"scree\": 1}", "a.json:2:2: the key \"scree\" occurs twice"},
    });
}

TEST(SceneErrors, Settings) {
    expect_refusals({
        {scene_with("\"world\": 3"), "a.json:2: world: invalid value 3: expected an object"},
        {world("\"stifness\": 1"),
         "a.json:2: world.stifness: this key is not known; did you mean \"stiffness\"?"},
        {world("\"stiffness\": \"hard\""),
         "a.json:2: world.stiffness: invalid value \"hard\": expected a number greater than 0"},
        {world("\"stiffness\": 0"),
         "a.json:2: world.stiffness: invalid value 0: expected a number greater than 0"},
        {world("\"time_step\": -0.01"),
         "a.json:2: world.time_step: invalid value -0.01: expected a number greater than 0"},
        {world("\"time_step\": 1e-60"),
         "a.json:2: world.time_step: invalid value 1e-60: expected a number greater "
         "than 0 in single precision"},
        {world("\"damping\": -1"),
         "a.json:2: world.damping: invalid value -1: expected a number of at least 0"},
        {world("\"friction\": 1e39"),
         "a.json:2: world.friction: invalid value 1e39: expected a number that fits "
         "into single precision"},
        {world("\"friction\": 1e999"),
         "a.json:2:23: invalid value 1e999: expected a number that fits into double precision"},
        {world("\"grid_cells\": 2"),
         "a.json:2: world.grid_cells: invalid value 2: expected an integer from 4 to 1024"},
        {world("\"grid_cells\": 5000"),
         "a.json:2: world.grid_cells: invalid value 5000: expected an integer from 4 to 1024"},
        {world("\"walls\": 1"), "a.json:2: world.walls: invalid value 1: expected true or false"},
        {world("\"gravity\": 9.81"),
         "a.json:2: world.gravity: invalid value 9.81: expected a list of 3 numbers"},
        {world("\"gravity\": [0, 1]"),
         "a.json:2: world.gravity: invalid value [0, 1]: expected a list of 3 numbers"},
        {world("\"gravity\": [0, null, 1]"),
         "a.json:2: world.gravity[1]: invalid value null: expected a number"},
        {world("\"mode\": \"refrence\""),
         "a.json:2: world.mode: invalid value \"refrence\": expected "
         "\"reference\", \"improved\" or \"brute\"; did you mean \"reference\"?"},
        {world("\"contact\": 1"), "a.json:2: world.contact: invalid value 1: expected \"linear\", \"split\", "
                                  "\"history\" or \"hertz\""},
        {world("\"world_size\": \"big\""),
         "a.json:2: world.world_size: invalid value \"big\": expected a number greater than 0"},
        {world("\"mode\": \"reference\", \"substeps\": 2"),
         "a.json:1: world.substeps: invalid value 2: expected 0 or 1 in reference mode"},
        {world("\"world_size\": \"fit\""),
         "a.json:1: world.world_size: invalid value \"fit\": expected a number, since there are no bodies"},
    });
}

TEST(SceneErrors, Shapes) {
    expect_refusals({
        {scene_with("\"shapes\": {}"), "a.json:2: shapes: invalid value {}: expected a list"},
        {shapes("{\"cube\": {}}"), "a.json:2: shapes[0]: the key \"name\" is missing"},
        {shapes("{\"name\": 4, \"cube\": {}}"),
         "a.json:2: shapes[0].name: invalid value 4: expected a string that is not empty"},
        {shapes("{\"name\": \"s\"}"),
         "a.json:2: shapes[0]: expected one of cube, cuboid, grain, ball, capsule, desk, mesh, particles"},
        {shape("\"cube\": {}, \"grain\": {}"),
         "a.json:2: shapes[0].grain: expected only one of cube, cuboid, grain"},
        {shapes("{\"name\": \"s\", \"cube\": {}},\n{\"name\": \"s\", \"grain\": {}}"),
         "a.json:3: shapes[1].name: invalid value \"s\": expected a name that no other shape has"},
        {shape("\"cubes\": {}"), "a.json:2: shapes[0].cubes: this key is not known; did you mean \"cube\"?"},
        {shape("\"cube\": 0.2"), "a.json:2: shapes[0].cube: invalid value 0.2: expected an object"},
        {shape("\"cube\": {\"radius\": 0}"),
         "a.json:2: shapes[0].cube.radius: invalid value 0: expected a number greater than 0"},
        {shape("\"cube\": {\"radius\": -1}"),
         "a.json:2: shapes[0].cube.radius: invalid value -1: expected a number greater than 0"},
        {shape("\"cube\": {\"spheres\": 0}"),
         "a.json:2: shapes[0].cube.spheres: invalid value 0: expected an integer from 1 to 100000"},
        {shape("\"cube\": {\"spheres\": 1000}"),
         "a.json:2: shapes[0].cube: about 1e+09 particles are too many; "
         "expected at most 10000000 in a shape"},
        {shape("\"cuboid\": {}"), "a.json:2: shapes[0].cuboid: the key \"spheres\" is missing"},
        {shape("\"cuboid\": {\"spheres\": [1, 2]}"),
         "a.json:2: shapes[0].cuboid.spheres: invalid value [1, 2]: expected a list of 3"},
        {shape("\"cuboid\": {\"spheres\": [1, 2, 1.5]}"),
         "a.json:2: shapes[0].cuboid.spheres[2]: invalid value 1.5: expected an integer from 1 to 100000"},
        {shape("\"ball\": {\"radius\": 0.1}"),
         "a.json:2: shapes[0].ball: the key \"ball_radius\" is missing"},
        {shape("\"ball\": {\"radius\": 0.0009765625, \"ball_radius\": 1024}"),
         "a.json:2: shapes[0].ball.ball_radius: about 6.036697e+17 particles are too many; expected at most "
         "10000000 "
         "in a shape"},
        {shape("\"capsule\": {\"spheres\": 2, \"bend_degrees\": 400}"),
         "a.json:2: shapes[0].capsule.bend_degrees: invalid value 400: expected a number from -360 to 360"},
        {shape("\"particles\": []"),
         "a.json:2: shapes[0].particles: invalid value []: expected a list of at least 1"},
        {shape("\"particles\": [{\"radius\": 1}]"),
         "a.json:2: shapes[0].particles[0]: the key \"offset\" is missing"},
        {shape("\"particles\": [{\"offset\": [0, 0, 0], \"radius\": -2}]"),
         "a.json:2: shapes[0].particles[0].radius: invalid value -2: expected a number greater than 0"},
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
    EXPECT_NE(refusal(shape("\"mesh\": {\"file\": \"no such file.obj\"}")), "no error");
}

TEST(SceneErrors, Bodies) {
    expect_refusals({
        {bodies("7"), "a.json:3: bodies[0]: invalid value 7: expected an object"},
        {bodies("{\"position\": [0, 0, 0]}"), "a.json:3: bodies[0]: the key \"shape\" is missing"},
        {bodies("{\"shape\": \"c\"}"), "a.json:3: bodies[0]: the key \"position\" is missing"},
        {bodies("{\"shape\": \"cc\", \"position\": [0, 0, 0]}"),
         "a.json:3: bodies[0].shape: there is no shape \"cc\" in \"shapes\"; did you mean \"c\"?"},
        {body("\"mass\": -1"),
         "a.json:3: bodies[0].mass: invalid value -1: expected a number greater than 0"},
        {body("\"mass\": 0"), "a.json:3: bodies[0].mass: invalid value 0: expected a number greater than 0"},
        {body("\"mas\": 1"), "a.json:3: bodies[0].mas: this key is not known; did you mean \"mass\"?"},
        {body("\"velocity\": [1, 2, \"x\"]"),
         "a.json:3: bodies[0].velocity[2]: invalid value \"x\": expected a number"},
        {body("\"rotation\": 90"), "a.json:3: bodies[0].rotation: invalid value 90: expected a unit "
                                   "quaternion [s, x, y, z] or an object with "
                                   "\"axis\" and \"degrees\""},
        {body("\"rotation\": [1, 1, 0, 0]"),
         "a.json:3: bodies[0].rotation: invalid quaternion of length 1.41421356: expected a length of 1 "
         "within 0.001"},
        {body("\"rotation\": [0, 0, 0, 0]"),
         "a.json:3: bodies[0].rotation: invalid quaternion of length 0: expected a length of 1 within 0.001"},
        {body("\"rotation\": {\"axis\": [0, 0, 0], \"degrees\": 9}"),
         "a.json:3: bodies[0].rotation.axis: invalid value [0, 0, 0]: expected an axis longer than 0"},
        {body("\"rotation\": {\"axis\": [0, 0, 1]}"),
         "a.json:3: bodies[0].rotation: the key \"degrees\" is missing"},
        {body("\"stream\": {}"),
         "a.json:3: bodies[0].shape: this key is not known; expected one of stream, tower, lattice"},
        {bodies(
             "{\"shape\": \"c\", \"position\": [0, 0, 0]},\n{\"shape\": \"c\", \"position\": [0, 1e39, 0]}"),
         "a.json:4: bodies[1].position[1]: invalid value 1e39: expected a number that fits into single "
         "precision"},
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
        {stream(", \"count\": 0"),
         "a.json:3: bodies[0].stream.count: invalid value 0: expected an integer from 1 to "
         "9007199254740991"},
        {stream(", \"count\": -3"),
         "a.json:3: bodies[0].stream.count: invalid value -3: expected an integer from 1 "
         "to 9007199254740991"},
        {stream(", \"count\": 5, \"pitch\": 0"),
         "a.json:3: bodies[0].stream.pitch: invalid value 0: expected a number greater than 0"},
        {stream(", \"count\": 5, \"pitch\": 1e38"),
         "a.json:3: bodies[0].stream: body 4 would stand beyond single "
         "precision; expected a finite position"},
        {stream(", \"count\": 200000000"), "a.json:3: bodies[0].stream.count: 200000000 bodies after 0 "
                                           "others are too many; expected at most 100000000 "
                                           "in all"},
        {stream(", \"count\": 40000000"), "a.json:3: bodies[0].stream.count: 40000000 bodies of 27 particles "
                                          "after 0 others are too many; expected at "
                                          "most 268435456 particles in all"},
        {tower(", \"count\": 4"), "a.json:3: bodies[0].tower: the key \"footprint\" is missing"},
        {tower(", \"count\": 4, \"footprint\": [2]"),
         "a.json:3: bodies[0].tower.footprint: invalid value [2]: expected a list of 2"},
        {tower(", \"count\": 4, \"footprint\": [2, 0]"),
         "a.json:3: bodies[0].tower.footprint[1]: invalid value 0: expected an integer from 1 to 100000"},
        {tower(", \"count\": 4, \"footprint\": [2, 2], \"jitter\": -1"),
         "a.json:3: bodies[0].tower.jitter: invalid value -1: expected a number of at least 0"},
        {tower(", \"count\": 4, \"footprint\": [2, 2], \"seed\": -1"),
         "a.json:3: bodies[0].tower.seed: invalid value -1: expected an integer from 0 to 9007199254740991"},
        {lattice(", \"counts\": [1, 1, 1]"), "a.json:3: bodies[0].lattice: the key \"spacing\" is missing"},
        {lattice(", \"spacing\": 1"),
         "a.json:3: bodies[0].lattice: expected \"counts\", or \"count\" and \"layers\""},
        {lattice(", \"spacing\": 1, \"count\": 4"),
         "a.json:3: bodies[0].lattice: expected \"counts\", or \"count\" and \"layers\""},
        {lattice(", \"spacing\": 1, \"counts\": [1, 1, 1], \"count\": 4"),
         "a.json:3: bodies[0].lattice.count: expected either \"count\" or \"counts\""},
        {lattice(", \"spacing\": 1, \"counts\": [1, 1, 1], \"layers\": 4"),
         "a.json:3: bodies[0].lattice.layers: this belongs to \"count\", not to \"counts\""},
        {lattice(", \"spacing\": 1, \"counts\": [100000, 100000, 100000]"),
         "a.json:3: bodies[0].lattice.counts: 1000000000000000 bodies after 0 others are too many; expected "
         "at most "
         "100000000 in all"},
        {lattice(", \"spacing\": 0, \"counts\": [1, 1, 1]"),
         "a.json:3: bodies[0].lattice.spacing: invalid value 0: expected a number greater than 0"},
        {bodies("{\"stream\": {\"shape\": \"c\", \"count\": 1}, \"tower\": {}}"),
         "a.json:3: bodies[0].tower: expected only one of stream, tower"},
    });
}

TEST(SceneErrors, LimitsHoldOverAllBodies) {
    std::string three = "{\"stream\": {\"shape\": \"c\", \"count\": 3}}";
    EXPECT_EQ(refusal(bodies(three + "," + three), {.max_bodies = 6}), "no error");
    EXPECT_EQ(
        refusal(bodies(three + "," + three), {.max_bodies = 5}),
        "a.json:3: bodies[1].stream.count: 3 bodies after 3 others are too many; expected at most 5 in all");
    EXPECT_EQ(refusal(bodies(three + "," + three), {.max_particles = 162}), "no error");
    EXPECT_EQ(refusal(bodies(three + "," + three), {.max_particles = 161}),
              "a.json:3: bodies[1].stream.count: 3 bodies of 27 particles after 81 others are too many; "
              "expected at "
              "most 161 particles in all");
    EXPECT_EQ(refusal(shape("\"cube\": {}"), {.max_particles = 20}),
              "a.json:2: shapes[0].cube: about 27 particles are too many; expected at most 20 in a shape");
    EXPECT_NE(refusal(bodies(three), {.bodies = ~std::uint64_t{0}}), "no error")
        << "the largest count of all";
}

TEST(SceneErrors, Obstacles) {
    expect_refusals({
        {obstacles("{}"), "a.json:2: obstacles[0]: expected one of plane, box, sphere"},
        {obstacles("{\"cone\": {}}"),
         "a.json:2: obstacles[0].cone: this key is not known; expected one of plane, box, sphere"},
        {obstacles("{\"plane\": {\"point\": [0, 0, 0]}}"),
         "a.json:2: obstacles[0].plane: the key \"normal\" is missing"},
        {obstacles("{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 0, 0]}}"),
         "a.json:2: obstacles[0].plane.normal: invalid value [0, 0, 0]: expected a normal longer than 0"},
        {obstacles("{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0], \"mass\": 1}}"),
         "a.json:2: obstacles[0].plane.mass: this key is not known; expected one of point, normal, paint"},
        {obstacles("{\"box\": {\"position\": [0, 0, 0], \"half_size\": [1, 0, 1]}}"),
         "a.json:2: obstacles[0].box.half_size[1]: invalid value 0: expected a number greater than 0"},
        {obstacles("{\"box\": {\"position\": [0, 0, 0], \"half_size\": [1, 1, 1], \"mass\": -1}}"),
         "a.json:2: obstacles[0].box.mass: invalid value -1: expected a number of at least 0"},
        {obstacles("{\"sphere\": {\"position\": [0, 0, 0], \"radius\": -1}}"),
         "a.json:2: obstacles[0].sphere.radius: invalid value -1: expected a number greater than 0"},
    });
}

TEST(SceneErrors, Expectations) {
    expect_refusals({
        {expects("\"tops\": 1"), "a.json:2: expect.tops: this key is not known; did you mean \"top\"?"},
        {expects("\"top\": \"high\""),
         "a.json:2: expect.top: invalid value \"high\": expected a number or an object "
         "with \"min\" or \"max\""},
        {expects("\"top\": {}"), "a.json:2: expect.top: expected \"min\" or \"max\""},
        {expects("\"top\": {\"below\": 1}"),
         "a.json:2: expect.top.below: this key is not known; expected one of min, max"},
        {expects("\"top\": {\"min\": 2, \"max\": 1}"),
         "a.json:2: expect.top.max: invalid value 1: expected a number of at least \"min\" (2)"},
        {expects("\"close_pairs\": 3"), "a.json:2: expect.close_pairs: invalid value 3: expected an object"},
        {expects("\"close_pairs\": {\"min\": 3}"),
         "a.json:2: expect.close_pairs: the key \"distance\" is missing"},
        {expects("\"hash\": \"12\""), "a.json:2: expect.hash: invalid value \"12\": expected a string of 16 "
                                      "hexadecimal digits in lower case"},
        {expects("\"hash\": \"00000000000000zz\""),
         "a.json:2: expect.hash: invalid value \"00000000000000zz\": expected a string of 16 hexadecimal "
         "digits in "
         "lower case"},
    });
}

} // namespace
