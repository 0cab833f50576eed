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

/// What a vertex takes of the moves of up to four of the next coarser level; weights add up to 1.
struct FabricBlend {
    std::array<std::uint32_t, 4> vertex;
    std::array<float, 4> weight;
};
/// A share of a vertex in a mean.
struct FabricShare {
    std::uint32_t vertex;
    float weight;
};
/// A coarser cloth (levels.h). Links and blends use its own numbers.
struct FabricLevel {
    std::vector<std::uint32_t> vertex; ///< of the cloth: where these are held, so is the level's
    /// of the next finer level: means that are the level's vertices, one after the other
    std::vector<FabricShare> shares;
    std::vector<std::uint32_t> first_share; ///< of each, and the end
    std::vector<float> mass;       ///< kg, that of the cloth's vertices in the shares in which they follow
    std::vector<FabricEdge> links; ///< only hold when they are longer than at rest
    std::vector<std::uint32_t> link_colour;
    std::uint32_t link_colours = 0;
    std::vector<FabricBlend> blend; ///< of the vertices of the next finer level, at first the cloth
};

/// Numbers are the cloth's own.
struct FabricPlan {
    std::vector<float> mass; ///< kg, of vertices
    std::vector<FabricEdge> edges;
    std::vector<FabricHinge> hinges;
    std::vector<std::array<FabricTether, 2>> tethers;     ///< of vertices
    std::vector<std::uint32_t> edge_colour, hinge_colour; ///< which constraints may be solved together
    std::uint32_t edge_colours = 0, hinge_colours = 0;
    std::vector<FabricLevel> levels; ///< finest first; none of small cloths
};

/// Of a definition that check(ClothDef) has passed. `held` are pins that do not yield: tethers go to them.
FabricPlan plan_fabric(const ClothDef& cloth, const std::vector<std::uint32_t>& held);

std::vector<float> masses_of(const ClothDef& cloth); ///< kg, of vertices

/// Throws Error that names the triangle, vertex or value; pins' bodies are not looked at.
void check(const ClothDef& cloth);

} // namespace scree
