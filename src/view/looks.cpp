// SPDX-License-Identifier: MIT
// looks.cpp — see looks.h.
#include "view/looks.h"

#include "render/glass.h"
#include "scene/settings.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>

namespace scree::view {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
std::atomic<std::uint64_t> versions{0};

double reach_of(const Bounds& bounds) {
    const DVec3 far{std::max(-bounds.low.x, bounds.high.x), std::max(-bounds.low.y, bounds.high.y),
                    std::max(-bounds.low.z, bounds.high.z)};
    return length(far);
}

ShapeLook rigid_look(const RigidShape& shape) {
    ShapeLook look;
    look.name = shape.name;
    for (const RigidShape::Part& part : shape.parts) {
        look.parts.push_back({part.geometry, {part.definition.position, part.definition.rotation}});
        look.reach = std::max(look.reach, reach_of(bounds_of(part.geometry, look.parts.back().pose)));
    }
    return look;
}

ShapeLook granular_look(const GranularShape& shape) {
    ShapeLook look;
    look.name = shape.name;
    look.particles = shape.particles;
    for (const ShapeParticle& particle : shape.particles)
        look.reach = std::max(look.reach, length(wide(particle.offset)) + particle.radius);
    if (shape.particles.size() == 1)
        look.parts.push_back({Sphere{shape.particles[0].radius}, {shape.particles[0].offset, {}}});
    else look.parts.push_back({Box{shape.half_size.x, shape.half_size.y, shape.half_size.z}, {}});
    return look;
}

void look_at_rigid(const Scene& scene, const World& world, Looks& looks) {
    const RigidScene& rigid = *scene.rigid;
    for (const RigidShape& shape : rigid.shapes) looks.shapes.push_back(rigid_look(shape));
    std::map<float, std::uint32_t> balls; // shot since, by radius
    const std::vector<BodyId> ids = world.bodies();
    looks.bodies.reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        BodyLook body;
        body.type = world.type(ids[i]);
        body.mass = world.mass(ids[i]).mass;
        if (i < rigid.bodies.size()) {
            body.shape = rigid.bodies[i].shape;
            body.name = rigid.bodies[i].name;
        } else {
            const Geometry ball = world.geometry(world.shapes(ids[i]).front());
            const float radius = std::get<Sphere>(ball).radius;
            const auto [known, is_new] =
                balls.try_emplace(radius, static_cast<std::uint32_t>(looks.shapes.size()));
            if (is_new) looks.shapes.push_back({"shot " + decimal(radius), {{ball, {}}}, {}, double{radius}});
            body.shape = known->second;
        }
        looks.bodies.push_back(std::move(body));
    }
    for (const RigidJointDef& joint : rigid.joints) {
        const auto local = [&](std::uint32_t body) {
            const BodyDef& def = rigid.bodies[body].body;
            return narrow(apply_inverse(wide(Pose{def.position, def.rotation}), wide(joint.anchor)));
        };
        JointLook look;
        look.type = joint.type;
        look.first = joint.first;
        look.second = joint.second;
        look.first_anchor = local(joint.first);
        look.second_anchor = joint.second ? local(*joint.second) : joint.anchor;
        look.axis =
            narrow(rotate(conjugate(wide(rigid.bodies[joint.first].body.rotation)), wide(joint.axis)));
        looks.joints.push_back(look);
    }
    looks.stage_names.assign(world_stage_names.begin(), world_stage_names.end());
}

void look_at_granular(const GranularWorld& world, Looks& looks) {
    std::uint32_t shapes = 0;
    for (const GranularBodyState& body : world.bodies()) {
        looks.bodies.push_back({body.shape, BodyType::dynamic, body.mass, {}});
        shapes = std::max(shapes, body.shape + 1);
    }
    for (std::uint32_t k = 0; k < shapes; ++k) looks.shapes.push_back(granular_look(world.shape(k)));
    looks.obstacles = world.obstacles();
    looks.ground = world.settings().ground;
    looks.walls = world.settings().walls ? world.settings().world_size : 0;
    looks.stage_names.assign(granular_stage_names.begin(), granular_stage_names.end());
}

