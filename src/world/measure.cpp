// SPDX-License-Identifier: MIT
// measure.cpp — see measure.h.

#include "world/measure.h"

#include "collision/time_of_impact.h"
#include "geometry/hull.h"
#include "geometry/shapes.h"
#include "rigid/quads.h"
#include "world/joints.h"
#include "world/slots.h"

#include <algorithm>
#include <cmath>

namespace scree {

namespace {

// Sums over many bodies are taken in double; they decide nothing in the step.

/// Columns of the rotation's matrix: the body's axes in the world.
struct Axes {
    explicit Axes(const DQuat& q) {
        const double s = q.s, i = q.x, j = q.y, k = q.z;
        x = {1 - 2 * (j * j + k * k), 2 * (i * j + s * k), 2 * (i * k - s * j)};
        y = {2 * (i * j - s * k), 1 - 2 * (i * i + k * k), 2 * (j * k + s * i)};
        z = {2 * (i * k + s * j), 2 * (j * k - s * i), 1 - 2 * (i * i + j * j)};
    }
    DVec3 into_body(const DVec3& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
    DVec3 into_world(const DVec3& v) const { return x * v.x + y * v.y + z * v.z; }
    DVec3 x, y, z;
};

DVec3 inertia_times(const MassProperties& m, const DVec3& w) {
    const Vec3 &d = m.inertia, &p = m.products;
    return {d.x * w.x + p.x * w.y + p.y * w.z, p.x * w.x + d.y * w.y + p.z * w.z,
            p.y * w.x + p.z * w.y + d.z * w.z};
}

/// Of all bodies and cloths.
struct Momenta {
    DVec3 linear, angular;
};

void measure_bodies(const World::State& world, WorldMeasure& m, Momenta& sum) {
    const Bodies& bodies = world.bodies;
    const DVec3 gravity = wide(world.settings.gravity);
    double speeds = 0, heights = 0;
    std::uint32_t dynamic = 0;
    m.bodies = bodies.count;
    for (std::uint32_t b = 1; b < bodies.record.size(); ++b) {
        const BodyRecord& record = bodies.record[b];
        if (!record.alive) continue;
        m.asleep += record.asleep;
        m.frozen += record.frozen;
        if (record.type != BodyType::dynamic || record.frozen) continue;
        const double mass = record.mass.mass;
        const DVec3 x = exact_centre_of(bodies, b), v = exact_velocity_of(bodies, b);
        const Axes axes(exact_rotation_of(bodies, b));
        const DVec3 w = axes.into_body(exact_spin_of(bodies, b));
        const DVec3 l = inertia_times(record.mass, w);
        m.kinetic_energy += 0.5 * (mass * dot(v, v) + dot(w, l));
        m.potential_energy -= mass * double{record.gravity_scale} * dot(gravity, x);
        sum.linear += v * mass;
        sum.angular += cross(x, v) * mass;
        sum.angular += axes.into_world(l);
        const double speed = length(v);
        speeds += speed;
        heights += x.y;
        m.max_speed = std::max(m.max_speed, speed);
        m.top = dynamic == 0 ? x.y : std::max(m.top, x.y);
        m.bottom = dynamic == 0 ? x.y : std::min(m.bottom, x.y);
        ++dynamic;
    }
    if (dynamic == 0) return;
    m.mean_speed = speeds / dynamic;
    m.mean_height = heights / dynamic;
}

void measure_cloths(const World::State& world, WorldMeasure& m, Momenta& sum) {
    const DVec3 gravity = wide(world.settings.gravity);
    const auto quad = [](const auto& quads, std::size_t v) {
        return DVec3{double{quads[4 * v]}, double{quads[4 * v + 1]}, double{quads[4 * v + 2]}};
    };
    bool fetched = false;
    for (const ClothRecord& cloth : world.cloths.record) {
        if (!cloth.alive) continue;
        if (!fetched) world.simulation->fetch_cloths();
        fetched = true;
        for (std::size_t i = 0; i < cloth.mass.size(); ++i) {
            const double mass = cloth.mass[i];
            const DVec3 x = quad(cloth.position, i), v = quad(cloth.velocity, i);
            m.kinetic_energy += 0.5 * mass * dot(v, v);
            m.potential_energy -= mass * dot(gravity, x);
            sum.linear += v * mass;
            sum.angular += cross(x, v) * mass;
        }
    }
}

/// A contact's points where its bodies are now.
struct PlacedContact {
    PlacedContact(const RigidStorage& world, const Contact& contact)
        : a(exact_rotation_of(world.bodies, contact.body_a)),
          b(exact_rotation_of(world.bodies, contact.body_b)),
          centre_a(exact_centre_of(world.bodies, contact.body_a)),
          centre_b(exact_centre_of(world.bodies, contact.body_b)),
          normal(DVec3{contact.normal[0], contact.normal[1], contact.normal[2]}) {}

