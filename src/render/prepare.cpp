// SPDX-License-Identifier: MIT
// prepare.cpp — what is drawn in a frame, and the constants of its passes; see renderer_state.h.
#include "render/renderer_state.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree::render {

namespace {

template <class T>
std::span<const std::byte> object_bytes(const T& object) {
    return std::as_bytes(std::span<const T, 1>(&object, 1));
}

} // namespace

/// Everything that frames with these settings may be drawn with.
void Renderer::State::compile(const FrameSettings& settings) {
    const bool transparent = std::any_of(list.items().begin(), list.items().end(),
                                         [](const RenderItem& item) { return item.state.transparent; });
    const auto all = [&](std::initializer_list<Shader> shaders) {
        for (const Shader shader : shaders) programs(shader);
    };
    all({Shader::shadow, Shader::background, Shader::line, Shader::mask});
    if (computes(settings)) {
        all({Shader::tonemap_computed, Shader::tonemap_outline_computed});
        if (settings.ambient_occlusion)
            all({Shader::occlusion_computed, Shader::occlusion_blur_computed, Shader::compose_computed});
        targets.need_screen();
    } else {
        all({Shader::tonemap, Shader::tonemap_outline});
        if (settings.ambient_occlusion) all({Shader::occlusion, Shader::occlusion_blur, Shader::compose});
    }
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
    const std::size_t faces = 6 * static_cast<std::size_t>(std::min(casting_lights(), max_shadow_lights));
    const std::size_t cascades = settings.sun_shadows ? 4 : 0, items = list.items().size();
    list.reserve(cascades + faces, outlined.size());
    const std::size_t light_count = settings.one_light_a_pass ? max_lights : 0;
    // each item may be a group; opaque, two for layers, wire
    pool.reserve(items * (4 + light_count) + cascades + faces + 8);
    sun_draws.reserve(cascades);
    light_draws.reserve(faces);
    described.reserve(faces > 0 ? list.most_described() : 0);
    for (std::size_t i = 0; i < faces; ++i) drawn_faces[i].casters.reserve(list.most_described());
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
    frame.fog = quad(sky.fog_colour.value_or(sky.horizon * sky.strength), sky.fog);
    frame.shading = {settings.shading == Shading::blinn_phong ? 1.0f : 0.0f};
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

int Renderer::State::casting_lights() const {
    int casting = 0;
    for (int i = 0; i < lights.size(); ++i)
        casting += (lights.alive() >> i & 1) && lights[i].shadows && !lights[i].far;
    return casting;
}

/// Rows of the shadow map for the lights that reach into the picture: those that are brightest at the eye. Who has a row does not
/// depend on what is culled; a light keeps its row, so that what is in the map stays of use.
void Renderer::State::choose_shadows() {
    struct Candidate {
        float weight;
        int light;
    };
    std::array<Candidate, max_lights> candidates;
    std::size_t count = 0;
    const Frustum frustum(frame.view_projection);
    const Vec3 eye{frame.eye[0], frame.eye[1], frame.eye[2]};
    for (int i = 0; i < lights.size(); ++i) {
        const Light& light = lights[i];
        if (!(lights.alive() >> i & 1) || !light.shadows || light.far) continue;
        Bounds lit;
        lit.add(light.position, light.radius);
        if (!(light.radius > 0) || frustum.side(lit).side == Side::outside) continue;
        const Vec3 d = light.position - eye;
        candidates[count++] = {light.intensity / std::max(dot(d, d), 0.01f), i};
    }
    const std::size_t chosen = std::min<std::size_t>(count, max_shadow_lights);
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(chosen),
                      candidates.begin() + static_cast<std::ptrdiff_t>(count),
                      [](const Candidate& a, const Candidate& b) {
                          return a.weight != b.weight ? a.weight > b.weight : a.light < b.light;
                      });
    const auto is_chosen = [&](int light) {
        return std::any_of(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(chosen),
                           [&](const Candidate& one) { return one.light == light; });
    };
    const int casting = casting_lights(), half = max_shadow_lights / 2;
    const int rows = casting == 0 ? 0 : casting <= half ? half : max_shadow_lights;
    if (rows != shadow_rows) shadow_light.fill(-1);
    shadow_rows = rows;
    for (int& light : shadow_light)
        if (!is_chosen(light)) light = -1;
    for (std::size_t k = 0; k < chosen; ++k) {
        if (std::find(shadow_light.begin(), shadow_light.end(), candidates[k].light) != shadow_light.end())
            continue;
        *std::find(shadow_light.begin(), shadow_light.end(), -1) = candidates[k].light;
    }
}

