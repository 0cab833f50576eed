// SPDX-License-Identifier: MIT
// world.h — the rigid world: bodies with shapes, contacts and joints.
//
//     World world({.gravity = {0, -9.81f, 0}});
//     BodyId ball = world.create_body({.position = {0, 5, 0}});
//     world.attach(ball, Sphere{0.5f});
//     world.step(1 / 60.0f);
//
// SI units; y is up by default. Ids are values: an index and a generation. Using the id of a destroyed object throws Error.
// Use a World from one thread at a time; a step runs at the world's place (place.h).
#pragma once

#include "scree/cloth_def.h"
#include "scree/error.h"
#include "scree/event.h"
#include "scree/field.h"
#include "scree/ids.h"
#include "scree/joint.h"
#include "scree/math.h"
#include "scree/place.h"
#include "scree/query.h"
#include "scree/request.h"
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

enum class BodyType {
    fixed,     ///< never moves
    kinematic, ///< moves with its velocity; forces and contacts do not affect it
    dynamic    ///< moved by forces, contacts and joints
};

/// Locked translations and rotations, along and about the world's axes.
struct Locks {
    bool x = false, y = false, z = false;
    bool turn_x = false, turn_y = false, turn_z = false;
    friend bool operator==(const Locks&, const Locks&) = default;
};

struct MassProperties {
    float mass = 0; ///< kg
    Vec3 centre{};  ///< in the body's frame
    /// about the centre, along the body's axes: moments xx, yy, zz and products xy, xz, yz
    Vec3 inertia{}, products{};
};

struct BodyDef {
    BodyType type = BodyType::dynamic;
    DVec3
        position{}; ///< of the body's origin; kept to 48 bits, so that it is as fine 100 km away as a float is at 1 mm
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
    bool bullet = false; ///< does not pass through dynamic bodies either (docs/manual/continuous.md)
    /// default: from the shapes' densities
    std::optional<MassProperties> mass{};
    std::uint64_t user_data = 0;
    std::string name{};        ///< for World::find; need not be unique
    bool sleep_events = false; ///< tells when it falls asleep and wakes (event.h)
};

/// The current state of a body.
struct BodyState {
    Vec3 position; ///< of the origin, rounded; World::position has all of it
    Quat rotation;
    Vec3 centre;   ///< centre of mass, in world coordinates
    Vec3 velocity; ///< of the centre of mass
    Vec3 angular_velocity;
    bool asleep = false;
    bool frozen = false; ///< became non-finite, was rolled back and made static
};

enum class Solver {
    soft_step, ///< substeps with soft contacts and a relaxation pass (Catto 2024)
    sor,       ///< projected SOR (Peres 2008): one mixed LCP at velocity level a step
    /// event-driven (docs/manual/impact.md): bodies fly to the next impact, which an impulse answers; no overlap, no tunnelling.
    /// On "cpu" only, without joints, cloths, meshes and one-way shapes
    impact
};
/// How overlapping pairs of bounds are found. All give the same pairs. On a GPU, `tree` chooses between a tree, a grid and
/// brute force, by the number of moved shapes and the spread of their sizes; Worlds on a GPU ignore this setting.
enum class BroadPhase { tree, grid, brute };

/// In which order the SOR visits its rows. Bits are the same on every device with each of them.
enum class SorSchedule {
    colours, ///< colour by colour: Gauss-Seidel over all
    groups,  ///< Peres 2008: groups of contacts and joints, Gauss-Seidel inside, Jacobi between them
    jacobi   ///< every row sees the iteration before alone
};
/// How bodies that no contact and no joint touched in a step move; others always move by the solver's velocities.
enum class Integrator {
    euler,      ///< semi-implicit; gravity along the parabola, spin by the implicit midpoint rule
    runge_kutta ///< classical, fourth order; not for bodies with locks or at their largest speed
};

