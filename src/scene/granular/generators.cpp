// SPDX-License-Identifier: MIT
// generators.cpp — the start formations of Fossum 2011 (stream, towers) and a jittered lattice; see
// generators.h.
#include "scene/granular/generators.h"

#include "device/host_memory.h"
#include "scene/granular/format.h"
#include "scene/look.h"
#include "scene/rotation.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

namespace scree {
namespace {

constexpr std::int64_t most_exact = (std::int64_t{1} << 53) - 1; // whole numbers that a double holds

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
    const json::Value& value = entry.value();
    bool generates = std::any_of(value.keys.begin(), value.keys.end(),
                                 [](const std::string& key) { return format::generator.knows(key); });
    generates ? read_generator(entry) : read_body(entry);
}

void BodyList::finish(const Field& all) {
    heading_->resizable = generators_ == 1;
    if (options_->bodies && !heading_->resizable)
        all.fail("the number of bodies cannot be set to " + std::to_string(*options_->bodies) +
                 "; expected one generator (stream, tower or lattice); there are " +
                 std::to_string(generators_));
}

void BodyList::read_body(const Field& entry) {
    Fields fields(entry, format::body);
    GranularBodyDef body;
    body.shape = shape_index(fields.at("shape"));
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
    double reach = std::sqrt(static_cast<double>(half.x) * half.x + static_cast<double>(half.y) * half.y +
                             static_cast<double>(half.z) * half.z);
    widen(std::max(std::fabs(static_cast<double>(body.position.x)),
                   std::fabs(static_cast<double>(body.position.z))) +
          reach);
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
    GranularBodyDef body;
    body.shape = shape_index(fields.at("shape"));
    body.mass = fields.number("mass", 1, positive);
    body.velocity = fields.vector("velocity", {});
    // defaults for a cube of side 1.2, in proportion for other sizes
    Vec3 half = scene_->shapes[body.shape].half_size;
    double wide = static_cast<double>(std::max(half.x, half.z) / 0.6f),
           high = static_cast<double>(half.y / 0.6f);
    Vec3 origin = fields.vector("origin", narrowed(0, high, 0));
    double offset = fields.has("offset") ? fields.at("offset").number64(not_negative) : 0.5 * wide;
    double pitch = fields.has("pitch") ? fields.at("pitch").number64(positive) : 1.3 * high;
    Field size = fields.at("count");
    std::uint64_t total = count(size, static_cast<std::uint64_t>(size.integer(1, most_exact)));

    reserve(size, total, body.shape);
    constexpr double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (std::uint64_t i = 0; i < total; ++i) {
        body.position = narrowed(static_cast<double>(origin.x) + offset * corners[i % 4][0],
                                 static_cast<double>(origin.y) + pitch * static_cast<double>(i),
                                 static_cast<double>(origin.z) + offset * corners[i % 4][1]);
        append(fields.field(), body);
    }
    widen(std::max(std::fabs(static_cast<double>(origin.x)), std::fabs(static_cast<double>(origin.z))) +
          offset + static_cast<double>(std::max(half.x, half.z)));
}

// layers of a footprint, touching unless a pitch is given, until all bodies are placed
void BodyList::tower(const Fields& fields) {
    GranularBodyDef body;
    body.shape = shape_index(fields.at("shape"));
    body.mass = fields.number("mass", 1, positive);
    body.velocity = fields.vector("velocity", {});
    Vec3 half = scene_->shapes[body.shape].half_size;
    double pitch[3] = {2.0 * static_cast<double>(half.x), 2.0 * static_cast<double>(half.y),
                       2.0 * static_cast<double>(half.z)};
    if (auto given = fields.find("pitch")) pitch[0] = pitch[1] = pitch[2] = given->number64(positive);
    Vec3 origin = fields.vector("origin", {0, half.y, 0});
    double jitter = static_cast<double>(fields.number("jitter", 0, not_negative));
    Field footprint = fields.at("footprint");
    footprint.list(2, 2);
    auto a = static_cast<std::uint64_t>(footprint[0].integer(1, 100'000));
    auto b = static_cast<std::uint64_t>(footprint[1].integer(1, 100'000));
    Field size = fields.at("count");
    std::uint64_t total = count(size, static_cast<std::uint64_t>(size.integer(1, most_exact)));
    Random random(seed(fields), generators_);

    reserve(size, total, body.shape);
    for (std::uint64_t i = 0; i < total; ++i) {
        std::uint64_t column = i % (a * b);
        double x = static_cast<double>(column / b) - static_cast<double>(a - 1) / 2;
        double z = static_cast<double>(column % b) - static_cast<double>(b - 1) / 2;
        double dx = random.uniform(-jitter, jitter), dz = random.uniform(-jitter, jitter);
        body.position = narrowed(static_cast<double>(origin.x) + x * pitch[0] + dx,
                                 static_cast<double>(origin.y) + static_cast<double>(i / (a * b)) * pitch[1],
                                 static_cast<double>(origin.z) + z * pitch[2] + dz);
        append(fields.field(), body);
    }
    widen(std::max(std::fabs(static_cast<double>(origin.x)) + static_cast<double>(a) * pitch[0] / 2,
                   std::fabs(static_cast<double>(origin.z)) + static_cast<double>(b) * pitch[2] / 2) +
          jitter);
}

// a box of sites, layer by layer from below; "count" with "layers" asks for a square footprint that is wide
// enough, so that a pile of any size has the same depth
void BodyList::lattice(const Fields& fields) {
    GranularBodyDef body;
    body.shape = shape_index(fields.at("shape"));
    body.mass = fields.number("mass", 1, positive);
    body.velocity = fields.vector("velocity", {});
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
        total = count(*counts, a * layers * c);
        size = &*counts;
    } else {
        if (!number || !fields.has("layers"))
            fields.field().fail("expected \"counts\", or \"count\" and \"layers\"");
        layers = static_cast<std::uint64_t>(fields.at("layers").integer(1, 100'000));
        total = count(*number, static_cast<std::uint64_t>(number->integer(1, most_exact)));
        a = c = 0;
        size = &*number;
    }
    Random random(seed(fields), generators_);

    reserve(*size, total, body.shape);
    if (!counts || options_->bodies) a = c = root_above((total + layers - 1) / layers);
    for (std::uint64_t i = 0; i < total; ++i) {
        std::uint64_t site = i % (a * c);
        double x = static_cast<double>(site / c) - static_cast<double>(a - 1) / 2;
        double z = static_cast<double>(site % c) - static_cast<double>(c - 1) / 2;
        double dx = random.uniform(-jitter, jitter), dy = random.uniform(-jitter, jitter),
               dz = random.uniform(-jitter, jitter);
        body.position =
            narrowed(static_cast<double>(origin.x) + x * spacing + dx,
                     static_cast<double>(origin.y) + static_cast<double>(i / (a * c)) * spacing + dy,
                     static_cast<double>(origin.z) + z * spacing + dz);
        if (tumble) body.rotation = random.rotation();
        append(fields.field(), body);
    }
    widen(std::max(std::fabs(static_cast<double>(origin.x)) + static_cast<double>(a) * spacing / 2,
                   std::fabs(static_cast<double>(origin.z)) + static_cast<double>(c) * spacing / 2));
}

std::uint32_t BodyList::shape_index(const Field& field) const {
    std::string name = field.text();
    std::vector<std::string> known;
    for (std::size_t i = 0; i < scene_->shapes.size(); ++i) {
        if (scene_->shapes[i].name == name) return static_cast<std::uint32_t>(i);
        known.push_back(scene_->shapes[i].name);
    }
    field.fail("there is no shape " + field.value().shown() + " in \"shapes\"" +
               format::suggestion(name, known));
}

std::uint64_t BodyList::count(const Field& field, std::uint64_t in_file) const {
    if (!options_->bodies) return in_file;
    if (*options_->bodies == 0) field.fail("invalid value 0: expected at least 1 body");
    return *options_->bodies;
}

std::uint64_t BodyList::seed(const Fields& fields) const {
    auto in_file = static_cast<std::uint64_t>(fields.integer("seed", 1, 0, most_exact));
    return options_->seed.value_or(in_file);
}

void BodyList::reserve(const Field& field, std::uint64_t count, std::uint32_t shape) {
    std::uint64_t so_far = scene_->bodies.size();
    if (count > options_->max_bodies - so_far)
        field.fail(std::to_string(count) + " bodies after " + std::to_string(so_far) +
                   " others are too many; expected at most " + std::to_string(options_->max_bodies) +
                   " in all");
    std::uint64_t each = std::max<std::size_t>(scene_->shapes[shape].particles.size(), 1);
    if (count > (options_->max_particles - particles_) / each)
        field.fail(std::to_string(count) + " bodies of " + std::to_string(each) + " particles after " +
                   std::to_string(particles_) + " others are too many; expected at most " +
                   std::to_string(options_->max_particles) + " particles in all");
    // a body here, in the world and on the way to its device
    constexpr std::uint64_t bytes_each = 350;
    if (count > host_memory() / bytes_each)
        field.fail(std::to_string(count) + " bodies need about " + std::to_string(count * bytes_each >> 30) +
                   " GiB of memory; this machine has " + std::to_string(host_memory() >> 30));
    particles_ += count * each;
    if (count == 1) return; // a list of single bodies grows as vectors do
    try {
        scene_->bodies.reserve(static_cast<std::size_t>(so_far + count));
    } catch (const std::bad_alloc&) {
        field.fail("there is not enough memory for " + std::to_string(count) + " bodies");
    } catch (const std::length_error&) {
        field.fail("there is not enough memory for " + std::to_string(count) + " bodies");
    }
}

void BodyList::append(const Field& field, const GranularBodyDef& body) {
    if (!is_finite(body.position))
        field.fail("body " + std::to_string(scene_->bodies.size()) +
                   " would stand beyond single precision; expected a finite position");
    scene_->bodies.push_back(body);
}

void BodyList::widen(double half_width) {
    float narrow =
        static_cast<float>(std::min(half_width, static_cast<double>(std::numeric_limits<float>::max())));
    scene_->fitted_size = std::max(scene_->fitted_size, narrow);
}

} // namespace scree
