// SPDX-License-Identifier: MIT
// world.h — the rigid world: bodies with shapes, contacts and joints.
//
//     World world({.gravity = {0, -9.81f, 0}});
//     BodyId ball = world.create_body({.position = {0, 5, 0}});
//     world.attach(ball, Sphere{0.5f});
//     world.step(1 / 60.0f);
//
// Units are SI, y is up by default. Ids are values: an index and a generation; using one whose thing was destroyed is an
// Error, never another thing. A World is used from one thread at a time; a step runs at its place (place.h).
#pragma once

#include "scree/math.h"
#include "scree/place.h"
#include "scree/shape.h"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

struct BodyId {
    std::uint32_t index = 0xffffffffu, generation = 0;
    friend bool operator==(const BodyId&, const BodyId&) = default;
};
struct ShapeId {
    std::uint32_t index = 0xffffffffu, generation = 0;
    friend bool operator==(const ShapeId&, const ShapeId&) = default;
};
struct JointId {
    std::uint32_t index = 0xffffffffu, generation = 0;
    friend bool operator==(const JointId&, const JointId&) = default;
};

enum class BodyType {
    fixed,     ///< never moves
    kinematic, ///< moves with its velocity, pushed by nothing
    dynamic
};

/// Directions of motion that a body does not have, in the world's axes.
struct Locks {
    bool x = false, y = false, z = false;
    bool turn_x = false, turn_y = false, turn_z = false;
    friend bool operator==(const Locks&, const Locks&) = default;
};

struct MassProperties {
    float mass = 0; ///< kg
    Vec3 centre{};  ///< in the body's frame
    /// about the centre, along the body's axes: xx, yy, zz and xy, xz, yz
    Vec3 inertia{}, products{};
};

struct BodyDef {
    BodyType type = BodyType::dynamic;
    Vec3 position{}; ///< of the body's origin
    Quat rotation{};
    Vec3 velocity{}; ///< of the centre of mass
    Vec3 angular_velocity{};
    float linear_damping = 0; ///< 1/s
    float angular_damping = 0;
    float gravity_scale = 1;
    float max_speed = 400;         ///< m/s
    float max_angular_speed = 200; ///< rad/s
    Locks locks{};
    bool can_sleep = true;
    bool awake = true;
    /// in place of what the shapes' densities give
    std::optional<MassProperties> mass{};
    std::uint64_t user_data = 0;
};

/// A body as it is now.
struct BodyState {
    Vec3 position; ///< of the origin
    Quat rotation;
    Vec3 centre;   ///< of mass, in the world
    Vec3 velocity; ///< of the centre of mass
    Vec3 angular_velocity;
    bool asleep = false;
    bool frozen = false; ///< became non-finite, was rolled back and made static
};

enum class JointType {
    ball,  ///< two anchor points coincide
    hinge, ///< and only rotation about the axis is left
    fixed  ///< no relative motion
};

struct JointDef {
    JointType type = JointType::ball;
    BodyId first;
    BodyId second{};      ///< left out: the world
    Vec3 anchor{};        ///< world coordinates, where the bodies are now
    Vec3 axis{0, 1, 0};   ///< hinge; world coordinates
    bool collide = false; ///< whether the two bodies collide with each other
    std::uint64_t user_data = 0;
};

enum class Solver {
    soft_step, ///< substeps with soft contacts and a relaxing pass (Catto 2023)
    sor        ///< the projected SOR of Peres 2008: one mixed LCP a step, posed at velocity level
};
/// How the pairs of shapes near each other are found. All give the same pairs. On a GPU, `tree` is the tree, a grid or all
/// against few, by how many shapes moved and whether their sizes are alike; many worlds together take no notice of it.
enum class BroadPhase { tree, grid, brute };

struct WorldSettings {
    Vec3 gravity{0, -9.81f, 0};
    Solver solver = Solver::soft_step;
    BroadPhase broad_phase = BroadPhase::tree;
    int substeps = 8;
    /// stiffness of contacts; 0: a sixth of the substeps' rate. At most a quarter of it counts.
    float contact_hertz = 0;
    float contact_damping = 20; ///< damping ratio
    float push_speed = 3;       ///< m/s: penetration is resolved no faster
    float joint_hertz = 60;
    float joint_damping = 2;
    float slop = 0.005f; ///< m: penetration that the SOR solver leaves alone; soft contacts need none
    float speculative_distance = 0.02f; ///< m: contacts are made when shapes are this close
    float restitution_threshold = 1;    ///< m/s: slower impacts do not bounce
    bool recycling = true;              ///< manifolds of pairs that barely moved are kept
    bool warm_starting = true;

    bool sleeping = true;
    float sleep_speed = 0.05f; ///< m/s, at the rim of the body too
    float sleep_delay = 0.5f;  ///< s

    int sor_iterations = 10;
    float sor_omega = 1;  ///< 0 < omega < 2
    float sor_cfm = 0;    ///< added to the diagonal, divided by the step (the ODE library's meaning)
    float sor_erp = 0.2f; ///< share of a position error that is removed in a step
    /// the grid detector's parameters (R4.19); a cell size of 0 is chosen from the largest shape
    float grid_cell = 0;
    Vec3 grid_origin{};
    std::array<int, 3> grid_bits{10, 11, 11};
};

