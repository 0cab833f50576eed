// SPDX-License-Identifier: MIT
// stages.h — the arrays of impacts in stages and the passes over them, on any device. The layout is drawn in
// kernels/impact_params.h.
#pragma once

#include "device/device.h"
#include "impact2d/drawing.h"
#include "impact2d/kernels.h"
#include "scree/place.h"
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

/// The passes: all kernels but the reduction.
enum class StageId {
#define SCREE_NAME(Family, FAMILY, name) name,
    IMPACT_KERNELS(SCREE_NAME)
#undef SCREE_NAME
};
constexpr std::size_t stage_count = static_cast<std::size_t>(StageId::impact_least);

/// What a pass reads and writes; one item for each of the first array that it writes.
struct Stage {
    StageId id;
    std::vector<Array> inputs, outputs;
};
const Stage& stage(StageId id);
constexpr KernelId kernel_of(StageId id) {
    return static_cast<KernelId>(static_cast<unsigned>(first_impact_kernel) + static_cast<unsigned>(id));
}
inline const char* name_of(StageId id) { return kernel_names[static_cast<unsigned>(kernel_of(id))]; }

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

/// On a device of kernels: the CPU with its threads, CUDA, OpenCL.
class DeviceStages {
public:
    /// `most_memory` in bytes; 0: no limit.
    DeviceStages(std::shared_ptr<Device> device, const std::array<Extent, array_count>& extents,
                 std::uint64_t most_memory = 0);
    ~DeviceStages();
    DeviceStages(const DeviceStages&) = delete;
    DeviceStages& operator=(const DeviceStages&) = delete;

    void write(Array array, std::span<const float> words);
    std::vector<float> read(Array array) const;
    void run(StageId id, const ImpactParams& params);
    /// The least fourth word of an array's items.
    float least(Array array);
    void finish() { device_->finish(); }
    std::uint64_t bytes() const;

    /// Of what passes read, for kernels called by the host: on the CPU only.
    kernels::ImpactView view() const;
    bool on_host() const { return device_->host_view(buffer(Array::place)) != nullptr; }

private:
    const Buffer& buffer(Array array, std::size_t side = 0) const {
        return buffers_[static_cast<std::size_t>(array)][side];
    }
    const Extent& extent(Array array) const { return extents_[static_cast<std::size_t>(array)]; }
    Buffer zeros(std::size_t words);
    void release();
    void launch(KernelId kernel, std::uint32_t items, const ImpactParams& params, const Buffer& level,
                const Buffer& level_out);

    std::shared_ptr<Device> device_;
    std::uint64_t most_memory_;
    std::array<Extent, array_count> extents_;
    std::array<std::array<Buffer, 2>, array_count> buffers_{}; ///< to read, to write
    std::array<Buffer, 2> levels_{};                           ///< of the reduction to the least
};

class GlesStages;

/// Either of them.
class Stages {
public:
    Stages(const Place& place, const std::array<Extent, array_count>& extents);
    ~Stages();

    void write(Array array, std::span<const float> words);
    std::vector<float> read(Array array) const;
    void run(StageId id, const ImpactParams& params);
    float least(Array array);
    void finish();               ///< waits
    std::uint64_t bytes() const; ///< of the arrays
    /// `most_corners`: of a body.
    void draw(bool polygons, std::uint32_t bodies, int most_corners, int side, float half);
    std::vector<std::uint8_t> image() const; ///< of the last draw()
    const std::array<Extent, array_count>& extents() const { return extents_; }

private:
    std::array<Extent, array_count> extents_;
    std::unique_ptr<DeviceStages> device_;
    Picture picture_;
    std::unique_ptr<GlesStages> gles_;
};

/// What bodies are, in the memory of the host.
std::unique_ptr<DeviceStages> copied_to_host(const Stages& stages);

} // namespace scree::impact2d