struct WorldSettings {
    Vec3 gravity{0, -9.81f, 0};
    Solver solver = Solver::soft_step;
    BroadPhase broad_phase = BroadPhase::tree;
    int substeps = 8;
    /// stiffness of contacts; 0 means 1/6 of the substep rate; values above 1/4 of it are clamped
    float contact_hertz = 0;
    float contact_damping = 20; ///< damping ratio
    float push_speed = 3;       ///< m/s, the most that resolves penetration
    /// stiffness of joints; 0 means 1/4 of the substep rate; values above that are clamped
    float joint_hertz = 0;
    float joint_damping = 2;
    float slop = 0.005f;                ///< m, penetration allowed by the SOR solver; soft contacts need none
    float speculative_distance = 0.02f; ///< m, shapes closer than this get a contact
    float restitution_threshold = 1;    ///< m/s, slower impacts do not bounce
    float hit_speed = 1;                ///< m/s, slower impacts are no HitEvent
    float impact_tolerance = 1e-4f;     ///< m, of Solver::impact: shapes this close touch; 1e-9 to 1
    bool recycling = true;              ///< keep the manifolds of pairs that hardly moved
    bool warm_starting = true;
    bool continuous = true; ///< fast bodies do not pass through fixed and kinematic ones

    bool sleeping = true;
    float sleep_speed = 0.05f; ///< m/s, of the fastest point of the body
    float sleep_delay = 0.5f;  ///< s below sleep_speed before an island sleeps

    int sor_iterations = 10;
    float sor_omega = 1; ///< 0 < omega < 2
    float sor_cfm = 0;   ///< constraint force mixing as in ODE: divided by the step and added to the diagonal
    float sor_erp = 0.2f; ///< error reduction: the share of a position error removed in a step
    SorSchedule sor_schedule = SorSchedule::colours;
    int sor_groups = 512;  ///< of SorSchedule::groups, at most; a group has at least three contacts or joints
    bool sor_vary = false; ///< groups change direction and start of their visits from iteration to iteration
    float sor_tolerance =
        0; ///< m/s, an iteration that changes no row's velocity by more is the last; 0: all are done
    /// On a GPU, one block of threads keeps the velocities of the iterations in its shared memory, if they fit. Same bits
    bool sor_on_chip = false;
    Integrator integrator = Integrator::euler;
    /// of BroadPhase::grid (Peres 2008); a cell size of 0 means: from the largest shape
    float grid_cell = 0;
    Vec3 grid_origin{};
    std::array<int, 3> grid_bits{10, 11, 11};
};

/// A point of a contact manifold.
struct ContactPoint {
    Vec3 position;
    float separation = 0;     ///< negative: overlap
    float normal_impulse = 0; ///< N s of the last substep
    std::uint32_t feature = 0;
};
/// The contact manifold of two touching shapes.
struct ContactInfo {
    ShapeId first, second;
    BodyId first_body, second_body;
    Vec3 normal; ///< from the first to the second
    int count = 0;
    std::array<ContactPoint, 4> points;
    /// in the constraint graph: 0 to 31 colour; 32 overflow; 255 asleep or not reported by this device
    std::uint8_t colour = 255;
    /// A shape has up to four contacts with a mesh, one for each direction. Of a mesh: the triangle with the deepest point;
    /// otherwise 0
    std::uint32_t sub_shape = 0;
};

/// Quantities of the whole world, computed by World::measure.
struct WorldMeasure {
    double kinetic_energy = 0, potential_energy = 0; ///< J, of dynamic bodies and cloth
    Vec3 momentum{}, angular_momentum{};             ///< of dynamic bodies and cloth, about the origin
    double max_overlap = 0, mean_overlap = 0,
           p99_overlap = 0; ///< m, over contacts, at the current poses
    double max_speed = 0, mean_speed = 0;
    double mean_height = 0, top = 0, bottom = 0;
    double joint_error = 0; ///< m, the largest distance between the anchors of a joint
    double joint_angle = 0; ///< rad, the largest angle of a joint beyond its limits, or against what it holds
    std::uint64_t contacts = 0; ///< touching pairs
    std::uint64_t points = 0;
    std::uint32_t bodies = 0, asleep = 0, frozen = 0;
    std::uint64_t inside = 0; ///< pairs of a sensor and a shape in it, as the last step found them
};

/// A node's bounds in the broad-phase tree.
struct TreeBox {
    Vec3 low, high;
    int level = 0; ///< 0: a leaf of at most eight shapes
};

/// The stages of a step, in order.
enum class WorldStage { bounds, pairs, narrow, graph, prepare, solve, sweep, sleep };
constexpr std::array<std::string_view, 8> world_stage_names{"bounds",  "pairs", "narrow", "graph",
                                                            "prepare", "solve", "sweep",  "sleep"};

