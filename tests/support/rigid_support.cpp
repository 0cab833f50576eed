// SPDX-License-Identifier: MIT
// rigid_support.cpp — see rigid_support.h.
#include "support/rigid_support.h"

#include "scree/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace scree::test {

namespace {

constexpr double radians = std::numbers::pi / 180;

Vec3 vec(double x, double y, double z) { return narrow(DVec3{x, y, z}); }

} // namespace

WorldSettings default_settings() { return {}; }
WorldSettings without_sleep(WorldSettings settings) {
    settings.sleeping = false;
    return settings;
}
std::vector<std::string> kernel_devices() {
    std::vector<std::string> names{"cpu:kernels"};
    for (const DeviceReport& report : list_devices())
        if (report.available && report.name.starts_with("cuda")) names.push_back(report.name);
    return names;
}

namespace {

/// ./test counts these lines: one for each test that would also run on a GPU.
void say_that_no_gpu_is_here() {
    static const std::string reason = [] {
        std::string found;
        for (const DeviceReport& report : list_devices())
            if (report.name.starts_with("cuda")) {
                if (report.available) return std::string();
                found = report.reason;
            }
        return found.empty() ? std::string("no CUDA plug-in") : found;
    }();
    static const testing::TestInfo* last = nullptr;
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    if (reason.empty() || test == last || !test) return;
    last = test;
    std::printf("fallback: on cpu:kernels only, not on CUDA: %s: %s.%s\n", reason.c_str(),
                test->test_suite_name(), test->name());
}

} // namespace

std::vector<std::string> all_devices() {
    std::vector<std::string> names = kernel_devices();
    names.insert(names.begin(), "cpu");
    return names;
}

Place on_device(const std::string& device) {
    if (device == "cpu:kernels") say_that_no_gpu_is_here();
    return PlaceOptions{.device = device, .threads = 1};
}
WorldSettings in_space(WorldSettings settings) {
    settings.gravity = {};
    return settings;
}
Place on(int threads, int lanes) { return PlaceOptions{.threads = threads, .lanes = lanes}; }

std::vector<int> available_lanes() {
    std::vector<int> found;
    for (const int lanes : {1, 4, 8, 16}) {
        try {
            World world({}, on(1, lanes));
            found.push_back(lanes);
        } catch (const Error& error) {
            if (error.where() != "lanes") throw;
        }
    }
    return found;
}

std::vector<Place> places_of_all_lanes() {
    std::vector<Place> places;
    for (const int lanes : available_lanes()) places.push_back(on(lanes == 4 ? 3 : 1, lanes));
    return places;
}

double Dice::between(double low, double high) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (static_cast<double>(state_ >> 33) / 2147483648.0);
}
Vec3 Dice::in_box(Vec3 low, Vec3 high) {
    const double x = between(low.x, high.x), y = between(low.y, high.y), z = between(low.z, high.z);
    return vec(x, y, z);
}
Quat Dice::rotation() {
    for (;;) {
        const double s = between(-1, 1), x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
        const DQuat q{.x = x, .y = y, .z = z, .s = s};
        if (norm2(q) > 0.01 && norm2(q) < 1) return narrow(normalized(q));
    }
}

// structures ------------------------------------------------------------------------------------------------

BodyId add(World& world, const Geometry& geometry, Vec3 position, const ShapeDef& shape, BodyDef body) {
    body.position = position;
    const BodyId id = world.create_body(body);
    world.attach(id, geometry, shape);
    return id;
}

BodyId add_floor(World& world, const Material& material) {
    return add(world, Plane{}, {}, {.material = material}, {.type = BodyType::fixed});
}

BodyId add_slab(World& world, float half_width, const Material& material) {
    return add(world, Box{half_width, 0.5f, half_width}, {0, -0.5f, 0}, {.material = material},
               {.type = BodyType::fixed});
}

BodyId add_container(World& world, float half_width, float height) {
    const BodyId body = world.create_body({.type = BodyType::fixed});
    const float w = half_width, h = height / 2, t = 0.5f;
    world.attach(body, Box{w + 2 * t, t, w + 2 * t}, {.position = {0, -t, 0}});
    for (const float side : {-1.0f, 1.0f}) {
        world.attach(body, Box{t, h, w + 2 * t}, {.position = {side * (w + t), h, 0}});
        world.attach(body, Box{w, h, t}, {.position = {0, h, side * (w + t)}});
    }
    return body;
}

std::vector<BodyId> add_pyramid(World& world, int base, Vec3 middle) {
    std::vector<BodyId> cubes;
    for (int row = 0; row < base; ++row)
        for (int i = 0; i < base - row; ++i)
            cubes.push_back(add(world, Box{0.5f, 0.5f, 0.5f},
                                vec(middle.x + i - 0.5 * (base - row - 1), middle.y + row + 0.5, middle.z)));
    return cubes;
}

std::vector<BodyId> add_stack(World& world, int count, float top) {
    std::vector<BodyId> cubes;
    for (int i = 0; i < count; ++i)
        cubes.push_back(add(world, Box{0.5f, 0.5f, 0.5f}, vec(0, i + 0.5, 0),
                            {.density = i + 1 == count ? 1000 * top : 1000}));
    return cubes;
}

