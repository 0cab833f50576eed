// SPDX-License-Identifier: MIT
// granular.h — the granular world: rigid bodies made of particles, with contacts as springs and dashpots.
//
// After F. Fossum, "Real-Time Rigid Body Interactions", NTNU 2011, and Harada, GPU Gems 3 ch. 29. SI units; y is up.
#pragma once

#include "scree/math.h"
#include "scree/place.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree {

/// A sphere of a shape, in the body's frame.
struct ShapeParticle {
    Vec3 offset{};
    float radius = 0.2f;
    /// direction out of the body; zero for inner particles. Pushes interlocked bodies apart (improved mode).
    Vec3 outward{};
};

/// A rigid set of particles. The origin is the centre of mass, the axes are the principal axes.
struct GranularShape {
    std::string name;
    std::vector<ShapeParticle> particles;
    /// principal moments of inertia for a body of 1 kg
    Vec3 unit_inertia{1, 1, 1};
    /// half the sides of the bounding box, for drawing and for the interlock detector
    Vec3 half_size{1, 1, 1};
};

/// Built-in shapes. `radius` is the particle radius. Each function throws Error unless all sizes are positive.
namespace shapes {
/// Fossum's cube: 3x3x3 spheres, side 6 radii, inertia of the solid cube.
GranularShape cube(float radius);
/// n x n x n spheres, side 2 n radii.
GranularShape cube(float radius, int spheres_per_side);
/// a x b x c spheres.
GranularShape cuboid(float radius, int a, int b, int c);
/// One particle.
GranularShape grain(float radius);
/// A ball filled with particles.
GranularShape ball(float particle_radius, float ball_radius);
/// A row of particles, bent into an arc of `bend` radians; 0: straight.
GranularShape capsule(float radius, int spheres, float bend = 0);
/// A table top on four legs, Fossum's worst case.
GranularShape desk(float radius);
/// Any set of particles of equal density; moves them so that the origin is the centre of mass and the axes are the principal
/// axes. Throws Error for an empty set, non-finite numbers or radii that are not positive.
GranularShape from_particles(std::string name, std::vector<ShapeParticle> particles);
/// Fills a closed triangle mesh with particles on a lattice. `triangles` holds three indices each.
GranularShape from_mesh(std::string name, float radius, std::span<const Vec3> vertices,
                        std::span<const std::uint32_t> triangles);
/// The same from a Wavefront .obj file.
GranularShape from_obj(const std::string& file, float radius);
/// The same from the content of an .obj file; `file` is its name in messages.
GranularShape from_obj_text(std::string_view text, const std::string& file, float radius);
} // namespace shapes

enum class GranularMode {
    reference, ///< as Fossum (2011): bounded grid, four particles a cell, no same-body filter, no substeps
    improved,  ///< unbounded grid, no dropped particles, friction, sleeping, unlocking
    brute      ///< improved without a grid: tests every pair; for tests and for finding the crossover
};

enum class ContactModel {
    linear,  ///< Fossum's: spring along the normal, dashpot on the whole relative velocity of the centres
    split,   ///< spring and dashpot along the normal, never pulling; viscous friction up to Coulomb's limit
    history, ///< split, plus a tangential spring from the start of the contact: static friction
    hertz    ///< split with Hertz's law, force ~ overlap^1.5
};

enum class Decomposition {
    mixed,   ///< one work item for each particle or for each body, by stage
    per_body ///< one work item for each body in all stages
};

