// SPDX-License-Identifier: MIT
// calls.h — the functions of OpenGL ES 3.0 that are called, and contexts of it.
#pragma once

#include "device/gles/egl.h"

#include <GLES3/gl3.h>

#include <string>

namespace scree::gles {

// clang-format off
#define SCREE_GLES_CALLS(F)                                                                                   \
    F(ActiveTexture) F(AttachShader) F(BindAttribLocation) F(BindBuffer) F(BindBufferBase)                    \
    F(BindFramebuffer) F(BindTexture) F(BufferData) F(CheckFramebufferStatus) F(Clear) F(ClearColor)          \
    F(CompileShader) F(CreateProgram) F(CreateShader) F(DeleteBuffers) F(DeleteFramebuffers)                  \
    F(DeleteProgram) F(DeleteShader) F(DeleteSync) F(DeleteTextures) F(DetachShader) F(Disable)               \
    F(DrawArrays) F(DrawArraysInstanced) F(DrawBuffers) F(Enable) F(FenceSync) F(Finish) F(Flush)             \
    F(FramebufferTexture2D) F(GenBuffers) F(GenFramebuffers) F(GenTextures) F(GetActiveAttrib)                \
    F(GetActiveUniform) F(GetAttachedShaders) F(GetAttribLocation) F(GetError) F(GetIntegerv)                 \
    F(GetProgramInfoLog) F(GetProgramiv) F(GetShaderInfoLog) F(GetShaderPrecisionFormat) F(GetShaderSource)   \
    F(GetShaderiv) F(GetString) F(GetUniformBlockIndex) F(GetUniformLocation) F(IsSync) F(LinkProgram)        \
    F(ReadBuffer) F(ReadPixels) F(Scissor) F(ShaderSource) F(TexParameteri) F(TexStorage2D) F(TexSubImage2D)  \
    F(Uniform1f) F(Uniform1i) F(Uniform2f) F(Uniform2i) F(Uniform3f) F(Uniform3i) F(Uniform4f) F(Uniform4i)   \
    F(UniformBlockBinding) F(UniformMatrix2fv) F(UniformMatrix3fv) F(UniformMatrix4fv) F(UseProgram)          \
    F(ValidateProgram) F(Viewport) F(WaitSync)
// clang-format on

struct Calls {
#define SCREE_MEMBER(name) decltype(&::gl##name) name = nullptr;
    SCREE_GLES_CALLS(SCREE_MEMBER)
#undef SCREE_MEMBER
    /// With a context current. Throws Error if the driver lacks one.
    Calls();
};

/// A context of OpenGL ES 3.0, with the objects of another if that is given. Throws Error that says what is missing.
struct OwnedContext {
    explicit OwnedContext(egl::Handle shared = {});
    ~OwnedContext();
    OwnedContext(const OwnedContext&) = delete;
    OwnedContext& operator=(const OwnedContext&) = delete;

    egl::Handle handle;
};

/// Calls with the context current.
template <class Call>
auto within(const OwnedContext& context, Call call) {
    const egl::Current current(context.handle);
    return call();
}

/// What the driver says of the last compilation, and of the last operation on a program.
std::string shader_log(const Calls& gl, GLuint shader);
std::string program_log(const Calls& gl, GLuint program);

} // namespace scree::gles
