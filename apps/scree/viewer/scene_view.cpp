// SPDX-License-Identifier: MIT
// scene_view.cpp — see scene_view.h.
#include "viewer/scene_view.h"

#include "render/gl_backend.h"

#include <algorithm>

namespace scree::view {

SceneView::SceneView(std::uint32_t colour_seed)
    : backend_(render::make_gl_backend()), colour_seed_(colour_seed) {
    renderer_ = std::make_unique<render::Renderer>(*backend_);
    model_ = std::make_unique<render::WorldModel>(*renderer_);
    const std::string& words = backend_->description();
    for (const char* name : {"llvmpipe", "softpipe", "SwiftShader"})
        software_ = software_ || words.find(name) != std::string::npos;
}

SceneView::~SceneView() {
    model_.reset();
    renderer_.reset();
}

DebugGeometry SceneView::draw(const Frame& frame, const Eye& eye, const DrawChoices& choices,
                              std::optional<std::uint32_t> selected, int width, int height) {
    DebugGeometry debug;
    render::FrameSettings settings;
    settings.samples = choices.smooth ? std::min(4, backend_->max_samples()) : 1;
    settings.sun_shadows = choices.shadows;
    settings.ambient_occlusion = choices.occlusion;
    if (software_) {
        settings.shadow_size = 1024;
        settings.cascades = 2;
        settings.lod_error = 1;
    }
    settings.wireframe = choices.wireframe;
    settings.visibility = choices.visibility;
    settings.surfaces = choices.surfaces;

    render::LineList& lines = renderer_->lines();
    lines.clear();
    render::Camera camera;
    camera.eye = narrow(eye.position);
    camera.target = narrow(eye.target);
    camera.fov_y = static_cast<float>(eye.fov_y);
    if (frame.appearance) {
        model_->colour(body_colours(frame, choices.debug));
        model_->change_settings(
            {.particles = choices.particles, .floor = false, .colour_seed = colour_seed_});
        model_->update(frame);
        model_->light(settings.sky);
        settings.shading = choices.shading.value_or(model_->shading());
        renderer_->outline(selected ? model_->records_of(*selected) : std::span<const std::uint32_t>());
        debug = debug_geometry(frame, choices.debug);
        level_lines_.add(frame, choices.debug, eye, width / std::max(1.0, static_cast<double>(height)),
                         debug);
        for (const DebugLine& line : debug.lines) lines.add(line.from, line.to, line.colour, true);
        for (const DebugPoint& point : debug.points) {
            // crosses of one size on the screen
            const double size = 0.006 * length(wide(point.at) - eye.position);
            lines.cross(point.at, static_cast<float>(size), point.colour, true);
        }
        render::Bounds bounds = model_->bounds();
        if (bounds.empty()) bounds.add(camera.target, 1);
        render::fit_planes(camera, bounds);
    }
    renderer_->draw(camera, settings, {}, width, height);
    return debug;
}

std::vector<std::uint8_t> SceneView::pixels(int width, int height) {
    std::vector<std::uint8_t> rgba(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    backend_->read_pixels({}, width, height, rgba);
    return rgba;
}

} // namespace scree::view