std::vector<BodyId> add_card_house(World& world, int levels) {
    const double t = 0.02, h = 1, width = 0.6, lean = 20;
    const double sine = std::sin(lean * radians), cosine = std::cos(lean * radians);
    // a card's outermost points, from its middle
    const double reach = t * cosine + h * sine, rise = t * sine + h * cosine;
    const double pitch = 4 * reach + 0.002;
    const Box leaning{static_cast<float>(t), static_cast<float>(h), static_cast<float>(width)};
    const Box flat{static_cast<float>(2 * reach), static_cast<float>(t), static_cast<float>(width)};
    std::vector<BodyId> cards;
    double ground = 0;
    for (int level = 0; level < levels; ++level) {
        const int tents = levels - level;
        const double first = -pitch * (tents - 1) / 2;
        for (int i = 0; i < tents; ++i)
            for (const double side : {-1.0, 1.0})
                cards.push_back(add(world, leaning, vec(first + pitch * i + side * reach, ground + rise, 0),
                                    {}, {.rotation = about({0, 0, 1}, side * lean)}));
        for (int i = 0; i + 1 < tents; ++i)
            cards.push_back(add(world, flat, vec(first + pitch * (i + 0.5), ground + 2 * rise + t, 0)));
        ground += 2 * rise + 2 * t;
    }
    return cards;
}

std::vector<BodyId> add_arch(World& world, int stones, float friction) {
    const double inner = 3, outer = 4, middle = 3.5, half = 90.0 / stones * radians;
    std::vector<Vec3> points;
    for (const double r : {inner, outer})
        for (const double side : {-1.0, 1.0})
            for (const double end : {-0.5, 0.5})
                points.push_back(vec(side * r * std::sin(half), r * std::cos(half) - middle, end));
    const Hull stone = Hull::from_points(points);
    std::vector<BodyId> bodies;
    for (int i = 0; i < stones; ++i) {
        const double angle = 2 * half * (i + 0.5); // from the right end
        bodies.push_back(add(world, stone, vec(middle * std::cos(angle), middle * std::sin(angle), 0),
                             {.material = {.friction = friction}},
                             {.rotation = about({0, 0, 1}, angle / radians - 90)}));
    }
    return bodies;
}

Molecule add_molecule(World& world, int n) {
    const double pitch = 2.5, low = -pitch * (n - 1) / 2;
    Molecule molecule;
    for (int i = 0; i < n * n * n; ++i) {
        const std::array<int, 3> site{i / (n * n), i / n % n, i % n}, step{n * n, n, 1};
        const DVec3 at{low + pitch * site[0], low + pitch * site[1], low + pitch * site[2]};
        molecule.balls.push_back(add(world, Sphere{1}, narrow(at)));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (site[axis] == 0) continue;
            DVec3 between = at;
            (axis == 0 ? between.x : axis == 1 ? between.y : between.z) -= pitch / 2;
            molecule.joints.push_back(
                world.create_joint({.type = JointType::fixed,
                                    .first = molecule.balls[static_cast<std::size_t>(i - step[axis])],
                                    .second = molecule.balls.back(),
                                    .anchor = narrow(between)}));
        }
    }
    return molecule;
}

Chain add_chain(World& world, int links, Vec3 from) {
    Chain chain;
    for (int i = 0; i < links; ++i) {
        chain.links.push_back(add(world, Capsule{0.2f, 0.1f}, vec(from.x + 0.5 * i + 0.25, from.y, from.z),
                                  {}, {.rotation = about({0, 0, 1}, 90)}));
        JointDef joint{.type = JointType::ball,
                       .first = chain.links.back(),
                       .anchor = vec(from.x + 0.5 * i, from.y, from.z)};
        if (i) joint.second = chain.links[chain.links.size() - 2];
        chain.joints.push_back(world.create_joint(joint));
    }
    return chain;
}

Hull pebble(std::uint32_t seed, float radius) {
    Dice dice(seed);
    std::vector<Vec3> points;
    while (points.size() < 14) {
        const DVec3 p = wide(dice.in_box({-1, -1, -1}, {1, 1, 1}));
        const double l = length(p);
        if (l > 0.1 && l < 1) points.push_back(narrow((radius * dice.between(0.85, 1) / l) * p));
    }
    return Hull::from_points(points);
}

