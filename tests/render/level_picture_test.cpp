// SPDX-License-Identifier: MIT
// level_picture_test.cpp — pictures of levels: the same with portals, with the frustum alone and without culling.
#include "level/map_texts.h"
#include "render/level_view.h"
#include "render/recording_backend.h"
#include "render/shared_corners.h"
#include "render/stage.h"
#include "scene/run.h"
#include "scree/level_cells.h"
#include "scree/recording.h"
#include "scree/scene.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace scree::render {
namespace {

using namespace testing;
using namespace scree::testing;

/// Three rooms by two with a pillar and a slanted stone in them, a light that casts shadows, and balls.
struct LevelStage {
    explicit LevelStage(const std::vector<Vec3>& balls, int columns = 3, int rows = 2, bool lit = true) {
        const std::string inside =
            box({56, 30, 0}, {72, 46, 128}, "stone 0 0 0 1 1") +
            brush({plane_at({1, 0, 0.5}, 280), plane_at({-1, 0.2, 0}, -190), plane_at({0, 1, 0}, 120),
                   plane_at({0, -1, 0}, -20), plane_at({0, 0, -1}, 0), plane_at({0.1, 0, 1}, 60)},
                  "wood 0 0 0 1 1");
        show(world(room_grid(columns, rows) + inside), balls, lit);
    }
    /// A map, by day.
    LevelStage(const std::string& map, const std::vector<Vec3>& balls, GlChoice choice = GlChoice::automatic,
               bool lit = false)
        : stage(112, 72, choice) {
        show(map, balls, lit);
    }

    void show(const std::string& map, const std::vector<Vec3>& balls, bool lit) {
        level = std::make_shared<CompiledLevel>(compile_level(parse_map(map, "rooms")));
        auto look = std::make_shared<Appearance>();
        look->shapes = {appearance_of("rooms", {}), appearance_of("ball", {{Sphere{0.4f}, {}, {}}})};
        look->bodies.push_back({.shape = 0, .type = BodyType::fixed});
        look->bodies.resize(1 + balls.size(), {.shape = 1});
        look->body_count = static_cast<std::uint32_t>(look->bodies.size());
        look->ground.shown = false;
        std::vector<Paint> paints(level->level.materials.size());
        for (std::size_t i = 0; i < paints.size(); ++i) {
            paints[i].colour = Vec3{0.9f, 0.8f - 0.2f * static_cast<float>(i), 0.6f};
            paints[i].texture = i == 0 ? "bricks" : "stone";
        }
        look->levels.push_back({0, level, level_scale, paints, {}});
        if (lit) {
            look->lights.push_back({.direction = {0.3f, 1, 0.2f}});
            look->lights.push_back(
                {.position = narrow(from_map({190, 60, 100})), .colour = {1, 0.9f, 0.7f}, .range = 8});
        }
        frame.appearance = look;
        frame.resize(look->bodies.size());
        for (std::size_t b = 0; b < frame.size(); ++b)
            frame.set_pose(b, {b == 0 ? Vec3{} : balls[b - 1], {}});
        model.update(frame);
        model.light(stage.settings.sky);
        stage.settings.shadow_size = 256;
        stage.settings.cascades = 2;
    }

    Image picture(const Camera& camera, Visibility visibility) {
        stage.settings.visibility = visibility;
        return stage.picture(camera);
    }
    /// From a place of the map, towards a direction of the map.
    Camera at(DVec3 eye, DVec3 forward) const {
        Camera camera = looking(narrow(from_map(eye)), narrow(from_map(eye + 32.0 * normalized(forward))));
        camera.near_plane = 0.03f;
        camera.fov_y = 1.1f;
        return camera;
    }
    const FrameCounters& counters() const { return stage.renderer.counters(); }

