// SPDX-License-Identifier: MIT
// targets.h — render targets of a frame, kept from frame to frame.
#pragma once

#include "render/backend.h"

#include <array>
#include <vector>

namespace scree::render {

/// Made for one size; prepare() makes them anew when it changes.
class FrameTargets {
public:
    explicit FrameTargets(Backend& backend) : backend_(backend) {}

    void prepare(int width, int height, int samples);
    /// Those that not every frame needs.
    void need_layers();
    void need_mask();
    void need_screen();

    int width = 0, height = 0, samples = 1;
    TargetId scene{};    ///< several samples: opaque things are drawn here
    TargetId resolved{}; ///< one sample
    TextureId colour{}, depth{};
    TextureId scene_depth{}; ///< of all samples
    TargetId composed{};
    TextureId composed_colour{};
    std::array<TargetId, 2> occlusion{}; ///< half size
    std::array<TextureId, 2> occlusion_map{};
    std::array<TargetId, 2> layer{}; ///< the same colour, depths in turn
    std::array<TextureId, 2> layer_depth{};
    TextureId layer_colour{}, layers_colour{};
    TargetId layers{};
    TargetId screen{}; ///< the picture as it is shown, where it is computed
    TextureId screen_colour{};
    TargetId mask{};
    TextureId mask_map{};

private:
    template <class Make>
    void together(const Make& make);
    void make_layers();
    void release();
    TextureId texture(TextureFormat format, int w, int h, int of_samples = 1, bool linear = false,
                      bool depths = false);
    TargetId target(std::initializer_list<TextureId> colours, TextureId of_depth = {});

    Backend& backend_;
    std::vector<Owned<TextureId>> textures_;
    std::vector<Owned<TargetId>> targets_;
};

/// Depth seen from the sun and from lights.
class ShadowTargets {
public:
    explicit ShadowTargets(Backend& backend) : backend_(backend) {}
    /// A square of 1 or 2 x 2 tiles; size 0 makes the smallest that can be bound.
    void prepare_sun(int size, int tiles);
    /// Six tiles in a row for each row.
    void prepare_lights(int tile, int rows);

    Owned<TextureId> sun_map, light_map;
    Owned<TargetId> sun, lights;
    /// How many maps there were: nothing is in a new one yet. Drivers give the names of old textures again.
    std::uint64_t sun_maps = 0, light_maps = 0;

private:
    void make(Owned<TextureId>& map, Owned<TargetId>& target, int width, int height);
    Backend& backend_;
    int sun_size_ = -1, light_size_ = -1, light_rows_ = -1;
};

} // namespace scree::render