/// The defaults are those of Fossum (2011) where that work has the setting.
struct GranularSettings {
    GranularMode mode = GranularMode::improved;
    ContactModel contact = ContactModel::history; ///< reference mode always uses linear
    Decomposition decomposition = Decomposition::mixed;
    float time_step = 0.01f;
    /// 0: enough for stability (improved) or 1 (reference)
    int substeps = 0;
    Vec3 gravity{0, -9.81f, 0};
    float stiffness = 100;        ///< k, N/m
    float damping = 0.5f;         ///< c, N s/m, along the normal (all directions in the linear model)
    float tangent_damping = 0.5f; ///< c_t, N s/m
    float tangent_stiffness = 0;  ///< k_t, N/m, history model; 0 means 2/3 of the stiffness
    float friction = 0.5f;        ///< Coulomb's coefficient
    float particle_radius =
        0.2f; ///< reference mode: of all particles; improved mode: default of shapes in scenes
    float terminal_velocity = 20; ///< limit of each component of a body's velocity
    float contact_epsilon = 1e-6f;
    bool walls = true;     ///< planes at x, z = +-world_size
    bool ground = true;    ///< plane at y = 0
    float world_size = 15; ///< W
    int grid_cells = 77;   ///< m of the reference grid
    Vec3 grid_min{-15.4f, -0.4f, -15.4f};
    bool sleeping = true; ///< improved mode only
    float sleep_speed =
        0.01f; ///< m/s; a slower body is at rest; includes rotation, at the radius of the largest shape
    float sleep_delay = 0.5f; ///< s at rest before a body sleeps
    float wake_speed = 0.01f; ///< m/s; a faster contact wakes a body
    int contact_memory = 5;   ///< tangential springs kept for each particle (history model)
    /// Margin of the neighbour lists in radii: lists are reused until a particle has moved through it; 0 searches in every
    /// step. Takes about 40 bytes a particle and changes no bit of the result. Negative: 0.2 on the CPU, 0 on GPUs.
    float neighbour_skin = -1;
    bool unlock = true; ///< push deep contacts out along the shapes' outward directions (Macklin et al. 2014)
};

/// Exact geometry that particles collide with: immovable, driven, or a free body.
struct Obstacle {
    enum class Kind { plane, box, sphere } kind = Kind::box;
    Vec3 position{};
    Quat rotation{};
    /// box: half the sides; sphere: x is the radius; plane: unused, the normal is the rotated y axis
    Vec3 size{1, 1, 1};
    Vec3 velocity{};         ///< m/s, of a driven or free obstacle
    Vec3 angular_velocity{}; ///< rad/s
    float mass = 0;          ///< kg; 0: particles do not move it; otherwise a free rigid body
};

struct GranularBodyDef {
    std::uint32_t shape = 0; ///< from add_shape
    Vec3 position{};
    Quat rotation{};
    Vec3 velocity{};
    Vec3 angular_velocity{};
    float mass = 1; ///< kg
};

/// The current state of a body.
struct GranularBodyState {
    Vec3 position;
    Quat rotation;
    Vec3 momentum;         ///< kg m/s
    Vec3 angular_momentum; ///< kg m^2/s, about the centre, world frame
    Vec3 angular_velocity; ///< rad/s
    float mass = 1;
    std::uint32_t shape = 0;
    bool asleep = false;
    bool frozen = false; ///< became non-finite, was rolled back and stopped
    Vec3 velocity() const { return {momentum.x / mass, momentum.y / mass, momentum.z / mass}; }
};

struct ParticleState {
    Vec3 position, velocity;
    float radius = 0;
    std::uint32_t body = 0;
};

/// Quantities of the whole world, computed by GranularWorld::measure.
struct GranularMeasure {
    double kinetic_energy = 0;   ///< J
    double potential_energy = 0; ///< J, of gravity
    double max_overlap = 0;      ///< m, between particles of different bodies and with planes and obstacles
    double mean_overlap = 0;     ///< m, over contacts
    double max_speed = 0;        ///< m/s
    double top = 0, bottom = 0;  ///< m, highest and lowest body centre
    std::uint64_t contacts = 0;  ///< ordered pairs of particles in contact, different bodies
    std::uint64_t own_contacts = 0;       ///< ordered pairs within one body (a flaw of the reference mode)
    std::uint32_t largest_cell = 0;       ///< particles in the fullest cell
    std::uint64_t dropped = 0;            ///< particles in full cells, which are ignored (reference)
    std::uint64_t unregistered = 0;       ///< particles outside the grid (reference)
    std::uint32_t asleep = 0, frozen = 0; ///< bodies
    std::uint32_t memory_overflows = 0;   ///< contacts of the last step beyond contact_memory
};

