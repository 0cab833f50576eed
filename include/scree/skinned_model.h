// SPDX-License-Identifier: MIT
// skinned_model.h — animated models: a skeleton of joints, a mesh that follows it, and clips that move it. Files: model_file.h.
//
//     SkinnedModel model = read_model("walker.gltf");
//     ModelPose pose = rest_pose(model);
//     sample(model.clips[0], seconds, pose);      // any time: clips repeat
//     SkinnedMesh now;
//     skin(model, pose, now);                     // vertices and normals, in the frame of the model
#pragma once

#include "scree/math.h"
#include "scree/triangle_mesh.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree {

/// A linear map and a translation: columns are the images of the axes.
struct Affine {
    Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, position{};
    friend bool operator==(const Affine&, const Affine&) = default;
};
constexpr Vec3 apply_linear(const Affine& m, Vec3 v) { return v.x * m.x + v.y * m.y + v.z * m.z; }
constexpr Vec3 apply(const Affine& m, Vec3 point) { return apply_linear(m, point) + m.position; }
/// First b, then a.
constexpr Affine operator*(const Affine& a, const Affine& b) {
    return {apply_linear(a, b.x), apply_linear(a, b.y), apply_linear(a, b.z), apply(a, b.position)};
}
/// Nothing if the map has no inverse.
std::optional<Affine> inverse(const Affine& map);

/// The normal, of length 1, of a surface that the map moves: it stands across what becomes of the surface, on the same side.
Vec3 map_normal(const Affine& map, Vec3 normal);

/// Where a joint is in the frame of its parent.
struct JointPlace {
    Vec3 position{};
    Quat rotation{};
    Vec3 scale{1, 1, 1}; ///< along the joint's own axes, before the rotation
    friend bool operator==(const JointPlace&, const JointPlace&) = default;
};
Affine affine(const JointPlace& place);
/// Of a pose without scale.
Affine affine(const Pose& pose);
/// Between two: positions and scales along a line, rotations along the shorter arc at constant speed. Share 0: a; 1: b. Without library
/// functions but the square root: the same bits on every machine.
JointPlace between(const JointPlace& a, const JointPlace& b, float share);
/// The rotation between two, along the shorter arc.
Quat between(Quat a, Quat b, float share);

/// One place for each joint of a model, by its number.
using ModelPose = std::vector<JointPlace>;

struct ModelJoint {
    std::string name;
    std::int32_t parent = -1; ///< -1: none. A parent has a smaller number than its children
    JointPlace rest;          ///< where clips do not move it
};

/// A joint that moves vertices. A joint may be several bones, with another bind pose for each mesh.
struct ModelBone {
    std::uint32_t joint = 0;
    Affine inverse_bind; ///< from the frame of the model, in which the mesh was bound, to that of the joint
};

/// What a bone contributes to a vertex.
struct BoneWeight {
    std::uint32_t bone = 0;
    float weight = 1;
    friend bool operator==(const BoneWeight&, const BoneWeight&) = default;
};

/// What a clip changes.
enum class TrackPath { position, rotation, scale };
/// How values follow between keys.
enum class TrackMode {
    step,   ///< the value of the key before
    linear, ///< along a line; rotations along the shorter arc at constant speed
    cubic   ///< a Hermite spline: in-tangent, value and out-tangent at each key
};

/// The keys of one part of a joint's place.
struct ModelTrack {
    std::uint32_t joint = 0;
    TrackPath path = TrackPath::rotation;
    TrackMode mode = TrackMode::linear;
    std::vector<float> times; ///< s, increasing
    /// Three numbers a key, of a rotation four (x, y, z, s); of a cubic track three times as many
    std::vector<float> values;
};

struct ModelClip {
    std::string name;
    float duration = 0; ///< s, to the last key
    /// s from the last key back to the first, when it repeats: 0 where the last key is the first again, as in glTF files; one frame for
    /// MD5 files whose last frame differs from the first
    float closing = 0;
    std::vector<ModelTrack> tracks;
    float period() const { return duration + closing; }
};

/// A picture of a material's colours.
struct ModelTexture {
    std::string name{}; ///< of its file, for messages
    std::shared_ptr<const std::string>
        colours{}; ///< the bytes of a PNG, JPEG or TGA file; null: there is none
};

