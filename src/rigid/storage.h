// SPDX-License-Identifier: MIT
// storage.h — bodies, shapes, joints and contacts of a rigid world, laid out for the loops that read them.
//
// Index = BodyId::index, ShapeId::index, JointId::index; slots of destroyed objects are reused with the next generation.
// "Quads" are arrays of four floats for each entry, as kernels load them (kernels/dialect.h). Slot 0 of the bodies is the
// world itself: fixed, at the origin, never handed out; a joint to the world refers to it.
#pragma once

#include "collision/shape_type.h"
#include "fabric/plan.h"
#include "rigid/kept.h"
#include "scree/world.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// Memory aligned to a cache line, so that lane-wide accesses never straddle one.
template <class T>
struct LineAllocator {
    using value_type = T;
    LineAllocator() = default;
    template <class U>
    LineAllocator(const LineAllocator<U>&) {}
    T* allocate(std::size_t n) {
        return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{64}));
    }
    void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t{64}); }
    template <class U>
    bool operator==(const LineAllocator<U>&) const {
        return true;
    }
};
template <class T>
using Array = std::vector<T, LineAllocator<T>>;

constexpr std::uint32_t none = 0xffffffffu;

// A generation is 32 bits: 24 that count how often the slot was taken, below 8 that tell worlds apart (world/ids.h).
constexpr std::uint32_t tag_shift = 24;
constexpr std::uint32_t last_generation = (1u << tag_shift) - 1;

/// Data of a body that a step reads at most once.
struct BodyRecord {
    std::uint32_t generation = 0;
    bool alive = false;
    bool asleep = false;
    bool frozen = false; ///< quarantined
    bool can_sleep = true;
    bool bullet = false;
    BodyType type = BodyType::fixed;
    Locks locks{};
    bool sleep_events = false;
    bool told_asleep = false, told_outside = false; ///< as last told by an event
    bool mass_given = false;
    bool mass_stale = false; ///< shapes changed: mass and radius must be computed again
    float linear_damping = 0, angular_damping = 0, gravity_scale = 1;
    float max_speed = 400, max_angular_speed = 200;
    MassProperties mass; ///< in effect; mass 0 for bodies that are not dynamic is kept here, not in the quads
    /// inverse of the inertia along the body's axes: xx yy zz xy xz yz; zero for bodies that are not dynamic
    float inverse_inertia[6] = {};
    float radius = 0;              ///< the farthest that any shape reaches from the centre of mass
    float unswept = 0;             ///< m that it may go in a step without a sweep (kernels/rigid_sweep.h)
    std::uint32_t island = none;   ///< of a sleeping body: which island it fell asleep with
    std::uint32_t awake_at = none; ///< place in World's list of awake bodies
    std::uint32_t first_shape = none, first_joint = none;
    DVec3
        origin{}; ///< as last set or computed when the world had done origin_at steps; positions hold the centre of mass,
    std::uint64_t origin_at = 0; ///< and going back from that rounds
    Vec3 force{}, torque{};      ///< for the next step
    std::uint64_t user_data = 0;
};

struct Bodies {
    VersionedRecords<BodyRecord> record; ///< a step changes them where bodies fall asleep, wake or had forces
    std::vector<float> sleep_time;       ///< s at rest
    Array<float> position; ///< quads: centre of mass xyz, and how far it is from there (kernels/exact.h)
    Array<float> rotation; ///< quads: x y z s
    /// four quads: velocity and 0; angular velocity and 0; and within a step how far the body has moved and turned since its
    /// beginning: displacement and 0; rotation as x y z s. Outside a step the last two are 0 and (0 0 0 1).
    Array<float> motion;
    /// two quads, world frame: inverse inertia xx yy zz xy; xz yz, inverse mass, locks as bits. Zero for what is not dynamic,
    /// is frozen or sleeps.
    Array<float> inverse_mass;
    Array<float> carry; ///< CARRY_QUADS quads: what floats drop of position, rotation, velocity and spin
    std::vector<std::uint32_t> free; ///< slots to reuse, last first
    std::uint32_t count = 0;         ///< alive, without the world itself
};

struct ShapeRecord {
    std::uint32_t generation = 0;
    bool alive = false;
    ShapeType type = ShapeType::sphere;
    std::uint32_t body = none;
    std::uint32_t next = none, previous = none; ///< in the body's list
    Vec3 size{};      ///< box: half sides; capsule, cylinder, cone: y is half the height; mesh: scale
    float radius = 0; ///< sphere, capsule, cylinder, cone
    Hull hull;
    Mesh mesh;
    ShapeDef definition;
    Vec3 offset{};       ///< definition.position relative to the body's centre of mass
    float thickness = 0; ///< at its thinnest, roughly; written with the quads (world/slots.h)
    Vec3 one_way{};      ///< unit, or zero; written likewise
};

