// SPDX-License-Identifier: MIT
// render_live.cpp — see render_live.h.
#include "render_live.h"

#ifdef SCREE_HAS_RENDER

#include "live_world.h"
#include "render/gl_backend.h"
#include "render/headless.h"
#include "render/renderer.h"
#include "render/world_model.h"
#include "scree/error.h"
#include "stopwatch.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace scree::bench {

namespace {

using namespace render;

struct Live {
    std::string way;
    std::vector<double> whole, physics, drawing; ///< ms
    double gpu = 0;                              ///< ms, of drawing
    GpuTimes stages{};                           ///< ms
    double poses = 0, bounds = 0, submit = 0,
           wait = 0;              ///< ms of the host: after the step, one after the other
    BackendCounters bytes;        ///< of the last frame
    BackendCounters drawn;        ///< in a frame after them
    std::uint64_t downloaded = 0; ///< bytes of the world in the last frame
};

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double p99(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(
                                                  std::ceil(0.99 * static_cast<double>(values.size())) - 1))];
}

/// Goes around what is there, a turn in 20 s.
Camera orbit(const Camera& first, double seconds) {
    const auto angle = static_cast<float>(seconds * 2 * 3.14159265 / 20);
    const Vec3 from = first.eye - first.target;
    Camera camera = first;
    camera.eye = first.target + Vec3{std::cos(angle) * from.x + std::sin(angle) * from.z, from.y,
                                     std::cos(angle) * from.z - std::sin(angle) * from.x};
    return camera;
}

Live measure(Backend& backend, LiveWorld& world, bool share, int frames, int width, int height) {
    Renderer renderer(backend);
    WorldModel model(renderer, {});
    PictureTarget target(backend, width, height);
    Frame frame;
    frame.appearance = std::make_shared<Appearance>(world.look());
    world.show(frame);
    model.update(frame);
    const Camera first = framing(model.bounds(), static_cast<float>(width) / static_cast<float>(height));
    FrameSettings settings;
    Live live;
    live.way = share ? "shared" : "copied";
    constexpr int warm = 10;
    // the last is not measured: counting what indirect draws draw takes time
    for (int i = 0; i <= frames + warm; ++i) {
        backend.count_indirect(i == frames + warm);
        const std::uint64_t before = world.downloaded();
        const Stopwatch clock;
        world.step();
        const double stepped = clock.seconds();
        SharedPoses* to = share ? model.share() : nullptr;
        if (share && !to) throw Error("the renderer shares no memory", "--scene");
        if (to) world.show_shared(*to, frame);
        else world.show(frame);
        model.update(frame);
        const double shown = clock.seconds();
        Camera camera = orbit(first, i / 60.0);
        fit_planes(camera, renderer.measure_bounds());
        const double measured = clock.seconds();
        renderer.draw(camera, settings, target.id(), width, height);
        const double submitted = clock.seconds();
        backend.finish();
        const double all = clock.seconds();
        if (i == frames + warm) live.drawn = renderer.counters().all;
        if (i < warm || i == frames + warm) continue;
        live.whole.push_back(all * 1000);
        live.physics.push_back(stepped * 1000);
        live.drawing.push_back((all - stepped) * 1000);
        live.gpu += renderer.counters().gpu_seconds * 1000 / frames;
        for (std::size_t k = 0; k < live.stages.size(); ++k)
            live.stages[k] += renderer.counters().gpu_stages[k] * 1000 / frames;
        live.poses += (shown - stepped) * 1000 / frames;
        live.bounds += (measured - shown) * 1000 / frames;
        live.submit += (submitted - measured) * 1000 / frames;
        live.wait += (all - submitted) * 1000 / frames;
        live.bytes = renderer.counters().all;
        live.downloaded = world.downloaded() - before;
    }
    backend.count_indirect(false);
    return live;
}

} // namespace

std::string measure_live(const Arguments& given, int frames, int width, int height) {
    const std::string scene = *given.text("--scene"), device = given.text("--device").value_or("cuda");
    const HeadlessContext context;
    const auto backend = make_gl_backend();
    std::printf("%s\n%s on %s, %dx%d, simulated and drawn; milliseconds a frame, bytes of the last\n",
                backend->description().c_str(), scene.c_str(), device.c_str(), width, height);
    std::printf("%-8s %9s %9s %9s %9s %9s %12s %12s %12s %14s %11s %11s %11s\n", "poses", "whole", "p99",
                "physics", "drawing", "GPU", "uploaded", "read back", "by the GPU", "world to host",
                "vertices", "triangles", "points");
    std::string text = "scene,device,poses,width,height,frames,whole_ms,whole_p99_ms,physics_ms,drawing_ms,"
                       "drawing_p99_ms,gpu_ms,uploaded_bytes,read_bytes,shared_bytes,world_bytes,vertices,"
                       "triangles,points\n";
    const auto bodies = given.whole("--bodies", 1, 100'000'000);
    for (const bool share : {false, true}) {
        Live live;
        try {
            const auto world = make_live_world(scene, bodies, device, "--scene");
            live = measure(*backend, *world, share, frames, width, height);
        } catch (const Error& error) {
            if (!share) throw;
            std::printf("shared   %s\n", error.what());
            continue;
        }
        const auto ms = [](double value) { return short_number(value); };
        std::printf("%-8s %9s %9s %9s %9s %9s %12s %12s %12s %14s %11s %11s %11s\n", live.way.c_str(),
                    ms(mean(live.whole)).c_str(), ms(p99(live.whole)).c_str(), ms(mean(live.physics)).c_str(),
                    ms(mean(live.drawing)).c_str(), ms(live.gpu).c_str(),
                    count_text(live.bytes.uploaded).c_str(), count_text(live.bytes.downloaded).c_str(),
                    count_text(live.bytes.shared).c_str(), count_text(live.downloaded).c_str(),
                    count_text(live.drawn.corners).c_str(), count_text(live.drawn.triangles).c_str(),
                    count_text(live.drawn.points).c_str());
        std::printf("         host: poses %s, bounds %s, submit %s, wait %s; GPU:", ms(live.poses).c_str(),
                    ms(live.bounds).c_str(), ms(live.submit).c_str(), ms(live.wait).c_str());
        for (std::size_t k = 0; k < live.stages.size(); ++k)
            std::printf("%s %s %s", k > 0 ? "," : "", gpu_stage_names[k], ms(live.stages[k]).c_str());
        std::printf("\n");
        std::fflush(stdout);
        text += scene + "," + device + "," + live.way + "," + std::to_string(width) + "," +
                std::to_string(height) + "," + std::to_string(frames);
        for (const double value : {mean(live.whole), p99(live.whole), mean(live.physics), mean(live.drawing),
                                   p99(live.drawing), live.gpu})
            text += "," + exact_number(value);
        for (const std::uint64_t value :
             {live.bytes.uploaded, live.bytes.downloaded, live.bytes.shared, live.downloaded,
              live.drawn.corners, live.drawn.triangles, live.drawn.points})
            text += "," + std::to_string(value);
        text += "\n";
    }
    return text;
}

} // namespace scree::bench

#endif
