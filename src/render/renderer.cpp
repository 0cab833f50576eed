// SPDX-License-Identifier: MIT
// renderer.cpp — the passes of a frame; see renderer.h.
#include "render/renderer.h"

#include "render/draw_list.h"
#include "render/frame_constants.h"
#include "render/level_view.h"
#include "render/programs.h"
#include "render/shadow_maps.h"
#include "render/shape_meshes.h"
#include "render/targets.h"
#include "scree/error.h"
#include "world/warnings.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace scree::render {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class T>
std::span<const std::byte> object_bytes(const T& object) {
    return std::as_bytes(std::span<const T, 1>(&object, 1));
}

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

} // namespace

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
    /// Asks the levels what is seen; leaves those that know in `located`.
    void find_visible(const Camera& camera, const FrameSettings& settings, float aspect);
    void prepare_shadows(const Camera& camera, const FrameSettings& settings, float aspect);
    void prepare_draws(const Camera& camera, const FrameSettings& settings, int width, int height);
    void shadows_pass();
    void opaque_pass(const FrameSettings& settings);
    void make_line_buffer();
    void lines_pass();
    void occlusion_pass();
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
        std::uint64_t poses = 0, records = 0, tree = 0, meshes = 0;
        std::uint32_t map = 0;
        friend bool operator==(const DrawnCascade&, const DrawnCascade&) = default;
    };
    std::array<DrawnCascade, 4> drawn_cascades{};
    std::vector<DepthDraw> sun_draws, light_draws;
    std::array<int, max_shadow_lights> shadow_light{};
    int shadow_lights = 0;
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

/// Everything that frames with these settings may be drawn with.
void Renderer::State::compile(const FrameSettings& settings) {
    const bool transparent = std::any_of(list.items().begin(), list.items().end(),
                                         [](const RenderItem& item) { return item.state.transparent; });
    for (const Shader shader : {Shader::shadow, Shader::background, Shader::line, Shader::mask,
                                Shader::tonemap, Shader::tonemap_outline})
        programs(shader);
    if (settings.ambient_occlusion)
        for (const Shader shader : {Shader::occlusion, Shader::occlusion_blur, Shader::compose})
            programs(shader);
    targets.need_mask();
    if (list.on_gpu()) {
        programs(Shader::cull_depths);
        if (targets.samples > 1) programs(Shader::cull_depths_samples);
    }
    if (!transparent) return;
    programs(Shader::merge);
    programs(Shader::merge_final);
    targets.need_layers();
}

void Renderer::State::reserve(const FrameSettings& settings) {
    int casting = 0;
    for (int i = 0; i < lights.size(); ++i) casting += (lights.alive() >> i & 1) && lights[i].shadows;
    const std::size_t faces = 6 * static_cast<std::size_t>(std::min(casting, max_shadow_lights));
    const std::size_t cascades = settings.sun_shadows ? 4 : 0, items = list.items().size();
    list.reserve(cascades + faces, outlined.size());
    const std::size_t light_count = settings.one_light_a_pass ? max_lights : 0;
    // each item may be a group; opaque, two for layers, wire
    pool.reserve(items * (4 + light_count) + cascades + faces + 8);
    sun_draws.reserve(cascades);
    light_draws.reserve(faces);
    light_passes.reserve(light_count);
    lent.reserve(items);
    located.reserve(levels.size());
    std::size_t indices = 0;
    for (const LevelView* level : levels) indices += level->index_count();
    meshes.reserve_choice(indices * (1 + faces / 3)); // a light's cube seldom sees a face from two sides
}

