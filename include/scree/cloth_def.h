// SPDX-License-Identifier: MIT
// cloth_def.h — cloth and ropes in a World: triangles that stretch little and bend easily, in contact with bodies and with themselves.
//
//     ClothDef flag = make_cloth(3, 2, 60, 40);                        // 3 m by 2 m
//     for (std::uint32_t row = 0; row < 40; ++row) flag.pins.push_back({.vertex = 60 * row});
//     ClothId id = world.create_cloth(flag);
//     world.step(1 / 60.0f);
//     std::span<const Vec3> vertices = world.vertices(id);
//
// Stiffness has physical units. What tethers hold hangs alike on coarse and fine meshes; other stretch, and bending, depend on the mesh and
// the substeps (docs/manual/world-cloth.md, Limits). SI units.
#pragma once

#include "scree/ids.h"
#include "scree/math.h"
#include "scree/shape.h"
#include "scree/triangle_mesh.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace scree {

struct ClothMaterial {
    float density = 0.2f;     ///< kg/m^2; of a rope's lines kg/m
    float stretch = 20000;    ///< N/m, of a strip per width; of lines N. Infinite: does not stretch
    float bend = 1e-5f;       ///< N m, flexural rigidity between triangles; 0: none
    float damping = 1;        ///< 1/s, share of the velocity lost in a second
    float thickness = 0.005f; ///< m, kept from shapes; half of it is on either side of other cloth
    float friction = 0.4f;
    float drag = 1.0f; ///< coefficient of the air's resistance across the triangles; 0: no air
    /// An edge that is longer than (1 + tear) times its length at rest at the end of a step tears; infinite: never
    float tear = std::numeric_limits<float>::infinity();
};

/// A vertex that stays where it is, or with a body.
struct ClothPin {
    std::uint32_t vertex = 0;
    BodyId body{}; ///< none: the world
    /// where in the body's frame; default: where the vertex is
    std::optional<Vec3> point{};
};

struct ClothDef {
    std::vector<Vec3> vertices; ///< at rest; the cloth begins like that, moved and turned by the pose
    std::vector<std::array<std::uint32_t, 3>> triangles;
    /// Ropes, nets and seams: edges without triangles. They feel no air, do not resist bending and do not collide with cloth. A
    /// definition of lines alone with self_collision, pressure or a bend of its own is refused.
    std::vector<std::array<std::uint32_t, 2>> lines;
    Vec3 position{};
    Quat rotation{};
    Vec3 velocity{};
    ClothMaterial material{};
    std::vector<ClothPin> pins;
    /// Vertices stay within this share of their distance to the nearest pins that do not yield, along the cloth; infinite: unbounded
    float max_stretch = 0.01f;
    /// Triangles and lines touch bodies, too, not only vertices: for coarse cloth, small bodies, nets and ropes. A step takes half as long
    /// again where bodies are near, and what lies on such cloth trembles a little.
    bool surface_collision = false;
    bool self_collision =
        false; ///< with itself and with other cloths that have it; the dearest part of a step
    bool can_sleep = true;
    Filter filter{};    ///< which shapes it collides with
    Vec3 wind{};        ///< m/s
    float pressure = 0; ///< N/m^2, on the side that triangles turn counter-clockwise to
    std::uint64_t user_data = 0;
};

/// A flat rectangle in the x-z plane about the origin, of columns x rows vertices. Vertex i + columns * j is column i, row j.
/// Throws Error for fewer than two of either.
ClothDef make_cloth(float width, float length, std::uint32_t columns, std::uint32_t rows);
/// The triangles of a mesh as read from a file. Vertices that are at most `weld` metres apart become the first of them (0: those at the
/// same place), so that pieces hang together whose vertices the file doubles along seams, creases and the borders of textures. Triangles
/// that lose their area by that, that have the vertices of an earlier one, and vertices without triangles are dropped; the order
/// of what stays is kept. Throws Error for a `weld` that is negative or not finite, and where no triangle stays.
ClothDef make_cloth(const TriangleMesh& mesh, float weld = 0);
/// A closed ball of cloth about the origin, of 6 * segments^2 + 2 vertices: pressure blows it up.
ClothDef make_balloon(float radius, std::uint32_t segments);
/// Lines without triangles along the columns and rows of that rectangle: a net that touches bodies with its lines, 0.05 kg/m.
ClothDef make_net(float width, float length, std::uint32_t columns, std::uint32_t rows);
/// A straight rope of this many segments from one end to the other.
ClothDef make_rope(const Vec3& from, const Vec3& to, std::uint32_t segments, float radius = 0.01f);

/// Computed on the host.
struct FabricMeasure {
    double mean_stretch = 0, max_stretch = 0; ///< of edges, length / rest - 1 where that is positive
    double kinetic_energy = 0;                ///< J
    double max_speed = 0;                     ///< m/s
    DVec3 momentum{}, centre{};
    double mass = 0;
    Vec3 low{}, high{};
};

/// Contacts of cloth with cloth in the last step.
struct ClothContacts {
    std::uint32_t touching = 0; ///< pairs of a vertex and a triangle, or of two edges, at their thickness
    std::uint32_t stopped = 0;  ///< times that a vertex was kept from passing through
    std::uint32_t forced = 0; ///< times that cloth was in the way of a pinned vertex: it waits behind its pin
    /// Edges that passed through triangles at the beginning of the step. They are looked for in the first step, after set_vertices, create_cloth,
    /// destroy and tearing, and then in each step until there are none. Such cloth comes apart by itself.
    std::uint32_t intersections = 0;
    bool frozen = false; ///< some vertex became non-finite; it went back and stays there
};

} // namespace scree
