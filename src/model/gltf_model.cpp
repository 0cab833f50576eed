// SPDX-License-Identifier: MIT
// gltf_model.cpp — skins and animations of glTF 2.0 files (Khronos). Every node of the scene is a joint. A mesh with a skin follows the
// joints of the skin, and where its own node is does not matter; a mesh without one follows its node. Morph targets, cameras and lights are
// passed over.
#include "geometry/gltf_document.h"
#include "geometry/mesh_text.h"
#include "model/model_maker.h"
#include "scree/error.h"
#include "text/file_text.h"
#include "text/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace scree {
namespace {

using json::Kind;
using json::Value;

constexpr std::int32_t no_joint = -1;
constexpr std::size_t most_sets = 4; // of four weights each

Affine affine(const GltfMatrix& m) {
    const auto column = [&](std::size_t c) { return narrow(DVec3{m[4 * c], m[4 * c + 1], m[4 * c + 2]}); };
    return {column(0), column(1), column(2), column(3)};
}

float to_srgb(double linear) {
    linear = std::clamp(linear, 0.0, 1.0);
    return static_cast<float>(linear <= 0.0031308 ? 12.92 * linear
                                                  : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
}

/// The rotation whose columns these are: three directions at right angles, right-handed.
DQuat rotation_of(DVec3 x, DVec3 y, DVec3 z) {
    // the largest component first, so that nothing is divided by what is near 0
    const double s = 1 + x.x + y.y + z.z, a = 1 + x.x - y.y - z.z, b = 1 - x.x + y.y - z.z,
                 c = 1 - x.x - y.y + z.z;
    DQuat q;
    if (s >= a && s >= b && s >= c) q = {y.z - z.y, z.x - x.z, x.y - y.x, s};
    else if (a >= b && a >= c) q = {a, x.y + y.x, z.x + x.z, y.z - z.y};
    else if (b >= c) q = {x.y + y.x, b, y.z + z.y, z.x - x.z};
    else q = {z.x + x.z, y.z + z.y, c, x.y - y.x};
    return normalized(q);
}

class GltfModelReader {
public:
    GltfModelReader(GltfDocument& document, const std::string& file, const ModelFileOptions& options)
        : document_(document), options_(options) {
        model_.name = file;
    }

    SkinnedModel read() {
        joint_of_.assign(document_.items("nodes").size(), no_joint);
        read_nodes();
        for (const Value& material : document_.items("materials")) read_material(material);
        const ModelPose rest = rest_pose(model_);
        frames_ = joint_frames(model_, rest);
        for (const std::size_t node : order_) read_mesh(node);
        if (model_.mesh.triangles.empty()) throw Error("holds no triangles", model_.name);
        finish_materials();
        for (const Value& animation : document_.items("animations")) read_animation(animation);
        if (weightless_ > 0)
            warn(count_of(weightless_, "vertex has", "vertices have") +
                 " no weights and follow the first joint of the skin");
        if (morphs_) warn("morph targets are not read");
        scale();
        return std::move(model_);
    }

private:
    GltfDocument& document_;
    const ModelFileOptions& options_;
    SkinnedModel model_;
    std::vector<std::int32_t> joint_of_;              ///< by node
    std::vector<std::size_t> order_;                  ///< nodes by joint
    std::vector<Affine> frames_;                      ///< of the joints at rest
    std::map<std::size_t, std::uint32_t> first_bone_; ///< by skin
    std::size_t weightless_ = 0, keys_ = 0;
    bool morphs_ = false, some_without_material_ = false;
    /// Which coordinates a material's picture has, and how they are moved (KHR_texture_transform).
    struct Placing {
        std::size_t set = 0;
        std::array<double, 2> offset{0, 0}, scale{1, 1};
        double turn = 0;
    };
    std::vector<Placing> placings_;              ///< by material
    std::map<std::size_t, ModelTexture> images_; ///< that were read
    std::size_t image_bytes_ = 0;

    void warn(std::string_view text) { model_.warnings.emplace_back(text); }

    // nodes -------------------------------------------------------------------------------------------------------

    void read_nodes() {
        const std::vector<Value>& nodes = document_.items("nodes");
        std::vector<std::pair<std::size_t, std::int32_t>> waiting; // node and parent
        for (const std::size_t node : document_.root_nodes()) waiting.emplace_back(node, no_joint);
        for (std::size_t next = 0; next < waiting.size(); ++next) {
            const auto [index, parent] = waiting[next];
            const Value& node = nodes[index];
            // each node has one parent, by the specification: so none is its own ancestor
            if (joint_of_[index] != no_joint)
                document_.fail(node, "the node has two parents, or is its own ancestor");
            if (model_.joints.size() == options_.max_joints)
                document_.fail(node, "more than " + count_text(options_.max_joints) + " nodes");
            joint_of_[index] = static_cast<std::int32_t>(model_.joints.size());
            order_.push_back(index);
            ModelJoint joint{document_.name_of(node), parent, place_of(node)};
            if (joint.name.empty()) joint.name = "node " + std::to_string(index);
            model_.joints.push_back(std::move(joint));
            if (const Value* children = document_.find(node, "children", Kind::array))
                for (const Value& child : children->items)
                    waiting.emplace_back(document_.number(child, nodes.size(), "child"), joint_of_[index]);
        }
    }

    JointPlace place_of(const Value& node) {
        if (node.find("matrix")) return split(document_.transform(node), node);
        const auto t = document_.numbers<3>(node, "translation", {0, 0, 0}),
                   s = document_.numbers<3>(node, "scale", {1, 1, 1});
        const auto r = document_.numbers<4>(node, "rotation", {0, 0, 0, 1});
        return {narrow(DVec3{t[0], t[1], t[2]}), narrow(normalized(DQuat{r[0], r[1], r[2], r[3]})),
                narrow(DVec3{s[0], s[1], s[2]})};
    }

    JointPlace split(const GltfMatrix& m, const Value& node) {
        DVec3 x{m[0], m[1], m[2]}, y{m[4], m[5], m[6]}, z{m[8], m[9], m[10]};
        DVec3 size{length(x), length(y), length(z)};
        if (dot(cross(x, y), z) < 0) size.x = -size.x;
        if (!(std::fabs(size.x) > 0) || !(size.y > 0) || !(size.z > 0))
            document_.fail(node, "a matrix without volume; expected a rotation, a scale and a translation");
        x /= size.x, y /= size.y, z /= size.z;
        if (std::fabs(dot(x, y)) + std::fabs(dot(y, z)) + std::fabs(dot(z, x)) > 1e-3)
            warn("a node's matrix has a shear, which is left out");
        return {narrow(DVec3{m[12], m[13], m[14]}), narrow(rotation_of(x, y, z)), narrow(size)};
    }

    // meshes ------------------------------------------------------------------------------------------------------

    void read_material(const Value& material) {
        model_.mesh.materials.push_back(document_.name_of(material));
        std::optional<Vec3> colour;
        ModelTexture texture;
        Placing placing;
        if (const Value* surface = document_.find(material, "pbrMetallicRoughness", Kind::object)) {
            const Value* picture = document_.find(*surface, "baseColorTexture", Kind::object);
            if (picture) {
                texture = texture_of(*picture);
                placing = placing_of(*picture);
            }
            // a picture that is missing does not make the surface white
            if (!picture || texture.colours || surface->find("baseColorFactor")) {
                const auto c = document_.numbers<4>(*surface, "baseColorFactor", {1, 1, 1, 1});
                colour = Vec3{to_srgb(c[0]), to_srgb(c[1]), to_srgb(c[2])};
            }
        }
        model_.colours.push_back(colour);
        model_.textures.push_back(std::move(texture));
        placings_.push_back(placing);
    }

    ModelTexture texture_of(const Value& picture) {
        const Value& texture = document_.entry(picture, "index", "textures");
        if (!document_.find(texture, "source", Kind::number)) {
            warn("a texture has no PNG or JPEG picture and is not shown");
            return {};
        }
        const Value& image = document_.entry(texture, "source", "images");
        const auto number = static_cast<std::size_t>(&image - document_.items("images").data());
        const auto [at, is_new] = images_.try_emplace(number);
        if (!is_new) return at->second;
        GltfDocument::Picture read = document_.picture(image);
        if (read.bytes.size() > options_.max_bytes - image_bytes_)
            document_.fail(image, "pictures of more than " + count_text(options_.max_bytes) +
                                      " bytes in all, the most that are read");
        image_bytes_ += read.bytes.size();
        if (!read.problem.empty()) {
            warn("the picture " + quote(read.name) + " is not shown: " + read.problem);
            return {};
        }
        at->second = {read.name, std::make_shared<const std::string>(std::move(read.bytes))};
        return at->second;
    }

    Placing placing_of(const Value& picture) const {
        Placing placing;
        placing.set = document_.size(picture, "texCoord", 0);
        const Value* extensions = document_.find(picture, "extensions", Kind::object);
        const Value* moved =
            extensions ? document_.find(*extensions, "KHR_texture_transform", Kind::object) : nullptr;
        if (!moved) return placing;
        placing.set = document_.size(*moved, "texCoord", placing.set);
        placing.offset = document_.numbers<2>(*moved, "offset", placing.offset);
        placing.scale = document_.numbers<2>(*moved, "scale", placing.scale);
        if (const Value* turn = document_.find(*moved, "rotation", Kind::number)) placing.turn = turn->number;
        return placing;
    }

    void read_mesh(std::size_t index) {
        const Value& node = document_.items("nodes")[index];
        if (!document_.find(node, "mesh", Kind::number)) return;
        const Value& mesh = document_.entry(node, "mesh", "meshes");
        const std::string name = document_.name_of(node);
        model_.mesh.parts.push_back(name.empty() ? document_.name_of(mesh) : name);
        const Value* primitives = document_.find(mesh, "primitives", Kind::array);
        if (!primitives) return;
        const bool skinned = document_.find(node, "skin", Kind::number) != nullptr;
        for (const Value& primitive : primitives->items)
            if (skinned) add_skinned(primitive, document_.entry(node, "skin", "skins"));
            else add_rigid(primitive, static_cast<std::uint32_t>(joint_of_[index]));
    }

    /// Vertices, normals and triangles; the number of vertices.
    std::size_t add_surface(const Value& primitive, const Affine& map) {
        const Value* attributes = document_.find(primitive, "attributes", Kind::object);
        if (!attributes || !attributes->find("POSITION")) return 0; // nothing to show, by the specification
        if (document_.size(primitive, "mode", 4) < 4) return 0;     // points and lines
        morphs_ |= primitive.find("targets") != nullptr;
        TriangleMesh& mesh = model_.mesh;
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        const std::vector<double> positions =
            document_.numbers_of(document_.entry(*attributes, "POSITION", "accessors"), 3, "VEC3",
                                 options_.max_vertices - mesh.vertices.size());
        const std::size_t count = positions.size() / 3;
        for (std::size_t v = 0; v < count; ++v) {
            const DVec3 at{positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]};
            if (!is_coordinate(at.x) || !is_coordinate(at.y) || !is_coordinate(at.z))
                document_.fail(primitive, "vertex " + std::to_string(v) + " is not finite");
            mesh.vertices.push_back(apply(map, narrow(at)));
        }
        const bool mirrored = dot(cross(map.x, map.y), map.z) < 0;
        const auto triangles = document_.triangles_of(primitive, count);
        if (triangles.size() > options_.max_triangles - mesh.triangles.size())
            document_.fail(primitive, "more than " + count_text(options_.max_triangles) + " triangles");
        for (const auto& [a, b, c] : triangles)
            mesh.triangles.push_back({first + a, first + (mirrored ? c : b), first + (mirrored ? b : c)});
        mesh.triangle_parts.resize(mesh.triangles.size(), static_cast<std::uint32_t>(mesh.parts.size() - 1));
        auto material = static_cast<std::uint32_t>(document_.items("materials").size());
        if (const Value* given = document_.find(primitive, "material", Kind::number))
            material = static_cast<std::uint32_t>(document_.number(*given, material, "material"));
        some_without_material_ |= material == document_.items("materials").size();
        mesh.triangle_materials.resize(mesh.triangles.size(), material);
        add_normals(primitive, *attributes, map, count, triangles.size());
        add_texture_places(primitive, *attributes,
                           material < placings_.size() ? placings_[material] : Placing{}, count);
        return count;
    }

    void add_texture_places(const Value& primitive, const Value& attributes, const Placing& placing,
                            std::size_t count) {
        std::vector<std::array<float, 2>>& places = model_.texture_places;
        const std::string key = "TEXCOORD_" + std::to_string(placing.set);
        if (!attributes.find(key)) {
            if (!places.empty()) places.resize(model_.mesh.vertices.size());
            return;
        }
        const std::vector<double> given =
            document_.numbers_of(document_.entry(attributes, key, "accessors"), 2, "VEC2", count);
        if (given.size() != 2 * count)
            document_.fail(primitive,
                           count_of(given.size() / 2, "texture coordinate", "texture coordinates") + " for " +
                               count_of(count, "vertex", "vertices"));
        places.resize(model_.mesh.vertices.size() - count);
        const double c = std::cos(placing.turn), s = std::sin(placing.turn);
        for (std::size_t v = 0; v < count; ++v) {
            const double u0 = placing.scale[0] * given[2 * v], v0 = placing.scale[1] * given[2 * v + 1];
            const double u = placing.offset[0] + c * u0 + s * v0, w = placing.offset[1] - s * u0 + c * v0;
            if (!is_coordinate(u) || !is_coordinate(w))
                document_.fail(primitive, "texture coordinate " + std::to_string(v) + " is not finite");
            places.push_back({static_cast<float>(u), static_cast<float>(w)});
        }
    }

    void add_normals(const Value& primitive, const Value& attributes, const Affine& map, std::size_t count,
                     std::size_t triangles) {
        if (!attributes.find("NORMAL")) {
            // those of the primitive alone
            TriangleMesh part;
            const auto first = static_cast<std::uint32_t>(model_.mesh.vertices.size() - count);
            part.vertices.assign(model_.mesh.vertices.begin() + first, model_.mesh.vertices.end());
            part.triangles.assign(model_.mesh.triangles.end() - static_cast<std::ptrdiff_t>(triangles),
                                  model_.mesh.triangles.end());
            for (auto& triangle : part.triangles)
                for (std::uint32_t& corner : triangle) corner -= first;
            const std::vector<Vec3> normals = smooth_normals(part);
            model_.normals.insert(model_.normals.end(), normals.begin(), normals.end());
            return;
        }
        const std::vector<double> normals =
            document_.numbers_of(document_.entry(attributes, "NORMAL", "accessors"), 3, "VEC3", count);
        if (normals.size() != 3 * count)
            document_.fail(primitive, count_of(normals.size() / 3, "normal", "normals") + " for " +
                                          count_of(count, "vertex", "vertices"));
        const Vec3 a = cross(map.y, map.z), b = cross(map.z, map.x), c = cross(map.x, map.y);
        const float side = dot(map.x, a) < 0 ? -1.0f : 1.0f;
        for (std::size_t v = 0; v < count; ++v) {
            const Vec3 n = narrow(DVec3{normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]});
            const Vec3 turned = normalized(side * (n.x * a + n.y * b + n.z * c));
            model_.normals.push_back(is_finite(turned) && turned != Vec3{} ? turned : Vec3{0, 1, 0});
        }
    }

