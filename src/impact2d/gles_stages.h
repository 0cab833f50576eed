// SPDX-License-Identifier: MIT
// gles_stages.h — impacts in stages as fragment passes of OpenGL ES 3.0 over float streams (scree/gles.h).
#pragma once

#include "impact2d/stages.h"

namespace scree::impact2d {

class GlesStages {
public:
    explicit GlesStages(const std::array<Extent, array_count>& extents);
    ~GlesStages();
    GlesStages(const GlesStages&) = delete;
    GlesStages& operator=(const GlesStages&) = delete;

    void write(Array array, std::span<const float> words);
    std::vector<float> read(Array array) const;
    void run(StageId id, const ImpactParams& params);
    float least(Array array);
    void finish();
    void draw(bool polygons, int most_corners, int side, float half);
    std::vector<std::uint8_t> image() const;

private:
    struct Streams;
    std::unique_ptr<Streams> streams_;
};

/// Throws Error if there is no OpenGL ES 3.0, or if the library was built without it.
std::unique_ptr<GlesStages> open_gles_stages(const std::array<Extent, array_count>& extents);

} // namespace scree::impact2d
