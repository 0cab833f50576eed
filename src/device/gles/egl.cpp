// SPDX-License-Identifier: MIT
// egl.cpp — see egl.h.
#include "device/gles/egl.h"

#include "scree/error.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <cstdio>
#include <vector>

namespace scree::egl {
namespace {

// clang-format off
#define SCREE_EGL_CALLS(F)                                                                                    \
    F(eglBindAPI) F(eglChooseConfig) F(eglCreateContext) F(eglDestroyContext) F(eglGetCurrentContext)         \
    F(eglGetCurrentDisplay) F(eglGetCurrentSurface) F(eglGetDisplay) F(eglGetError) F(eglGetProcAddress)      \
    F(eglInitialize) F(eglMakeCurrent) F(eglQueryAPI) F(eglQueryContext) F(eglQueryString)
// clang-format on

struct Calls {
#define SCREE_MEMBER(name) decltype(&::name) name = nullptr;
    SCREE_EGL_CALLS(SCREE_MEMBER)
#undef SCREE_MEMBER
    EGLDisplay display = EGL_NO_DISPLAY;
    std::string missing;

    Calls();
    template <class Function>
    Function extension(const char* name) const {
        return reinterpret_cast<Function>(eglGetProcAddress(name));
    }
    EGLDisplay open_display() const;
};

std::string code_text(EGLint code) {
    char text[32];
    std::snprintf(text, sizeof text, "EGL error 0x%x", static_cast<unsigned>(code));
    return text;
}

Calls::Calls() {
    void* library = dlopen("libEGL.so.1", RTLD_LAZY); // stays: drivers do not like to be unloaded
    if (!library) {
        missing = "there is no EGL on this machine (libEGL.so.1 cannot be loaded); drawing without a window "
                  "needs it "
                  "(Debian: libegl1 and libgl1-mesa-dri)";
        return;
    }
#define SCREE_LOAD(call)                                                                                     \
    call = reinterpret_cast<decltype(call)>(dlsym(library, #call));                                          \
    if (!call) missing = "the EGL of this machine has no " #call;
    SCREE_EGL_CALLS(SCREE_LOAD)
#undef SCREE_LOAD
    if (!missing.empty()) return;
    display = open_display();
    if (display == EGL_NO_DISPLAY)
        missing = "EGL has no display without a window system (" + code_text(eglGetError()) +
                  "); expected a driver with surfaceless contexts (Debian: libegl-mesa0 and libgl1-mesa-dri)";
}

// a display that needs no window system: Mesa's surfaceless platform, else the first device (NVIDIA)
EGLDisplay Calls::open_display() const {
    std::vector<EGLDisplay> candidates;
    const char* listed = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const std::string extensions = listed ? listed : "";
    const auto has = [&](const char* name) { return extensions.find(name) != std::string::npos; };
    const auto platform_display = extension<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    if (has("EGL_EXT_platform_base") && platform_display) {
        const auto devices_of = extension<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
        const auto text_of = extension<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
        if ((has("EGL_EXT_device_enumeration") || has("EGL_EXT_device_base")) && devices_of && text_of) {
            EGLDeviceEXT devices[16];
            EGLint count = 0;
            if (devices_of(16, devices, &count))
                for (EGLint i = 0; i < count; ++i) {
                    // software comes last, by way of the surfaceless platform
                    const char* own = text_of(devices[i], EGL_EXTENSIONS);
                    if (own && std::string(own).find("EGL_MESA_device_software") != std::string::npos)
                        continue;
                    candidates.push_back(platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
                }
        }
        if (has("EGL_MESA_platform_surfaceless"))
            candidates.push_back(platform_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr));
    }
    candidates.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    for (const EGLDisplay candidate : candidates) {
        EGLint major = 0, minor = 0;
        if (candidate != EGL_NO_DISPLAY && eglInitialize(candidate, &major, &minor)) return candidate;
    }
    return EGL_NO_DISPLAY;
}

const Calls& calls() {
    static const Calls all;
    return all;
}

} // namespace

const std::string& missing() { return calls().missing; }

Handle make_context(bool gles, int major, int minor, Handle shared) {
    const Calls& c = calls();
    Handle made{shared ? shared.display : c.display};
    const EGLenum before = c.eglQueryAPI();
    if (!c.eglBindAPI(gles ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) return {};
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
                             gles ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config{};
    EGLint count = 0;
    if (c.eglChooseConfig(made.display, wanted, &config, 1, &count) && count != 0) {
        std::vector<EGLint> attributes{EGL_CONTEXT_MAJOR_VERSION, major, EGL_CONTEXT_MINOR_VERSION, minor};
        if (!gles)
            attributes.insert(attributes.end(),
                              {EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT});
        attributes.push_back(EGL_NONE);
        made.context = c.eglCreateContext(made.display, config, shared.context, attributes.data());
    }
    if (before != EGL_NONE) c.eglBindAPI(before);
    return made;
}

void destroy(Handle context) { calls().eglDestroyContext(context.display, context.context); }

bool make_current(Handle context) {
    return calls().eglMakeCurrent(context.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context.context) ==
           EGL_TRUE;
}

Handle current_gles() {
    const Calls& c = calls();
    if (!c.eglQueryContext) return {}; // there is no EGL
    const Handle now{c.eglGetCurrentDisplay(), c.eglGetCurrentContext()};
    EGLint kind = 0;
    if (!now || !c.eglQueryContext(now.display, now.context, EGL_CONTEXT_CLIENT_TYPE, &kind)) return {};
    return kind == EGL_OPENGL_ES_API ? now : Handle{};
}

std::string error_text() { return code_text(calls().eglGetError()); }

void* function(const char* name) { return reinterpret_cast<void*>(calls().eglGetProcAddress(name)); }

Current::Current(Handle context)
    : own_(context),
      display_(calls().eglGetCurrentDisplay()),
      draw_(calls().eglGetCurrentSurface(EGL_DRAW)),
      read_(calls().eglGetCurrentSurface(EGL_READ)),
      before_(calls().eglGetCurrentContext()),
      changed_(before_ != context.context) {
    if (changed_ && !make_current(context))
        throw Error("the context is in use on another thread, or its display has ended (" + error_text() +
                        ")",
                    "device gles");
}

Current::~Current() {
    if (!changed_) return;
    if (before_ == EGL_NO_CONTEXT) make_current({own_.display});
    else calls().eglMakeCurrent(display_, draw_, read_, before_);
}

} // namespace scree::egl
