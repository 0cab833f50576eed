// SPDX-License-Identifier: MIT
// granular_support.cpp — see granular_support.h.
#include "support/granular_support.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::test {
namespace {

constexpr double pi = 3.14159265358979323846;

float to_float(double x) { return static_cast<float>(x); }

} // namespace

// devices ---------------------------------------------------------------------------------------------------

Place cpu(int threads, int lanes) {
    static std::map<std::pair<int, int>, Place> opened;
    return opened.try_emplace({threads, lanes}, PlaceOptions{.threads = threads, .lanes = lanes})
        .first->second;
}

FoundDevice find_device(const std::string& prefix) {
    std::string reason = "no device named " + prefix + " is known";
    for (const DeviceReport& report : list_devices()) {
        if (report.name.rfind(prefix, 0) != 0) continue;
        if (report.available && report.same_bits) return {report.name, ""};
        reason = report.available ? report.name + " does not round division and square root correctly"
                                  : report.reason;
    }
    return {"", reason};
}

// settings --------------------------------------------------------------------------------------------------

GranularSettings seed_settings() {
    GranularSettings settings;
    settings.mode = GranularMode::reference;
    settings.contact = ContactModel::linear;
    return settings;
}

GranularSettings seed_settings_in_room(float half_width) {
    GranularSettings settings = seed_settings();
    const double cell = 2.0 * settings.particle_radius;
    settings.world_size = half_width;
    settings.grid_cells = static_cast<int>(std::ceil(2 * half_width / cell)) + 4;
    settings.grid_min = {to_float(-half_width - 2 * cell), to_float(-2 * cell),
                         to_float(-half_width - 2 * cell)};
    return settings;
}

GranularSettings with_small_grid(GranularSettings settings, int cells) {
    const double cell = 2.0 * settings.particle_radius;
    settings.grid_cells = cells;
    settings.grid_min = {to_float(-cell * cells / 2), to_float(-cell), to_float(-cell * cells / 2)};
    return settings;
}

GranularSettings improved_settings() { return {}; }

GranularSettings in_empty_space(GranularSettings settings) {
    settings.gravity = {};
    settings.ground = false;
    settings.walls = false;
    return settings;
}

GranularSettings with_plain_steps(GranularSettings settings) {
    settings.substeps = 1;
    settings.sleeping = false;
    settings.unlock = false;
    return settings;
}

// worlds ----------------------------------------------------------------------------------------------------

Quat Random::rotation() {
    // uniform: points of the cube outside its ball are thrown away
    for (;;) {
        const double s = between(-1, 1), x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
        const DQuat q{.x = x, .y = y, .z = z, .s = s};
        if (norm2(q) < 1 && norm2(q) > 0.01) return narrow(normalized(q));
    }
}

GranularWorld world_with(const GranularSettings& settings, const Place& place) {
    return GranularWorld(settings, place);
}

GranularWorld world_of(const GranularSettings& settings, const GranularShape& shape,
                       std::vector<GranularBodyDef> bodies, const Place& place) {
    GranularWorld world(settings, place);
    const std::uint32_t index = world.add_shape(shape);
    for (GranularBodyDef& body : bodies) {
        body.shape = index;
        world.create_body(body);
    }
    return world;
}

GranularBodyDef at(Vec3 position, Vec3 velocity) {
    GranularBodyDef body;
    body.position = position;
    body.velocity = velocity;
    return body;
}

std::vector<GranularBodyDef> resting_at(const std::vector<Vec3>& positions) {
    std::vector<GranularBodyDef> bodies;
    for (Vec3 position : positions) bodies.push_back(at(position));
    return bodies;
}

std::vector<GranularBodyDef> column(int n, double jitter, std::uint32_t seed) {
    Random random(seed);
    std::vector<GranularBodyDef> bodies;
    for (int i = 0; i < n; ++i) {
        const double x = random.between(-jitter, jitter), z = random.between(-jitter, jitter);
        bodies.push_back(at(narrow(DVec3{x, 0.6 + 1.2 * i, z})));
    }
    return bodies;
}

std::vector<GranularBodyDef> stream(int n) {
    constexpr float x[] = {-0.5f, 0.5f, 0.5f, -0.5f}, z[] = {-0.5f, -0.5f, 0.5f, 0.5f};
    std::vector<GranularBodyDef> bodies;
    for (int i = 0; i < n; ++i) bodies.push_back(at({x[i % 4], to_float(1.0 + 1.3 * i), z[i % 4]}));
    return bodies;
}

std::vector<GranularBodyDef> block(int side, int layers) {
    std::vector<GranularBodyDef> bodies;
    const double first = -0.6 * (side - 1);
    for (int layer = 0; layer < layers; ++layer) {
        for (int a = 0; a < side; ++a) {
            for (int b = 0; b < side; ++b) {
                bodies.push_back(at(narrow(DVec3{first + 1.2 * a, 0.6 + 1.2 * layer, first + 1.2 * b})));
            }
        }
    }
    return bodies;
}

std::vector<GranularBodyDef> shot(double u, double o, float mass) {
    std::vector<GranularBodyDef> bodies{at({0, 10, 0}),
                                        at(narrow(DVec3{1.5, 10 + o, o}), {to_float(-u), 0, 0})};
    for (GranularBodyDef& body : bodies) body.mass = mass;
    return bodies;
}

