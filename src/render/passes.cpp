// SPDX-License-Identifier: MIT
// passes.cpp — the passes of a frame; see renderer_state.h.
#include "render/renderer_state.h"

#include <algorithm>

namespace scree::render {

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

bool Renderer::State::computes(const FrameSettings& settings) const {
    return backend.computes() && (settings.screen_passes == ScreenPasses::computed ||
                                  (settings.screen_passes == ScreenPasses::automatic && !backend.software()));
}

void Renderer::State::occlusion_pass(const FrameSettings& settings) {
    RasterState raster;
    raster.depth = Depth::off;
    raster.depth_write = false;
    raster.cull = Cull::none;
    const bool computed = computes(settings);
    const auto pixels = [&](Shader drawn, Shader filled, TargetId target, TextureId texture, int width,
                            int height) {
        if (computed) {
            backend.bind_program(programs(filled));
            backend.fill(texture, width, height);
            return;
        }
        PassDef pass;
        pass.target = target;
        pass.width = width, pass.height = height;
        backend.begin_pass(pass);
        screen(programs(drawn), raster);
    };
    const auto half = [&](Shader drawn, Shader filled, std::size_t into) {
        pixels(drawn, filled, targets.occlusion[into], targets.occlusion_map[into], (targets.width + 1) / 2,
               (targets.height + 1) / 2);
    };
    backend.bind_texture(depth_unit, targets.depth);
    half(Shader::occlusion, Shader::occlusion_computed, 0);
    for (std::size_t i = 0; i < 2; ++i) {
        backend.bind_texture(occlusion_unit, targets.occlusion_map[i]);
        pool.bind(blur_constants[i]);
        half(Shader::occlusion_blur, Shader::occlusion_blur_computed, 1 - i);
    }
    backend.bind_texture(colour_unit, targets.colour);
    backend.bind_texture(occlusion_unit, targets.occlusion_map[0]);
    pixels(Shader::compose, Shader::compose_computed, targets.composed, targets.composed_colour,
           targets.width, targets.height);
}

void Renderer::State::tonemap_pass(const FrameSettings& settings, TextureId picture, TargetId target) {
    const bool outline = outline_range.count > 0, computed = computes(settings);
    if (!computed) backend.begin_pass(whole(target));
    backend.bind_texture(colour_unit, picture);
    if (outline) backend.bind_texture(mask_unit, targets.mask_map);
    pool.bind(screen_constants);
    if (computed) {
        // the target may be the window, into which nothing is computed
        targets.need_screen();
        backend.bind_program(programs(outline ? Shader::tonemap_outline_computed : Shader::tonemap_computed));
        backend.fill(targets.screen_colour, targets.width, targets.height);
        backend.resolve(targets.screen, target, targets.width, targets.height, true, false);
        return;
    }
    RasterState plain;
    plain.depth = Depth::off;
    plain.depth_write = false;
    plain.cull = Cull::none;
    screen(programs(outline ? Shader::tonemap_outline : Shader::tonemap), plain);
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

    over.blend = Blend::under;
    layers = static_cast<std::size_t>(std::max(settings.transparent_layers, 0));
    const auto peel = [&](std::size_t number) {
        PassDef pass = whole(targets.layer[number % 2]);
        pass.clear_colour = pass.clear_depth = true;
        backend.begin_pass(pass);
        backend.bind_texture(layer_unit, targets.layer_depth[1 - number % 2]);
        for (RenderItem& item : list.items())
            if (item.state.transparent)
                item.constants = layer_constants[number > 0] + item.group * ConstantPool::step;
        meshes.bind();
        backend.begin_query(number);
        const BackendCounters before = backend.counters();
        list.draw(settings.mode, true, programs.bodies(), RasterState{}, pool);
        count(before);
        backend.end_query();
    };
    backend.bind_texture(depth_unit, targets.depth);
    if (layers > 0) peel(0);
    for (std::size_t number = 0; number < layers; ++number) {
        // behind a layer that nobody sees there is none: the GPU knows, and where it cannot act on it the host waits for its word
        const bool by_gpu = backend.begin_if_passed(number);
        if (!by_gpu && !backend.passed(number)) break;
        backend.begin_pass(sum);
        backend.bind_texture(layer_unit, targets.layer_colour);
        screen(programs(Shader::merge), over);
        if (number + 1 < layers) peel(number + 1);
        if (by_gpu) backend.end_if_passed();
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

} // namespace scree::render
