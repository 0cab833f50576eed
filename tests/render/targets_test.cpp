// SPDX-License-Identifier: MIT
// targets_test.cpp — textures that a picture is drawn into, where there is no memory for all of them.
#include "render/targets.h"

#include "render/recording_backend.h"
#include "scree/error.h"

#include <gtest/gtest.h>

namespace scree::render {
namespace {

/// Counts the textures that are there, and has memory for so many.
struct FullBackend : RecordingBackend {
    TextureId do_create_texture(const TextureDef& texture) override {
        if (alive == room) throw Error("there is no memory");
        ++alive;
        return RecordingBackend::do_create_texture(texture);
    }
    using RecordingBackend::do_destroy;
    void do_destroy(TextureId texture) override {
        --alive;
        RecordingBackend::do_destroy(texture);
    }
    int alive = 0, room = 1000;
};

TEST(FrameTargets, LayersThatThereIsNoMemoryForAreNoneAndDoNotGrow) {
    FullBackend backend;
    FrameTargets targets(backend);
    targets.prepare(64, 48, 4);
    const int before = backend.alive;
    backend.room = before + 3; // layers are four
    for (int picture = 0; picture < 3; ++picture) {
        EXPECT_THROW(targets.need_layers(), Error);
        EXPECT_EQ(backend.alive, before);
        EXPECT_FALSE(targets.layers.value);
        targets.need_mask(); // what there is memory for is made
        EXPECT_EQ(backend.alive, before + 1);
        backend.room = before + 2;
        targets.prepare(64, 49 + picture, 4); // another size gives all back
        EXPECT_EQ(backend.alive, before);
    }
    backend.room = 1000;
    targets.need_layers();
    EXPECT_EQ(backend.alive, before + 4);
    EXPECT_TRUE(targets.layers.value);
}

} // namespace
} // namespace scree::render
