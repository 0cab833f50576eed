// SPDX-License-Identifier: MIT
// stages.h — the arrays of impacts in stages and the passes over them, on the CPU or by OpenGL ES. The layout is drawn in
// kernels/impact_params.h.
#pragma once

#include "impact2d/drawing.h"
#include "impact2d/kernels.h"
#include "scree/staged_impact.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scree::impact2d {

using kernels::ImpactParams;

enum class Array { place, motion, index, vertex, box, candidate, pair, impulse, change, error, count };
constexpr std::size_t array_count = static_cast<std::size_t>(Array::count);

// clang-format off
#define SCREE_IMPACT_STAGES(S)                                                                                \
    S(circle_bisect) S(circle_advance_free) S(circle_advance_summed) S(circle_change) S(circle_impulse)       \
    S(circle_advance_together)                                                                                \
    S(polygon_box) S(polygon_candidate) S(polygon_bisect) S(polygon_bisect_wrong) S(polygon_change)           \
    S(polygon_impulse) S(polygon_advance_free) S(polygon_advance_hit)
// clang-format on

enum class StageId {
#define SCREE_NAME(name) name,
    SCREE_IMPACT_STAGES(SCREE_NAME)
#undef SCREE_NAME
        count
};
constexpr std::size_t stage_count = static_cast<std::size_t>(StageId::count);

/// What a pass reads and writes; one item for each of the first array that it writes.
struct Stage {
    const char* name;
    std::vector<Array> inputs, outputs;
};
const Stage& stage(StageId id);

struct ArrayLayout {
    const char* name;     ///< in the kernels' view
    const char* out_name; ///< where it is written
    int words;            ///< of an item
    bool pairs;           ///< n x n items; else n, or those of the vertices
    bool doubled;         ///< read and written by one pass
};
const ArrayLayout& layout(Array array);

/// Items of an array, in a rectangle.
struct Extent {
    std::uint32_t width = 0, height = 0;
};
/// Throws Error if there are too many bodies for the pairs to be numbered.
std::array<Extent, array_count> extents(bool polygons, std::uint32_t bodies, std::uint32_t vertex_items);

class CpuStages {
public:
    explicit CpuStages(const std::array<Extent, array_count>& extents);

    void write(Array array, std::span<const float> words);
    std::vector<float> read(Array array) const;
    void run(StageId id, const ImpactParams& params);
    /// The least fourth word of an array's items.
    float least(Array array);

    kernels::ImpactView view(); ///< of what passes read
private:
    std::array<Extent, array_count> extents_;
    std::array<std::array<std::vector<float>, 2>, array_count> arrays_; ///< to read, to write
    std::array<std::vector<float>, 2> levels_;
};

class GlesStages;

/// Either of them.
class Stages {
public:
    Stages(const std::string& device, const std::array<Extent, array_count>& extents);
    ~Stages();

    void write(Array array, std::span<const float> words);
    std::vector<float> read(Array array) const;
    void run(StageId id, const ImpactParams& params);
    float least(Array array);
    void finish(); ///< waits
    /// `most_corners`: of a body.
    void draw(bool polygons, std::uint32_t bodies, int most_corners, int side, float half);
    std::vector<std::uint8_t> image() const; ///< of the last draw()

private:
    std::unique_ptr<CpuStages> cpu_;
    Picture picture_;
    std::unique_ptr<GlesStages> gles_;
};

} // namespace scree::impact2d
