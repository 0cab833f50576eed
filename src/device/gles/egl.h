// SPDX-License-Identifier: MIT
// egl.h — GL contexts without a window. libEGL is loaded on first use, so the library starts where there is none.
#pragma once

#include <string>

namespace scree::egl {

/// A context and the display it belongs to.
struct Handle {
    void *display = nullptr, *context = nullptr;
    explicit operator bool() const { return context != nullptr; }
};

/// Why there is no display without a window system; empty when there is one.
const std::string& missing();
/// Not current yet; `shared`: with the objects of that context, and on its display. Nothing if there is none of this kind; error_text()
/// says why. missing() is empty, or `shared` is something.
Handle make_context(bool gles, int major, int minor, Handle shared = {});
void destroy(Handle context);
/// On this thread, instead of another. Returns whether it could be done.
bool make_current(Handle context);
/// What is current on this thread, if it is of OpenGL ES.
Handle current_gles();
std::string error_text(); ///< of the last call on this thread: "EGL error 0x3005"
/// A function of GL or EGL; null if unknown.
void* function(const char* name);

/// Makes a context current, and at the end what was current before.
class Current {
public:
    /// Throws Error if it is in use on another thread, or its display has ended.
    explicit Current(Handle context);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    Handle own_;
    void *display_, *draw_, *read_, *before_;
    bool changed_;
};

} // namespace scree::egl
