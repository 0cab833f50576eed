// SPDX-License-Identifier: MIT
// arrays.cpp — see arrays.h.

#include "granular/arrays.h"

#include "device/host_memory.h"
#include "granular/checks.h"
#include "scree/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace scree {

namespace {

using kernels::GranularParams;

float bits(std::uint32_t word) { return std::bit_cast<float>(word); }

std::uint32_t model_of(const GranularSettings& s) {
    if (s.mode == GranularMode::reference) return GRANULAR_LINEAR;
    switch (s.contact) {
    case ContactModel::linear:
        return GRANULAR_LINEAR;
    case ContactModel::split:
        return GRANULAR_SPLIT;
    case ContactModel::history:
        return GRANULAR_HISTORY;
    default:
        return GRANULAR_HERTZ;
    }
}

GranularParams params_of(const GranularSettings& s) {
    GranularParams p{};
    p.reference = s.mode == GranularMode::reference;
    p.brute = s.mode == GranularMode::brute;
    p.model = model_of(s);
    p.same_body_filter = !p.reference;
    p.unlock = s.unlock && !p.reference;
    p.sleeping = s.sleeping && !p.reference;
    p.memory_slots = p.model == GRANULAR_HISTORY ? static_cast<std::uint32_t>(s.contact_memory) : 0;
    p.stiffness = s.stiffness;
    p.damping = s.damping;
    p.tangent_damping = s.tangent_damping;
    p.tangent_stiffness = s.tangent_stiffness > 0 ? s.tangent_stiffness : s.stiffness * (2.0f / 3.0f);
    p.friction = s.friction;
    p.contact_epsilon = s.contact_epsilon;
    p.gravity_x = s.gravity.x;
    p.gravity_y = s.gravity.y;
    p.gravity_z = s.gravity.z;
    p.terminal_velocity = s.terminal_velocity;
    p.world_size = s.world_size;
    p.walls = s.walls;
    p.ground = s.ground;
    p.sleep_speed = s.sleep_speed;
    p.sleep_delay = s.sleep_delay;
    p.wake_speed = s.wake_speed;
    p.grid_min_x = s.grid_min.x;
    p.grid_min_y = s.grid_min.y;
    p.grid_min_z = s.grid_min.z;
    return p;
}

/// cells of the table in improved mode: enough that few particles share one by accident
std::uint64_t table_cells(std::uint64_t particles) {
    return std::max<std::uint64_t>(4096, particles + particles / 4);
}

/// where word w of an attribute of four words lies
std::size_t place4(std::size_t item, std::size_t w) { return 4 * item + w; }

int bit_width(std::uint32_t value) { return std::max(1, static_cast<int>(std::bit_width(value))); }

} // namespace

GranularArrays::GranularArrays(std::shared_ptr<Device> device, std::uint64_t most_memory,
                               const GranularSettings& settings)
    : device_(std::move(device)),
      most_memory_(most_memory),
      settings_(settings),
      params_(params_of(settings)) {}

GranularArrays::~GranularArrays() {
    for (Buffer& buffer : buffers_) device_->release(buffer);
    device_->release(instances_);
}

std::uint64_t GranularArrays::bytes() const {
    std::uint64_t total = instances_.bytes;
    for (const Buffer& buffer : buffers_) total += buffer.bytes;
    return total;
}

void GranularArrays::resize(Slot slot, std::size_t words) {
    Buffer& buffer = buffers_[slot];
    if (buffer.bytes == words * 4) return;
    device_->release(buffer);
    buffer = allocate(words * 4);
    device_->fill(buffer, 0, words);
}

void GranularArrays::put(Slot slot, const std::vector<float>& values) {
    resize(slot, values.size());
    device_->upload(buffers_[slot], values.data(), values.size() * 4);
}

void GranularArrays::put(Slot slot, const std::vector<std::uint32_t>& values) {
    resize(slot, values.size());
    device_->upload(buffers_[slot], values.data(), values.size() * 4);
}

std::vector<float> GranularArrays::get(Slot slot, std::size_t words) const {
    std::vector<float> values(words);
    device_->download(values.data(), buffers_[slot], words * 4);
    return values;
}

