// SPDX-License-Identifier: MIT
// gpu_culling.h — culling, levels of detail and the numbers of draws on the GPU, from the poses that lie there (shaders/cull.glsl).
//
// Each frame has jobs: a view of an item. A job fills a list of record numbers for each level, as long as all of the item's records, and
// three commands of draws a level: clusters, what is left of them, edges. What the host reads back are the items' bounds, from which it fits
// camera and cascades, and how many were seen in the frame before.
#pragma once

#include "render/culling.h"
#include "render/frame_constants.h"
#include "render/instances.h"
#include "render/mesh.h"
#include "render/programs.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::render {

/// The twin is Job in shaders/cull.glsl.
struct CullJob {
    std::array<Quad, 6> planes{};
    Quad eye{};
    std::array<float, most_levels> beyond{};
    std::uint32_t first_listed = 0, count = 0, first_group = 0, groups = 0;
    std::uint32_t levels = 1, plane_count = 0, first_out = 0, stride = 0;
    std::uint32_t first_command = 0, commands = 0, casters = 0, result = 0;
    std::array<std::uint32_t, 4> level_for{};
    std::uint32_t bins = 1;
    float nearest = 0, bin_scale = 0;
    std::uint32_t keys = 1; ///< levels, bins, even and odd places
    std::uint32_t first_key = 0, first_count = 0, unused[2] = {};
    std::array<std::array<std::uint32_t, 4>, most_levels> triangles{}, lines{};
};
static_assert(sizeof(CullJob) == 496);

class GpuCulling {
public:
    GpuCulling(Backend& backend, const MeshStore& meshes, InstanceStore& instances, ProgramStore& programs)
        : backend_(backend), meshes_(meshes), instances_(instances), programs_(programs) {}

    /// A new set of items: begin_items(), then add_item() in their order. Those without bounds have none to measure.
    void begin_items();
    void add_item(std::span<const std::uint32_t> records, bool bounded);
    void end_items();
    /// The bounds of all items, as of the poses that are there now; waits for them.
    void measure(std::vector<Bounds>& bounds);

    /// Gives its buffers back; begin_items() is next.
    void release();

    /// A new frame, then its jobs.
    void begin_frame();
    /// With planes, eye, levels and so on as given; the meshes of its commands. Returns its first command; `first` is where the list of the
    /// first level begins in ids(), the next is `stride` later.
    struct Lists {
        std::uint32_t command = 0, first = 0, stride = 0;
    };
    Lists add(std::uint32_t item, CullJob job, std::span<const MeshId> meshes);
    /// Uploads the jobs and runs them. Binds programs and textures of its own.
    void run();

    BufferId ids() const { return ids_; }
    BufferId commands() const { return commands_; }
    static constexpr std::size_t command_bytes = 20;
    static constexpr std::uint32_t commands_each = 3;
    /// Records that the main views of the last measured frame had.
    std::uint32_t seen_before() const { return seen_before_; }
    /// Jobs up to now are those of the main view.
    void end_main_view() { main_jobs_ = static_cast<std::uint32_t>(jobs_.size()); }

private:
    struct Item {
        std::uint32_t first = 0, count = 0;
        bool bounded = true;
    };
    void grow(Owned<BufferId>& buffer, std::size_t& size, std::size_t bytes);
    void send_jobs(Owned<BufferId>& buffer, std::size_t& size, const std::vector<CullJob>& jobs,
                   std::uint32_t groups);
    void bind();

    Backend& backend_;
    const MeshStore& meshes_;
    InstanceStore& instances_;
    ProgramStore& programs_;
    std::vector<Item> items_;
    std::vector<std::uint32_t> listed_;
    std::vector<float> sizes_;
    std::vector<CullJob> jobs_, bound_jobs_;
    std::vector<std::byte> job_bytes_;
    std::vector<std::uint32_t> results_;
    std::uint32_t groups_ = 0, keys_ = 0, counts_used_ = 0, bound_groups_ = 0, outs_ = 0, slots_ = 0;
    std::uint32_t main_jobs_ = 0, main_before_ = 0, seen_before_ = 0;
    Owned<BufferId> totals_, job_buffer_, bound_buffer_, listed_buffer_, size_buffer_, counts_, ids_,
        commands_, result_buffer_;
    std::size_t totals_size_ = 0, job_size_ = 0, bound_size_ = 0, listed_size_ = 0, sizes_size_ = 0,
                counts_size_ = 0, ids_size_ = 0, commands_size_ = 0, results_size_ = 0;
};

} // namespace scree::render