std::vector<GranularBodyDef> wedge() {
    // the upper inner spheres of the outer cubes lie in the grooves of the middle cube's lower faces:
    // they touch the spheres at (-d, -d)/sqrt 2 and (-sqrt 2 d, 0) from its centre
    std::vector<GranularBodyDef> bodies = resting_at({{-1.07f, 0.6f, 0}, {0, 1.386f, 0}, {1.07f, 0.6f, 0}});
    bodies[1].rotation = narrow(turn({0, 0, 1}, pi / 4));
    return bodies;
}

std::vector<GranularBodyDef> tumbling_cubes(float half_width, std::uint32_t seed) {
    Random random(seed);
    std::vector<GranularBodyDef> bodies;
    const double room = half_width - 0.55;
    for (double y = 0.65; y < 3.5; y += 1.15) {
        for (double x = -room; x <= room + 1e-9; x += 1.15) {
            for (double z = -room; z <= room + 1e-9; z += 1.15) {
                GranularBodyDef body =
                    at(narrow(DVec3{x, y, z} + random.in_box({-.05, -.05, -.05}, {.05, .05, .05})));
                body.rotation = random.rotation();
                body.velocity = narrow(random.in_box({-2, -2, -2}, {2, 2, 2}));
                body.angular_velocity = narrow(random.in_box({-3, -3, -3}, {3, 3, 3}));
                bodies.push_back(body);
            }
        }
    }
    return bodies;
}

std::vector<GranularBodyDef> scattered(int n, DVec3 low, DVec3 high, std::uint32_t seed) {
    Random random(seed);
    std::vector<GranularBodyDef> bodies;
    for (int i = 0; i < n; ++i) bodies.push_back(at(narrow(random.in_box(low, high))));
    return bodies;
}

void run(GranularWorld& world, double seconds) {
    world.step(static_cast<int>(std::lround(seconds / world.settings().time_step)));
}

// questions -------------------------------------------------------------------------------------------------

bool all_finite(const GranularWorld& world) {
    const auto bodies = world.bodies();
    return std::all_of(bodies.begin(), bodies.end(), [](const GranularBodyState& body) {
        return is_finite(wide(body.position)) && is_finite(wide(body.momentum)) &&
               is_finite(wide(body.angular_momentum)) && is_finite(wide(body.angular_velocity)) &&
               std::isfinite(norm2(wide(body.rotation)));
    });
}

DVec3 total_momentum(const GranularWorld& world) {
    DVec3 sum;
    for (const GranularBodyState& body : world.bodies()) sum += wide(body.momentum);
    return sum;
}

double kinetic_energy_per_body(const GranularWorld& world) {
    return world.measure().kinetic_energy / world.body_count();
}

double mean_height(const GranularWorld& world) {
    double sum = 0;
    for (const GranularBodyState& body : world.bodies()) sum += body.position.y;
    return sum / world.body_count();
}

double distance(const GranularBodyState& a, const GranularBodyState& b) {
    return length(wide(a.position) - wide(b.position));
}

double tilt(const GranularBodyState& body) {
    const DVec3 up = matrix(wide(body.rotation))[1]; // the y components of the three axes
    return 1 - std::max({std::abs(up.x), std::abs(up.y), std::abs(up.z)});
}

int close_pairs(const GranularWorld& world, double reach, double floor) {
    const auto bodies = world.bodies();
    int pairs = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (std::size_t j = i + 1; j < bodies.size(); ++j) {
            const bool above = bodies[i].position.y > floor && bodies[j].position.y > floor;
            if (above && distance(bodies[i], bodies[j]) < reach) ++pairs;
        }
    }
    return pairs;
}

double longest_interlock(GranularWorld& world, double seconds) {
    const double slice = 0.1;
    std::map<std::array<std::uint32_t, 2>, double> locked;
    double longest = 0;
    for (double t = 0; t < seconds; t += slice) {
        run(world, slice);
        std::map<std::array<std::uint32_t, 2>, double> still;
        for (const auto& pair : world.interlocked()) {
            const auto before = locked.find(pair);
            still[pair] = before == locked.end() ? 0 : before->second + slice;
            longest = std::max(longest, still[pair]);
        }
        locked = std::move(still);
    }
    return longest;
}

std::vector<std::uint64_t> hashes(GranularWorld& world, int steps, int every) {
    std::vector<std::uint64_t> seen;
    for (int done = 0; done < steps; done += every) {
        world.step(every);
        seen.push_back(world.hash());
    }
    return seen;
}

ContactCount count_contacts(const std::vector<ParticleState>& particles, double epsilon) {
    ContactCount count;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        for (std::size_t j = 0; j < particles.size(); ++j) {
            if (particles[i].body == particles[j].body) continue;
            const double gap =
                length(wide(particles[i].position) - wide(particles[j].position)) + epsilon -
                (static_cast<double>(particles[i].radius) + static_cast<double>(particles[j].radius));
            if (gap < 0) ++count.touching;
            if (std::abs(gap) < 1e-7) ++count.doubtful;
        }
    }
    return count;
}

} // namespace scree::test