/// Systems overcommit memory and kill processes that use it; so check the host's memory first where the device shares it.
void GranularArrays::check_room(std::uint64_t bodies, std::uint64_t particles) const {
    if (!device_->report().name.starts_with("cpu")) return;
    constexpr std::uint64_t for_body = 84 + 80, for_particle = 73 + 4; // on the device, and on the way there
    const std::uint64_t springs = std::uint64_t{16} * params_.memory_slots,
                        lists = settings_.neighbour_skin == 0 ? 0 : 40;
    const std::uint64_t bytes = bodies * for_body + particles * (for_particle + 2 * springs + lists);
    if (bytes > host_memory())
        throw Error("a world of " + std::to_string(bodies) + " bodies and " + std::to_string(particles) +
                        " particles needs about " + std::to_string(bytes >> 30) + " GiB; this machine has " +
                        std::to_string(host_memory() >> 30),
                    "bodies");
}

void GranularArrays::upload(const std::vector<GranularShape>& shapes, const GranularBodies& bodies,
                            const std::vector<Obstacle>& obstacles, int substeps) {
    const std::uint32_t pad = device_->padding();
    const auto padded = [&](std::size_t count) {
        return static_cast<std::uint32_t>((count + pad - 1) / pad * pad + pad);
    };
    const auto body_count = static_cast<std::uint32_t>(bodies.state.size());
    GranularParams& p = params_;
    check_room(body_count, bodies.particles);
    instances_stale_ = true;

    // the springs of particles that stay
    std::vector<float> kept = springs();

    p.bodies = body_count;
    const std::size_t body_room = padded(body_count);
    p.particles = bodies.particles;
    const std::uint32_t particle_room = padded(bodies.particles);
    p.time_step = settings_.time_step / static_cast<float>(substeps);

    // shapes
    std::size_t shape_particles = 0;
    float largest = p.reference ? settings_.particle_radius : 0;
    reach_ = 0;
    for (const GranularShape& shape : shapes) {
        shape_particles += shape.particles.size();
        for (const ShapeParticle& particle : shape.particles) {
            largest = std::max(largest, particle.radius);
            reach_ = std::max(reach_, std::hypot(particle.offset.x, particle.offset.y, particle.offset.z) +
                                          particle.radius);
        }
    }
    std::vector<float> inertia(std::size_t{4} * padded(shapes.size())),
        offset(std::size_t{4} * padded(shape_particles)), outward(offset.size());
    std::vector<std::uint32_t> first(padded(shapes.size()));
    std::uint32_t entry = 0;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        const GranularShape& shape = shapes[k];
        first[k] = entry;
        const float words[4] = {1.0f / shape.unit_inertia.x, 1.0f / shape.unit_inertia.y,
                                1.0f / shape.unit_inertia.z,
                                bits(static_cast<std::uint32_t>(shape.particles.size()))};
        for (std::size_t w = 0; w < 4; ++w) inertia[place4(k, w)] = words[w];
        for (const ShapeParticle& particle : shape.particles) {
            const float at[4] = {particle.offset.x, particle.offset.y, particle.offset.z, particle.radius};
            const float out[4] = {particle.outward.x, particle.outward.y, particle.outward.z, 0};
            for (std::size_t w = 0; w < 4; ++w) {
                offset[place4(entry, w)] = at[w];
                outward[place4(entry, w)] = out[w];
            }
            ++entry;
        }
    }
    put(shape_inertia, inertia);
    put(shape_first, first);
    put(shape_offset, offset);
    put(shape_outward, outward);

    // bodies
    const std::size_t body_words = 4 * body_room;
    std::vector<float> position(body_words), rotation(body_words), momentum(body_words), spin(body_words),
        omega(body_words);
    std::vector<std::uint32_t> owner(particle_room);
    Vec3 low{3e38f, 3e38f, 3e38f}, high{-3e38f, -3e38f, -3e38f};
    for (std::uint32_t slot = 0; slot < body_count; ++slot) {
        const std::uint32_t b = bodies.slots[slot];
        const GranularBodyState& body = bodies.state[b];
        const float x[4] = {body.position.x, body.position.y, body.position.z, 1.0f / body.mass};
        const float q[4] = {body.rotation.s, body.rotation.x, body.rotation.y, body.rotation.z};
        const float m[4] = {body.momentum.x, body.momentum.y, body.momentum.z, bodies.rest[b]};
        const float l[4] = {body.angular_momentum.x, body.angular_momentum.y, body.angular_momentum.z,
                            bits(body.shape)};
        const float o[4] = {body.angular_velocity.x, body.angular_velocity.y, body.angular_velocity.z,
                            bits(bodies.first_particle[b])};
        for (std::size_t w = 0; w < 4; ++w) {
            const std::size_t at = place4(slot, w);
            position[at] = x[w];
            rotation[at] = q[w];
            momentum[at] = m[w];
            spin[at] = l[w];
            omega[at] = o[w];
        }
        std::fill_n(owner.begin() + bodies.first_particle[b], shapes[body.shape].particles.size(), slot);
        low = {std::min(low.x, body.position.x), std::min(low.y, body.position.y),
               std::min(low.z, body.position.z)};
        high = {std::max(high.x, body.position.x), std::max(high.y, body.position.y),
                std::max(high.z, body.position.z)};
    }
    put(body_position, position);
    put(body_rotation, rotation);
    put(body_momentum, momentum);
    put(body_spin, spin);
    put(body_omega, omega);
    put(particle_body, owner);
    resize(body_wake, body_room);

    // particles; the force and its torque double as the sort's scratch
    resize(cell_key, particle_room);
    resize(order, particle_room);
    resize(sorted_position, std::size_t{4} * particle_room);
    resize(sorted_velocity, std::size_t{4} * particle_room);
    resize(force, std::size_t{4} * particle_room);
    device_->fill(buffers_[force], 0,
                  std::size_t{4} * particle_room); // of the last step: not of what changed since
    resize(torque, std::size_t{2} * particle_room);
    if (p.memory_slots != 0) {
        const std::size_t words = std::size_t{4} * p.memory_slots;
        kept.resize(words * particle_room, bits(GRANULAR_NO_PARTNER));
        put(memory, kept);
    }
    remembered_particles_ = p.particles;
    resize(counters, pad);
    resize(survey_words, std::size_t{GRANULAR_SURVEY_ITEMS} * GRANULAR_SURVEY_WORDS);

    // grid
    const float reach = 2 * largest;
    const bool may_keep = !p.reference && !p.brute && settings_.decomposition == Decomposition::mixed &&
                          device_->host_view(buffers_[counters]) != nullptr;
    const float skin = settings_.neighbour_skin < 0 ? 0.2f : settings_.neighbour_skin;
    skin_ = may_keep ? skin * largest : 0;
    lists_valid_ = false;
    if (keeps_lists()) resize(near_start, std::size_t{particle_room} + pad);
    touch_ = reach;
    size_cells(skin_);
    p.touch_square = reach * reach * (1.0f + 1e-5f);
    p.search_square = (reach + skin_) * (reach + skin_) * (1.0f + 1e-5f);
    p.hertz_scale = 1.0f / std::sqrt(0.01f * std::max(reach, 1e-20f));
    p.rest_radius = reach_;
    if (p.reference) {
        p.grid_x = p.grid_y = p.grid_z = static_cast<std::uint32_t>(settings_.grid_cells);
        p.cells = p.grid_x * p.grid_y * p.grid_z;
        resize(cell_start, std::size_t{p.cells} + 2);
    } else {
        resize(cell_start, table_cells(p.particles) + 2);
        fit_grid(low, high);
    }
    upload_obstacles(obstacles);
    device_->finish(); // the vectors above may go
}

