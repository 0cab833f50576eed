// SPDX-License-Identifier: MIT
// generators.cpp — the start formations of Fossum 2011 (stream, towers) and a jittered lattice; see
// generators.h.
#include "scene/granular/generators.h"

#include "scene/generated.h"
#include "scene/granular/format.h"
#include "scene/look.h"
#include "scene/rotation.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

Vec3 narrowed(double x, double y, double z) {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

/// The smallest n with n * n >= x.
std::uint64_t root_above(std::uint64_t x) {
    auto n = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(x)));
    while (n * n < x) ++n;
    while (n > 0 && (n - 1) * (n - 1) >= x) --n;
    return n;
}

} // namespace

void BodyList::read(const Field& entry) {
    generates(entry, format::generator) ? read_generator(entry) : read_body(entry);
}

void BodyList::finish(const Field& all) {
    finish_bodies(all, *heading_, *options_, generators_, "stream, tower or lattice");
}

void BodyList::read_body(const Field& entry) {
    Fields fields(entry, format::body);
    GranularBodyDef body;
    body.shape = index_of(fields.at("shape"), scene_->shapes);
    body.position = fields.at("position").vector();
    if (auto rotation = fields.find("rotation")) body.rotation = rotation->rotation();
    body.velocity = fields.vector("velocity", {});
    body.angular_velocity = fields.vector("angular_velocity", {});
    body.mass = fields.number("mass", 1, positive);
    reserve(entry, 1, body.shape);
    append(entry, body);
    if (auto paint = fields.find("paint"))
        scene_->painted.push_back({scene_->bodies.size() - 1, 1, {read_paint(*paint)}});
    Vec3 half = scene_->shapes[body.shape].half_size;
    double reach = std::sqrt(double{half.x} * half.x + double{half.y} * half.y + double{half.z} * half.z);
    widen(std::max(std::fabs(double{body.position.x}), std::fabs(double{body.position.z})) + reach);
}

void BodyList::read_generator(const Field& entry) {
    Fields fields(entry, format::generator);
    Field one = fields.only_one();
    std::string_view kind = fields.key_of(one);
    ++generators_;
    const std::size_t first = scene_->bodies.size();
    const Fields given(one, kind == "stream"  ? format::stream
                            : kind == "tower" ? format::tower
                                              : format::lattice);
    if (kind == "stream") stream(given);
    else if (kind == "tower") tower(given);
    else lattice(given);
    if (const auto paint = given.find("paint"))
        scene_->painted.push_back({first, scene_->bodies.size() - first, read_paints(*paint)});
}

// bodies above each other, their ground positions cycling over four that overlap, so that landing makes them
// roll
void BodyList::stream(const Fields& fields) {
    GranularBodyDef body = model(fields);
    // defaults for a cube of side 1.2, in proportion for other sizes
    Vec3 half = scene_->shapes[body.shape].half_size;
    double wide = static_cast<double>(std::max(half.x, half.z) / 0.6f),
           high = static_cast<double>(half.y / 0.6f);
    Vec3 origin = fields.vector("origin", narrowed(0, high, 0));
    double offset = fields.has("offset") ? fields.at("offset").number64(not_negative) : 0.5 * wide;
    double pitch = fields.has("pitch") ? fields.at("pitch").number64(positive) : 1.3 * high;
    Field size = fields.at("count");
    std::uint64_t total =
        body_count(size, static_cast<std::uint64_t>(size.integer(1, most_exact)), *options_);

    reserve(size, total, body.shape);
    constexpr double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (std::uint64_t i = 0; i < total; ++i) {
        body.position = narrowed(double{origin.x} + offset * corners[i % 4][0],
                                 double{origin.y} + pitch * static_cast<double>(i),
                                 double{origin.z} + offset * corners[i % 4][1]);
        append(fields.field(), body);
    }
    widen(std::max(std::fabs(double{origin.x}), std::fabs(double{origin.z})) + offset +
          static_cast<double>(std::max(half.x, half.z)));
}