    Stage stage{112, 72};
    WorldModel model{stage.renderer};
    std::shared_ptr<CompiledLevel> level;
    Frame frame;
};

TEST(LevelPicture, CulledOnTheGpuIsThatOfTheCpu) {
    LevelStage rooms({{2, 0.4f, 2}, {6.5f, 1.2f, 2.5f}, {3, 0.4f, 6}});
    if (!rooms.stage.backend->computes()) GTEST_SKIP() << "no compute shaders";
    // from within a room, through a door, and from above all of them
    for (const Camera& inside :
         {rooms.at({30, 64, 60}, {1, 0.1, -0.1}), rooms.at({190, 100, 90}, {-0.4, -1, -0.4}),
          rooms.at({500, -300, 500}, {-0.6, 0.7, -0.9})}) {
        const auto drawn = [&](Culling culling) {
            rooms.stage.renderer.choose(culling);
            rooms.model.update(rooms.frame);
            Camera camera = inside;
            fit_planes(camera, rooms.stage.renderer.measure_bounds());
            const Image image = rooms.picture(camera, Visibility::portals);
            EXPECT_EQ(rooms.counters().on_gpu, culling == Culling::gpu);
            return image;
        };
        const Image cpu = drawn(Culling::cpu);
        EXPECT_LE(difference(cpu, drawn(Culling::gpu)).largest, 1);
        EXPECT_LE(difference(cpu, drawn(Culling::gpu)).largest, 1);
    }
}

TEST(LevelPicture, GoingToAndFroInARecordingMakesNoMoreMeshes) {
    const TemporaryFolder folder;
    const std::string file = folder.file("rooms.rec");
    RecordingWriter writer(file, {});
    Appearance look;
    look.shapes = {appearance_of("rooms", {})};
    look.bodies.push_back({.shape = 0, .type = BodyType::fixed});
    look.body_count = 1;
    look.levels.push_back(
        {0,
         std::make_shared<CompiledLevel>(compile_level(parse_map(world(room_grid(2, 1)), "rooms"))),
         level_scale,
         {},
         {}});
    for (const char* title : {"by day", "by night"}) {
        Frame frame;
        look.title = title;
        frame.appearance = std::make_shared<Appearance>(look);
        frame.resize(1);
        frame.set_pose(0, {});
        frame.step = look.title == "by day" ? 0 : 1;
        writer.add_frame(frame, 0);
    }
    writer.finish();
    RecordingReader reader(file);
    RecordingBackend backend(false);
    Renderer renderer(backend);
    WorldModel model(renderer);
    std::vector<std::size_t> bytes;
    for (const std::size_t k : {0u, 1u, 0u, 1u}) {
        const Frame frame = reader.read(k);
        model.update(frame);
        bytes.push_back(renderer.meshes().bytes());
    }
    EXPECT_GT(bytes[0], 0u);
    EXPECT_EQ(bytes, std::vector<std::size_t>(4, bytes[0]));
}

Vec3 place(double x, double y, double z) { return narrow(from_map({x, y, z})); }

TEST(LevelPicture, WithPortalsIsThePictureWithoutCulling) {
    LevelStage rooms({place(64, 90, 14), place(136, 64, 14), place(350, 200, 40), place(230, 40, 70),
                      place(208, 208, 100), place(60, 210, 13)});
    std::vector<Camera> path;
    for (int i = 0; i < 5; ++i) { // through the doors of the first row
        const double x = 20 + 80.0 * i;
        path.push_back(rooms.at({x, 64, 60 + 2.0 * i}, {1, 0.6 * std::sin(1.7 * i), 0.1 * (i % 3) - 0.1}));
        path.push_back(rooms.at({x, 64, 60}, {-1, 0.9 * std::cos(2.3 * i), -0.2}));
    }
    const std::size_t in_rooms = path.size();
    std::size_t inner = 0;
    for (const LevelCells::Portal& portal : rooms.level->cells.portals) { // in the portals' planes
        if (rooms.level->cells.cells[portal.from].outside || inner++ % 4 != 0) continue;
        DVec3 middle{};
        for (const DVec3& corner : portal.corners)
            middle += corner / static_cast<double>(portal.corners.size());
        path.push_back(rooms.at(middle, DVec3{0.3, 0.2, 0.1} - portal.normal));
        path.push_back(rooms.at(middle, cross(portal.normal, DVec3{0.1, 0.2, 1}) + 0.1 * portal.normal));
    }
    path.push_back(rooms.at({-8, 64, 64}, {1, 0.2, 0}));     // within a wall
    path.push_back(rooms.at({127.9, 20, 64}, {1, 0.2, 0}));  // with the near plane in it
    path.push_back(rooms.at({-300, -200, 500}, {1, 1, -1})); // from far outside
    std::uint64_t by_portals = 0, in_frustum = 0, all = 0, located = 0;
    for (const Camera& camera : path) {
        // from within the plane of a wall one of four samples may fall between two edges that are one line there
        rooms.stage.settings.samples = &camera < path.data() + in_rooms ? 4 : 1;
        const Image none = rooms.picture(camera, Visibility::none);
        all += rooms.counters().surfaces.triangles;
        const Image frustum = rooms.picture(camera, Visibility::frustum);
        in_frustum += rooms.counters().surfaces.triangles;
        EXPECT_EQ(rooms.counters().cells, 0u);
        const Image portals = rooms.picture(camera, Visibility::portals);
        by_portals += rooms.counters().surfaces.triangles;
        located += rooms.counters().cells > 0;
        EXPECT_TRUE(none.rgba == frustum.rgba) << "camera " << &camera - path.data();
        EXPECT_TRUE(none.rgba == portals.rgba) << "camera " << &camera - path.data();
    }
    EXPECT_EQ(located, path.size() - 3);
    EXPECT_LT(in_frustum, all);
    EXPECT_LT(by_portals, in_frustum);
}

TEST(LevelPicture, OnlyWhatIsSeenIsDrawnAndOnce) {
    // one in the door between two rooms, one in the last room behind walls
    LevelStage rooms({place(136, 64, 20), place(350, 208, 20)});
    const Camera camera = rooms.at({20, 64, 60}, {1, 0, -0.1});
    rooms.picture(camera, Visibility::portals);
    const FrameCounters portals = rooms.counters();
    rooms.picture(camera, Visibility::none);
    EXPECT_GT(portals.cells, 1u);
    EXPECT_LT(portals.cells, portals.all_cells);
    EXPECT_GT(portals.portals, 0u);
    // one ball of two
    std::uint32_t parts = 0;
    for (const LevelView* level : rooms.stage.renderer.levels())
        for (std::uint32_t p = 0; p < level->parts().size(); ++p) parts += level->seen(p).count > 0;
    EXPECT_EQ(portals.visible, parts + 1);
    EXPECT_EQ(portals.surfaces.instances, parts + 1);
    // no face twice, though the floor is in many cells
    std::set<std::uint32_t> first;
    std::uint32_t drawn = 0, all = 0;
    for (const LevelView* level : rooms.stage.renderer.levels())
        for (std::uint32_t p = 0; p < level->parts().size(); ++p) {
            const IndexRange part = level->seen(p);
            const std::uint32_t whole =
                rooms.stage.renderer.meshes().range(level->parts()[p].mesh).index_count;
            EXPECT_LE(part.count, whole);
            drawn += part.count, all += whole;
            EXPECT_TRUE(part.count == 0 || first.insert(part.first).second);
        }
    EXPECT_LT(2 * drawn, all);
}

TEST(LevelPicture, WhatIsNotSeenCastsIntoView) {
    // the light is in the second room; the ball hides beside its door and the shadow falls through it
    const auto picture = [](const std::vector<Vec3>& balls, Visibility visibility) {
        LevelStage rooms(balls);
        const Image image = rooms.picture(rooms.at({20, 120, 60}, {0.25, -1, -0.35}), visibility);
        return std::pair(image, rooms.counters().visible);
    };
    const Vec3 hidden = place(168, 62, 84);
    const auto with = picture({hidden}, Visibility::portals), without = picture({}, Visibility::portals);
    EXPECT_EQ(with.second, without.second); // it is not drawn
    EXPECT_FALSE(with.first.rgba == without.first.rgba);
    EXPECT_TRUE(with.first.rgba == picture({hidden}, Visibility::none).first.rgba);
}

/// Two rooms behind each other, without a door.
std::string two_rooms(const std::string& wall, const std::string& ceiling, const std::string& more = "") {
    return world(
        box({-16, -16, -16}, {416, 272, 0}) + box({-16, -16, 0}, {0, 272, 144}) +
        box({0, -16, 0}, {416, 0, 144}) + box({0, 256, 0}, {416, 272, 144}) +
        box({400, 0, 0}, {416, 256, 144}) + box({0, 0, 128}, {256, 256, 144}, ceiling + " 0 0 0 1 1") +
        box({256, 0, 0}, {272, 256, 144}, wall + " 0 0 0 1 1") + box({272, 0, 128}, {400, 256, 144}) + more);
}
const Vec3 in_second_room = place(340, 128, 64);

TEST(LevelPicture, AWallOfCaulkIsNotDrawnAndHidesNothing) {
    const std::string clip = box({90, 100, 0}, {100, 156, 100}, "common/playerclip 0 0 0 1 1");
    const auto pictures = [&](const std::string& wall, const std::vector<Vec3>& balls) {
        LevelStage rooms(two_rooms(wall, "wall", clip), balls);
        const Camera camera = rooms.at({20, 128, 64}, {1, 0.05, 0});
        std::vector<Image> all;
        for (const Visibility visibility : {Visibility::none, Visibility::frustum, Visibility::portals})
            all.push_back(rooms.picture(camera, visibility));
        EXPECT_GT(rooms.counters().cells, 0u);
        EXPECT_TRUE(all[0].rgba == all[1].rgba);
        EXPECT_TRUE(all[0].rgba == all[2].rgba);
        if (rooms.stage.backend->computes()) rooms.stage.renderer.choose(Culling::gpu);
        return std::array{all[2], rooms.picture(camera, Visibility::portals)};
    };
    for (const char* wall : {"common/caulk", "skip_", "nodraw"}) {
        const bool hides = wall == std::string("skip_");
        const auto with = pictures(wall, {in_second_room}), without = pictures(wall, {});
        EXPECT_EQ(with[0].rgba == without[0].rgba, hides) << wall;
        EXPECT_EQ(with[1].rgba == without[1].rgba, hides) << wall << ", culled on the GPU";
    }
}

TEST(LevelPicture, WithCaulkAmongTheWallsOfManyRoomsNothingIsLeftOut) {
    std::string map = world(room_grid(3, 3));
    std::size_t number = 0;
    for (std::size_t at = map.find("wall"); at != std::string::npos; at = map.find("wall", at + 1))
        if (++number % 5 == 0) map.replace(at, 4, "caulk");
    LevelStage rooms(map, {place(350, 200, 40), place(64, 350, 40)}, GlChoice::automatic, true);
    for (int i = 0; i < 8; ++i) {
        const Camera camera =
            rooms.at({20 + 50.0 * i, 64.0 + 144 * (i % 3), 60}, {std::cos(2.1 * i), std::sin(2.1 * i), 0.1});
        const Image all = rooms.picture(camera, Visibility::none);
        EXPECT_TRUE(all.rgba == rooms.picture(camera, Visibility::portals).rgba) << i;
        EXPECT_GT(rooms.counters().cells, 0u) << i;
    }
}

TEST(LevelPicture, WithUndrawnWallsClosedLessIsDrawnAndThereAreHoles) {
    const auto pictures = [](const std::string& wall) {
        LevelStage rooms(two_rooms(wall, "wall"), {in_second_room});
        const Camera camera = rooms.at({20, 128, 64}, {1, 0.05, 0});
        const Image open = rooms.picture(camera, Visibility::portals);
        const std::uint32_t cells = rooms.counters().cells;
        const Image closed = rooms.picture(camera, Visibility::closed);
        return std::tuple(open.rgba == closed.rgba, cells, rooms.counters().cells);
    };
    const auto [same, open, closed] = pictures("common/caulk");
    EXPECT_FALSE(same);
    EXPECT_LT(closed, open);
    const auto [brick_same, brick_open, brick_closed] = pictures("brick");
    EXPECT_TRUE(brick_same);
    EXPECT_EQ(brick_closed, brick_open);
}

/// How bright the floor of the first room is under the sun.
int floor_of(const std::string& ceiling, GlChoice choice = GlChoice::automatic) {
    LevelStage rooms(two_rooms("wall", ceiling), {}, choice);
    const Camera camera = rooms.at({20, 128, 64}, {1, 0, -0.4});
    const Image image = rooms.picture(camera, Visibility::portals);
    const auto [x, y] = place_of(camera, image, place(150, 128, 0));
    return brightness(image, x, y);
}

TEST(LevelPicture, CaulkAboveThrowsAShadowThatClipAndSkyDoNot) {
    const int dark = floor_of("wall");
    EXPECT_NEAR(floor_of("common/caulk"), dark, 3);
    EXPECT_GT(floor_of("common/clip"), dark + 20);
    EXPECT_GT(floor_of("sky1"), dark + 20);
}

TEST(LevelPicture, SkyHidesTheRoomBehindItAndShowsTheBackground) {
    for (const GlChoice choice : {GlChoice::automatic, GlChoice::gles}) {
        const auto picture = [&](const std::vector<Vec3>& balls, Visibility visibility) {
            LevelStage rooms(two_rooms("skies/nitesky", "sky1"), balls, choice);
            return rooms.picture(rooms.at({20, 128, 64}, {1, 0.05, 0.2}), visibility);
        };
        const Image none = picture({in_second_room}, Visibility::none);
        EXPECT_TRUE(none.rgba == picture({}, Visibility::none).rgba);
        EXPECT_TRUE(none.rgba == picture({in_second_room}, Visibility::portals).rgba);
        Stage empty(112, 72, choice);
        LevelStage rooms(two_rooms("wall", "wall"), {}, choice);
        empty.settings.sky = rooms.stage.settings.sky;
        const Image sky = empty.picture(rooms.at({20, 128, 64}, {1, 0.05, 0.2}));
        for (const int y : {5, 20, 35, 40})
            for (std::size_t c = 0; c < 3; ++c)
                EXPECT_NEAR(int{none.pixel(56, y)[c]}, int{sky.pixel(56, y)[c]}, 1) << y;
    }
}

TEST(LevelPicture, FromOutsideOneLooksThroughTheSkyIntoTheLevel) {
    const auto picture = [&](const std::vector<Vec3>& balls, Visibility visibility) {
        LevelStage rooms(two_rooms("wall", "sky1"), balls);
        return rooms.picture(rooms.at({128, 100, 170}, {0, 0.1, -1}), visibility);
    };
    const Vec3 ball = place(128, 128, 40);
    const Image with = picture({ball}, Visibility::portals);
    EXPECT_FALSE(with.rgba == picture({}, Visibility::portals).rgba);
    EXPECT_TRUE(with.rgba == picture({ball}, Visibility::none).rgba);
}

TEST(LevelPicture, EdgesAreDividedWhereCornersTouchThem) {
    SharedCorners corners;
    const std::uint32_t a = corners.add({0, 0, 0}), b = corners.add({900, 300, 0}),
                        far = corners.add({600, 200, 0}), near = corners.add({3, 1, 1e-6});
    corners.add({300, 100, 0.01});               // beside it
    EXPECT_EQ(corners.add({900, 300, 1e-7}), b); // the same place
    EXPECT_EQ(corners.between(a, b), (std::vector<std::uint32_t>{near, far}));
    EXPECT_EQ(corners.between(b, a), (std::vector<std::uint32_t>{far, near}));
    EXPECT_TRUE(corners.between(far, b).empty());
    // the shell of a room has walls whose corners lie on the edges of others, so its meshes have more than a fan for each face
    LevelStage rooms({});
    std::size_t fans = 0;
    for (const LevelBrush& brush : rooms.level->level.brushes)
        for (const LevelFace& face : brush.faces) fans += 3 * (face.corners.size() - 2);
    EXPECT_GT(rooms.stage.renderer.levels().at(0)->index_count(), fans);
}

TEST(LevelPicture, TheCastleIsDrawnThroughPortals) {
    const auto run = start_scene(find_scene("castle"), Place());
    Stage stage(160, 90);
    WorldModel model(stage.renderer);
    Frame frame;
    run->show(frame);
    model.update(frame);
    model.light(stage.settings.sky);
    stage.settings.shadow_size = 256;
    stage.settings.cascades = 2;
    // in the hall, on the stairs and in the dungeon, as in its film
    for (const auto& [eye, target] : {std::pair(Vec3{0, 2, -19}, Vec3{-3, 4, -30}),
                                      std::pair(Vec3{9.5f, -6.5f, -20.5f}, Vec3{7, -7.5f, -19.3f}),
                                      std::pair(Vec3{6, -7.2f, -22.5f}, Vec3{-6, -7.4f, -25})}) {
        Camera camera = looking(eye, target);
        camera.near_plane = 0.03f;
        stage.settings.visibility = Visibility::none;
        const Image all = stage.picture(camera);
        stage.settings.visibility = Visibility::frustum;
        stage.picture(camera);
        const std::uint64_t in_frustum = stage.renderer.counters().surfaces.triangles;
        stage.settings.visibility = Visibility::portals;
        const Image portals = stage.picture(camera);
        EXPECT_GT(stage.renderer.counters().cells, 0u);
        EXPECT_LT(stage.renderer.counters().cells, stage.renderer.counters().all_cells);
        EXPECT_LT(stage.renderer.counters().surfaces.triangles, in_frustum);
        EXPECT_TRUE(all.rgba == portals.rgba);
    }
}

TEST(LevelPicture, TheCameraOfTheCastlesFilmFliesThroughItsRoomsAndNoWall) {
    const CameraPath film = load_camera_path(SCREE_SOURCE_DIR "/scenes/castle-film.txt", {});
    ASSERT_TRUE(film.moves());
    const CompiledLevel castle = compile_level(read_map(SCREE_SOURCE_DIR "/scenes/castle.map"));
    std::set<std::uint32_t> cells;
    double low = 100, way = 0;
    Vec3 before = film.at(0).eye;
    for (int i = 0; i <= 500; ++i) { // 25 s
        const Camera camera = film.at(i / 20.0);
        const double s = double{level_scale};
        const Vec3 eye = camera.eye;
        const std::uint32_t cell =
            castle.cells.cell_at({double{eye.x} / s, -double{eye.z} / s, double{eye.y} / s});
        EXPECT_NE(cell, LevelCells::solid)
            << "after " << i / 20.0 << " s at " << eye.x << ' ' << eye.y << ' ' << eye.z;
        if (cell == LevelCells::solid) continue;
        EXPECT_FALSE(castle.cells.cells[cell].outside) << "after " << i / 20.0 << " s";
        EXPECT_GT(length(camera.target - eye), 0.1f);
        cells.insert(cell);
        low = std::min(low, double{eye.y});
        way += double{length(eye - before)};
        before = eye;
    }
    EXPECT_GT(cells.size(), 10u);
    EXPECT_LT(low, -7); // in the dungeon
    EXPECT_GT(way, 60);
}

TEST(LevelPicture, FacesThatCanBeSeenThroughHideNothing) {
    LevelStage rooms({place(350, 208, 20)});
    auto glass = std::make_shared<Appearance>(*rooms.frame.appearance);
    for (Paint& paint : glass->levels[0].paints) paint.opacity = 0.3f;
    rooms.frame.appearance = glass;
    rooms.model.update(rooms.frame);
    const Camera camera = rooms.at({20, 64, 60}, {1, 0.4, 0});
    const Image portals = rooms.picture(camera, Visibility::portals);
    EXPECT_EQ(rooms.counters().cells, 0u);
    EXPECT_TRUE(portals.rgba == rooms.picture(camera, Visibility::none).rgba);
}

} // namespace
} // namespace scree::render
