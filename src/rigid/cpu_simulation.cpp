// SPDX-License-Identifier: MIT
// cpu_simulation.cpp — handles changes of the world, and runs the stages of a step.

#include "rigid/cpu_simulation.h"

#include "geometry/hull.h"
#include "geometry/mesh_geometry.h"
#include "rigid/impacts.h"
#include "rigid/inverse_mass.h"
#include "rigid/parts.h"
#include "rigid/quads.h"
#include "scree/error.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace scree {

namespace {

/// the node's children together; nothing when it has none
std::optional<std::pair<Vec3, Vec3>> around(const BoundsNode& node) {
    float low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::numeric_limits<float>::infinity(), high[axis] = -low[axis];
        // an empty place is NaN, which is neither less nor greater
        for (int child = 0; child < 8; ++child) {
            if (node.low[axis][child] < low[axis]) low[axis] = node.low[axis][child];
            if (node.high[axis][child] > high[axis]) high[axis] = node.high[axis][child];
        }
        if (!(low[axis] <= high[axis])) return std::nullopt;
    }
    return std::pair{Vec3{low[0], low[1], low[2]}, Vec3{high[0], high[1], high[2]}};
}

} // namespace

StageTimer::StageTimer(CpuSimulation::Parts& parts, WorldStage stage)
    : seconds_(parts.timing ? &parts.seconds[static_cast<std::size_t>(stage)] : nullptr) {
    if (seconds_) start_ = std::chrono::steady_clock::now();
}
StageTimer::~StageTimer() {
    if (seconds_)
        *seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

CpuSimulation::Parts::Parts(RigidStorage& world_)
    : world(world_),
      table(rigid_table(world_.place.lanes())),
      crew(world_.place),
      cloths(world_.place.opened().queue()) {}

CpuSimulation::Parts::~Parts() = default;

CpuSimulation::CpuSimulation(RigidStorage& world) : parts_(std::make_unique<Parts>(world)) {}
CpuSimulation::~CpuSimulation() = default;

// changes --------------------------------------------------------------------------------------------------------------

void CpuSimulation::Parts::grow_bodies() {
    const std::size_t n = world.bodies.record.size();
    if (colours.size() >= n) return;
    links_version = new_version();
    first_contact.resize(n, none);
    colours.resize(n, 0);
    for (std::size_t b = island_next.size(); b < n; ++b) island_next.push_back(static_cast<std::uint32_t>(b));
    constants_version = new_version();
    constants.resize(4 * BODY_CONSTANTS * n);
    force.resize(8 * n);
    kick.resize(4 * KICK_QUADS * n);
    free.resize(8 * n);
    rest.resize(n);
}

void CpuSimulation::Parts::write_constants(std::uint32_t b) {
    grow_bodies();
    any_extras = any_extras || (lock_bits(world.bodies.record[b]) & 7) != 0;
    any_bullets = any_bullets || world.bodies.record[b].bullet;
    constants_version = new_version();
    body_constants(world.bodies.record[b], &constants[4 * BODY_CONSTANTS * std::size_t{b}]);
}

void CpuSimulation::body_added(std::uint32_t b) {
    parts_->write_constants(b);
    parts_->links_version = new_version();
    parts_->first_contact[b] = none;
    parts_->colours[b] = 0;
    parts_->island_next[b] = b;
    parts_->rest[b] = 0;
    parts_->tells_bodies = parts_->tells_bodies || parts_->world.bodies.record[b].sleep_events;
    parts_->world.bodies.record.edit(b).awake_at = none;
    if (parts_->world.bodies.record[b].type != BodyType::fixed && !parts_->world.bodies.record[b].asleep)
        parts_->join_awake(b);
}

void CpuSimulation::body_removed(std::uint32_t b) {
    // a sleeper leaves its ring
    std::vector<std::uint32_t>& ring = parts_->island_next;
    std::uint32_t before = b;
    while (ring[before] != b) before = ring[before];
    ring[before] = ring[b];
    ring[b] = b;
    parts_->leave_awake(b);
    parts_->colours[b] = 0;
}

void CpuSimulation::body_moved(std::uint32_t b) {
    Parts& p = *parts_;
    for (std::uint32_t s = p.world.bodies.record[b].first_shape; s != none;
         s = p.world.shapes.record[s].next) {
        if (!p.tree.holds(s)) continue; // on its way in
        p.place_bounds(s, 0);
        p.fatten(s, 0);
        p.tree.set(s, &p.world.shapes.fat[8 * std::size_t{s}]);
        p.look_again(s, Parts::put);
    }
    // anchors are from the centre of mass, which may have moved within the body
    p.each_joint(b, [&](std::uint32_t j, std::uint32_t other) {
        p.write_joint(j);
        p.wake_body(other);
    });
    if (b >= p.first_contact.size()) return;
    p.each_contact(b, [&](std::uint32_t c) {
        const Contact& contact = p.contacts[c];
        p.forget_manifold(c);
        if (rigid::is_sensing(p.pair_kind[c])) {
            if (p.active_at[c] == none) p.sensor_looks.push_back(c);
            return;
        }
        // what it is near now wakes in the next step, which finds all pairs
        if (p.points[c]) p.wake_body(contact.body_a == b ? contact.body_b : contact.body_a);
    });
}

void CpuSimulation::body_changed(std::uint32_t b, bool weighed) {
    parts_->write_constants(b);
    if (weighed) parts_->cloths.shapes_changed(); // from the centre of mass
}

void CpuSimulation::type_changed(std::uint32_t b) {
    Parts& p = *parts_;
    const BodyRecord& body = p.world.bodies.record[b];
    const auto layer = body.type == BodyType::fixed ? BoundsTree::fixed : BoundsTree::moving;
    for (std::uint32_t s = body.first_shape; s != none; s = p.world.shapes.record[s].next) {
        if (!p.tree.holds(s)) continue;
        if (p.tree.layer(s) != layer) {
            p.tree.remove(s);
            p.place_bounds(s, 0);
            p.fatten(s, 0);
            p.tree.insert(s, layer, &p.world.shapes.fat[8 * std::size_t{s}]);
        }
        p.look_again(s, Parts::came);
    }
    // colours count for dynamic bodies only, and which pairs are wanted depends on the type: begin anew
    p.each_contact(b, [&](std::uint32_t c) {
        const std::uint32_t other = p.contacts[c].body_a == b ? p.contacts[c].body_b : p.contacts[c].body_a;
        const bool touched = p.points[c] != 0;
        p.remove_contact(c);
        if (touched) p.wake_body(other);
    });
    p.each_joint(b, [&](std::uint32_t j, std::uint32_t other) {
        p.release_joint(j);
        p.new_joints.push_back(j);
        p.wake_body(other);
    });
    p.colours[b] = 0;
    if (body.type != BodyType::fixed && !body.asleep && !body.frozen) p.join_awake(b);
    else p.leave_awake(b);
}

void CpuSimulation::Parts::keep_hull(std::uint32_t s) {
    shapes_version = new_version();
    if (hulls.size() < world.shapes.record.size()) hulls.resize(world.shapes.record.size());
    const ShapeRecord& shape = world.shapes.record[s];
    hulls[s] = shape.mesh ? mesh_words(shape.mesh) : hull_words_of.of(shape.hull);
    any_meshes = any_meshes || shape.mesh;
    for (const Material& m : shape.mesh.options().materials)
        any_extras =
            any_extras || m.restitution > 0 || m.rolling_resistance > 0 || m.surface_velocity != Vec3{};
}

void CpuSimulation::shape_added(std::uint32_t s) {
    Parts& p = *parts_;
    p.cloths.shapes_changed();
    p.keep_hull(s);
    p.is_moved.resize(std::max(p.is_moved.size(), p.world.shapes.record.size()), 0);
    p.traits.resize(std::max(p.traits.size(), p.world.shapes.record.size()), 0);
    p.traits[s] = shape_traits(p.world.shapes.record[s].definition);
    p.tells_touches = p.tells_touches || (p.traits[s] & (SHAPE_SENSOR | SHAPE_TELLS_CONTACTS));
    p.tells_hits = p.tells_hits || (p.traits[s] & SHAPE_TELLS_HITS);
    p.any_one_way = p.any_one_way || (p.traits[s] & SHAPE_ONE_WAY);
    p.place_bounds(s, 0);
    p.fatten(s, 0);
    const BodyRecord& body = p.world.bodies.record[p.world.shapes.record[s].body];
    p.tree.insert(s, body.type == BodyType::fixed ? BoundsTree::fixed : BoundsTree::moving,
                  &p.world.shapes.fat[8 * std::size_t{s}]);
    p.look_again(s, Parts::came);
}

void CpuSimulation::shape_removed(std::uint32_t s) {
    Parts& p = *parts_;
    p.cloths.shapes_changed();
    const std::uint32_t b = p.world.shapes.record[s].body;
    p.each_contact(b, [&](std::uint32_t c) {
        const Contact& contact = p.contacts[c];
        if (contact.shape_a != s && contact.shape_b != s) return;
        const std::uint32_t other = contact.body_a == b ? contact.body_b : contact.body_a;
        const bool touched = p.points[c] != 0;
        p.remove_contact(c);
        if (touched) p.wake_body(other);
    });
    p.tree.remove(s);
    p.shapes_version = new_version();
    p.hulls[s] = nullptr; // it may stay among the moved: find_pairs skips shapes that are not in the tree
}

void CpuSimulation::shape_changed(std::uint32_t s) {
    Parts& p = *parts_;
    p.cloths.shapes_changed();
    const std::uint32_t b = p.world.shapes.record[s].body;
    p.each_contact(b, [&](std::uint32_t c) {
        if (p.contacts[c].shape_a != s && p.contacts[c].shape_b != s) return;
        const std::uint32_t other = p.contacts[c].body_a == b ? p.contacts[c].body_b : p.contacts[c].body_a;
        const bool touched = p.points[c] != 0;
        p.note_change(c);
        p.mix_materials(p.contacts[c]);
        if (touched) p.wake_body(other);
    });
    p.wake_body(b);
    p.unsure.push_back(b);
    const Material& material = p.world.shapes.record[s].definition.material;
    p.any_extras = p.any_extras || material.restitution > 0 || material.rolling_resistance > 0 ||
                   !(material.surface_velocity == Vec3{});
    p.look_again(s, Parts::came);
}

void CpuSimulation::mesh_changed(std::uint32_t s) {
    Parts& p = *parts_;
    p.cloths.shapes_changed();
    p.keep_hull(s);
    p.place_bounds(s, 0);
    p.fatten(s, 0);
    p.tree.set(s, &p.world.shapes.fat[8 * std::size_t{s}]);
    p.look_again(s, Parts::looks); // the world wakes those near its new triangles
}

void CpuSimulation::Parts::write_joint(std::uint32_t j) {
    if (joint_records.size() < 4 * JOINT_RECORD * world.joints.record.size())
        joint_records.resize(4 * JOINT_RECORD * world.joints.record.size());
    const JointRecord& joint = world.joints.record[j];
    joint_quads(joint, world_side(joint), &joint_records[4 * JOINT_RECORD * std::size_t{j}]);
    if (has_limits(joint)) any_limits = true;
    if (joint.rows & ROWS_BREAKS) any_breaks = true;
    if (!any_limits) return;
    // kernels read those of a whole block of joints
    joint_limits.resize(4 * JOINT_LIMITS * world.joints.record.size());
    joint_limit_quads(joint, &joint_limits[4 * JOINT_LIMITS * std::size_t{j}]);
}

void CpuSimulation::joint_added(std::uint32_t j) {
    Parts& p = *parts_;
    p.world.joints.record[j].colour = no_colour;
    p.write_joint(j);
    std::fill_n(&p.joint_records[4 * (JOINT_RECORD * std::size_t{j} + JOINT_RECORD_IMPULSE)], 8, 0.0f);
    p.new_joints.push_back(j);
    // bodies that a joint holds together no longer collide
    p.unsure.push_back(p.world.joints.record[j].body[0]);
}

void CpuSimulation::joint_removed(std::uint32_t j) {
    Parts& p = *parts_;
    p.release_joint(j);
    // and may collide again
    p.look_again_at(p.world.joints.record[j]);
}

void CpuSimulation::joint_changed(std::uint32_t j, bool anew) {
    Parts& p = *parts_;
    p.write_joint(j);
    if (!anew) return;
    std::fill_n(&p.joint_records[4 * (JOINT_RECORD * std::size_t{j} + JOINT_RECORD_IMPULSE)], 8, 0.0f);
    p.release_joint(j);
    p.new_joints.push_back(j);
}

void CpuSimulation::joint_collides(std::uint32_t j) {
    Parts& p = *parts_;
    const JointRecord& joint = p.world.joints.record[j];
    if (!joint.collide) p.unsure.insert(p.unsure.end(), std::begin(joint.body), std::end(joint.body));
    else p.look_again_at(joint);
}

/// Both bodies of the joint.
void CpuSimulation::Parts::look_again_at(const JointRecord& joint) {
    for (const std::uint32_t b : joint.body)
        for (std::uint32_t s = world.bodies.record[b].first_shape; s != none; s = world.shapes.record[s].next)
            look_again(s, came);
}

void CpuSimulation::Parts::find_broken() {
    for (std::uint32_t j = 0; j < world.joints.record.size(); ++j) {
        const JointRecord& joint = world.joints.record[j];
        if (!joint.alive || !(joint.rows & ROWS_BREAKS)) continue;
        const float* record = &joint_records[4 * JOINT_RECORD * std::size_t{j}];
        if (rigid::joint_breaks(&joint_limits[4 * JOINT_LIMITS * std::size_t{j}],
                                record[4 * JOINT_RECORD_IMPULSE + 3], record[4 * JOINT_RECORD_ANGULAR + 3],
                                step.h))
            broken.push_back(j);
    }
}

std::span<const std::uint32_t> CpuSimulation::broken() const { return parts_->broken; }

JointImpulse CpuSimulation::impulse(std::uint32_t j) const {
    JointImpulse impulse{.linear = {}, .angular = {}, .h = parts_->last_h};
    const float* record = &parts_->joint_records[4 * JOINT_RECORD * std::size_t{j}];
    std::copy_n(record + 4 * JOINT_RECORD_IMPULSE, 4, impulse.linear);
    std::copy_n(record + 4 * JOINT_RECORD_ANGULAR, 4, impulse.angular);
    return impulse;
}

void CpuSimulation::Parts::end_unwanted() {
    grow_bodies();
    if (std::exchange(world.callbacks.changed, false)) {
        // contacts and pairs that another filter has let pass
        std::vector<std::uint32_t> all;
        for (std::uint32_t c = 0; c < contacts.size(); ++c)
            if (contacts[c].shape_a != none) all.push_back(c);
        std::sort(all.begin(), all.end(), [&](std::uint32_t l, std::uint32_t r) {
            const ContactEnds &a = ends[l], &b = ends[r];
            return a.shape_a != b.shape_a ? a.shape_a < b.shape_a : a.shape_b < b.shape_b;
        });
        for (const std::uint32_t c : all)
            if (world.callbacks.filter &&
                !ask([&] { return world.callbacks.filter(world, ends[c].shape_a, ends[c].shape_b); }))
                remove_contact(c);
        for (std::uint32_t s = 0; s < world.shapes.record.size(); ++s)
            if (world.shapes.record[s].alive) look_again(s, came);
    }
    for (const std::uint32_t b : unsure)
        each_contact(b, [&](std::uint32_t c) {
            if (!wanted_pair(world, ends[c].shape_a, ends[c].shape_b)) remove_contact(c);
        });
    unsure.clear();
}

void CpuSimulation::settings_changed() {
    if (!parts_->world.settings.warm_starting) parts_->last_h = 0;
}
void CpuSimulation::wake(std::uint32_t body) { parts_->wake_body(body); }
void CpuSimulation::put_to_sleep(std::uint32_t body) { parts_->sleep_body(body); }

// the step ---------------------------------------------------------------------------------------------------------------

/// Cloths find what they touch, and wake it. A body that wakes has a mass again: then they look once more.
void CpuSimulation::Parts::begin_cloths(float dt) {
    if (world.cloths.count) grow_bodies();
    cloths.begin_step(world, cloth_bodies(), dt);
    if (!cloths.any()) return;
    const auto* touched = static_cast<const std::uint32_t*>(cloths.touched().raw);
    bool woke = false;
    for (std::uint32_t b = 1; b < world.bodies.record.size(); ++b) {
        if (!touched[b] || !world.bodies.record[b].asleep) continue;
        wake_body(b);
        woke = true;
    }
    if (woke) cloths.begin_step(world, cloth_bodies(), dt);
}
void CpuSimulation::Parts::stir_touched(float dt) {
    if (!cloths.any()) return;
    const std::uint32_t restless = cloths.restless(world, cloth_bodies(), dt);
    const auto* touched = static_cast<const std::uint32_t*>(cloths.touched().raw);
    for (std::uint32_t b = 1; restless && b < world.bodies.record.size(); ++b)
        if ((touched[b] & restless) && world.bodies.record[b].type == BodyType::dynamic)
            rest[b] = rigid::rest_among_cloth(rest[b]);
}
void CpuSimulation::Parts::unite_touched() {
    if (!cloths.any()) return;
    const auto* touched = static_cast<const std::uint32_t*>(cloths.touched().raw);
    std::array<std::uint32_t, CLOTH_BITS> first;
    first.fill(none);
    for (std::uint32_t b = 1; b < world.bodies.record.size(); ++b)
        for (std::uint32_t k = 0; touched[b] && movable(b) && k < CLOTH_BITS; ++k)
            if (touched[b] >> k & 1u) {
                if (first[k] == none) first[k] = b;
                rigid::unite(parent.data(), b, first[k]);
            }
}
void CpuSimulation::Parts::sleep_cloths() {
    if (!cloths.may_sleep()) return;
    const auto* touched = static_cast<const std::uint32_t*>(cloths.touched().raw);
    std::uint32_t still_awake = 0;
    for (std::uint32_t b = 1; b < world.bodies.record.size(); ++b)
        if (touched[b] && movable(b)) still_awake |= touched[b];
    cloths.fall_asleep(world, still_awake);
}
void CpuSimulation::fetch_cloths() { parts_->cloths.fetch(parts_->world); }
ClothContacts CpuSimulation::cloth_contacts() const { return parts_->cloths.contacts(); }
Fabrics* CpuSimulation::fabrics() const { return parts_->cloths.fabrics(); }
void CpuSimulation::cloths_replaced() { parts_->cloths.replaced(); }

void CpuSimulation::step(float dt) {
    Parts& p = *parts_;
    p.counters.allocations = p.counters.iterations = 0;
    p.world.quarantined.clear();
    clear_events(p.world.events);
    p.world.callbacks.thrown = nullptr;
    p.broken.clear();
    p.end_unwanted();
    p.begin_cloths(dt);
    p.validate(StepPoint::begin);
    {
        StageTimer timer(p, WorldStage::bounds);
        p.update_bounds(dt);
    }
    {
        StageTimer timer(p, WorldStage::pairs);
        p.find_pairs();
    }
    p.validate(StepPoint::pairs);
    {
        StageTimer timer(p, WorldStage::narrow);
        p.make_manifolds(dt);
    }
    p.validate(StepPoint::narrow);
    {
        StageTimer timer(p, WorldStage::graph);
        p.update_graph();
    }
    p.validate(StepPoint::graph);
    if (!(dt > 0)) {
        p.tell_events();
        return;
    }
    if (p.world.settings.solver == Solver::impact) {
        StageTimer timer(p, WorldStage::solve);
        impacts().step(dt);
    } else {
        if (p.tells_hits) p.find_approaches();
        p.solve(dt);
        if (p.tells_hits) p.tell_hits();
        StageTimer timer(p, WorldStage::sweep);
        p.stop_fast_bodies();
    }
    {
        StageTimer timer(p, WorldStage::sleep);
        p.stir_touched(dt);
        p.rest_and_sleep(dt);
        p.sleep_cloths();
    }
    if (p.any_breaks) p.find_broken();
    p.tell_events();
    p.validate(StepPoint::end);
}

Impacts& CpuSimulation::impacts() {
    if (!parts_->impacts) parts_->impacts = std::make_unique<Impacts>(*parts_);
    return *parts_->impacts;
}

// reading ------------------------------------------------------------------------------------------------------------------

std::span<const Contact> CpuSimulation::contacts() const { return parts_->contacts; }
std::span<const std::uint8_t> CpuSimulation::contact_colours() const { return parts_->colour; }
std::uint64_t CpuSimulation::inside_sensors() const {
    const Parts& p = *parts_;
    std::uint64_t inside = 0;
    for (std::size_t c = 0; p.tells_touches && c < p.contacts.size(); ++c)
        inside += p.contacts[c].shape_a != none && (p.marks[c] & MARK_INSIDE);
    return inside;
}
std::optional<std::vector<std::uint32_t>> CpuSimulation::contacts_of(std::uint32_t body) const {
    std::vector<std::uint32_t> own;
    if (body < parts_->first_contact.size())
        parts_->each_contact(body, [&](std::uint32_t c) { own.push_back(c); });
    return own;
}
std::vector<TreeBox> CpuSimulation::tree() const {
    std::vector<TreeBox> boxes;
    if (parts_->world.settings.broad_phase != BroadPhase::tree) return boxes;
    for (const BoundsTree::Layer layer : {BoundsTree::fixed, BoundsTree::moving})
        for (const PackedTree& packed : parts_->tree.trees(layer))
            for (int level = 0; level < packed.height; ++level)
                for (std::uint32_t k = 0; k < packed.count[static_cast<std::size_t>(level)]; ++k)
                    if (const auto box =
                            around(packed.nodes[packed.first[static_cast<std::size_t>(level)] + k]))
                        boxes.push_back({box->first, box->second, level});
    return boxes;
}
const StepCounters& CpuSimulation::counters() const { return parts_->counters; }
std::array<double, world_stage_names.size()> CpuSimulation::stage_seconds() const { return parts_->seconds; }
void CpuSimulation::time_stages(bool on) {
    parts_->timing = on;
    parts_->seconds.fill(0);
}
DeviceState CpuSimulation::device_state() {
    const Bodies& bodies = parts_->world.bodies;
    return {bodies.position.data(), bodies.rotation.data(), bodies.motion.data(), nullptr,
            static_cast<std::uint32_t>(bodies.record.size())};
}
DeviceRequests CpuSimulation::request_memory(std::uint32_t room) {
    requests_.assign(room, {});
    request_count_ = 0;
    return {requests_.data(), &request_count_, room, nullptr};
}
std::vector<BodyRequest> CpuSimulation::requests() const {
    return {requests_.begin(), requests_.begin() + std::min(request_count_, request_room())};
}
void CpuSimulation::begin_read() {
    const Bodies& bodies = parts_->world.bodies;
    read_positions_.assign(bodies.position.begin(), bodies.position.end());
    read_rotations_.assign(bodies.rotation.begin(), bodies.rotation.end());
}
PoseRead CpuSimulation::end_read() { return {read_positions_, read_rotations_}; }

Crew& CpuSimulation::crew() { return parts_->crew; }

WorldMemory CpuSimulation::memory() const {
    const auto bytes = [](const auto& array) { return array.capacity() * sizeof(array[0]); };
    const Parts& p = *parts_;
    WorldMemory memory;
    memory.bodies = bytes(p.constants) + bytes(p.force) + bytes(p.kick) + bytes(p.free) + bytes(p.rest) +
                    bytes(p.awake) + bytes(p.colours) + bytes(p.island_next) + bytes(p.first_contact) +
                    bytes(p.parent) + bytes(p.least_rest) + bytes(p.swept) + bytes(p.stops) +
                    bytes(p.sweep_flags);
    memory.contacts = bytes(p.contacts) + bytes(p.links) + bytes(p.ends) + bytes(p.pair_kind) +
                      bytes(p.made) + bytes(p.points) + bytes(p.colour) + bytes(p.active) +
                      bytes(p.active_at) + bytes(p.changed_in);
    memory.cloths = p.cloths.memory();
    memory.joints = bytes(p.joint_records) + bytes(p.joint_limits);
    memory.broad_phase = p.tree.memory() + p.pairs.memory();
    memory.solver = bytes(p.slots) + bytes(p.blocks) + bytes(p.extras) + bytes(p.split) + bytes(p.push) +
                    bytes(p.sor_rows) + bytes(p.sor_change);
    if (p.impacts) memory.solver += p.impacts->memory();
    return memory;
}

} // namespace scree