struct SharedPoses;

/// The stages of a step, in order.
enum class GranularStage { reset_grid, insert, gather, force, momenta, body_step };
constexpr std::array<std::string_view, 6> granular_stage_names{"reset grid", "insert",  "gather",
                                                               "force",      "momenta", "body step"};

class GranularWorld {
public:
    /// "auto" takes a GPU from this number of particles on, where it is faster
    static constexpr std::size_t gpu_from = 20000;

    /// Throws Error when a setting is out of range; its where() names the setting.
    explicit GranularWorld(const GranularSettings& settings = {}, const Place& place = {});
    enum class Defaults {}; ///< makes GranularWorld({}) mean default settings
    explicit GranularWorld(Defaults, const Place& place = {});
    ~GranularWorld();
    GranularWorld(GranularWorld&&) noexcept;
    GranularWorld& operator=(GranularWorld&&) noexcept;

    const GranularSettings& settings() const;
    const Place& place() const; ///< with "auto" decided
    Device& device() const;     ///< this world's queue; not for users
    /// Bodies, obstacles and `fixtures` into a renderer's memory (shared_poses.h); not for users.
    void write_poses(SharedPoses& to, std::span<const Pose> fixtures) const;
    /// Takes effect in the next step; wakes all bodies. Throws Error and changes nothing when a setting is out of range or does
    /// not fit a shape of this world.
    void change_settings(const GranularSettings& settings);

    std::uint32_t add_shape(GranularShape shape);
    const GranularShape& shape(std::uint32_t index) const;
    std::uint32_t shape_count() const;
    /// Between any two steps. Returns the index of the body, which never changes.
    std::uint32_t create_body(const GranularBodyDef& body);
    std::uint32_t add_obstacle(const Obstacle& obstacle);

    std::uint32_t body_count() const;
    std::uint32_t particle_count() const;

    /// Advances by settings().time_step, `count` times. Does not throw once the world is on its device.
    void step(int count = 1);
    std::uint64_t steps_done() const;
    double time() const;

    /// The current bodies, copied from the device. Valid until the next non-const call.
    std::span<const GranularBodyState> bodies() const;
    std::vector<ParticleState> particles() const;
    /// The force on each particle in the last step, in particle order; zero from a change of the world to the next step.
    std::vector<Vec3> particle_forces() const;
    std::vector<Obstacle> obstacles() const;
    void set_body(std::uint32_t index, const GranularBodyDef& body);
    void set_obstacle(std::uint32_t index, const Obstacle& obstacle);

    /// The whole world as bytes. A restored world continues bit by bit like the saved one, on any device.
    std::vector<std::byte> save() const;
    /// Replaces settings, shapes, bodies, obstacles and time by those of a snapshot of any world. Throws Error and changes
    /// nothing if the bytes are not a snapshot, are damaged or come from another version.
    void restore(std::span<const std::byte> saved);

    /// 64 bits over position, rotation and momenta of all bodies, and over the obstacles; equal on every device.
    std::uint64_t hash() const;
    GranularMeasure measure() const;
    /// Pairs of bodies where a particle's centre lies inside the other's bounding box.
    std::vector<std::array<std::uint32_t, 2>> interlocked() const;
    /// Device memory of this world, in bytes.
    std::uint64_t memory() const;
    /// time_stages(true) starts timing; stage_seconds() returns the seconds in each stage since then.
    void time_stages(bool on);
    std::array<double, granular_stage_names.size()> stage_seconds() const;
    /// Substeps of a step, with 0 of the settings decided.
    int substeps() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
