// SPDX-License-Identifier: MIT
// gltf.cpp — glTF 2.0 (Khronos): JSON with buffers embedded or beside it, and the binary container .glb.
//
// Read are the triangles of all nodes of the scene, placed by the nodes' transforms; a part is a node. Skins, morph
// targets and animations are passed over: a skinned mesh has the vertices of its file. Each offset, stride and count is
// checked against the bytes that are there before it is used.
#include "geometry/mesh_text.h"

#include "scree/error.h"
#include "text/file_text.h"
#include "text/json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

namespace scree {
namespace {

using json::Kind;
using json::Value;

/// Column by column, as files give it: the image of x is m[0..2], the translation m[12..14].
using Matrix = std::array<double, 16>;

constexpr Matrix identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
constexpr int most_nested_nodes = 256;

Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix out{};
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t r = 0; r < 4; ++r)
            for (std::size_t k = 0; k < 4; ++k) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
    return out;
}

DVec3 place(const Matrix& m, DVec3 p) {
    return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
            m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}

bool mirrors(const Matrix& m) {
    return dot(cross(DVec3{m[0], m[1], m[2]}, DVec3{m[4], m[5], m[6]}), DVec3{m[8], m[9], m[10]}) < 0;
}

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

/// A run of equal elements in a buffer.
struct Elements {
    std::string_view bytes; ///< from the first element on
    std::size_t stride = 0, count = 0;
    int type = 0; ///< 5120 … 5126
    bool normalized = false;
};

std::size_t size_of(int type) {
    return type == 5120 || type == 5121 ? 1 : type == 5122 || type == 5123 ? 2 : 4;
}

