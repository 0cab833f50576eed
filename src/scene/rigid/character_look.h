// SPDX-License-Identifier: MIT
// character_look.h — the characters of a rigid scene at a moment, and as surfaces that deform.
#pragma once

#include "scree/appearance.h"
#include "scree/rigid_scene.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace scree {

/// What of a model is drawn: a surface for each material. Vertices at one place that move alike are one, so that seams of textures do not
/// show as edges.
struct CharacterSkin {
    struct Surface {
        std::uint32_t material = 0;
        std::vector<std::uint32_t> vertices;  ///< of the model
        std::vector<std::uint32_t> triangles; ///< indices into `vertices`
        std::vector<std::array<float, 2>>
            texture_places; ///< of the triangles' corners, if the material has a picture
        /// Where no vertex follows more than four bones: vertices and normals, and the model's bones that they follow. Null: frames have the
        /// vertices.
        std::shared_ptr<const AppearanceSkin> skin;
        std::vector<std::uint32_t> bones;
    };
    std::vector<Surface> surfaces;
};
std::vector<CharacterSkin> character_skins(const RigidScene& scene);

/// The pose of a clip, and where the model is, at a time of the scene.
struct CharacterPlace {
    ModelPose pose;
    DPose at;
};
CharacterPlace character_place(const SceneCharacter& character, double time);

/// Adds the surfaces, whose vertices are in frames from `first_vertex` on.
void add_characters(const RigidScene& scene, const std::vector<CharacterSkin>& skins,
                    std::uint32_t first_vertex, Appearance& look);
/// Appends the vertices to the frame; poses are those of the bodies where there are any, which are not drawn themselves.
void show_characters(const RigidScene& scene, const std::vector<CharacterSkin>& skins, const World& world,
                     Frame& frame);

} // namespace scree
