// SPDX-License-Identifier: MIT
// level_textures.h — pictures of a level's materials as textures of the renderer.
#pragma once

#include "render/technique.h"
#include "scree/appearance.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

namespace scree::render {

class Renderer;

class LevelTextures {
public:
    struct Found {
        TextureId colours{}, normals{};
        int width = 0, height = 0;
    };
    explicit LevelTextures(Renderer& renderer) : renderer_(renderer) {}

    /// Made at the first call with these bytes: recordings bring the same again and again. Nothing without a picture, and for one
    /// that cannot be read, of which it warns once.
    std::optional<Found> find(const AppearanceTexture& texture);

private:
    struct Made {
        TextureId id{};
        int width = 0, height = 0;
    };
    const Made& make(const std::string& file, const std::string& name, bool colours);

    Renderer& renderer_;
    /// By length, checksum, and whether they are colours; without a texture: broken.
    std::map<std::tuple<std::size_t, std::uint64_t, bool>, Made> made_;
};

/// Shows them on faces of LevelView; `texels`: as LevelView::Part::texels.
std::unique_ptr<TextureTechnique> level_texture(const LevelTextures::Found& pictures, bool texels);

} // namespace scree::render
