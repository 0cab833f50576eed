// SPDX-License-Identifier: MIT
// headless.cpp — see headless.h.
#include "render/headless.h"

#include "scree/error.h"

#include <dlfcn.h>
#include <epoxy/egl.h>

#include <cstdio>
#include <vector>

namespace scree::render {

struct HeadlessContext::State {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    bool gles = false;
    std::string fallback;
};

namespace {

std::string egl_error() {
    char text[32];
    std::snprintf(text, sizeof text, "EGL error 0x%x", static_cast<unsigned>(eglGetError()));
    return text;
}

// a display that needs no window system: Mesa's surfaceless platform, else the first device (NVIDIA)
EGLDisplay open_display() {
    std::vector<EGLDisplay> candidates;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base")) {
        if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") ||
            epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_base")) {
            EGLDeviceEXT devices[16];
            EGLint count = 0;
            if (eglQueryDevicesEXT(16, devices, &count))
                for (EGLint i = 0; i < count; ++i) {
                    // software comes last, by way of the surfaceless platform
                    const char* extensions = eglQueryDeviceStringEXT(devices[i], EGL_EXTENSIONS);
                    if (extensions &&
                        std::string(extensions).find("EGL_MESA_device_software") != std::string::npos)
                        continue;
                    candidates.push_back(
                        eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
                }
        }
        if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
            candidates.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr));
    }
    candidates.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    for (const EGLDisplay display : candidates) {
        EGLint major = 0, minor = 0;
        if (display != EGL_NO_DISPLAY && eglInitialize(display, &major, &minor)) return display;
    }
    return EGL_NO_DISPLAY;
}

EGLContext open_context(EGLDisplay display, bool gles, int major, int minor) {
    if (!eglBindAPI(gles ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) return EGL_NO_CONTEXT;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
                             gles ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config{};
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) return EGL_NO_CONTEXT;
    std::vector<EGLint> attributes{EGL_CONTEXT_MAJOR_VERSION, major, EGL_CONTEXT_MINOR_VERSION, minor};
    if (!gles)
        attributes.insert(attributes.end(),
                          {EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT});
    attributes.push_back(EGL_NONE);
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
    if (context == EGL_NO_CONTEXT) return context;
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return context;
    eglDestroyContext(display, context);
    return EGL_NO_CONTEXT;
}

} // namespace

HeadlessContext::HeadlessContext(GlChoice choice) : state_(std::make_unique<State>()) {
    // epoxy ends the program when the library is missing
    void* library = dlopen("libEGL.so.1", RTLD_LAZY);
    if (!library)
        throw Error("there is no EGL on this machine (libEGL.so.1 cannot be loaded); drawing without a "
                    "window needs it "
                    "(Debian: libegl1 and libgl1-mesa-dri)");
    dlclose(library);
    State& state = *state_;
    state.display = open_display();
    if (state.display == EGL_NO_DISPLAY)
        throw Error(
            "EGL has no display without a window system (" + egl_error() +
            "); expected a driver with surfaceless contexts (Debian: libegl-mesa0 and libgl1-mesa-dri)");
    if (choice != GlChoice::gles) {
        state.context = open_context(state.display, false, 4, 5);
        if (state.context == EGL_NO_CONTEXT) {
            const std::string why = "there is no OpenGL 4.5 (" + egl_error() + ")";
            if (choice == GlChoice::gl) {
                eglTerminate(state.display);
                throw Error(why);
            }
            state.fallback = why + ": drawing with OpenGL ES 3.0";
        }
    }
    if (state.context == EGL_NO_CONTEXT) {
        state.context = open_context(state.display, true, 3, 0);
        state.gles = true;
    }
    if (state.context == EGL_NO_CONTEXT) {
        const std::string why = egl_error();
        eglTerminate(state.display);
        throw Error(choice == GlChoice::gles ? "there is no OpenGL ES 3.0 (" + why + ")"
                                             : "there is neither OpenGL 4.5 nor OpenGL ES 3.0 (" + why + ")");
    }
}

HeadlessContext::~HeadlessContext() {
    eglMakeCurrent(state_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(state_->display, state_->context);
    // the display is shared by all contexts of the process: it stays
}

bool HeadlessContext::gles() const { return state_->gles; }
const std::string& HeadlessContext::fallback() const { return state_->fallback; }

} // namespace scree::render