/// What Solver::impact did in the last step: from all pairs of shapes to those that an impulse answered.
struct ImpactCounters {
    std::uint64_t pairs = 0;      ///< of a shape that moves and any other
    std::uint64_t candidates = 0; ///< pairs whose boxes of the whole way overlapped, at some time of the step
    std::uint64_t queued = 0;     ///< of these, pairs that might meet within the step
    std::uint64_t measured = 0;   ///< distances by GJK
    std::uint64_t impacts = 0;    ///< answered by an impulse
    std::uint64_t resting = 0;    ///< contacts at rest that were answered together when the step began
    std::uint32_t halted = 0;     ///< bodies that had too many impacts: they waited for the end of the step
    float left_over = 0;          ///< s, the most that one of them did not move
};

/// Counters of the last step.
struct StepCounters {
    std::uint32_t awake = 0;       ///< awake dynamic bodies
    std::uint32_t pairs = 0;       ///< pairs of overlapping bounds with at least one awake body
    std::uint32_t contacts = 0;    ///< touching pairs
    std::uint32_t recycled = 0;    ///< manifolds kept
    std::uint32_t colours = 0;     ///< in use
    std::uint32_t overflow = 0;    ///< constraints solved without a colour
    std::uint32_t islands = 0;     ///< awake islands, when the sleep stage last counted
    std::uint32_t allocations = 0; ///< buffers that grew in this step
    std::uint32_t iterations = 0;  ///< of the SOR
    std::uint32_t crowded = 0; ///< pairs with a mesh that touch in more directions than a pair has contacts
    ImpactCounters impact{};
};

struct WorldMemory {
    std::uint64_t bodies = 0, shapes = 0, contacts = 0, joints = 0, broad_phase = 0, solver = 0,
                  cloths = 0; ///< bytes
    std::uint64_t total() const {
        return bodies + shapes + contacts + joints + broad_phase + solver + cloths;
    }
};

/// Pointers to the state on the world's device, for your own kernels; host memory on "cpu".
struct DeviceState {
    const float* positions = nullptr; ///< as World::positions
    const float* rotations = nullptr;
    /// 16 floats a body: velocity and 0, angular velocity and 0, eight internal ones
    const float* motion = nullptr;
    void* queue = nullptr; ///< the world's cudaStream_t; null on "cpu"
    std::uint32_t bodies = 0;
};

/// Poses that were copied to the host; see World::begin_read.
struct PoseRead {
    std::span<const float> positions, rotations; ///< as World::positions and rotations
};

/// Transfers between host and device since the world was created. All zero on "cpu".
struct WorldTraffic {
    std::uint64_t uploaded = 0, downloaded = 0; ///< bytes
    std::uint64_t uploads = 0, downloads = 0;   ///< calls
    std::uint64_t allocated = 0;                ///< bytes on the device now
    std::uint64_t launches = 0;                 ///< of kernels
};

class World {
public:
    struct State; ///< src/world/state.h; not for users

    /// "auto" takes a GPU from this number of bodies on, where it is faster (docs/results/rigid-gpu.md)
    static constexpr std::size_t gpu_from = 1000;

    /// Throws Error when a setting is out of range; its where() names the setting. Runs on "cpu" and "cuda".
    explicit World(const WorldSettings& settings = {}, const Place& place = {});
    enum class Defaults {}; ///< makes World({}) mean default settings
    explicit World(Defaults, const Place& place = {});
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    const WorldSettings& settings() const;
    /// Takes effect in the next step.
    void change_settings(const WorldSettings& settings);
    const Place& place() const; ///< with "auto" decided

    // A change that may move a sleeping body wakes it, with all bodies connected to it by contacts or joints. Setting a value
    // to what it is already, or changing damping, wakes nothing (docs/manual/world.md).

