// SPDX-License-Identifier: MIT
// culling_test.cpp — what is decided for many things at once is what would be decided for each alone.
#include "render/draw_list.h"
#include "render/recording_backend.h"
#include "render/shape_meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <random>
#include <set>

namespace scree::render {
namespace {

/// Spheres all over the place: of a world in its order, of a world in any order, and of the renderer's own scaled poses.
struct Crowd {
    explicit Crowd(std::uint32_t count) : list(backend, meshes, instances, programs), pool(backend) {
        mesh = make_shape_mesh(meshes, 0);
        const auto root = description.add_technique({}, std::make_unique<MaterialTechnique>(Material{}));
        std::uniform_real_distribution<float> size(0.05f, 0.8f), scale(0.3f, 2.5f);
        GeometryNode ordered, shuffled, own;
        ordered.mesh = shuffled.mesh = own.mesh = mesh;
        ordered.instanced = shuffled.instanced = own.instanced = true;
        positions.resize(std::size_t{8} * count);
        rotations.resize(std::size_t{8} * count);
        const auto sphere = [&](std::uint32_t pose) {
            Record record;
            record.pose = pose;
            const float s = size(dice);
            record.size = {s, s, s};
            return instances.add_record(record);
        };
        for (std::uint32_t i = 0; i < count; ++i) ordered.records.push_back(sphere(i));
        for (std::uint32_t i = 0; i < count; ++i) shuffled.records.push_back(sphere(count + i));
        std::shuffle(shuffled.records.begin(), shuffled.records.end(), dice);
        for (std::uint32_t i = 0; i < count / 3; ++i)
            own.records.push_back(sphere(instances.add_pose({place(), {}, scale(dice)})));
        scatter();
        for (GeometryNode* node : {&ordered, &shuffled, &own}) {
            all.insert(all.end(), node->records.begin(), node->records.end());
            description.add_geometry(root, *node);
        }
    }
    Vec3 place() {
        std::uniform_real_distribution<float> at(-40, 40);
        return {at(dice), at(dice), at(dice)};
    }
    void scatter() {
        for (std::size_t i = 0; i < positions.size(); i += 4) {
            const Vec3 p = place();
            positions[i] = p.x, positions[i + 1] = p.y, positions[i + 2] = p.z;
        }
        instances.set_world_poses(positions, rotations);
    }
    struct Ball {
        Vec3 centre;
        float reach, size;
    };
    Ball ball(std::uint32_t record) const {
        const Transform pose = instances.pose(instances.pose_of(record));
        return {pose.position, instances.reach(record) * pose.scale, instances.extent(record) * pose.scale};
    }
    /// What the calls draw, batch by batch, and the index count that tells the level.
    struct Drawn {
        std::vector<std::uint32_t> records;
        std::uint32_t first_index;
    };
    std::vector<Drawn> drawn() const {
        std::vector<Drawn> result;
        BufferId buffer{};
        std::size_t offset = 0;
        for (const auto& call : backend.calls()) {
            if (call.kind == RecordingBackend::Call::Kind::instances)
                buffer = {call.what}, offset = call.detail;
            if (call.kind != RecordingBackend::Call::Kind::draw) continue;
            Drawn batch;
            batch.records.resize(std::size_t{call.range.instances} * call.range.things);
            std::memcpy(batch.records.data(), backend.contents(buffer).data() + offset,
                        batch.records.size() * 4);
            batch.first_index = call.range.first;
            result.push_back(batch);
        }
        return result;
    }
    std::vector<Drawn> see(const DrawList::View& view, DrawMode mode = DrawMode::pooled) {
        list.analyse(description, places);
        list.bounds();
        pool.clear();
        pool.add({});
        list.gather(view);
        list.light(lights, true);
        list.upload();
        pool.upload();
        backend.forget();
        list.draw(mode, false, {}, {}, pool);
        return drawn();
    }