void Renderer::State::fill_frame(const Camera& camera, const FrameSettings& settings, int width, int height) {
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    const Sky& sky = settings.sky;
    frame.view = camera.view();
    frame.projection = camera.projection(aspect);
    frame.view_projection = frame.projection * frame.view;
    frame.inverse_projection = inverse(frame.projection);
    frame.inverse_view = inverse(frame.view);
    frame.eye = quad(camera.eye, settings.exposure);
    frame.sun = quad(normalized(sky.sun_direction), sky.sun_angle);
    frame.sun_colour = quad(sky.sun_colour, sky.strength);
    const float pixels = static_cast<float>(height) / (2 * std::tan(camera.fov_y / 2));
    frame.zenith = quad(sky.zenith, pixels);
    const float scene = std::max(bounds.radius(), 1.0f);
    frame.horizon = quad(sky.horizon, std::max(6 * scene, 3 * length(camera.eye - camera.target)) /
                                          std::max(settings.haze, 1e-3f));
    frame.ground = quad(sky.ground, 0);
    if (!(known_sky == sky)) {
        const auto irradiance = sky.irradiance();
        for (std::size_t i = 0; i < 9; ++i) frame.irradiance[i] = quad(irradiance[i]);
        known_sky = sky;
    }
    frame.viewport = {static_cast<float>(width), static_cast<float>(height), 1 / static_cast<float>(width),
                      1 / static_cast<float>(height)};
    float radius = settings.occlusion_radius;
    if (radius <= 0) radius = std::clamp(0.05f * scene, 0.02f, 1.2f);
    frame.occlusion = {radius, 6.5f, camera.near_plane, camera.far_plane};
}

void Renderer::State::fill_lights() {
    LightsConstants all;
    shadow_lights = 0;
    for (int i = 0; i < lights.size(); ++i) {
        const Light& light = lights[i];
        LightConstants& out = all.list[static_cast<std::size_t>(i)];
        float row = -1;
        const bool alive = lights.alive() >> i & 1;
        if (alive && light.shadows && shadow_lights < max_shadow_lights) {
            shadow_light[static_cast<std::size_t>(shadow_lights)] = i;
            row = static_cast<float>(shadow_lights++);
        }
        out.place = quad(light.position, light.radius);
        out.colour = quad(light.colour * light.intensity, light.cone > 0 ? std::cos(light.cone) : -2.0f);
        out.direction = quad(normalized(light.direction), row);
    }
    if (!light_buffer) light_buffer = {backend, backend.create_buffer(BufferKind::constants, sizeof all)};
    backend.update_buffer(light_buffer, 0, object_bytes(all));
}

void Renderer::State::find_visible(const Camera& camera, const FrameSettings& settings, float aspect) {
    meshes.begin_choice();
    located.clear();
    const Mat4& view = frame.view;
    const float tan_y = std::tan(camera.fov_y / 2);
    const Sight from{camera.eye,
                     Vec3{-view.at(2, 0), -view.at(2, 1), -view.at(2, 2)},
                     Vec3{view.at(1, 0), view.at(1, 1), view.at(1, 2)},
                     tan_y * aspect,
                     tan_y,
                     camera.near_plane};
    // wires are seen through
    const bool solid = settings.surfaces && settings.wireframe == Wireframe::off;
    for (LevelView* level : levels) {
        counters.all_cells += level->cell_count();
        if (settings.visibility != Visibility::portals || !solid) continue;
        level->look(from);
        if (!level->located()) continue;
        located.push_back(level);
        counters.cells += level->counters().cells;
        counters.portals += level->counters().portals_passed;
    }
}

