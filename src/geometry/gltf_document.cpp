// SPDX-License-Identifier: MIT
// gltf_document.cpp — see gltf_document.h.
#include "geometry/gltf_document.h"

#include "geometry/mesh_text.h"
#include "scree/error.h"
#include "scree/math.h"
#include "text/file_text.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

namespace scree {

using json::Kind;
using json::Value;

namespace {

std::uint32_t little32(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k)
        value |= std::uint32_t{static_cast<unsigned char>(bytes[at + k])} << (8 * k);
    return value;
}

/// The bytes of base64 text, or nothing if it is none.
std::optional<std::string> from_base64(std::string_view text) {
    const auto digit = [](char c) {
        if (c >= 'A' && c <= 'Z') return c - 'A';
        if (c >= 'a' && c <= 'z') return c - 'a' + 26;
        if (c >= '0' && c <= '9') return c - '0' + 52;
        return c == '+' ? 62 : c == '/' ? 63 : -1;
    };
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    std::string out;
    out.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    int held = 0;
    for (const char c : text) {
        const int d = digit(c);
        if (d < 0) return std::nullopt;
        bits = (bits << 6) | static_cast<std::uint32_t>(d);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        out.push_back(static_cast<char>((bits >> held) & 0xff));
    }
    return out;
}

bool is_data(std::string_view uri) { return uri.substr(0, 5) == "data:"; }

/// The bytes that a "data:" URI holds, or nothing if they are not in base64.
std::optional<std::string> from_data(std::string_view uri) {
    const std::size_t comma = uri.find(";base64,");
    return comma == std::string_view::npos ? std::nullopt : from_base64(uri.substr(comma + 8));
}

/// %20 and the like as characters, or nothing if that is broken.
std::optional<std::string> without_escapes(std::string_view uri) {
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] != '%') {
            out.push_back(uri[i]);
            continue;
        }
        int code = 0;
        for (std::size_t k = 1; k <= 2; ++k) {
            const char c = i + k < uri.size() ? uri[i + k] : ' ';
            const int d = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
            if (d < 0) return std::nullopt;
            code = 16 * code + d;
        }
        out.push_back(static_cast<char>(code));
        i += 2;
    }
    return out;
}
std::size_t size_of(int type) {
    return type == 5120 || type == 5121 ? 1 : type == 5122 || type == 5123 ? 2 : 4;
}

} // namespace

double gltf_component(const GltfElements& from, std::size_t i, std::size_t k) {
    const std::size_t size = size_of(from.type), at = i * from.stride + k * size;
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < size; ++b)
        bits |= std::uint32_t{static_cast<unsigned char>(from.bytes[at + b])} << (8 * b);
    double value = bits, whole = 1;
    switch (from.type) {
    case 5120:
        value = static_cast<std::int8_t>(bits), whole = 127;
        break;
    case 5121:
        whole = 255;
        break;
    case 5122:
        value = static_cast<std::int16_t>(bits), whole = 32767;
        break;
    case 5123:
        whole = 65535;
        break;
    case 5126: {
        float f = 0;
        std::memcpy(&f, &bits, sizeof f);
        value = f;
        break;
    }
    default:
        break;
    }
    return from.normalized && whole > 1 ? std::max(value / whole, -1.0) : value;
}
GltfDocument::GltfDocument(std::string_view bytes, const std::string& file, External external)
    : file_(file), external_(std::move(external)) {
    std::string_view text = bytes;
    if (bytes.substr(0, 4) == "glTF") text = json_of_container(bytes);
    root_ = json::parse(text, file_);
    if (root_.kind != Kind::object) fail(root_, "is not an object");
    const Value* asset = find(root_, "asset", Kind::object);
    const Value* version = asset ? find(*asset, "version", Kind::string) : nullptr;
    if (!version || version->text.substr(0, 2) != "2.")
        fail(root_,
             "version " + (version ? quote(version->text) : std::string("unknown")) + "; expected 2.0");
    check_extensions();
}

void GltfDocument::fail(const Value& at, const std::string& what) const {
    throw Error(what, file_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column));
}

std::string_view GltfDocument::json_of_container(std::string_view bytes) {
    const auto broken = [&](const std::string& what) { throw Error(what, file_); };
    if (bytes.size() < 20) broken("the container ends within its header");
    if (const std::uint32_t version = little32(bytes, 4); version != 2)
        broken("container version " + std::to_string(version) + "; expected 2");
    if (const std::uint32_t length = little32(bytes, 8); length > bytes.size())
        broken("holds " + std::to_string(bytes.size()) + " bytes; its header says " + std::to_string(length));
    std::string_view text;
    for (std::size_t at = 12; at + 8 <= bytes.size();) {
        const std::size_t length = little32(bytes, at), kind = little32(bytes, at + 4);
        if (length > bytes.size() - at - 8)
            broken("the chunk at byte " + std::to_string(at) + " has " + std::to_string(length) + " bytes; " +
                   std::to_string(bytes.size() - at - 8) + " are left");
        if (at == 12 && kind != 0x4E4F534A) broken("the first chunk is not JSON");
        if (at == 12) text = bytes.substr(at + 8, length);
        else if (kind == 0x004E4942 && !chunk_) chunk_ = bytes.substr(at + 8, length);
        at += 8 + length;
    }
    return text;
}
// values of the JSON text ---------------------------------------------------------------------------------------

