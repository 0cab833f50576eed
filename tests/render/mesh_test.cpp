// SPDX-License-Identifier: MIT
// mesh_test.cpp — meshes: vertices stored once, surfaces closed and facing outwards, errors of the levels of detail.
#include "render/mesh.h"

#include "render/linear.h"
#include "render/recording_backend.h"
#include "render/shape_meshes.h"
#include "scree/error.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

namespace scree::render {
namespace {

Vec3 at(const MeshData& mesh, std::uint32_t i, float bevel = 0) {
    const MeshVertex& v = mesh.vertices[i];
    return {v.position[0] + bevel * v.inset[0], v.position[1] + v.end + bevel * v.inset[1],
            v.position[2] + bevel * v.inset[2]};
}

double volume(const MeshData& mesh, float bevel = 0) {
    double sum = 0;
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
        sum += static_cast<double>(
            dot(at(mesh, mesh.indices[i], bevel),
                cross(at(mesh, mesh.indices[i + 1], bevel), at(mesh, mesh.indices[i + 2], bevel))));
    return sum / 6;
}

/// Every edge is there once in each direction, by place and not by number.
bool closed(const MeshData& mesh, float bevel = 0) {
    std::map<std::array<int, 6>, int> edges;
    const auto key = [&](Vec3 a) {
        return std::array<int, 3>{int(std::lround(a.x * 4096)), int(std::lround(a.y * 4096)),
                                  int(std::lround(a.z * 4096))};
    };
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = key(at(mesh, mesh.indices[i + k], bevel)),
                       b = key(at(mesh, mesh.indices[i + (k + 1) % 3], bevel));
            if (a == b) continue;
            ++edges[{a[0], a[1], a[2], b[0], b[1], b[2]}];
            --edges[{b[0], b[1], b[2], a[0], a[1], a[2]}];
        }
    return std::all_of(edges.begin(), edges.end(), [](const auto& e) { return e.second == 0; });
}

TEST(Mesh, AFanOfThreeTrianglesStoresSharedVerticesOnce) {
    // the corner in the middle is part of three triangles: 9 floats for it three times, or 3 floats and three indices
    std::vector<MeshVertex> corners;
    const auto corner = [](float x, float z) {
        MeshVertex v;
        v.position = {x, 0, z};
        return v;
    };
    for (int i = 0; i < 3; ++i) {
        const auto angle = static_cast<float>(i);
        corners.push_back(corner(0, 0));
        corners.push_back(corner(std::cos(angle), std::sin(angle)));
        corners.push_back(corner(std::cos(angle + 1), std::sin(angle + 1)));
    }
    const MeshData mesh = indexed(corners);
    EXPECT_EQ(mesh.vertices.size(), 5u);
    EXPECT_EQ(mesh.indices.size(), 9u);
    EXPECT_EQ(MeshData::index_bytes(mesh.vertices.size()), 2u);
    const std::size_t position = 3 * sizeof(float);
    EXPECT_EQ(3 * position, 36u);
    EXPECT_EQ(position + 3 * MeshData::index_bytes(mesh.vertices.size()), 18u);
}

TEST(Mesh, SurfacesAreClosedAndFaceOutwards) {
    constexpr double pi = std::numbers::pi;
    for (int level = -1; level <= 4; ++level) {
        EXPECT_TRUE(closed(meshes::sphere(level))) << level;
        EXPECT_NEAR(volume(meshes::sphere(level)), 4 * pi / 3, 0.01) << level;
    }
    for (const int segments : {8, 16, 24, 48}) {
        EXPECT_TRUE(closed(meshes::capsule(segments)));
        EXPECT_TRUE(closed(meshes::cylinder(segments, false)));
        EXPECT_TRUE(closed(meshes::cylinder(segments, true), 0.1f));
        EXPECT_TRUE(closed(meshes::cone(segments)));
        EXPECT_NEAR(volume(meshes::cylinder(segments, false)), 2 * pi, 0.01);
        EXPECT_NEAR(volume(meshes::cone(segments)), 2 * pi / 3, 0.01);
    }
    EXPECT_TRUE(closed(meshes::box(false)));
    EXPECT_NEAR(volume(meshes::box(false)), 8, 1e-5);
    EXPECT_TRUE(closed(meshes::box(true), 0.1f));
    EXPECT_LT(volume(meshes::box(true), 0.1f), 8);
    EXPECT_GT(volume(meshes::box(true), 0.1f), 7.8);
    const Hull hull =
        Hull::from_points(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}});
    EXPECT_TRUE(closed(meshes::hull(hull)));
    EXPECT_GT(volume(meshes::hull(hull)), 0);
}

