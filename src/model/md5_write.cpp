// SPDX-License-Identifier: MIT
// md5_write.cpp — models and clips as .md5mesh and .md5anim text; see md5_mesh.cpp and md5_anim.cpp for the format.
#include "scree/model_file.h"

#include "text/checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace scree {
namespace {

std::string precise(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", double{value});
    std::string out = text;
    std::replace(out.begin(), out.end(), ',', '.'); // some locales write 0,5
    return out;
}

std::string vector_text(Vec3 v) {
    return "( " + precise(v.x) + " " + precise(v.y) + " " + precise(v.z) + " )";
}

/// With an s that is not positive, which the format leaves out.
Vec3 vector_part(Quat q) { return q.s > 0 ? Vec3{-q.x, -q.y, -q.z} : Vec3{q.x, q.y, q.z}; }

std::string quoted(std::string name) {
    for (char& c : name)
        if (c == '"' || static_cast<unsigned char>(c) < ' ') c = '_';
    return "\"" + name + "\"";
}

std::string header() { return "MD5Version 10\ncommandline \"\"\n\n"; }

/// Joints in the frame of the model, where the mesh was bound.
std::vector<Pose> bind_poses(const SkinnedModel& model) {
    std::vector<Pose> poses = joint_poses(model, rest_pose(model));
    for (const ModelBone& bone : model.bones)
        if (const std::optional<Affine> bound = inverse(bone.inverse_bind)) {
            // the format has no scale: the turn is what the rest pose has if the two agree
            const Vec3 x = normalized(bound->x), y = normalized(bound->y);
            const Quat q = poses[bone.joint].rotation;
            if (dot(rotate(q, Vec3{1, 0, 0}), x) > 0.9999f && dot(rotate(q, Vec3{0, 1, 0}), y) > 0.9999f)
                poses[bone.joint].position = bound->position;
        }
    return poses;
}

std::string mesh_text(const SkinnedModel& model, std::size_t material, const std::vector<Pose>& poses) {
    const TriangleMesh& mesh = model.mesh;
    std::vector<std::int64_t> number(mesh.vertices.size(), -1);
    std::vector<std::size_t> used;
    std::string triangles, vertices, weights;
    std::size_t count = 0, first = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (!mesh.materials.empty() && mesh.triangle_materials[t] != material) continue;
        for (const std::uint32_t v : mesh.triangles[t])
            if (number[v] < 0) {
                number[v] = static_cast<std::int64_t>(used.size());
                used.push_back(v);
            }
        const auto& [a, b, c] = mesh.triangles[t];
        triangles += "\ttri " + std::to_string(count++) + " " + std::to_string(number[a]) + " " +
                     std::to_string(number[c]) + " " + std::to_string(number[b]) + "\n";
    }
    for (std::size_t k = 0; k < used.size(); ++k) {
        const std::size_t v = used[k], begin = model.first_weight[v], end = model.first_weight[v + 1];
        const std::array<float, 2> place =
            model.texture_places.empty() ? std::array<float, 2>{} : model.texture_places[v];
        vertices += "\tvert " + std::to_string(k) + " ( " + precise(place[0]) + " " + precise(place[1]) +
                    " ) " + std::to_string(first) + " " + std::to_string(end - begin) + "\n";
        for (std::size_t w = begin; w < end; ++w) {
            const std::uint32_t joint = model.bones[model.weights[w].bone].joint;
            weights += "\tweight " + std::to_string(first++) + " " + std::to_string(joint) + " " +
                       precise(model.weights[w].weight) + " " +
                       vector_text(narrow(apply_inverse(wide(poses[joint]), wide(mesh.vertices[v])))) + "\n";
        }
    }
    const std::string shader = mesh.materials.empty() ? std::string() : mesh.materials[material];
    return "mesh {\n\tshader " + quoted(shader) + "\n\n\tnumverts " + std::to_string(used.size()) + "\n" +
           vertices + "\n\tnumtris " + std::to_string(count) + "\n" + triangles + "\n\tnumweights " +
           std::to_string(first) + "\n" + weights + "}\n";
}

} // namespace

std::string md5mesh_text(const SkinnedModel& model) {
    check(model, "md5mesh_text");
    const std::size_t meshes = std::max<std::size_t>(model.mesh.materials.size(), 1);
    std::string out = header() + "numJoints " + std::to_string(model.joints.size()) + "\nnumMeshes " +
                      std::to_string(meshes) + "\n\njoints {\n";
    const std::vector<Pose> poses = bind_poses(model);
    for (std::size_t j = 0; j < poses.size(); ++j)
        out += "\t" + quoted(model.joints[j].name) + " " + std::to_string(model.joints[j].parent) + " " +
               vector_text(poses[j].position) + " " + vector_text(vector_part(poses[j].rotation)) + "\n";
    out += "}\n";
    for (std::size_t m = 0; m < meshes; ++m) out += "\n" + mesh_text(model, m, poses);
    return out;
}

std::string md5anim_text(const SkinnedModel& model, const ModelClip& clip, float rate) {
    check(model, "md5anim_text");
    check_positive(rate, "rate");
    const std::size_t joints = model.joints.size();
    const double length =
        clip.closing > 0 ? double{clip.period()} * double{rate} : double{clip.duration} * double{rate} + 1;
    check_within(length, 0, 1e6, "rate", "at most 1,000,000 frames");
    const auto frames = static_cast<std::size_t>(std::max(1.0, std::floor(length + 0.5)));
    std::string bounds, values, first;
    ModelPose pose = rest_pose(model);
    SkinnedMesh mesh;
    for (std::size_t f = 0; f < frames; ++f) {
        sample(clip, static_cast<double>(f) / double{rate}, pose, ClipEnd::hold);
        skin(model, pose, mesh);
        Vec3 low = mesh.vertices.empty() ? Vec3{} : mesh.vertices[0], high = low;
        for (const Vec3& v : mesh.vertices) low = min(low, v), high = max(high, v);
        bounds += "\t" + vector_text(low) + " " + vector_text(high) + "\n";
        values += "\nframe " + std::to_string(f) + " {\n";
        for (std::size_t j = 0; j < joints; ++j) {
            const Vec3 p = pose[j].position, q = vector_part(pose[j].rotation);
            values += "\t" + precise(p.x) + " " + precise(p.y) + " " + precise(p.z) + " " + precise(q.x) +
                      " " + precise(q.y) + " " + precise(q.z) + "\n";
            if (f == 0) first += "\t" + vector_text(p) + " " + vector_text(q) + "\n";
        }
        values += "}\n";
    }
    std::string out = header() + "numFrames " + std::to_string(frames) + "\nnumJoints " +
                      std::to_string(joints) + "\nframeRate " + precise(rate) + "\nnumAnimatedComponents " +
                      std::to_string(6 * joints) + "\n\nhierarchy {\n";
    for (std::size_t j = 0; j < joints; ++j)
        out += "\t" + quoted(model.joints[j].name) + " " + std::to_string(model.joints[j].parent) + " 63 " +
               std::to_string(6 * j) + "\n";
    return out + "}\n\nbounds {\n" + bounds + "}\n\nbaseframe {\n" + first + "}\n" + values;
}

} // namespace scree
