// SPDX-License-Identifier: MIT
// shared_display_test.cpp — worlds that share objects with a window's context, whose display ends before they do.
// compiled alone
#include "device/gles/egl.h"
#include "render/headless.h"
#include "scree/cloth.h"
#include "scree/place.h"

#include <gtest/gtest.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <optional>

namespace scree::render {
namespace {

/// A context of OpenGL ES as a program has one with its window: on a display that the library does not know.
class OwnDisplay {
public:
    OwnDisplay() {
        const HeadlessContext known(GlChoice::gles);
        const auto devices_of =
            reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(egl::function("eglQueryDevicesEXT"));
        const auto display_of =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(egl::function("eglGetPlatformDisplayEXT"));
        if (!devices_of || !display_of) return;
        EGLDeviceEXT devices[16];
        EGLint count = 0;
        if (!devices_of(16, devices, &count)) return;
        for (EGLint k = 0; k < count && display_ == EGL_NO_DISPLAY; ++k) {
            const EGLDisplay found = display_of(EGL_PLATFORM_DEVICE_EXT, devices[k], nullptr);
            if (found != eglGetCurrentDisplay() && eglInitialize(found, nullptr, nullptr)) display_ = found;
        }
    }
    ~OwnDisplay() { end(); }
    OwnDisplay(const OwnDisplay&) = delete;
    OwnDisplay& operator=(const OwnDisplay&) = delete;

    bool make_current() {
        if (display_ == EGL_NO_DISPLAY || !eglBindAPI(EGL_OPENGL_ES_API)) return false;
        const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
        EGLConfig config{};
        EGLint count = 0;
        if (!eglChooseConfig(display_, wanted, &config, 1, &count) || count == 0) return false;
        const EGLContext context = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
        return context != EGL_NO_CONTEXT && eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
    }
    /// As glfwTerminate does.
    void end() {
        if (display_ == EGL_NO_DISPLAY) return;
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglTerminate(display_);
        display_ = EGL_NO_DISPLAY;
    }

private:
    EGLDisplay display_ = EGL_NO_DISPLAY;
};

TEST(SharedDisplay, MayEndBeforeTheWorldsThatShareIt) {
    OwnDisplay display;
    if (!display.make_current()) GTEST_SKIP() << "there is no second display";
    std::optional<ClothWorld> world(std::in_place, ClothSettings{},
                                    Place({.device = "gles", .share_graphics = true}));
    world->add_sheet();
    world->step(2);
    display.end();
    world.reset();
    ClothWorld other({}, "gles"); // on the library's own display
    other.add_sheet();
    other.step(2);
    EXPECT_EQ(other.survey().frozen, 0u);
}

} // namespace
} // namespace scree::render
