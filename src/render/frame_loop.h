// SPDX-License-Identifier: MIT
// frame_loop.h — a loop of frames with moments to hook into, and controllers that run once in each.
//
//     FrameLoop loop(renderer);
//     loop.add(std::make_unique<RotationController>(node, Vec3{0, 1, 0}, 0.5f));
//     loop.on(Moment::frame, [&](const FrameTime& time) { model.update(frame); });
//     loop.start(settings, width, height);
//     while (...) loop.frame(seconds, camera, settings, target, width, height);
//     loop.finish();
//
// In a frame: Moment::frame, the controllers, Moment::draw, the drawing, Moment::drawn. Handlers and controllers
// run in the order in which they were added, without allocations.
#pragma once

#include "render/renderer.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace scree::render {

struct FrameTime {
    double seconds = 0;      ///< as frame() was told
    double step = 0;         ///< since the frame before; 0 in the first
    std::uint64_t frame = 0; ///< from 0
};

enum class Moment {
    start,  ///< before everything: things may be added to the trees, precaching comes after
    frame,  ///< a frame begins; the controllers come after
    draw,   ///< all is in its place and about to be drawn
    drawn,  ///< the renderer's counters are of this frame
    finish, ///< the last: the renderer is still there
    count
};

/// Something that changes the trees from frame to frame; user code derives its own.
class Controller {
public:
    virtual ~Controller() = default;
    /// Once a frame. Returns whether it is wanted again: false takes it out of the loop.
    virtual bool run(Renderer& renderer, const FrameTime& time) = 0;
};

class FrameLoop {
public:
    using Handler = std::function<void(const FrameTime&)>;
    using HookId = std::uint64_t;

    explicit FrameLoop(Renderer& renderer) : renderer_(renderer) {}
    /// Finishes the loop if it is running; exceptions of handlers are lost then.
    ~FrameLoop();
    FrameLoop(const FrameLoop&) = delete;
    FrameLoop& operator=(const FrameLoop&) = delete;

    /// Handlers and controllers may be added and removed at any time, also by handlers and controllers. One added during a frame
    /// runs from the next time on.
    HookId on(Moment moment, Handler handler);
    HookId add(std::unique_ptr<Controller> controller);
    /// Removes a handler or controller; no error if it is removed already.
    void remove(HookId hook);

    /// Raises Moment::start, then precaches. Throws Error when it is running already.
    void start(const FrameSettings& settings, int width, int height);
    /// `seconds` is the caller's clock, with any origin. Camera and settings are read just before drawing, so handlers may change
    /// them. Throws Error when the loop is not running.
    void frame(double seconds, const Camera& camera, const FrameSettings& settings, TargetId target,
               int width, int height);
    /// Raises Moment::finish. The loop may be started again.
    void finish();
    bool running() const { return running_; }

private:
    struct Hook {
        HookId id = 0;
        Handler handler;
        std::unique_ptr<Controller> controller;
        bool gone = false;
    };
    /// Hooks of one kind; hooks removed while others run are deleted afterwards.
    using Hooks = std::vector<std::unique_ptr<Hook>>;
    template <class Call>
    void run(Hooks& hooks, Call call);
    void raise(Moment moment);
    void drop_gone();
    HookId put(Hooks& hooks, std::unique_ptr<Hook> hook);

    Renderer& renderer_;
    std::array<Hooks, static_cast<std::size_t>(Moment::count)> handlers_;
    Hooks controllers_;
    FrameTime time_;
    HookId last_id_ = 0;
    int depth_ = 0; ///< of runs within runs
    bool running_ = false, any_gone_ = false;
};

} // namespace scree::render
