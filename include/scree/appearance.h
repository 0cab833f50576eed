// SPDX-License-Identifier: MIT
// appearance.h — how a world looks (Appearance), and where its bodies are at one moment (Frame).
//
// An Appearance changes with the scene or when a body is added; a Frame changes with every step. Renderer, viewer and
// recordings read a world only through these two:
//
//     auto look = std::make_shared<Appearance>(appearance_of(world));
//     Frame frame{.appearance = look};
//     show(world, frame);          // current poses
//     model.update(frame);         // render/world_model.h
#pragma once

#include "scree/cloth.h"
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

struct CompiledLevel;

/// Values of Paint::texture.
inline constexpr std::array<std::string_view, 8> texture_names{"grid",   "checker", "stripes", "dots",
                                                               "bricks", "wood",    "stone",   "tiles"};

/// How light makes colour: a microfacet mirror and the sky's mirror image, or Blinn–Phong: a diffuse part and a highlight by the
/// power of a cosine (Blinn 1977). Values of a scene's "shading".
enum class Shading : std::uint8_t { physical, blinn_phong };
inline constexpr std::array<std::string_view, 2> shading_names{"physical", "blinn_phong"};

/// A surface. The renderer chooses the values left out.
struct Paint {
    std::optional<Vec3> colour{};        ///< sRGB, 0 … 1; default: from the body's index
    std::optional<float> roughness{};    ///< 0 … 1
    std::optional<float> metallic{};     ///< 0 … 1
    std::optional<float> opacity{};      ///< 0 … 1
    std::string texture{};               ///< one of texture_names; empty: one colour
    std::optional<float> texture_size{}; ///< m, of a square, brick or board; default: from the shape's size
    friend bool operator==(const Paint&, const Paint&) = default;
};

/// A geometry in the frame of its body.
struct AppearancePart {
    Geometry geometry;
    Pose pose;
    Paint paint{};
};

/// A shape that bodies share. Shapes of particles also have parts, to draw instead of the particles.
struct AppearanceShape {
    std::string name;
    std::vector<AppearancePart> parts;
    std::vector<ShapeParticle> particles;
    double reach = 0; ///< m, largest distance from the body's origin; infinite for planes
    /// Drawn in place of the parts, which are what collides: such as a mesh of many triangles.
    std::vector<AppearancePart> drawn{};
    const std::vector<AppearancePart>& shown() const { return drawn.empty() ? parts : drawn; }
};

struct AppearanceBody {
    std::uint32_t shape = 0;
    BodyType type = BodyType::dynamic;
    float mass = 0; ///< kg
    Vec3 centre{};  ///< of mass, in the body's frame
    std::string name{};
    Paint paint{}; ///< overrides that of the parts
};

/// A line between two bodies, drawn on request.
struct AppearanceJoint {
    std::string type; ///< "ball", "hinge" …
    std::uint32_t first = 0;
    std::optional<std::uint32_t> second; ///< none: the world
    Vec3 first_anchor{},
        second_anchor{};        ///< in the bodies' frames; without a second body, in world coordinates
    std::optional<Vec3> axis{}; ///< in the first body's frame
};

/// Pictures of a material, each the bytes of a PNG, JPEG or TGA file.
struct AppearanceTexture {
    std::string name{};                           ///< of the file with the colours, for messages
    std::shared_ptr<const std::string> colours{}; ///< null: the material is painted
    std::shared_ptr<const std::string> normals{}; ///< of a normal map, y up; null: flat
};

/// A surface that follows bones, by the weighted mean of what they make of it. In frames it has four vertices for each bone instead of
/// its own: where the bone takes the axes x, y and z, as directions, and the origin.
struct AppearanceSkin {
    std::vector<Vec3> vertices, normals; ///< as bound; normals of length 1
    std::vector<std::array<std::uint32_t, 4>> bones;
    std::vector<std::array<float, 4>> weights; ///< of these bones; they sum to 1
    friend bool operator==(const AppearanceSkin&, const AppearanceSkin&) = default;
};

/// A deformable surface; its triangles index Frame::vertices, counted from first_vertex.
struct AppearanceMesh {
    std::string name;
    std::uint32_t first_vertex = 0, vertex_count = 0;
    std::vector<std::uint32_t> triangles; ///< three indices each
    Paint paint{};
    std::optional<std::uint32_t> body{}; ///< that a ray picks by hitting the surface; not recorded
    /// A picture over the surface, times the colour of the paint (default: white); its normal map is not drawn.
    AppearanceTexture texture{};
    /// Where the corners of the triangles are in the picture: u to the right, v down, each from 0 to 1 across it; beyond it repeats.
    /// As many as `triangles`, or none: no picture
    std::vector<std::array<float, 2>> texture_places{};
    /// Its vertices, which the triangles index then; null: they are those of the frame.
    std::shared_ptr<const AppearanceSkin> skin{};
};

/// Line segments between Frame::vertices, two indices each.
struct AppearanceLines {
    std::string name;
    std::uint32_t first_vertex = 0, vertex_count = 0;
    std::vector<std::uint32_t> ends;
    Vec3 colour{0.2f, 0.2f, 0.2f};       ///< sRGB
    std::optional<std::uint32_t> body{}; ///< that a ray picks by passing near a line; not recorded
};

struct AppearanceLight {
    Vec3 direction{0, 1, 0}; ///< towards the light; ignored if there is a position
    std::optional<Vec3> position{};
    Vec3 colour{1, 1, 1}; ///< linear
    float intensity = 1;
    float range = 10;                    ///< m, of lights with a position
    std::optional<std::uint32_t> body{}; ///< that carries it: the position is in its frame
};

