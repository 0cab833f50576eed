// SPDX-License-Identifier: MIT
// model_maker.h — what the readers of models share.
#pragma once

#include "scree/model_file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

SkinnedModel read_md5mesh(std::string_view text, const std::string& file, const ModelFileOptions& options);
SkinnedModel read_gltf_model(std::string_view bytes, const std::string& file,
                             const ModelFileOptions& options);

/// Numbers of joints with parents before children, by the parents' numbers (-1: none), which are in range. A joint that is its own
/// ancestor is left out, with all that hang on it.
std::vector<std::uint32_t> parents_first(const std::vector<std::int32_t>& parents);

/// Adds the weights of the next vertex, divided by their sum, which is positive; those of 0 are left out.
void add_weights(SkinnedModel& model, const std::vector<BoneWeight>& weights);

} // namespace scree