#include "scree/math.h"
#include "scree/place.h"
/// A point where two shapes touch.
struct ContactPoint {
    Vec3 position;
    float separation = 0;     ///< negative: overlap
    float normal_impulse = 0; ///< N s of the last substep
    std::uint32_t feature = 0;
};
struct ContactInfo {
    ShapeId first, second;
    BodyId first_body, second_body;
    Vec3 normal; ///< from the first to the second
    int count = 0;
    std::array<ContactPoint, 4> points;
    /// of the constraint graph, 32: found none; 255: asleep, or on a device that keeps it to itself
    std::uint8_t colour = 255;
    std::uint32_t sub_shape = 0; ///< of a shape that has parts, such as a mesh's triangles: which of them; else 0
};

/// Measured on demand over the whole world.
struct WorldMeasure {
    double kinetic_energy = 0, potential_energy = 0; ///< J, of dynamic bodies
    Vec3 momentum{}, angular_momentum{};             ///< of dynamic bodies, about the origin
    double max_overlap = 0, mean_overlap = 0,
           p99_overlap = 0; ///< m, over contacts; from the manifolds at the present poses
    double max_speed = 0, mean_speed = 0;
    double mean_height = 0, top = 0, bottom = 0;
    double joint_error = 0;     ///< m, the largest distance between the anchors of a joint
    std::uint64_t contacts = 0; ///< touching pairs
    std::uint64_t points = 0;
    std::uint32_t bodies = 0, asleep = 0, frozen = 0;
};

/// A box of the tree that finds pairs.
struct TreeBox {
    Vec3 low, high;
    int level = 0; ///< 0: around eight shapes at most
};

/// The parts a step is made of, in order.
enum class WorldStage { bounds, pairs, narrow, graph, prepare, solve, sleep };
constexpr std::array<std::string_view, 7> world_stage_names{"bounds",  "pairs", "narrow", "graph",
                                                            "prepare", "solve", "sleep"};

/// What the last step did.
struct StepCounters {
    std::uint32_t awake = 0;       ///< dynamic bodies
    std::uint32_t pairs = 0;       ///< pairs of shapes whose bounds overlap, with an awake body
    std::uint32_t contacts = 0;    ///< touching pairs
    std::uint32_t recycled = 0;    ///< manifolds kept
    std::uint32_t colours = 0;     ///< in use
    std::uint32_t overflow = 0;    ///< constraints that found no colour
    std::uint32_t islands = 0;     ///< awake; counted when the sleep stage looks
    std::uint32_t allocations = 0; ///< buffers that had to grow in this step
};

struct WorldMemory {
    std::uint64_t bodies = 0, shapes = 0, contacts = 0, joints = 0, broad_phase = 0, solver = 0; ///< bytes
    std::uint64_t total() const { return bodies + shapes + contacts + joints + broad_phase + solver; }
};

/// State where the world's device has it, for work of one's own there; on "cpu" these are the host's.
struct DeviceState {
    const float* positions = nullptr; ///< as World::positions
    const float* rotations = nullptr;
    const float* motion =
        nullptr; ///< sixteen for each body: velocity and 0, angular velocity and 0, eight of the step's
    void* queue = nullptr; ///< the cudaStream_t that the world's work is queued on; null on "cpu"
    std::uint32_t bodies = 0;
};

/// Poses on their way to the host, or arrived.
struct PoseRead {
    std::span<const float> positions, rotations; ///< as World::positions and rotations
};

/// What went between the host and the device that computes the steps, since the world was made. On "cpu" there is no way to
/// go, and all is 0.
struct WorldTraffic {
    std::uint64_t uploaded = 0, downloaded = 0; ///< bytes
    std::uint64_t uploads = 0, downloads = 0;   ///< calls
    std::uint64_t allocated = 0;                ///< bytes that the device holds now
    std::uint64_t launches = 0;                 ///< of kernels
};

class World {
public:
    struct State; ///< src/world/state.h; not for users

    /// bodies from which on a GPU is faster than the CPU, for "auto" (docs/results/rigid-gpu.md)
    static constexpr std::size_t gpu_from = 1000;

    /// Throws Error when a setting is out of range; its where() names the setting. Runs on "cpu" and "cuda".
    explicit World(const WorldSettings& settings = {}, const Place& place = {});
    enum class Defaults {}; ///< lets World({}) mean default settings
    explicit World(Defaults, const Place& place = {});
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    const WorldSettings& settings() const;
    /// Between steps.
    void change_settings(const WorldSettings& settings);
    const Place& place() const; ///< with "auto" decided

    // What may set sleeping bodies in motion wakes them, with all that touch them or hang on them by joints; what changes
    // nothing, or is damping, does not (docs/manual/world.md).

