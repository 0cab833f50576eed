// SPDX-License-Identifier: MIT
// force_fields.cpp — fields and explosions of rigid scenes.
#include "scene/fields.h"
#include "scene/rigid/format.h"
#include "scene/rigid/parts.h"

#include <string_view>

namespace scree {

namespace {

template <class Fluid>
Fluid read_fluid(const Fields& fields) {
    Fluid fluid;
    fluid.velocity = fields.vector("velocity", {});
    fluid.density = fields.number("density", fluid.density, not_negative);
    fluid.drag = fields.number("drag", fluid.drag, not_negative);
    return fluid;
}

Water read_water(const Fields& fields) {
    Water water = read_fluid<Water>(fields);
    water.surface = fields.at("surface").vector();
    if (const auto normal = fields.find("normal")) {
        water.normal = normal->vector();
        if (water.normal == Vec3{}) normal->refuse("a normal longer than 0");
    }
    water.damping = fields.number("damping", water.damping, not_negative);
    return water;
}

Attractor read_attractor(const Fields& fields) {
    constexpr std::string_view falloffs[] = {"none", "linear", "square"};
    Attractor attractor;
    attractor.centre = fields.at("centre").vector();
    attractor.strength = fields.at("strength").number();
    attractor.radius = fields.number("radius", attractor.radius, positive);
    if (const auto falloff = fields.find("falloff"))
        attractor.falloff = static_cast<Attractor::Falloff>(falloff->choice(falloffs));
    attractor.core = fields.number("core", attractor.core, positive);
    return attractor;
}

} // namespace

ForceField read_force_field(const Field& entry) {
    const Fields fields(entry, format::force_field);
    const Field force = fields.only_one({"region"});
    const std::string_view key = fields.key_of(force);
    ForceField field;
    if (key == "wind") field.force = read_fluid<Wind>(Fields(force, format::wind));
    else if (key == "water") field.force = read_water(Fields(force, format::water));
    else field.force = read_attractor(Fields(force, format::attractor));
    if (const auto region = fields.find("region")) {
        const Fields corners(*region, format::region);
        field.region = ForceField::Region{corners.at("low").vector(), corners.at("high").vector()};
    }
    return field;
}

TimedExplosion read_explosion(const Field& entry) {
    const Fields fields(entry, format::explosion);
    TimedExplosion timed;
    timed.explosion.centre = fields.at("centre").vector();
    timed.explosion.radius = fields.at("radius").number(not_negative);
    timed.explosion.falloff = fields.number("falloff", 0, not_negative);
    timed.explosion.impulse = fields.at("impulse").number();
    if (const auto at = fields.find("at")) timed.at = at->number64(not_negative);
    return timed;
}

} // namespace scree
