// SPDX-License-Identifier: MIT
// skin.cpp — vertices and normals of a model that follow its bones; checks of models. See scree/skinned_model.h.
#include "geometry/parallel.h"
#include "scree/error.h"
#include "scree/skinned_model.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace scree {
namespace {

// a vertex costs some 20 ns, a thread some 20 µs to start
constexpr std::size_t run = 4096, parallel_from = 4 * run;

void add(Affine& sum, const Affine& map, float weight) {
    sum.x += weight * map.x;
    sum.y += weight * map.y;
    sum.z += weight * map.z;
    sum.position += weight * map.position;
}

void skin_run(const SkinnedModel& model, std::span<const Affine> bones, std::size_t first, std::size_t end,
              SkinnedMesh& out) {
    for (std::size_t v = first; v < end; ++v) {
        Affine map{{}, {}, {}, {}};
        for (std::uint32_t w = model.first_weight[v]; w < model.first_weight[v + 1]; ++w)
            add(map, bones[model.weights[w].bone], model.weights[w].weight);
        out.vertices[v] = apply(map, model.mesh.vertices[v]);
        out.normals[v] = map_normal(map, model.normals[v]);
    }
}

[[noreturn]] void fail(const std::string& what, const std::string& where) { throw Error(what, where); }

bool finite(const Affine& m) {
    return is_finite(m.x) && is_finite(m.y) && is_finite(m.z) && is_finite(m.position);
}

void check_track(const ModelTrack& track, const SkinnedModel& model, const ModelClip& clip,
                 const std::string& where) {
    const std::string of = where + ": clip '" + clip.name + "'";
    if (track.joint >= model.joints.size())
        fail("moves joint " + std::to_string(track.joint) + "; there are " +
                 std::to_string(model.joints.size()),
             of);
    const std::size_t n =
        (track.path == TrackPath::rotation ? 4u : 3u) * (track.mode == TrackMode::cubic ? 3u : 1u);
    if (track.times.empty() || track.values.size() != n * track.times.size())
        fail(std::to_string(track.values.size()) + " values for " + std::to_string(track.times.size()) +
                 " keys; expected " + std::to_string(n) + " a key",
             of);
    for (std::size_t k = 0; k < track.times.size(); ++k)
        if (!(track.times[k] >= 0) || !(track.times[k] <= clip.duration) ||
            (k > 0 && !(track.times[k] > track.times[k - 1])))
            fail("key " + std::to_string(k) + " at " + std::to_string(track.times[k]) +
                     " s; expected times that increase from 0 to the duration",
                 of);
    for (const float value : track.values)
        if (!std::isfinite(value)) fail("a value is not finite", of);
}

void check_weights(const SkinnedModel& model, const std::string& where) {
    const std::size_t vertices = model.mesh.vertices.size();
    if (model.normals.size() != vertices || model.first_weight.size() != vertices + 1 ||
        model.first_weight[0] != 0 || model.first_weight[vertices] != model.weights.size())
        fail("normals or weights do not fit " + std::to_string(vertices) + " vertices", where);
    for (std::size_t v = 0; v < vertices; ++v)
        if (!(model.first_weight[v] < model.first_weight[v + 1]))
            fail("has no weights", where + ": vertex " + std::to_string(v));
    for (std::size_t v = 0; v < vertices; ++v) {
        const std::string of = where + ": vertex " + std::to_string(v);
        double sum = 0;
        for (std::uint32_t w = model.first_weight[v]; w < model.first_weight[v + 1]; ++w) {
            const BoneWeight& one = model.weights[w];
            if (one.bone >= model.bones.size())
                fail("follows bone " + std::to_string(one.bone) + "; there are " +
                         std::to_string(model.bones.size()),
                     of);
            if (!(one.weight >= 0)) fail("a weight is negative or not a number", of);
            sum += double{one.weight};
        }
        if (!(std::fabs(sum - 1) < 1e-3))
            fail("its weights sum to " + std::to_string(sum) + "; expected 1", of);
        if (!is_finite(model.normals[v])) fail("its normal is not finite", of);
    }
}

} // namespace

