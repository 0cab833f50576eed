// SPDX-License-Identifier: MIT
// world.cpp — GranularWorld: the host's state, and its transfers to and from the device.

#include "bytes/state_hash.h"
#include "device/opened.h"
#include "granular/arrays.h"
#include "granular/checks.h"
#include "granular/measure.h"
#include "granular/snapshot.h"
#include "scree/error.h"
#include "text/checks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace scree {

namespace {

/// Steps between two looks at the bodies' bounds (to fit the grid) and at whether all of them sleep.
constexpr std::uint64_t survey_interval = 32;

constexpr std::uint64_t most_particles = 1u << 28; // four words a particle, and twelve springs, fit 32 bits

/// L = R I R^T w
Vec3 angular_momentum(const Quat& rotation, const Vec3& moments, const Vec3& omega) {
    using namespace kernels;
    const quat q = make_quat(rotation.s, rotation.x, rotation.y, rotation.z);
    const real3 l = rotated_diagonal_times(quat_matrix(q), {moments.x, moments.y, moments.z},
                                           {omega.x, omega.y, omega.z});
    return {l.x, l.y, l.z};
}

/// The longest stable step: a fraction of the shortest period a body can have with all its particles in contact.
double stable_step(const GranularSettings& s, const GranularShape& shape, float mass) {
    double surface = 0;
    for (const ShapeParticle& particle : shape.particles) surface += particle.outward != Vec3{};
    const double contacts = std::max(12.0, 2 * surface);
    const double springs = 0.75 / std::sqrt(contacts * s.stiffness / mass);
    const double dampers = s.damping > 0 ? mass / (contacts * s.damping) : springs;
    return std::min(springs, dampers);
}

} // namespace

struct GranularWorld::State {
    State(const GranularSettings& s, const Place& where)
        : settings(s),
          place(where.decided(gpu_from)),
          arrays(place.opened().queue(), place.options().memory, s) {}

    GranularSettings settings;
    Place place; ///< decided
    GranularArrays arrays;
    std::vector<GranularShape> shapes;
    std::vector<Obstacle> obstacles;
    GranularBodies bodies;
    std::uint64_t steps = 0;
    std::uint64_t steps_before = 0; ///< taken with other time steps
    double time_before = 0;         ///< s that they made
    int substeps = 1;
    bool host_newer = true;    ///< upload before the next step
    bool device_newer = false; ///< download before the next look
    bool resting = false;      ///< every body sleeps: a step changes nothing

