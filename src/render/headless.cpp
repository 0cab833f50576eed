// SPDX-License-Identifier: MIT
// headless.cpp — see headless.h.
#include "render/headless.h"

#include "device/gles/egl.h"
#include "scree/error.h"

namespace scree::render {

struct HeadlessContext::State {
    egl::Handle context;
    bool gles = false;
    std::string fallback;
};

namespace {

/// Current; nothing if there is none of this kind.
egl::Handle open_context(bool gles, int major, int minor) {
    const egl::Handle context = egl::make_context(gles, major, minor);
    if (!context || egl::make_current(context)) return context;
    egl::destroy(context);
    return {};
}

} // namespace

HeadlessContext::HeadlessContext(GlChoice choice) : state_(std::make_unique<State>()) {
    if (!egl::missing().empty()) throw Error(egl::missing());
    State& state = *state_;
    if (choice != GlChoice::gles) {
        state.context = open_context(false, 4, 5);
        if (!state.context) {
            const std::string why = "there is no OpenGL 4.5 (" + egl::error_text() + ")";
            if (choice == GlChoice::gl) throw Error(why);
            state.fallback = why + ": drawing with OpenGL ES 3.0";
        }
    }
    if (!state.context) {
        state.context = open_context(true, 3, 0);
        state.gles = true;
    }
    if (!state.context) {
        const std::string why = egl::error_text();
        throw Error(choice == GlChoice::gles ? "there is no OpenGL ES 3.0 (" + why + ")"
                                             : "there is neither OpenGL 4.5 nor OpenGL ES 3.0 (" + why + ")");
    }
}

HeadlessContext::~HeadlessContext() {
    egl::make_current({state_->context.display});
    egl::destroy(state_->context);
    // the display is shared by all contexts of the process: it stays
}

bool HeadlessContext::gles() const { return state_->gles; }
const std::string& HeadlessContext::fallback() const { return state_->fallback; }

} // namespace scree::render
