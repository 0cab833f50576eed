// SPDX-License-Identifier: MIT
// structures.cpp — generators that make their own shapes: container, funnel, arch, card house, molecule; see
// bodies.h. Their origin is the middle of their underside, but for the molecule, which has it in its centre.
#include "scene/look.h"
#include "scene/rigid/bodies.h"

#include <cmath>

namespace scree {
namespace {

double wide(float number) { return static_cast<double>(number); }
Vec3 narrow(double x, double y, double z) {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

/// A box as a part, by its half sides.
RigidShape::Part box_part(double x, double y, double z, DVec3 position, Quat rotation = {}) {
    RigidShape::Part part;
    part.geometry = Box{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
    part.definition.position = narrow(position);
    part.definition.rotation = rotation;
    return part;
}

RigidShape only(const Geometry& geometry) {
    RigidShape shape;
    shape.parts.push_back({geometry, {}});
    return shape;
}

Quat about_z(double degrees) { return rotation_by_degrees({0, 0, 1}, degrees).value_or(Quat{}); }
/// Turns the y axis into this direction, which has a length.
Quat tilt(DVec3 direction) { return rotation_from_y(direction).value_or(Quat{}); }

} // namespace

// a floor and four walls of thick boxes; the origin is the middle of the floor's upper side
void RigidBodyList::container(const Fields& fields) {
    Vec3 inner = fields.at("inner").vector(positive);
    double t = wide(fields.number("thickness", 1, positive)) / 2;
    double x = wide(inner.x) / 2, y = wide(inner.y) / 2, z = wide(inner.z) / 2;
    RigidShape shape;
    shape.parts = {box_part(x + 2 * t, t, z + 2 * t, {0, -t, 0}), box_part(t, y, z + 2 * t, {-x - t, y, 0}),
                   box_part(t, y, z + 2 * t, {x + t, y, 0}), box_part(x, y, t, {0, y, -z - t}),
                   box_part(x, y, t, {0, y, z + t})};
    // glass walls show what is inside; paint with an opacity is meant for them too
    const auto paint = fields.find("paint");
    const bool walls = paint && read_paint(*paint).opacity;
    add_fixed(fields, std::move(shape), fields.vector("origin", {}), walls ? 5 : 1);
}

// four slanted boards around a square hole; the origin is the middle of the hole
void RigidBodyList::funnel(const Fields& fields) {
    double top = wide(fields.at("top").number(positive)), hole = wide(fields.at("hole").number(positive)),
           height = wide(fields.at("height").number(positive)),
           t = wide(fields.number("thickness", 1, positive)) / 2;
    if (!(hole < top)) fields.at("hole").refuse("a width less than \"top\" (" + shown(top) + ")");
    double run = (top - hole) / 2, slant = std::sqrt(run * run + height * height);
    // a board's middle, from the axis outwards and upwards: half-way along its inner side, then half its thickness out
    double out = (top + hole) / 4 + t * height / slant, up = height / 2 - t * run / slant;
    double half_width = top / 2 + 2 * t;
    RigidShape shape;
    shape.parts = {box_part(t, slant / 2, half_width, {out, up, 0}, tilt({run, height, 0})),
                   box_part(t, slant / 2, half_width, {-out, up, 0}, tilt({-run, height, 0})),
                   box_part(half_width, slant / 2, t, {0, up, out}, tilt({0, height, run})),
                   box_part(half_width, slant / 2, t, {0, up, -out}, tilt({0, height, -run}))};
    add_fixed(fields, std::move(shape), fields.vector("origin", {}), 4);
}

// a half circle of equal wedges that stands on its two ends
void RigidBodyList::arch(const Fields& fields) {
    Model stone = model(fields);
    Vec3 origin = fields.vector("origin", {});
    Field number = fields.at("stones");
    auto stones = static_cast<std::uint64_t>(number.integer(3, 10'000));
    double inner = wide(fields.at("radius").number(positive)),
           outer = inner + wide(fields.at("thickness").number(positive)),
           z = wide(fields.at("depth").number(positive)) / 2;
    double angle = 180 / static_cast<double>(stones), middle = (inner + outer) / 2;
    SineCosine half = of_degrees(angle / 2);
    std::vector<Vec3> points;
    for (double r : {inner, outer})
        for (double side : {-1.0, 1.0})
            for (double end : {-z, z})
                points.push_back(narrow(side * r * half.sine, r * half.cosine - middle, end));
    reserve(number, stones);
    try {
        stone.body.shape = add_shape(fields.field(), only(Hull::from_points(points)));
    } catch (const Error& error) {
        fields.field().fail(error.what());
    }
    for (std::uint64_t i = 0; i < stones; ++i) {
        double degrees = angle * (static_cast<double>(i) + 0.5); // from the right end
        SineCosine at = of_degrees(degrees);
        place(fields.field(), stone,
              {wide(origin.x) + middle * at.cosine, wide(origin.y) + middle * at.sine, wide(origin.z)},
              about_z(degrees - 90));
    }
}

// tents of two cards that lean against each other, flat cards from tent to tent, the next level upon those; the feet of
// a tent stand above the tops of the tents below
void RigidBodyList::card_house(const Fields& fields) {
    Model card = model(fields);
    Vec3 origin = fields.vector("origin", {});
    Vec3 size = fields.vector("half_size", {0.02f, 1, 0.6f}, positive); // thickness, height, width
    double t = wide(size.x), h = wide(size.y), gap = wide(fields.number("gap", 0.002f, not_negative));
    double lean = wide(fields.number("lean_degrees", 20, Range{1, 60}));
    Field number = fields.at("levels");
    auto levels = static_cast<std::uint64_t>(number.integer(1, 1000));
    SineCosine turn = of_degrees(lean);
    // a card's outermost points, from its middle
    double reach = t * turn.cosine + h * turn.sine, rise = t * turn.sine + h * turn.cosine;
    double pitch = 4 * reach + gap; // from tent to tent

    reserve(number, levels * (levels + 1) + levels * (levels - 1) / 2);
    std::uint32_t leaning = add_shape(fields.field(), only(Box{size.x, size.y, size.z}));
    std::uint32_t flat =
        add_shape(fields.field(), only(Box{static_cast<float>((pitch - gap) / 2), size.x, size.z}));
    rigid_->shapes[flat].name += ".flat";
    double floor = wide(origin.y);
    for (std::uint64_t level = 0; level < levels; ++level) {
        std::uint64_t tents = levels - level;
        double first = wide(origin.x) - pitch * static_cast<double>(tents - 1) / 2;
        for (std::uint64_t i = 0; i < tents; ++i) {
            double x = first + pitch * static_cast<double>(i);
            card.body.shape = leaning;
            place(fields.field(), card, {x - reach, floor + rise, wide(origin.z)}, about_z(-lean));
            place(fields.field(), card, {x + reach, floor + rise, wide(origin.z)}, about_z(lean));
        }
        card.body.shape = flat;
        for (std::uint64_t i = 0; i + 1 < tents; ++i)
            place(fields.field(), card,
                  {first + pitch * (static_cast<double>(i) + 0.5), floor + 2 * rise + t, wide(origin.z)});
        floor += 2 * rise + 2 * t;
    }
}

// side^3 balls, each joined to its neighbours along the axes: 3 side^2 (side - 1) joints (Peres 2008)
void RigidBodyList::molecule(const Fields& fields) {
    Model ball = model(fields);
    Vec3 origin = fields.vector("origin", {});
    float radius = fields.number("radius", 1, positive);
    double pitch = 2 * wide(radius) + wide(fields.number("gap", 0.5f, not_negative));
    Field number = fields.at("side");
    auto n = static_cast<std::uint64_t>(number.integer(1, 1000));
    reserve(number, n * n * n, 3 * n * n * (n - 1));
    ball.body.shape = add_shape(fields.field(), only(Sphere{radius}));
    double low = -pitch * static_cast<double>(n - 1) / 2;
    for (std::uint64_t i = 0; i < n * n * n; ++i) {
        const std::uint64_t site[3] = {i / (n * n), i / n % n, i % n};
        const double at[3] = {wide(origin.x) + low + pitch * static_cast<double>(site[0]),
                              wide(origin.y) + low + pitch * static_cast<double>(site[1]),
                              wide(origin.z) + low + pitch * static_cast<double>(site[2])};
        std::uint32_t now = place(fields.field(), ball, {at[0], at[1], at[2]});
        const std::uint64_t step[3] = {n * n, n, 1};
        for (int axis = 0; axis < 3; ++axis) {
            if (site[axis] == 0) continue;
            double between[3] = {at[0], at[1], at[2]};
            between[axis] -= pitch / 2;
            join(JointType::fixed, now - static_cast<std::uint32_t>(step[axis]), now,
                 {between[0], between[1], between[2]});
        }
    }
}

} // namespace scree
