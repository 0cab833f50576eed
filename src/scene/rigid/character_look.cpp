// SPDX-License-Identifier: MIT
// character_look.cpp — see character_look.h.
#include "scene/rigid/character_look.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace scree {
namespace {

/// Equal for vertices at one place that follow the same bones and face alike.
using VertexKey =
    std::tuple<std::array<float, 3>, std::vector<std::pair<std::uint32_t, float>>, std::array<int, 3>>;

VertexKey key_of(const SkinnedModel& model, std::uint32_t vertex) {
    const Vec3 p = model.mesh.vertices[vertex], n = model.normals[vertex];
    std::vector<std::pair<std::uint32_t, float>> weights;
    for (std::uint32_t w = model.first_weight[vertex]; w < model.first_weight[vertex + 1]; ++w)
        weights.emplace_back(model.weights[w].bone, model.weights[w].weight);
    std::sort(weights.begin(), weights.end());
    // corners of a cube stay apart, round surfaces do not
    const auto side = [](float x) { return x > 0.8f ? 1 : x < -0.8f ? -1 : 0; };
    return {{p.x, p.y, p.z}, weights, {side(n.x), side(n.y), side(n.z)}};
}

CharacterSkin skin_of(const SkinnedModel& model) {
    const TriangleMesh& mesh = model.mesh;
    CharacterSkin skin;
    for (std::uint32_t material = 0; material < std::max<std::size_t>(mesh.materials.size(), 1); ++material) {
        CharacterSkin::Surface surface;
        surface.material = material;
        std::map<VertexKey, std::uint32_t> known;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            if (!mesh.materials.empty() && mesh.triangle_materials[t] != material) continue;
            for (const std::uint32_t vertex : mesh.triangles[t]) {
                const auto [at, is_new] = known.try_emplace(
                    key_of(model, vertex), static_cast<std::uint32_t>(surface.vertices.size()));
                if (is_new) surface.vertices.push_back(vertex);
                surface.triangles.push_back(at->second);
            }
        }
        if (!surface.triangles.empty()) skin.surfaces.push_back(std::move(surface));
    }
    return skin;
}

} // namespace

std::vector<CharacterSkin> character_skins(const RigidScene& scene) {
    std::vector<CharacterSkin> skins;
    std::map<const SkinnedModel*, std::size_t> known;
    for (const SceneCharacter& character : scene.characters) {
        const auto [at, is_new] = known.try_emplace(character.model.get(), skins.size());
        skins.push_back(is_new ? skin_of(*character.model) : skins[at->second]);
    }
    return skins;
}

CharacterPlace character_place(const SceneCharacter& character, double time) {
    // the clip waits while the character lies
    const double lay = std::max(0.0, std::min(time, character.rises) - std::min(character.falls, time));
    const double now = character.start + character.speed * (time - lay);
    CharacterPlace out{rest_pose(*character.model), character.at};
    sample(character.clip, now, out.pose);
    if (character.other) {
        ModelPose other = rest_pose(*character.model), both;
        sample(*character.other, now, other);
        blend(out.pose, other, character.share, both);
        out.pose = std::move(both);
    }
    if (!character.motion.empty())
        out.at = character.at * (inverse(character.motion.at(character.start)) * character.motion.at(now));
    out.at.rotation = normalized(out.at.rotation);
    return out;
}

void add_characters(const RigidScene& scene, const std::vector<CharacterSkin>& skins,
                    std::uint32_t first_vertex, Appearance& look) {
    for (std::size_t c = 0; c < skins.size(); ++c) {
        const SceneCharacter& character = scene.characters[c];
        for (const CharacterSkin::Surface& surface : skins[c].surfaces) {
            AppearanceMesh mesh;
            mesh.name = character.name.empty() ? "character " + std::to_string(c) : character.name;
            mesh.first_vertex = first_vertex;
            mesh.vertex_count = static_cast<std::uint32_t>(surface.vertices.size());
            mesh.triangles = surface.triangles;
            mesh.paint = character.paint;
            if (!mesh.paint.colour && surface.material < character.model->colours.size())
                mesh.paint.colour = character.model->colours[surface.material];
            if (!character.capsules.empty()) mesh.body = character.first_body;
            first_vertex += mesh.vertex_count;
            look.meshes.push_back(std::move(mesh));
        }
    }
}

void show_characters(const RigidScene& scene, const std::vector<CharacterSkin>& skins, const World& world,
                     Frame& frame) {
    if (skins.empty()) return;
    const std::vector<BodyId> bodies = world.bodies();
    const double time = static_cast<double>(world.steps_done()) * double{scene.time_step};
    SkinnedMesh mesh;
    for (std::size_t c = 0; c < skins.size(); ++c) {
        const SceneCharacter& character = scene.characters[c];
        CharacterPlace place = character_place(character, time);
        std::vector<DPose> places;
        for (std::size_t k = 0; k < character.capsules.size(); ++k) {
            const BodyId body = bodies[character.first_body + k];
            places.push_back({world.position(body), wide(world.state(body).rotation)});
            frame.flags[character.first_body + k] |= Frame::absent;
        }
        if (!places.empty()) read_pose(places, character.capsules, *character.model, place.at, place.pose);
        skin(*character.model, place.pose, mesh);
        for (const CharacterSkin::Surface& surface : skins[c].surfaces)
            for (const std::uint32_t vertex : surface.vertices)
                frame.vertices.push_back(narrow(apply(place.at, wide(mesh.vertices[vertex]))));
    }
}

} // namespace scree