    std::mt19937 dice{7};
    RecordingBackend backend;
    MeshStore meshes{backend};
    InstanceStore instances{backend};
    DescriptionTree description;
    PositionTree places;
    LightList lights;
    ProgramStore programs{backend};
    DrawList list;
    ConstantPool pool;
    LodMesh mesh;
    std::vector<float> positions, rotations;
    std::vector<std::uint32_t> all;
};

DrawList::View random_view(Crowd& crowd) {
    Camera camera;
    camera.eye = crowd.place();
    camera.target = crowd.place();
    camera.near_plane = 0.5f;
    camera.far_plane = 60;
    std::uniform_real_distribution<float> fov(0.2f, 1.5f);
    camera.fov_y = fov(crowd.dice);
    DrawList::View view;
    view.view_projection = camera.projection(1.6f) * camera.view();
    view.eye = camera.eye;
    view.pixels_per_metre = 720 / (2 * std::tan(camera.fov_y / 2));
    return view;
}

/// How far inside all planes a ball's nearest point is: below 0 it is not seen.
float inside_by(const Frustum& frustum, const Crowd::Ball& ball, std::size_t planes = 6) {
    float least = 1e30f;
    for (std::size_t i = 0; i < planes; ++i) {
        const Quad& p = frustum.planes[i];
        least = std::min(least, p[0] * ball.centre.x + p[1] * ball.centre.y + p[2] * ball.centre.z + p[3] +
                                    ball.reach);
    }
    return least;
}

TEST(Culling, ChunksSeeWhatEachThingAloneWouldShow) {
    Crowd crowd(1500);
    for (int round = 0; round < 20; ++round) {
        crowd.scatter();
        const DrawList::View view = random_view(crowd);
        std::multiset<std::uint32_t> seen;
        for (const auto& batch : crowd.see(view)) seen.insert(batch.records.begin(), batch.records.end());
        EXPECT_EQ(seen.size(), crowd.list.visible());
        const Frustum frustum(view.view_projection);
        for (const std::uint32_t record : crowd.all) {
            const float by = inside_by(frustum, crowd.ball(record));
            if (std::abs(by) < 1e-4f) continue; // rounding may decide
            ASSERT_EQ(seen.count(record), by > 0 ? 1u : 0u) << "record " << record << " in round " << round;
        }
    }
}

TEST(Culling, EveryLevelKeepsToItsErrorAndIsTheCoarsestThatDoes) {
    Crowd crowd(1500);
    for (int round = 0; round < 10; ++round) {
        crowd.scatter();
        const DrawList::View view = random_view(crowd);
        for (const auto& batch : crowd.see(view)) {
            std::size_t level = 0;
            while (crowd.meshes.range(crowd.mesh.levels[level].mesh).first_index != batch.first_index &&
                   crowd.meshes.range(crowd.mesh.levels[level].mesh).first_cluster != batch.first_index)
                ASSERT_LT(++level, crowd.mesh.levels.size());
            for (const std::uint32_t record : batch.records) {
                const Crowd::Ball ball = crowd.ball(record);
                const float away = std::max(length(ball.centre - view.eye) - ball.reach, 0.0f);
                const auto pixels = [&](std::size_t l) {
                    return crowd.mesh.levels[l].error * ball.size * view.pixels_per_metre / away;
                };
                if (level > 0) {
                    ASSERT_LE(pixels(level), view.lod_error * 1.0001f);
                }
                if (level + 1 < crowd.mesh.levels.size()) {
                    ASSERT_GE(pixels(level + 1), view.lod_error * 0.9999f);
                }
            }
        }
    }
}

TEST(Culling, NearThingsComeBeforeFarOnes) {
    Crowd crowd(3000);
    const DrawList::View view = random_view(crowd);
    std::size_t pairs = 0;
    for (const auto& batch : crowd.see(view, DrawMode::precached))
        for (std::size_t i = 0; i + 1 < batch.records.size(); ++i, ++pairs) {
            const auto away = [&](std::size_t k) {
                return length(crowd.ball(batch.records[k]).centre - view.eye);
            };
            // in 64 steps of at most the whole crowd's diagonal
            ASSERT_GE(away(i + 1), away(i) - 145 / 64.0f);
        }
    EXPECT_GT(pairs, 100u);
}

TEST(Culling, CastersAreThoseBetweenTheSidesOfALightsView) {
    Crowd crowd(1500);
    for (int round = 0; round < 12; ++round) {
        crowd.scatter();
        struct Light {
            Mat4 matrix;
            bool sun = false;
            DrawList::Range range{};
        };
        // two that take in everything: they may share their numbers, with the view as well when it sees all
        std::vector<Light> lights;
        const auto from = [&] { return look_at(crowd.place(), crowd.place(), {0, 1, 0}); };
        lights.push_back({orthographic(-20, 20, -15, 15, 1, 30) * from(), true});
        lights.push_back({orthographic(-300, 300, -300, 300, 1, 30) * from(), true});
        lights.push_back({perspective(1.2f, 1, 0.5f, 30) * from(), false});
        lights.push_back({orthographic(-400, 400, -400, 400, 1, 30) * from(), true});
        DrawList::View view = random_view(crowd);
        view.cull = round % 3 != 0;
        crowd.see(view);
        for (Light& light : lights) light.range = crowd.list.gather_casters(light.matrix, light.sun, 0.01f);
        crowd.list.upload();
        for (const Light& light : lights) {
            crowd.backend.forget();
            crowd.list.draw_range(light.range, {});
            std::multiset<std::uint32_t> cast;
            for (const auto& batch : crowd.drawn()) cast.insert(batch.records.begin(), batch.records.end());
            const Frustum frustum(light.matrix);
            for (const std::uint32_t record : crowd.all) {
                // what is nearer to the sun than the near plane casts shadows as well
                const float by = inside_by(frustum, crowd.ball(record), light.sun ? 4 : 6);
                if (std::abs(by) < 1e-4f) continue;
                ASSERT_EQ(cast.count(record), by > 0 ? 1u : 0u)
                    << "record " << record << ", light " << &light - lights.data() << " in round " << round;
            }
        }
    }
}

TEST(Culling, BoundsFollowWhatMoves) {
    Crowd crowd(500);
    for (int round = 0; round < 3; ++round) {
        crowd.scatter();
        crowd.list.analyse(crowd.description, crowd.places);
        Bounds expected;
        for (const std::uint32_t record : crowd.all)
            expected.add(crowd.ball(record).centre, crowd.ball(record).reach);
        for (int twice = 0; twice < 2; ++twice) {
            const Bounds found = crowd.list.bounds();
            EXPECT_EQ(found.low.x, expected.low.x);
            EXPECT_EQ(found.low.y, expected.low.y);
            EXPECT_EQ(found.high.z, expected.high.z);
        }
    }
    // a record that grows counts, too
    Record record = crowd.instances.record(crowd.all[0]);
    record.size = {500, 500, 500};
    crowd.instances.set_record(crowd.all[0], record);
    crowd.list.analyse(crowd.description, crowd.places);
    EXPECT_GT(crowd.list.bounds().high.x, 400);
}

} // namespace
} // namespace scree::render
