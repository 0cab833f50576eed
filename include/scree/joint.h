// SPDX-License-Identifier: MIT
// joint.h — joints: what they leave free, keep in a range, and drive.
//
//     world.create_joint({.type = JointType::hinge, .first = door, .anchor = {0, 1, 0}, .axis = {0, 1, 0},
//                         .limit = JointLimit{0, 1.5f}, .drive = JointFriction{5}});
//     world.create_joint({.type = JointType::slider, .first = lift, .axis = {0, 1, 0},
//                         .drive = JointMotor{.speed = 2, .max_force = 5000}});
//     world.create_joint({.type = JointType::distance, .first = ball, .second = crane, .anchor = top_of_ball,
//                         .second_anchor = hook, .limit = JointLimit{0, 5}});  // a rope of 5 m
//     world.create_joint({.type = JointType::gear, .first = small, .second = large, .anchor = centre_of_small, .axis = {0, 0, 1},
//                         .second_anchor = centre_of_large, .ratio = 3});  // three times the teeth
//
// Angles and distances of a joint are those of the first body against the second: a hinge's angle grows as the first body
// turns counter-clockwise about the axis, seen against it. All are 0 where the joint was created, except a distance.
#pragma once

#include "scree/ids.h"
#include "scree/math.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>

namespace scree {

constexpr float unlimited = std::numeric_limits<float>::infinity();

enum class JointType {
    ball, ///< two anchor points coincide; `swing` limits the angle between the axes, `limit` the twist about them
    hinge,    ///< like ball, and the bodies rotate against each other only about the axis
    fixed,    ///< no relative motion
    slider,   ///< the first body moves along the axis only, and does not turn
    distance, ///< between two anchors: a rod, a rope, a spring
    wheel, ///< the first body, a wheel, spins about `axis` and moves along `up`, both of them the second body's
    six_axes, ///< every translation and rotation is free, limited, locked or driven: `axes`
    pose,     ///< drives the first body towards a pose: `pose`
    // couplings: first + ratio * second stays as it is; hinges, sliders and the like hold the bodies
    gear, ///< the angles of two bodies about `axis` and `second_axis`
    rack, ///< the angle of the first body, a pinion, about `axis`, and the way of the second along `second_axis`
    pulley ///< the lengths of a rope from `anchor` to ground[0] and from ground[1] to `second_anchor`
};

/// m or rad. An end may be unlimited; 0 to 0 locks. Angles reach from -pi to pi, and limits of them to 0.99 pi.
struct JointLimit {
    float low = -unlimited, high = unlimited;
    friend bool operator==(const JointLimit&, const JointLimit&) = default;
};

// drives: forces in N along a line, torques in N m about an axis

/// Drives to a speed, m/s or rad/s, with at most this force.
struct JointMotor {
    float speed = 0;
    float max_force = unlimited;
    friend bool operator==(const JointMotor&, const JointMotor&) = default;
};
/// Pulls to a target, m or rad, as a spring of this frequency would that moves the two bodies alone.
struct JointSpring {
    float hertz = 5;
    float damping_ratio = 1; ///< below 1 it swings
    float target = 0;        ///< of a distance: from its `length`
    float max_force = unlimited;
    friend bool operator==(const JointSpring&, const JointSpring&) = default;
};
/// Resists motion with at most this force.
struct JointFriction {
    float max_force = 0;
    friend bool operator==(const JointFriction&, const JointFriction&) = default;
};
using JointDrive = std::variant<std::monostate, JointMotor, JointSpring, JointFriction>;

/// One way to move. Default: free.
struct JointAxis {
    std::optional<JointLimit> limit{};
    JointDrive drive{};
    friend bool operator==(const JointAxis&, const JointAxis&) = default;
};
constexpr JointAxis locked_axis{.limit = JointLimit{0, 0}};

/// The origin and the axes of a joint in the frame of a body. z is the joint's axis; of a wheel z is `axis` and x is `up`.
struct JointFrame {
    DVec3 position{};
    Quat rotation{};
    friend bool operator==(const JointFrame&, const JointFrame&) = default;
};

/// Where JointType::pose drives the first body's origin, in the frame of the second, and how.
struct JointPose {
    DVec3 position{};
    Quat rotation{};
    float hertz = 5;
    float damping_ratio = 1;
    float max_force = unlimited, max_torque = unlimited; ///< along and about each axis of the second body
    friend bool operator==(const JointPose&, const JointPose&) = default;
};

struct JointDef {
    JointType type = JointType::ball;
    BodyId first;
    BodyId second{};      ///< default: the world
    DVec3 anchor{};       ///< world coordinates at the bodies' current poses
    Vec3 axis{0, 1, 0};   ///< ball, hinge, slider, wheel, gear, rack; world coordinates
    bool collide = false; ///< whether the two bodies collide with each other
    std::uint64_t user_data = 0;

    std::optional<DVec3>
        second_anchor{}; ///< distance, rack, pulley: on the second body; default: `anchor`. gear: the second one's centre
    std::optional<Vec3> second_axis{}; ///< gear: default: `axis`; rack: the way it slides. World coordinates
    std::optional<std::array<JointFrame, 2>>
        frames{}; ///< of the first and second body, in place of anchors and axes

    /// of the angle (ball: twist), the translation or the distance; gear, rack: play; pulley: of first + ratio * second
    std::optional<JointLimit> limit{};
    JointDrive drive{};           ///< of the same; of a wheel its spin. Friction of a ball resists every turn
    std::optional<float> swing{}; ///< ball: the largest angle between the axes
    /// distance: m; default: as it is. Held, unless there is a limit or a drive. pulley: of first + ratio * second, at most,
    /// unless there is a limit
    std::optional<float> length{};
    float ratio =
        1; ///< gear: teeth of the second over those of the first, less than 0 for a belt; rack: rad/m
    std::array<DVec3, 2> ground{}; ///< pulley: where the rope is led over; world coordinates
    Vec3 up{0, 1, 0};              ///< wheel: the suspension's axis; world coordinates
    JointAxis suspension{.limit = JointLimit{-0.2f, 0.2f},
                         .drive = JointSpring{.hertz = 2, .damping_ratio = 0.7f}}; ///< wheel
    JointAxis steer = locked_axis;   ///< wheel: the angle about `up`; a spring's target steers
    std::array<JointAxis, 6> axes{}; ///< six_axes: along x, y, z of the second frame, then about them
    JointPose pose{};

    float break_force = unlimited,
          break_torque = unlimited; ///< N, N m: the joint is destroyed after a step with more
};

/// What a joint does, after the last step.
struct JointState {
    Vec3 force{},
        torque{}; ///< on the first body, at its anchor; N and N m of the last substep, world coordinates
    /// rad, m: the angle of a hinge and a wheel's spin, the twist of a ball, a slider's translation, a distance; of a coupling
    /// first + ratio * second, for gears and racks from where it was at first
    float coordinate = 0;
    float speed = 0; ///< of the same
    Vec3 translation{},
        rotation{}; ///< along and about x, y, z of the joint; a wheel's travel and steering are x, a pulley's lengths x and y
};

} // namespace scree