std::vector<float> GranularArrays::springs() const {
    if (params_.memory_slots == 0 || remembered_particles_ == 0) return {};
    return get(memory, std::size_t{4} * params_.memory_slots * remembered_particles_);
}

void GranularArrays::put_springs(const std::vector<float>& springs) {
    remembered_particles_ = 0;
    if (params_.memory_slots == 0 || springs.empty()) return;
    put(memory, springs);
    device_->finish();
    remembered_particles_ =
        static_cast<std::uint32_t>(springs.size() / (std::size_t{4} * params_.memory_slots));
}

void GranularArrays::change_settings(const GranularSettings& settings) {
    const std::uint32_t slots = params_.memory_slots;
    settings_ = settings;
    params_ = params_of(settings);
    if (params_.memory_slots != slots) remembered_particles_ = 0;
}

void GranularArrays::size_cells(float skin) {
    GranularParams& p = params_;
    p.cell_size = p.reference ? touch_ : (touch_ + skin) * (1.0f + 1.0f / 512);
    if (!(p.cell_size > 0)) p.cell_size = 1;
    p.inv_cell_size = 1.0f / p.cell_size;
}

void GranularArrays::fit_grid(Vec3 low, Vec3 high) {
    GranularParams& p = params_;
    low_ = low;
    high_ = high;
    const std::uint64_t most = table_cells(p.particles);
    const auto cells_along = [&](float a, float b) {
        const double cells = (double{b} - a + 2 * reach_) / p.cell_size + 2;
        return static_cast<std::uint64_t>(std::clamp(cells, 4.0, 1e6));
    };
    std::array<std::uint64_t, 3> n{cells_along(low.x, high.x), cells_along(low.y, high.y),
                                   cells_along(low.z, high.z)};
    // too many: far cells share entries, along the longest axis first
    while (n[0] * n[1] * n[2] > most) {
        std::uint64_t& longest = *std::max_element(n.begin(), n.end());
        longest = std::max<std::uint64_t>(4, (longest * 7 + 7) / 8 == longest ? longest - 1
                                                                              : (longest * 7 + 7) / 8);
    }
    p.grid_x = static_cast<std::uint32_t>(n[0]);
    p.grid_y = static_cast<std::uint32_t>(n[1]);
    p.grid_z = static_cast<std::uint32_t>(n[2]);
    p.cells = p.grid_x * p.grid_y * p.grid_z;
}

