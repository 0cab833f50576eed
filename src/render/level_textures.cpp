// SPDX-License-Identifier: MIT
// level_textures.cpp — see level_textures.h.
#include "render/level_textures.h"

#include "bytes/checksum.h"
#include "render/image.h"
#include "render/level_view.h"
#include "render/renderer.h"
#include "scree/error.h"
#include "world/warnings.h"

#include <algorithm>
#include <span>

namespace scree::render {

const LevelTextures::Made& LevelTextures::make(const std::string& file, const std::string& name,
                                               bool colours) {
    const std::uint64_t sum =
        bytes::checksum({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
    const auto [at, added] = made_.try_emplace({file.size(), sum, colours});
    Made& made = at->second;
    if (added) try {
            Image image = decode_image(std::as_bytes(std::span(file)), name);
            if (!colours) // in files y goes up, and v goes down
                for (std::size_t i = 1; i < image.rgba.size(); i += 4)
                    image.rgba[i] = static_cast<std::uint8_t>(255 - image.rgba[i]);
            if (std::max(image.width, image.height) > renderer_.backend().max_texture_size())
                throw Error("is larger than the graphics driver's textures of " +
                                std::to_string(renderer_.backend().max_texture_size()) + " texels",
                            name);
            made = {renderer_.create_texture(image.width, image.height, image.rgba, colours), image.width,
                    image.height};
        } catch (const Error& error) {
            warn(std::string(error.what()) + (colours ? "; its faces are painted" : "; its faces are flat"));
        }
    return made;
}

std::optional<LevelTextures::Found> LevelTextures::find(const AppearanceTexture& texture) {
    if (!texture.colours) return {};
    const Made& colours = make(*texture.colours, texture.name, true);
    if (!colours.id.value) return {};
    Found found{colours.id, {}, colours.width, colours.height};
    if (texture.normals)
        found.normals = make(*texture.normals, "the normal map of " + texture.name, false).id;
    return found;
}

std::unique_ptr<TextureTechnique> level_texture(const LevelTextures::Found& pictures, bool texels) {
    TextureWindow window;
    if (texels) {
        window.scale_u = static_cast<float>(usual_texels) / static_cast<float>(pictures.width);
        window.scale_v = static_cast<float>(usual_texels) / static_cast<float>(pictures.height);
    }
    return std::make_unique<TextureTechnique>(pictures.colours, pictures.normals, window);
}

} // namespace scree::render