    void add_rigid(const Value& primitive, std::uint32_t joint) {
        // as at rest; a node without volume keeps the vertices of the file
        const std::optional<Affine> bind = inverse(frames_[joint]);
        const std::size_t count = add_surface(primitive, bind ? frames_[joint] : Affine{});
        if (count == 0) return;
        const auto bone = static_cast<std::uint32_t>(model_.bones.size());
        model_.bones.push_back({joint, bind ? *bind : Affine{}});
        for (std::size_t v = 0; v < count; ++v) add_weights(model_, {{bone, 1}});
    }

    std::uint32_t bones_of(const Value& skin, std::size_t& count) {
        const Value* joints = document_.find(skin, "joints", Kind::array);
        if (!joints || joints->items.empty()) document_.fail(skin, "a skin without 'joints'");
        count = joints->items.size();
        const auto number = static_cast<std::size_t>(&skin - document_.items("skins").data());
        const auto [known, is_new] =
            first_bone_.try_emplace(number, static_cast<std::uint32_t>(model_.bones.size()));
        if (!is_new) return known->second;
        std::vector<double> inverse_binds;
        if (skin.find("inverseBindMatrices")) {
            const Value& accessor = document_.entry(skin, "inverseBindMatrices", "accessors");
            inverse_binds = document_.numbers_of(accessor, 16, "MAT4", 16 * options_.max_joints);
            if (inverse_binds.size() < 16 * count)
                document_.fail(accessor, count_of(inverse_binds.size() / 16, "bind matrix", "bind matrices") +
                                             "; the skin has " + count_of(count, "joint", "joints"));
        }
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t node = document_.number(joints->items[k], joint_of_.size(), "joint");
            if (joint_of_[node] == no_joint)
                document_.fail(joints->items[k], "the joint is not in the scene");
            ModelBone bone{static_cast<std::uint32_t>(joint_of_[node]), {}};
            if (!inverse_binds.empty()) {
                GltfMatrix m;
                std::copy_n(inverse_binds.begin() + static_cast<std::ptrdiff_t>(16 * k), 16, m.begin());
                for (const double one : m)
                    if (!is_coordinate(one))
                        document_.fail(skin,
                                       "the bind matrix of joint " + std::to_string(k) + " is not finite");
                bone.inverse_bind = affine(m);
            }
            model_.bones.push_back(bone);
        }
        return known->second;
    }

    void add_skinned(const Value& primitive, const Value& skin) {
        std::size_t joints = 0;
        const std::uint32_t first = bones_of(skin, joints);
        const std::size_t count = add_surface(primitive, {});
        if (count == 0) return;
        const Value& attributes = *primitive.find("attributes");
        std::vector<std::vector<double>> indices, weights;
        for (std::size_t set = 0; set < most_sets; ++set) {
            const std::string which = "JOINTS_" + std::to_string(set), how = "WEIGHTS_" + std::to_string(set);
            if (!attributes.find(which)) break;
            indices.push_back(
                document_.numbers_of(document_.entry(attributes, which, "accessors"), 4, "VEC4", count));
            weights.push_back(
                document_.numbers_of(document_.entry(attributes, how, "accessors"), 4, "VEC4", count));
            if (indices.back().size() != 4 * count || weights.back().size() != 4 * count)
                document_.fail(primitive, which + " and " + how + " are not as many as the vertices");
        }
        if (indices.empty()) document_.fail(primitive, "a mesh with a skin lacks JOINTS_0");
        std::vector<BoneWeight> of_vertex;
        for (std::size_t v = 0; v < count; ++v) {
            of_vertex.clear();
            double sum = 0;
            for (std::size_t k = 0; k < 4 * indices.size(); ++k) {
                const double joint = indices[k / 4][4 * v + k % 4], weight = weights[k / 4][4 * v + k % 4];
                if (!(joint >= 0 && joint < static_cast<double>(joints)) || joint != std::floor(joint))
                    document_.fail(primitive, "vertex " + std::to_string(v) + " follows joint " +
                                                  std::to_string(joint) + "; the skin has " +
                                                  std::to_string(joints));
                if (!(weight >= 0) || !is_coordinate(weight))
                    document_.fail(primitive,
                                   "a weight of vertex " + std::to_string(v) + " is negative or not finite");
                sum += weight;
                of_vertex.push_back({first + static_cast<std::uint32_t>(joint), static_cast<float>(weight)});
            }
            if (!(sum > 1e-6)) {
                ++weightless_;
                of_vertex = {{first, 1}};
            }
            add_weights(model_, of_vertex);
        }
    }

    void finish_materials() {
        if (!some_without_material_ && !model_.mesh.materials.empty()) return;
        model_.mesh.materials.emplace_back();
        model_.colours.emplace_back();
    }

    // animations --------------------------------------------------------------------------------------------------

    void read_animation(const Value& animation) {
        ModelClip clip;
        clip.name = document_.name_of(animation);
        if (clip.name.empty()) clip.name = "animation " + std::to_string(model_.clips.size());
        const Value *channels = document_.find(animation, "channels", Kind::array),
                    *samplers = document_.find(animation, "samplers", Kind::array);
        if (!channels || !samplers) document_.fail(animation, "lacks 'channels' or 'samplers'");
        std::set<std::pair<std::size_t, TrackPath>> targets;
        for (const Value& channel : channels->items) {
            const Value* target = document_.find(channel, "target", Kind::object);
            if (!target) document_.fail(channel, "lacks 'target'");
            const Value* path = document_.find(*target, "path", Kind::string);
            const Value* node = document_.find(*target, "node", Kind::number);
            if (!path) document_.fail(*target, "lacks 'path'");
            if (path->text == "weights") morphs_ = true;
            if (!node || path->text == "weights" || path->text == "pointer") continue;
            const std::size_t index = document_.number(*node, joint_of_.size(), "node");
            const Value* sampler = document_.find(channel, "sampler", Kind::number);
            if (!sampler) document_.fail(channel, "lacks 'sampler'");
            const Value& keys =
                samplers->items[document_.number(*sampler, samplers->items.size(), "sampler")];
            ModelTrack track;
            if (path->text == "translation") track.path = TrackPath::position;
            else if (path->text == "scale") track.path = TrackPath::scale;
            else if (path->text != "rotation")
                document_.fail(*path, "path " + quote(path->text) +
                                          " is unknown; expected translation, rotation, scale or weights");
            if (!targets.emplace(index, track.path).second)
                document_.fail(channel, "a second channel for the " + path->text + " of node " +
                                            std::to_string(index) + "; expected one");
            read_keys(keys, track);
            if (joint_of_[index] == no_joint) continue; // not in this scene
            track.joint = static_cast<std::uint32_t>(joint_of_[index]);
            clip.duration = std::max(clip.duration, track.times.back());
            clip.tracks.push_back(std::move(track));
        }
        model_.clips.push_back(std::move(clip));
    }

    void read_keys(const Value& sampler, ModelTrack& track) {
        if (const Value* mode = document_.find(sampler, "interpolation", Kind::string)) {
            if (mode->text == "STEP") track.mode = TrackMode::step;
            else if (mode->text == "CUBICSPLINE") track.mode = TrackMode::cubic;
            else if (mode->text != "LINEAR")
                document_.fail(*mode, "interpolation " + quote(mode->text) +
                                          " is unknown; expected STEP, LINEAR or CUBICSPLINE");
        }
        const Value& input = document_.entry(sampler, "input", "accessors");
        const Value& output = document_.entry(sampler, "output", "accessors");
        const std::vector<double> times = document_.numbers_of(input, 1, "SCALAR", options_.max_keys - keys_);
        keys_ += times.size();
        if (times.empty()) document_.fail(input, "an animation without keys");
        for (const double time : times) {
            const auto t = static_cast<float>(time);
            if (!(time >= 0) || !is_coordinate(time) || (!track.times.empty() && !(t > track.times.back())))
                document_.fail(input, "time " + std::to_string(time) + " of key " +
                                          std::to_string(track.times.size()) +
                                          "; expected finite times from 0 that increase");
            track.times.push_back(t);
        }
        const bool turns = track.path == TrackPath::rotation;
        const std::size_t width = turns ? 4 : 3, per_key = track.mode == TrackMode::cubic ? 3 : 1;
        const std::vector<double> values =
            document_.numbers_of(output, width, turns ? "VEC4" : "VEC3", options_.max_keys - keys_);
        keys_ += values.size() / width;
        if (values.size() != width * per_key * times.size())
            document_.fail(output, count_of(values.size() / width, "value", "values") + " for " +
                                       count_of(times.size(), "key", "keys") + "; expected " +
                                       std::to_string(per_key) + " a key");
        for (const double value : values) {
            if (!is_coordinate(value)) document_.fail(output, "a value is not finite");
            track.values.push_back(static_cast<float>(value));
        }
    }

    void scale() {
        const float s = options_.scale;
        if (s == 1) return;
        for (Vec3& v : model_.mesh.vertices) v *= s;
        for (ModelJoint& joint : model_.joints) joint.rest.position *= s;
        for (ModelBone& bone : model_.bones) bone.inverse_bind.position *= s;
        for (ModelClip& clip : model_.clips)
            for (ModelTrack& track : clip.tracks)
                if (track.path == TrackPath::position)
                    for (float& value : track.values) value *= s;
    }
};

} // namespace

SkinnedModel read_gltf_model(std::string_view bytes, const std::string& file,
                             const ModelFileOptions& options) {
    GltfDocument::External external = options.open;
    if (!external && options.external_files)
        external = [&](const std::string& name) {
            return file_text(path_beside(file, name), options.max_bytes);
        };
    GltfDocument document(bytes, file, std::move(external));
    return GltfModelReader(document, file, options).read();
}

} // namespace scree
