// SPDX-License-Identifier: MIT
// gl_backend.h — the back end on OpenGL 4.5 core or OpenGL ES 3.0, whichever context is current.
#pragma once

#include "render/backend.h"

#include <memory>

namespace scree::render {

/// For the context that is current on this thread, which must stay so while the back end lives. Throws Error when it is
/// neither GL 4.5 nor GLES 3.0, or lacks float targets.
std::unique_ptr<Backend> make_gl_backend();

} // namespace scree::render
