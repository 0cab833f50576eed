// SPDX-License-Identifier: MIT
// generated.cpp — see generated.h.
#include "scene/generated.h"

#include "device/host_memory.h"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace scree {

bool generates(const Field& entry, const format::Object& generators) {
    const auto& keys = entry.value().keys;
    return std::any_of(keys.begin(), keys.end(),
                       [&](const std::string& key) { return generators.knows(key); });
}

void finish_bodies(const Field& all, Scene& scene, const SceneOptions& options, std::uint64_t resizable,
                   const char* generators) {
    scene.resizable = resizable == 1;
    if (options.bodies && !scene.resizable)
        all.fail("the number of bodies cannot be set to " + std::to_string(*options.bodies) +
                 "; expected one generator (" + generators + "); there are " + std::to_string(resizable));
}

std::uint64_t body_count(const Field& field, std::uint64_t in_file, const SceneOptions& options) {
    if (!options.bodies) return in_file;
    if (*options.bodies == 0) field.fail("invalid value 0: expected at least 1 body");
    return *options.bodies;
}

std::uint64_t seed_of(const Fields& fields, const SceneOptions& options) {
    const auto in_file = static_cast<std::uint64_t>(fields.integer("seed", 1, 0, most_exact));
    return options.seed.value_or(in_file);
}

void check_limit(const Field& field, std::uint64_t bodies, std::uint64_t so_far,
                 const SceneOptions& options) {
    if (bodies > options.max_bodies - so_far)
        field.fail(std::to_string(bodies) + " bodies after " + std::to_string(so_far) +
                   " others are too many; expected at most " + std::to_string(options.max_bodies) +
                   " in all");
}

void check_memory(const Field& field, std::uint64_t bodies, std::uint64_t bytes_each) {
    if (bodies > host_memory() / bytes_each)
        field.fail(std::to_string(bodies) + " bodies need about " +
                   std::to_string(bodies * bytes_each >> 30) + " GiB of memory; this machine has " +
                   std::to_string(host_memory() >> 30));
}

void reserve_bodies(const Field& field, std::uint64_t bodies, const std::function<void()>& reserve) {
    const auto refuse = [&] {
        field.fail("there is not enough memory for " + std::to_string(bodies) + " bodies");
    };
    try {
        reserve();
    } catch (const std::bad_alloc&) {
        refuse();
    } catch (const std::length_error&) {
        refuse();
    }
}

void check_position(const Field& field, std::size_t body, Vec3 position) {
    if (!is_finite(position))
        field.fail("body " + std::to_string(body) +
                   " would stand beyond single precision; expected a finite position");
}

void refuse_shape(const Field& field, const std::vector<std::string>& known) {
    field.fail("there is no shape " + field.value().shown() + " in \"shapes\"" +
               format::suggestion(field.text(), known));
}

} // namespace scree
