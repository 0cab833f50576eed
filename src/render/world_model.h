// SPDX-License-Identifier: MIT
// world_model.h — a world as things to draw: builds records and leaves once, then moves poses each frame.
#pragma once

#include "render/renderer.h"
#include "scree/appearance.h"
#include "scree/granular.h"
#include "scree/world.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace scree::render {

/// How bodies are coloured unless the caller colours them.
enum class Colouring { palette, plain };

/// The colour of a body by its number, sRGB: one of twelve, chosen by chance that the seed fixes.
Vec3 palette_colour(std::uint32_t body, std::uint32_t seed = 0);
/// Of fixed bodies.
constexpr Vec3 fixed_colour{0.60f, 0.61f, 0.63f};

struct ModelSettings {
    bool particles = true;   ///< granular bodies as their particles; else as boxes of their size
    bool glass_walls = true; ///< fixed upright plates, as of containers, are transparent
    bool floor = true;       ///< a ground where the scene has none, under everything
    bool darken_sleepers = true;
    std::uint32_t colour_seed = 0; ///< another one, other colours
};

/// A world as somebody knows it who does not hold it: what a viewer's frames say.
struct ModelScene {
    struct Part {
        Geometry geometry;
        Vec3 position{}; ///< in the frame of the body's pose
        Quat rotation{};
    };
    struct Shape {
        std::vector<Part> parts;
        std::vector<ShapeParticle> particles; ///< drawn in place of the parts when ModelSettings say so
    };
    std::uint64_t version = 0; ///< differs when anything here does
    std::vector<Shape> shapes;
    std::vector<std::uint32_t> shape_of; ///< by body
    std::vector<bool> fixed;             ///< by body
    std::vector<Obstacle> obstacles;
    bool ground = false; ///< the plane y = 0 besides the bodies
};

class WorldModel {
public:
    explicit WorldModel(Renderer& renderer, const ModelSettings& settings = {});
    ~WorldModel();
    WorldModel(const WorldModel&) = delete;
    WorldModel& operator=(const WorldModel&) = delete;

    /// Takes the world's state as it is now. Bodies and shapes that came or went are noticed. The world's arrays are read
    /// until the next draw: no step in between.
    void update(const World& world);
    void update(const GranularWorld& world);
    void update(const Frame& frame);
    /// `poses` and `asleep` by body, `obstacles` by obstacle.
    void update(const ModelScene& scene, std::span<const Transform> poses, const std::vector<bool>& asleep,
                std::span<const Transform> obstacles);
    /// Takes effect with the next update.
    void change_settings(const ModelSettings& settings);

    /// In place of the palette; 0xAABBGGRR by body index (AA: 255 is full brightness). Empty goes back to the palette.
    void colour(std::span<const std::uint32_t> by_body);
    void hide(std::span<const std::uint32_t> bodies);
    /// Records of a body: what to outline.
    std::vector<std::uint32_t> records_of(std::uint32_t body) const;
    /// Of all bodies that move, or of everything when none does; planes left out. A good thing to frame.
    Bounds bounds() const;
    /// Height of the ground that is drawn, if any.
    std::optional<float> ground() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree::render