void GranularArrays::upload_obstacles(const std::vector<Obstacle>& obstacles) {
    GranularParams& p = params_;
    p.obstacles = static_cast<std::uint32_t>(obstacles.size());
    p.obstacle_moving = 0;
    free_obstacles_ = false;
    std::vector<float> words(std::max<std::size_t>(1, obstacles.size()) * GRANULAR_OBSTACLE_WORDS);
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
        const Obstacle& o = obstacles[k];
        float* a = words.data() + k * GRANULAR_OBSTACLE_WORDS;
        const std::uint32_t kind = o.kind == Obstacle::Kind::plane ? GRANULAR_PLANE
                                   : o.kind == Obstacle::Kind::box ? GRANULAR_BOX
                                                                   : GRANULAR_SPHERE;
        const InverseMass inverse = inverse_mass(o);
        const float values[21] = {bits(kind),
                                  o.position.x,
                                  o.position.y,
                                  o.position.z,
                                  o.rotation.s,
                                  o.rotation.x,
                                  o.rotation.y,
                                  o.rotation.z,
                                  o.size.x,
                                  o.size.y,
                                  o.size.z,
                                  o.velocity.x,
                                  o.velocity.y,
                                  o.velocity.z,
                                  o.angular_velocity.x,
                                  o.angular_velocity.y,
                                  o.angular_velocity.z,
                                  inverse.mass,
                                  inverse.moments.x,
                                  inverse.moments.y,
                                  inverse.moments.z};
        std::copy(std::begin(values), std::end(values), a);
        free_obstacles_ = free_obstacles_ || inverse.mass > 0;
        if (inverse.mass > 0 || o.velocity != Vec3{} || o.angular_velocity != Vec3{}) p.obstacle_moving = 1;
    }
    put(obstacle, words);
    resize(obstacle_partial, free_obstacles_ ? obstacles.size() * GRANULAR_OBSTACLE_ITEMS * 6 : 6);
}

void GranularArrays::download(GranularBodies& bodies) const {
    const GranularParams& p = params_;
    const std::size_t words = std::size_t{4} * p.bodies;
    const std::vector<float> x = get(body_position, words), q = get(body_rotation, words),
                             m = get(body_momentum, words), l = get(body_spin, words),
                             o = get(body_omega, words);
    for (std::uint32_t slot = 0; slot < p.bodies; ++slot) {
        const std::uint32_t b = bodies.slots[slot];
        const auto at = [&](const std::vector<float>& a, std::size_t w) { return a[place4(slot, w)]; };
        GranularBodyState& body = bodies.state[b];
        body.position = {at(x, 0), at(x, 1), at(x, 2)};
        body.rotation = {.x = at(q, 1), .y = at(q, 2), .z = at(q, 3), .s = at(q, 0)};
        body.momentum = {at(m, 0), at(m, 1), at(m, 2)};
        body.angular_momentum = {at(l, 0), at(l, 1), at(l, 2)};
        body.angular_velocity = {at(o, 0), at(o, 1), at(o, 2)};
        bodies.rest[b] = at(m, 3);
        body.frozen = bodies.rest[b] < 0;
        body.asleep = !body.frozen && p.sleeping && bodies.rest[b] >= p.sleep_delay;
    }
}

