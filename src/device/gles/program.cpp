// SPDX-License-Identifier: MIT
// program.cpp — see program.h. A kernel runs once for each pixel: the pixel is the item, its colour the four words that are stored.
#include "device/gles/program.h"

#include <array>
#include <span>
#include <string_view>

extern const char* const scree_glsl_source;

namespace scree::gles {
namespace {

#define SCREE_NAME(name) #name,
constexpr std::string_view cloth_buffers[] = {CLOTH_BUFFERS(SCREE_NAME, SCREE_NAME)};
constexpr std::string_view probe_buffers[] = {PROBE_BUFFERS(SCREE_NAME, SCREE_NAME)};
constexpr std::string_view probe_functions[] = {PROBE_FUNCTIONS(SCREE_NAME)};
#undef SCREE_NAME

struct Row {
    KernelId kernel;
    const char* family;
    std::span<const std::string_view> buffers;
    std::string_view output;
};
constexpr Row rows[] = {
    {KernelId::probe_run, "Probe", probe_buffers, "result"},
    {KernelId::cloth_swing, "Cloth", cloth_buffers, "next"},
    {KernelId::cloth_predict, "Cloth", cloth_buffers, "next"},
    {KernelId::cloth_project, "Cloth", cloth_buffers, "next"},
    {KernelId::cloth_collide, "Cloth", cloth_buffers, "next"},
    {KernelId::cloth_normals, "Cloth", cloth_buffers, "normal"},
    {KernelId::cloth_survey_start, "Cloth", cloth_buffers, "survey_out"},
    {KernelId::cloth_survey, "Cloth", cloth_buffers, "survey_out"},
    {KernelId::cloth_extent_start, "Cloth", cloth_buffers, "survey_out"},
    {KernelId::cloth_extent, "Cloth", cloth_buffers, "survey_out"},
};

const Row* row_of(KernelId kernel) {
    for (const Row& row : rows)
        if (row.kernel == kernel) return &row;
    return nullptr;
}

std::string number(std::size_t n) { return std::to_string(n); }

} // namespace

Offered offered(KernelId kernel) {
    const Row* row = row_of(kernel);
    if (!row) return {};
    std::size_t output = 0;
    while (row->buffers[output] != row->output) ++output;
    return {row->family, output};
}

std::string vertex_source() {
    // one triangle over all pixels
    return "#version 300 es\n"
           "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, "
           "0.0, 1.0); }\n";
}

std::string fragment_source(KernelId kernel) {
    const Row& row = *row_of(kernel);
    const std::size_t output = offered(kernel).output;
    std::string text = "#version 300 es\n"
                       "precision highp float;\nprecision highp int;\nprecision highp usampler2D;\n"
                       "#define SCREE_GLSL 1\n#define SCREE_LANES 1\n"
                       // what makes the result must not be rearranged: it has to be the same in every program
                       "invariant layout(location = 0) out highp uvec4 kept_words;\n"
                       "vec4 kept;\n";
    std::string cases;
    for (std::size_t k = 0; k < row.buffers.size(); ++k) {
        if (k == output) continue;
        text += "uniform usampler2D buffer" + number(k) + ";\n";
        cases += "    case " + number(k) + "u: return uintBitsToFloat(texelFetch(buffer" + number(k) +
                 ", at, 0));\n";
    }
    text += "vec4 load4(uint number, uint item) {\n"
            "    ivec2 at = ivec2(int(item % " +
            number(row_items) + "u), int(item / " + number(row_items) +
            "u));\n"
            "    switch (number) {\n" +
            cases +
            "    }\n    return vec4(0.0);\n}\n"
            "void store4(uint number, uint item, vec4 value) { kept = value; }\n";
    for (std::size_t k = 0; k < std::size(probe_functions); ++k)
        text += "#define PROBE_" + std::string(probe_functions[k]) + " " + number(k) + "u\n";
    text += scree_glsl_source;
    const std::string family = row.family;
    text += "layout(std140) uniform Given { " + family +
            "Params given; };\n"
            "void main() {\n    " +
            family + "View w;\n";
    for (std::size_t k = 0; k < row.buffers.size(); ++k)
        text += "    w." + std::string(row.buffers[k]) + " = " + number(k) + "u;\n";
    text += "    uint item = uint(gl_FragCoord.y) * " + number(row_items) +
            "u + uint(gl_FragCoord.x);\n    " + kernel_names[static_cast<std::size_t>(kernel)] +
            "(item, w, given);\n"
            "    kept_words = floatBitsToUint(kept);\n}\n";
    return text;
}

} // namespace scree::gles
