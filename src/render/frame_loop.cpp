// SPDX-License-Identifier: MIT
// frame_loop.cpp — see frame_loop.h.
#include "render/frame_loop.h"

#include "scree/error.h"

#include <algorithm>
#include <utility>

namespace scree::render {

FrameLoop::~FrameLoop() {
    try {
        finish();
    } catch (...) { // a destructor has nobody to tell
    }
}

FrameLoop::HookId FrameLoop::put(Hooks& hooks, std::unique_ptr<Hook> hook) {
    hook->id = ++last_id_;
    hooks.push_back(std::move(hook));
    return last_id_;
}

FrameLoop::HookId FrameLoop::on(Moment moment, Handler handler) {
    if (moment >= Moment::count || !handler)
        throw Error(handler ? "moment " + std::to_string(static_cast<int>(moment)) + " does not exist"
                            : "an empty function was given; expected one to call",
                    "frame loop");
    auto hook = std::make_unique<Hook>();
    hook->handler = std::move(handler);
    return put(handlers_[static_cast<std::size_t>(moment)], std::move(hook));
}

FrameLoop::HookId FrameLoop::add(std::unique_ptr<Controller> controller) {
    if (!controller) throw Error("no controller was given", "frame loop");
    auto hook = std::make_unique<Hook>();
    hook->controller = std::move(controller);
    return put(controllers_, std::move(hook));
}

void FrameLoop::remove(HookId id) {
    const auto mark = [&](Hooks& hooks) {
        for (const auto& hook : hooks)
            if (hook->id == id) hook->gone = any_gone_ = true;
    };
    for (Hooks& hooks : handlers_) mark(hooks);
    mark(controllers_);
    drop_gone();
}

void FrameLoop::drop_gone() {
    // what runs right now must not go while it does
    if (depth_ > 0 || !any_gone_) return;
    const auto drop = [](Hooks& hooks) { std::erase_if(hooks, [](const auto& hook) { return hook->gone; }); };
    for (Hooks& hooks : handlers_) drop(hooks);
    drop(controllers_);
    any_gone_ = false;
}

template <class Call>
void FrameLoop::run(Hooks& hooks, Call call) {
    struct Running {
        FrameLoop& loop;
        explicit Running(FrameLoop& l) : loop(l) { ++loop.depth_; }
        ~Running() { --loop.depth_, loop.drop_gone(); }
    } const running(*this);
    const std::size_t count = hooks.size();
    for (std::size_t i = 0; i < count; ++i) {
        Hook& hook = *hooks[i];
        if (!hook.gone) call(hook);
    }
}

void FrameLoop::raise(Moment moment) {
    run(handlers_[static_cast<std::size_t>(moment)], [&](Hook& hook) { hook.handler(time_); });
}

void FrameLoop::start(const FrameSettings& settings, int width, int height) {
    if (running_) throw Error("is running already", "frame loop");
    time_ = {};
    running_ = true;
    raise(Moment::start);
    renderer_.precache(settings, width, height);
}

void FrameLoop::frame(double seconds, const Camera& camera, const FrameSettings& settings, TargetId target,
                      int width, int height) {
    if (!running_) throw Error("is not running; expected start() first", "frame loop");
    time_.step = time_.frame > 0 ? seconds - time_.seconds : 0;
    time_.seconds = seconds;
    raise(Moment::frame);
    run(controllers_, [&](Hook& hook) {
        if (!hook.controller->run(renderer_, time_)) hook.gone = any_gone_ = true;
    });
    raise(Moment::draw);
    renderer_.draw(camera, settings, target, width, height);
    raise(Moment::drawn);
    ++time_.frame;
}

void FrameLoop::finish() {
    if (!running_) return;
    running_ = false;
    raise(Moment::finish);
}

} // namespace scree::render
