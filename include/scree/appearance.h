// SPDX-License-Identifier: MIT
// appearance.h — what the things of a world look like, and where they are at one moment.
//
// An Appearance changes with the scene or when a body is added; a Frame changes with every step. Renderer, viewer and
// recordings know nothing else of a world:
//
//     auto look = std::make_shared<Appearance>(appearance_of(world));
//     Frame frame{.appearance = look};
//     show(world, frame);          // poses as they are now
//     model.update(frame);         // render/world_model.h
#pragma once

#include "scree/granular.h"
#include "scree/math.h"
#include "scree/shape.h"
#include "scree/world.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// The patterns that Paint::texture may name.
inline constexpr std::array<std::string_view, 6> texture_names{"grid", "checker", "stripes", "dots", "bricks", "wood"};

/// The surface of a thing. What is left out is chosen by the renderer.
struct Paint {
    std::optional<Vec3> colour{};     ///< sRGB, 0 … 1; default: by the body's number
    std::optional<float> roughness{}; ///< 0 … 1
    std::optional<float> metallic{};  ///< 0 … 1
    std::optional<float> opacity{};   ///< 0 … 1
    std::string texture{};            ///< one of texture_names; empty: one colour
    friend bool operator==(const Paint&, const Paint&) = default;
};

/// A geometry in the frame of its body.
struct AppearancePart {
    Geometry geometry;
    Pose pose;
    Paint paint{};
};

/// What bodies share. Bodies of particles have both: the particles, and parts to draw in their place.
struct AppearanceShape {
    std::string name;
    std::vector<AppearancePart> parts;
    std::vector<ShapeParticle> particles;
    double reach = 0; ///< m from the body's origin; infinite for planes
};

struct AppearanceBody {
    std::uint32_t shape = 0;
    BodyType type = BodyType::dynamic;
    float mass = 0;  ///< kg
    Vec3 centre{};   ///< of mass, in the body's frame
    std::string name{};
    Paint paint{};   ///< in place of the parts'
};

/// A line between two bodies, drawn on request.
struct AppearanceJoint {
    std::string type; ///< "ball", "hinge" …
    std::uint32_t first = 0;
    std::optional<std::uint32_t> second;  ///< none: the world
    Vec3 first_anchor{}, second_anchor{}; ///< in the bodies' frames; of the world in its own
    std::optional<Vec3> axis{};           ///< in the frame of the first
};

/// A surface that deforms: its triangles index Frame::vertices, counted from first_vertex.
struct AppearanceMesh {
    std::string name;
    std::uint32_t first_vertex = 0, vertex_count = 0;
    std::vector<std::uint32_t> triangles; ///< three for each
    Paint paint{};
};

/// Lines between Frame::vertices, two indices for each.
struct AppearanceLines {
    std::string name;
    std::uint32_t first_vertex = 0, vertex_count = 0;
    std::vector<std::uint32_t> ends;
    Vec3 colour{0.2f, 0.2f, 0.2f}; ///< sRGB
};

struct AppearanceLight {
    Vec3 direction{0, 1, 0};  ///< towards the light; used when there is no position
    std::optional<Vec3> position{};
    Vec3 colour{1, 1, 1};     ///< linear
    float intensity = 1;
    float range = 10;         ///< m, of lights with a position
};

struct AppearanceCamera {
    Vec3 eye{}, target{};
    float fov = 45; ///< degrees, from the lowest to the highest line of the picture
};

/// What the ground looks like where a scene has none, or how its own does.
struct AppearanceGround {
    std::optional<bool> shown{}; ///< default: where bodies have something to stand on
    Paint paint{};
};

struct Appearance {
    std::string scene, title;
    std::vector<AppearanceShape> shapes;
    /// The world's bodies, then what can be seen and not be touched: obstacles, ground, walls. A body's number is its place.
    std::vector<AppearanceBody> bodies;
    std::uint32_t body_count = 0; ///< of the world's own bodies, which come first
    std::vector<AppearanceJoint> joints;
    std::vector<AppearanceMesh> meshes;
    std::vector<AppearanceLines> lines;
    std::vector<AppearanceLight> lights; ///< none: the renderer's sun
    std::optional<AppearanceCamera> camera;
    AppearanceGround ground;
    Vec3 up{0, 1, 0};
    Vec3 low{}, high{}; ///< around what moves, as the scene begins
};

/// Where everything is at one moment.
struct Frame {
    enum Flag : std::uint8_t {
        asleep = 1,
        frozen = 2, ///< became non-finite and was stopped
        absent = 4  ///< not there yet; not drawn
    };

    std::uint64_t step = 0;
    double time = 0; ///< s
    std::shared_ptr<const Appearance> appearance{};
    /// Four floats for each of Appearance::bodies, as the renderer's buffers hold them: origin x, y, z and 0; rotation
    /// x, y, z, s.
    std::vector<float> positions{}, rotations{};
    std::vector<std::uint8_t> flags{};            ///< Flag, by body
    std::vector<Vec3> velocity{}, angular_velocity{}; ///< by body, of the centre of mass; empty unless asked for
    std::vector<Vec3> vertices{};                 ///< of Appearance::meshes and lines
    /// Poses that the world's device holds, for a renderer that can read them there; then positions and rotations may be
    /// empty. Positions are centres of mass there.
    DeviceState on_device{};

    std::size_t size() const { return flags.size(); }
    void resize(std::size_t bodies) {
        positions.resize(4 * bodies);
        rotations.resize(4 * bodies);
        flags.resize(bodies);
    }
    Pose pose(std::size_t body) const {
        const float *p = positions.data() + 4 * body, *q = rotations.data() + 4 * body;
        return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
    }
    void set_pose(std::size_t body, const Pose& pose) {
        float *p = positions.data() + 4 * body, *q = rotations.data() + 4 * body;
        p[0] = pose.position.x, p[1] = pose.position.y, p[2] = pose.position.z, p[3] = 0;
        q[0] = pose.rotation.x, q[1] = pose.rotation.y, q[2] = pose.rotation.z, q[3] = pose.rotation.s;
    }
    bool has(std::size_t body, Flag flag) const { return (flags[body] & flag) != 0; }
    /// Of mass, in the world.
    Vec3 centre(std::size_t body) const; ///< needs the appearance
};

/// How far a geometry reaches from the origin of its frame; infinite for planes.
double reach_of(const Geometry& geometry);
/// A shape of these parts, with its reach.
AppearanceShape appearance_of(std::string name, std::vector<AppearancePart> parts);

/// The shapes of the bodies in order of their index; bodies of equal parts share one shape.
Appearance appearance_of(const World& world);
Appearance appearance_of(const GranularWorld& world);

/// Poses and flags as they are now; `frame` may be an old one, whose memory is used again. Its appearance must be of this
/// world.
void show(const World& world, Frame& frame, bool velocities = false);
void show(const GranularWorld& world, Frame& frame, bool velocities = false);

} // namespace scree
