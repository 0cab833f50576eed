// SPDX-License-Identifier: MIT
// world_model.h — a drawable copy of a world: builds records and leaves once, then takes the poses of each frame.
#pragma once

#include "render/renderer.h"
#include "scree/appearance.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace scree::render {

/// The colour of a body by its index, sRGB: one of twelve, at random from the seed.
Vec3 palette_colour(std::uint32_t body, std::uint32_t seed = 0);
/// Of fixed bodies, and of those behind the world's own.
constexpr Vec3 fixed_colour{0.60f, 0.61f, 0.63f};

struct ModelSettings {
    bool particles = true;   ///< bodies of particles as these; else as their parts
    bool colliders = false;  ///< bodies with a drawn mesh as the parts that collide
    bool glass_walls = true; ///< fixed upright plates, as of containers, are transparent
    bool floor = true;       ///< a ground where the scene has none, under everything
    bool darken_sleepers = true;
    bool skin_on_host =
        false; ///< surfaces follow their bones on the host, which uploads their vertices for each picture
    std::uint32_t colour_seed = 0; ///< another one, other colours
    friend bool operator==(const ModelSettings&, const ModelSettings&) = default;
};

class WorldModel {
public:
    explicit WorldModel(Renderer& renderer, const ModelSettings& settings = {});
    ~WorldModel();
    WorldModel(const WorldModel&) = delete;
    WorldModel& operator=(const WorldModel&) = delete;

    /// Takes the frame's poses and flags; rebuilds everything if the appearance changed. The frame's arrays are read until the next
    /// draw: do not change them before. Throws Error when the frame lacks bodies.
    void update(const Frame& frame);
    /// Where the world's device may write the poses of the appearance that update() built; null where the renderer has no such memory, or
    /// nothing is drawn that it could hold. Then update() with a frame that is `shared`.
    SharedPoses* share();
    /// The same for the vertices of sheets. Then update() with a frame whose vertices are shared.
    SharedVertices* share_vertices();
    /// Takes effect with the next update.
    void change_settings(const ModelSettings& settings);

    /// Overrides the palette: 0xAABBGGRR by body (AA 255: full brightness). Empty restores the palette.
    void colour(std::span<const std::uint32_t> by_body);
    /// Records of a body, for outlining.
    std::span<const std::uint32_t> records_of(std::uint32_t body) const;
    /// Bounds of all moving bodies, or of all bodies if none moves; without planes.
    Bounds bounds() const;
    /// Adds the corners of the same bounds to `framing`.
    void frame(Framing& framing) const;
    /// The camera of the appearance, if any; or that of its others with a name. Throws Error if there is none of that name.
    std::optional<Camera> camera(const std::string& name = {}) const;
    /// Replaces the sky's sun by the appearance's first light without a position. All other lights are already in
    /// Renderer::lights(). Intensity 1 is that of the default sun, or 10 candela of Light.
    void light(Sky& sky) const;
    Shading shading() const; ///< of the appearance
    /// Height of the drawn ground, if any.
    std::optional<float> ground() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One of Appearance::cameras. Throws Error with `where` and the names there are.
const AppearanceCamera& camera_named(const Appearance& look, const std::string& name,
                                     const std::string& where);

} // namespace scree::render