    void to_host() {
        if (!device_newer) return;
        arrays.download(bodies);
        arrays.download_obstacles(obstacles);
        device_newer = false;
    }
    void to_device() {
        if (!host_newer) return;
        to_host();
        substeps = chosen_substeps();
        give_slots();
        arrays.upload(shapes, bodies, obstacles, substeps);
        host_newer = false;
        resting = false;
    }
    /// something was added: sleeping bodies sleep on until they are touched
    void grown() {
        to_host();
        host_newer = true;
    }
    /// the user changed something: wake all bodies, which may rest on it
    void changed() {
        grown();
        for (float& rest : bodies.rest)
            if (rest > 0) rest = 0;
    }
    /// Places on the device for new bodies: by the cell they are in, in the grid's order, so that bodies near in
    /// space are near in memory. In reference mode in the order of Fossum 2011, which decides the slots of a cell.
    void give_slots() {
        const auto first_new = static_cast<std::uint32_t>(bodies.slots.size());
        const auto count = static_cast<std::uint32_t>(bodies.state.size());
        bodies.slots.resize(count);
        std::iota(bodies.slots.begin() + first_new, bodies.slots.end(), first_new);
        if (settings.mode != GranularMode::reference) {
            float largest = 0;
            for (const GranularShape& shape : shapes)
                for (const ShapeParticle& particle : shape.particles)
                    largest = std::max(largest, particle.radius);
            const float cell = std::max(2 * largest, 1e-20f);
            const auto cell_of = [&](std::uint32_t b) {
                const Vec3& x = bodies.state[b].position;
                return std::tuple{std::floor(x.x / cell), std::floor(x.y / cell), std::floor(x.z / cell), b};
            };
            std::sort(bodies.slots.begin() + first_new, bodies.slots.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return cell_of(a) < cell_of(b); });
        }
        std::uint32_t next = 0;
        for (std::uint32_t slot = 0; slot < first_new; ++slot) next += particles_of(bodies.slots[slot]);
        bodies.first_particle.resize(count);
        for (std::uint32_t slot = first_new; slot < count; ++slot) {
            bodies.first_particle[bodies.slots[slot]] = next;
            next += particles_of(bodies.slots[slot]);
        }
    }
    std::uint32_t particles_of(std::uint32_t body) const {
        return static_cast<std::uint32_t>(shapes[bodies.state[body].shape].particles.size());
    }
    int chosen_substeps() const {
        if (settings.substeps != 0) return settings.substeps;
        if (settings.mode == GranularMode::reference) return 1;
        // lightest body of each shape
        std::vector<float> lightest(shapes.size(), 0);
        for (const GranularBodyState& body : bodies.state) {
            float& mass = lightest[body.shape];
            if (mass == 0 || body.mass < mass) mass = body.mass;
        }
        double step = settings.time_step;
        for (std::size_t k = 0; k < shapes.size(); ++k)
            if (lightest[k] > 0) step = std::min(step, stable_step(settings, shapes[k], lightest[k]));
        return static_cast<int>(std::min(10000.0, std::ceil(settings.time_step / step - 1e-3)));
    }
    GranularBodyState state_of(const GranularBodyDef& def) const {
        GranularBodyState body;
        body.position = def.position;
        body.rotation = unit_rotation(def.rotation, "rotation");
        body.momentum = def.velocity * def.mass;
        body.angular_velocity = def.angular_velocity;
        body.angular_momentum =
            angular_momentum(body.rotation, shapes[def.shape].unit_inertia * def.mass, def.angular_velocity);
        body.mass = def.mass;
        body.shape = def.shape;
        return body;
    }
};

GranularWorld::GranularWorld(const GranularSettings& settings, const Place& place) {
    check(settings);
    state_ = std::make_unique<State>(settings, place);
}
GranularWorld::GranularWorld(Defaults, const Place& place) : GranularWorld(GranularSettings{}, place) {}

GranularWorld::~GranularWorld() = default;
GranularWorld::GranularWorld(GranularWorld&&) noexcept = default;
GranularWorld& GranularWorld::operator=(GranularWorld&&) noexcept = default;

const GranularSettings& GranularWorld::settings() const { return state_->settings; }
const Place& GranularWorld::place() const { return state_->place; }
Device& GranularWorld::device() const { return state_->arrays.device(); }

void GranularWorld::change_settings(const GranularSettings& settings) {
    check(settings);
    for (const GranularShape& shape : state_->shapes) check(shape, settings);
    const double now = time();
    state_->changed();
    state_->settings = settings;
    state_->steps_before = state_->steps;
    state_->time_before = now;
    state_->arrays.change_settings(settings);
}

std::uint32_t GranularWorld::add_shape(GranularShape shape) {
    check(shape, state_->settings);
    state_->grown();
    state_->shapes.push_back(std::move(shape));
    return static_cast<std::uint32_t>(state_->shapes.size() - 1);
}

const GranularShape& GranularWorld::shape(std::uint32_t index) const {
    if (index >= state_->shapes.size())
        throw Error(std::to_string(index) + " is not a shape of this world", "shape");
    return state_->shapes[index];
}

std::uint32_t GranularWorld::shape_count() const { return static_cast<std::uint32_t>(state_->shapes.size()); }

std::uint32_t GranularWorld::create_body(const GranularBodyDef& def) {
    check(def, state_->shapes.size());
    GranularBodies& bodies = state_->bodies;
    const std::uint64_t particles =
        std::uint64_t{bodies.particles} + state_->shapes[def.shape].particles.size();
    if (particles > most_particles)
        throw Error(std::to_string(particles) + " particles are too many; at most " +
                        std::to_string(most_particles) + " are possible",
                    "bodies");
    state_->grown();
    bodies.state.push_back(state_->state_of(def));
    bodies.rest.push_back(0);
    bodies.particles = static_cast<std::uint32_t>(particles);
    return static_cast<std::uint32_t>(bodies.state.size() - 1);
}