struct AppearanceCamera {
    Vec3 eye{}, target{};
    float fov = 45; ///< vertical field of view, degrees
    std::string name{};
};

/// The sky, and the light that comes from it.
struct AppearanceSky {
    std::optional<Vec3> zenith{}, horizon{}; ///< sRGB
    float strength = 1;
    float fog = 0;                    ///< 1/m: at a distance d a share of exp(-(fog d)²) is left
    std::optional<Vec3> fog_colour{}; ///< sRGB; default: the horizon's
};

/// The drawn ground: of a scene with a ground plane, or one added for the picture.
struct AppearanceGround {
    std::optional<bool> shown{}; ///< default: if the scene has a ground to stand on
    Paint paint{};
};

/// Cells and portals of the level that a body stands for (scree/level_cells.h): its faces are drawn in place of the body's parts,
/// and only those that can be seen. The picture is the same as with all of them.
struct AppearanceLevel {
    std::uint32_t body = 0;
    std::shared_ptr<const CompiledLevel> level; ///< from_map() and `scale` lead to the body's frame
    float scale = 1;                            ///< metres in a unit
    std::vector<Paint> paints;                  ///< by material; opacity 0: not drawn
    std::vector<AppearancePart> liquids;        ///< drawn besides
    std::vector<AppearanceTexture> textures{};  ///< by material; those that are left out have none
    std::vector<Vec3> leak{};                   ///< a way out of a level that leaks, in the body's frame
};

struct Appearance {
    std::string scene, title;
    std::vector<AppearanceShape> shapes;
    /// The world's bodies, then drawn things that are not bodies: obstacles, ground, walls.
    std::vector<AppearanceBody> bodies;
    std::uint32_t body_count = 0; ///< number of the world's own bodies, which come first
    std::vector<AppearanceJoint> joints;
    std::vector<AppearanceMesh> meshes;
    std::vector<AppearanceLines> lines;
    std::vector<AppearanceLevel> levels;
    std::vector<AppearanceLight> lights; ///< default: the renderer's sun
    std::optional<AppearanceCamera> camera;
    std::vector<AppearanceCamera> cameras; ///< others to choose from, by name
    AppearanceGround ground;
    AppearanceSky sky;
    Shading shading = Shading::physical;
    Vec3 up{0, 1, 0};
    Vec3 low{}, high{};             ///< bounds of the moving bodies at the start
    std::uint64_t world_bodies = 0; ///< which bodies the World had; show() refuses a World with others
};

/// All poses at one moment.
struct Frame {
    enum Flag : std::uint8_t {
        asleep = 1,
        frozen = 2, ///< became non-finite and was stopped
        absent = 4  ///< not created yet; not drawn
    };

    std::uint64_t step = 0;
    double time = 0; ///< s
    std::shared_ptr<const Appearance> appearance{};
    /// Four floats for each of Appearance::bodies, in the layout of the renderer's buffers: origin x, y, z and 0; rotation
    /// x, y, z, s.
    std::vector<float> positions{}, rotations{};
    std::vector<std::uint8_t> flags{}; ///< Flag, by body
    std::vector<Vec3> velocity{},
        angular_velocity{};       ///< by body, of the centre of mass; empty unless requested
    std::vector<Vec3> vertices{}; ///< of Appearance::meshes and lines; of meshes with a skin its bones
    std::vector<Vec3>
        normals{}; ///< of the vertices, where the world has them; empty: they follow from the triangles
    /// The world's device wrote poses and colours into the renderer's memory: the arrays hold those of an earlier moment.
    bool shared = false;
    /// The same of vertices and normals; `vertex_bounds` has the low and the high corner of each mesh then.
    bool vertices_shared = false;
    std::vector<std::array<Vec3, 2>> vertex_bounds{};

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
    /// Centre of mass in world coordinates; needs the appearance.
    Vec3 centre(std::size_t body) const;
};

/// Where the vertices of a mesh are, those of a skin too, and of a skin the normals (else none). Throws Error for a frame that has not as
/// many vertices as the mesh says, and for bones that are not there.
void find_vertices(const AppearanceMesh& mesh, const Frame& frame, std::vector<Vec3>& vertices,
                   std::vector<Vec3>& normals);

/// Throws Error for a skin whose lists differ in length, or name bones that the mesh has not.
void check_skin(const AppearanceMesh& mesh);

/// The largest distance of a geometry from the origin of its frame; infinite for planes.
double reach_of(const Geometry& geometry);
/// Makes a shape of these parts and computes its reach.
AppearanceShape appearance_of(std::string name, std::vector<AppearancePart> parts,
                              std::vector<AppearancePart> drawn = {});
/// Draws a body as these parts, such as a mesh, instead of those that collide; none: as those. Other bodies of its shape stay as
/// they are. Throws Error for a body that is not there, and for meshes and hulls without a surface.
void draw_as(Appearance& look, std::size_t body, std::vector<AppearancePart> drawn);

/// Lists the bodies by index, and the joints; bodies with equal parts share one shape.
Appearance appearance_of(const World& world);
Appearance appearance_of(const GranularWorld& world);
Appearance appearance_of(const ClothWorld& world);

/// Writes the current poses and flags into `frame`, reusing its memory. Throws Error if bodies were created or
/// destroyed since its appearance was made.
void show(const World& world, Frame& frame, bool velocities = false);
void show(const GranularWorld& world, Frame& frame, bool velocities = false);
void show(const ClothWorld& world, Frame& frame, bool velocities = false);

} // namespace scree
