// SPDX-License-Identifier: MIT
// context.cpp — see context.h: contexts and what their drivers can do.
#include "device/gles/context.h"

#include "scree/error.h"

#include <algorithm>
#include <cstdio>

namespace scree::gles {

ContextState::ContextState() : gl(within(context, [] { return Calls(); })) {
    const egl::Current current(context.handle);
    const auto number = [&](GLenum name) {
        GLint value = 0;
        gl.GetIntegerv(name, &value);
        return value;
    };
    capabilities.major = number(GL_MAJOR_VERSION);
    capabilities.minor = number(GL_MINOR_VERSION);
    capabilities.texture_size = number(GL_MAX_TEXTURE_SIZE);
    capabilities.inputs = number(GL_MAX_TEXTURE_IMAGE_UNITS);
    capabilities.outputs = std::min(number(GL_MAX_DRAW_BUFFERS), number(GL_MAX_COLOR_ATTACHMENTS));
    GLint range[2]{};
    gl.GetShaderPrecisionFormat(GL_FRAGMENT_SHADER, GL_HIGH_FLOAT, range, &capabilities.float_bits);
    capabilities.renderer = reinterpret_cast<const char*>(gl.GetString(GL_RENDERER));
    gl.GenFramebuffers(1, &reader);
}

ContextState::~ContextState() {
    const egl::Current current(context.handle);
    gl.DeleteFramebuffers(1, &reader);
}

void ContextState::check(const char* what) const {
    const GLenum code = gl.GetError();
    if (code == GL_NO_ERROR) return;
    char text[32];
    std::snprintf(text, sizeof text, "0x%x", static_cast<unsigned>(code));
    throw Error("GL error " + std::string(text) + " in " + what, "device gles");
}

void ContextState::use(GLuint program) {
    if (program != used) gl.UseProgram(program);
    used = program;
}

Context::Context() : state_(std::make_shared<ContextState>()) { require({}); }

const Capabilities& Context::capabilities() const { return state_->capabilities; }

void Context::require(const Capabilities& least) const {
    const Capabilities& has = capabilities();
    const auto demand = [&](const char* what, int got, int wanted) {
        if (got < wanted)
            throw Error("the driver " + has.renderer + " has " + what + " " + std::to_string(got) +
                            "; expected at least " + std::to_string(wanted),
                        "device gles");
    };
    demand("OpenGL ES version (times ten)", 10 * has.major + has.minor, 10 * least.major + least.minor);
    demand("a largest texture of side", has.texture_size, least.texture_size);
    demand("a number of inputs of", has.inputs, least.inputs);
    demand("a number of outputs of", has.outputs, least.outputs);
    demand("floats in shaders with bits", has.float_bits, least.float_bits);
}

void Context::finish() const {
    const egl::Current current(state_->context.handle);
    state_->gl.Finish();
}

} // namespace scree::gles
