// SPDX-License-Identifier: MIT
// frame.h — what the physics shows of itself at one moment: enough to draw, pick and plot, and nothing to change.
//
// What changes with every step is in Frame; what changes with the scene or a shot is in Looks, which frames share.
// A body's number is its place in Looks::bodies and Frame::bodies; the viewer never destroys one, so a number
// stays valid until the scene is loaded anew.
#pragma once

#include "scree/granular.h"
#include "scree/scene.h"
#include "scree/world.h"
#include "view/space.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::view {

/// A geometry in the frame of its body.
struct Part {
    Geometry geometry;
    Pose pose;
};

struct ShapeLook {
    std::string name;
    std::vector<Part> parts;              ///< rigid; of granular bodies one box around all particles
    std::vector<ShapeParticle> particles; ///< granular
    double reach = 0;                     ///< from the body's origin; infinite for planes
};

struct BodyLook {
    std::uint32_t shape = 0;
    BodyType type = BodyType::dynamic;
    float mass = 0; ///< kg
    std::string name;
};

struct JointLook {
    JointType type = JointType::ball;
    std::uint32_t first = 0;
    std::optional<std::uint32_t> second;  ///< none: the world
    Vec3 first_anchor{}, second_anchor{}; ///< in the bodies' frames; of the world in its own
    Vec3 axis{0, 1, 0};                   ///< in the frame of the first
};

struct Looks {
    std::uint64_t version = 0; ///< differs whenever anything here does
    std::uint64_t drawn = 0;   ///< differs whenever bodies, shapes or the ground do
    std::string scene, title;
    SceneKind kind = SceneKind::rigid;
    std::vector<ShapeLook> shapes;
    std::vector<BodyLook> bodies;
    std::vector<JointLook> joints;
    std::vector<Obstacle> obstacles; ///< kinds and sizes; where they are is in the frame
    bool ground = false;             ///< granular: the plane y = 0
    float walls = 0;                 ///< granular: planes at x, z = +-this; 0: none
    std::vector<std::string_view> stage_names;
    Scene settings;     ///< nothing in it but the settings as they are now
    Vec3 low{}, high{}; ///< around the bodies that are not planes, as the scene begins
};

struct BodyPose {
    Pose pose;     ///< of the origin
    Vec3 centre{}; ///< of mass, in the world
    Vec3 velocity{}, angular_velocity{};
    bool asleep = false, frozen = false;
    bool absent = false; ///< of a recording: comes later
};

/// Both worlds' measures in the same words.
struct Measures {
    double kinetic_energy = 0, potential_energy = 0;
    double max_overlap = 0, mean_overlap = 0, max_speed = 0, top = 0, joint_error = 0;
    std::uint64_t contacts = 0;
    std::uint32_t asleep = 0, frozen = 0;
};

/// A body held by the mouse.
struct Hold {
    std::uint32_t body = 0;
    Vec3 point{}, target{}, force{}; ///< world; the force of the last step
};

/// How fast the physics runs.
struct Pace {
    bool running = false;
    double rate = 1;         ///< wished: seconds of the world in a second
    double real_factor = 0;  ///< reached lately
    double step_seconds = 0; ///< what the last step took
};

struct Frame {
    std::uint64_t number = 0; ///< of the frames published
    std::uint64_t step = 0;
    double time = 0;                    ///< s
    std::shared_ptr<const Looks> looks; ///< null: no scene yet
    std::vector<BodyPose> bodies;
    std::vector<Pose> obstacles;
    /// when wished; the indices of its bodies are their numbers here (granular_contacts.h: one may be a surface)
    std::vector<ContactInfo> contacts;
    std::vector<TreeBox> tree; ///< when wished, of rigid scenes
    StepCounters counters;
    std::vector<double> stage_seconds; ///< of the last step, as Looks::stage_names
    std::uint64_t memory = 0;          ///< bytes
    std::optional<Measures> measures;  ///< when wished
    std::optional<std::uint64_t> hash; ///< when wished
    std::optional<Hold> hold;
    Pace pace;
    std::uint64_t oldest_step = 0; ///< to which one can step back
    std::uint64_t recorded = 0;    ///< frames in the recording under way
    bool recording = false;
};

/// What a frame is to hold besides poses; each costs the physics time.
struct Wishes {
    bool contacts = false, measures = false, hash = false, stages = true, tree = false;
    friend bool operator==(const Wishes&, const Wishes&) = default;
};

} // namespace scree::view