// layers of a footprint, touching unless a pitch is given, until all bodies are placed
void BodyList::tower(const Fields& fields) {
    GranularBodyDef body = model(fields);
    Vec3 half = scene_->shapes[body.shape].half_size;
    double pitch[3] = {2.0 * double{half.x}, 2.0 * double{half.y}, 2.0 * double{half.z}};
    if (auto given = fields.find("pitch")) pitch[0] = pitch[1] = pitch[2] = given->number64(positive);
    Vec3 origin = fields.vector("origin", {0, half.y, 0});
    double jitter = static_cast<double>(fields.number("jitter", 0, not_negative));
    Field footprint = fields.at("footprint");
    footprint.list(2, 2);
    auto a = static_cast<std::uint64_t>(footprint[0].integer(1, 100'000));
    auto b = static_cast<std::uint64_t>(footprint[1].integer(1, 100'000));
    Field size = fields.at("count");
    std::uint64_t total =
        body_count(size, static_cast<std::uint64_t>(size.integer(1, most_exact)), *options_);
    Random random(seed_of(fields, *options_), generators_);

    reserve(size, total, body.shape);
    for (std::uint64_t i = 0; i < total; ++i) {
        std::uint64_t layer = i / (a * b), column = i % (a * b), row = column / b;
        double x = static_cast<double>(row) - static_cast<double>(a - 1) / 2;
        double z = static_cast<double>(column % b) - static_cast<double>(b - 1) / 2;
        double dx = random.uniform(-jitter, jitter), dz = random.uniform(-jitter, jitter);
        body.position = narrowed(double{origin.x} + x * pitch[0] + dx,
                                 double{origin.y} + static_cast<double>(layer) * pitch[1],
                                 double{origin.z} + z * pitch[2] + dz);
        append(fields.field(), body);
    }
    widen(std::max(std::fabs(double{origin.x}) + static_cast<double>(a) * pitch[0] / 2,
                   std::fabs(double{origin.z}) + static_cast<double>(b) * pitch[2] / 2) +
          jitter);
}

// a box of sites, layer by layer from below; "count" with "layers" asks for a square footprint that is wide
// enough, so that a pile of any size has the same depth
void BodyList::lattice(const Fields& fields) {
    GranularBodyDef body = model(fields);
    double spacing = fields.at("spacing").number64(positive);
    Vec3 origin = fields.vector("origin", narrowed(0, spacing / 2, 0));
    double jitter = static_cast<double>(fields.number("jitter", 0, not_negative));
    bool tumble = fields.has("tumble") && fields.at("tumble").flag();
    std::uint64_t a, layers, c, total;
    const Field* size = &fields.field();
    std::optional<Field> counts = fields.find("counts"), number = fields.find("count");
    if (counts) {
        if (number) number->fail("expected either \"count\" or \"counts\"");
        if (fields.has("layers")) fields.at("layers").fail("this belongs to \"count\", not to \"counts\"");
        counts->list(3, 3);
        a = static_cast<std::uint64_t>((*counts)[0].integer(1, 100'000));
        layers = static_cast<std::uint64_t>((*counts)[1].integer(1, 100'000));
        c = static_cast<std::uint64_t>((*counts)[2].integer(1, 100'000));
        total = body_count(*counts, a * layers * c, *options_);
        size = &*counts;
    } else {
        if (!number || !fields.has("layers"))
            fields.field().fail("expected \"counts\", or \"count\" and \"layers\"");
        layers = static_cast<std::uint64_t>(fields.at("layers").integer(1, 100'000));
        total = body_count(*number, static_cast<std::uint64_t>(number->integer(1, most_exact)), *options_);
        a = c = 0;
        size = &*number;
    }
    Random random(seed_of(fields, *options_), generators_);

    reserve(*size, total, body.shape);
    if (!counts || options_->bodies) a = c = root_above((total + layers - 1) / layers);
    for (std::uint64_t i = 0; i < total; ++i) {
        std::uint64_t layer = i / (a * c), site = i % (a * c), row = site / c;
        double x = static_cast<double>(row) - static_cast<double>(a - 1) / 2;
        double z = static_cast<double>(site % c) - static_cast<double>(c - 1) / 2;
        double dx = random.uniform(-jitter, jitter), dy = random.uniform(-jitter, jitter),
               dz = random.uniform(-jitter, jitter);
        body.position = narrowed(double{origin.x} + x * spacing + dx,
                                 double{origin.y} + static_cast<double>(layer) * spacing + dy,
                                 double{origin.z} + z * spacing + dz);
        if (tumble) body.rotation = random.rotation();
        append(fields.field(), body);
    }
    widen(std::max(std::fabs(double{origin.x}) + static_cast<double>(a) * spacing / 2,
                   std::fabs(double{origin.z}) + static_cast<double>(c) * spacing / 2));
}

GranularBodyDef BodyList::model(const Fields& fields) const {
    GranularBodyDef body;
    body.shape = index_of(fields.at("shape"), scene_->shapes);
    body.mass = fields.number("mass", 1, positive);
    body.velocity = fields.vector("velocity", {});
    return body;
}

void BodyList::reserve(const Field& field, std::uint64_t count, std::uint32_t shape) {
    check_limit(field, count, scene_->bodies.size(), *options_);
    std::uint64_t each = std::max<std::size_t>(scene_->shapes[shape].particles.size(), 1);
    if (count > (options_->max_particles - particles_) / each)
        field.fail(std::to_string(count) + " bodies of " + std::to_string(each) + " particles after " +
                   std::to_string(particles_) + " others are too many; expected at most " +
                   std::to_string(options_->max_particles) + " particles in all");
    check_memory(field, count, 350); // a body here, in the world and on the way to its device
    particles_ += count * each;
    if (count == 1) return; // a list of single bodies grows as vectors do
    reserve_bodies(field, count, [&] { scene_->bodies.reserve(scene_->bodies.size() + count); });
}

void BodyList::append(const Field& field, const GranularBodyDef& body) {
    check_position(field, scene_->bodies.size(), body.position);
    scene_->bodies.push_back(body);
}

void BodyList::widen(double half_width) {
    float narrow =
        static_cast<float>(std::min(half_width, static_cast<double>(std::numeric_limits<float>::max())));
    scene_->fitted_size = std::max(scene_->fitted_size, narrow);
}

} // namespace scree
