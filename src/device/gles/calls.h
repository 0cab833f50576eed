// SPDX-License-Identifier: MIT
// calls.h — the functions of OpenGL ES 3.0 that the device calls.
#pragma once

#include <GLES3/gl3.h>

namespace scree::gles {

// clang-format off
#define SCREE_GLES_CALLS(F)                                                                                   \
    F(ActiveTexture) F(AttachShader) F(BindBufferBase) F(BindFramebuffer) F(BindTexture) F(BufferData)        \
    F(CheckFramebufferStatus) F(CompileShader) F(CreateProgram) F(CreateShader) F(DeleteBuffers)              \
    F(DeleteFramebuffers) F(DeleteProgram) F(DeleteShader) F(DeleteTextures) F(Disable) F(DrawArrays)         \
    F(Enable) F(Finish) F(FramebufferTexture2D) F(GenBuffers) F(GenFramebuffers) F(GenTextures) F(GetError)   \
    F(GetIntegerv) F(GetProgramInfoLog) F(GetProgramiv) F(GetShaderInfoLog) F(GetShaderiv) F(GetString)       \
    F(GetUniformBlockIndex) F(GetUniformLocation) F(LinkProgram) F(ReadPixels) F(Scissor) F(ShaderSource)     \
    F(TexParameteri) F(TexStorage2D) F(TexSubImage2D) F(Uniform1i) F(UniformBlockBinding) F(UseProgram)       \
    F(Viewport)
// clang-format on

struct Calls {
#define SCREE_MEMBER(name) decltype(&::gl##name) name = nullptr;
    SCREE_GLES_CALLS(SCREE_MEMBER)
#undef SCREE_MEMBER
    /// With a context current. Throws Error if the driver lacks one.
    Calls();
};

} // namespace scree::gles
