// SPDX-License-Identifier: MIT
// mesh_file.cpp — picks the reader for a file; writes .obj text.
//
// The readers are our own, not Assimp's: the library must build for WebAssembly and without packages, and a reader of a
// physics engine refuses what others mend silently. See docs/manual/mesh-files.md.
#include "scree/mesh_file.h"

#include "geometry/mesh_text.h"
#include "scree/error.h"
#include "text/checks.h"
#include "text/file_text.h"
#include "text/words.h"

#include <cctype>
#include <cmath>
#include <cstdio>

namespace scree {
namespace {

MeshFormat format_of(const std::string& file) {
    const std::size_t slash = file.find_last_of("/\\"), dot = file.rfind('.');
    std::string end;
    if (dot != std::string::npos && (slash == std::string::npos || dot > slash)) end = file.substr(dot + 1);
    for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (end == "obj") return MeshFormat::obj;
    if (end == "stl") return MeshFormat::stl;
    if (end == "ply") return MeshFormat::ply;
    if (end == "gltf" || end == "glb") return MeshFormat::gltf;
    throw Error("cannot tell the format by the name; expected .obj, .stl, .ply, .gltf or .glb", file);
}

/// A name on one line that ends neither in a backslash nor in a comment.
std::string one_line(std::string name) {
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 32 || c == '#' || c == '\\') c = '_';
    return name;
}

void check_options(const MeshFileOptions& options) {
    check_one_of(options.format, MeshFormat::gltf, "MeshFileOptions::format", "a format");
    check_positive(options.scale, "MeshFileOptions::scale");
}

} // namespace

TriangleMesh parse_mesh(std::string_view bytes, const std::string& file, const MeshFileOptions& options) {
    check_options(options);
    if (bytes.size() > options.max_bytes)
        throw Error("is larger than " + count_text(options.max_bytes) + " bytes, the most that are read",
                    file);
    MeshMaker out(file, options);
    switch (options.format == MeshFormat::by_name ? format_of(file) : options.format) {
    case MeshFormat::obj:
        read_obj(bytes, out);
        break;
    case MeshFormat::stl:
        read_stl(bytes, out);
        break;
    case MeshFormat::ply:
        read_ply(bytes, out);
        break;
    case MeshFormat::by_name:
    case MeshFormat::gltf:
        read_gltf(bytes, out);
        break;
    }
    return out.finish();
}

TriangleMesh read_mesh(const std::string& file, const MeshFileOptions& options) {
    check_options(options);
    if (options.format == MeshFormat::by_name) format_of(file); // before anything is read
    return parse_mesh(file_text(file, options.max_bytes), file, options);
}

std::string obj_text(const TriangleMesh& mesh) {
    check_mesh(mesh, "obj_text");
    std::string out;
    char line[128];
    for (const Vec3& v : mesh.vertices) {
        std::snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", double{v.x}, double{v.y}, double{v.z});
        for (char* c = line; *c; ++c)
            if (*c == ',') *c = '.'; // some locales write 0,5
        out += line;
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (!mesh.parts.empty() && (t == 0 || mesh.triangle_parts[t] != mesh.triangle_parts[t - 1]))
            out += "o " + one_line(mesh.parts[mesh.triangle_parts[t]]) + "\n";
        if (!mesh.materials.empty() &&
            (t == 0 || mesh.triangle_materials[t] != mesh.triangle_materials[t - 1]))
            out += "usemtl " + one_line(mesh.materials[mesh.triangle_materials[t]]) + "\n";
        const auto& [a, b, c] = mesh.triangles[t];
        out +=
            "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " + std::to_string(c + 1) + "\n";
    }
    return out;
}

} // namespace scree
