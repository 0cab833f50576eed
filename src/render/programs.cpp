// SPDX-License-Identifier: MIT
// programs.cpp — see programs.h.
#include "render/programs.h"

#include "render/shader_source.h"

#include <string>
#include <vector>

namespace scree::render {

namespace {

struct Source {
    const char* file;
    const char* define; ///< or nothing
};
constexpr std::array<Source, static_cast<std::size_t>(Shader::count)> sources{
    {{"shadow.glsl", nullptr},
     {"background.glsl", nullptr},
     {"line.glsl", nullptr},
     {"occlusion.glsl", nullptr},
     {"occlusion.glsl", "BLUR"},
     {"compose.glsl", nullptr},
     {"merge.glsl", nullptr},
     {"merge.glsl", "FINAL"},
     {"mask.glsl", nullptr},
     {"tonemap.glsl", nullptr},
     {"tonemap.glsl", "OUTLINE"},
     {"cull.glsl", "COUNT"},
     {"cull.glsl", "SUM"},
     {"cull.glsl", "SCAN"},
     {"cull.glsl", "PLACE"},
     {"cull.glsl", "BOUNDS"},
     {"cull.glsl", "DEPTHS"},
     {"cull.glsl", "DEPTHS_OF_SAMPLES"}}};

} // namespace

ProgramId ProgramStore::operator()(Shader shader) {
    Owned<ProgramId>& program = programs_[static_cast<std::size_t>(shader)];
    if (program) return program;
    const Source& source = sources[static_cast<std::size_t>(shader)];
    std::vector<std::string> defines;
    if (source.define) defines.emplace_back(source.define);
    return program = {backend_,
                      backend_.create_program(shader_source(source.file, defines, backend_.gles()))};
}

void ProgramStore::need(const DrawState& state) {
    const std::size_t variant = body_variant(state);
    Owned<ProgramId>& program = (state.transparent ? bodies_.peel : bodies_.opaque)[variant];
    if (program) return;
    std::vector<std::string> defines;
    if (variant & 1) defines.emplace_back("ALBEDO");
    if (variant & 2) defines.emplace_back("NORMALS");
    if (state.transparent) defines.emplace_back("PEEL");
    program = {backend_, backend_.create_program(shader_source("body.glsl", defines, backend_.gles()))};
}

} // namespace scree::render
