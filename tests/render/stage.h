// SPDX-License-Identifier: MIT
// stage.h — a renderer without a window, small pictures of it, and things to put in front of it.
#pragma once

#include "render/gl_backend.h"
#include "render/headless.h"
#include "render/image.h"
#include "render/renderer.h"
#include "render/world_model.h"

#include <memory>
#include <optional>
#include <utility>

namespace scree::render::testing {

struct Stage {
    explicit Stage(int w = 240, int h = 136, GlChoice choice = GlChoice::automatic)
        : context(choice), backend(make_gl_backend()), renderer(*backend), target(*backend, w, h) {
        settings.shadow_size = 1024;
    }

    Image picture(const Camera& camera) {
        renderer.draw(camera, settings, target.id(), target.width(), target.height());
        Image image{target.width(), target.height(), {}};
        image.rgba.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4);
        target.read(image.rgba);
        return image;
    }

    DescriptionId technique(std::unique_ptr<Technique> t, DescriptionId parent = {}) {
        return renderer.description().add_technique(parent, std::move(t));
    }
    DescriptionId material(Vec3 colour, DescriptionId parent = {}, float roughness = 0.6f) {
        Material m;
        m.colour = colour;
        m.roughness = roughness;
        return technique(std::make_unique<MaterialTechnique>(m), parent);
    }
    DescriptionId thing(DescriptionId parent, const LodMesh& mesh, Vec3 size, const Transform& at = {}) {
        GeometryNode node;
        node.mesh = mesh;
        node.position = renderer.positions().add({}, at);
        node.size = size;
        return renderer.description().add_geometry(parent, node);
    }
    DescriptionId ground(Vec3 colour = {0.7f, 0.7f, 0.7f}) {
        GeometryNode node;
        node.mesh = renderer.plane_mesh();
        node.size = {200, 1, 200};
        node.unbounded = true;
        node.casts_shadow = false;
        return renderer.description().add_geometry(material(colour), node);
    }
    /// Nothing but lights: no sun, no sky.
    void night() {
        settings.sky.sun_colour = {0, 0, 0};
        settings.sky.strength = 0;
        settings.sun_shadows = false;
        settings.ambient_occlusion = false;
        settings.background = false;
    }

    HeadlessContext context; // before everything that draws
    std::unique_ptr<Backend> backend;
    Renderer renderer;
    PictureTarget target;
    FrameSettings settings;
};

/// A world as it is now.
template <class AnyWorld>
Frame frame_of(const AnyWorld& world) {
    Frame frame;
    frame.appearance = std::make_shared<Appearance>(appearance_of(world));
    show(world, frame);
    return frame;
}

inline Camera looking(Vec3 eye, Vec3 target = {}) {
    Camera camera;
    camera.eye = eye;
    camera.target = target;
    camera.near_plane = 0.1f;
    camera.far_plane = 500;
    return camera;
}

inline int brightness(const Image& image, int x, int y) {
    const auto p = image.pixel(x, y);
    return (int{p[0]} + p[1] + p[2]) / 3;
}

/// Where a point of the world is in the picture.
inline std::pair<int, int> place_of(const Camera& camera, const Image& image, Vec3 point) {
    const float aspect = static_cast<float>(image.width) / static_cast<float>(image.height);
    const Vec4 clip = camera.projection(aspect) * camera.view() * Vec4{point.x, point.y, point.z, 1};
    return {static_cast<int>((clip.x / clip.w * 0.5f + 0.5f) * static_cast<float>(image.width)),
            static_cast<int>((0.5f - clip.y / clip.w * 0.5f) * static_cast<float>(image.height))};
}

} // namespace scree::render::testing
