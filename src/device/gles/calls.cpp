// SPDX-License-Identifier: MIT
// calls.cpp — see calls.h.
#include "device/gles/calls.h"

#include "scree/error.h"

namespace scree::gles {

Calls::Calls(){
#define SCREE_LOAD(name)                                                                                     \
    name = reinterpret_cast<decltype(name)>(egl::function("gl" #name));                                      \
    if (!name) throw Error("the driver has no gl" #name, "device gles");
    SCREE_GLES_CALLS(SCREE_LOAD)
#undef SCREE_LOAD
}

OwnedContext::OwnedContext(egl::Handle shared) {
    if (!shared && !egl::missing().empty()) throw Error(egl::missing(), "device gles");
    handle = egl::make_context(true, 3, 0, shared);
    if (!handle) throw Error("there is no OpenGL ES 3.0 (" + egl::error_text() + ")", "device gles");
}

OwnedContext::~OwnedContext() { egl::destroy(handle); }

std::string shader_log(const Calls& gl, GLuint shader) {
    GLint length = 0;
    gl.GetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length) + 1, '\0');
    gl.GetShaderInfoLog(shader, length + 1, nullptr, log.data());
    return log.substr(0, log.find('\0'));
}

std::string program_log(const Calls& gl, GLuint program) {
    GLint length = 0;
    gl.GetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length) + 1, '\0');
    gl.GetProgramInfoLog(program, length + 1, nullptr, log.data());
    return log.substr(0, log.find('\0'));
}

} // namespace scree::gles
