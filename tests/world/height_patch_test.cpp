// SPDX-License-Identifier: MIT
// height_patch_test.cpp — height fields that change in a rectangle: the same as made anew, and only what is near notices.

#include "geometry/mesh_geometry.h"
#include "scree/rollback.h"
#include "scree/world.h"
#include "support/refused.h"
#include "support/rigid_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace scree::test {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

HeightField level(std::uint32_t columns, std::uint32_t rows, float spacing) {
    HeightField field{.columns = columns, .rows = rows, .spacing = spacing};
    field.heights.assign(std::size_t{columns} * rows, 0.0f);
    return field;
}

HeightPatch patch_of(std::uint32_t column, std::uint32_t row, std::uint32_t columns, std::uint32_t rows,
                     float height) {
    HeightPatch patch{column, row, columns, rows, {}};
    patch.heights.assign(std::size_t{columns} * rows, height);
    return patch;
}

TEST(HeightPatches, GiveTheBitsOfAFieldMadeAnew) {
    Dice dice(11);
    HeightField field = level(23, 17, 0.4f);
    for (float& height : field.heights) height = static_cast<float>(dice.between(0, 1));
    field.heights[60] = not_a_number;
    Mesh mesh = Mesh::from_heights(field, {.two_sided = true}).scaled({1, 2, 3});
    int holes = 0;
    for (int k = 0; k < 300; ++k) {
        HeightPatch patch;
        patch.column = static_cast<std::uint32_t>(dice.between(0, 22.99));
        patch.row = static_cast<std::uint32_t>(dice.between(0, 16.99));
        patch.columns = std::min(field.columns - patch.column, 1 + static_cast<std::uint32_t>(k) % 5);
        patch.rows = std::min(field.rows - patch.row, 1 + static_cast<std::uint32_t>(k) % 3);
        for (std::uint32_t i = 0; i < patch.columns * patch.rows; ++i)
            patch.heights.push_back(k % 20 == 0 && i == 0 ? not_a_number
                                                          : static_cast<float>(dice.between(0, 1)));
        mesh = mesh.with_heights(patch);
        for (std::uint32_t row = 0; row < patch.rows; ++row)
            for (std::uint32_t column = 0; column < patch.columns; ++column)
                field.heights[(patch.row + row) * field.columns + patch.column + column] =
                    patch.heights[row * patch.columns + column];
        const Mesh anew = Mesh::from_heights(field, {.two_sided = true});
        ASSERT_EQ(mesh.geometry().words, anew.geometry().words) << k;
        ASSERT_EQ(mesh.dropped(), anew.dropped()) << k;
        holes += anew.dropped() > 0;
    }
    EXPECT_GT(holes, 0);
    EXPECT_EQ(mesh.scale(), (Vec3{1, 2, 3}));
    EXPECT_EQ(mesh.height_field()->heights.size(), field.heights.size());
}

TEST(HeightPatches, RefuseWhatDoesNotFit) {
    World world;
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    const ShapeId shape = world.attach(ground, Mesh::from_heights(level(5, 4, 1)));
    const std::uint64_t before = world.hash();
    const auto place = [&](const HeightPatch& patch) {
        return error_place([&] { world.set_heights(shape, patch); });
    };
    EXPECT_EQ(place(patch_of(5, 0, 1, 1, 0)), "columns");
    EXPECT_EQ(place(patch_of(3, 0, 3, 1, 0)), "columns");
    EXPECT_EQ(place(patch_of(0, 0, 0, 1, 0)), "columns");
    EXPECT_EQ(place(patch_of(4000000000u, 0, 4000000000u, 0, 0)), "columns");
    EXPECT_EQ(place(patch_of(0, 2, 1, 3, 0)), "rows");
    EXPECT_EQ(place({0, 0, 2, 2, {0, 0, 0}}), "heights");
    EXPECT_EQ(place({0, 0, 2, 1, {0, INFINITY}}), "heights[1]");
    EXPECT_EQ(place({0, 0, 5, 4, std::vector<float>(20, not_a_number)}), "indices"); // no triangle is left
    const ShapeId box = world.attach(ground, Box{});
    EXPECT_EQ(error_place([&] { world.set_heights(box, patch_of(0, 0, 1, 1, 0)); }), "shape");
    const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    const std::uint32_t one[] = {0, 2, 1};
    const Mesh triangle = Mesh::from_triangles(corners, one);
    EXPECT_EQ(triangle.height_field(), nullptr);
    EXPECT_EQ(error_place([&] { (void)triangle.with_heights(patch_of(0, 0, 1, 1, 0)); }), "mesh");
    EXPECT_EQ(error_place([&] { (void)Mesh().with_heights(patch_of(0, 0, 1, 1, 0)); }), "mesh");
    world.destroy(box);
    EXPECT_EQ(world.hash(), before);
}

