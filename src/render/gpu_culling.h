// SPDX-License-Identifier: MIT
// gpu_culling.h — culling, levels of detail and the numbers of draws on the GPU, from the poses that lie there (shaders/cull.glsl).
//
// Each frame has jobs: a view of an item. A job fills a list of record numbers for each level, as long as all of the item's records, and
// three commands of draws a level: clusters, what is left of them, edges. What the host reads back are the items' bounds, from which it fits
// camera and cascades, and how many were seen in the frame before.
//
// What others hide is left out in turns: a view's first job draws what the last frame did not hide, take_depths() reads what that left in the
// view's depths, and the second job draws what still shows.
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
    std::array<Quad, 4> rows{};
    std::array<float, 2> size{};
    float slack = 0, unused3 = 0;
    std::uint32_t turn = 0, first_hidden = 0, first_cell = 0, unused2 = 0;
};
static_assert(sizeof(CullJob) == 592);

/// A view in which what is hidden is left out. Needs the view's depths between the turns.
struct HidingView {
    Mat4 matrix;                  ///< to clip space
    int width = 0, height = 0;    ///< pixels
    std::uint32_t number = 0;     ///< of the view: what was hidden is known of each
    std::uint32_t first_cell = 0; ///< GpuCulling::add_cells
};
constexpr std::uint32_t most_hiding_views = 5; ///< the camera's and four cascades

/// When a job runs: with the frame; or after the depths of the casters, or of the view, are known.
enum class Turn : std::uint8_t { first, casters, view };
constexpr std::size_t turns = 3;

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
    Lists add(std::uint32_t item, CullJob job, std::span<const MeshId> meshes, Turn turn = Turn::first);
    /// Makes the job one that leaves out what is hidden.
    void hide(CullJob& job, const HidingView& view, Turn turn) const;
    /// Room for the depths of so many pixels; returns where.
    std::uint32_t add_cells(int width, int height);
    /// Takes those of a depth texture, by the constants that are bound: the window, and extra.x as of add_cells().
    void take_depths(TextureId depths, bool several_samples, int width, int height);
    /// Uploads the jobs and runs them. Binds programs and textures of its own. The first turn allocates for all.
    void run(Turn turn = Turn::first);

    BufferId ids() const { return ids_; }
    BufferId commands() const { return commands_; }
    static constexpr std::size_t command_bytes = 20;
    static constexpr std::uint32_t commands_each = 3;
    /// Records that the main views of the last measured frame had.
    std::uint32_t seen_before() const { return seen_before_; }
    /// Jobs up to now are those of the main view.
    void end_main_view() { main_jobs_ = static_cast<std::uint32_t>(sets_[0].jobs.size()); }

private:
    struct Item {
        std::uint32_t first = 0, count = 0;
        bool bounded = true;
    };
    /// The jobs of a turn.
    struct Set {
        std::vector<CullJob> jobs;
        std::uint32_t groups = 0, keys = 0, counts = 0;
        Owned<BufferId> buffer;
        std::size_t size = 0;
    };
    /// True where it is a new one.
    bool grow(Owned<BufferId>& buffer, std::size_t& size, std::size_t bytes);
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
    std::array<Set, turns> sets_;
    std::vector<CullJob> bound_jobs_;
    std::vector<std::byte> job_bytes_;
    std::vector<std::uint32_t> results_;
    std::uint32_t bound_groups_ = 0, outs_ = 0, slots_ = 0, cells_used_ = 0, record_room_ = 0;
    std::uint32_t main_jobs_ = 0, main_before_ = 0, seen_before_ = 0;
    Owned<BufferId> totals_, shown_, cells_, bound_buffer_, listed_buffer_, size_buffer_, counts_, ids_,
        commands_, result_buffer_;
    std::size_t totals_size_ = 0, shown_size_ = 0, cells_size_ = 0, bound_size_ = 0, listed_size_ = 0,
                sizes_size_ = 0, counts_size_ = 0, ids_size_ = 0, commands_size_ = 0, results_size_ = 0;
};

} // namespace scree::render
