// SPDX-License-Identifier: MIT
// gles_stages.cpp — see gles_stages.h.
#include "impact2d/gles_stages.h"

#include "scree/error.h"

namespace scree::impact2d {

struct GlesStages::Streams {};
GlesStages::GlesStages(const std::array<Extent, array_count>&) {}
GlesStages::~GlesStages() = default;
void GlesStages::write(Array, std::span<const float>) {}
std::vector<float> GlesStages::read(Array) const { return {}; }
void GlesStages::run(StageId, const ImpactParams&) {}
float GlesStages::least(Array) { return 0; }
void GlesStages::finish() {}

std::unique_ptr<GlesStages> open_gles_stages(const std::array<Extent, array_count>&) {
    throw Error("the library was built without OpenGL ES", "device gles");
}

} // namespace scree::impact2d