std::uint32_t GranularWorld::add_obstacle(const Obstacle& obstacle) {
    constexpr std::size_t most_obstacles = 2048;
    check(obstacle);
    if (state_->obstacles.size() == most_obstacles)
        throw Error(std::to_string(most_obstacles + 1) + " obstacles are too many; at most " +
                        std::to_string(most_obstacles) + " are possible",
                    "obstacles");
    state_->changed();
    state_->obstacles.push_back(obstacle);
    state_->obstacles.back().rotation = unit_rotation(obstacle.rotation, "rotation");
    return static_cast<std::uint32_t>(state_->obstacles.size() - 1);
}

void GranularWorld::set_body(std::uint32_t index, const GranularBodyDef& def) {
    if (index >= state_->bodies.state.size())
        throw Error(std::to_string(index) + " is not a body of this world", "body");
    check(def, state_->shapes.size());
    if (def.shape != state_->bodies.state[index].shape)
        throw Error("invalid value " + std::to_string(def.shape) + ": expected the body's own shape, " +
                        std::to_string(state_->bodies.state[index].shape),
                    "shape");
    state_->changed();
    state_->bodies.state[index] = state_->state_of(def);
    state_->bodies.rest[index] = 0;
}

void GranularWorld::set_obstacle(std::uint32_t index, const Obstacle& obstacle) {
    if (index >= state_->obstacles.size())
        throw Error(std::to_string(index) + " is not an obstacle of this world", "obstacle");
    check(obstacle);
    state_->changed();
    state_->obstacles[index] = obstacle;
    state_->obstacles[index].rotation = unit_rotation(obstacle.rotation, "rotation");
}

std::uint32_t GranularWorld::body_count() const {
    return static_cast<std::uint32_t>(state_->bodies.state.size());
}
std::uint32_t GranularWorld::particle_count() const { return state_->bodies.particles; }
std::uint64_t GranularWorld::steps_done() const { return state_->steps; }
double GranularWorld::time() const {
    return state_->time_before +
           static_cast<double>(state_->steps - state_->steps_before) * double{state_->settings.time_step};
}

int GranularWorld::substeps() const {
    return state_->host_newer ? state_->chosen_substeps() : state_->substeps;
}

void GranularWorld::step(int count) {
    if (count < 0)
        throw Error("invalid value " + std::to_string(count) + ": expected an integer of at least 0",
                    "step count");
    if (count == 0) return;
    state_->to_device();
    for (int k = 0; k < count; ++k) {
        if (state_->steps % survey_interval == survey_interval - 1) state_->resting = state_->arrays.survey();
        if (!state_->resting)
            for (int s = 0; s < state_->substeps; ++s) state_->arrays.run_substep();
        ++state_->steps;
    }
    state_->device_newer = true;
}

void GranularWorld::write_poses(SharedPoses& to, std::span<const Pose> fixtures) const {
    state_->to_device();
    std::vector<Obstacle> obstacles = state_->obstacles;
    if (state_->device_newer && !obstacles.empty()) state_->arrays.download_obstacles(obstacles);
    std::vector<Pose> all;
    all.reserve(obstacles.size() + fixtures.size());
    for (const Obstacle& obstacle : obstacles) all.push_back({obstacle.position, obstacle.rotation});
    all.insert(all.end(), fixtures.begin(), fixtures.end());
    state_->arrays.write_poses(state_->bodies, all, to);
}

std::span<const GranularBodyState> GranularWorld::bodies() const {
    state_->to_host();
    return state_->bodies.state;
}

