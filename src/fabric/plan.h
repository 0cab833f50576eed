// SPDX-License-Identifier: MIT
// plan.h — the constraints of a cloth, from its triangles: masses, edges, hinges, tethers, and the colours in which they are solved.
#pragma once

#include "scree/cloth_def.h"

#include <array>
#include <cstdint>
#include <vector>

namespace scree {

struct FabricEdge {
    std::array<std::uint32_t, 2> vertex;
    float rest;       ///< m
    float compliance; ///< m/N
};
/// Two triangles with a common edge: vertices 0 and 1 are its ends, 2 and 3 are opposite.
struct FabricHinge {
    std::array<std::uint32_t, 4> vertex;
    std::array<float, 4> weight; ///< their sum is zero, and so is the weighted sum of the vertices when flat
    float rest;                  ///< length of that sum at rest
    float compliance;
};
struct FabricTether {
    std::uint32_t vertex; ///< a pin; the own number: none
    float length;         ///< m
};

/// Numbers are the cloth's own.
struct FabricPlan {
    std::vector<float> mass; ///< kg, of vertices
    std::vector<FabricEdge> edges;
    std::vector<FabricHinge> hinges;
    std::vector<std::array<FabricTether, 2>> tethers;     ///< of vertices
    std::vector<std::uint32_t> edge_colour, hinge_colour; ///< which constraints may be solved together
    std::uint32_t edge_colours = 0, hinge_colours = 0;
};

/// Of a definition that check(ClothDef) has passed. `held` are pins that do not yield: tethers go to them.
FabricPlan plan_fabric(const ClothDef& cloth, const std::vector<std::uint32_t>& held);

std::vector<float> masses_of(const ClothDef& cloth); ///< kg, of vertices

/// Throws Error that names the triangle, vertex or value; pins' bodies are not looked at.
void check(const ClothDef& cloth);

} // namespace scree
