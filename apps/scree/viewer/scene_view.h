// SPDX-License-Identifier: MIT
// scene_view.h — frames of the physics or of a recording, drawn by the renderer.
#pragma once

#include "render/renderer.h"
#include "render/world_model.h"
#include "view/camera.h"
#include "view/debug_lines.h"
#include "view/frame.h"
#include "view/level_lines.h"

#include <memory>
#include <optional>

namespace scree::view {

struct DrawChoices {
    bool particles = true, surfaces = true;
    render::Wireframe wireframe = render::Wireframe::off;
    render::Visibility visibility = render::Visibility::portals;
    std::optional<Shading> shading; ///< default: the scene's
    DebugDraw debug;
    bool shadows = true, occlusion = true, smooth = true; ///< smooth: several samples a pixel
};

class SceneView {
public:
    /// In the context that is current. Throws Error when the driver cannot do it.
    explicit SceneView(std::uint32_t colour_seed);
    ~SceneView();

    /// Draws into the window. Returns the debug geometry, whose words are for the caller to write.
    DebugGeometry draw(const Frame& frame, const Eye& eye, const DrawChoices& choices,
                       std::optional<std::uint32_t> selected, int width, int height);
    const render::FrameCounters& counters() const { return renderer_->counters(); }
    render::Backend& backend() { return *backend_; }
    /// Drawn by the CPU: be sparing.
    bool software() const { return software_; }
    /// What the window shows, rows from the top.
    std::vector<std::uint8_t> pixels(int width, int height);

private:
    std::unique_ptr<render::Backend> backend_;
    std::unique_ptr<render::Renderer> renderer_;
    std::unique_ptr<render::WorldModel> model_;
    LevelLines level_lines_;
    std::uint32_t colour_seed_ = 0;
    bool software_ = false;
};

} // namespace scree::view
