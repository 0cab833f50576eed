// SPDX-License-Identifier: MIT
// draw_list.h — the description tree flattened into lists, their visible part, and the draws.
//
// The scene analyser runs when the tree changes: one item for each leaf, in tree order, and lists of items with the same
// techniques. Each frame the visible records of each item are gathered by level of detail into batches; a batch is one
// instanced draw. How batches become draws depends on the mode (renderer.h).
#pragma once

#include "render/culling.h"
#include "render/frame_constants.h"
#include "render/gpu_culling.h"
#include "render/instances.h"
#include "render/level_view.h"
#include "render/lights.h"
#include "render/programs.h"
#include "render/renderer.h"
#include "render/scene_graph.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace scree::render {

constexpr std::uint32_t no_record = 0xffffffffu;
constexpr std::uint32_t most_compared =
    4096; ///< things of a shadow map; beyond, comparing takes longer than drawing

/// A leaf with its state, and the list it belongs to.
struct RenderItem {
    DescriptionId leaf;
    const GeometryNode* geometry = nullptr;
    DrawState state;
    std::uint32_t list = 0;
    std::uint32_t single = no_record; ///< made for a leaf that is not instanced
    std::uint32_t first_chunk = 0, chunk_count = 0;
    Bounds bounds;     ///< of all its things, seen or not
    float largest = 0; ///< extent of the largest of them
    Vec3 centre{};     ///< of what it draws, as of the last prepare
    float radius = 0;
    std::uint32_t first_id = 0, seen = 0;   ///< in the frame's instance buffer, all levels together
    std::uint32_t first_of_all = no_record; ///< where all its records are in that buffer, if they are
    LightMask lights = 0;                   ///< after the light manager
    std::uint32_t group = 0;                ///< of items with the same lights and texture window
    std::uint32_t constants = 0;            ///< place in the pool
};

/// Records of one item at one level of detail; `first` counts in the frame's instance buffer.
struct Batch {
    std::uint64_t key = 0;
    std::uint32_t item = 0;
    MeshId mesh{};
    std::uint32_t first = 0, count = 0;
    std::uint32_t command =
        no_record;      ///< of the GPU, which knows how many there are; `first` counts in its list
    IndexRange part{};  ///< in place of all triangles of the mesh
    bool again = false; ///< of the second turn: what the first hides is known then
    std::uint32_t calls =
        1; ///< that one call draws, this one and those behind it: 0 where it is drawn with others
    std::uint32_t first_call = 0; ///< of these, in the list of commands
};

/// Which batches are drawn: all, or those of a turn.
enum class Batches : std::uint8_t { all, first, again };

class DrawList {
public:
    DrawList(Backend& backend, MeshStore& meshes, InstanceStore& instances, ProgramStore& programs)
        : backend_(backend),
          meshes_(meshes),
          instances_(instances),
          gpu_(backend, meshes, instances, programs),
          reader_(instances) {}

    /// Takes effect when the tree is next analysed.
    void choose(Culling culling) { culling_ = culling; }
    bool on_gpu() const { return on_gpu_; }
    /// False where the back end cannot, and after leave_gpu().
    bool may_cull_on_gpu() const { return backend_.computes() && left_gpu_.empty(); }
    /// The CPU culls from the next analyse() on: the GPU has refused to, for this reason.
    void leave_gpu(const std::string& reason);

    /// Flattens the tree when it changed, and puts single leaves where their position nodes are.
    void analyse(const DescriptionTree& description, const PositionTree& positions);
    /// Bounds of all bounded leaves; computed again after motion.
    Bounds bounds();

    struct View {
        Mat4 view_projection;
        Vec3 eye;
        float pixels_per_metre = 1; ///< at a distance of 1 m
        bool cull = true, lod = true;
        float lod_error = 0.35f;
        std::span<LevelView* const> levels{}; ///< that know what is seen
        int width = 0, height = 0;            ///< pixels
        bool hide = false;                    ///< leave out what is hidden, where the GPU culls
    };
    /// Gathers the visible records of the view.
    void gather(const View& view);
    /// Which lights reach each item, and the groups that follow; `culling` off gives all that may act on it.
    void light(const LightList& lights, bool culling);
    /// Casters inside an orthographic view; the level is that whose error stays below half a texel. Returns a range of
    /// batches for draw_depth.
    struct Range {
        std::uint32_t first = 0, count = 0;
    };
    /// `by_cells`: of a level, only what LevelView::casting has.
    Range gather_casters(const Mat4& matrix, bool orthographic, float texel, bool by_cells = false,
                         bool transparent_too = false, const HidingView* hiding = nullptr);
    /// Everything that a view of casters shows, as numbers to compare: false if that is too much. Not where the GPU culls. `eye` and
    /// `pixels` are those of the picture: of bevels the shaders draw those that are seen.
    bool describe(Range range, bool by_cells, Vec3 eye, float pixels, std::vector<std::uint32_t>& numbers);
    /// Numbers that a description may have.
    std::size_t most_described() const;
    /// A view in which what is hidden is left out; only where the GPU culls.
    HidingView hiding_view(const Mat4& matrix, std::uint32_t number, int width, int height);
    const HidingView* main_hiding() const { return hides_ ? &main_hiding_ : nullptr; }
    /// The depths of a hiding view, by the constants that are bound; then the batches drawn again are found.
    void take_depths(TextureId depths, bool several_samples, const HidingView& view) {
        gpu_.take_depths(depths, several_samples, view.width, view.height);
    }
    void find_again(Turn turn) { gpu_.run(turn); }
    /// All records given, at their finest level.
    Range gather_records(std::span<const std::uint32_t> records);
    /// Uploads the instance buffer: after all gathering, before any draw.
    void upload();