std::vector<BodyId> add_pile(World& world, Kind kind, int count, int columns, float y, std::uint32_t seed,
                             const Material& material) {
    Dice dice(seed);
    const std::array<Hull, 4> stones{pebble(1, 0.3f), pebble(2, 0.25f), pebble(3, 0.28f), pebble(4, 0.2f)};
    const double pitch = 0.8;
    const ShapeDef shape{.material = material};
    std::vector<BodyId> bodies;
    for (int i = 0; i < count; ++i) {
        const int layer = i / (columns * columns), place = i % (columns * columns);
        const auto jitter = [&] { return dice.between(-0.05, 0.05); };
        const double half = 0.5 * (columns - 1);
        const double x = pitch * (place % columns - half) + jitter(),
                     z = pitch * (place / columns - half) + jitter();
        const BodyId body =
            world.create_body({.position = vec(x, y + pitch * layer, z), .rotation = dice.rotation()});
        bodies.push_back(body);
        const auto which = static_cast<std::size_t>(i);
        Kind now = kind;
        if (kind == Kind::mixed)
            now = std::array{Kind::boxes, Kind::spheres, Kind::capsules, Kind::hulls, Kind::mixed}[which % 5];
        switch (now) {
        case Kind::boxes:
            world.attach(body, Box{0.25f, 0.2f, 0.3f}, shape);
            break;
        case Kind::spheres:
            world.attach(body, Sphere{0.25f}, shape);
            break;
        case Kind::capsules:
            world.attach(body, Capsule{0.15f, 0.15f}, shape);
            break;
        case Kind::hulls:
            world.attach(body, stones[which % 4], shape);
            break;
        case Kind::mixed:
            if (which % 2) world.attach(body, Cylinder{0.2f, 0.2f}, shape);
            else world.attach(body, Cone{0.25f, 0.2f}, shape);
            break;
        case Kind::compounds: {
            ShapeDef part = shape;
            part.position = {0.2f, 0, 0};
            world.attach(body, Sphere{0.15f}, part);
            part.position = {-0.2f, 0, 0};
            world.attach(body, Box{0.1f, 0.15f, 0.1f}, part);
            part.position = {};
            part.rotation = about({0, 0, 1}, 90);
            world.attach(body, Capsule{0.2f, 0.05f}, part);
        }
        }
    }
    return bodies;
}

// running ---------------------------------------------------------------------------------------------------

void report(const char* name, double value) { testing::Test::RecordProperty(name, std::to_string(value)); }
void run_steps(World& world, int steps, float dt) {
    for (int k = 0; k < steps; ++k) world.step(dt);
}
void run_for(World& world, double seconds, float dt) {
    run_steps(world, static_cast<int>(std::lround(seconds / static_cast<double>(dt))), dt);
}
int steps_until_asleep(World& world, double seconds) {
    const int most = static_cast<int>(std::lround(seconds * 60));
    for (int k = 1; k <= most; ++k) {
        world.step(frame);
        if (world.counters().awake == 0) return k;
    }
    return -1;
}
std::vector<std::uint64_t> hashes_of(World& world, int steps, int every) {
    std::vector<std::uint64_t> hashes;
    for (int k = 1; k <= steps; ++k) {
        world.step(frame);
        if (k % every == 0) hashes.push_back(world.hash());
    }
    return hashes;
}

// questions -------------------------------------------------------------------------------------------------

DVec3 position(const World& world, BodyId body) { return wide(world.state(body).position); }
DVec3 velocity(const World& world, BodyId body) { return wide(world.state(body).velocity); }
double height(const World& world, BodyId body) { return position(world, body).y; }
double speed(const World& world, BodyId body) { return length(velocity(world, body)); }
double tilt_degrees(const World& world, BodyId body) {
    const DVec3 up = matrix(wide(world.state(body).rotation)) * DVec3{0, 1, 0};
    return std::atan2(std::hypot(up.x, up.z), up.y) / radians;
}
std::vector<DVec3> positions(const World& world, const std::vector<BodyId>& bodies) {
    std::vector<DVec3> at;
    for (const BodyId body : bodies) at.push_back(position(world, body));
    return at;
}
double largest_move(const World& world, const std::vector<BodyId>& bodies, const std::vector<DVec3>& since) {
    double most = 0;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        // a body that is nowhere has moved too far
        const double move = length(position(world, bodies[k]) - since[k]);
        most = move <= most ? most : move;
    }
    return most;
}
bool all_are_finite(const World& world) {
    for (const BodyId body : world.bodies()) {
        const BodyState s = world.state(body);
        const Vec3 turn{s.rotation.x, s.rotation.y, s.rotation.z};
        if (!is_finite(s.position) || !is_finite(s.velocity) || !is_finite(s.angular_velocity) ||
            !is_finite(turn) || !std::isfinite(s.rotation.s))
            return false;
    }
    return true;
}
bool all_asleep(const World& world, const std::vector<BodyId>& bodies) {
    return std::all_of(bodies.begin(), bodies.end(), [&](BodyId body) { return world.state(body).asleep; });
}
void expect_at_rest(const World& world, double mean_speed, double max_overlap) {
    const WorldMeasure m = world.measure();
    report("mean_speed_mm_s", 1000 * m.mean_speed);
    report("max_overlap_mm", 1000 * m.max_overlap);
    EXPECT_LT(m.mean_speed, mean_speed);
    EXPECT_LT(m.max_overlap, max_overlap);
}
double energy(const World& world) {
    const WorldMeasure m = world.measure();
    return m.kinetic_energy + m.potential_energy;
}
Quat about(DVec3 axis, double degrees) { return narrow(turn(axis, degrees * radians)); }

} // namespace scree::test
