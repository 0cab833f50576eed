// SPDX-License-Identifier: MIT
// measure.h — quantities of a whole granular world.
#pragma once

#include "granular/arrays.h"

namespace scree {

/// Brings the grid up to date on the device and measures there; energies on the host in double precision.
GranularMeasure measure_world(GranularArrays& arrays, const std::vector<GranularShape>& shapes,
                              const GranularBodies& bodies, const GranularSettings& settings);

/// Pairs (lower, higher) where a particle's centre lies inside the other body's bounding box.
std::vector<std::array<std::uint32_t, 2>> interlocked_bodies(const std::vector<ParticleState>& particles,
                                                             const std::vector<GranularShape>& shapes,
                                                             const GranularBodies& bodies);

} // namespace scree