const Value* GltfDocument::find(const Value& object, std::string_view key, Kind kind) const {
    const Value* value = object.kind == Kind::object ? object.find(key) : nullptr;
    if (value && value->kind != kind) fail(*value, "'" + std::string(key) + "' is " + value->shown());
    return value;
}

const std::vector<Value>& GltfDocument::items(std::string_view key) const {
    static const std::vector<Value> none;
    const Value* value = find(root_, key, Kind::array);
    return value ? value->items : none;
}

std::size_t GltfDocument::number(const Value& value, std::size_t end, const char* what) const {
    if (value.kind != Kind::number || !(value.number >= 0) || value.number != std::floor(value.number) ||
        !(value.number < static_cast<double>(end)))
        fail(value, std::string(what) + " " + value.shown() + "; expected a whole number below " +
                        std::to_string(end));
    return static_cast<std::size_t>(value.number);
}

std::size_t GltfDocument::size(const Value& object, std::string_view key, std::size_t otherwise) const {
    const Value* value = find(object, key, Kind::number);
    return value ? number(*value, std::size_t{1} << 31, std::string(key).c_str()) : otherwise;
}

const Value& GltfDocument::entry(const Value& object, std::string_view key, std::string_view list) const {
    const Value* index = find(object, key, Kind::number);
    if (!index) fail(object, "lacks '" + std::string(key) + "'");
    return items(list)[number(*index, items(list).size(), std::string(key).c_str())];
}

std::string GltfDocument::name_of(const Value& object) const {
    const Value* name = find(object, "name", Kind::string);
    return name ? name->text : std::string();
}
void GltfDocument::read_numbers(const Value& list, std::string_view key, double* out, std::size_t n) const {
    if (list.items.size() != n)
        fail(list, "'" + std::string(key) + "' has " + std::to_string(list.items.size()) +
                       " entries; expected " + std::to_string(n));
    for (std::size_t i = 0; i < n; ++i) {
        if (list.items[i].kind != Kind::number) fail(list.items[i], "is not a number");
        out[i] = list.items[i].number;
    }
}

void GltfDocument::check_extensions() const {
    // those that change neither vertices nor triangles, and one that component() knows
    static constexpr std::string_view harmless[] = {
        "KHR_materials_", "KHR_texture_", "KHR_lights_",  "KHR_mesh_quantization",
        "KHR_animation_", "KHR_xmp",      "EXT_texture_", "KHR_node_visibility"};
    const Value* required = find(root_, "extensionsRequired", Kind::array);
    if (!required) return;
    for (const Value& name : required->items)
        if (std::none_of(std::begin(harmless), std::end(harmless), [&](std::string_view prefix) {
                return name.text.substr(0, prefix.size()) == prefix;
            }))
            fail(name, "needs the extension " + quote(name.text) + ", which cannot be read");
}
// buffers -------------------------------------------------------------------------------------------------------

/// The name of a file of the folder that the .gltf file is in, or below.
std::string GltfDocument::path_of(const Value& uri) const {
    std::optional<std::string> name = without_escapes(uri.text);
    if (!name || name->empty() || name->find('\0') != std::string::npos) fail(uri, "is not a path");
    return std::move(*name);
}

std::string GltfDocument::external(const Value& uri) const {
    if (!external_) fail(uri, "names a file, and external files are switched off");
    const std::string name = path_of(uri);
    try {
        return external_(name);
    } catch (const Error& error) {
        fail(uri, quote(name) + " " + error.what());
    }
}

std::string_view GltfDocument::buffer(std::size_t index) {
    const Value& value = items("buffers")[index];
    const std::size_t length = size(value, "byteLength", 0);
    const Value* uri = find(value, "uri", Kind::string);
    std::string_view bytes;
    if (!uri) {
        if (index != 0 || !chunk_) fail(value, "a buffer without 'uri', and no binary chunk for it");
        bytes = *chunk_;
    } else {
        loaded_.resize(items("buffers").size());
        std::optional<std::string>& held = loaded_[index];
        if (!held && is_data(uri->text)) {
            held = from_data(uri->text);
            if (!held) fail(*uri, "is not base64 data");
        } else if (!held) {
            held = external(*uri);
        }
        bytes = *held;
    }
    if (bytes.size() < length)
        fail(value, "a buffer of " + std::to_string(length) + " bytes, of which " +
                        std::to_string(bytes.size()) + " are there");
    return bytes.substr(0, length);
}

