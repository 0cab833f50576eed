// SPDX-License-Identifier: MIT
// live_world.cpp — see live_world.h.
#include "live_world.h"

#include "bench_scene.h"
#include "device/device.h"
#include "scree/error.h"
#include "scree/granular.h"
#include "scree/granular_scene.h"
#include "scree/place.h"
#include "scree/scene.h"
#include "scree/world.h"

#include <algorithm>
#include <any>
#include <cmath>
#include <utility>

namespace scree::bench {

namespace {

template <class AnyWorld>
class LiveOf : public LiveWorld {
public:
    explicit LiveOf(AnyWorld world) : world_(std::move(world)) {}
    std::uint32_t body_count() const override { return world_.body_count(); }
    Appearance look() const override { return appearance_of(world_); }
    void show(Frame& frame) const override { scree::show(world_, frame); }
    void show_shared(SharedPoses& to, Frame& frame) const override { scree::show_shared(world_, to, frame); }

protected:
    AnyWorld world_;
};

class LiveBodies final : public LiveOf<World> {
public:
    using LiveOf::LiveOf;
    void step() override { world_.step(1 / 60.0f); }
    void read() const override { (void)world_.positions(); }
    bool begin_read() override {
        world_.begin_read();
        return true;
    }
    void end_read() override { (void)world_.end_read(); }
    std::uint64_t downloaded() const override { return world_.traffic().downloaded; }
};

class LiveGrains final : public LiveOf<GranularWorld> {
public:
    LiveGrains(const Scene& scene, const std::string& device)
        : LiveOf(build_world(scene, Place(device.c_str()))),
          steps_(std::max(1, static_cast<int>(std::lround(1 / (60 * time_step(scene)))))) {}
    void step() override {
        world_.step(steps_);
        world_.device().finish();
    }
    void read() const override { (void)world_.bodies(); }
    std::uint64_t downloaded() const override { return world_.device().traffic().downloaded; }

private:
    int steps_;
};

} // namespace

std::unique_ptr<LiveWorld> make_live_world(const std::string& name, std::optional<std::uint64_t> bodies,
                                           const std::string& device, const std::string& option) {
    const auto scenes = builtin_scenes();
    const bool built_in =
        std::any_of(scenes.begin(), scenes.end(), [&](const SceneInfo& scene) { return scene.name == name; });
    if (built_in) {
        SceneOptions options;
        options.bodies = bodies;
        if (const Scene scene = find_scene(name, options); scene.kind == "granular")
            return std::make_unique<LiveGrains>(scene, device);
    }
    const BenchScene scene = find_bench_scene(name, option);
    if (bodies)
        throw Error("the number of bodies is in the name of \"" + name +
                        "\"; expected a granular scene with --bodies",
                    "--bodies");
    return std::make_unique<LiveBodies>(make_world(scene, {}, Place(device.c_str())));
}

} // namespace scree::bench
