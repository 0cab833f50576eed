// SPDX-License-Identifier: MIT
// granular.h — rigid bodies made of particles: spheres fixed in a body, pushed apart by springs and dashpots.
//
// After F. Fossum, "Real-Time Rigid Body Interactions", NTNU 2011, and Harada, GPU Gems 3 ch. 29. Units are SI, y is up.
#pragma once

#include "scree/math.h"
#include "scree/place.h"

#include <array>
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
    /// which way is out of the body; zero inside it. Used to push interlocked bodies apart (improved mode).
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

/// The shapes that come with Scree. `radius` is the particle radius; each throws Error on sizes that are not positive.
namespace shapes {
/// The seed's cube: 3x3x3 spheres, side 6 radii, inertia of the solid cube.
GranularShape cube(float radius);
/// n x n x n spheres, side 2 n radii.
GranularShape cube(float radius, int spheres_per_side);
/// a x b x c spheres.
GranularShape cuboid(float radius, int a, int b, int c);
/// One particle.
GranularShape grain(float radius);
/// A ball of the given size filled with particles.
GranularShape ball(float particle_radius, float ball_radius);
/// A row of particles; bent into an arc for a banana (`bend` is the angle of the arc in radians, 0 for straight).
GranularShape capsule(float radius, int spheres, float bend = 0);
/// A table top on four legs, the seed's worst case.
GranularShape desk(float radius);
/// Any set of particles: the centre of mass and the principal axes are found here and the particles moved to them.
/// All particles weigh the same per volume. Throws Error on an empty set, non-finite numbers or radii that are not
/// positive.
GranularShape from_particles(std::string name, std::vector<ShapeParticle> particles);
/// The inside of a closed triangle mesh filled with particles on a lattice. `triangles` holds three indices each.
GranularShape from_mesh(std::string name, float radius, std::span<const Vec3> vertices,
                        std::span<const std::uint32_t> triangles);
/// The same from a Wavefront .obj file.
GranularShape from_obj(const std::string& file, float radius);
} // namespace shapes

enum class GranularMode {
    reference, ///< the seed as it was: bounded grid, four particles a cell, no same-body filter, one step per step
    improved, ///< unbounded grid, no losses, friction, sleeping, unlocking
    brute     ///< improved without a grid: every pair is tested; for checking and for the crossover
};

enum class ContactModel {
    linear,  ///< the seed's: spring along the normal, dashpot on the whole relative velocity of the centres
    split,   ///< spring and dashpot along the normal, never pulling; viscous friction up to Coulomb's limit
    history, ///< split, plus a tangential spring that remembers where the contact began: true static friction
    hertz    ///< split with Hertz's law, force ~ overlap^1.5
};

enum class Decomposition {
    mixed,   ///< an item for each particle where that helps, for each body elsewhere
    per_body ///< an item for each body throughout
};

/// Everything that can be set. The defaults are the seed's (spec section 5), and what the improved mode adds.
struct GranularSettings {
    GranularMode mode = GranularMode::improved;
    ContactModel contact = ContactModel::history; ///< reference mode always uses linear
    Decomposition decomposition = Decomposition::mixed;
    float time_step = 0.01f;
    /// steps taken inside one step; 0 chooses enough for stability (improved) or 1 (reference)
    int substeps = 0;
    Vec3 gravity{0, -9.81f, 0};
    float stiffness = 100;        ///< k, N/m
    float damping = 0.5f;         ///< c, N s/m, along the normal (all directions in the linear model)
    float tangent_damping = 0.5f; ///< c_t, N s/m
    float tangent_stiffness = 0;  ///< k_t, N/m, history model; 0 takes 2/3 of the stiffness
    float friction = 0.5f;        ///< Coulomb's coefficient
    float particle_radius = 0.2f; ///< reference mode: the radius of all particles; improved: informative
    float terminal_velocity = 20; ///< each component of a body's velocity is limited to this
    float contact_epsilon = 1e-6f;
    bool walls = true;     ///< planes at x, z = +-world_size
    bool ground = true;    ///< plane at y = 0
    float world_size = 15; ///< W
    int grid_cells = 77;   ///< m of the reference grid
    Vec3 grid_min{-15.4f, -0.4f, -15.4f};
    bool sleeping = true;      ///< improved mode only
    float sleep_speed = 0.01f; ///< m/s; slower than this, at the rim of the largest shape too, counts as rest
    float sleep_delay = 0.5f;  ///< s at rest before a body sleeps
    float wake_speed = 0.01f;  ///< m/s; a touch faster than this wakes
    int contact_memory = 5;    ///< tangential springs kept for each particle (history model)
    /// Neighbour lists kept over several steps, found this many radii beyond touching; 0 searches in every step. Costs
    /// about 40 bytes a particle, changes no bit of the result. Negative: 0.2 on the CPU, 0 on devices with memory of
    /// their own.
    float neighbour_skin = -1;
    bool unlock = true; ///< push deep contacts out along the shapes' outward directions (Macklin et al. 2014)
};

/// An immovable or driven body of exact geometry that particles collide with.
struct Obstacle {
    enum class Kind { plane, box, sphere } kind = Kind::box;
    Vec3 position{};
    Quat rotation{};
    /// box: half sides; sphere: x is the radius; plane: the normal is the rotated y axis, size is not used
    Vec3 size{1, 1, 1};
    Vec3 velocity{};         ///< m/s, of a driven or free obstacle
    Vec3 angular_velocity{}; ///< rad/s
    float mass = 0;          ///< 0: not moved by the particles; otherwise a free rigid body
};