void Renderer::State::prepare_shadows(const Camera& camera, const FrameSettings& settings, float aspect) {
    sun_draws.clear();
    light_draws.clear();
    const int count = settings.sun_shadows && !bounds.empty() ? std::clamp(settings.cascades, 1, 4) : 0;
    const int tiles = count > 1 ? 2 : 1;
    const int size = std::clamp(settings.shadow_size, 16, backend.max_texture_size() / 2);
    shadow_targets.prepare_sun(count ? size : 0, tiles);
    frame.ground[3] = static_cast<float>(count);
    frame.shadow = {1 / static_cast<float>(size), static_cast<float>(tiles),
                    1 / static_cast<float>(light_tile), 0};
    if (count > 0) {
        const float distance =
            settings.shadow_distance > 0 ? settings.shadow_distance : shadow_reach(camera, bounds);
        const auto cascades =
            sun_cascades(camera, aspect, settings.sky.sun_direction, bounds, count, distance, size);
        frame.ground[3] = static_cast<float>(cascades.count);
        for (int i = 0; i < cascades.count; ++i) {
            const Cascade& cascade = cascades.list[static_cast<std::size_t>(i)];
            frame.cascades[static_cast<std::size_t>(i)] = texture_matrix(cascade.matrix);
            frame.cascade_texel[static_cast<std::size_t>(i)] = cascade.texel;
            DrawConstants constants;
            constants.matrix = cascade.matrix;
            constants.extra = quad(normalized(settings.sky.sun_direction));
            constants.window = {1 / cascade.texel, 0, 0, 0}; // the size of points
            const DrawnCascade now{cascade.matrix.m,
                                   instances.pose_revision(),
                                   instances.record_revision(),
                                   description.revision(),
                                   meshes.edits(),
                                   TextureId(shadow_targets.sun_map).value};
            DrawnCascade& before = drawn_cascades[static_cast<std::size_t>(i)];
            const bool kept = before == now;
            before = now;
            DepthDraw draw{{}, pool.add(constants), i % tiles * size, i / tiles * size, size, kept};
            if (!kept) {
                if (list.on_gpu()) {
                    draw.hiding =
                        list.hiding_view(cascade.matrix, static_cast<std::uint32_t>(1 + i), size, size);
                    draw.window_constants = add_window(*draw.hiding, draw.x, draw.y);
                }
                draw.range = list.gather_casters(cascade.matrix, true, cascade.texel, false, false,
                                                 draw.hiding ? &*draw.hiding : nullptr);
            }
            sun_draws.push_back(draw);
        }
    }
    shadow_targets.prepare_lights(shadow_lights ? light_tile : 0);
    for (int row = 0; row < shadow_lights; ++row) {
        const Light& light = lights[shadow_light[static_cast<std::size_t>(row)]];
        for (int face = 0; face < 6; ++face) {
            DrawConstants constants;
            constants.matrix = cube_face(light.position, light.radius, face);
            constants.extra = quad(light.position, 1);
            const bool by_cells = settings.visibility == Visibility::portals;
            for (LevelView* level : levels)
                if (by_cells)
                    level->shine(static_cast<std::size_t>(row), static_cast<std::size_t>(face),
                                 cube_sight(light.position, light.radius, face));
            light_draws.push_back(
                {list.gather_casters(constants.matrix, false, light.radius / light_tile, by_cells),
                 pool.add(constants), face * light_tile, row * light_tile, light_tile});
        }
    }
}

std::uint32_t Renderer::State::add_window(const HidingView& view, int x, int y) {
    DrawConstants constants;
    constants.window = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(view.width),
                        static_cast<float>(view.height)};
    constants.extra[0] = static_cast<float>(view.first_cell);
    return pool.add(constants);
}

std::uint32_t Renderer::State::add_constants(std::uint32_t flags, std::uint32_t light) {
    DrawConstants constants;
    constants.matrix = frame.view_projection;
    constants.flags = flags;
    constants.light = light;
    std::uint32_t first = 0;
    for (std::uint32_t g = 0; g < list.group_count(); ++g) {
        const RenderItem& item = list.of_group(g);
        constants.lights_low = static_cast<std::uint32_t>(item.lights);
        constants.lights_high = static_cast<std::uint32_t>(item.lights >> 32);
        constants.window = item.state.window;
        const std::uint32_t place = pool.add(constants);
        if (g == 0) first = place;
    }
    return first;
}