struct Shapes {
    VersionedRecords<ShapeRecord> record;
    Array<float>
        pose; ///< two quads: where the shape is at the step's beginning, from the body's centre of mass along the world's axes,
              ///< and the radius; rotation x y z s
    VersionedRecords<float, LineAllocator<float>>
        size; ///< quads: half sides, or (0, half height, 0); and the largest distance of a point from the shape's origin
    Array<float>
        bounds; ///< two quads: low xyz, high xyz: with the speculative margin; w of the first is that margin
    Array<float> fat; ///< two quads: what the broad phase knows; contains bounds
    VersionedRecords<float, LineAllocator<float>>
        material; ///< quads: friction, restitution, rolling resistance, 0
    std::vector<std::uint32_t> free;
    std::uint32_t count = 0;
};

constexpr float row_unlimited = 1e30f;

/// A row of a joint: kept in a range, and driven towards a target with a limited force (world/joint_types.h). A range of 0
/// to 0 without a drive is held as firmly as the solver can. Units: m and N of linear rows, rad and N m of angular ones.
struct JointRow {
    float low = -row_unlimited, high = row_unlimited;
    float hertz = 0, damping = 0; ///< of a spring that pulls to the target; 0 drives the speed alone
    float target = 0, speed = 0;
    float max_force = 0; ///< of the drive; 0: there is none
    friend bool operator==(const JointRow&, const JointRow&) = default;
};

struct JointRecord {
    std::uint32_t generation = 0;
    bool alive = false;
    JointType type = JointType::ball;
    bool collide = false;
    std::uint32_t body[2] = {none, none};                             ///< second: 0 is the world
    std::uint32_t next[2] = {none, none}, previous[2] = {none, none}; ///< in each body's list of joints
    DVec3 place[2];  ///< the anchor in each body's frame, from its origin
    DVec3 anchor[2]; ///< in each body's frame, from its centre of mass
    Quat frame[2];   ///< in each body's frame: x, y, z of the joint
    std::uint8_t colour = 0xff;
    std::uint32_t rows = 0;        ///< what each row is and measures (kernels/rigid_rows.h)
    std::vector<JointRow> bounded; ///< the rows that are neither held nor free, in order
    /// body[0] is the definition's second body: rows measure the first in its frame
    bool reversed = false;
    float break_force = 0, break_torque = 0; ///< N, N m; 0: it does not break
    /// as the user gave it, less bodies, anchors and axes; null: nothing but those
    std::shared_ptr<const JointDef> definition;
    std::uint64_t user_data = 0;
};

/// Which side of the joint the body is.
inline int side_of(const JointRecord& joint, std::uint32_t body) { return joint.body[0] == body ? 0 : 1; }

struct Joints {
    std::vector<JointRecord> record;
    std::vector<std::uint32_t> free;
    std::uint32_t count = 0;
};

/// A vertex of a cloth that goes with a body; 0 is the world.
struct PinRecord {
    std::uint32_t vertex = 0, body = 0;
    Vec3 point{}; ///< in the body's frame, from its origin
};

/// A vertex that a hand takes to a place.
struct FabricPull {
    std::uint32_t vertex = 0;
    Vec3 target{}; ///< world
};

struct ClothRecord {
    std::uint32_t generation = 0;
    bool alive = false;
    std::shared_ptr<const ClothDef> definition; ///< as given; `pins` below are those in force
    std::vector<PinRecord> pins;
    std::vector<float> mass; ///< kg, of vertices
    Array<float>
        position; ///< quads: place and inverse mass, 0 for a vertex that is held; as of the last fetch
    Array<float> velocity; ///< quads: velocity and 0
    bool asleep = false, told_asleep = false;
    float sleep_time = 0;               ///< s at rest
    std::vector<std::uint32_t> touched; ///< bodies, while it sleeps: it wakes with them
    std::vector<FabricPull> pulls;      ///< for the next step
    // derived from the rest when the cloth goes to the device
    std::shared_ptr<const FabricPlan> plan;
    std::vector<std::uint32_t> planned_for;
    std::vector<Vec3>
        boxes; ///< low and high: of all of it, then of each FABRIC_PATCH vertices; empty: not known
};

struct Cloths {
    std::vector<ClothRecord> record;
    std::vector<std::uint32_t> free;
    std::uint32_t count = 0;
    bool changed = false;                   ///< by the host, since the device had them
    std::vector<ClothId> fell_asleep, woke; ///< in the last step
    std::vector<TearEvent> torn;            ///< likewise
};