TEST(Mesh, NormalsPointOutOfTheSurface) {
    for (const MeshData& mesh :
         {meshes::sphere(2), meshes::box(false), meshes::cylinder(16, false), meshes::cone(16)})
        for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
            const Vec3 a = at(mesh, mesh.indices[i]), b = at(mesh, mesh.indices[i + 1]),
                       c = at(mesh, mesh.indices[i + 2]);
            const Vec3 face = cross(b - a, c - a);
            for (std::size_t k = 0; k < 3; ++k) {
                const auto& n = mesh.vertices[mesh.indices[i + k]].normal;
                EXPECT_GT(dot(face, {n[0], n[1], n[2]}), 0);
            }
        }
}

TEST(Mesh, CoarserLevelsHaveFewerTrianglesAndTheirErrorHolds) {
    for (int level = 3; level >= -1; --level) {
        EXPECT_LT(meshes::sphere(level).indices.size(), meshes::sphere(level + 1).indices.size());
        EXPECT_GT(sphere_error(level), sphere_error(level + 1));
        const MeshData mesh = meshes::sphere(level);
        // corners and middles of faces are what is farthest off
        for (std::uint32_t i = 0; i < mesh.vertices.size(); ++i)
            EXPECT_LE(std::abs(length(at(mesh, i)) - 1), sphere_error(level) + 1e-5f);
    }
    EXPECT_LT(polygon_error(48), polygon_error(8));
    EXPECT_LT(polygon_error(8), 0.08f);
}

TEST(Mesh, WhatADeviceDeformedStaysThoughMeshesOnBothSidesAreEdited) {
    RecordingBackend backend(false);
    MeshStore store(backend);
    const MeshData ball = meshes::sphere(0);
    const MeshId first = store.add(ball, true), middle = store.add(ball, true), last = store.add(ball, true);
    store.bind();
    const auto deformed = [&] { // bytes, in a bind
        const std::uint64_t before = backend.counters().shared;
        store.bind();
        return backend.counters().shared - before;
    };
    store.deform(middle, {});
    EXPECT_EQ(deformed(), 32 * ball.vertices.size());
    store.edit(first);
    EXPECT_EQ(deformed(), 0u);
    store.edit(first), store.edit(last); // what is uploaded lies across it
    EXPECT_EQ(deformed(), 32 * ball.vertices.size());
}

/// Without memory for buffers of this size.
struct SmallBackend : RecordingBackend {
    SmallBackend() : RecordingBackend(false) {}
    std::size_t refused = 0;
    bool refuses_textures = false;
    int from_nothing = 0;

protected:
    TextureId do_create_texture(const TextureDef& texture) override {
        if (refuses_textures) throw Error("there is no memory");
        return RecordingBackend::do_create_texture(texture);
    }
    BufferId do_create_buffer(BufferKind kind, std::size_t bytes, std::span<const std::byte> data) override {
        if (bytes == refused) throw Error("there is no memory");
        return RecordingBackend::do_create_buffer(kind, bytes, data);
    }
    void do_deform(BufferId, const DeformDef& def) override { from_nothing += !def.from; }
};

TEST(Mesh, WhatCouldNotBeDeformedStaysAsItWas) {
    SmallBackend backend;
    MeshStore store(backend);
    const MeshData ball = meshes::sphere(0);
    const MeshId mesh = store.add(ball, true);
    store.bind();
    backend.refused = 12 * ball.vertices.size();
    EXPECT_THROW(store.deform(mesh, {}), Error);
    store.add(ball); // all is uploaded
    store.bind();
    EXPECT_EQ(backend.from_nothing, 0);
}

TEST(Mesh, BonesThatThereWasNoMemoryForAreTakenWithTheNextBind) {
    SmallBackend backend;
    MeshStore store(backend);
    const MeshData ball = meshes::sphere(0);
    const MeshId mesh = store.add(ball, true);
    const std::vector<std::array<std::uint32_t, 4>> bones(ball.vertices.size());
    const std::vector<std::array<float, 4>> weights(ball.vertices.size(), {1, 0, 0, 0});
    store.bind_to_bones(mesh, bones, weights);
    const std::array<std::array<float, 12>, 1> still{{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}};
    store.follow(mesh, still, {}, 1);
    backend.refuses_textures = true;
    EXPECT_THROW(store.bind(), Error);
    backend.refuses_textures = false;
    const std::uint64_t before = backend.counters().uploaded;
    store.bind();
    EXPECT_GE(backend.counters().uploaded - before, sizeof still);
}

TEST(Mesh, ReadsWavefrontTextAndSaysWhereItIsWrong) {
    const MeshData mesh = meshes::from_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", "square.obj");
    EXPECT_EQ(mesh.indices.size(), 6u);
    EXPECT_EQ(mesh.vertices[0].normal[2], 1);
    const std::string error = test::error_message([] { meshes::from_obj("v 0 0 0\nf 1 2 3\n", "bad.obj"); });
    EXPECT_TRUE(test::contains(error, "bad.obj:2")) << error;
}

} // namespace
} // namespace scree::render