std::vector<ParticleState> GranularWorld::particles() const {
    using namespace kernels;
    state_->to_host();
    std::vector<ParticleState> particles;
    particles.reserve(state_->bodies.particles);
    for (std::uint32_t b = 0; b < body_count(); ++b) {
        const GranularBodyState& body = state_->bodies.state[b];
        const quat q = make_quat(body.rotation.s, body.rotation.x, body.rotation.y, body.rotation.z);
        const Vec3 v = body.momentum * (1.0f / body.mass);
        for (const ShapeParticle& of_shape : state_->shapes[body.shape].particles) {
            const GranularParticle a =
                granular_particle({body.position.x, body.position.y, body.position.z}, q, {v.x, v.y, v.z},
                                  {body.angular_velocity.x, body.angular_velocity.y, body.angular_velocity.z},
                                  {of_shape.offset.x, of_shape.offset.y, of_shape.offset.z});
            particles.push_back({{a.position.x, a.position.y, a.position.z},
                                 {a.velocity.x, a.velocity.y, a.velocity.z},
                                 of_shape.radius,
                                 b});
        }
    }
    return particles;
}

std::vector<Vec3> GranularWorld::particle_forces() const {
    state_->to_device();
    const std::vector<Vec3> by_slot = state_->arrays.download_forces();
    std::vector<Vec3> forces;
    forces.reserve(by_slot.size());
    for (std::uint32_t b = 0; b < body_count(); ++b) {
        const auto first = by_slot.begin() + state_->bodies.first_particle[b];
        forces.insert(forces.end(), first, first + state_->particles_of(b));
    }
    return forces;
}

std::vector<Obstacle> GranularWorld::obstacles() const {
    state_->to_host();
    return state_->obstacles;
}

std::vector<std::byte> GranularWorld::save() const {
    state_->to_host();
    return encode_granular({state_->settings, state_->shapes, state_->obstacles, state_->bodies,
                            state_->arrays.springs(), state_->steps, state_->steps_before,
                            state_->time_before});
}

void GranularWorld::restore(std::span<const std::byte> saved) {
    GranularSnapshot kept = decode_granular(saved);
    state_->settings = kept.settings;
    state_->arrays.change_settings(kept.settings);
    state_->shapes = std::move(kept.shapes);
    state_->obstacles = std::move(kept.obstacles);
    state_->bodies = std::move(kept.bodies);
    state_->steps = kept.steps;
    state_->steps_before = kept.steps_before;
    state_->time_before = kept.time_before;
    state_->arrays.put_springs(kept.springs);
    state_->device_newer = false; // what it holds is not wanted any more
    state_->host_newer = true;
}

std::uint64_t GranularWorld::hash() const {
    state_->to_host();
    StateHash hash;
    for (const GranularBodyState& body : state_->bodies.state) {
        const float words[] = {body.position.x,        body.position.y,         body.position.z,
                               body.rotation.s,        body.rotation.x,         body.rotation.y,
                               body.rotation.z,        body.momentum.x,         body.momentum.y,
                               body.momentum.z,        body.angular_momentum.x, body.angular_momentum.y,
                               body.angular_momentum.z};
        for (const float word : words) hash.add(word);
    }
    for (const Obstacle& obstacle : state_->obstacles) {
        for (const float word :
             {obstacle.position.x, obstacle.position.y, obstacle.position.z, obstacle.rotation.s,
              obstacle.rotation.x, obstacle.rotation.y, obstacle.rotation.z, obstacle.velocity.x,
              obstacle.velocity.y, obstacle.velocity.z, obstacle.angular_velocity.x,
              obstacle.angular_velocity.y, obstacle.angular_velocity.z})
            hash.add(word);
    }
    return hash.value();
}

GranularMeasure GranularWorld::measure() const {
    state_->to_device();
    state_->to_host();
    return measure_world(state_->arrays, state_->shapes, state_->bodies, state_->settings);
}

std::vector<std::array<std::uint32_t, 2>> GranularWorld::interlocked() const {
    state_->to_host();
    return interlocked_bodies(particles(), state_->shapes, state_->bodies);
}

std::uint64_t GranularWorld::memory() const {
    state_->to_device();
    return state_->arrays.bytes();
}

void GranularWorld::time_stages(bool on) { device().time_stages(on); }

std::array<double, granular_stage_names.size()> GranularWorld::stage_seconds() const {
    const auto all = device().stage_seconds();
    std::array<double, granular_stage_names.size()> stages{};
    std::copy_n(all.begin(), stages.size(), stages.begin());
    return stages;
}

} // namespace scree