    struct Point {
        DVec3 position;
        double separation;
    };
    Point point(const Contact::Point& p) const {
        const DVec3 on_a = a.into_world({p.anchor_a[0], p.anchor_a[1], p.anchor_a[2]}) + centre_a;
        const DVec3 on_b = b.into_world({p.anchor_b[0], p.anchor_b[1], p.anchor_b[2]}) + centre_b;
        const DVec3 gap = on_b - on_a;
        return {on_a + gap * 0.5, dot(gap, normal)};
    }

    Axes a, b;
    DVec3 centre_a, centre_b, normal;
};

bool touches(const Contact& contact) { return contact.shape_a != none && contact.count > 0; }

/// How deep the two shapes of a contact overlap now, by GJK: manifolds of Solver::impact are those with which its step began.
double overlap_now(const World::State& world, const Contact& contact) {
    struct Placed {
        Placed(const World::State& world, std::uint32_t s) {
            const ShapeRecord& shape = world.shapes.record[s];
            if (shape.type == ShapeType::hull) words = hull_words(shape.hull.geometry());
            geometry = {shape.type, shape.size, shape.radius, words.empty() ? nullptr : words.data()};
            pose = exact_pose_of(world, shape);
        }
        std::vector<std::uint32_t> words;
        ConvexGeometry geometry;
        DPose pose;
    };
    const Placed a(world, contact.shape_a), b(world, contact.shape_b);
    return std::max(0.0, -gap_between(a.geometry, a.pose, b.geometry, b.pose).distance);
}

void measure_contacts(const World::State& world, WorldMeasure& m) {
    std::vector<double> overlaps; // the deepest of each contact
    const bool impact = world.settings.solver == Solver::impact;
    const auto senses = [&](std::uint32_t s) { return world.shapes.record[s].definition.sensor; };
    for (const Contact& contact : world.simulation->contacts()) {
        if (impact && contact.shape_a != none && !senses(contact.shape_a) && !senses(contact.shape_b)) {
            const double overlap = overlap_now(world, contact);
            if (overlap > 0 || touches(contact)) overlaps.push_back(overlap);
            m.points += contact.count;
            continue;
        }
        if (!touches(contact)) continue;
        const PlacedContact placed(world, contact);
        double deepest = 0;
        for (std::uint32_t k = 0; k < contact.count; ++k)
            deepest = std::max(deepest, -placed.point(contact.point[k]).separation);
        overlaps.push_back(deepest);
        m.points += contact.count;
    }
    m.contacts = overlaps.size();
    if (overlaps.empty()) return;
    // contacts come in no particular order; the sum shall not depend on it
    std::sort(overlaps.begin(), overlaps.end());
    double sum = 0;
    for (const double overlap : overlaps) sum += overlap;
    m.mean_overlap = sum / static_cast<double>(overlaps.size());
    m.max_overlap = overlaps.back();
    m.p99_overlap = overlaps[(overlaps.size() * 99 + 99) / 100 - 1];
}

} // namespace

WorldMeasure measure_world(const World::State& world) {
    WorldMeasure m;
    Momenta sum;
    measure_bodies(world, m, sum);
    measure_cloths(world, m, sum);
    m.momentum = narrow(sum.linear);
    m.angular_momentum = narrow(sum.angular);
    measure_contacts(world, m);
    m.inside = world.simulation->inside_sensors();
    for (std::uint32_t j = 0; j < world.joints.record.size(); ++j) {
        if (!world.joints.record[j].alive) continue;
        const World::JointError error = joint_error(world, j);
        m.joint_error = std::max(m.joint_error, double{error.distance});
        m.joint_angle = std::max(m.joint_angle, double{error.angle});
    }
    return m;
}

ContactInfo contact_info(const RigidStorage& world, const Contact& contact, std::uint8_t colour) {
    const auto shape_id = [&](std::uint32_t s) { return ShapeId{s, world.shapes.record[s].generation}; };
    const auto body_id = [&](std::uint32_t b) { return BodyId{b, world.bodies.record[b].generation}; };
    const PlacedContact placed(world, contact);
    ContactInfo info{shape_id(contact.shape_a),
                     shape_id(contact.shape_b),
                     body_id(contact.body_a),
                     body_id(contact.body_b),
                     narrow(placed.normal),
                     static_cast<int>(contact.count),
                     {},
                     colour,
                     contact.sub_shape};
    for (std::uint32_t k = 0; k < contact.count; ++k) {
        const auto [position, separation] = placed.point(contact.point[k]);
        info.points[k] = {narrow(position), static_cast<float>(separation), contact.point[k].normal_impulse,
                          contact.point[k].feature};
    }
    return info;
}

ContactInfo contact_info(const RigidStorage& world, const SweptTouch& touch) {
    const ShapeRecord& other = world.shapes.record[touch.other];
    const NearestPoint nearest = nearest_point(geometry_of(other), touch.middle);
    // of a middle that has come in, back the way it came
    const DVec3 out = nearest.inside || !(nearest.distance > 0) ? -touch.way : touch.middle - nearest.point;
    const DPose pose = exact_pose_of(world, other);
    DVec3 normal = length(out) > 0 ? rotate(pose.rotation, normalized(out)) : DVec3{0, 1, 0};
    const auto [a, b] = std::minmax(touch.shape, touch.other);
    if (a == touch.shape) normal = -normal; // from the first to the second
    const auto body_id = [&](std::uint32_t s) {
        const std::uint32_t body = world.shapes.record[s].body;
        return BodyId{body, world.bodies.record[body].generation};
    };
    ContactInfo info{{a, world.shapes.record[a].generation},
                     {b, world.shapes.record[b].generation},
                     body_id(a),
                     body_id(b),
                     narrow(normal),
                     1,
                     {},
                     no_colour_told,
                     nearest.sub_shape};
    info.points[0].position = narrow(apply(pose, nearest.inside ? touch.middle : nearest.point));
    return info;
}

std::vector<ContactInfo> touching_pairs(const World::State& world, std::uint32_t body) {
    const std::span<const Contact> all = world.simulation->contacts();
    const std::span<const std::uint8_t> colours = world.simulation->contact_colours();
    std::vector<const Contact*> contacts;
    const auto take = [&](const Contact& contact) {
        if (touches(contact)) contacts.push_back(&contact);
    };
    if (body == none) {
        for (const Contact& contact : all) take(contact);
    } else if (const auto own = world.simulation->contacts_of(body)) {
        for (const std::uint32_t c : *own) take(all[c]);
    } else {
        for (const Contact& contact : all)
            if (contact.body_a == body || contact.body_b == body) take(contact);
    }
    std::sort(contacts.begin(), contacts.end(), [](const Contact* a, const Contact* b) {
        if (a->shape_a != b->shape_a) return a->shape_a < b->shape_a;
        return a->shape_b != b->shape_b ? a->shape_b < b->shape_b : a->slot < b->slot;
    });
    std::vector<ContactInfo> pairs;
    pairs.reserve(contacts.size());
    for (const Contact* contact : contacts) {
        const auto at = static_cast<std::size_t>(contact - all.data());
        pairs.push_back(contact_info(world, *contact, colours.empty() ? no_colour_told : colours[at]));
    }
    return pairs;
}

} // namespace scree
