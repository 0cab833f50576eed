// SPDX-License-Identifier: MIT
// technique.h — inner nodes of the description tree, which change the look of the leaves below them.
#pragma once

#include "render/backend.h"
#include "render/textures.h"
#include "scree/math.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace scree::render {

/// Up to 64 lights, one bit each.
using LightMask = std::uint64_t;
constexpr int max_lights = 64;

/// The look of a surface. Colours are sRGB values from 0 to 1.
struct Material {
    std::optional<Vec3> colour; ///< left out: the colour of its pose, which a world sets for each body
    float alpha = 1;
    float roughness = 0.55f;
    float metallic = 0;
    Pattern pattern = Pattern::none;
    float unit = 0;       ///< m, of the pattern; 0: from the size, or 1 m of an endless ground
    bool endless = false; ///< a ground that fades into the horizon
};

/// The part of a texture that a surface shows: a place in its coordinates becomes offset + place * scale.
struct TextureWindow {
    float offset_u = 0, offset_v = 0, scale_u = 1, scale_v = 1;
    friend bool operator==(const TextureWindow&, const TextureWindow&) = default;
};

/// Everything that distinguishes two draws of the opaque or the transparent pass: the "state" that lists share.
struct DrawState {
    Material material;
    TextureId albedo{}, normal_map{};
    TextureWindow window{}; ///< of both
    bool transparent = false;
    bool two_sided = false;
    bool casts_shadow = true;
    LightMask lights = 0; ///< lights placed on the path to the root
};

/// Base of all techniques; user code may derive its own.
class Technique {
public:
    virtual ~Technique() = default;
    /// Called from the root down to the leaf, so nodes nearer to the leaf override others.
    virtual void apply(DrawState& state) const = 0;
};

class MaterialTechnique final : public Technique {
public:
    explicit MaterialTechnique(const Material& material) : material_(material) {}
    void apply(DrawState& state) const override { state.material = material_; }

private:
    Material material_;
};

/// Textures in the mesh's coordinates, or a window of them; nullopt keeps the current ones.
class TextureTechnique final : public Technique {
public:
    explicit TextureTechnique(TextureId albedo, TextureId normal_map = {}, const TextureWindow& window = {})
        : albedo_(albedo), normal_map_(normal_map), window_(window) {}
    void apply(DrawState& state) const override {
        if (albedo_.value) state.albedo = albedo_;
        if (normal_map_.value) state.normal_map = normal_map_;
        state.window = window_;
    }
    const TextureWindow& window() const { return window_; }
    /// In a tree through DescriptionTree::edit_texture.
    void set_window(const TextureWindow& window) { window_ = window; }
    void set_textures(TextureId albedo, TextureId normal_map = {}) {
        albedo_ = albedo, normal_map_ = normal_map;
    }

private:
    TextureId albedo_, normal_map_;
    TextureWindow window_;
};

/// Drawn after everything opaque, layers in their true order.
class TransparencyTechnique final : public Technique {
public:
    explicit TransparencyTechnique(float alpha, bool two_sided = true)
        : alpha_(alpha), two_sided_(two_sided) {}
    void apply(DrawState& state) const override {
        state.material.alpha = alpha_;
        state.transparent = true;
        state.two_sided = two_sided_;
        state.casts_shadow = false;
    }

private:
    float alpha_;
    bool two_sided_;
};

/// Sheets: seen, and in the light, from both sides.
class TwoSidedTechnique final : public Technique {
public:
    void apply(DrawState& state) const override { state.two_sided = true; }
};

/// A light that shines only on leaves below this node; see LightList.
class LightTechnique final : public Technique {
public:
    explicit LightTechnique(int light) : light_(light) {}
    void apply(DrawState& state) const override { state.lights |= LightMask{1} << light_; }

private:
    int light_;
};

} // namespace scree::render