    // bodies ---------------------------------------------------------------------------------------------------
    BodyId create_body(const BodyDef& body = {});
    /// Also destroys its shapes, joints and contacts. Wakes the bodies that touched it.
    void destroy(BodyId body);
    bool alive(BodyId body) const;
    BodyState state(BodyId body) const;
    BodyType type(BodyId body) const;
    void set_type(BodyId body, BodyType type);
    /// Of the origin. Far from the world's origin it is finer than BodyState::position.
    DVec3 position(BodyId body) const;
    void set_pose(BodyId body, DVec3 position, Quat rotation);
    void set_velocity(BodyId body, Vec3 velocity, Vec3 angular_velocity = {});
    /// Sets the velocity of a kinematic body so that a step of `dt` takes it to this pose.
    void set_target(BodyId body, DVec3 position, Quat rotation, float dt);
    void set_damping(BodyId body, float linear, float angular);
    void set_gravity_scale(BodyId body, float scale);
    void set_locks(BodyId body, Locks locks);
    bool bullet(BodyId body) const;
    void set_bullet(BodyId body, bool bullet);
    /// nullopt: computed from the shapes again.
    void set_mass(BodyId body, const std::optional<MassProperties>& mass);
    MassProperties mass(BodyId body) const;
    /// Forces and torques act during the next step; a force acts at the centre of mass, or at a point in world coordinates.
    void apply_force(BodyId body, Vec3 force);
    void apply_force(BodyId body, Vec3 force, DVec3 point);
    void apply_torque(BodyId body, Vec3 torque);
    /// Impulses change the velocity at once.
    void apply_impulse(BodyId body, Vec3 impulse);
    void apply_impulse(BodyId body, Vec3 impulse, DVec3 point);
    void apply_angular_impulse(BodyId body, Vec3 impulse);
    void wake(BodyId body);
    void put_to_sleep(BodyId body); ///< without its island; a contact with an awake body wakes it
    std::uint64_t user_data(BodyId body) const;
    std::string name(BodyId body) const; ///< empty: none
    void set_name(BodyId body, const std::string& name);
    /// The body of this name; of several the one with the smallest index.
    std::optional<BodyId> find(const std::string& name) const;
    std::vector<ShapeId> shapes(BodyId body) const;

    // shapes ---------------------------------------------------------------------------------------------------
    /// Does not wake a body that was created asleep since the last step.
    ShapeId attach(BodyId body, const Geometry& geometry, const ShapeDef& shape = {});
    void destroy(ShapeId shape);
    bool alive(ShapeId shape) const;
    BodyId body(ShapeId shape) const;
    Geometry geometry(ShapeId shape) const;
    ShapeDef definition(ShapeId shape) const;
    void set_material(ShapeId shape, const Material& material);
    void set_filter(ShapeId shape, const Filter& filter);
    /// Replaces the triangles of a mesh. Wakes the bodies that touched it and those that it touches now.
    void set_mesh(ShapeId shape, const Mesh& mesh);
    /// New heights for a rectangle of a height field: Mesh::with_heights. Wakes the bodies near the rectangle, and no others.
    void set_heights(ShapeId shape, const HeightPatch& patch);

    // joints (joint.h) -----------------------------------------------------------------------------------------
    JointId create_joint(const JointDef& joint);
    /// Changes limits, drives, length, ratio, pose, break limits, collide and user_data. Type, bodies, anchors, axes and frames stay: those
    /// of the definition are not used.
    void set_joint(JointId joint, const JointDef& definition);
    void destroy(JointId joint);
    bool alive(JointId joint) const;
    std::uint64_t user_data(JointId joint) const;
    /// Anchor and axis in world coordinates, at the current pose of the first body.
    JointDef definition(JointId joint) const;
    /// Distance between the two anchors (m), and angle between the two frames where the joint holds it at zero (rad). Of gears
    /// and racks how far the teeth have slipped, and how far that has turned the first body.
    struct JointError {
        float distance = 0, angle = 0;
    };
    JointError error(JointId joint) const;
    /// Forces, and where the joint is between its limits. On a GPU this waits for the last step.
    JointState state(JointId joint) const;
    /// Joints that broke in the last step and are destroyed, sorted by index.
    std::span<const JointId> broken_joints() const;

    // fields of force (field.h) --------------------------------------------------------------------------------
    FieldId add_field(const ForceField& field);
    void set_field(FieldId field, const ForceField& definition);
    ForceField definition(FieldId field) const;
    void destroy(FieldId field);
    bool alive(FieldId field) const;
    std::vector<FieldId> fields() const; ///< in order of index
    /// Pushes the bodies near a point away from it, at once.
    void explode(const Explosion& explosion);