/// Sleeping boxes in a row on a field of 21 points along x, 1 m apart.
struct Sleepers {
    explicit Sleepers(const std::string& device) : world({}, on_device(device)) {
        const BodyId ground = world.create_body({.type = BodyType::fixed});
        shape = world.attach(ground, Mesh::from_heights(level(21, 9, 1)));
        for (int k = 0; k < 7; ++k)
            boxes.push_back(
                add(world, Box{0.2f, 0.2f, 0.2f}, {3.0f * static_cast<float>(k) - 9, 0.2f, 0.3f}));
        slept = steps_until_asleep(world, 5) >= 0;
    }
    World world;
    ShapeId shape;
    std::vector<BodyId> boxes;
    bool slept = false;
};

TEST(HeightPatches, DoNotWakeWhatTheBoundsOfTheFieldReachNow) {
    for (const std::string& device : all_devices()) {
        World world({}, on_device(device));
        const ShapeId shape =
            world.attach(world.create_body({.type = BodyType::fixed}), Mesh::from_heights(level(21, 21, 1)));
        const BodyId hangs = add(world, Sphere{0.5f}, {8, 3, 8});
        world.put_to_sleep(hangs);
        run_steps(world, 2);
        world.set_heights(shape, patch_of(1, 1, 2, 2, 5)); // at the other corner
        run_steps(world, 2);
        EXPECT_TRUE(world.state(hangs).asleep) << device;
    }
}

TEST(HeightPatches, WakeWhatIsNearAndNothingElse) {
    for (const std::string& device : all_devices()) {
        Sleepers scene(device);
        ASSERT_TRUE(scene.slept) << device;
        // a pit under the middle one: columns 9 to 11 are x = -1 to 1
        scene.world.set_heights(scene.shape, patch_of(9, 3, 3, 3, -1));
        scene.world.step(frame);
        for (std::size_t k = 0; k < scene.boxes.size(); ++k)
            EXPECT_EQ(scene.world.state(scene.boxes[k]).asleep, k != 3) << device << " box " << k;
        run_for(scene.world, 3);
        EXPECT_NEAR(height(scene.world, scene.boxes[3]), -0.8, 0.01) << device;
        // and up again, with the box
        scene.world.set_heights(scene.shape, patch_of(9, 3, 3, 3, -0.9f));
        run_for(scene.world, 3);
        EXPECT_NEAR(height(scene.world, scene.boxes[3]), -0.7, 0.01) << device;
        for (const std::size_t k : {0u, 1u, 2u, 4u, 5u, 6u})
            EXPECT_TRUE(scene.world.state(scene.boxes[k]).asleep) << device << " box " << k;
        // beyond the bounds that the mesh had: rays see it
        scene.world.set_heights(scene.shape, patch_of(1, 1, 1, 1, 7));
        const auto hit = scene.world.cast_ray({.origin = {-9, 10, -3}, .translation = {0, -20, 0}});
        ASSERT_TRUE(hit) << device;
        EXPECT_NEAR(hit->point.y, 7, 1e-4) << device;
    }
}

TEST(HeightPatches, AreTheSameOnEveryDeviceAndInEverySnapshot) {
    std::optional<std::vector<std::uint64_t>> first;
    for (const std::string& device : all_devices()) {
        WorldSettings settings;
        World world(settings, on_device(device));
        const BodyId ground = world.create_body({.type = BodyType::fixed});
        const ShapeId shape = world.attach(ground, Mesh::from_heights(level(33, 33, 0.4f)));
        add_pile(world, Kind::mixed, 24);
        std::vector<std::uint64_t> hashes;
        Dice dice(3);
        for (int k = 0; k < 60; ++k) {
            HeightPatch patch = patch_of(static_cast<std::uint32_t>(dice.between(0, 28)),
                                         static_cast<std::uint32_t>(dice.between(0, 28)), 4, 3, 0);
            for (float& height : patch.heights) height = static_cast<float>(dice.between(-0.4, 0.4));
            if (k % 3 == 0) world.set_heights(shape, patch);
            if (k == 30) {
                // restored, cloned and rolled back it goes on alike
                World restored = World::restore(world.save(), on_device(device));
                EXPECT_EQ(restored.hash(), world.hash()) << device;
                World copy = world.clone();
                restored.set_heights(shape, patch);
                copy.set_heights(shape, patch);
                const auto expected = hashes_of(copy, 20, 5);
                EXPECT_EQ(hashes_of(restored, 20, 5), expected) << device;
                world.set_heights(shape, patch);
            }
            run_steps(world, 4);
            hashes.push_back(world.hash());
        }
        if (!first) first = hashes;
        EXPECT_EQ(hashes, *first) << device;
    }
}

TEST(HeightPatches, SnapshotsOfFieldsAreSmall) {
    World world;
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    HeightField field = level(65, 65, 1);
    field.heights[7] = not_a_number;
    const ShapeId shape = world.attach(ground, Mesh::from_heights(field));
    const auto bytes = world.save();
    EXPECT_LT(bytes.size(), 4 * field.heights.size() + 4000);
    World restored = World::restore(bytes);
    const Mesh mesh = std::get<Mesh>(restored.geometry(shape));
    ASSERT_NE(mesh.height_field(), nullptr);
    EXPECT_TRUE(std::isnan(mesh.height_field()->heights[7]));
    EXPECT_EQ(mesh.geometry().words, std::get<Mesh>(world.geometry(shape)).geometry().words);
}

} // namespace
} // namespace scree::test
