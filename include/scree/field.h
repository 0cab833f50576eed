// SPDX-License-Identifier: MIT
// field.h — forces that act on every body of a rigid world in each step: wind, water, attractors and your own.
//
//     world.add_field({Wind{.velocity = {8, 0, 0}}});
//     world.add_field({Water{.surface = {0, 2, 0}}});
//     world.explode({.centre = {0, 0.5, 0}, .radius = 4, .impulse = 300});
//
// Fields are evaluated once a step, with the bodies' state at its beginning, on the world's device. Adding, changing and
// destroying one wakes all bodies; a body that is in balance under its fields sleeps.
#pragma once

#include "scree/ids.h"
#include "scree/math.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>

namespace scree {

/// Moving air. Each shape is dragged along by 1/2 density drag A |u| u, where u is the air's velocity against the shape's
/// centre and A the area that the shape shows to it.
struct Wind {
    Vec3 velocity{};      ///< m/s
    float density = 1.2f; ///< kg/m3
    float drag = 1;       ///< coefficient
};

/// Everything below a plane. Buoyancy by the volume of each shape that is under water, at its centre; drag as in wind, by the
/// part of the shape that is under water; and damping, a force of `damping` times the displaced mass times the speed.
struct Water {
    DVec3 surface{}; ///< a point of it
    Vec3 normal{0, 1, 0};
    Vec3 velocity{}; ///< m/s, of a current
    float density = 1000;
    float drag = 1;
    float damping = 1; ///< 1/s
};

/// Accelerates bodies towards a point; away from it with a negative strength.
struct Attractor {
    enum class Falloff {
        none,   ///< strength everywhere
        linear, ///< strength at the centre, 0 at the radius
        square  ///< strength / d2, at least `core` away: a planet
    };
    DVec3 centre{};
    float strength = 10; ///< m/s2; m3/s2 with Falloff::square
    float radius = 1e6f; ///< m; bodies whose centre of mass is farther away feel nothing
    Falloff falloff = Falloff::none;
    float core = 0.1f; ///< m; nearer than this the attraction falls to 0 at the centre
};

/// A body as a Custom field sees it: awake and dynamic, at the beginning of a step.
struct FieldBody {
    BodyId id;
    Vec3 centre; ///< centre of mass, in world coordinates
    Quat rotation;
    Vec3 velocity; ///< of the centre of mass
    Vec3 angular_velocity;
    float mass = 0;
    Vec3 force{}, torque{}; ///< of all Custom fields together: add to them
};

/// Adds to force and torque of the bodies that are awake and dynamic, in order of index; `dt` is the length of the step.
using FieldFunction = std::function<void(std::span<FieldBody> bodies, float dt)>;

/// A function of your own, called on the host before each step with dt > 0. On a GPU it costs a copy of all bodies to the host
/// and back. It must not change the world. Snapshots hold that it exists, not what it does: give it again with set_field.
struct Custom {
    Custom() = default;
    Custom(FieldFunction f) : function(std::make_shared<const FieldFunction>(std::move(f))) {}
    std::shared_ptr<const FieldFunction> function; ///< null: does nothing
};

struct ForceField {
    std::variant<Wind, Water, Attractor, Custom> force{};
    struct Region {
        Vec3 low, high;
    };
    /// acts on shapes (Wind, Water) or bodies (Attractor) whose centre is in it; default: everywhere
    std::optional<Region> region{};
};

/// An impulse on every shape near a point, away from it. Nothing shields a body from it.
struct Explosion {
    DVec3 centre{};
    float radius = 5;    ///< m: as strong as at the centre, for shapes whose centre is nearer than this
    float falloff = 0;   ///< m: from there to 0 over this distance
    float impulse = 100; ///< N s for each m2 that the shape shows to the centre
};

} // namespace scree
