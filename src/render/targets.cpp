// SPDX-License-Identifier: MIT
// targets.cpp — see targets.h.
#include "render/targets.h"

#include <algorithm>

namespace scree::render {

TextureId FrameTargets::texture(TextureFormat format, int w, int h, int of_samples, bool linear,
                                bool depths) {
    TextureDef def;
    def.format = format;
    def.width = w;
    def.height = h;
    def.samples = of_samples;
    def.linear = linear;
    def.depths = depths;
    textures_.emplace_back(backend_, backend_.create_texture(def));
    return textures_.back();
}

TargetId FrameTargets::target(std::initializer_list<TextureId> colours, TextureId of_depth) {
    targets_.emplace_back(backend_,
                          backend_.create_target(std::span(colours.begin(), colours.size()), of_depth));
    return targets_.back();
}

void FrameTargets::release() {
    targets_.clear();
    textures_.clear();
    scene = resolved = composed = layers = mask = screen = {};
    layer = {};
}

void FrameTargets::prepare(int w, int h, int s) {
    if (scene.value && w == width && h == height && s == samples) return;
    release();
    width = w;
    height = h;
    samples = s;
    colour = texture(TextureFormat::rgba16f, w, h);
    depth = texture(TextureFormat::depth32f, w, h);
    resolved = target({colour}, depth);
    TargetId drawn = resolved;
    scene_depth = depth;
    if (s > 1) {
        scene_depth = texture(TextureFormat::depth32f, w, h, s, false, backend_.computes());
        drawn = target({texture(TextureFormat::rgba16f, w, h, s)}, scene_depth);
    }
    composed_colour = texture(TextureFormat::rgba16f, w, h);
    composed = target({composed_colour});
    for (std::size_t i = 0; i < 2; ++i) {
        occlusion_map[i] = texture(TextureFormat::rgba16f, (w + 1) / 2, (h + 1) / 2);
        occlusion[i] = target({occlusion_map[i]});
    }
    scene = drawn; // there was memory for all
}

/// Where there is no memory for all of them there are none: the next picture asks again.
template <class Make>
void FrameTargets::together(const Make& make) {
    const auto textures = static_cast<std::ptrdiff_t>(textures_.size()),
               targets = static_cast<std::ptrdiff_t>(targets_.size());
    try {
        make();
    } catch (...) {
        targets_.erase(targets_.begin() + targets, targets_.end());
        textures_.erase(textures_.begin() + textures, textures_.end());
        throw;
    }
}

void FrameTargets::need_layers() {
    if (layers.value) return;
    together([this] { make_layers(); });
}

void FrameTargets::make_layers() {
    layer_colour = texture(TextureFormat::rgba16f, width, height);
    layers_colour = texture(TextureFormat::rgba16f, width, height);
    for (std::size_t i = 0; i < 2; ++i) {
        layer_depth[i] = texture(TextureFormat::depth32f, width, height);
        layer[i] = target({layer_colour}, layer_depth[i]);
    }
    layers = target({layers_colour});
}

void FrameTargets::need_mask() {
    if (mask.value) return;
    together([this] {
        mask_map = texture(TextureFormat::r8, width, height);
        mask = target({mask_map});
    });
}

void FrameTargets::need_screen() {
    if (screen.value) return;
    together([this] {
        screen_colour = texture(TextureFormat::rgba8, width, height);
        screen = target({screen_colour});
    });
}

void ShadowTargets::make(Owned<TextureId>& map, Owned<TargetId>& target, int width, int height) {
    TextureDef def;
    def.format = TextureFormat::depth32f;
    def.width = width;
    def.height = height;
    def.compare = true;
    target = {}; // draws into the map
    map = {backend_, backend_.create_texture(def)};
    target = {backend_, backend_.create_target({}, map)};
}

void ShadowTargets::prepare_sun(int size, int tiles) {
    const int side = std::max(size * tiles, 1);
    if (side == sun_size_) return;
    sun_size_ = -1; // if there is no memory for it
    make(sun_map, sun, side, side);
    sun_size_ = side;
    ++sun_maps;
}

void ShadowTargets::prepare_lights(int tile, int rows) {
    if (tile == light_size_ && rows == light_rows_) return;
    light_size_ = -1;
    make(light_map, lights, std::max(6 * tile, 1), std::max(rows * tile, 1));
    light_size_ = tile;
    light_rows_ = rows;
    ++light_maps;
}

} // namespace scree::render
