// SPDX-License-Identifier: MIT
// model_file.cpp — picks the reader for a file; what readers share.
//
// The readers are our own, not Assimp's, as those of meshes are: faults are told with line and column and never mended silently, the same file gives
// the same bits everywhere, and the library builds for WebAssembly without packages. See docs/manual/models.md.
#include "scree/model_file.h"

#include "model/model_maker.h"
#include "scree/error.h"
#include "text/checks.h"
#include "text/file_text.h"
#include "text/words.h"

#include <algorithm>
#include <cctype>

namespace scree {
namespace {

std::string ending(const std::string& file) {
    const std::size_t slash = file.find_last_of("/\\"), dot = file.rfind('.');
    std::string end;
    if (dot != std::string::npos && (slash == std::string::npos || dot > slash)) end = file.substr(dot + 1);
    for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return end;
}

ModelFormat format_of(const std::string& file, const ModelFileOptions& options) {
    check_one_of(options.format, ModelFormat::gltf, "ModelFileOptions::format", "a format");
    check_positive(options.scale, "ModelFileOptions::scale");
    if (options.format != ModelFormat::by_name) return options.format;
    const std::string end = ending(file);
    if (end == "md5mesh") return ModelFormat::md5;
    if (end == "gltf" || end == "glb") return ModelFormat::gltf;
    throw Error("cannot tell the format by the name; expected .md5mesh, .gltf or .glb", file);
}

void check_bytes(std::size_t bytes, const std::string& file, const ModelFileOptions& options) {
    if (bytes > options.max_bytes)
        throw Error("is larger than " + count_text(options.max_bytes) + " bytes, the most that are read",
                    file);
}

} // namespace

SkinnedModel parse_model(std::string_view bytes, const std::string& file, const ModelFileOptions& options) {
    const ModelFormat format = format_of(file, options);
    check_bytes(bytes.size(), file, options);
    SkinnedModel model = format == ModelFormat::md5 ? read_md5mesh(bytes, file, options)
                                                    : read_gltf_model(bytes, file, options);
    check(model, file);
    return model;
}

SkinnedModel read_model(const std::string& file, const ModelFileOptions& options) {
    format_of(file, options); // before anything is read
    return parse_model(file_text(file, options.max_bytes), file, options);
}

ModelClip read_clip(const std::string& file, const SkinnedModel& model, const ModelFileOptions& options) {
    const std::string bytes = file_text(file, options.max_bytes);
    check_bytes(bytes.size(), file, options);
    return parse_clip(bytes, file, model, options);
}

std::vector<std::uint32_t> parents_first(const std::vector<std::int32_t>& parents) {
    std::vector<std::vector<std::uint32_t>> children(parents.size());
    std::vector<std::uint32_t> order;
    order.reserve(parents.size());
    for (std::uint32_t j = 0; j < parents.size(); ++j)
        if (parents[j] < 0) order.push_back(j);
        else children[static_cast<std::size_t>(parents[j])].push_back(j);
    // files that are in order already stay as they are
    bool ordered = true;
    for (std::size_t j = 0; j < parents.size(); ++j) ordered &= parents[j] < static_cast<std::int64_t>(j);
    if (ordered) {
        order.clear();
        for (std::uint32_t j = 0; j < parents.size(); ++j) order.push_back(j);
        return order;
    }
    for (std::size_t next = 0; next < order.size(); ++next)
        order.insert(order.end(), children[order[next]].begin(), children[order[next]].end());
    return order;
}

void add_weights(SkinnedModel& model, const std::vector<BoneWeight>& weights) {
    double sum = 0;
    for (const BoneWeight& one : weights) sum += double{one.weight};
    if (model.first_weight.empty()) model.first_weight.push_back(0);
    for (const BoneWeight& one : weights)
        if (one.weight > 0) model.weights.push_back({one.bone, static_cast<float>(double{one.weight} / sum)});
    model.first_weight.push_back(static_cast<std::uint32_t>(model.weights.size()));
}

} // namespace scree
