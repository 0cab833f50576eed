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
    std::array<const char*, 3> defines{}; ///< or nothing
};
constexpr const char *compute = "COMPUTE", *halves = "FORMAT rgba16f", *bytes = "FORMAT rgba8";
constexpr std::array<Source, static_cast<std::size_t>(Shader::count)> sources{
    {{"shadow.glsl"},
     {"background.glsl"},
     {"line.glsl"},
     {"occlusion.glsl"},
     {"occlusion.glsl", {"BLUR"}},
     {"compose.glsl"},
     {"merge.glsl"},
     {"merge.glsl", {"FINAL"}},
     {"mask.glsl"},
     {"tonemap.glsl"},
     {"tonemap.glsl", {"OUTLINE"}},
     {"occlusion.glsl", {compute, halves}},
     {"occlusion.glsl", {compute, halves, "BLUR"}},
     {"compose.glsl", {compute, halves}},
     {"tonemap.glsl", {compute, bytes}},
     {"tonemap.glsl", {compute, bytes, "OUTLINE"}},
     {"cull.glsl", {compute, "COUNT"}},
     {"cull.glsl", {compute, "SUM"}},
     {"cull.glsl", {compute, "SCAN"}},
     {"cull.glsl", {compute, "PLACE"}},
     {"cull.glsl", {compute, "BOUNDS"}},
     {"cull.glsl", {compute, "DEPTHS"}},
     {"cull.glsl", {compute, "DEPTHS_OF_SAMPLES"}}}};

} // namespace

ProgramId ProgramStore::operator()(Shader shader) {
    Owned<ProgramId>& program = programs_[static_cast<std::size_t>(shader)];
    if (program) return program;
    const Source& source = sources[static_cast<std::size_t>(shader)];
    std::vector<std::string> defines;
    for (const char* define : source.defines)
        if (define) defines.emplace_back(define);
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