    // cloth (cloth_def.h) --------------------------------------------------------------------------------------
    /// Needs Solver::soft_step, and a world that is not among many. Throws Error that names the triangle, vertex or pin.
    ClothId create_cloth(const ClothDef& cloth);
    void destroy(ClothId cloth);
    bool alive(ClothId cloth) const;
    ClothDef definition(ClothId cloth) const; ///< as it was created, with the pins in force; torn if it tore
    std::vector<ClothId> cloths() const;      ///< in order of index
    std::uint64_t user_data(ClothId cloth) const;
    /// In world coordinates. Valid until the next call of either, and the next step.
    std::span<const Vec3> vertices(ClothId cloth) const;
    std::span<const Vec3> vertex_velocities(ClothId cloth) const;
    void set_vertices(ClothId cloth, std::span<const Vec3> positions, std::span<const Vec3> velocities);
    /// Replaces all pins. A vertex without a point is pinned where it is.
    void set_pins(ClothId cloth, std::span<const ClothPin> pins);
    void set_wind(ClothId cloth, Vec3 wind);
    void set_pressure(ClothId cloth, float pressure);
    /// Takes a vertex towards a place in the next step, at 10 m/s at most, as a hand would. The cloth may hold it back.
    void drag(ClothId cloth, std::uint32_t vertex, Vec3 target);
    /// A cloth sleeps when it has been at rest for as long as bodies need, together with the bodies that it touches. It wakes when
    /// it is changed, and when one of these bodies or one that comes near it moves.
    bool asleep(ClothId cloth) const;
    void wake(ClothId cloth);
    FabricMeasure measure(ClothId cloth) const;
    ClothContacts cloth_contacts() const; ///< of all cloths; on a GPU this waits for the last step

    // the step -------------------------------------------------------------------------------------------------
    /// Advances by dt seconds; 0 only updates contacts. Throws Error for a negative or non-finite dt, and with
    /// Solver::impact for more than 3600.
    void step(float dt);
    std::uint64_t steps_done() const;
    double time() const;

    // reading --------------------------------------------------------------------------------------------------
    std::uint32_t body_count() const;
    std::uint32_t shape_count() const;
    std::uint32_t joint_count() const;
    /// All bodies, in order of index.
    std::vector<BodyId> bodies() const;
    /// State of all bodies, indexed by BodyId::index; entries of destroyed bodies are stale. Four floats each: position of the
    /// centre of mass and a word of the engine's own; rotation as x, y, z, s. Valid until the next non-const call.
    std::span<const float> positions() const;
    std::span<const float> rotations() const;
    /// The same, without a copy to the host. Work on `queue` sees the last step. Valid until the next non-const call.
    DeviceState device_state() const;
    /// Memory on the device in which your kernels ask for bodies to be made and destroyed by the next step (request.h). Empty; requests
    /// that wait in memory from an earlier call are kept for the next step. For at most 2^24 requests.
    DeviceRequests device_requests(std::uint32_t room);
    /// What became of the requests that the last step found, in the order in which it carried them out. Empty after restore, clone
    /// and rollback.
    std::span<const RequestResult> request_results() const;
    std::uint32_t requests_lost() const; ///< for which there was no room, in the last step
    /// begin_read starts to copy positions and rotations to the host; steps may run meanwhile. end_read waits for the last
    /// copy; its spans are empty if none was started, and valid until the next begin_read.
    void begin_read();
    PoseRead end_read();
    /// Touching pairs, sorted by the indices of their shapes.
    std::vector<ContactInfo> contacts() const;
    /// The broad-phase tree of the last step, for drawing; empty with the grid, with brute force and on a GPU.
    std::vector<TreeBox> tree() const;
    /// Bodies that became non-finite in the last step, sorted by index. They are back in their last finite state, and frozen.
    std::span<const BodyId> quarantined() const;
    WorldMeasure measure() const;
    StepCounters counters() const;
    WorldMemory memory() const;
    WorldTraffic traffic() const;
    /// time_stages(true) starts timing; stage_seconds() returns the seconds in each stage since then.
    void time_stages(bool on);
    std::array<double, world_stage_names.size()> stage_seconds() const;
    /// 64 bits over position, rotation and velocities of all bodies and vertices of cloths; equal on every device, with any threads and lanes.
    std::uint64_t hash() const;

