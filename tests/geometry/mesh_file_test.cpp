// SPDX-License-Identifier: MIT
// mesh_file_test.cpp — the same box in every format, and what broken files are told.
#include "scree/error.h"
#include "scree/mesh_file.h"
#include "support/meshes.h"
#include "support/refused.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace scree {
namespace {

using namespace testing;

template <class T>
std::string little(T value) {
    std::string out(sizeof value, '\0');
    std::memcpy(out.data(), &value, sizeof value);
    return out;
}

template <class T>
std::string big(T value) {
    const std::string out = little(value);
    return {out.rbegin(), out.rend()};
}

std::string binary_stl(const TriangleMesh& mesh) {
    std::string out = "solid that is binary all the same";
    out.resize(80, ' ');
    out += little(static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const auto& t : mesh.triangles) {
        out += std::string(12, '\0');
        for (const std::uint32_t v : t)
            for (const float c : {mesh.vertices[v].x, mesh.vertices[v].y, mesh.vertices[v].z})
                out += little(c);
        out += std::string(2, '\0');
    }
    return out;
}

std::string ascii_stl(const TriangleMesh& mesh) {
    std::string out = "solid a box\n";
    for (const auto& t : mesh.triangles) {
        out += "facet normal nan nan nan\n outer loop\n";
        for (const std::uint32_t v : t)
            out += "  VERTEX " + std::to_string(mesh.vertices[v].x) + " " +
                   std::to_string(mesh.vertices[v].y) + " " + std::to_string(mesh.vertices[v].z) + "\r\n";
        out += " endloop\nendfacet\n";
    }
    return out + "endsolid a box\n";
}

std::string ply_header(const char* format) {
    return std::string("ply\nformat ") + format +
           " 1.0\ncomment a box\nelement vertex 8\nproperty double x\nproperty uchar red\nproperty float y\n"
           "property float32 z\nelement edge 1\nproperty list uchar short ends\nelement face 12\n"
           "property list uchar uint vertex_indices\nproperty int16 flags\nend_header\n";
}

template <class Bytes>
std::string binary_ply(const char* format, const TriangleMesh& mesh, Bytes as) {
    std::string out = ply_header(format);
    for (const Vec3& v : mesh.vertices)
        out += as(static_cast<double>(v.x)) + as(std::uint8_t{9}) + as(v.y) + as(v.z);
    out += as(std::uint8_t{2}) + as(std::int16_t{0}) + as(std::int16_t{1});
    for (const auto& t : mesh.triangles)
        out += as(std::uint8_t{3}) + as(t[0]) + as(t[1]) + as(t[2]) + as(std::int16_t{-1});
    return out;
}

std::string base64(const std::string& bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = (bits << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k > bytes.size() ? '=' : digits[(bits >> (18 - 6 * k)) & 63];
    }
    return out;
}

/// 96 bytes of positions, then 36 indices.
std::string gltf_buffer(const TriangleMesh& mesh) {
    std::string out;
    for (const Vec3& v : mesh.vertices)
        for (const float c : {v.x, v.y, v.z}) out += little(c);
    for (const auto& t : mesh.triangles)
        for (const std::uint32_t v : t) out += little(static_cast<std::uint16_t>(v));
    return out;
}

std::string gltf_text(const std::string& uri, const std::string& node = "") {
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"top","children":[1]},
{"name":"box","mesh":0)" +
           node +
           R"(}],"materials":[{"name":"steel"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3"},
{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":96},{"buffer":0,"byteOffset":96,"byteLength":72}],
"buffers":[{"byteLength":168)" +
           (uri.empty() ? "" : ",\"uri\":\"" + uri + "\"") + "}]}";
}

std::string glb(std::string text, const std::string& chunk) {
    while (text.size() % 4) text += ' ';
    const std::string body = little(static_cast<std::uint32_t>(text.size())) + "JSON" + text +
                             little(static_cast<std::uint32_t>(chunk.size())) + std::string("BIN\0", 4) +
                             chunk;
    return "glTF" + little(2u) + little(static_cast<std::uint32_t>(12 + body.size())) + body;
}

const TriangleMesh box = box_mesh({-1, 0, 2}, {1, 3, 4});

std::string ascii_ply() {
    std::string out = ply_header("ascii");
    for (const Vec3& v : box.vertices)
        out += std::to_string(v.x) + " 9 " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
    out += "2 0 1\n";
    for (const auto& t : box.triangles)
        out +=
            "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) + " -1\n";
    return out;
}

struct Sample {
    const char* file;
    std::string bytes;
};

std::vector<Sample> samples() {
    return {{"box.obj", obj_text(box)},
            {"box.STL", binary_stl(box)},
            {"ascii.stl", ascii_stl(box)},
            {"ascii.ply", ascii_ply()},
            {"little.ply", binary_ply("binary_little_endian", box, [](auto v) { return little(v); })},
            {"big.ply", binary_ply("binary_big_endian", box, [](auto v) { return big(v); })},
            {"box.gltf", gltf_text("data:application/octet-stream;base64," + base64(gltf_buffer(box)))},
            {"box.glb", glb(gltf_text(""), gltf_buffer(box))}};
}

void expect_refused(const std::string& bytes, const std::string& file, const std::string& part,
                    const MeshFileOptions& options = {}) {
    const std::string message = test::error_message([&] { parse_mesh(bytes, file, options); });
    EXPECT_TRUE(test::contains(message, part)) << part << " in: " << message;
    EXPECT_EQ(message.substr(0, file.size()), file);
}

TEST(MeshFile, TheSameBoxComesFromEveryFormat) {
    for (const Sample& sample : samples()) {
        const TriangleMesh mesh = parse_mesh(sample.bytes, sample.file);
        const MeshReport report = inspect(mesh);
        EXPECT_EQ(mesh.vertices.size(), 8u) << sample.file;
        EXPECT_EQ(mesh.triangles.size(), 12u) << sample.file;
        EXPECT_TRUE(report.closed && report.oriented) << sample.file;
        EXPECT_EQ(report.volume, 12) << sample.file;
        EXPECT_EQ(report.low, (DVec3{-1, 0, 2})) << sample.file;
        EXPECT_EQ(report.high, (DVec3{1, 3, 4})) << sample.file;
        EXPECT_NEAR(inspect(parse_mesh(sample.bytes, sample.file, {.scale = 0.5f})).volume, 1.5, 1e-9);
    }
}

TEST(MeshFile, EveryCutAndManyChangedBytesEndInAMeshOrAnError) {
    for (const Sample& sample : samples()) {
        // no cut file is a whole one: texts end in a line that matters, binary forms have lengths
        for (std::size_t n = 0; n + 24 < sample.bytes.size(); n += 1 + sample.bytes.size() / 400) {
            const bool text = std::string(sample.file) == "box.obj"; // may lose whole faces
            try {
                parse_mesh(std::string_view(sample.bytes).substr(0, n), sample.file);
                EXPECT_TRUE(text) << sample.file << " cut at " << n;
            } catch (const Error&) {}
        }
        std::uint32_t chance = 1;
        for (int i = 0; i < 400; ++i) {
            std::string bytes = sample.bytes;
            for (int k = 0; k < 3; ++k) {
                chance = chance * 1664525u + 1013904223u;
                bytes[(chance >> 8) % bytes.size()] = static_cast<char>(chance >> 24);
            }
            try {
                check_mesh(parse_mesh(bytes, sample.file), sample.file);
            } catch (const Error&) {}
        }
    }
}

TEST(MeshFile, NamesOfPartsAndMaterialsAreKept) {
    const TriangleMesh obj =
        parse_mesh("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no left wing\nusemtl steel\nf 3 2 1\n"
                   "usemtl wood\nf 1 2 3\nusemtl steel\nf 2 3 1\n",
                   "a.obj");
    EXPECT_EQ(obj.parts, (std::vector<std::string>{"", "left wing"}));
    EXPECT_EQ(obj.triangle_parts, (std::vector<std::uint32_t>{0, 1, 1, 1}));
    EXPECT_EQ(obj.materials, (std::vector<std::string>{"", "steel", "wood"}));
    EXPECT_EQ(obj.triangle_materials, (std::vector<std::uint32_t>{0, 1, 2, 1}));
    EXPECT_EQ(parse_mesh(obj_text(obj), "b.obj").triangle_parts, obj.triangle_parts);

    const TriangleMesh gltf = parse_mesh(samples()[6].bytes, "box.gltf");
    EXPECT_EQ(gltf.parts, std::vector<std::string>{"box"});
    EXPECT_EQ(gltf.materials, std::vector<std::string>{"steel"});
    EXPECT_EQ(parse_mesh(ascii_stl(box), "a.stl").parts, std::vector<std::string>{"a box"});
}

TEST(MeshFile, NodesPlaceScaleAndMirror) {
    const std::string data = "data:;base64," + base64(gltf_buffer(box));
    const MeshReport moved =
        inspect(parse_mesh(gltf_text(data, R"(,"translation":[10,0,0],"scale":[-2,1,1])"), "a.gltf"));
    EXPECT_EQ(moved.low, (DVec3{8, 0, 2}));
    EXPECT_EQ(moved.high, (DVec3{12, 3, 4}));
    EXPECT_EQ(moved.volume, 24); // a mirror keeps the outside outside
    const MeshReport turned = inspect(parse_mesh(
        gltf_text(data, R"(,"rotation":[0,0,0.70710678118654752,0.70710678118654752])"), "a.gltf"));
    EXPECT_NEAR(turned.low.x, -3, 1e-6);
    EXPECT_NEAR(turned.high.y, 1, 1e-6);
    const MeshReport by_matrix =
        inspect(parse_mesh(gltf_text(data, R"(,"matrix":[1,0,0,0, 0,2,0,0, 0,0,1,0, 5,6,7,1])"), "a.gltf"));
    EXPECT_EQ(by_matrix.high, (DVec3{6, 12, 11}));
}

TEST(MeshFile, HugeCountsAreRefusedBeforeAnythingIsAllocated) {
    std::string stl(80, ' ');
    expect_refused(stl + little(0xffffffffu), "a.stl", "expected 214748364834");
    const std::string ply =
        "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\n"
        "property float y\nproperty float z\nelement face 1\n"
        "property list uint uint vertex_indices\nend_header\n";
    expect_refused(ply + std::string(24, '\0'), "a.ply", "4000000000 elements 'vertex' do not fit");
    std::string list = ply;
    list.replace(list.find("4000000000"), 10, "1");
    expect_refused(list + std::string(12, '\0') + little(0xfffffff0u), "a.ply",
                   "a list of 4294967280 entries");
    std::string gltf = gltf_text("data:;base64," + base64(gltf_buffer(box)));
    std::string count = gltf;
    count.replace(count.find("\"count\":8"), 9, "\"count\":2000000000");
    expect_refused(count, "a.gltf", "beyond their buffer view");
    std::string sparse = gltf;
    sparse.replace(sparse.find("\"bufferView\":0,\"componentType\":5126,\"count\":8"), 45,
                   "\"sparse\":{},\"componentType\":5126,\"count\":2000000000");
    expect_refused(sparse, "a.gltf", "2,000,000,000 elements; at most 20,000,000");
    expect_refused(obj_text(box), "a.obj", "triangles; at most 11", {.max_triangles = 11});
    expect_refused(obj_text(box), "a.obj", "vertices; at most 7", {.max_vertices = 7});
    expect_refused(obj_text(box), "a.obj", "larger than 100 bytes", {.max_bytes = 100});
}

TEST(MeshFile, BrokenFilesSayWhatAndWhere) {
    expect_refused("", "a.obj", "no faces");
    expect_refused("", "a.ply", "the file ends");
    expect_refused("v 0 0 0\n", "a.obj", "no faces");
    expect_refused("hello", "a.stl", "is no STL file");
    expect_refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf", "a.stl", "a.stl:4: 'inf'");
    expect_refused("solid a\nendsolid a\n", "a.stl", "holds no triangles");
    expect_refused("ply\nformat ascii 2.0\n", "a.ply", "a.ply:2: '2.0'; expected version 1.0");
    expect_refused("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n", "a.ply",
                   "x, y or z");
    std::string range = ascii_ply();
    range.replace(range.rfind("3 "), 3, "3 8");
    expect_refused(range, "a.ply", "; the file has 8 vertices");
    std::string nan = ascii_ply();
    nan.replace(nan.find(" 9 "), 5, " 9 nan ");
    expect_refused(nan, "a.ply", "vertex 0 is not finite");
    std::string stl = binary_stl(box);
    const float infinite = std::numeric_limits<float>::infinity();
    std::memcpy(&stl[84 + 50 * 3 + 12], &infinite, 4);
    expect_refused(stl, "a.stl", "byte 234: a vertex of triangle 3 is not finite");
    expect_refused("x", "a.xyz", "expected .obj, .stl, .ply, .gltf or .glb");
    expect_refused("x", "a", "cannot tell the format");

    std::string gltf = gltf_text("data:;base64," + base64(gltf_buffer(box)));
    const auto changed = [&](const char* from, const char* to) {
        std::string text = gltf;
        text.replace(text.find(from), std::strlen(from), to);
        return text;
    };
    expect_refused(changed("2.0", "1.0"), "a.gltf", "version '1.0'; expected 2.0");
    expect_refused(changed("\"mesh\":0", "\"mesh\":7"), "a.gltf", "mesh 7; expected a whole number below 1");
    expect_refused(changed("\"mesh\":0", "\"children\":[0]"), "a.gltf", "its own ancestor");
    expect_refused(changed("\"children\":[1]", "\"children\":[1,1,1]"), "a.gltf", "used more than once");
    expect_refused(
        changed("\"scene\":0", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"scene\":0"),
        "a.gltf", "'KHR_draco_mesh_compression', which cannot be read");
    expect_refused(changed("\"byteLength\":168", "\"byteLength\":169"), "a.gltf", "169 bytes, of which 168");
    expect_refused(changed("5123", "5122"), "a.gltf", "indices of component type 5122");
    TriangleMesh beyond = box;
    beyond.triangles[5][1] = 8;
    expect_refused(gltf_text("data:;base64," + base64(gltf_buffer(beyond))), "a.gltf",
                   "names vertex 8; there are 8");
    EXPECT_THROW(parse_mesh("x", "a.obj", {.scale = 0}), Error);
    EXPECT_THROW(parse_mesh("x", "a.obj", {.scale = std::nanf("")}), Error);
}

TEST(MeshFile, BuffersComeFromTheFolderOnly) {
    TemporaryFolder folder;
    const auto write = [&](const std::string& name, const std::string& bytes) {
        std::filesystem::create_directories(std::filesystem::path(folder.file(name)).parent_path());
        std::ofstream(folder.file(name), std::ios::binary) << bytes;
    };
    write("secret.bin", gltf_buffer(box));
    write("in/data/a b.bin", gltf_buffer(box));
    write("in/good.gltf", gltf_text("data/a%20b.bin"));
    EXPECT_EQ(inspect(read_mesh(folder.file("in/good.gltf"))).volume, 12);
    EXPECT_THROW(read_mesh(folder.file("in/good.gltf"), {.external_files = false}), Error);
    std::filesystem::create_symlink(folder.file("secret.bin"), folder.file("in/link.bin"));
    for (const std::string& uri :
         {std::string("../secret.bin"), std::string("data/../../secret.bin"),
          std::string("%2e%2e/secret.bin"), std::string("file:///etc/passwd"),
          std::string("..\\\\secret.bin"), std::string("link.bin"), folder.file("secret.bin")}) {
        write("in/bad.gltf", gltf_text(uri));
        expect_refused(gltf_text(uri), folder.file("in/bad.gltf"), "is outside the folder");
    }
    for (const char* uri : {"missing.bin", "data"})
        expect_refused(gltf_text(uri), folder.file("in/bad.gltf"), "is not a file that can be read");
    EXPECT_THROW(read_mesh(folder.file("none.obj")), Error);
    std::filesystem::create_directories(folder.file("folder.stl"));
    EXPECT_THROW(read_mesh(folder.file("folder.stl")), Error);
}

} // namespace
} // namespace scree