double component(const Elements& from, std::size_t i, std::size_t k) {
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

class GltfReader {
public:
    GltfReader(MeshMaker& out) : out_(&out) {}

    void read(std::string_view bytes) {
        std::string_view text = bytes;
        if (bytes.substr(0, 4) == "glTF") text = json_of_container(bytes);
        root_ = json::parse(text, out_->file());
        if (root_.kind != Kind::object) fail(root_, "is not an object");
        const Value* asset = find(root_, "asset", Kind::object);
        const Value* version = asset ? find(*asset, "version", Kind::string) : nullptr;
        if (!version || version->text.substr(0, 2) != "2.")
            fail(root_,
                 "version " + (version ? quote(version->text) : std::string("unknown")) + "; expected 2.0");
        check_extensions();
        on_way_.assign(items("nodes").size(), false);
        for (const std::size_t node : root_nodes()) visit(node, identity, 0);
    }

private:
    MeshMaker* out_;
    Value root_;
    std::optional<std::string_view> chunk_; ///< the binary chunk of a .glb
    std::vector<std::optional<std::string>> loaded_;
    std::vector<bool> on_way_; ///< nodes between the root and this one
    std::size_t visits_ = 0;

    [[noreturn]] void fail(const Value& at, const std::string& what) const {
        throw Error(what, out_->file() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column));
    }

    std::string_view json_of_container(std::string_view bytes) {
        const auto broken = [&](const std::string& what) { throw Error(what, out_->file()); };
        if (bytes.size() < 20) broken("the container ends within its header");
        if (const std::uint32_t version = little32(bytes, 4); version != 2)
            broken("container version " + std::to_string(version) + "; expected 2");
        if (const std::uint32_t length = little32(bytes, 8); length > bytes.size())
            broken("holds " + std::to_string(bytes.size()) + " bytes; its header says " +
                   std::to_string(length));
        std::string_view text;
        for (std::size_t at = 12; at + 8 <= bytes.size();) {
            const std::size_t length = little32(bytes, at), kind = little32(bytes, at + 4);
            if (length > bytes.size() - at - 8)
                broken("the chunk at byte " + std::to_string(at) + " has " + std::to_string(length) +
                       " bytes; " + std::to_string(bytes.size() - at - 8) + " are left");
            if (at == 12 && kind != 0x4E4F534A) broken("the first chunk is not JSON");
            if (at == 12) text = bytes.substr(at + 8, length);
            else if (kind == 0x004E4942 && !chunk_) chunk_ = bytes.substr(at + 8, length);
            at += 8 + length;
        }
        return text;
    }

    // ---- values of the JSON text ----------------------------------------------------------------------------------

    const Value* find(const Value& object, std::string_view key, Kind kind) const {
        const Value* value = object.kind == Kind::object ? object.find(key) : nullptr;
        if (value && value->kind != kind) fail(*value, "'" + std::string(key) + "' is " + value->shown());
        return value;
    }

    /// The entries of an array of the root; none if there is no such array.
    const std::vector<Value>& items(std::string_view key) const {
        static const std::vector<Value> none;
        const Value* value = find(root_, key, Kind::array);
        return value ? value->items : none;
    }

    std::size_t number(const Value& value, std::size_t end, const char* what) const {
        if (value.kind != Kind::number || !(value.number >= 0) || value.number != std::floor(value.number) ||
            !(value.number < static_cast<double>(end)))
            fail(value, std::string(what) + " " + value.shown() + "; expected a whole number below " +
                            std::to_string(end));
        return static_cast<std::size_t>(value.number);
    }

    /// A size or an offset in bytes, or a count; `otherwise` if it is not given.
    std::size_t size(const Value& object, std::string_view key, std::size_t otherwise) const {
        const Value* value = find(object, key, Kind::number);
        return value ? number(*value, std::size_t{1} << 31, std::string(key).c_str()) : otherwise;
    }

    const Value& entry(const Value& object, std::string_view key, std::string_view list) const {
        const Value* index = find(object, key, Kind::number);
        if (!index) fail(object, "lacks '" + std::string(key) + "'");
        return items(list)[number(*index, items(list).size(), std::string(key).c_str())];
    }

    std::string name_of(const Value& object) const {
        const Value* name = find(object, "name", Kind::string);
        return name ? name->text : std::string();
    }

    template <std::size_t n>
    std::array<double, n> numbers(const Value& object, std::string_view key,
                                  std::array<double, n> otherwise) const {
        const Value* list = find(object, key, Kind::array);
        if (!list) return otherwise;
        if (list->items.size() != n)
            fail(*list, "'" + std::string(key) + "' has " + std::to_string(list->items.size()) +
                            " entries; expected " + std::to_string(n));
        for (std::size_t i = 0; i < n; ++i) {
            if (list->items[i].kind != Kind::number) fail(list->items[i], "is not a number");
            otherwise[i] = list->items[i].number;
        }
        return otherwise;
    }

    void check_extensions() const {
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

    // ---- buffers --------------------------------------------------------------------------------------------------

    /// A file of the folder that the .gltf file is in, or below.
    std::string external(const Value& uri) const {
        if (!out_->options().external_files) fail(uri, "names a file, and external files are switched off");
        const std::optional<std::string> name = without_escapes(uri.text);
        if (!name || name->empty() || name->find('\0') != std::string::npos) fail(uri, "is not a path");
        std::string path;
        try {
            path = path_beside(out_->file(), *name);
        } catch (const Error& error) {
            fail(uri, quote(*name) + " " + error.what());
        }
        return file_text(path, out_->options().max_bytes);
    }

    std::string_view buffer(std::size_t index) {
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
            if (!held && uri->text.substr(0, 5) == "data:") {
                const std::size_t comma = uri->text.find(";base64,");
                if (comma != std::string::npos)
                    held = from_base64(std::string_view(uri->text).substr(comma + 8));
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
    std::pair<std::string_view, std::size_t> viewed(const Value& object, std::size_t count,
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

    /// Elements of an accessor; `sparse` ones are read by patch().
    Elements accessor(const Value& value, std::size_t components, const char* type) {
        const Value* kind = find(value, "type", Kind::string);
        if (!kind || kind->text != type) fail(value, std::string("is not of type ") + type);
        Elements out;
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

    std::vector<std::uint32_t> indices_of(const Value& value, std::size_t end) {
        const Elements from = accessor(value, 1, "SCALAR");
        if (from.type != 5121 && from.type != 5123 && from.type != 5125)
            fail(value, "indices of component type " + std::to_string(from.type));
        if (value.find("sparse")) fail(value, "sparse indices cannot be read");
        std::vector<std::uint32_t> out(from.count);
        for (std::size_t i = 0; i < out.size(); ++i) {
            const double index = component(from, i, 0);
            if (index >= static_cast<double>(end))
                fail(value, "index " + std::to_string(i) + " names vertex " +
                                std::to_string(static_cast<std::uint64_t>(index)) + "; there are " +
                                std::to_string(end));
            out[i] = static_cast<std::uint32_t>(index);
        }
        return out;
    }

    /// Replaces some positions by those of the accessor's `sparse` list.
    void patch(const Value& value, const Elements& like, std::vector<DVec3>& positions) {
        const Value* sparse = find(value, "sparse", Kind::object);
        if (!sparse) return;
        const std::size_t count = size(*sparse, "count", 0);
        const Value *where = find(*sparse, "indices", Kind::object),
                    *what = find(*sparse, "values", Kind::object);
        if (!where || !what) fail(*sparse, "lacks 'indices' or 'values'");
        Elements index{{}, 0, count, static_cast<int>(size(*where, "componentType", 0)), false};
        if (index.type != 5121 && index.type != 5123 && index.type != 5125)
            fail(*where, "indices of component type " + std::to_string(index.type));
        std::tie(index.bytes, index.stride) = viewed(*where, count, size_of(index.type));
        Elements values = like;
        std::tie(values.bytes, values.stride) = viewed(*what, count, 3 * size_of(like.type));
        for (std::size_t i = 0; i < count; ++i) {
            const double at = component(index, i, 0);
            if (at >= static_cast<double>(positions.size())) fail(*where, "a sparse index is out of range");
            positions[static_cast<std::size_t>(at)] = {component(values, i, 0), component(values, i, 1),
                                                       component(values, i, 2)};
        }
    }

    std::vector<DVec3> positions_of(const Value& value) {
        const Elements from = accessor(value, 3, "VEC3");
        out_->expect_vertices(from.count); // an accessor that is only sparse has no bytes behind its count
        std::vector<DVec3> out(from.count);
        if (from.stride > 0)
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = {component(from, i, 0), component(from, i, 1), component(from, i, 2)};
        patch(value, from, out);
        return out;
    }

    // ---- nodes ----------------------------------------------------------------------------------------------------

    /// Of the scene to show; in a file without scenes, all nodes that are nobody's child.
    std::vector<std::size_t> root_nodes() const {
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

    Matrix transform(const Value& node) const {
        if (node.find("matrix")) return numbers<16>(node, "matrix", identity);
        const auto t = numbers<3>(node, "translation", {0, 0, 0}), s = numbers<3>(node, "scale", {1, 1, 1});
        const auto r = numbers<4>(node, "rotation", {0, 0, 0, 1});
        const DQuat q = normalized(DQuat{r[0], r[1], r[2], r[3]});
        const DVec3 x = s[0] * rotate(q, DVec3{1, 0, 0}), y = s[1] * rotate(q, DVec3{0, 1, 0}),
                    z = s[2] * rotate(q, DVec3{0, 0, 1});
        return {x.x, x.y, x.z, 0, y.x, y.y, y.z, 0, z.x, z.y, z.z, 0, t[0], t[1], t[2], 1};
    }

    void visit(std::size_t index, const Matrix& parent, int depth) {
        const Value& node = items("nodes")[index];
        if (on_way_[index] || depth > most_nested_nodes)
            fail(node, "the node is its own ancestor, or nested too deep");
        // each node has one parent, by the specification; a file that repeats them could grow without end
        if (++visits_ > items("nodes").size()) fail(node, "a node is used more than once");
        on_way_[index] = true;
        const Matrix here = parent * transform(node);
        if (const Value* mesh = find(node, "mesh", Kind::number)) {
            const Value& found = items("meshes")[number(*mesh, items("meshes").size(), "mesh")];
            const std::string name = name_of(node);
            out_->part(name.empty() ? name_of(found) : name);
            if (const Value* primitives = find(found, "primitives", Kind::array))
                for (const Value& primitive : primitives->items) add(primitive, here);
        }
        if (const Value* children = find(node, "children", Kind::array))
            for (const Value& child : children->items)
                visit(number(child, items("nodes").size(), "child"), here, depth + 1);
        on_way_[index] = false;
    }

    void add(const Value& primitive, const Matrix& m) {
        const std::size_t mode = size(primitive, "mode", 4);
        if (mode < 4) return; // points and lines
        if (mode > 6) fail(primitive, "mode " + std::to_string(mode) + " is unknown");
        const Value* attributes = find(primitive, "attributes", Kind::object);
        if (!attributes || !attributes->find("POSITION")) return; // nothing to show, by the specification
        const std::vector<DVec3> positions = positions_of(entry(*attributes, "POSITION", "accessors"));
        std::vector<std::uint32_t> corners;
        if (primitive.find("indices")) {
            corners = indices_of(entry(primitive, "indices", "accessors"), positions.size());
        } else {
            corners.resize(positions.size());
            for (std::uint32_t i = 0; i < corners.size(); ++i) corners[i] = i;
        }
        out_->material(primitive.find("material") ? name_of(entry(primitive, "material", "materials"))
                                                  : std::string());

        const auto first = static_cast<std::uint32_t>(out_->mesh().vertices.size());
        out_->expect_vertices(positions.size());
        for (const DVec3& p : positions) {
            const DVec3 at = place(m, p);
            if (!is_coordinate(at.x) || !is_coordinate(at.y) || !is_coordinate(at.z))
                fail(primitive, "a vertex is not finite");
            out_->vertex(narrow(at));
        }
        const bool mirrored = mirrors(m);
        const auto triangle = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            if (mirrored) std::swap(b, c);
            out_->triangle(first + a, first + b, first + c);
        };
        const std::size_t n = corners.size();
        if (mode == 4 && n % 3 != 0)
            fail(primitive, std::to_string(n) + " corners; expected a multiple of 3");
        for (std::size_t i = 2; i < n; i += mode == 4 ? 3 : 1) {
            // every other triangle of a strip runs the other way round
            const bool turned = mode == 5 && i % 2 != 0;
            if (mode == 6) triangle(corners[0], corners[i - 1], corners[i]);
            else triangle(corners[turned ? i - 1 : i - 2], corners[turned ? i - 2 : i - 1], corners[i]);
        }
    }
};

} // namespace

void read_gltf(std::string_view bytes, MeshMaker& out) { GltfReader(out).read(bytes); }

} // namespace scree
