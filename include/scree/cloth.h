// SPDX-License-Identifier: MIT
// cloth.h — sheets of cloth as springs or as projected positions, one vertex at a time.
//
// After "Using the GPU of mobile devices in cloth dynamics simulation", Łódź University of Technology, 2016 (the thesis): a rectangular
// grid whose vertices gather from twelve neighbours, position Verlet, and three stages a step: motion, collision with touch, normals.
// reference_cloth() has its values, flaws included; each correction is a setting of its own. SI units; y is up.
//
//     ClothWorld world({.model = ClothModel::position_based});
//     world.add_sheet({.position = {0, 10, 0}});
//     world.add_collider({.kind = ClothCollider::Kind::sphere, .position = {0, 6, 0}, .size = {2, 2, 2}});
//     world.step(600);
#pragma once

#include "scree/math.h"
#include "scree/place.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace scree {

enum class ClothModel {
    mass_spring,   ///< forces of springs and dashpots
    position_based ///< distance constraints that move positions
};

struct ClothSettings {
    ClothModel model = ClothModel::position_based;
    float time_step = 1.0f / 60;
    /// 0: enough for stable springs, and 1 in the position based model
    int substeps = 0;
    Vec3 gravity{0, -5, 0}; ///< m/s^2, each component -10 … 10
    float mass = 1;         ///< kg, of each sheet, 0.1 … 50
    float drag = 0.1f;      ///< kg/s, of air, 0 … 0.99; see physical_mass
    float stiffness = 200;  ///< N/m, 0 … 1000; the position based model takes 0.0005 of it, 0 … 1
    float damping = -0.5f;  ///< N s/m, 0 … -20, along springs
    Vec3 group_stiffness{
        1, 1, 1}; ///< factors for springs along the grid, across it, and to the second line, 0 … 10
    Vec3 group_damping{1, 1, 1};
    float width = 10, length = 10; ///< m along x and z, 1 … 50
    /// lines of the grid besides the two borders, 0 … 2046: (edges_x + 2) (edges_z + 2) vertices
    int edges_x = 38, edges_z = 38;
    int iterations = 8;         ///< sweeps over the constraints of the position based model, 1 … 1000
    int self_neighbours = 8;    ///< neighbours that a vertex keeps its distance from: 0, 4 or 8
    float radius_share = 0.45f; ///< of the smaller spacing, 0 … 0.5: radius of a vertex, at most 0.35 m
    float friction = 0.3f;      ///< Coulomb's coefficient against colliders and ground, 0 … 10
    bool ground = true;         ///< plane at y = 0

    // corrections of the thesis ---------------------------------------------------------------------------------------
    /// A vertex has its share of the mass, and of the drag. Otherwise 7.071 times the mass, and all of the drag.
    bool physical_mass = true;
    /// Damping never reverses a relative velocity. Otherwise only its shortening branch is limited, by the spring's force.
    bool bounded_damping = true;
    /// Constraints move vertices by their inverse masses. Otherwise each by twice the error.
    bool weighted_projection = true;
    /// Constraints compare predicted positions. Otherwise a vertex' prediction with its neighbours of the last step, which slows the
    /// fall of dense cloth.
    bool predicted_neighbours = true;
    /// Vertices inside a box leave through the nearest face. Otherwise they stay.
    bool push_from_inside = true;
};

/// The settings of the thesis: one substep and sweep, no friction, no correction. Scenes set the rest.
ClothSettings reference_cloth();

/// A sheet, flat in its x-z plane at the start.
struct ClothSheetDef {
    Vec3 position{0, 10, 0}; ///< of its middle
    Quat rotation{};
    /// Held vertices. Vertex ix (edges_z + 2) + iz is on line ix across x and iz across z. Default: 0 and the last line's first.
    std::optional<std::vector<std::uint32_t>> pins{};
};

/// Something that vertices are pushed out of.
struct ClothCollider {
    enum class Kind { sphere, box } kind = Kind::sphere;
    Vec3 position{};
    Vec3 size{1, 1, 1}; ///< half the sides of an axis-aligned box; x: the radius of a sphere
    Vec3 velocity{};    ///< m/s
};

/// A finger on the screen: moves the vertices near it, weight 200 exp(-150 d^2). Normalised device coordinates, -1 … 1.
struct ClothTouch {
    float x = 0, y = 0;                      ///< where it is
    float slide_x = 0, slide_y = 0;          ///< how far it moved since the last step
    std::array<float, 16> view_projection{}; ///< row by row, from world to clip coordinates; invertible
};

/// A neighbour slot of a vertex.
struct ClothNeighbour {
    std::uint32_t vertex = 0; ///< the vertex itself where there is none
    float multiplier = 0;     ///< 1 or 0: whether it exists
};

/// What every vertex of a sheet shares.
struct ClothFacts {
    std::uint32_t lines_x = 0, lines_z = 0, vertices = 0;
    float rest_x = 0, rest_z = 0, rest_across = 0; ///< m, lengths of the springs at rest
    float radius = 0;                              ///< m, of a vertex
    float vertex_mass = 0;                         ///< kg
};

