// SPDX-License-Identifier: MIT
// character_look.cpp — see character_look.h.
#include "scene/rigid/character_look.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

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

void bind_to_bones(const SkinnedModel& model, CharacterSkin::Surface& surface) {
    auto skin = std::make_shared<AppearanceSkin>();
    std::map<std::uint32_t, std::uint32_t> numbers; // in the surface, by bone
    for (const std::uint32_t vertex : surface.vertices) {
        const std::uint32_t first = model.first_weight[vertex], end = model.first_weight[vertex + 1];
        if (end - first > 4) return;
        std::array<std::uint32_t, 4> bones{};
        std::array<float, 4> weights{};
        for (std::uint32_t w = first; w < end; ++w) {
            const auto [at, is_new] =
                numbers.try_emplace(model.weights[w].bone, static_cast<std::uint32_t>(surface.bones.size()));
            if (is_new) surface.bones.push_back(model.weights[w].bone);
            bones[w - first] = at->second;
            weights[w - first] = model.weights[w].weight;
        }
        skin->vertices.push_back(model.mesh.vertices[vertex]);
        skin->bones.push_back(bones);
        skin->weights.push_back(weights);
    }
    // of the joined vertices, as for what comes without normals
    TriangleMesh mesh;
    mesh.vertices = skin->vertices;
    for (std::size_t t = 0; t + 2 < surface.triangles.size(); t += 3)
        mesh.triangles.push_back({surface.triangles[t], surface.triangles[t + 1], surface.triangles[t + 2]});
    skin->normals = smooth_normals(mesh);
    surface.skin = std::move(skin);
}

CharacterSkin skin_of(const SkinnedModel& model) {
    const TriangleMesh& mesh = model.mesh;
    CharacterSkin skin;
    for (std::uint32_t material = 0; material < std::max<std::size_t>(mesh.materials.size(), 1); ++material) {
        CharacterSkin::Surface surface;
        surface.material = material;
        const bool picture = material < model.textures.size() && model.textures[material].colours &&
                             !model.texture_places.empty();
        std::map<VertexKey, std::uint32_t> known;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            if (!mesh.materials.empty() && mesh.triangle_materials[t] != material) continue;
            for (const std::uint32_t vertex : mesh.triangles[t]) {
                const auto [at, is_new] = known.try_emplace(
                    key_of(model, vertex), static_cast<std::uint32_t>(surface.vertices.size()));
                if (is_new) surface.vertices.push_back(vertex);
                surface.triangles.push_back(at->second);
                if (picture) surface.texture_places.push_back(model.texture_places[vertex]);
            }
        }
        bind_to_bones(model, surface);
        if (!surface.triangles.empty()) skin.surfaces.push_back(std::move(surface));
    }
    return skin;
}

/// A closed way along corners, rounded at them.
class Way {
public:
    explicit Way(const std::vector<DVec3>& corners) : corners_(corners) {
        for (std::size_t k = 0; k < corners.size(); ++k) whole_ += length(side(k));
    }
    DVec3 at(double distance) const {
        const double r = rounding();
        return 0.25 * point(distance - r) + 0.5 * point(distance) + 0.25 * point(distance + r);
    }
    DVec3 heading(double distance) const {
        const double r = rounding();
        DVec3 ahead = point(distance + r) - point(distance - r);
        ahead.y = 0;
        return length(ahead) > 1e-6 ? normalized(ahead) : DVec3{1, 0, 0};
    }

private:
    double rounding() const { return std::min(0.5, whole_ / 16); }
    DVec3 side(std::size_t k) const { return corners_[(k + 1) % corners_.size()] - corners_[k]; }
    DVec3 point(double distance) const {
        if (!(whole_ > 0)) return corners_[0];
        distance = std::fmod(distance, whole_); // exact
        if (distance < 0) distance += whole_;
        for (std::size_t k = 0; k < corners_.size(); ++k) {
            const double here = length(side(k));
            if (distance < here) return corners_[k] + (distance / here) * side(k);
            distance -= here;
        }
        return corners_[0];
    }
    const std::vector<DVec3>& corners_;
    double whole_ = 0;
};

/// On its way as far as its clip has led it, turned from where the clip leads to where the way does.
DPose on_way(const SceneCharacter& character, const DPose& led) {
    const Way way(character.way);
    const double gone = length(led.position);
    const DVec3 ahead = way.heading(gone);
    // about y from z, which figures walk along, to the heading
    const double cosine = ahead.z, sine = ahead.x;
    const DQuat turn = cosine > -0.999999 ? normalized(DQuat{0, sine, 0, 1 + cosine}) : DQuat{0, 1, 0, 0};
    return {way.at(gone), turn};
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
    if (!character.motion.empty()) {
        const DPose led = inverse(character.motion.at(character.start)) * character.motion.at(now);
        out.at = character.way.empty() ? character.at * led : on_way(character, led);
    }
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
            mesh.skin = surface.skin;
            mesh.vertex_count =
                static_cast<std::uint32_t>(surface.skin ? 4 * surface.bones.size() : surface.vertices.size());
            mesh.triangles = surface.triangles;
            mesh.paint = character.paint;
            if (!mesh.paint.colour && surface.material < character.model->colours.size())
                mesh.paint.colour = character.model->colours[surface.material];
            if (!surface.texture_places.empty()) {
                const ModelTexture& picture = character.model->textures[surface.material];
                mesh.texture = {picture.name, picture.colours};
                mesh.texture_places = surface.texture_places;
            }
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
        const std::vector<Affine> bones =
            bone_frames(*character.model, joint_frames(*character.model, place.pose));
        const auto turned = [&](Vec3 axis) { return narrow(rotate(place.at.rotation, wide(axis))); };
        const auto placed = [&](Vec3 point) { return narrow(apply(place.at, wide(point))); };
        bool skinned = false;
        for (const CharacterSkin::Surface& surface : skins[c].surfaces) {
            for (const std::uint32_t b : surface.bones)
                if (surface.skin)
                    for (const Vec3& v : {turned(bones[b].x), turned(bones[b].y), turned(bones[b].z),
                                          placed(bones[b].position)})
                        frame.vertices.push_back(v);
            if (surface.skin) continue;
            if (!std::exchange(skinned, true)) skin(*character.model, bones, mesh);
            for (const std::uint32_t vertex : surface.vertices)
                frame.vertices.push_back(placed(mesh.vertices[vertex]));
        }
    }
}

} // namespace scree
