// SPDX-License-Identifier: MIT
// seed4_transfer.cpp — lists to a device and states back, as a world sends them and in one call.
//
// A world on a device sends what changed before it is looked at: 320 bytes for a body, 128 for a shape, 144 for a joint
// (docs/internals/gpu.md). Rows of joints are made on the device, so what the dissertation sends as rows are joints here, six rows each.
#include "rigid/device_simulation.h"
#include "rigid/device_worlds.h"
#include "run_progress.h"
#include "seed4.h"
#include "stopwatch.h"
#include "text.h"
#include "world/state.h"

#include <algorithm>
#include <limits>

namespace scree::bench {

namespace {

constexpr int repeats = 5; // the fastest counts
constexpr std::uint32_t rows_of_joint = 6;

double ms_of(const std::function<void()>& run) {
    const Stopwatch clock;
    run();
    return clock.ms();
}

/// balls far enough from each other that nothing happens but what is sent
struct Balls {
    Balls(const std::string& device_name, std::uint32_t count)
        : world({.gravity = {}, .sleeping = false}, device_name) {
        for (std::uint32_t i = 0; i < count; ++i) {
            BodyDef def;
            def.position = {3.0f * static_cast<float>(i % 128), 3.0f * static_cast<float>(i / 128), 0};
            bodies.push_back(world.create_body(def));
            shapes.push_back(world.attach(bodies.back(), Sphere{1}));
        }
        step();
    }
    void step() {
        world.step(1 / 60.0f);
        device().finish();
    }
    Device& device() {
        return dynamic_cast<DeviceSimulation&>(*WorldInside::of(world).simulation).worlds().device();
    }
    void look() {
        static_cast<void>(world.device_state()); // what was changed goes over
        static_cast<void>(world.quarantined());  // and all comes back when a step changed it
        device().finish();
    }

    World world;
    std::vector<BodyId> bodies;
    std::vector<ShapeId> shapes;
};

/// what `send` moves and how long it takes; `before` is not timed
TransferRow timed(Balls& balls, bool down, const std::function<void()>& before,
                  const std::function<void()>& send, int times) {
    TransferRow row;
    row.ms = std::numeric_limits<double>::infinity();
    for (int i = 0; i < times; ++i) {
        before();
        const DeviceTraffic was = balls.device().traffic();
        const double ms = ms_of(send);
        if (ms >= row.ms) continue;
        const DeviceTraffic& now = balls.device().traffic();
        row.ms = ms;
        row.bytes = down ? now.downloaded - was.downloaded : now.uploaded - was.uploaded;
        row.calls = down ? now.downloads - was.downloads : now.uploads - was.uploads;
    }
    // the same bytes at once
    Device& device = balls.device();
    std::vector<std::byte> host(std::max<std::size_t>(row.bytes, 1));
    Buffer buffer = device.allocate(host.size());
    row.raw_ms = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repeats; ++i)
        row.raw_ms = std::min(row.raw_ms, ms_of([&] {
                                  if (down) device.download(host.data(), buffer, host.size());
                                  else device.upload(buffer, host.data(), host.size());
                                  device.finish();
                              }));
    device.release(buffer);
    return row;
}

TransferRow measure(const SeedTransfer& transfer, const std::string& device) {
    const bool rows = transfer.what == "rows";
    Balls balls(device, rows ? transfer.count / rows_of_joint + 1 : transfer.count);
    const auto look = [&] { balls.look(); };
    if (transfer.what == "bodies")
        return timed(
            balls, false,
            [&] {
                balls.look();
                for (const BodyId body : balls.bodies) balls.world.apply_force(body, {1, 0, 0});
            },
            look, repeats);
    if (transfer.what == "shapes") {
        float friction = 0.1f;
        return timed(
            balls, false,
            [&] {
                balls.look();
                Material material;
                material.friction = friction += 0.1f;
                for (const ShapeId shape : balls.shapes) balls.world.set_material(shape, material);
            },
            look, repeats);
    }
    if (transfer.what == "states") return timed(balls, true, [&] { balls.step(); }, look, repeats);
    // each is told of when it is made; a second time there would be twice as many
    return timed(
        balls, false, [&] { balls.look(); },
        [&] {
            for (std::size_t i = 1; i < balls.bodies.size(); ++i) {
                JointDef def;
                def.type = JointType::fixed;
                def.first = balls.bodies[i - 1];
                def.second = balls.bodies[i];
                balls.world.create_joint(def);
            }
            balls.look();
        },
        1);
}

} // namespace

int transfer_count(const Seed4Options& options) {
    const auto lists =
        std::count_if(seed_transfers().begin(), seed_transfers().end(),
                      [&](const SeedTransfer& transfer) { return transfer.count <= options.most; });
    const auto devices = std::count_if(options.devices.begin(), options.devices.end(),
                                       [](const std::string& name) { return name != "cpu"; });
    return static_cast<int>(lists * devices);
}

std::vector<TransferRow> run_transfers(const Seed4Options& options, RunProgress& progress) {
    std::vector<TransferRow> rows;
    for (const std::string& device : options.devices) {
        if (device == "cpu") continue;
        for (const SeedTransfer& transfer : seed_transfers()) {
            if (transfer.count > options.most) continue;
            progress.begin("transfer: " + count_text(transfer.count) + " " + std::string(transfer.what) +
                           ", " + device);
            rows.push_back(measure(transfer, device));
            TransferRow& row = rows.back();
            row.what = transfer.what == "rows" ? "rows (as joints)" : std::string(transfer.what);
            row.count = transfer.count;
            row.device = device;
            row.seed_ms = transfer.ms;
        }
    }
    return rows;
}

} // namespace scree::bench
