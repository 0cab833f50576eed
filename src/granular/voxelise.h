// SPDX-License-Identifier: MIT
// voxelise.h — the points of a lattice that lie inside a closed triangle mesh.
#pragma once

#include "scree/math.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree {

/// No shape may have more particles than this.
constexpr std::int64_t max_shape_particles = 10'000'000;

/// Points 2 radii apart, relative to the centre of the mesh's bounding box, z running fastest. The lattice is
/// centred in the box and has as many points along each side as diameters fit, rounded to the nearest: a box
/// whose sides are whole numbers of diameters is filled as shapes::cuboid fills it.
///
/// A point is inside where the surface winds around it, however often and in whichever sense. Throws Error,
/// with `where` as its place, when the mesh is not closed, encloses nothing or catches no point.
std::vector<Vec3> fill_mesh(float radius, std::span<const Vec3> vertices,
                            std::span<const std::uint32_t> triangles, const std::string& where);

} // namespace scree
