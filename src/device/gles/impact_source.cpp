// SPDX-License-Identifier: MIT
// impact_source.cpp — see impact_source.h. A view's members are the numbers of its buffers; loads and stores choose the stream by them.
#include "device/gles/impact_source.h"

#include "kernels/host_params.h"

#include <algorithm>
#include <string_view>
#include <utility>

extern const char* const scree_glsl_impact_source;

namespace scree::gles {
namespace {

#define SCREE_NAME(name) #name,
constexpr std::string_view buffers[] = {IMPACT_BUFFERS(SCREE_NAME, SCREE_NAME)};
#undef SCREE_NAME

std::string number(const std::string& name) {
    const auto* const found = std::find(std::begin(buffers), std::end(buffers), name);
    return std::to_string(found - std::begin(buffers)) + "u";
}

/// What a kernel does not need is left out: drivers compile all that is there.
std::string left_out(const std::string& kernel) {
    const auto has = [&](const char* part) { return kernel.find(part) != std::string::npos; };
    const bool shapes = has("polygon_box") || has("polygon_bisect") || has("polygon_impulse");
    const std::pair<const char*, bool> files[] = {{"impact_circle", has("circle_")},
                                                  {"impact_motion", has("polygon_") && !shapes},
                                                  {"impact_polygon", shapes},
                                                  {"impact_contact", shapes && !has("polygon_box")},
                                                  {"impact_bisect", has("polygon_bisect")}};
    std::string text;
    for (const auto& [file, needed] : files)
        if (!needed) text += "#define WITHOUT_" + std::string(file) + " 1\n";
    return text;
}

} // namespace

KernelSource impact_source(const std::string& kernel, const std::vector<NamedStream>& inputs,
                           const std::vector<NamedStream>& outputs) {
    KernelSource source;
    std::string loads, stores, view;
    // the kernels use the names of the view for values
    for (const NamedStream& input : inputs) {
        const std::string name = "in_" + input.name;
        source.inputs.emplace_back(name, *input.stream);
        loads += "    case " + number(input.name) + ": wide = textureSize(" + name + "_words, 0).x; return " +
                 name + "(ivec2(k % wide, k / wide));\n";
    }
    for (const NamedStream& output : outputs) {
        const std::string name = "to_" + output.name;
        source.outputs.emplace_back(name, *output.stream);
        stores += "    if (number == " + number(output.name) + ") " + name + " = value;\n";
    }
    for (const std::string_view buffer : buffers)
        view += "    w." + std::string(buffer) + " = " + number(std::string(buffer)) + ";\n";
    source.body =
        left_out(kernel) +
        "#define SCREE_GLSL 1\n#define SCREE_LANES 1\n"
        "vec4 load4(uint number, uint item) {\n    int k = int(item);\n    int wide = 1;\n"
        "    switch (number) {\n" +
        loads +
        "    }\n    return vec4(0.0);\n}\n"
        "float load1(uint number, uint item) { return load4(number, item).x; }\n"
        "void store4(uint number, uint item, vec4 value) {\n" +
        stores +
        "}\n"
        "void store1(uint number, uint item, float value) { store4(number, item, vec4(value, 0.0, 0.0, "
        "0.0)); }\n" +
        scree_glsl_impact_source +
        "uniform ImpactParams given;\nuniform int to_width;\n"
        "void compute(ivec2 at) {\n    ImpactView w;\n" +
        view + "    " + kernel + "(uint(at.y * to_width + at.x), w, given);\n}\n";
    return source;
}

} // namespace scree::gles
