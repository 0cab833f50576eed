// SPDX-License-Identifier: MIT
// bare_faces_test.cpp — of a level's faces only what other brushes leave bare is drawn.
#include "render/bare_faces.h"

#include "level/map_texts.h"
#include "render/level_view.h"
#include "render/recording_backend.h"
#include "scree/appearance.h"
#include "scree/level.h"
#include "scree/level_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace scree::render {
namespace {

using namespace scree::testing;

struct Rooms {
    explicit Rooms(const std::string& more)
        : compiled(std::make_shared<CompiledLevel>(
              compile_level(parse_map(world(room_grid(1, 1) + more), "rooms")))),
          faces(compiled->level, compiled->cells) {}

    const LevelBrush& brush(std::uint32_t number) const { return compiled->level.brushes[number]; }
    /// Of the brush's face that looks along `normal`.
    std::uint32_t face(std::uint32_t number, DVec3 normal) const {
        const auto& all = brush(number).faces;
        return static_cast<std::uint32_t>(std::max_element(all.begin(), all.end(),
                                                           [&](const LevelFace& a, const LevelFace& b) {
                                                               return dot(a.normal, normal) <
                                                                      dot(b.normal, normal);
                                                           }) -
                                          all.begin());
    }
    std::vector<LevelPolygon> parts(std::uint32_t number, DVec3 normal) const {
        return faces.parts(number, face(number, normal));
    }
    std::uint32_t last() const { return static_cast<std::uint32_t>(compiled->level.brushes.size() - 1); }

    std::shared_ptr<CompiledLevel> compiled;
    BareFaces faces;
};

double area(const std::vector<LevelPolygon>& polygons) {
    double sum = 0;
    for (const LevelPolygon& p : polygons)
        for (std::size_t k = 2; k < p.size(); ++k) sum += length(cross(p[k - 1] - p[0], p[k] - p[0])) / 2;
    return sum;
}

constexpr std::uint32_t floor_brush = 0, wall_brush = 2;

TEST(BareFaces, WhatStandsInTheFloorBeginsAtIt) {
    const Rooms rooms(box({40, 40, -8}, {60, 60, 64}));
    const auto side = rooms.parts(rooms.last(), {1, 0, 0});
    ASSERT_EQ(side.size(), 1u);
    EXPECT_NEAR(area(side), 20 * 64, 1e-6);
    for (const DVec3& corner : side[0]) EXPECT_GE(corner.z, -1e-9);
    // its top is bare; the bottom is covered, and in no cell
    EXPECT_TRUE(rooms.parts(rooms.last(), {0, 0, 1}).empty());
    EXPECT_TRUE(rooms.parts(rooms.last(), {0, 0, -1}).empty());
}

TEST(BareFaces, FloorsEndAtTheirWalls) {
    const Rooms rooms("");
    const auto top = rooms.parts(floor_brush, {0, 0, 1});
    ASSERT_EQ(top.size(), 1u);
    EXPECT_NEAR(area(top), 128 * 128, 1e-6);
    EXPECT_TRUE(rooms.parts(wall_brush, {1, 0, 0}).empty()); // all of a wall's inner side is seen
}

TEST(BareFaces, AWallBehindAButtressIsTwo) {
    const Rooms rooms(box({-8, 50, 0}, {20, 70, 128}));
    const auto inner = rooms.parts(wall_brush, {1, 0, 0});
    ASSERT_EQ(inner.size(), 2u);
    EXPECT_NEAR(area(inner), (128 - 20) * 128, 1e-6);
    for (const LevelPolygon& part : inner)
        for (const DVec3& corner : part)
            EXPECT_TRUE(corner.y < 50 + 1e-9 || corner.y > 70 - 1e-9) << corner.y;
    // one that only touches covers as well
    EXPECT_NEAR(area(Rooms(box({0, 50, 0}, {20, 70, 128})).parts(wall_brush, {1, 0, 0})), (128 - 20) * 128,
                1e-6);
}

TEST(BareFaces, ClipAndDetailCoverNothing) {
    EXPECT_TRUE(
        Rooms(box({-8, 50, 0}, {20, 70, 128}, "clip 0 0 0 1 1")).parts(wall_brush, {1, 0, 0}).empty());
    EXPECT_TRUE(Rooms(box({-8, 50, 0}, {20, 70, 128}, "wall 0 0 0 1 1 134217728 0 0"))
                    .parts(wall_brush, {1, 0, 0})
                    .empty());
}

TEST(BareFaces, ATextureGoesOnAsBefore) {
    const Rooms rooms(brush({plane_at({1, 0.2, 0.1}, 90), plane_at({-1, 0, 0}, -30), plane_at({0, 1, 0}, 80),
                             plane_at({0, -1, 0}, -30), plane_at({0, 0, 1}, 70), plane_at({0, 0, -1}, 8)},
                            "stone 3 5 30 0.7 1.3"));
    const LevelBrush& stone = rooms.brush(rooms.last());
    for (const LevelFace& face : stone.faces) {
        const FaceTexture texture(stone, face);
        DVec3 middle{};
        std::array<double, 2> expected{};
        for (std::size_t k = 0; k < face.corners.size(); ++k) {
            const DVec3 corner = stone.vertices[face.corners[k]];
            for (std::size_t i = 0; i < 2; ++i) {
                EXPECT_NEAR(texture.at(corner)[i], face.coordinates[k][i], 1e-6);
                expected[i] += face.coordinates[k][i] / static_cast<double>(face.corners.size());
            }
            middle += corner / static_cast<double>(face.corners.size());
        }
        for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(texture.at(middle)[i], expected[i], 1e-6);
    }
}

TEST(BareFaces, ALevelIsDrawnWithoutWhatIsCovered) {
    RecordingBackend backend(false);
    MeshStore meshes(backend);
    const Rooms rooms(box({40, 40, -8}, {60, 60, 64}, "post 0 0 0 1 1"));
    AppearanceLevel shown;
    shown.level = rooms.compiled;
    shown.scale = 1 / 32.0f;
    const LevelView view(shown, meshes);
    Bounds post;
    for (const LevelView::Part& part : view.parts())
        if (rooms.compiled->level.materials[part.material] == "post") post.add(part.bounds);
    EXPECT_NEAR(post.low.y, 0, 1e-6); // its foot is in the floor
    EXPECT_NEAR(post.high.y, 2, 1e-6);
}

TEST(BareFaces, WhatIsNotDrawnCoversNothing) {
    const auto indices_of_room = [](const std::string& more) {
        RecordingBackend backend(false);
        MeshStore meshes(backend);
        const Rooms rooms(more);
        AppearanceLevel shown;
        shown.level = rooms.compiled;
        shown.scale = 1 / 32.0f;
        const LevelView view(shown, meshes);
        std::uint32_t count = 0;
        for (const LevelView::Part& part : view.parts())
            if (rooms.compiled->level.materials[part.material] == "wall")
                count += meshes.range(part.mesh).index_count;
        return count;
    };
    const std::uint32_t alone = indices_of_room("");
    EXPECT_GT(alone, 0u);
    // a post on the floor, and one that is not seen: through it one sees the floor
    EXPECT_GT(indices_of_room(box({40, 40, 0}, {60, 60, 64}, "post 0 0 0 1 1")), alone);
    EXPECT_EQ(indices_of_room(box({40, 40, 0}, {60, 60, 64}, "common/caulk 0 0 0 1 1")), alone);
}

} // namespace
} // namespace scree::render