void Renderer::State::prepare_draws(const Camera& camera, const FrameSettings& settings, int width,
                                    int height) {
    pool.clear();
    DrawList::View view;
    view.view_projection = frame.view_projection;
    view.eye = camera.eye;
    view.pixels_per_metre = frame.zenith[3];
    find_visible(camera, settings, static_cast<float>(width) / static_cast<float>(height));
    view.cull = settings.visibility != Visibility::none;
    view.levels = located;
    view.lod = settings.lod;
    view.lod_error = settings.lod_error;
    view.width = width;
    view.height = height;
    view.hide = settings.surfaces && settings.wireframe == Wireframe::off && view.cull;
    list.gather(view);
    if (list.main_hiding()) view_window_constants = add_window(*list.main_hiding(), 0, 0);
    list.light(lights, settings.light_culling);
    fill_lights();
    prepare_shadows(camera, settings, static_cast<float>(width) / static_cast<float>(height));

    const bool tiled = settings.light_culling && lights.alive() != 0;
    const std::uint32_t flags = (tiled ? draw_tiles : 0u) | (sun_draws.empty() ? 0u : draw_shadows);
    const std::uint32_t opaque = add_constants(flags | (settings.one_light_a_pass ? draw_base_only : 0u) |
                                               (settings.wireframe == Wireframe::only ? draw_wire : 0u));
    if (list.has(true)) {
        layer_constants[0] = add_constants(flags | draw_first_layer);
        layer_constants[1] = add_constants(flags);
    }
    if (settings.wireframe == Wireframe::combined) wire_constants = add_constants(draw_wire);
    for (RenderItem& item : list.items()) item.constants = opaque + item.group * ConstantPool::step;
    light_passes.clear();
    if (settings.one_light_a_pass)
        for (LightMask left = lights.alive(); left; left &= left - 1) {
            const int light = std::countr_zero(left);
            light_passes.push_back({light, add_constants(draw_one_light, static_cast<std::uint32_t>(light))});
        }
    DrawConstants plain;
    plain.matrix = frame.view_projection;
    plain.flags = draw_wire;
    plain.extra = quad(settings.outline_colour, settings.outline_width);
    screen_constants = mask_draw_constants = pool.add(plain);
    for (int i = 0; i < 2; ++i) {
        plain.extra = {i == 0 ? 1.0f : 0.0f, i == 0 ? 0.0f : 1.0f, 0, 0};
        blur_constants[i] = pool.add(plain);
    }
    outline_range = list.gather_records(outlined);
    list.upload();
    pool.upload();

    // lights for each tile of 32 x 32 pixels
    const int columns = (width + 31) / 32, rows = (height + 31) / 32;
    if (!tile_map || columns != tile_columns || rows != tile_rows) {
        tile_columns = columns;
        tile_rows = rows;
        tile_map = {backend, backend.create_texture({TextureFormat::rg32ui, columns, rows})};
    }
    if (tiled) {
        tile_masks(lights, frame.view, frame.projection, columns, rows, tile_lights);
        backend.update_texture(tile_map, 0, rows, bytes_of(tile_lights));
    }
    if (!frame_buffer) frame_buffer = {backend, backend.create_buffer(BufferKind::constants, sizeof frame)};
    backend.update_buffer(frame_buffer, 0, object_bytes(frame));
}

/// What culls. Where the GPU has no memory for that, says so and does it again on the CPU, from now on; not for poses that only
/// the GPU has.
template <class Call>
void Renderer::State::cull(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        drawn_cascades = {}; // those that were to be drawn were not
        if (!list.on_gpu() || !list.may_cull_on_gpu()) throw;
        list.leave_gpu(error.what());
        if (instances.shared()) throw;
        warn(std::string("the CPU finds what is seen, since the GPU cannot: ") + error.what());
        counters = {};
        call();
    }
}

void Renderer::State::prepare(const Camera& camera, const FrameSettings& settings, int width, int height) {
    cull([&] {
        list.analyse(description, positions);
        for (const RenderItem& item : list.items()) programs.need(item.state);
        bounds = list.bounds();
        fill_frame(camera, settings, width, height);
        prepare_draws(camera, settings, width, height);
    });
    targets.prepare(width, height, std::clamp(settings.samples, 1, backend.max_samples()));
    meshes.bind();
    instances.bind();
    backend.bind_constants(frame_slot, frame_buffer, 0, sizeof(FrameConstants));
    backend.bind_constants(lights_slot, light_buffer, 0, sizeof(LightsConstants));
    backend.bind_texture(shadow_unit, shadow_targets.sun_map);
    backend.bind_texture(light_shadow_unit, shadow_targets.light_map);
    backend.bind_texture(light_tile_unit, tile_map);
}

void Renderer::State::shadows_pass() {
    const auto tiles = [&](const std::vector<DepthDraw>& draws, TargetId target, TextureId map,
                           const RasterState& raster) {
        if (draws.empty()) return;
        bool hides = false;
        const auto turn = [&](Batches which) {
            backend.bind_program(programs(Shader::shadow));
            for (const DepthDraw& draw : draws) {
                if (draw.kept || (which == Batches::again && !draw.hiding)) continue;
                PassDef pass;
                pass.target = target;
                pass.x = draw.x, pass.y = draw.y, pass.width = pass.height = draw.size;
                pass.clear_depth = which == Batches::first;
                backend.begin_pass(pass);
                pool.bind(draw.constants);
                list.draw_range(draw.range, raster, which);
                hides = hides || draw.hiding;
            }
        };
        turn(Batches::first);
        if (!hides) return;
        for (const DepthDraw& draw : draws) {
            if (!draw.hiding) continue;
            pool.bind(draw.window_constants);
            list.take_depths(map, false, *draw.hiding);
        }
        list.find_again(Turn::casters);
        turn(Batches::again);
    };
    RasterState raster;
    raster.colour_write = false;
    raster.cull = Cull::back;
    raster.slope_bias = 1.2f;
    raster.constant_bias = 1;
    tiles(sun_draws, shadow_targets.sun, shadow_targets.sun_map, raster);
    raster.slope_bias = 2;
    raster.cull = Cull::front; // the faces of a cube are seen mirrored
    tiles(light_draws, shadow_targets.lights, shadow_targets.light_map, raster);
}

