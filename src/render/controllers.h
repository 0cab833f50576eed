// SPDX-License-Identifier: MIT
// controllers.h — controllers that come with the renderer: along a path, around an axis, over a texture. See frame_loop.h.
//
// Their values depend only on the time, so runs at other frame rates pass through the same states.
#pragma once

#include "render/frame_loop.h"

#include <vector>

namespace scree::render {

/// Moves a position node along straight lines between keys; its rotation and scale stay. Goes out of the loop with its node.
class PositionController final : public Controller {
public:
    struct Key {
        double seconds = 0;
        Vec3 position{};
    };
    /// Before the first key and after the last it stays there; `repeat` begins anew after the last. Throws Error for no keys
    /// and for times that do not grow.
    PositionController(PositionId node, std::vector<Key> keys, bool repeat = false);
    bool run(Renderer& renderer, const FrameTime& time) override;

private:
    PositionId node_;
    std::vector<Key> keys_;
    bool repeat_;
};

/// Turns a position node from how it is in the controller's first frame; its position and scale stay.
class RotationController final : public Controller {
public:
    /// `speed` in rad/s about an axis in the frame of the node's parent. Throws Error for an axis of no length.
    RotationController(PositionId node, Vec3 axis, float speed);
    bool run(Renderer& renderer, const FrameTime& time) override;

private:
    PositionId node_;
    Vec3 axis_;
    float speed_;
    bool begun_ = false;
    double begin_ = 0;
    Quat first_{};
};

/// Slides the texture of a TextureTechnique's node; for textures that repeat, which those of Renderer::create_texture do.
class TextureScrollController final : public Controller {
public:
    /// In textures a second.
    TextureScrollController(DescriptionId node, float speed_u, float speed_v)
        : node_(node), speed_u_(speed_u), speed_v_(speed_v) {}
    bool run(Renderer& renderer, const FrameTime& time) override;

private:
    DescriptionId node_;
    float speed_u_, speed_v_;
};

/// Shows the pictures of a texture one after the other: columns from the left, rows from the top as they were given.
class FlipbookController final : public Controller {
public:
    /// `count` pictures, all of them for 0. Throws Error when there is none, or more than columns * rows.
    FlipbookController(DescriptionId node, int columns, int rows, double pictures_per_second, int count = 0);
    bool run(Renderer& renderer, const FrameTime& time) override;

private:
    DescriptionId node_;
    int columns_, rows_, count_;
    double rate_;
};

} // namespace scree::render
