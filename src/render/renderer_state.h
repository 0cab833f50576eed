// SPDX-License-Identifier: MIT
// renderer_state.h — what a Renderer holds, and the parts of a frame: prepare.cpp makes it ready, passes.cpp draws it.
#pragma once

#include "render/draw_list.h"
#include "render/frame_constants.h"
#include "render/level_view.h"
#include "render/programs.h"
#include "render/renderer.h"
#include "render/shadow_maps.h"
#include "render/targets.h"
#include "scree/error.h"
#include "world/warnings.h"

#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace scree::render {

/// All items with the constants of a pass, and no other lights, until it goes.
class Lent {
public:
    using Saved = std::vector<std::pair<std::uint32_t, LightMask>>;
    Lent(DrawList& list, std::uint32_t constants, LightMask lights, Saved& before)
        : list_(list), before_(before) {
        before_.clear();
        for (RenderItem& item : list.items()) {
            before_.emplace_back(item.constants, item.lights);
            item.constants = constants + item.group * ConstantPool::step;
            item.lights &= lights;
        }
    }
    ~Lent() {
        for (std::size_t i = 0; i < before_.size(); ++i)
            std::tie(list_.items()[i].constants, list_.items()[i].lights) = before_[i];
    }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;

private:
    DrawList& list_;
    Saved& before_;
};

/// Not for users: what is behind a Renderer.
struct Renderer::State {
    explicit State(Backend& b)
        : backend(b),
          meshes(b),
          instances(b),
          programs(b),
          list(b, meshes, instances, programs),
          pool(b),
          targets(b),
          shadow_targets(b) {}

    void compile(const FrameSettings& settings);
    void reserve(const FrameSettings& settings);
    /// Constants of one pass for each group of items, one after the other; returns the place of the first.
    std::uint32_t add_constants(std::uint32_t flags, std::uint32_t light = 0);
    /// Those for taking the depths of a view that lie from there on in their texture.
    std::uint32_t add_window(const HidingView& view, int x, int y);

    // the frame's parts, in order
    template <class Call>
    void cull(const Call& call);
    void prepare(const Camera& camera, const FrameSettings& settings, int width, int height);
    void fill_frame(const Camera& camera, const FrameSettings& settings, int width, int height);
    void fill_lights();
    int casting_lights() const; ///< those that may
    void choose_shadows();
    /// Asks the levels what is seen; leaves those that know in `located`.
    void find_visible(const Camera& camera, const FrameSettings& settings, float aspect);
    void prepare_light_shadows(const Camera& camera, const FrameSettings& settings);
    /// Whether something that it lights may be in the picture.
    bool lights_view(const Light& light) const;
    void prepare_shadows(const Camera& camera, const FrameSettings& settings, float aspect);
    void prepare_draws(const Camera& camera, const FrameSettings& settings, int width, int height);
    void shadows_pass();
    void opaque_pass(const FrameSettings& settings);
    void make_line_buffer();
    void lines_pass();
    bool computes(const FrameSettings& settings) const; ///< passes over the whole picture
    void occlusion_pass(const FrameSettings& settings);
    void tonemap_pass(const FrameSettings& settings, TextureId picture, TargetId target);
    void transparent_pass(const FrameSettings& settings);
    void mask_pass();
    void screen(ProgramId program, const RasterState& raster);
    void count(const BackendCounters& before) { counters.surfaces += backend.counters() - before; }
    /// All of a target of the picture's size.
    PassDef whole(TargetId target) const {
        PassDef pass;
        pass.target = target;
        pass.width = targets.width, pass.height = targets.height;
        return pass;
    }

    Backend& backend;
    MeshStore meshes;
    InstanceStore instances;
    PositionTree positions;
    DescriptionTree description;
    LightList lights;
    LineList lines, world_lines;
    ProgramStore programs;
    std::vector<LevelView*> levels, located;
    DrawList list;
    ConstantPool pool;
    FrameTargets targets;
    ShadowTargets shadow_targets;