struct ClothMeasure {
    double kinetic_energy = 0; ///< J
    double max_stretch = 0,
           mean_stretch = 0; ///< of the springs along the grid: length / rest - 1, lengthened ones only
    double centre_jitter = 0, mean_jitter = 0,
           max_jitter = 0;      ///< m, movement in the last step of the middle vertex and of all
    double max_speed = 0;       ///< m/s
    double top = 0, bottom = 0; ///< m, highest and lowest vertex
    double max_overlap = 0;     ///< m, deepest vertex in a collider or the ground
    std::uint32_t frozen = 0;   ///< vertices that became non-finite (an explosion) and were stopped
};

/// A few of these, summed up on the device.
struct ClothSurvey {
    double max_jitter = 0, mean_jitter = 0, bottom = 0;
    std::uint32_t frozen = 0;
};

enum class ClothStage { motion, collision, normals };
constexpr std::array<std::string_view, 3> cloth_stage_names{"motion", "collision", "normals"};

struct SharedVertices;

class ClothWorld {
public:
    /// "auto" takes a GPU from this number of vertices on
    static constexpr std::size_t gpu_from = 20000;

    /// Throws Error when a setting is out of range; its where() names the setting.
    explicit ClothWorld(const ClothSettings& settings = {}, const Place& place = {});
    ~ClothWorld();
    ClothWorld(ClothWorld&&) noexcept;
    ClothWorld& operator=(ClothWorld&&) noexcept;

    const ClothSettings& settings() const;
    const Place& place() const; ///< with "auto" decided
    Device& device() const;     ///< this world's queue; not for users
    /// Takes effect in the next step. Another size or number of lines resets the sheets. Throws Error and changes nothing when a
    /// setting is out of range or a pin of a sheet would be gone.
    void change_settings(const ClothSettings& settings);

    std::uint32_t add_sheet(const ClothSheetDef& sheet = {});
    std::uint32_t sheet_count() const;
    const ClothSheetDef& sheet(std::uint32_t index) const;
    /// As the first step will have them, or the last one had.
    ClothFacts facts() const;
    std::uint32_t vertex_count() const; ///< of all sheets
    std::uint32_t body_count() const;   ///< in frames: the colliders, then one for each sheet
    /// Slots 0 … 3: +z, +x, -z, -x; 4 … 7: +x+z, +x-z, -x-z, -x+z; 8 … 11: as the first four, two lines away.
    std::array<ClothNeighbour, 12> neighbours(std::uint32_t vertex) const; ///< of a vertex within a sheet

    std::uint32_t add_collider(const ClothCollider& collider);
    void set_collider(std::uint32_t index, const ClothCollider& collider);
    std::span<const ClothCollider> colliders() const;

    /// Acts in the next step.
    void touch(const ClothTouch& touch);
    /// A force on one vertex (of all sheets) during the next step.
    void pull(std::uint32_t vertex, Vec3 force);

    /// Advances by settings().time_step, `count` times.
    void step(int count = 1);
    std::uint64_t steps_done() const;
    double time() const;
    int substeps() const; ///< of a step, with 0 of the settings decided
    /// All sheets as they were added, at time 0. Colliders stay.
    void reset();

    /// Sheet after sheet, copied from the device. Valid until the next non-const call.
    std::span<const Vec3> positions() const;
    std::vector<Vec3> velocities() const; ///< m/s
    std::vector<Vec3> normals() const;    ///< of the last step
    bool frozen(std::uint32_t vertex) const;
    /// Puts all vertices of all sheets. Held vertices move, too, and stay held. Throws Error for a wrong number or a non-finite value.
    void set_vertices(std::span<const Vec3> positions, std::span<const Vec3> velocities);
    /// Three vertices each, of one sheet, which share them.
    std::vector<std::uint32_t> triangles() const;

    /// The whole world as bytes. A restored world continues bit by bit like the saved one, on any device.
    std::vector<std::byte> save() const;
    /// Throws Error and changes nothing if the bytes are not a snapshot, are damaged or come from another version.
    void restore(std::span<const std::byte> saved);

    /// 64 bits over position and history of all vertices, and over the colliders; equal on every device with same_bits.
    std::uint64_t hash() const;
    ClothMeasure measure() const;
    /// Reduced on the device in passes of sixteen: one line of numbers is read back. In float.
    ClothSurvey survey() const;
    /// Low and high corner of each sheet's bounds, found likewise.
    std::vector<std::array<Vec3, 2>> extents() const;
    /// Writes positions and normals into a renderer's memory (shared_poses.h): vertices do not pass the host if they are on a device of
    /// OpenGL ES. Throws Error saying why where that is impossible.
    void write_vertices(SharedVertices& to) const;
    std::uint64_t memory() const; ///< bytes on the device
    void time_stages(bool on);
    std::array<double, cloth_stage_names.size()> stage_seconds() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
