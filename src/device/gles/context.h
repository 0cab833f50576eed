// SPDX-License-Identifier: MIT
// context.h — what the objects of scree/gles.h share.
#pragma once

#include "device/gles/calls.h"
#include "scree/gles.h"

namespace scree::gles {

struct ContextState {
    ContextState();
    ~ContextState();
    ContextState(const ContextState&) = delete;
    ContextState& operator=(const ContextState&) = delete;

    /// Throws Error if the driver reports one.
    void check(const char* what) const;
    void use(GLuint program);

    OwnedContext context;
    Calls gl;
    Capabilities capabilities;
    GLuint reader = 0; ///< framebuffer for reading textures
    GLuint used = 0;   ///< program
};

} // namespace scree::gles