void Renderer::State::screen(ProgramId id, const RasterState& raster) {
    backend.bind_program(id);
    backend.set_raster(raster);
    backend.bind_vertices(VertexLayout::none, {}, {}, false);
    backend.draw({Primitive::triangles, 0, 3, 1});
}

void Renderer::State::make_line_buffer() {
    const std::size_t bytes =
        world_lines.within().size_bytes() + lines.within().size_bytes() + lines.over().size_bytes();
    if (bytes <= line_bytes) return;
    line_buffer = {backend, backend.create_buffer(BufferKind::vertices, bytes * 3 / 2)};
    line_bytes = bytes * 3 / 2;
}

void Renderer::State::lines_pass() {
    const auto world = world_lines.within(), within = lines.within(), over = lines.over();
    const std::size_t tested = world.size() + within.size();
    if (tested + over.size() == 0) return;
    make_line_buffer();
    std::size_t at = 0;
    for (const auto& part : {world, within, over}) {
        if (!part.empty()) backend.update_buffer(line_buffer, at, std::as_bytes(part));
        at += part.size_bytes();
    }
    backend.bind_program(programs(Shader::line));
    backend.bind_vertices(VertexLayout::line, line_buffer, {}, false);
    RasterState raster;
    raster.cull = Cull::none;
    raster.depth_write = false;
    raster.blend = Blend::alpha;
    raster.depth = Depth::less_equal;
    const auto draw = [&](std::size_t first, std::size_t vertices) {
        if (vertices == 0) return;
        backend.set_raster(raster);
        backend.draw(
            {Primitive::lines, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(vertices), 1});
    };
    draw(0, tested);
    raster.depth = Depth::off;
    draw(tested, over.size());
}

void Renderer::State::opaque_pass(const FrameSettings& settings) {
    PassDef pass = whole(targets.scene);
    pass.clear_colour = pass.clear_depth = true;
    const Vec3 c = settings.clear_colour;
    pass.colour[0] = c.x, pass.colour[1] = c.y, pass.colour[2] = c.z;
    backend.begin_pass(pass);
    const BackendCounters before = backend.counters();
    RasterState raster;
    if (settings.surfaces) {
        list.draw(settings.mode, false, programs.bodies(), raster, pool,
                  settings.wireframe == Wireframe::only, false, Batches::first);
        if (const HidingView* hiding = list.main_hiding()) {
            pool.bind(view_window_constants);
            list.take_depths(targets.scene_depth, targets.samples > 1, *hiding);
            list.find_again(Turn::view);
            list.draw(settings.mode, false, programs.bodies(), raster, pool, false, false, Batches::again);
        }
        raster.depth = Depth::equal;
        raster.depth_write = false;
        raster.blend = Blend::add;
        for (const LightPass& light : light_passes) {
            // the same draws with the light's constants, where it may act
            const Lent lend(list, light.constants, LightMask{1} << light.light, lent);
            list.draw(settings.mode, false, programs.bodies(), raster, pool, false, true);
        }
    }
    count(before);
    if (settings.wireframe == Wireframe::combined) {
        RasterState wire;
        wire.depth = Depth::less_equal;
        wire.depth_write = false;
        const Lent lend(list, wire_constants, ~LightMask{0}, lent);
        list.draw(settings.mode, false, programs.bodies(), wire, pool, true);
    }
    if (settings.background) {
        RasterState sky;
        sky.depth = Depth::less_equal;
        sky.depth_write = false;
        sky.cull = Cull::none;
        screen(programs(Shader::background), sky);
    }
    lines_pass(); // over the sky as well: they leave no depth
    if (targets.samples > 1)
        backend.resolve(targets.scene, targets.resolved, targets.width, targets.height, true, true);
}

