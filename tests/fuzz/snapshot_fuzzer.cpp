// SPDX-License-Identifier: MIT
// snapshot_fuzzer.cpp — any bytes given to World::restore end in an Error, and then the world that was to be replaced
// is as before, or in a world that can be stepped.
//
// Length and checksum are put right before restoring, since a fuzzer would hardly ever get past them by chance; what
// lies behind them must hold against a snapshot that was made on purpose.

#include "bytes/checksum.h"
#include "fuzz/foreign_world.h"
#include "scree/error.h"
#include "scree/world.h"

#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace {

using namespace scree;

constexpr std::size_t header_bytes = 32; // length at 16, checksum at 24; src/world/snapshot.h

std::vector<std::byte> with_right_header(std::vector<std::byte> bytes) {
    if (bytes.size() < header_bytes) return bytes;
    const std::size_t length = bytes.size() - header_bytes;
    const std::uint64_t sum =
        bytes::checksum({reinterpret_cast<const std::uint8_t*>(bytes.data()) + header_bytes, length});
    for (std::size_t i = 0; i < 8; ++i) {
        bytes[16 + i] = static_cast<std::byte>(std::uint64_t{length} >> (8 * i));
        bytes[24 + i] = static_cast<std::byte>(sum >> (8 * i));
    }
    return bytes;
}

World ball_on_plane() {
    World world({}, {{.threads = 1}});
    world.attach(world.create_body({.type = BodyType::fixed}), Plane{});
    world.attach(world.create_body({.position = {0, 0.5f, 0}, .velocity = {1, 0, 0}}), Sphere{});
    world.step(1 / 60.0f);
    return world;
}

bool restored(World& world, std::span<const std::byte> bytes) {
    try {
        world = World::restore(bytes, {{.threads = 1}});
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    const std::vector<std::byte> bytes(first, first + size);
    World world = ball_on_plane();
    const std::uint64_t before = world.hash();
    if (!restored(world, bytes) && !restored(world, with_right_header(bytes)) && world.hash() != before)
        std::abort();

    // whichever world it is now
    world.change_settings(with_little_work(world.settings()));
    for (int step = 0; step < 2; ++step) world.step(1 / 60.0f);
    look_at(world);
    World::restore(world.save(), {{.threads = 1}});
    return 0;
}
