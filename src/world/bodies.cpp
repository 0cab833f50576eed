// SPDX-License-Identifier: MIT
// bodies.cpp — bodies of a World: creation, destruction, state, mass, forces.

#include "rigid/quads.h"
#include "scree/error.h"
#include "scree/world.h"
#include "world/checks.h"
#include "world/cloth.h"
#include "world/ids.h"
#include "world/mass_update.h"
#include "world/removal.h"
#include "world/slots.h"
#include "world/state.h"
#include "world/waking.h"

#include <algorithm>

namespace scree {

namespace {

std::uint32_t index_of(const World::State& world, BodyId id) {
    if (id.index == 0) throw Error("body 0 is the world itself, which no id names", "body");
    return checked_index(id, world.bodies.record.all(), world.tag, "body");
}

bool acts(const World::State& world, std::uint32_t body) {
    return world.bodies.record[body].type == BodyType::dynamic && !world.bodies.record[body].frozen;
}

/// The body, fetched, if forces act on it. Throws Error for a point that is not finite.
std::optional<std::uint32_t> fetch_pushed(World::State& world, BodyId id, const DVec3& point = {}) {
    check_finite(point, "point");
    const std::uint32_t b = index_of(world, id);
    world.simulation->fetch_body(b);
    return acts(world, b) ? std::optional(b) : std::nullopt;
}

Vec3 unlocked(const Vec3& v, bool x, bool y, bool z) { return {x ? 0 : v.x, y ? 0 : v.y, z ? 0 : v.z}; }

/// Without the directions that are locked; a fixed body has none.
void put_velocity(World::State& world, std::uint32_t body, const Vec3& velocity, const Vec3& spin) {
    const BodyRecord& record = world.bodies.record[body];
    const Locks& lock = record.locks;
    const bool fixed = record.type == BodyType::fixed || record.frozen;
    write_vector(world.bodies.motion, 4 * std::size_t{body},
                 fixed ? Vec3{} : unlocked(velocity, lock.x, lock.y, lock.z));
    write_vector(world.bodies.motion, 4 * std::size_t{body} + 1,
                 fixed ? Vec3{} : unlocked(spin, lock.turn_x, lock.turn_y, lock.turn_z));
    std::fill_n(&world.bodies.carry[4 * (CARRY_QUADS * std::size_t{body} + CARRY_VELOCITY)], 8, 0.0f);
}

void change_velocity(World::State& world, std::uint32_t body, const Vec3& velocity, const Vec3& spin) {
    put_velocity(world, body, velocity, spin);
    world.simulation->velocity_set(body);
}

/// The spin that turns one rotation into the other in a number of substeps, the short way round. A substep adds h/2 w q to
/// the quaternion and makes it unit again, which turns by 2 atan(h |w| / 2).
Vec3 spin_between(const Quat& from, const Quat& to, float time, int substeps) {
    using namespace kernels;
    kernels::quat turn = quat_product(lane(to), lane(conjugate(from)));
    if (turn.s < 0) turn = make_quat(-turn.s, -turn.x, -turn.y, -turn.z);
    const real3 axis = make_real3(turn.x, turn.y, turn.z);
    const float sine_half = length3(axis);
    if (!(sine_half > 0)) return {};
    const auto parts = static_cast<float>(substeps);
    // half of what a substep turns; a half turn in one substep is beyond any spin
    const float part = least(arctangent2(sine_half, turn.s) / parts, 1.5f);
    return vec3(axis * (1 / sine_half) * (2 * parts * (sine(part) / cosine(part)) / time));
}

/// The world's arrays are fetched, here and in moment.
void add_impulse(World::State& world, std::uint32_t body, const Vec3& impulse, const Vec3& angular) {
    using namespace kernels;
    update_mass(world, body);
    const InverseMass inverse = inverse_mass_of(world, body);
    const Vec3 velocity = vec3(lane(velocity_of(world.bodies, body)) + lane(impulse) * inverse.mass);
    const Vec3 spin = vec3(lane(spin_of(world.bodies, body)) + mat3_times(inverse.inertia, lane(angular)));
    check_finite(velocity, "velocity");
    check_finite(spin, "angular_velocity");
    if (impulse == Vec3{} && angular == Vec3{}) return;
    wake_body(world, body);
    change_velocity(world, body, velocity, spin);
}

void add_force(World::State& world, std::uint32_t body, const Vec3& force, const Vec3& torque) {
    using namespace kernels;
    BodyRecord& record = world.bodies.record.edit(body);
    const Vec3 all_force = vec3(lane(record.force) + lane(force));
    const Vec3 all_torque = vec3(lane(record.torque) + lane(torque));
    check_finite(all_force, "force");
    check_finite(all_torque, "torque");
    if (force == Vec3{} && torque == Vec3{}) return;
    wake_body(world, body);
    record.force = all_force;
    record.torque = all_torque;
    world.simulation->force_added(body);
}

/// The torque of a push at a point: (point - centre) x push
Vec3 moment(World::State& world, std::uint32_t body, const DVec3& point, const Vec3& push) {
    using namespace kernels;
    update_mass(world, body);
    return vec3(cross3(lane(narrow(point - exact_centre_of(world.bodies, body))), lane(push)));
}

} // namespace

// making and end -----------------------------------------------------------------------------------------------------

BodyId World::create_body(const BodyDef& body) {
    check(body);
    check_no_query(*state_);
    State& world = *state_;
    Bodies& bodies = world.bodies;
    world.simulation->before_change();
    const std::uint32_t b = take_slot(bodies.record.edit(), bodies.free, world.tag, "bodies");
    clear_body_quads(bodies, b);
    BodyRecord& record = bodies.record.edit(b);
    record.type = body.type;
    record.can_sleep = body.can_sleep;
    record.bullet = body.bullet;
    record.sleep_events = body.sleep_events;
    record.told_asleep = body.sleep_events && body.type == BodyType::dynamic && !body.awake;
    record.locks = body.locks;
    record.linear_damping = body.linear_damping;
    record.angular_damping = body.angular_damping;
    record.gravity_scale = body.gravity_scale;
    record.max_speed = body.max_speed;
    record.max_angular_speed = body.max_angular_speed;
    record.user_data = body.user_data;
    record.mass = body.mass ? *body.mass : total_mass(world, b);
    record.mass_given = body.mass.has_value();
    put_pose(world, b, body.position, unit_rotation(body.rotation, "rotation"));
    put_velocity(world, b, body.velocity, body.angular_velocity);
    refresh_inverse_inertia(record);
    refresh_inverse_mass(world, b);
    ++bodies.count;
    if (!body.name.empty()) put_name(world, b, body.name);
    world.simulation->body_added(b);
    if (body.type == BodyType::dynamic && !body.awake) world.simulation->put_to_sleep(b);
    return {b, bodies.record[b].generation};
}

void World::destroy(BodyId body) {
    State& world = *state_;
    check_no_query(world);
    const std::uint32_t b = index_of(world, body);
    while (world.bodies.record[b].first_joint != none)
        remove_joint(world, world.bodies.record[b].first_joint);
    while (world.bodies.record[b].first_shape != none)
        remove_shape(world, world.bodies.record[b].first_shape);
    put_name(world, b, {});
    body_changed_for_cloths(world, b, true);
    stir_cloths(world, b);
    world.simulation->body_removed(b);
    free_slot(world.bodies.record.edit(), world.bodies.free, b);
    --world.bodies.count;
}

bool World::alive(BodyId body) const {
    return body.index != 0 && names_living(body, state_->bodies.record.all());
}

// state --------------------------------------------------------------------------------------------------------------

BodyState World::state(BodyId body) const {
    const std::uint32_t b = index_of(*state_, body);
    update_mass(*state_, b); // may wake it
    state_->simulation->read_body(b);
    const Bodies& bodies = state_->bodies;
    return {narrow(origin_of(*state_, b)), rotation_of(bodies, b), centre_of(bodies, b),
            velocity_of(bodies, b),        spin_of(bodies, b),     bodies.record[b].asleep,
            bodies.record[b].frozen};
}

DVec3 World::position(BodyId body) const {
    const std::uint32_t b = index_of(*state_, body);
    state_->simulation->fetch_body(b);
    update_mass(*state_, b);
    return origin_of(*state_, b);
}

BodyType World::type(BodyId body) const { return state_->bodies.record[index_of(*state_, body)].type; }

void World::set_type(BodyId body, BodyType type) {
    check(type);
    State& world = *state_;
    check_no_query(world);
    const std::uint32_t b = index_of(world, body);
    BodyRecord& record = world.bodies.record.edit(b);
    world.simulation->fetch_body(b);
    if (record.type == type && !record.frozen) return;
    update_mass(world, b);
    for (std::uint32_t s = record.first_shape; s != none; s = world.shapes.record[s].next) {
        const ShapeType shape = world.shapes.record[s].type;
        if (shape == ShapeType::plane && type != BodyType::fixed)
            throw Error("body " + std::to_string(b) + " has a plane, shape " + std::to_string(s) +
                            "; a body with planes is fixed",
                        "type");
        if (shape == ShapeType::mesh && type == BodyType::dynamic)
            throw Error("body " + std::to_string(b) + " has a mesh, shape " + std::to_string(s) +
                            "; a body with meshes is fixed or kinematic",
                        "type");
    }
    wake_body(world, b);
    // the wake goes over now, where it changes anything: a fetch further down would bring back that the body is frozen
    world.simulation->fetch_body(b);
    const BodyType before = record.type;
    record.type = type;
    MassProperties mass;
    try {
        mass = total_mass(world, b);
    } catch (...) {
        record.type = before;
        throw;
    }
    record.frozen = false;
    world.bodies.sleep_time[b] = 0;
    record.force = record.torque = {};
    put_mass(world, b, mass);
    world.simulation->force_added(b);
    change_velocity(world, b, velocity_of(world.bodies, b), spin_of(world.bodies, b));
    world.simulation->type_changed(b);
    body_changed_for_cloths(world, b, false);
    stir_cloths(world, b);
    world.queries.body_changed(world, b);
}

void World::set_pose(BodyId body, DVec3 position, Quat rotation) {
    check_finite(position, "position");
    const Quat unit = unit_rotation(rotation, "rotation");
    State& world = *state_;
    check_no_query(world);
    const std::uint32_t b = index_of(world, body);
    world.simulation->fetch_body(b);
    update_mass(world, b);
    wake_body(world, b);
    put_pose(world, b, position, unit);
    refresh_inverse_mass(world, b);
    world.simulation->body_moved(b);
    stir_cloths(world, b);
    world.queries.body_changed(world, b);
}

void World::set_velocity(BodyId body, Vec3 velocity, Vec3 angular_velocity) {
    check_not_called(*state_);
    check_finite(velocity, "velocity");
    check_finite(angular_velocity, "angular_velocity");
    const std::uint32_t b = index_of(*state_, body);
    state_->simulation->fetch_body(b);
    if (velocity != Vec3{} || angular_velocity != Vec3{}) wake_body(*state_, b);
    change_velocity(*state_, b, velocity, angular_velocity);
}

void World::set_target(BodyId body, DVec3 position, Quat rotation, float dt) {
    check_not_called(*state_);
    using namespace kernels;
    check_finite(position, "position");
    const Quat unit = unit_rotation(rotation, "rotation");
    check_positive(dt, "dt");
    State& world = *state_;
    const std::uint32_t b = index_of(world, body);
    if (world.bodies.record[b].type != BodyType::kinematic)
        throw Error("body " + std::to_string(b) + " is not kinematic; only kinematic bodies follow a target",
                    "body");
    world.simulation->fetch_body(b);
    const DVec3 centre =
        position + wide(vec3(mat3_times(quat_matrix(lane(unit)), lane(world.bodies.record[b].mass.centre))));
    const Vec3 way = narrow(centre - exact_centre_of(world.bodies, b));
    const Vec3 velocity{way.x / dt, way.y / dt, way.z / dt};
    const Vec3 spin = spin_between(rotation_of(world.bodies, b), unit, dt, world.settings.substeps);
    // a time too short for the way
    check_finite(velocity, "velocity");
    check_finite(spin, "angular_velocity");
    change_velocity(world, b, velocity, spin);
}

void World::set_damping(BodyId body, float linear, float angular) {
    check_not_called(*state_);
    check_not_negative(linear, "linear_damping");
    check_not_negative(angular, "angular_damping");
    const std::uint32_t b = index_of(*state_, body);
    state_->bodies.record.edit(b).linear_damping = linear;
    state_->bodies.record.edit(b).angular_damping = angular;
    state_->simulation->body_changed(b, false);
}

void World::set_gravity_scale(BodyId body, float scale) {
    check_not_called(*state_);
    check_finite(scale, "gravity_scale");
    const std::uint32_t b = index_of(*state_, body);
    if (state_->bodies.record[b].gravity_scale == scale) return;
    state_->bodies.record.edit(b).gravity_scale = scale;
    wake_body(*state_, b);
    state_->simulation->body_changed(b, false);
}

bool World::bullet(BodyId body) const { return state_->bodies.record[index_of(*state_, body)].bullet; }

void World::set_bullet(BodyId body, bool bullet) {
    const std::uint32_t b = index_of(*state_, body);
    state_->bodies.record.edit(b).bullet = bullet;
    state_->simulation->body_changed(b, false);
}

void World::set_locks(BodyId body, Locks locks) {
    check_not_called(*state_);
    State& world = *state_;
    const std::uint32_t b = index_of(world, body);
    if (world.bodies.record[b].locks == locks) return;
    world.simulation->fetch_body(b);
    update_mass(world, b);
    wake_body(world, b);
    world.bodies.record.edit(b).locks = locks;
    change_velocity(world, b, velocity_of(world.bodies, b), spin_of(world.bodies, b));
    refresh_inverse_mass(world, b);
    world.simulation->body_changed(b, true);
}

void World::wake(BodyId body) {
    check_not_called(*state_);
    wake_body(*state_, index_of(*state_, body));
}

void World::put_to_sleep(BodyId body) {
    check_not_called(*state_);
    const std::uint32_t b = index_of(*state_, body);
    state_->simulation->fetch_body(b);
    BodyRecord& record = state_->bodies.record.edit(b);
    if (!acts(*state_, b) || record.asleep) return;
    // forces act in the next step, in which it sleeps
    record.force = record.torque = {};
    state_->simulation->force_added(b);
    state_->simulation->put_to_sleep(b);
}

std::string World::name(BodyId body) const {
    const std::uint32_t b = index_of(*state_, body);
    if (!state_->names) return {};
    const auto at = state_->names->of.find(b);
    return at == state_->names->of.end() ? std::string{} : at->second;
}

void World::set_name(BodyId body, const std::string& name) {
    check_not_called(*state_);
    put_name(*state_, index_of(*state_, body), name);
}

std::optional<BodyId> World::find(const std::string& name) const {
    if (!state_->names || name.empty()) return {};
    const auto at = state_->names->bodies.lower_bound({name, 0});
    if (at == state_->names->bodies.end() || at->first != name) return {};
    return BodyId{at->second, state_->bodies.record[at->second].generation};
}

std::uint64_t World::user_data(BodyId body) const {
    return state_->bodies.record[index_of(*state_, body)].user_data;
}

std::vector<ShapeId> World::shapes(BodyId body) const {
    std::vector<ShapeId> ids;
    const std::vector<ShapeRecord>& records = state_->shapes.record.all();
    for (std::uint32_t s = state_->bodies.record[index_of(*state_, body)].first_shape; s != none;
         s = records[s].next)
        ids.push_back({s, records[s].generation});
    std::reverse(ids.begin(), ids.end()); // in the order they came
    return ids;
}

// mass ---------------------------------------------------------------------------------------------------------------

void World::set_mass(BodyId body, const std::optional<MassProperties>& mass) {
    check_not_called(*state_);
    if (mass) check(*mass);
    State& world = *state_;
    const std::uint32_t b = index_of(world, body);
    world.simulation->fetch_body(b);
    BodyRecord& record = world.bodies.record.edit(b);
    const bool given_before = record.mass_given;
    record.mass_given = false;
    MassProperties next;
    try {
        next = mass ? *mass : total_mass(world, b);
    } catch (...) {
        record.mass_given = given_before;
        throw;
    }
    record.mass_given = mass.has_value();
    wake_body(world, b);
    put_mass(world, b, next);
}

MassProperties World::mass(BodyId body) const {
    const std::uint32_t b = index_of(*state_, body);
    update_mass(*state_, b);
    return state_->bodies.record[b].mass;
}

// forces -------------------------------------------------------------------------------------------------------------

void World::apply_force(BodyId body, Vec3 force) {
    check_not_called(*state_);
    check_finite(force, "force");
    const std::uint32_t b = index_of(*state_, body);
    if (acts(*state_, b)) add_force(*state_, b, force, {});
}
void World::apply_force(BodyId body, Vec3 force, DVec3 point) {
    check_not_called(*state_);
    check_finite(force, "force");
    if (const auto b = fetch_pushed(*state_, body, point))
        add_force(*state_, *b, force, moment(*state_, *b, point, force));
}
void World::apply_torque(BodyId body, Vec3 torque) {
    check_not_called(*state_);
    check_finite(torque, "torque");
    const std::uint32_t b = index_of(*state_, body);
    if (acts(*state_, b)) add_force(*state_, b, {}, torque);
}
void World::apply_impulse(BodyId body, Vec3 impulse) {
    check_not_called(*state_);
    check_finite(impulse, "impulse");
    if (const auto b = fetch_pushed(*state_, body)) add_impulse(*state_, *b, impulse, {});
}
void World::apply_impulse(BodyId body, Vec3 impulse, DVec3 point) {
    check_not_called(*state_);
    check_finite(impulse, "impulse");
    if (const auto b = fetch_pushed(*state_, body, point))
        add_impulse(*state_, *b, impulse, moment(*state_, *b, point, impulse));
}
void World::apply_angular_impulse(BodyId body, Vec3 impulse) {
    check_not_called(*state_);
    check_finite(impulse, "impulse");
    if (const auto b = fetch_pushed(*state_, body)) add_impulse(*state_, *b, {}, impulse);
}

} // namespace scree