void GranularArrays::download_obstacles(std::vector<Obstacle>& obstacles) const {
    const std::vector<float> words =
        get(obstacle, std::max<std::size_t>(1, obstacles.size()) * GRANULAR_OBSTACLE_WORDS);
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
        const float* a = words.data() + k * GRANULAR_OBSTACLE_WORDS;
        obstacles[k].position = {a[1], a[2], a[3]};
        obstacles[k].rotation = {.x = a[5], .y = a[6], .z = a[7], .s = a[4]};
        obstacles[k].velocity = {a[11], a[12], a[13]};
        obstacles[k].angular_velocity = {a[14], a[15], a[16]};
    }
}

std::vector<Vec3> GranularArrays::download_forces() const {
    const std::vector<float> f = get(force, std::size_t{4} * params_.particles);
    std::vector<Vec3> forces(params_.particles);
    for (std::size_t n = 0; n < forces.size(); ++n) {
        const auto at = [&](std::size_t w) { return f[place4(n, w)]; };
        forces[n] = {at(0), at(1), at(2)};
    }
    return forces;
}

std::uint32_t GranularArrays::memory_overflows() const {
    std::uint32_t count = 0;
    device_->download(&count, buffers_[counters], 4, GRANULAR_COUNTER_MEMORY_OVERFLOW * 4);
    return count;
}

void GranularArrays::launch(KernelId kernel, std::uint32_t items) {
    device_->launch(kernel, items, buffers_, &params_, sizeof params_);
}

void GranularArrays::sort_into_cells(const Buffer& spare_keys, const Buffer& spare_order) {
    const GranularParams& p = params_;
    device_->mark(static_cast<int>(GranularStage::insert));
    launch(KernelId::granular_place, p.particles);
    if (!p.brute) {
        device_->sort(buffers_[cell_key], buffers_[order], spare_keys, spare_order, p.particles,
                      bit_width(p.reference ? p.cells : p.cells - 1));
        device_->mark(static_cast<int>(GranularStage::reset_grid));
        launch(KernelId::granular_cells,
               (p.cells + 1 + GRANULAR_CELLS_PER_ITEM - 1) / GRANULAR_CELLS_PER_ITEM);
    }
    device_->mark(static_cast<int>(GranularStage::gather));
    launch(KernelId::granular_gather, p.particles);
}

/// Neighbours for the sorted order as it is now; they hold until something has moved by half the skin.
void GranularArrays::build_lists() {
    const GranularParams& p = params_;
    device_->mark(static_cast<int>(GranularStage::insert));
    launch(KernelId::granular_near_count, p.particles);
    device_->fill(buffers_[near_start], 0, 1, p.particles);
    device_->exclusive_scan(buffers_[near_start], buffers_[near_start], p.particles + 1);
    const std::size_t entries =
        static_cast<const std::uint32_t*>(device_->host_view(buffers_[near_start]))[p.particles];
    // room to grow by an eighth before the next allocation
    if (buffers_[near_place].bytes < (entries + 1) * 4)
        resize(near_place, entries + entries / 8 + device_->padding());
    launch(KernelId::granular_near_fill, p.particles);
    drift_ = 0;
    lists_valid_ = true;
}

void GranularArrays::watch_drift() {
    launch(KernelId::granular_speed, GRANULAR_SURVEY_ITEMS);
    const auto* shares = static_cast<const float*>(device_->host_view(buffers_[survey_words]));
    double speed = params_.sleep_speed; // what fell asleep in this step has moved, too
    for (std::size_t k = 0; k < GRANULAR_SURVEY_ITEMS; ++k)
        speed = std::max(speed, double{shares[k * GRANULAR_SURVEY_WORDS + GRANULAR_SURVEY_WORDS - 1]});
    drift_ += speed * params_.time_step * 1.001;
    lists_valid_ = 2 * drift_ < double{skin_} * 0.99;
}