void bound_scene(const Scene& scene, Looks& looks) {
    DVec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
    const auto widen = [&](Vec3 at, double reach) {
        if (!std::isfinite(reach)) return;
        low = {std::min(low.x, at.x - reach), std::min(low.y, at.y - reach), std::min(low.z, at.z - reach)};
        high = {std::max(high.x, at.x + reach), std::max(high.y, at.y + reach),
                std::max(high.z, at.z + reach)};
    };
    // what stands still is often a floor much larger than what happens on it
    if (scene.rigid) {
        for (const bool fixed : {false, true}) {
            for (const RigidBodyDef& body : scene.rigid->bodies)
                if ((body.body.type == BodyType::fixed) == fixed)
                    widen(body.body.position, looks.shapes[body.shape].reach);
            if (low.x <= high.x) break;
        }
    } else {
        for (const GranularBodyDef& body : scene.bodies) widen(body.position, looks.shapes[body.shape].reach);
    }
    if (!(low.x <= high.x)) low = {-1, -1, -1}, high = {1, 1, 1};
    // of a stream of bodies that falls from the sky only its foot can be seen
    const DVec3 size = high - low;
    const double middle =
        size.x + size.y + size.z - std::max({size.x, size.y, size.z}) - std::min({size.x, size.y, size.z});
    if (size.y > 24 * middle) high.y = low.y + 24 * middle;
    looks.low = narrow(low);
    looks.high = narrow(high);
}

} // namespace

bool is_plane(const Geometry& geometry) { return std::holds_alternative<Plane>(geometry); }

bool is_glass(const Geometry& geometry, const Pose& pose) {
    return render::is_wall(geometry, narrow(rotate(conjugate(wide(pose.rotation)), {0, 1, 0})));
}

Bounds bounds_of(const Geometry& geometry) {
    const auto box = [](double x, double y, double z) { return Bounds{{-x, -y, -z}, {x, y, z}}; };
    return std::visit(
        Overloaded{
            [&](const Sphere& s) { return box(s.radius, s.radius, s.radius); },
            [&](const Capsule& c) { return box(c.radius, double{c.half_height} + c.radius, c.radius); },
            [&](const Box& b) { return box(b.x, b.y, b.z); },
            [&](const Cylinder& c) { return box(c.radius, c.half_height, c.radius); },
            [&](const Cone& c) { return box(c.radius, c.half_height, c.radius); },
            [&](const Plane&) {
                return Bounds{{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
            },
            [&](const Hull& h) {
                Bounds bounds{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
                for (const Vec3& v : h.vertices()) {
                    bounds.low = min(bounds.low, wide(v));
                    bounds.high = max(bounds.high, wide(v));
                }
                return bounds;
            },
        },
        geometry);
}

Bounds bounds_of(const Geometry& geometry, const Pose& pose) {
    const Bounds own = bounds_of(geometry);
    if (is_plane(geometry)) return own;
    // a turned box around the box: the extents along each axis add up
    const DVec3 half = 0.5 * (own.high - own.low), middle = apply(wide(pose), 0.5 * (own.high + own.low));
    const DQuat turn = wide(pose.rotation);
    const DVec3 x = rotate(turn, {half.x, 0, 0}), y = rotate(turn, {0, half.y, 0}),
                z = rotate(turn, {0, 0, half.z});
    const DVec3 reach{std::abs(x.x) + std::abs(y.x) + std::abs(z.x),
                      std::abs(x.y) + std::abs(y.y) + std::abs(z.y),
                      std::abs(x.z) + std::abs(y.z) + std::abs(z.z)};
    return {middle - reach, middle + reach};
}

std::shared_ptr<Looks> make_looks(const Scene& scene, const World* rigid, const GranularWorld* granular) {
    auto looks = std::make_shared<Looks>();
    looks->version = looks->drawn = ++versions;
    looks->scene = scene.name;
    looks->title = scene.title;
    looks->kind = scene.kind();
    looks->settings.fitted_size = scene.fitted_size;
    looks->settings.settings = scene.settings;
    if (scene.rigid) {
        looks->settings.rigid.emplace();
        looks->settings.rigid->settings = scene.rigid->settings;
        looks->settings.rigid->time_step = scene.rigid->time_step;
    }
    if (rigid) look_at_rigid(scene, *rigid, *looks);
    else look_at_granular(*granular, *looks);
    bound_scene(scene, *looks);
    return looks;
}

} // namespace scree::view