/// What readers make. check() tells whether one that you made or changed is valid.
struct SkinnedModel {
    std::string name;
    std::vector<ModelJoint> joints;
    std::vector<ModelBone> bones;
    /// As it was bound. Materials have the names that the file gives.
    TriangleMesh mesh;
    std::vector<Vec3> normals; ///< one for each vertex
    /// Those of vertex v are weights[first_weight[v]] … weights[first_weight[v + 1] - 1]; they sum to 1.
    std::vector<std::uint32_t> first_weight;
    std::vector<BoneWeight> weights;
    std::vector<std::optional<Vec3>> colours; ///< sRGB, of each material
    std::vector<ModelClip> clips;
    std::vector<std::string> warnings; ///< what the reader mended
    /// Where each vertex is in the pictures: u to the right, v down, each from 0 to 1 across a picture, which repeats. Empty: nowhere
    std::vector<std::array<float, 2>> texture_places;
    /// By material; those that are left out have none. The material's colour, if it has one, dyes its picture.
    std::vector<ModelTexture> textures;

    std::optional<std::uint32_t> find_joint(const std::string& name) const;
    const ModelClip* find_clip(const std::string& name) const; ///< null: there is none
};
/// Throws Error for numbers out of range, joints before their parents, keys out of order and values that are not finite.
void check(const SkinnedModel& model, const std::string& where);

ModelPose rest_pose(const SkinnedModel& model);
/// How time outside of a clip is taken.
enum class ClipEnd {
    repeat, ///< from the start again
    hold    ///< the first and the last key
};
/// Sets what the clip moves; the rest of the pose stays. `time` in seconds may be any finite number.
void sample(const ModelClip& clip, double time, ModelPose& pose, ClipEnd end = ClipEnd::repeat);
/// Joint by joint between two poses of one model; share 0: a; 1: b.
void blend(const ModelPose& a, const ModelPose& b, float share, ModelPose& out);
/// Of the joints in the frame of the model.
std::vector<Affine> joint_frames(const SkinnedModel& model, const ModelPose& pose);
/// The same without the scales of joints themselves: for bodies that follow.
std::vector<Pose> joint_poses(const SkinnedModel& model, const ModelPose& pose);
/// What takes each bone's vertices from where they were bound to where they are.
std::vector<Affine> bone_frames(const SkinnedModel& model, std::span<const Affine> joints);

struct SkinnedMesh {
    std::vector<Vec3> vertices, normals; ///< normals have length 1
};
/// Linear blend skinning: each vertex by the weighted mean of its bones' maps. `threads` 0: all cores for large meshes. The result does not
/// depend on it.
void skin(const SkinnedModel& model, std::span<const Affine> bones, SkinnedMesh& out, int threads = 0);
void skin(const SkinnedModel& model, const ModelPose& pose, SkinnedMesh& out, int threads = 0);
/// By area, of the triangles at each vertex.
std::vector<Vec3> smooth_normals(const TriangleMesh& mesh);

/// The way of a clip over the ground, taken out of it.
class RootMotion {
public:
    /// Where the model has gone at a time since the start of the clip; repeats add up. The pose of the model after that time, if it was at
    /// the origin at first.
    DPose at(double time) const;
    bool empty() const { return keys_.empty(); }

private:
    friend RootMotion take_root_motion(const SkinnedModel&, ModelClip&, const struct RootMotionOptions&);
    struct Key {
        double time = 0;
        DPose moved; ///< since the start
    };
    DPose within(double time) const;
    std::vector<Key> keys_;
    DPose once_; ///< after the whole clip
    double period_ = 0;
};
struct RootMotionOptions {
    std::optional<std::uint32_t> joint{}; ///< default: the first that the clip moves
    Vec3 up{0, 1, 0};                     ///< in the frame of the model; what goes along it stays in the clip
    bool turns = true;                    ///< whether turns about `up` are taken out too
};
/// Makes the clip run on the spot. Throws Error for a joint that is not there; what the clip does not move gives an empty motion.
RootMotion take_root_motion(const SkinnedModel& model, ModelClip& clip,
                            const RootMotionOptions& options = {});

} // namespace scree
