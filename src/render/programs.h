// SPDX-License-Identifier: MIT
// programs.h — the shader programs of a frame by name, compiled when they are first asked for or all at once beforehand.
#pragma once

#include "render/backend.h"
#include "render/technique.h"

#include <array>

namespace scree::render {

enum class Shader {
    shadow,
    background,
    line,
    occlusion,
    occlusion_blur,
    compose,
    merge,
    merge_final,
    mask,
    tonemap,
    tonemap_outline,
    occlusion_computed, ///< these compute what those of the same names draw
    occlusion_blur_computed,
    compose_computed,
    tonemap_computed,
    tonemap_outline_computed,
    cull_count,
    cull_sum,
    cull_scan,
    cull_place,
    cull_bounds,
    cull_depths,
    cull_depths_samples,
    count
};

/// Programs of surfaces, by their textures: albedo map 1, normal map 2.
struct BodyPrograms {
    std::array<Owned<ProgramId>, 4> opaque, peel;
};
inline std::size_t body_variant(const DrawState& state) {
    return (state.albedo.value ? 1u : 0u) | (state.normal_map.value ? 2u : 0u);
}

class ProgramStore {
public:
    explicit ProgramStore(Backend& backend) : backend_(backend) {}

    ProgramId operator()(Shader shader);
    const BodyPrograms& bodies() const { return bodies_; }
    /// The program of a surface of this state. Compiles only variants that a scene needs, since drivers are slow.
    void need(const DrawState& state);

private:
    Backend& backend_;
    std::array<Owned<ProgramId>, static_cast<std::size_t>(Shader::count)> programs_;
    BodyPrograms bodies_;
};

} // namespace scree::render
