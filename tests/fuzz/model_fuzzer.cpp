// SPDX-License-Identifier: MIT
// model_fuzzer.cpp — any bytes as an animated model: an Error or a model that holds what it promises, which is then posed, skinned and fitted
// with capsules.
//
// The first byte picks the format: an .md5mesh file, an .md5anim file for a model of two joints, a .gltf or .glb file. The rest is the file.
#include "scree/character_bodies.h"
#include "scree/error.h"
#include "scree/model_file.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace scree;

const char bar[] =
    "MD5Version 10 numJoints 2 numMeshes 1 "
    "joints { \"low\" -1 ( 0 0 0 ) ( 0 0 0 ) \"high\" 0 ( 0 1 0 ) ( 0 0 0 ) } "
    "mesh { shader \"wood\" numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 0 0 ) 1 1 vert 2 ( 0 0 ) 2 1 "
    "numtris 1 tri 0 0 1 2 "
    "numweights 3 weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 ) weight 2 1 1 ( 0 1 0 ) }";

void play(const SkinnedModel& model, const ModelClip& given) {
    ModelPose pose = rest_pose(model);
    for (const double time : {0.0, 0.37, 1e6, -3.0}) {
        sample(given, time, pose);
        sample(given, time, pose, ClipEnd::hold);
        for (const JointPlace& place : pose) {
            const Quat q = place.rotation;
            if (std::fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.s * q.s - 1) > 1e-3f) std::abort();
        }
    }
    SkinnedMesh mesh;
    skin(model, pose, mesh, 1);
    if (mesh.vertices.size() != model.mesh.vertices.size()) std::abort();
    ModelClip clip = given;
    try {
        take_root_motion(model, clip).at(2.5);
    } catch (const Error&) { // parents without size
    }
}

void use(const SkinnedModel& model) {
    check(model, "read");
    play(model, {});
    for (const ModelClip& clip : model.clips) play(model, clip);
    try {
        fit_capsules(model);
    } catch (const Error&) { // too small, or too large for capsules
    }
    if (model.mesh.vertices.size() < 200) {
        try {
            parse_model(md5mesh_text(model), "again.md5mesh");
        } catch (const Error&) { // numbers that the text's float cannot have
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    ModelFileOptions options;
    options.max_triangles = options.max_vertices = 20'000;
    options.max_keys = 100'000;
    options.max_joints = 200;
    options.external_files = false;
    const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
    try {
        if (data[0] % 3 == 1) {
            const SkinnedModel model = parse_model(bar, "bar.md5mesh");
            play(model, parse_clip(bytes, "fuzz.md5anim", model, options));
            return 0;
        }
        options.format = data[0] % 3 == 0 ? ModelFormat::md5 : ModelFormat::gltf;
        use(parse_model(bytes, "fuzz", options));
    } catch (const Error&) {
        // the expected answer to most inputs
    }
    return 0;
}