    // bodies ---------------------------------------------------------------------------------------------------
    BodyId create_body(const BodyDef& body = {});
    /// With its shapes, joints and contacts. What touched it wakes.
    void destroy(BodyId body);
    bool alive(BodyId body) const;
    BodyState state(BodyId body) const;
    BodyType type(BodyId body) const;
    void set_type(BodyId body, BodyType type);
    void set_pose(BodyId body, Vec3 position, Quat rotation);
    void set_velocity(BodyId body, Vec3 velocity, Vec3 angular_velocity = {});
    /// Moves a kinematic body so that after a step of `dt` it is there.
    void set_target(BodyId body, Vec3 position, Quat rotation, float dt);
    void set_damping(BodyId body, float linear, float angular);
    void set_gravity_scale(BodyId body, float scale);
    void set_locks(BodyId body, Locks locks);
    /// Without a value: from the shapes again.
    void set_mass(BodyId body, const std::optional<MassProperties>& mass);
    MassProperties mass(BodyId body) const;
    /// Acts during the next step. Forces act at the centre of mass, or at a point of the world.
    void apply_force(BodyId body, Vec3 force);
    void apply_force(BodyId body, Vec3 force, Vec3 point);
    void apply_torque(BodyId body, Vec3 torque);
    /// Act at once.
    void apply_impulse(BodyId body, Vec3 impulse);
    void apply_impulse(BodyId body, Vec3 impulse, Vec3 point);
    void apply_angular_impulse(BodyId body, Vec3 impulse);
    void wake(BodyId body);
    void put_to_sleep(BodyId body); ///< the body alone; a touch wakes it
    std::uint64_t user_data(BodyId body) const;
    std::vector<ShapeId> shapes(BodyId body) const;

    // shapes ---------------------------------------------------------------------------------------------------
    /// A body that was made asleep since the last step sleeps on: it is still being built.
    ShapeId attach(BodyId body, const Geometry& geometry, const ShapeDef& shape = {});
    void destroy(ShapeId shape);
    bool alive(ShapeId shape) const;
    BodyId body(ShapeId shape) const;
    Geometry geometry(ShapeId shape) const;
    ShapeDef definition(ShapeId shape) const;
    void set_material(ShapeId shape, const Material& material);
    void set_filter(ShapeId shape, const Filter& filter);

    // joints ---------------------------------------------------------------------------------------------------
    JointId create_joint(const JointDef& joint);
    void destroy(JointId joint);
    bool alive(JointId joint) const;
    std::uint64_t user_data(JointId joint) const;
    /// As if it were created now: anchor and axis are where the first body has taken them.
    JointDef definition(JointId joint) const;
    /// The distance between the two anchors, and the angle between the two frames that should be zero (rad).
    struct JointError {
        float distance = 0, angle = 0;
    };
    JointError error(JointId joint) const;

    // the step -------------------------------------------------------------------------------------------------
    /// Advances by dt seconds; 0 computes contacts and moves nothing. A negative or non-finite dt is an Error.
    void step(float dt);
    std::uint64_t steps_done() const;
    double time() const;

    // reading --------------------------------------------------------------------------------------------------
    std::uint32_t body_count() const;
    std::uint32_t shape_count() const;
    std::uint32_t joint_count() const;
    /// Living bodies in order of index.
    std::vector<BodyId> bodies() const;
    /// Bulk state indexed by BodyId::index; entries of destroyed bodies are stale. Four floats each: position of the
    /// centre of mass and 0; rotation as x, y, z, s. Valid until the next call that is not const.
    std::span<const float> positions() const;
    std::span<const float> rotations() const;
    /// The same without bringing it to the host. Work queued there, and on `queue`, sees the last step. Valid until the next
    /// call that is not const.
    DeviceState device_state() const;
    /// Begins to copy positions and rotations as they are now; the next step need not wait for it. end_read waits for the
    /// copy that was begun last, and gives nothing when none was. Valid until the next begin_read.
    void begin_read();
    PoseRead end_read();
    /// Touching pairs, in the order of their shapes' indices.
    std::vector<ContactInfo> contacts() const;
    /// The tree that the last step found its pairs with, for drawing; nothing for the grid, brute force and on a GPU.
    std::vector<TreeBox> tree() const;
    /// Bodies that became non-finite in the last step, were put back to their last good state and made static; in order of
    /// index.
    std::span<const BodyId> quarantined() const;
    WorldMeasure measure() const;
    StepCounters counters() const;
    WorldMemory memory() const;
    WorldTraffic traffic() const;
    /// Seconds spent in each stage since time_stages(true).
    void time_stages(bool on);
    std::array<double, world_stage_names.size()> stage_seconds() const;
    /// 64 bits over position, rotation and velocities of every living body: equal for every number of threads and lanes.
    std::uint64_t hash() const;

    // snapshots ------------------------------------------------------------------------------------------------
    /// The whole world as bytes: a world restored from them goes on with the same bits, on any number of threads and
    /// lanes. Ids stay valid.
    std::vector<std::byte> save() const;
    void save(const std::string& file) const;
    /// Throws Error for bytes that are no snapshot, are damaged or come from another version.
    static World restore(std::span<const std::byte> snapshot, const Place& place = {});
    static World restore_file(const std::string& file, const Place& place = {});

private:
    friend class Worlds;
    friend struct WorldInside; // src/world/state.h
    explicit World(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace scree