    std::vector<RenderItem>& items() { return items_; }
    /// One item of each group: its lights and window are those of all.
    std::uint32_t group_count() const { return static_cast<std::uint32_t>(group_first_.size()); }
    const RenderItem& of_group(std::uint32_t group) const { return items_[group_first_[group]]; }
    /// Room for everything that the items can need when `views` of depth are gathered and `outlined` records.
    void reserve(std::size_t views, std::size_t outlined);
    bool has(bool transparent) const;
    void draw(DrawMode mode, bool transparent, const BodyPrograms& programs, const RasterState& raster,
              ConstantPool& pool, bool wire = false, bool extra_pass = false, Batches which = Batches::all);
    /// With the program and constants that are bound; sheets are drawn from both sides.
    void draw_range(Range range, const RasterState& raster, Batches which = Batches::all);

    std::uint32_t lists() const { return list_count_; }
    std::uint32_t flattenings() const { return flattenings_; }
    std::uint32_t things() const { return things_; }
    std::uint32_t visible() const { return visible_; }

private:
    struct Applied;
    void apply(const RenderItem& item, bool transparent, const BodyPrograms& programs,
               const RasterState& raster, ConstantPool& pool, Applied* before);
    void draw_batch(const Batch& batch, std::uint32_t offset, std::uint32_t count, bool wire);
    /// Whether it is drawn by a single command that the host knows.
    bool plain(const Batch& batch) const;
    DrawCommand command_of(const Batch& batch) const;
    /// Neighbours for which `same` holds become one call, where the back end has such calls.
    template <class Same>
    void join(std::span<Batch> batches, const Same& same);
    void draw_joined(const Batch& batch);
    std::span<const std::uint32_t> records_of(const RenderItem& item) const;
    std::span<Chunk> chunks_of(const RenderItem& item) {
        return std::span(chunks_).subspan(item.first_chunk, item.chunk_count);
    }
    void place_singles(const PositionTree& positions);
    void make_chunks();
    void choose_place();
    /// Steps of distance in which records come, near before far.
    struct Bins {
        std::size_t count = 1;
        float nearest = 0, scale = 0;
    };
    Bins bins_of(const RenderItem& item, Vec3 eye) const;
    struct Levels;
    void gather_on_gpu(RenderItem& item, const View& view, const Frustum& frustum, const Levels& levels);
    bool may_hide(const RenderItem& item) const;
    void casters_on_gpu(std::uint32_t number, const Frustum& frustum, std::size_t planes, float texel,
                        const HidingView* hiding);
    std::size_t caster_level(const RenderItem& item, std::size_t crowd, float texel, bool orthographic) const;
    void gather_item(RenderItem& item, const View& view, const Frustum& frustum, const Levels& levels);
    void gather_part(RenderItem& item, const View& view, const Frustum& frustum);
    Range end_range(std::uint32_t begin);
    void cast_part(std::uint32_t number, const Frustum& frustum, std::size_t planes, bool by_cells);
    std::uint32_t all_records(RenderItem& item);
    std::uint32_t append_inside(const RenderItem& item, const Frustum& frustum, std::size_t planes);
    /// Room for `count` more numbers at the end of the instance buffer.
    std::uint32_t* room_for(std::size_t count);

    Backend& backend_;
    MeshStore& meshes_;
    InstanceStore& instances_;
    std::vector<RenderItem> items_;
    std::vector<std::uint32_t> order_; ///< items in the order of their lists
    std::uint32_t list_count_ = 0, flattenings_ = 0, things_ = 0, visible_ = 0;
    void make_buffer(Owned<BufferId>& buffer, std::size_t& size, BufferKind kind, std::size_t bytes);
    std::uint64_t description_revision_ = ~std::uint64_t{0}, texture_revision_ = 0,
                  position_revision_ = ~std::uint64_t{0};
    std::vector<Batch> batches_; ///< of the main view, in item order
    std::vector<Batch> sorted_, casters_;
    std::vector<Range> ranges_; ///< of casters, one for each view
    std::vector<std::uint32_t> by_group_, group_first_;
    std::vector<std::uint32_t> batch_of_;  ///< by item, while precached lists are drawn
    std::vector<std::uint32_t> wanted_;    ///< of gather_records, sorted
    std::vector<std::uint32_t> described_; ///< records of a batch, sorted
    std::vector<Chunk> chunks_;            ///< of all items, in their order
    std::vector<Against> sides_;           ///< of an item's chunks
    GpuCulling gpu_;
    Culling culling_ = Culling::automatic;
    bool on_gpu_ = false;
    bool hides_ = false; ///< the main view
    HidingView main_hiding_;
    std::string left_gpu_; ///< why; empty: it was not left
    std::vector<Bounds> measured_;
    ChunkReader reader_;
    std::uint64_t chunk_revision_ = ~std::uint64_t{0}, measured_revision_ = ~std::uint64_t{0};
    Bounds bounds_;
    // things are put in order by level of detail, then distance
    std::vector<std::uint16_t> keys_;
    KeyTables places_;
    std::vector<std::uint32_t> ids_; ///< the instance buffer; what is beyond id_count_ is left from before
    std::size_t id_count_ = 0;
    Owned<BufferId> instance_buffer_, command_buffer_;
    std::size_t instance_bytes_ = 0, command_bytes_ = 0;
    std::vector<DrawCommand> commands_; ///< of calls that draw many batches
};

} // namespace scree::render
