// SPDX-License-Identifier: MIT
// rigid_scene.h — the content of a scene of kind "rigid".
#pragma once

#include "scree/scene.h"
#include "scree/world.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace scree {

/// What bodies of a rigid scene are made of: one geometry, or several placed in the body's frame.
struct RigidShape {
    struct Part {
        Geometry geometry;
        ShapeDef definition;
        Paint paint{};
    };
    std::string name;
    std::vector<Part> parts;
    Vec3 low{}, high{}; ///< bounds in the body's frame; of a plane: 0
};

struct RigidBodyDef {
    std::string name; ///< may be empty
    std::uint32_t shape = 0;
    BodyDef body;
    std::optional<float> mass; ///< kg; scales what the densities give
    std::optional<float> density;
    std::optional<Material> material; ///< in place of the shape's
    Paint paint{};                    ///< in place of the shape's
};

/// A joint between bodies by their place in RigidScene::bodies.
struct RigidJointDef {
    JointType type = JointType::ball;
    std::uint32_t first = 0;
    std::optional<std::uint32_t> second; ///< left out: the world
    Vec3 anchor{};
    Vec3 axis{0, 1, 0};
    bool collide = false;
};

/// A push that lasts: acts in the steps that begin at `from` or later and before `until`.
struct TimedForce {
    std::uint32_t body = 0;
    Vec3 force{}, torque{}; ///< N at the centre of mass, N m; world axes
    double from = 0, until = std::numeric_limits<double>::infinity(); ///< s
};

struct RigidScene {
    WorldSettings settings;
    float time_step = 1 / 60.0f; ///< s
    std::vector<RigidShape> shapes;
    std::vector<RigidBodyDef> bodies;
    std::vector<RigidJointDef> joints;
    std::vector<TimedForce> forces;
};

/// Throws Error for a scene of another kind.
RigidScene& rigid_scene(Scene& scene);
const RigidScene& rigid_scene(const Scene& scene);

/// Bodies are created in the order of the scene. Throws Error when a setting is out of range; `where` begins the message.
World build_rigid_world(const RigidScene& scene, const Place& place = {}, const std::string& where = "scene");
World build_rigid_world(const Scene& scene, const Place& place = {});
/// Takes steps of the scene's time step and applies its forces on the way. The world holds the scene's bodies, and
/// others only after them.
void step_scene(const RigidScene& scene, World& world, int steps = 1);
void step_scene(const Scene& scene, World& world, int steps = 1);
/// What the world, having done scene.steps steps, does not fulfil; empty when all is well.
std::vector<Failure> check_expectations(const Scene& scene, const World& world);

} // namespace scree
