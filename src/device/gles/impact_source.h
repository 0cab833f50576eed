// SPDX-License-Identifier: MIT
// impact_source.h — kernels of impacts in stages (kernels/impact_params.h) as sources of gles::Kernel.
#pragma once

#include "scree/gles.h"

namespace scree::gles {

/// Streams are named as in the kernels' view. Uniforms: the members of `given`, the kernels' parameters.
KernelSource impact_source(const std::string& kernel, const std::vector<NamedStream>& inputs,
                           const std::vector<NamedStream>& outputs);

} // namespace scree::gles