    std::array<std::optional<LodMesh>, 6> shape_meshes;
    std::vector<Owned<TextureId>> textures;
    std::vector<std::uint32_t> outlined;
    FrameConstants frame;
    std::optional<Sky> known_sky; ///< whose irradiance is in the constants
    Owned<BufferId> frame_buffer, light_buffer, line_buffer;
    std::size_t line_bytes = 0;
    Owned<TextureId> tile_map;
    int tile_columns = 0, tile_rows = 0;
    std::vector<LightMask> tile_lights;
    Bounds bounds;
    FrameCounters counters;
    std::size_t layers = 0;       ///< of transparent things, at most, in the last picture
    BackendCounters moved_before; ///< at the end of the last draw

    // of the frame under way
    struct DepthDraw {
        DrawList::Range range;
        std::uint32_t constants = 0;
        int x = 0, y = 0, size = 0;
        bool kept = false; ///< the map has it already
        std::optional<HidingView> hiding{};
        std::uint32_t window_constants = 0; ///< of its depths
    };
    /// What a cascade in the map shows: as long as nothing of it changes it is not drawn again.
    struct DrawnCascade {
        std::array<float, 16> matrix{};
        std::uint64_t poses = 0, records = 0, tree = 0, meshes = 0, map = 0;
        int size = 0; ///< texels of its side
        friend bool operator==(const DrawnCascade&, const DrawnCascade&) = default;
    };
    std::array<DrawnCascade, 4> drawn_cascades{};
    /// The same for a face of a light's cube, of which more is known: what moves elsewhere does not matter.
    struct DrawnFace {
        std::uint64_t map = 0; ///< 0: nothing was drawn yet
        std::array<float, 16> matrix{};
        std::vector<std::uint32_t> casters; ///< see DrawList::describe
    };
    std::array<DrawnFace, std::size_t{6} * max_shadow_lights> drawn_faces{};
    std::vector<std::uint32_t> described;
    /// What was to be drawn into the shadow maps was not.
    void forget_shadows() {
        drawn_cascades = {};
        for (DrawnFace& face : drawn_faces) face.map = 0;
    }
    std::vector<DepthDraw> sun_draws, light_draws;
    /// By row of the map; -1: none. With four lights or fewer that cast shadows only half of the rows are used.
    std::array<int, max_shadow_lights> shadow_light = [] {
        std::array<int, max_shadow_lights> none{};
        none.fill(-1);
        return none;
    }();
    int shadow_rows = 0; ///< of the map
    struct LightPass {
        int light = 0;
        std::uint32_t constants = 0;
    };
    std::vector<LightPass> light_passes;
    DrawList::Range outline_range;
    std::uint32_t layer_constants[2] = {}, wire_constants = 0; ///< of the first group
    std::uint32_t view_window_constants = 0;
    std::uint32_t screen_constants = 0, blur_constants[2] = {}, mask_draw_constants = 0;
    Lent::Saved lent;
};

/// What culls. Where the GPU has no memory for that, says so and does it again on the CPU, from now on; poses that a world's device
/// wrote come to the host for that, and WorldModel::share() has no place for others.
template <class Call>
void Renderer::State::cull(const Call& call) {
    if (instances.shared() && !list.may_cull_on_gpu())
        instances.fetch_shared(); // of who did not ask share() again
    try {
        call();
    } catch (const Error& error) {
        forget_shadows();
        if (!list.on_gpu() || !list.may_cull_on_gpu()) throw;
        list.leave_gpu(error.what());
        const bool shared = instances.shared();
        if (shared && !instances.fetch_shared()) throw;
        warn(std::string("the CPU finds what is seen, since the GPU cannot") +
             (shared ? ", and poses are copied through the host: " : ": ") + error.what());
        counters = {};
        call();
    }
}

} // namespace scree::render