void GranularArrays::run_substep() {
    const GranularParams& p = params_;
    if (p.memory_slots != 0) device_->fill(buffers_[counters], 0, 1, GRANULAR_COUNTER_MEMORY_OVERFLOW);
    if (lists_valid_) {
        device_->mark(static_cast<int>(GranularStage::gather));
        launch(KernelId::granular_gather, p.particles);
    } else {
        sort_into_cells(buffers_[force], buffers_[torque]);
        if (keeps_lists()) build_lists();
    }
    device_->mark(static_cast<int>(GranularStage::force));
    const bool history = p.model == GRANULAR_HISTORY;
    if (settings_.decomposition == Decomposition::per_body) launch(KernelId::granular_body_forces, p.bodies);
    else if (keeps_lists())
        launch(history ? KernelId::granular_forces_listed_history : KernelId::granular_forces_listed,
               p.particles);
    else launch(history ? KernelId::granular_forces_history : KernelId::granular_forces, p.particles);
    device_->mark(static_cast<int>(GranularStage::momenta));
    if (free_obstacles_) launch(KernelId::granular_obstacle_push, p.obstacles * GRANULAR_OBSTACLE_ITEMS);
    launch(KernelId::granular_momenta, p.bodies);
    device_->mark(static_cast<int>(GranularStage::body_step));
    launch(KernelId::granular_move, p.bodies);
    if (p.obstacle_moving) launch(KernelId::granular_obstacle_move, p.obstacles);
    if (keeps_lists()) watch_drift();
    device_->mark(-1);
}

void GranularArrays::refresh() {
    Buffer spare_keys = allocate(buffers_[cell_key].bytes), spare_order = allocate(buffers_[order].bytes);
    sort_into_cells(spare_keys, spare_order);
    lists_valid_ = false;
    device_->mark(-1);
    device_->finish();
    device_->release(spare_keys);
    device_->release(spare_order);
}

GranularArrays::Measured GranularArrays::measure() {
    const GranularParams kept_params = params_;
    size_cells(0);
    if (!params_.reference && !params_.brute) fit_grid(low_, high_);
    refresh();
    const GranularParams& p = params_;
    Measured measured{std::vector<std::array<float, 4>>(p.particles),
                      std::vector<std::uint32_t>(p.particles)};
    device_->download(measured.sorted_cells.data(), buffers_[cell_key], std::size_t{p.particles} * 4);
    Buffer result = allocate(buffers_[force].bytes);
    const Buffer kept = buffers_[force];
    buffers_[force] = result;
    launch(KernelId::granular_measure, p.particles);
    const std::vector<float> words = get(force, std::size_t{4} * p.particles);
    buffers_[force] = kept;
    device_->release(result);
    for (std::size_t n = 0; n < p.particles; ++n)
        for (std::size_t w = 0; w < 4; ++w) measured.overlaps[n][w] = words[place4(n, w)];
    params_ = kept_params;
    return measured;
}

bool GranularArrays::survey() {
    const GranularParams& p = params_;
    if (p.reference || p.bodies == 0) return false;
    launch(KernelId::granular_survey, GRANULAR_SURVEY_ITEMS);
    const std::vector<float> shares =
        get(survey_words, std::size_t{GRANULAR_SURVEY_ITEMS} * GRANULAR_SURVEY_WORDS);
    Vec3 low{3e38f, 3e38f, 3e38f}, high{-3e38f, -3e38f, -3e38f};
    double awake = 0;
    for (std::size_t k = 0; k < GRANULAR_SURVEY_ITEMS; ++k) {
        const float* a = shares.data() + k * GRANULAR_SURVEY_WORDS;
        low = {std::min(low.x, a[0]), std::min(low.y, a[1]), std::min(low.z, a[2])};
        high = {std::max(high.x, a[3]), std::max(high.y, a[4]), std::max(high.z, a[5])};
        awake += a[6];
    }
    if (!p.brute) fit_grid(low, high);
    return p.sleeping && awake == 0 && p.obstacle_moving == 0;
}

} // namespace scree
