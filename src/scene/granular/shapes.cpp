// SPDX-License-Identifier: MIT
// shapes.cpp — reads a shape of a scene file; src/granular makes it.
#include "scene/files.h"
#include "scene/granular/format.h"
#include "scene/granular/parts.h"
#include "scene/setting.h"

#include <algorithm>

namespace scree {
namespace {

// shapes are held once, whatever the number of bodies, so this is about typing errors, not about memory
constexpr std::uint64_t most_particles_in_a_shape = 10'000'000;

struct Limits {
    std::uint64_t particles;

    void check(const Field& field, double count) const {
        if (!(count <= static_cast<double>(particles)))
            field.fail("about " + shown(count) + " particles are too many; expected at most " +
                       std::to_string(particles) + " in a shape");
    }
};

GranularShape read_cuboid(const Fields& fields, float radius, const Limits& limits) {
    Field spheres = fields.at("spheres");
    spheres.list(3, 3);
    int side[3];
    for (std::size_t i = 0; i < 3; ++i) side[i] = static_cast<int>(spheres[i].integer(1, 100'000));
    limits.check(spheres, static_cast<double>(side[0]) * side[1] * side[2]);
    return shapes::cuboid(radius, side[0], side[1], side[2]);
}

GranularShape read_cube(const Fields& fields, float radius, const Limits& limits) {
    auto side = static_cast<int>(fields.integer("spheres", 3, 1, 100'000));
    limits.check(fields.field(), static_cast<double>(side) * side * side);
    return fields.has("spheres") ? shapes::cube(radius, side) : shapes::cube(radius);
}

GranularShape read_ball(const Fields& fields, float radius, const Limits& limits) {
    Field size = fields.at("ball_radius");
    float ball_radius = size.number(positive);
    // the volume of the ball over that of a lattice cell
    double ratio = static_cast<double>(ball_radius) / static_cast<double>(radius);
    limits.check(size, 0.5236 * ratio * ratio * ratio);
    return shapes::ball(radius, ball_radius);
}

GranularShape read_capsule(const Fields& fields, float radius, const Limits& limits) {
    Field spheres = fields.at("spheres");
    auto count = static_cast<int>(spheres.integer(1, 100'000));
    limits.check(spheres, count);
    double degrees = static_cast<double>(fields.number("bend_degrees", 0, Range{-360, 360}));
    return shapes::capsule(radius, count, static_cast<float>(degrees * (3.14159265358979323846 / 180)));
}

GranularShape read_particles(const Field& list, const std::string& name, float default_radius,
                             const Limits& limits) {
    limits.check(list, static_cast<double>(list.list(1)));
    std::vector<ShapeParticle> particles;
    for (std::size_t i = 0; i < list.size(); ++i) {
        Fields fields(list[i], format::particle);
        ShapeParticle particle;
        particle.offset = fields.at("offset").vector();
        particle.radius = fields.number("radius", default_radius, positive);
        particles.push_back(particle);
    }
    return shapes::from_particles(name, std::move(particles));
}

GranularShape read_mesh(const Fields& fields, float radius, const SceneOptions& options,
                        std::vector<SceneFile>& files) {
    const Field file = fields.at("file");
    const SceneFile& found = find_file(file, options, files);
    return shapes::from_obj_text(found.bytes, found.name, radius);
}

GranularShape read_kind(const Field& one, std::string_view kind, const std::string& name,
                        const GranularSettings& settings, const SceneOptions& options,
                        std::vector<SceneFile>& files) {
    Limits limits{std::min(most_particles_in_a_shape, options.max_particles)};
    if (kind == "particles") return read_particles(one, name, settings.particle_radius, limits);
    const format::Object& format = kind == "cube"      ? format::cube
                                   : kind == "cuboid"  ? format::cuboid
                                   : kind == "grain"   ? format::grain
                                   : kind == "ball"    ? format::ball
                                   : kind == "capsule" ? format::capsule
                                   : kind == "desk"    ? format::desk
                                                       : format::mesh;
    Fields fields(one, format);
    float radius = fields.number("radius", settings.particle_radius, positive);
    if (kind == "cube") return read_cube(fields, radius, limits);
    if (kind == "cuboid") return read_cuboid(fields, radius, limits);
    if (kind == "grain") return shapes::grain(radius);
    if (kind == "ball") return read_ball(fields, radius, limits);
    if (kind == "capsule") return read_capsule(fields, radius, limits);
    if (kind == "desk") return shapes::desk(radius);
    return read_mesh(fields, radius, options, files);
}

} // namespace

GranularShape read_shape(const Field& entry, const GranularSettings& settings, const SceneOptions& options,
                         std::vector<SceneFile>& files) {
    Fields fields(entry, format::shape);
    Field one = fields.only_one({"name", "paint"});
    std::string name = fields.at("name").text();
    GranularShape shape;
    try {
        shape = read_kind(one, fields.key_of(one), name, settings, options, files);
    } catch (const Error& error) {
        // a shape refused by the library itself does not know its place in the file
        if (error.where().rfind(entry.file() + ":", 0) == 0) throw;
        one.fail(error.what());
    }
    shape.name = name;
    bool mixed =
        std::any_of(shape.particles.begin(), shape.particles.end(), [&](const ShapeParticle& particle) {
            return particle.radius != settings.particle_radius;
        });
    if (settings.mode == GranularMode::reference && mixed)
        one.fail("in reference mode all particles have the radius world.particle_radius, " +
                 decimal(settings.particle_radius));
    return shape;
}

} // namespace scree