void Renderer::State::occlusion_pass() {
    RasterState raster;
    raster.depth = Depth::off;
    raster.depth_write = false;
    raster.cull = Cull::none;
    const auto half = [&](std::size_t into) {
        PassDef pass;
        pass.target = targets.occlusion[into];
        pass.width = (targets.width + 1) / 2, pass.height = (targets.height + 1) / 2;
        backend.begin_pass(pass);
    };
    backend.bind_texture(depth_unit, targets.depth);
    half(0);
    screen(programs(Shader::occlusion), raster);
    for (std::size_t i = 0; i < 2; ++i) {
        half(1 - i);
        backend.bind_texture(occlusion_unit, targets.occlusion_map[i]);
        pool.bind(blur_constants[i]);
        screen(programs(Shader::occlusion_blur), raster);
    }
    backend.begin_pass(whole(targets.composed));
    backend.bind_texture(colour_unit, targets.colour);
    backend.bind_texture(occlusion_unit, targets.occlusion_map[0]);
    screen(programs(Shader::compose), raster);
}

void Renderer::State::transparent_pass(const FrameSettings& settings) {
    targets.need_layers();
    RasterState over;
    over.depth = Depth::off;
    over.depth_write = false;
    over.cull = Cull::none;
    PassDef sum = whole(targets.layers);
    sum.clear_colour = true;
    sum.colour[3] = 1; // everything shines through yet
    backend.begin_pass(sum);
    sum.clear_colour = false;

    backend.bind_texture(depth_unit, targets.depth);
    for (int layer = 0; layer < settings.transparent_layers; ++layer) {
        const auto at = static_cast<std::size_t>(layer % 2);
        PassDef pass = whole(targets.layer[at]);
        pass.clear_colour = pass.clear_depth = true;
        backend.begin_pass(pass);
        backend.bind_texture(layer_unit, targets.layer_depth[1 - at]);
        for (RenderItem& item : list.items())
            if (item.state.transparent)
                item.constants = layer_constants[layer > 0] + item.group * ConstantPool::step;
        meshes.bind();
        backend.begin_query();
        const BackendCounters before = backend.counters();
        list.draw(settings.mode, true, programs.bodies(), RasterState{}, pool);
        count(before);
        if (!backend.end_query()) break;
        ++counters.layers;
        backend.begin_pass(sum);
        backend.bind_texture(layer_unit, targets.layer_colour);
        over.blend = Blend::under;
        screen(programs(Shader::merge), over);
    }
    backend.begin_pass(whole(targets.composed));
    backend.bind_texture(layer_unit, targets.layers_colour);
    // the sum is multiplied with its alpha already
    over.blend = Blend::over;
    screen(programs(Shader::merge_final), over);
}

void Renderer::State::mask_pass() {
    targets.need_mask();
    PassDef pass = whole(targets.mask);
    pass.clear_colour = true;
    backend.begin_pass(pass);
    RasterState raster;
    raster.depth = Depth::off;
    raster.depth_write = false;
    backend.bind_program(programs(Shader::mask));
    pool.bind(mask_draw_constants);
    meshes.bind();
    list.draw_range(outline_range, raster);
}

// the public face ------------------------------------------------------------------------------------------------------

Renderer::Renderer(Backend& backend) : state_(std::make_unique<State>(backend)) {
    state_->programs.need({});
    for (const Shader shader : {Shader::shadow, Shader::background, Shader::tonemap})
        state_->programs(shader);
}
Renderer::~Renderer() = default;

Backend& Renderer::backend() { return state_->backend; }
MeshStore& Renderer::meshes() { return state_->meshes; }
InstanceStore& Renderer::instances() { return state_->instances; }
PositionTree& Renderer::positions() { return state_->positions; }
DescriptionTree& Renderer::description() { return state_->description; }
std::vector<LevelView*>& Renderer::levels() { return state_->levels; }
LightList& Renderer::lights() { return state_->lights; }
LineList& Renderer::lines() { return state_->lines; }
LineList& Renderer::world_lines() { return state_->world_lines; }
void Renderer::choose(Culling culling) { state_->list.choose(culling); }
bool Renderer::may_cull_on_gpu() const { return state_->list.may_cull_on_gpu(); }
const Bounds& Renderer::bounds() const { return state_->bounds; }
const FrameCounters& Renderer::counters() const { return state_->counters; }
void Renderer::outline(std::span<const std::uint32_t> records) {
    state_->outlined.assign(records.begin(), records.end());
}

