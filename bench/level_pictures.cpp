// SPDX-License-Identifier: MIT
// level_pictures.cpp — see level_pictures.h.
#include "level_pictures.h"

#include "row.h"
#include "scree/error.h"

#ifdef SCREE_HAS_RENDER
#include "render/gl_backend.h"
#include "render/headless.h"
#include "render/renderer.h"
#include "render/world_model.h"
#include "scree/appearance.h"
#include "stopwatch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>
#endif

namespace scree::bench {

std::vector<std::string> picture_columns() {
    return {"level",  "pictures",   "triangles",  "frustum",           "portals",
            "all ms", "frustum ms", "portals ms", "frustum / portals", "pictures that differ",
            "pixels", "by at most", "closed",     "closed pixels"};
}

#ifndef SCREE_HAS_RENDER

std::vector<std::string> picture_line(const std::string&, std::shared_ptr<const CompiledLevel>,
                                      const std::vector<LevelCamera>&, int, int) {
    throw Error("this build has no renderer", "scree bench level --pictures");
}

#else

namespace {

using namespace render;

class LevelPictures {
public:
    LevelPictures(std::shared_ptr<const CompiledLevel> level, int width, int height)
        : backend_(make_gl_backend()),
          renderer_(*backend_),
          model_(renderer_),
          target_(*backend_, width, height) {
        auto look = std::make_shared<Appearance>();
        look->shapes = {appearance_of("level", {})};
        look->bodies.push_back({.shape = 0, .type = BodyType::fixed});
        look->body_count = 1;
        look->ground.shown = false;
        look->levels.push_back({0, std::move(level), level_scale, {}, {}});
        frame_.appearance = look;
        frame_.resize(1);
        frame_.set_pose(0, {});
        model_.update(frame_);
        rgba_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
    }

    /// Milliseconds until the picture is there.
    double draw(const LevelCamera& from, Visibility visibility) {
        Camera camera;
        camera.eye = narrow(from_map(from.eye));
        camera.target = narrow(from_map(from.eye + 32.0 * normalized(from.forward)));
        camera.fov_y = static_cast<float>(2 * std::atan(from.tan_y));
        camera.near_plane = static_cast<float>(from.near) * level_scale;
        camera.far_plane = 1000;
        settings_.visibility = visibility;
        const Stopwatch clock;
        renderer_.draw(camera, settings_, target_.id(), target_.width(), target_.height());
        target_.read(rgba_);
        return 1000 * clock.seconds();
    }
    const std::vector<std::uint8_t>& rgba() const { return rgba_; }
    std::uint64_t triangles() const { return renderer_.counters().surfaces.triangles; }

private:
    HeadlessContext context_; // before everything that draws
    std::unique_ptr<Backend> backend_;
    Renderer renderer_;
    WorldModel model_;
    PictureTarget target_;
    FrameSettings settings_;
    Frame frame_;
    std::vector<std::uint8_t> rgba_;
};

struct PixelsThatDiffer {
    std::uint64_t pixels = 0;
    int most = 0; ///< of 255
};

PixelsThatDiffer difference_of(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
    PixelsThatDiffer out;
    for (std::size_t i = 0; i < a.size(); i += 4) {
        int off = 0;
        for (std::size_t c = 0; c < 3; ++c) off = std::max(off, std::abs(int{a[i + c]} - int{b[i + c]}));
        out.pixels += off > 0;
        out.most = std::max(out.most, off);
    }
    return out;
}

} // namespace

std::vector<std::string> picture_line(const std::string& name, std::shared_ptr<const CompiledLevel> level,
                                      const std::vector<LevelCamera>& path, int width, int height) {
    LevelPictures pictures(std::move(level), width, height);
    std::array<double, 4> ms{}, triangles{};
    std::uint64_t differ = 0, pixels = 0, holes = 0;
    int most = 0;
    if (!path.empty()) pictures.draw(path[0], Visibility::none); // makes buffers
    std::vector<std::uint8_t> all;
    for (const LevelCamera& camera : path) {
        for (const Visibility one :
             {Visibility::none, Visibility::frustum, Visibility::closed, Visibility::portals}) {
            const auto at = static_cast<std::size_t>(one);
            ms[at] += pictures.draw(camera, one);
            triangles[at] += static_cast<double>(pictures.triangles());
            if (one == Visibility::none) all = pictures.rgba();
            if (one == Visibility::closed) holes += difference_of(all, pictures.rgba()).pixels;
        }
        const auto [here, off] = difference_of(all, pictures.rgba());
        most = std::max(most, off);
        differ += here > 0;
        pixels += here;
    }
    const double n = std::max<double>(1, static_cast<double>(path.size()));
    const auto mean = [&](double sum) { return number_text(sum / n, 4); };
    return {name,
            std::to_string(path.size()),
            mean(triangles[2]),
            mean(triangles[1]),
            mean(triangles[0]),
            mean(ms[2]),
            mean(ms[1]),
            mean(ms[0]),
            number_text(triangles[1] / std::max(1.0, triangles[0]), 3),
            std::to_string(differ),
            std::to_string(pixels),
            std::to_string(most),
            mean(triangles[3]),
            std::to_string(holes)};
}

#endif

} // namespace scree::bench