/// `count` elements of `width` bytes from `offset` on in a view.
std::pair<std::string_view, std::size_t> GltfDocument::viewed(const Value& object, std::size_t count,
                                                              std::size_t width) {
    const Value& view = entry(object, "bufferView", "bufferViews");
    const Value* index = find(view, "buffer", Kind::number);
    if (!index) fail(view, "lacks 'buffer'");
    const std::string_view bytes = buffer(number(*index, items("buffers").size(), "buffer"));
    const std::size_t offset = size(view, "byteOffset", 0), length = size(view, "byteLength", 0),
                      within = size(object, "byteOffset", 0);
    std::size_t stride = size(view, "byteStride", width);
    if (stride < width) fail(view, "stride " + std::to_string(stride) + " is below an element's size");
    if (offset > bytes.size() || length > bytes.size() - offset) fail(view, "reaches beyond its buffer");
    if (count > 0 &&
        (within > length || width > length - within || count - 1 > (length - within - width) / stride))
        fail(object, std::to_string(count) + " elements reach beyond their buffer view");
    return {bytes.substr(offset, length).substr(std::min(within, length)), stride};
}
/// GltfElements of an accessor; `sparse` ones are read by patch().
GltfElements GltfDocument::accessor(const Value& value, std::size_t components, const char* type) {
    const Value* kind = find(value, "type", Kind::string);
    if (!kind || kind->text != type) fail(value, std::string("is not of type ") + type);
    GltfElements out;
    out.type = static_cast<int>(size(value, "componentType", 0));
    if (out.type < 5120 || out.type > 5126 || out.type == 5124)
        fail(value, "component type " + std::to_string(out.type) + " is unknown");
    const Value* normalized = find(value, "normalized", Kind::boolean);
    out.normalized = normalized && normalized->boolean;
    out.count = size(value, "count", 0);
    if (value.find("bufferView"))
        std::tie(out.bytes, out.stride) = viewed(value, out.count, components * size_of(out.type));
    else if (!value.find("sparse")) fail(value, "an accessor without 'bufferView'");
    return out;
}

std::vector<std::uint32_t> GltfDocument::indices_of(const Value& value, std::size_t end) {
    const GltfElements from = accessor(value, 1, "SCALAR");
    if (from.type != 5121 && from.type != 5123 && from.type != 5125)
        fail(value, "indices of component type " + std::to_string(from.type));
    if (value.find("sparse")) fail(value, "sparse indices cannot be read");
    std::vector<std::uint32_t> out(from.count);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double index = gltf_component(from, i, 0);
        if (index >= static_cast<double>(end))
            fail(value, "index " + std::to_string(i) + " names vertex " +
                            std::to_string(static_cast<std::uint64_t>(index)) + "; there are " +
                            std::to_string(end));
        out[i] = static_cast<std::uint32_t>(index);
    }
    return out;
}

std::vector<std::array<std::uint32_t, 3>> GltfDocument::triangles_of(const Value& primitive,
                                                                     std::size_t vertices) {
    const std::size_t mode = size(primitive, "mode", 4);
    if (mode > 6) fail(primitive, "mode " + std::to_string(mode) + " is unknown");
    std::vector<std::array<std::uint32_t, 3>> out;
    if (mode < 4) return out;
    std::vector<std::uint32_t> corners;
    if (primitive.find("indices")) {
        corners = indices_of(entry(primitive, "indices", "accessors"), vertices);
    } else {
        corners.resize(vertices);
        for (std::uint32_t i = 0; i < corners.size(); ++i) corners[i] = i;
    }
    const std::size_t n = corners.size();
    if (mode == 4 && n % 3 != 0) fail(primitive, std::to_string(n) + " corners; expected a multiple of 3");
    out.reserve(mode == 4 ? n / 3 : n);
    for (std::size_t i = 2; i < n; i += mode == 4 ? 3 : 1) {
        // every other triangle of a strip runs the other way round
        const bool turned = mode == 5 && i % 2 != 0;
        if (mode == 6) out.push_back({corners[0], corners[i - 1], corners[i]});
        else out.push_back({corners[turned ? i - 1 : i - 2], corners[turned ? i - 2 : i - 1], corners[i]});
    }
    return out;
}

