// SPDX-License-Identifier: MIT
// world.cpp — a World as a whole: construction, settings, the step, queries.

#include "scree/world.h"

#include "bytes/state_hash.h"
#include "rigid/quads.h"
#include "scree/error.h"
#include "world/checks.h"
#include "world/cloth.h"
#include "world/fields.h"
#include "world/ids.h"
#include "world/joints.h"
#include "world/mass_update.h"
#include "world/measure.h"
#include "world/requests.h"
#include "world/slots.h"
#include "world/snapshot.h"
#include "world/state.h"
#include "world/stepping.h"
#include "world/waking.h"
#include "world/warnings.h"

#include <fstream>
#include <limits>

namespace scree {

namespace {

WorldSettings checked(const WorldSettings& settings) {
    check(settings);
    return settings;
}

template <class T>
std::uint64_t bytes_of(const std::vector<T>& items) {
    return items.capacity() * sizeof(T);
}
std::uint64_t bytes_of(const Array<float>& items) { return items.capacity() * sizeof(float); }

/// Fetches after masses were computed: a centre of mass that moves may wake others.
void current(World::State& world) {
    update_masses(world);
    world.simulation->fetch();
    world.simulation->fetch_cloths();
}

} // namespace

World::World(const WorldSettings& settings, const Place& place)
    : state_(std::make_unique<State>(checked(settings), place)) {
    state_->tag = next_world_tag();
    add_world_body(state_->bodies);
}

World::World(Defaults, const Place& place) : World(WorldSettings{}, place) {}
World::World(std::unique_ptr<State> state) : state_(std::move(state)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const WorldSettings& World::settings() const { return state_->settings; }
const Place& World::place() const { return state_->place; }

void World::change_settings(const WorldSettings& settings) {
    check_not_called(*state_);
    if (state_->among_many)
        throw Error("the settings of many worlds are changed for all of them, by Worlds", "world");
    change_all_settings(*state_, settings);
}

Place place_for(const WorldSettings& settings, const Place& where) {
    const bool impact = settings.solver == Solver::impact;
    const Place place = where.decided(impact ? std::numeric_limits<std::size_t>::max() : World::gpu_from);
    if (impact && place.device() != "cpu")
        throw Error("Solver::impact runs on \"cpu\"; got \"" + place.device() + "\"", "device");
    return place;
}

void refuse_with_impacts(const WorldSettings& settings, std::string_view things) {
    if (settings.solver == Solver::impact)
        throw Error("Solver::impact does not support " + std::string(things), "solver");
}

void check_solver(const World::State& world, const WorldSettings& settings) {
    if (world.cloths.count && settings.solver != Solver::soft_step)
        throw Error("a world with cloth needs the soft step", "solver");
    if (settings.solver != Solver::impact) return;
    (void)place_for(settings, world.place);
    if (world.joints.count) refuse_with_impacts(settings, "joints");
    if (world.callbacks.pre_solve) refuse_with_impacts(settings, "a pre-solve function");
    for (const ShapeRecord& shape : world.shapes.record.all()) {
        if (!shape.alive) continue;
        if (shape.type == ShapeType::mesh) refuse_with_impacts(settings, "meshes");
        if (!(shape.definition.one_way == Vec3{})) refuse_with_impacts(settings, "one-way shapes");
    }
}

void change_all_settings(World::State& world, const WorldSettings& settings) {
    check(settings);
    check_solver(world, settings);
    const WorldSettings& old = world.settings;
    // wake all bodies: another gravity changes their balance, and without sleeping none may stay asleep
    const bool all_wake = settings.gravity != old.gravity || (old.sleeping && !settings.sleeping);
    world.simulation->settings_change();
    world.settings = settings;
    world.simulation->settings_changed();
    if (!all_wake) return;
    wake_cloths(world);
    for (std::uint32_t b = 1; b < world.bodies.record.size(); ++b)
        if (world.bodies.record[b].alive) wake_body(world, b);
}

void World::step(float dt) {
    check_step(dt, state_->settings.solver);
    check_no_query(*state_);
    if (state_->among_many)
        throw Error("a world among many is stepped with the others, by Worlds::step", "world");
    carry_out_requests(*this);
    update_masses(*state_);
    apply_custom_fields(*state_, dt);
    warn_of_mistakes(*state_, dt);
    state_->simulation->step(dt);
    end_step(*state_, dt);
    warn_of_step(*this);
    throw_of_callbacks(*state_);
}

void end_step(World::State& world, float dt) {
    tell_cloths(world);
    ++world.steps;
    world.callbacks.moved = false;
    world.queries.world_moved();
    world.cloth_queries.changed();
    world.time += double{dt};
    remove_broken(world);
}

std::uint64_t World::steps_done() const { return state_->steps; }
double World::time() const { return state_->time; }

std::uint32_t World::body_count() const { return state_->bodies.count; }
std::uint32_t World::shape_count() const { return state_->shapes.count; }
std::uint32_t World::joint_count() const { return state_->joints.count; }

std::vector<BodyId> World::bodies() const {
    std::vector<BodyId> ids;
    ids.reserve(state_->bodies.count);
    for (std::uint32_t b = 1; b < state_->bodies.record.size(); ++b)
        if (state_->bodies.record[b].alive) ids.push_back({b, state_->bodies.record[b].generation});
    return ids;
}

std::span<const float> World::positions() const {
    update_masses(*state_);
    const std::span<const float> read = state_->simulation->read_poses(PoseArray::position);
    return read.empty() ? std::span<const float>(state_->bodies.position) : read;
}
std::span<const float> World::rotations() const {
    const std::span<const float> read = state_->simulation->read_poses(PoseArray::rotation);
    return read.empty() ? std::span<const float>(state_->bodies.rotation) : read;
}

DeviceState World::device_state() const {
    update_masses(*state_);
    return state_->simulation->device_state();
}
void World::begin_read() {
    update_masses(*state_);
    state_->simulation->begin_read();
}
PoseRead World::end_read() { return state_->simulation->end_read(); }

std::vector<ContactInfo> World::contacts() const {
    current(*state_);
    return touching_pairs(*state_);
}
std::vector<TreeBox> World::tree() const { return state_->simulation->tree(); }
std::span<const BodyId> World::quarantined() const {
    state_->simulation->fetch();
    return state_->quarantined;
}
WorldMeasure World::measure() const {
    current(*state_);
    return measure_world(*state_);
}

StepCounters World::counters() const { return state_->simulation->counters(); }
void World::time_stages(bool on) { state_->simulation->time_stages(on); }
std::array<double, world_stage_names.size()> World::stage_seconds() const {
    return state_->simulation->stage_seconds();
}

WorldMemory World::memory() const {
    WorldMemory memory = state_->simulation->memory();
    const Bodies& bodies = state_->bodies;
    memory.bodies += bytes_of(bodies.record.all()) + bytes_of(bodies.sleep_time) + bytes_of(bodies.position) +
                     bytes_of(bodies.rotation) + bytes_of(bodies.motion) + bytes_of(bodies.inverse_mass) +
                     bytes_of(bodies.carry) + bytes_of(bodies.free);
    const Shapes& shapes = state_->shapes;
    memory.shapes += bytes_of(shapes.record.all()) + bytes_of(shapes.pose) + bytes_of(shapes.size.all()) +
                     bytes_of(shapes.bounds) + bytes_of(shapes.fat) + bytes_of(shapes.material.all()) +
                     bytes_of(shapes.free);
    memory.joints += bytes_of(state_->joints.record) + bytes_of(state_->joints.free);
    return memory;
}

WorldTraffic World::traffic() const { return state_->simulation->traffic(); }

std::uint64_t World::hash() const {
    current(*state_);
    const Bodies& bodies = state_->bodies;
    StateHash hash;
    for (std::uint32_t b = 1; b < bodies.record.size(); ++b) {
        if (!bodies.record[b].alive) continue;
        hash.add(b);
        const Quat q = rotation_of(bodies, b);
        for (const Vec3& v :
             {centre_of(bodies, b), Vec3{q.x, q.y, q.z}, velocity_of(bodies, b), spin_of(bodies, b)})
            for (const float number : {v.x, v.y, v.z}) hash.add(number);
        hash.add(q.s);
        for (std::size_t k = 0; k < 4 * CARRY_QUADS; ++k) hash.add(bodies.carry[4 * CARRY_QUADS * b + k]);
    }
    for (std::uint32_t c = 0; c < state_->cloths.record.size(); ++c) {
        const ClothRecord& cloth = state_->cloths.record[c];
        if (!cloth.alive) continue;
        hash.add(c);
        for (const float number : cloth.position) hash.add(number);
        for (const float number : cloth.velocity) hash.add(number);
    }
    return hash.value();
}

// snapshots ----------------------------------------------------------------------------------------------------------

std::vector<std::byte> World::save() const {
    check_not_called(*state_); // amid a step
    current(*state_);
    return encode_snapshot(*state_);
}

void World::save(const std::string& file) const {
    const std::vector<std::byte> bytes = save();
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) throw Error("the snapshot could not be written", file);
}

World World::restore(std::span<const std::byte> snapshot, const Place& place) {
    return World(decode_snapshot(snapshot, place));
}

World World::restore_file(const std::string& file, const Place& place) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : -1;
    if (size < 0) throw Error("the snapshot could not be opened", file);
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    in.seekg(0);
    in.read(reinterpret_cast<char*>(bytes.data()), size);
    if (!in) throw Error("the snapshot could not be read", file);
    return restore(bytes, place);
}

} // namespace scree
