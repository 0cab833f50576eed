// SPDX-License-Identifier: MIT
// checks.cpp — see checks.h. The ranges are those of the thesis' table 4.1, wider where its experiments leave them.
#include "cloth/checks.h"

#include "cloth/grid.h"
#include "scree/error.h"
#include "text/checks.h"

#include <cstdint>
#include <string>

namespace scree {
namespace {

void check_each(const Vec3& value, double low, double high, const std::string& where, const char* expected) {
    check_within(value.x, low, high, where + ".x", expected);
    check_within(value.y, low, high, where + ".y", expected);
    check_within(value.z, low, high, where + ".z", expected);
}

} // namespace

void check(const ClothSettings& s) {
    check_one_of(s.model, ClothModel::position_based, "model", "mass_spring or position_based");
    check_within(s.time_step, 1e-5f, 1, "time_step", "0.00001 to 1 s");
    check_within(s.substeps, 0, 10000, "substeps", "0 (automatic) to 10000");
    check_each(s.gravity, -10, 10, "gravity", "-10 to 10 m/s²");
    check_within(s.mass, 0.1f, 50, "mass", "0.1 to 50 kg");
    check_within(s.drag, 0, 0.99f, "drag", "0 to 0.99");
    check_within(s.stiffness, 0, 1000, "stiffness", "0 to 1000");
    check_within(s.damping, -20, 0, "damping", "-20 to 0");
    check_each(s.group_stiffness, 0, 10, "group_stiffness", "factors from 0 to 10");
    check_each(s.group_damping, 0, 10, "group_damping", "factors from 0 to 10");
    check_within(s.width, 1, 50, "width", "1 to 50 m");
    check_within(s.length, 1, 50, "length", "1 to 50 m");
    check_within(s.edges_x, 0, 2046, "edges_x", "0 to 2046");
    check_within(s.edges_z, 0, 2046, "edges_z", "0 to 2046");
    check_within(s.iterations, 1, 1000, "iterations", "1 to 1000");
    if (s.self_neighbours != 0 && s.self_neighbours != 4 && s.self_neighbours != 8)
        refuse(s.self_neighbours, "self_neighbours", "0, 4 or 8");
    check_within(s.radius_share, 0, 0.5, "radius_share", "0 to 0.5");
    check_within(s.friction, 0, 10, "friction", "0 to 10");
}

void check(const ClothSheetDef& sheet, const ClothSettings& settings) {
    check_finite(sheet.position, "position");
    unit_rotation(sheet.rotation, "rotation");
    const std::uint32_t vertices = facts_of(settings).vertices;
    if (!sheet.pins) return;
    for (std::size_t k = 0; k < sheet.pins->size(); ++k)
        if ((*sheet.pins)[k] >= vertices)
            refuse((*sheet.pins)[k], "pins[" + std::to_string(k) + "]",
                   "a vertex of the sheet, 0 to " + std::to_string(vertices - 1));
}

void check_vertices(const ClothSettings& settings, std::size_t sheets) {
    constexpr std::uint64_t most = 1u << 28;
    const std::uint64_t vertices = std::uint64_t{facts_of(settings).vertices} * sheets;
    if (vertices > most)
        throw Error(std::to_string(vertices) + " vertices are too many; at most " + std::to_string(most) +
                        " are possible",
                    "sheets");
}

void check(const ClothCollider& c) {
    check_one_of(c.kind, ClothCollider::Kind::box, "kind", "sphere or box");
    check_finite(c.position, "position");
    check_finite(c.velocity, "velocity");
    check_positive(c.size.x, "size.x");
    if (c.kind == ClothCollider::Kind::sphere) return;
    check_positive(c.size.y, "size.y");
    check_positive(c.size.z, "size.z");
}

} // namespace scree