void Renderer::State::fill_lights() {
    LightsConstants all;
    choose_shadows();
    for (int i = 0; i < lights.size(); ++i) {
        const Light& light = lights[i];
        LightConstants& out = all.list[static_cast<std::size_t>(i)];
        const auto* place = std::find(shadow_light.begin(), shadow_light.end(), i);
        const float row =
            place == shadow_light.end() ? -1.0f : static_cast<float>(place - shadow_light.begin());
        out.place = quad(light.position, light.far ? 0 : std::max(light.radius, 1e-6f)); // 0 says far
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
                     camera.near_plane,
                     2 * tan_y * frame.viewport[3]};
    // wires are seen through
    const bool solid = settings.surfaces && settings.wireframe == Wireframe::off;
    for (LevelView* level : levels) {
        counters.all_cells += level->cell_count();
        if (!by_cells(settings.visibility) || !solid) continue;
        level->look(from, settings.visibility == Visibility::closed);
        if (!level->located()) continue;
        located.push_back(level);
        counters.cells += level->counters().cells;
        counters.portals += level->counters().portals_passed;
    }
}

void Renderer::State::prepare_shadows(const Camera& camera, const FrameSettings& settings, float aspect) {
    sun_draws.clear();
    const int count = settings.sun_shadows && !bounds.empty() ? std::clamp(settings.cascades, 1, 4) : 0;
    const int tiles = count > 1 ? 2 : 1;
    const int size = std::clamp(settings.shadow_size, 16, backend.max_texture_size() / 2);
    shadow_targets.prepare_sun(count ? size : 0, tiles);
    frame.ground[3] = static_cast<float>(count);
    frame.shadow = {1 / static_cast<float>(size), static_cast<float>(tiles),
                    1 / static_cast<float>(light_tile), static_cast<float>(std::max(shadow_rows, 1))};
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
                                   shadow_targets.sun_maps,
                                   size};
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
}

bool Renderer::State::lights_view(const Light& light) const {
    Bounds lit;
    lit.add(light.position, light.radius);
    if (Frustum(frame.view_projection).side(lit).side == Side::outside) return false;
    return std::all_of(located.begin(), located.end(), [&](LevelView* level) { return level->sees(lit); });
}

void Renderer::State::prepare_light_shadows(const Camera& camera, const FrameSettings& settings) {
    light_draws.clear();
    shadow_targets.prepare_lights(shadow_rows ? light_tile : 0, shadow_rows);
    const std::uint64_t map = shadow_targets.light_maps;
    const bool with_cells = by_cells(settings.visibility);
    for (std::size_t row = 0; row < shadow_light.size(); ++row) {
        if (shadow_light[row] < 0) continue;
        const Light& light = lights[shadow_light[row]];
        if (!lights_view(light)) continue; // its row of the map stays as it is
        for (int face = 0; face < 6; ++face) {
            DrawConstants constants;
            constants.matrix = cube_face(light.position, light.radius, face);
            constants.extra = quad(light.position, 1);
            for (LevelView* level : levels)
                if (with_cells)
                    level->shine(row, static_cast<std::size_t>(face),
                                 cube_sight(light.position, light.radius, face));
            DepthDraw draw{
                list.gather_casters(constants.matrix, false, light.radius / light_tile, with_cells),
                pool.add(constants), face * light_tile, static_cast<int>(row) * light_tile, light_tile};
            DrawnFace& before = drawn_faces[6 * row + static_cast<std::size_t>(face)];
            described.clear();
            const bool known = list.describe(draw.range, with_cells, camera.eye, frame.zenith[3], described);
            draw.kept = known && before.map == map && before.matrix == constants.matrix.m &&
                        before.casters == described;
            if (!draw.kept) {
                before.map = known ? map : 0;
                before.matrix = constants.matrix.m;
                before.casters.assign(described.begin(), described.end());
            }
            light_draws.push_back(draw);
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
    prepare_light_shadows(camera, settings);

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
        tile_map = {backend, backend.create_texture({TextureFormat::rg32ui, columns, rows})};
        tile_columns = columns;
        tile_rows = rows;
    }
    if (tiled) {
        tile_masks(lights, frame.view, frame.projection, columns, rows, tile_lights);
        backend.update_texture(tile_map, 0, rows, bytes_of(tile_lights));
    }
    if (!frame_buffer) frame_buffer = {backend, backend.create_buffer(BufferKind::constants, sizeof frame)};
    backend.update_buffer(frame_buffer, 0, object_bytes(frame));
}

void Renderer::State::prepare(const Camera& camera, const FrameSettings& settings, int width, int height) {
    // first, since there may be no memory for them: what cull() counts as drawn into the shadow maps must be drawn
    targets.prepare(width, height, std::clamp(settings.samples, 1, backend.max_samples()));
    cull([&] {
        list.analyse(description, positions);
        for (const RenderItem& item : list.items()) programs.need(item.state);
        bounds = list.bounds();
        fill_frame(camera, settings, width, height);
        prepare_draws(camera, settings, width, height);
    });
    try {
        meshes.bind();
        instances.bind();
    } catch (...) {
        forget_shadows();
        throw;
    }
    backend.bind_constants(frame_slot, frame_buffer, 0, sizeof(FrameConstants));
    backend.bind_constants(lights_slot, light_buffer, 0, sizeof(LightsConstants));
    backend.bind_texture(shadow_unit, shadow_targets.sun_map);
    backend.bind_texture(light_shadow_unit, shadow_targets.light_map);
    backend.bind_texture(light_tile_unit, tile_map);
}

} // namespace scree::render
