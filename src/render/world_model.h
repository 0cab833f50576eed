// SPDX-License-Identifier: MIT
// world_model.h — a world as things to draw: builds records and leaves once, then takes the poses of each frame.
#pragma once

#include "render/renderer.h"
#include "scree/appearance.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace scree::render {

/// The colour of a body by its number, sRGB: one of twelve, chosen by chance that the seed fixes.
Vec3 palette_colour(std::uint32_t body, std::uint32_t seed = 0);
/// Of fixed bodies, and of those behind the world's own.
constexpr Vec3 fixed_colour{0.60f, 0.61f, 0.63f};

struct ModelSettings {
    bool particles = true;   ///< bodies of particles as these; else as their parts
    bool glass_walls = true; ///< fixed upright plates, as of containers, are transparent
    bool floor = true;       ///< a ground where the scene has none, under everything
    bool darken_sleepers = true;
    std::uint32_t colour_seed = 0; ///< another one, other colours
    friend bool operator==(const ModelSettings&, const ModelSettings&) = default;
};

class WorldModel {
public:
    explicit WorldModel(Renderer& renderer, const ModelSettings& settings = {});
    ~WorldModel();
    WorldModel(const WorldModel&) = delete;
    WorldModel& operator=(const WorldModel&) = delete;

    /// Takes the frame's poses and flags. Everything is built anew when its appearance is another one than before. The frame's
    /// arrays are read until the next draw: keep them as they are until then. Throws Error when the frame has not all bodies.
    void update(const Frame& frame);
    /// Takes effect with the next update.
    void change_settings(const ModelSettings& settings);

    /// In place of the palette; 0xAABBGGRR by body (AA: 255 is full brightness). Empty goes back to the palette.
    void colour(std::span<const std::uint32_t> by_body);
    /// Records of a body: what to outline.
    std::span<const std::uint32_t> records_of(std::uint32_t body) const;
    /// Of all bodies that move, or of everything when none does; planes left out.
    Bounds bounds() const;
    /// Adds the same, corner by corner: what a picture should be filled with.
    void frame(Framing& framing) const;
    /// The camera that the appearance asks for.
    std::optional<Camera> camera() const;
    /// Puts the appearance's sun in place of the sky's, where it has lights: the first without a position. Those with one are
    /// in Renderer::lights() by themselves. Intensity 1 is the sun's usual one, or 10 candela of Light.
    void light(Sky& sky) const;
    /// Height of the ground that is drawn, if any.
    std::optional<float> ground() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree::render
