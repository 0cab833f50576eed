// SPDX-License-Identifier: MIT
// churn_pile.cpp — see churn_pile.h.
#include "churn_pile.h"

#include "scree/error.h"

#include <cmath>

namespace scree::bench {

namespace {

constexpr std::uint32_t layers = 16;
constexpr double pitch = 0.62;          // m, of boxes half a metre wide
constexpr std::size_t remembered = 512; // dead ids
constexpr std::size_t stone_kinds = 8;

Vec3 narrow(double x, double y, double z) {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

Hull make_stone(Random& random) {
    std::vector<Vec3> points;
    while (points.size() < 10) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        const double l = std::sqrt(x * x + y * y + z * z);
        if (l > 0.1 && l < 1) points.push_back(narrow(0.28 * x / l, 0.28 * y / l, 0.28 * z / l));
    }
    return Hull::from_points(points);
}

bool refuses(World& world, BodyId body, void (*use)(World&, BodyId)) {
    try {
        use(world, body);
    } catch (const Error&) {
        return true;
    }
    return false;
}

} // namespace

ChurnPile::ChurnPile(const ChurnOptions& options, const std::string& device)
    : world_({}, {{.device = device, .threads = options.threads}}),
      random_(options.seed, 1),
      new_hulls_(options.new_hulls) {
    for (std::size_t k = 0; k < stone_kinds; ++k) stones_.push_back(make_stone(random_));
    const double columns = std::ceil(std::sqrt(static_cast<double>(options.bodies) / layers));
    half_width_ = columns * pitch / 2;
    top_ = layers * pitch;
    // a floor and walls high enough for what falls from above
    const double w = half_width_ + 0.1, h = top_;
    const BodyId container = world_.create_body({.type = BodyType::fixed});
    const auto wall = [&](double x, double y, double z, Vec3 position) {
        const Vec3 half = narrow(x, y, z);
        world_.attach(container, Box{half.x, half.y, half.z}, {.position = position});
    };
    wall(w + 1, 0.5, w + 1, {0, -0.5f, 0});
    for (const double side : {-1.0, 1.0}) {
        wall(0.5, h, w + 1, narrow(side * (w + 0.5), h, 0));
        wall(w + 1, h, 0.5, narrow(0, h, side * (w + 0.5)));
    }
    const auto across = static_cast<std::uint32_t>(columns);
    for (std::uint32_t k = 0; k < options.bodies; ++k) {
        const std::uint32_t place = k % (across * across);
        const auto at = [&](std::uint32_t i) { return pitch * (i + 0.5) - half_width_; };
        living_.push_back(
            add(narrow(at(place % across), pitch * (k / (across * across) + 0.45), at(place / across)),
                Box{0.25f, 0.25f, 0.25f}));
    }
}

BodyId ChurnPile::add(Vec3 position, const Geometry& geometry) {
    const BodyId body = world_.create_body({.position = position, .rotation = random_.rotation()});
    world_.attach(body, geometry);
    return body;
}

Geometry ChurnPile::stone() {
    return new_hulls_ ? make_stone(random_) : stones_[random_.bits() % stone_kinds];
}

void ChurnPile::create() {
    const double w = half_width_ - 0.3;
    const double x = random_.uniform(-w, w), y = top_ + random_.uniform(0, 2), z = random_.uniform(-w, w);
    const std::uint32_t kind = random_.bits() % 10;
    BodyId body;
    if (kind < 6) body = add(narrow(x, y, z), Box{0.25f, 0.2f, 0.3f});
    else if (kind < 8) body = add(narrow(x, y, z), stone());
    else body = add(narrow(x, y, z), Sphere{0.25f});
    living_.push_back(body);
}

/// Two that hang together; the joint goes with either.
void ChurnPile::create_pair() {
    const double w = half_width_ - 0.6;
    const double x = random_.uniform(-w, w), y = top_ + random_.uniform(0, 2), z = random_.uniform(-w, w);
    const BodyId first = add(narrow(x - 0.3, y, z), Sphere{0.25f});
    const BodyId second = add(narrow(x + 0.3, y, z), Sphere{0.25f});
    world_.create_joint({.type = static_cast<JointType>(random_.bits() % 3),
                         .first = first,
                         .second = second,
                         .anchor = narrow(x, y, z)});
    living_.push_back(first);
    living_.push_back(second);
}

void ChurnPile::change(std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::size_t which = random_.bits() % living_.size();
        world_.destroy(living_[which]);
        if (dead_.size() < remembered) dead_.push_back(living_[which]);
        else dead_[next_dead_++ % remembered] = living_[which];
        living_[which] = living_.back();
        living_.pop_back();
    }
    for (std::uint32_t k = 0; k < count;)
        if (k + 1 < count && random_.bits() % 10 == 0) create_pair(), k += 2;
        else create(), ++k;
}

std::uint32_t ChurnPile::dead_ids_taken() {
    std::uint32_t taken = 0;
    for (const BodyId id : dead_) {
        if (world_.alive(id) || !refuses(world_, id, [](World& w, BodyId b) { (void)w.state(b); }) ||
            !refuses(world_, id, [](World& w, BodyId b) { w.apply_force(b, {1, 0, 0}); }) ||
            !refuses(world_, id, [](World& w, BodyId b) { w.destroy(b); }))
            ++taken;
    }
    return taken;
}

} // namespace scree::bench