    // queries (query.h) ------------------------------------------------------------------------------------------
    /// What a ray or a moving shape meets: the nearest, whether there is any, or all, sorted by fraction, then shape index.
    std::optional<QueryHit> cast_ray(const RayCast& ray, const QueryFilter& filter = {}) const;
    bool cast_ray_any(const RayCast& ray, const QueryFilter& filter = {}) const;
    std::vector<QueryHit> cast_ray_all(const RayCast& ray, const QueryFilter& filter = {}) const;
    std::optional<QueryHit> cast_shape(const ShapeCast& shape, const QueryFilter& filter = {}) const;
    std::vector<QueryHit> cast_shape_all(const ShapeCast& shape, const QueryFilter& filter = {}) const;
    /// The shapes that a geometry overlaps, sorted by index.
    std::vector<QueryHit> overlap(const ShapePlacement& shape, const QueryFilter& filter = {}) const;
    /// The nearest point of the nearest shape; the point itself, at distance 0, inside a shape.
    std::optional<QueryHit> closest_point(const PointQuery& point, const QueryFilter& filter = {}) const;
    /// The shapes that a point lies in, sorted by index.
    std::vector<QueryHit> contains(const DVec3& point, const QueryFilter& filter = {}) const;
    /// The same for many, on the world's threads: as many results as requests, without a shape where nothing is met. After an
    /// Error the results are undefined.
    void cast_rays(std::span<const RayCast> rays, std::span<QueryHit> results,
                   const QueryFilter& filter = {}) const;
    void cast_rays_any(std::span<const RayCast> rays, std::span<std::uint8_t> results,
                       const QueryFilter& filter = {}) const;
    /// The same for rays and results in the memory of the world's device: of the host on "cpu", of the GPU on "cuda", where the
    /// results are there for work on device_state().queue. Answers are those of cast_ray; a ray of NaN or without length hits
    /// nothing. The filter must have no predicate.
    void cast_device_rays(const RayCast* rays, std::size_t count, QueryHit* results,
                          const QueryFilter& filter = {}) const;
    void cast_device_rays_any(const RayCast* rays, std::size_t count, std::uint8_t* results,
                              const QueryFilter& filter = {}) const;
    QueryLists cast_rays_all(std::span<const RayCast> rays, const QueryFilter& filter = {}) const;
    void cast_shapes(std::span<const ShapeCast> shapes, std::span<QueryHit> results,
                     const QueryFilter& filter = {}) const;
    QueryLists cast_shapes_all(std::span<const ShapeCast> shapes, const QueryFilter& filter = {}) const;
    QueryLists overlaps(std::span<const ShapePlacement> shapes, const QueryFilter& filter = {}) const;
    void closest_points(std::span<const PointQuery> points, std::span<QueryHit> results,
                        const QueryFilter& filter = {}) const;
    QueryLists contains_all(std::span<const DVec3> points, const QueryFilter& filter = {}) const;

    // events (event.h) -------------------------------------------------------------------------------------------
    /// Of the last step; empty after restore, clone and rollback. Valid until the next step.
    const Events& events() const;
    /// Bodies that move tell when their centre of mass leaves the region; nullopt: none do.
    void set_region(const std::optional<Region>& region);
    std::optional<Region> region() const;
    /// The touching pairs of one body, sorted as in contacts(), and one pair. On a GPU as dear as contacts() after a step.
    std::vector<ContactInfo> contacts(BodyId body) const;
    std::optional<ContactInfo> contact(ShapeId first, ShapeId second) const;
    /// On "cpu" only. Called within step, by the thread that steps, in the order of contacts(): the filter for pairs whose
    /// bounds come to overlap, the other for pairs that touch and are awake; then both for what would stop a fast body. They
    /// must not change the world. What they throw comes out of step when it has ended; until then every pair is accepted. An
    /// empty function: none. Setting one wakes all bodies. Snapshots do not have them; a clone does.
    void set_contact_filter(ContactFilter filter);
    void set_pre_solve(PreSolve pre_solve);

    // snapshots ------------------------------------------------------------------------------------------------
    /// The whole world as bytes. A restored world continues bit by bit like the saved one, on any device; ids stay valid.
    std::vector<std::byte> save() const;
    void save(const std::string& file) const;
    /// Throws Error if the bytes are not a snapshot, are damaged or come from another version.
    static World restore(std::span<const std::byte> snapshot, const Place& place = {});
    static World restore_file(const std::string& file, const Place& place = {});
    /// A second world that continues bit by bit like this one; ids are valid in both. On another device, or of one of Worlds,
    /// it is a restored snapshot; otherwise a faster copy of the memory. For states to go back to see rollback.h.
    World clone() const;
    World clone(const Place& place) const;

private:
    friend class Worlds;
    friend struct WorldInside; // src/world/state.h
    explicit World(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace scree
