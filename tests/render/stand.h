// SPDX-License-Identifier: MIT
// stand.h — an appearance made by hand, pictures of it, and what is seen in them.
#pragma once

#include "render/stage.h"

#include "scree/scene.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace scree::render::testing {

inline constexpr Vec3 red{0.85f, 0.1f, 0.1f}, green{0.1f, 0.75f, 0.15f};

/// An appearance made by hand.
struct Stand {
    std::shared_ptr<Appearance> look = std::make_shared<Appearance>();
    Frame frame;

    std::uint32_t add(const Geometry& geometry, Vec3 at, const Paint& body = {}, const Paint& part = {}) {
        look->bodies.push_back({static_cast<std::uint32_t>(look->shapes.size())});
        look->bodies.back().paint = body;
        look->shapes.push_back(appearance_of("", {{geometry, {}, part}}));
        frame.resize(++look->body_count);
        frame.set_pose(look->body_count - 1, {at, {}});
        return look->body_count - 1;
    }
    const Frame& shown() {
        frame.appearance = look;
        return frame;
    }
};

inline Image picture_of(Stage& stage, const Frame& frame, const Camera& camera,
                        const ModelSettings& settings = {}) {
    WorldModel model(stage.renderer, settings);
    model.update(frame);
    stage.settings.sky = {};
    model.light(stage.settings.sky);
    return stage.picture(camera);
}

inline bool is_red(const Image& image, std::pair<int, int> at) {
    const auto p = image.pixel(at.first, at.second);
    return p[0] > p[1] + 40 && p[0] > p[2] + 40;
}

/// Of a rectangle around the middle.
inline double contrast(const Image& image) {
    double sum = 0, squares = 0;
    int count = 0;
    for (int y = image.height * 2 / 5; y < image.height * 3 / 5; ++y)
        for (int x = image.width * 2 / 5; x < image.width * 3 / 5; ++x, ++count) {
            const double b = brightness(image, x, y);
            sum += b, squares += b * b;
        }
    return std::sqrt(std::max(0.0, squares / count - sum / count * sum / count));
}

} // namespace scree::render::testing