struct FieldRecord {
    std::uint32_t generation = 0;
    bool alive = false;
    ForceField definition;
};

struct ForceFields {
    std::vector<FieldRecord> record;
    std::vector<std::uint32_t> free;
    std::uint32_t count = 0;
    Array<float> quads;       ///< kernels/rigid_field.h: those that kernels evaluate, in order of their slots
    std::uint32_t custom = 0; ///< those that the host evaluates
};

/// A pair of shapes whose fat bounds overlap, with its manifold. 64 words; kernels read it as quads (kernels/rigid_params.h).
/// Anchors live in the bodies' frames, from their centres of mass, so that separations follow the bodies. Normal and lever
/// arms stay as they were when the manifold was made, in the world's axes: a contact that is kept pushes as before.
struct Contact {
    std::uint32_t shape_a = none, shape_b = none; ///< shape_a < shape_b
    std::uint32_t body_a = none, body_b = none;
    std::uint32_t count : 4 = 0; ///< points; 0: not touching
    /// A pair with a mesh has MESH_SLOTS contacts (kernels/mesh_words.h), each with its own normal; others have number 0. Contacts
    /// are sorted by shape_b, shape_a and slot.
    std::uint32_t slot : 4 = 0;
    /// index of the shape's part that is touched most deeply (a triangle of a mesh), 0 for simple shapes
    std::uint32_t sub_shape : 24 = 0;
    float between[3] = {}; ///< when the manifold was made: b's centre of mass from a's
    float normal[3] = {};  ///< from a to b
    float friction = 0;
    float friction_impulse[3] = {}; ///< on b
    float twist_impulse = 0;
    float rotation_a[4] = {}, rotation_b[4] = {}; ///< when the manifold was made; x y z s
    float rolling_impulse[3] = {};                ///< on b
    float rolling_resistance = 0;
    float surface_velocity[3] = {}; ///< of b's surface against a's
    float restitution = 0;
    struct Point {
        float anchor_a[3] = {}; ///< on a's surface, frame of a
        float normal_impulse = 0;
        float anchor_b[3] = {};
        std::uint32_t feature = 0;
    } point[4];
};
static_assert(sizeof(Contact) == 256);

struct RigidStorage;

/// A fast shape that another is about to stop.
struct SweptTouch {
    std::uint32_t shape = none, other = none;
    /// when they touch, in the other's frame: the middle of the largest ball inside the shape, and the way that it goes in the step
    DVec3 middle, way;
};

/// What a pre-solve function is asked about: one of the two.
struct PreSolveQuestion {
    const Contact* contact = nullptr;
    const SweptTouch* stop = nullptr;
};

/// Functions of the user that a step on the CPU calls, as the world passes them on.
struct ContactCallbacks {
    std::function<bool(const RigidStorage&, std::uint32_t, std::uint32_t)> filter; ///< of two shapes
    std::function<bool(const RigidStorage&, const PreSolveQuestion&)> pre_solve;
    bool changed = false;      ///< the filter, since the last step
    bool calling = false;      ///< one of them, now
    bool moved = false;        ///< bodies and cloths, within this step
    bool unseen = false;       ///< by queries, since then
    std::exception_ptr thrown; ///< by one, in this step
};

/// Names of bodies; shared by copies of a world until one changes it.
struct BodyNames {
    std::map<std::uint32_t, std::string> of;                ///< by body
    std::set<std::pair<std::string, std::uint32_t>> bodies; ///< by name
};

/// The data of a Simulation. The world (world/state.h) owns it, and reports its changes (rigid/simulation.h).
struct RigidStorage {
    RigidStorage(const WorldSettings& chosen, const Place& where) : settings(chosen), place(where) {}

    WorldSettings settings;
    Place place; ///< decided
    Bodies bodies;
    Shapes shapes;
    Joints joints;
    ForceFields fields;
    Cloths cloths;
    std::shared_ptr<BodyNames> names; ///< null: none
    std::uint32_t tag = 0;            ///< the upper 8 bits of every generation
    std::uint64_t steps = 0;
    float joined_h = 0; ///< s, the last substep of the worlds on the CPU that a snapshot joins; 0: none yet
    std::vector<BodyId> quarantined; ///< in the last step
    Events events;                   ///< likewise
    std::optional<Region> region;
    bool watched = false; ///< a region was set at some time
    ContactCallbacks callbacks;
    std::vector<JointId> broken;                ///< joints, in the last step
    std::vector<BodyRequest> requests;          ///< for the next step, besides those in the device's memory
    std::vector<RequestResult> request_results; ///< of the last step
    std::uint32_t requests_lost = 0;            ///< likewise
};

} // namespace scree