/// Replaces some numbers by those of the accessor's `sparse` list.
void GltfDocument::patch(const Value& value, const GltfElements& like, std::size_t components,
                         std::vector<double>& numbers) {
    const Value* sparse = find(value, "sparse", Kind::object);
    if (!sparse) return;
    const std::size_t count = size(*sparse, "count", 0);
    const Value *where = find(*sparse, "indices", Kind::object),
                *what = find(*sparse, "values", Kind::object);
    if (!where || !what) fail(*sparse, "lacks 'indices' or 'values'");
    GltfElements index{{}, 0, count, static_cast<int>(size(*where, "componentType", 0)), false};
    if (index.type != 5121 && index.type != 5123 && index.type != 5125)
        fail(*where, "indices of component type " + std::to_string(index.type));
    std::tie(index.bytes, index.stride) = viewed(*where, count, size_of(index.type));
    GltfElements values = like;
    std::tie(values.bytes, values.stride) = viewed(*what, count, components * size_of(like.type));
    for (std::size_t i = 0; i < count; ++i) {
        const double at = gltf_component(index, i, 0);
        if (at >= static_cast<double>(like.count)) fail(*where, "a sparse index is out of range");
        for (std::size_t k = 0; k < components; ++k)
            numbers[static_cast<std::size_t>(at) * components + k] = gltf_component(values, i, k);
    }
}

std::vector<double> GltfDocument::numbers_of(const Value& value, std::size_t components, const char* type,
                                             std::size_t most) {
    const GltfElements from = accessor(value, components, type);
    // an accessor that is only sparse has no bytes behind its count
    if (from.count > most)
        fail(value, count_text(from.count) + " elements; at most " + count_text(most) + " are read");
    std::vector<double> out(from.count * components);
    if (from.stride > 0)
        for (std::size_t i = 0; i < from.count; ++i)
            for (std::size_t k = 0; k < components; ++k) out[i * components + k] = gltf_component(from, i, k);
    patch(value, from, components, out);
    return out;
}

// pictures ------------------------------------------------------------------------------------------------------

GltfDocument::Picture GltfDocument::picture(const Value& image) {
    Picture out;
    const auto number = static_cast<std::size_t>(&image - items("images").data());
    out.name = file_ + ": image " + std::to_string(number);
    const Value* uri = find(image, "uri", Kind::string);
    if (!uri) {
        const Value& view = entry(image, "bufferView", "bufferViews");
        out.bytes = viewed(image, size(view, "byteLength", 0), 1).first;
    } else if (is_data(uri->text)) {
        std::optional<std::string> bytes = from_data(uri->text);
        if (!bytes) fail(*uri, "is not base64 data");
        out.bytes = std::move(*bytes);
    } else {
        out.name = path_of(*uri);
        if (leads_out(out.name)) fail(*uri, quote(out.name) + " is outside the folder of the file");
        if (!external_) out.problem = "external files are switched off";
        else try {
                out.bytes = external_(out.name);
            } catch (const Error& error) {
                out.problem = error.what();
            }
    }
    if (out.problem.empty() && out.bytes.empty()) out.problem = "is empty";
    return out;
}

// nodes ---------------------------------------------------------------------------------------------------------

std::vector<std::size_t> GltfDocument::root_nodes() const {
    const std::size_t count = items("nodes").size();
    std::vector<std::size_t> out;
    if (items("scenes").empty()) {
        std::vector<bool> child(count, false);
        for (const Value& node : items("nodes"))
            if (const Value* children = find(node, "children", Kind::array))
                for (const Value& c : children->items) child[number(c, count, "child")] = true;
        for (std::size_t i = 0; i < count; ++i)
            if (!child[i]) out.push_back(i);
        return out;
    }
    const Value& scene =
        find(root_, "scene", Kind::number) ? entry(root_, "scene", "scenes") : items("scenes")[0];
    if (const Value* nodes = find(scene, "nodes", Kind::array))
        for (const Value& node : nodes->items) out.push_back(number(node, count, "node"));
    return out;
}

GltfMatrix GltfDocument::transform(const Value& node) const {
    if (node.find("matrix")) return numbers<16>(node, "matrix", gltf_identity);
    const auto t = numbers<3>(node, "translation", {0, 0, 0}), s = numbers<3>(node, "scale", {1, 1, 1});
    const auto r = numbers<4>(node, "rotation", {0, 0, 0, 1});
    const DQuat q = normalized(DQuat{r[0], r[1], r[2], r[3]});
    const DVec3 x = s[0] * rotate(q, DVec3{1, 0, 0}), y = s[1] * rotate(q, DVec3{0, 1, 0}),
                z = s[2] * rotate(q, DVec3{0, 0, 1});
    return {x.x, x.y, x.z, 0, y.x, y.y, y.z, 0, z.x, z.y, z.z, 0, t[0], t[1], t[2], 1};
}
} // namespace scree