struct GranularBodyDef {
    std::uint32_t shape = 0; ///< from add_shape
    Vec3 position{};
    Quat rotation{};
    Vec3 velocity{};
    Vec3 angular_velocity{};
    float mass = 1; ///< kg
};

/// A body as it is now.
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

/// Measured on demand over the whole world.
struct GranularMeasure {
    double kinetic_energy = 0;   ///< J
    double potential_energy = 0; ///< J, of height
    double max_overlap = 0;      ///< m, between particles of different bodies and with planes and obstacles
    double mean_overlap = 0;     ///< m, over contacts
    double max_speed = 0;        ///< m/s
    double top = 0, bottom = 0;  ///< m, highest and lowest body centre
    std::uint64_t contacts = 0;  ///< ordered pairs of particles in contact, different bodies
    std::uint64_t own_contacts = 0;       ///< ordered pairs within one body (reference mode's flaw)
    std::uint32_t largest_cell = 0;       ///< particles in the fullest cell
    std::uint64_t dropped = 0;            ///< particles that found no slot in their cell (reference)
    std::uint64_t unregistered = 0;       ///< particles outside the grid (reference)
    std::uint32_t asleep = 0, frozen = 0; ///< bodies
    std::uint32_t memory_overflows =
        0; ///< contacts that found no room for their tangential spring in the last step
};

/// The stages a step is made of, in order.
enum class GranularStage { reset_grid, insert, gather, force, momenta, body_step };
constexpr std::array<std::string_view, 6> granular_stage_names{"reset grid", "insert",  "gather",
                                                               "force",      "momenta", "body step"};

/// Everything that steps change, and what they depend on, at one moment. Copies share it.
class GranularSnapshot {
public:
    struct Kept; ///< src/granular/snapshot.h; not for users
    GranularSnapshot() = default;
    explicit GranularSnapshot(std::shared_ptr<const Kept> kept) : kept_(std::move(kept)) {}
    explicit operator bool() const { return kept_ != nullptr; }
    const Kept& kept() const { return *kept_; }
    std::uint64_t bytes() const; ///< of memory

private:
    std::shared_ptr<const Kept> kept_;
};

class GranularWorld {
public:
    /// particles from which on a GPU is faster than the CPU, for "auto"
    static constexpr std::size_t gpu_from = 20000;

    /// Throws Error when a setting is out of range; its where() names the setting.
    explicit GranularWorld(const GranularSettings& settings = {}, const Place& place = {});
    enum class Defaults {}; ///< lets GranularWorld({}) mean default settings
    explicit GranularWorld(Defaults, const Place& place = {});
    ~GranularWorld();
    GranularWorld(GranularWorld&&) noexcept;
    GranularWorld& operator=(GranularWorld&&) noexcept;

    const GranularSettings& settings() const;
    const Place& place() const; ///< with "auto" decided
    Device& device() const;     ///< this world's queue; not for users
    /// Everything may change between steps; bodies that slept wake. Throws Error and changes nothing when a setting is out of
    /// range or does not go with a shape that is here.
    void change_settings(const GranularSettings& settings);

    std::uint32_t add_shape(GranularShape shape);
    const GranularShape& shape(std::uint32_t index) const;
    /// At any time between steps. Returns the index of the body; indices never change.
    std::uint32_t create_body(const GranularBodyDef& body);
    std::uint32_t add_obstacle(const Obstacle& obstacle);

    std::uint32_t body_count() const;
    std::uint32_t particle_count() const;

    /// Advances by settings().time_step, `count` times. Does not throw once the world is on its device.
    void step(int count = 1);
    std::uint64_t steps_done() const;
    double time() const;

    /// Bodies as they are now, copied from the device. Valid until the next non-const call.
    std::span<const GranularBodyState> bodies() const;
    std::vector<ParticleState> particles() const;
    /// The force on each particle in the last step, in particle order.
    std::vector<Vec3> particle_forces() const;
    std::vector<Obstacle> obstacles() const;
    void set_body(std::uint32_t index, const GranularBodyDef& body);
    void set_obstacle(std::uint32_t index, const Obstacle& obstacle);

    GranularSnapshot snapshot() const;
    /// Settings, shapes, bodies, obstacles and time become those of the snapshot, of this world or of another on any device:
    /// steps from here on give the same bits as they did from there. Throws Error for an empty one.
    void restore(const GranularSnapshot& snapshot);

    /// 64 bits over the bits of every body's position, rotation and momenta, and of the obstacles: equal on every device.
    std::uint64_t hash() const;
    GranularMeasure measure() const;
    /// Pairs of bodies where a particle's centre lies inside the other's bounding box.
    std::vector<std::array<std::uint32_t, 2>> interlocked() const;
    /// Device memory held for this world, in bytes.
    std::uint64_t memory() const;
    /// Seconds spent in each stage; counting starts with time_stages(true).
    void time_stages(bool on);
    std::array<double, granular_stage_names.size()> stage_seconds() const;
    /// The steps taken inside one step.
    int substeps() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