Vec3 map_normal(const Affine& map, Vec3 n) {
    // by the cofactors of the map
    const Vec3 yz = cross(map.y, map.z);
    const Vec3 out = n.x * yz + n.y * cross(map.z, map.x) + n.z * cross(map.x, map.y);
    // a mirror turns triangles over, and not what is outside
    return normalized(dot(map.x, yz) < 0 ? -out : out);
}

void skin(const SkinnedModel& model, std::span<const Affine> bones, SkinnedMesh& out, int threads) {
    const std::size_t count = model.mesh.vertices.size();
    if (bones.size() != model.bones.size())
        fail(std::to_string(bones.size()) + " maps; the model has " + std::to_string(model.bones.size()) +
                 " bones",
             "bones");
    out.vertices.resize(count);
    out.normals.resize(count);
    if (count < parallel_from) return skin_run(model, bones, 0, count, out);
    for_each_parallel((count + run - 1) / run, threads, [&](std::size_t part) {
        skin_run(model, bones, part * run, std::min(count, (part + 1) * run), out);
    });
}

void skin(const SkinnedModel& model, const ModelPose& pose, SkinnedMesh& out, int threads) {
    skin(model, bone_frames(model, joint_frames(model, pose)), out, threads);
}

std::vector<Vec3> smooth_normals(const TriangleMesh& mesh) {
    std::vector<DVec3> sums(mesh.vertices.size());
    for (const auto& [a, b, c] : mesh.triangles) {
        const DVec3 at = mesh.vertices[a];
        const DVec3 across = cross(wide(mesh.vertices[b]) - at, wide(mesh.vertices[c]) - at);
        for (const std::uint32_t v : {a, b, c}) sums[v] += across;
    }
    std::vector<Vec3> normals;
    normals.reserve(sums.size());
    for (const DVec3& sum : sums) {
        const double size = length(sum);
        normals.push_back(size > 0 && std::isfinite(size) ? narrow(sum / size) : Vec3{0, 1, 0});
    }
    return normals;
}

void check(const SkinnedModel& model, const std::string& where) {
    check_mesh(model.mesh, where);
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const ModelJoint& joint = model.joints[j];
        const std::string of = where + ": joint '" + joint.name + "'";
        if (joint.parent < -1 || joint.parent >= static_cast<std::int64_t>(j))
            fail("has parent " + std::to_string(joint.parent) + "; expected one below " + std::to_string(j),
                 of);
        if (!finite(affine(joint.rest))) fail("its place is not finite", of);
    }
    for (const ModelBone& bone : model.bones) {
        if (bone.joint >= model.joints.size())
            fail("a bone of joint " + std::to_string(bone.joint) + "; there are " +
                     std::to_string(model.joints.size()),
                 where);
        if (!finite(bone.inverse_bind)) fail("a bind pose is not finite", where);
    }
    check_weights(model, where);
    if (!model.colours.empty() && model.colours.size() != model.mesh.materials.size())
        fail("colours do not fit the materials", where);
    if (!model.texture_places.empty() && model.texture_places.size() != model.mesh.vertices.size())
        fail(std::to_string(model.texture_places.size()) + " texture coordinates for " +
                 std::to_string(model.mesh.vertices.size()) + " vertices",
             where);
    for (std::size_t v = 0; v < model.texture_places.size(); ++v)
        if (!std::isfinite(model.texture_places[v][0]) || !std::isfinite(model.texture_places[v][1]))
            fail("its texture coordinates are not finite", where + ": vertex " + std::to_string(v));
    if (model.textures.size() > model.mesh.materials.size())
        fail(std::to_string(model.textures.size()) + " pictures; there are " +
                 std::to_string(model.mesh.materials.size()) + " materials",
             where);
    for (const ModelClip& clip : model.clips) {
        if (!(clip.duration >= 0) || !(clip.closing >= 0) || !std::isfinite(clip.period()))
            fail("clip '" + clip.name + "' lasts no finite time", where);
        for (const ModelTrack& track : clip.tracks) check_track(track, model, clip, where);
    }
}

} // namespace scree