const LodMesh& Renderer::sphere_mesh() { return shape_mesh(0); }
const LodMesh& Renderer::capsule_mesh() { return shape_mesh(1); }
const LodMesh& Renderer::box_mesh() { return shape_mesh(2); }
const LodMesh& Renderer::cylinder_mesh() { return shape_mesh(3); }
const LodMesh& Renderer::cone_mesh() { return shape_mesh(4); }
const LodMesh& Renderer::plane_mesh() { return shape_mesh(5); }

const LodMesh& Renderer::shape_mesh(int shape) {
    auto& known = state_->shape_meshes[static_cast<std::size_t>(shape)];
    if (!known) known = make_shape_mesh(state_->meshes, shape);
    return *known;
}

Bounds Renderer::measure_bounds() {
    state_->cull([&] {
        state_->list.analyse(state_->description, state_->positions);
        state_->bounds = state_->list.bounds();
    });
    return state_->bounds;
}

TextureId Renderer::create_texture(int width, int height, std::span<const std::uint8_t> rgba, bool srgb) {
    if (width < 1 || height < 1 ||
        rgba.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4)
        throw Error("a texture of " + std::to_string(width) + "x" + std::to_string(height) +
                        " needs four bytes a texel, " + std::to_string(rgba.size()) + " were given",
                    "texture");
    TextureDef def;
    def.format = srgb ? TextureFormat::srgb8_alpha8 : TextureFormat::rgba8;
    def.width = width, def.height = height;
    def.linear = def.mipmaps = def.repeat = true;
    const TextureId id = state_->backend.create_texture(def);
    state_->textures.emplace_back(state_->backend, id);
    state_->backend.update_texture(id, 0, height, std::as_bytes(rgba));
    return id;
}

void Renderer::precache(const FrameSettings& settings, int width, int height) {
    State& s = *state_;
    if (width < 1 || height < 1) return;
    const Bounds all = measure_bounds();
    s.reserve(settings);
    s.prepare(framing(all, static_cast<float>(width) / static_cast<float>(height)), settings, width, height);
    s.drawn_cascades = {}; // nothing was drawn
    s.compile(settings);
    s.make_line_buffer();
}

void Renderer::draw(const Camera& camera, const FrameSettings& settings, TargetId target, int width,
                    int height) {
    State& s = *state_;
    s.counters = {};
    if (width < 1 || height < 1) return;
    const auto start = Clock::now();
    const BackendCounters before = s.backend.counters();
    s.backend.begin_time();

    s.prepare(camera, settings, width, height);
    s.counters.prepare_seconds = seconds_since(start);

    s.shadows_pass();
    s.opaque_pass(settings);
    TextureId picture = s.targets.colour;
    const bool transparent = s.list.has(true) && settings.surfaces;
    if (settings.ambient_occlusion) {
        s.occlusion_pass();
        picture = s.targets.composed_colour;
    } else if (transparent) {
        s.backend.resolve(s.targets.resolved, s.targets.composed, width, height, true, false);
        picture = s.targets.composed_colour;
    }
    if (transparent) s.transparent_pass(settings);
    const bool outline = s.outline_range.count > 0;
    if (outline) s.mask_pass();

    s.backend.begin_pass(s.whole(target));
    s.backend.bind_texture(colour_unit, picture);
    if (outline) s.backend.bind_texture(mask_unit, s.targets.mask_map);
    s.pool.bind(s.screen_constants);
    RasterState plain;
    plain.depth = Depth::off;
    plain.depth_write = false;
    plain.cull = Cull::none;
    s.screen(s.programs(outline ? Shader::tonemap_outline : Shader::tonemap), plain);

    s.backend.end_time();
    s.counters.gpu_seconds = s.backend.gpu_seconds();
    s.counters.all = s.backend.counters() - before;
    // poses may have gone to the GPU before, when their bounds were asked for
    const BackendCounters moved = s.backend.counters() - std::exchange(s.moved_before, s.backend.counters());
    s.counters.all.uploaded = moved.uploaded;
    s.counters.all.downloaded = moved.downloaded;
    s.counters.all.shared = moved.shared;
    s.counters.leaves = static_cast<std::uint32_t>(s.list.items().size());
    s.counters.lists = s.list.lists();
    s.counters.flattenings = s.list.flattenings();
    s.counters.things = s.list.things();
    s.counters.visible = s.list.visible();
    s.counters.on_gpu = s.list.on_gpu();
    s.counters.shared = s.instances.shared();
    s.counters.submit_seconds = seconds_since(start);
}

} // namespace scree::render
