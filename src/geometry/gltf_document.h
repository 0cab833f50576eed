// SPDX-License-Identifier: MIT
// gltf_document.h — a glTF 2.0 file: its JSON text, its buffers and the numbers of its accessors, for the readers of meshes and of
// animated models. Each offset, stride and count is checked against the bytes that are there before it is used.
#pragma once

#include "text/json.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree {

/// Column by column, as files give it: the image of x is m[0..2], the translation m[12..14].
using GltfMatrix = std::array<double, 16>;
constexpr GltfMatrix gltf_identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/// A run of equal elements in a buffer.
struct GltfElements {
    std::string_view bytes; ///< from the first element on
    std::size_t stride = 0, count = 0;
    int type = 0; ///< 5120 … 5126
    bool normalized = false;
};
double gltf_component(const GltfElements& from, std::size_t i, std::size_t k);

class GltfDocument {
public:
    /// What a file that the document names holds; throws Error without a place.
    using External = std::function<std::string(const std::string& name)>;

    /// Throws Error for what is not glTF 2, and for extensions without which its triangles cannot be read. `bytes` must outlive it; without
    /// `external`, buffers in files are refused.
    GltfDocument(std::string_view bytes, const std::string& file, External external);

    [[noreturn]] void fail(const json::Value& at, const std::string& what) const;

    // values of the JSON text
    const json::Value& root() const { return root_; }
    const json::Value* find(const json::Value& object, std::string_view key, json::Kind kind) const;
    /// The entries of an array of the root; none if there is no such array.
    const std::vector<json::Value>& items(std::string_view key) const;
    /// A whole number below `end`.
    std::size_t number(const json::Value& value, std::size_t end, const char* what) const;
    /// A size or an offset in bytes, or a count; `otherwise` if it is not given.
    std::size_t size(const json::Value& object, std::string_view key, std::size_t otherwise) const;
    /// The entry of a list of the root that a key names.
    const json::Value& entry(const json::Value& object, std::string_view key, std::string_view list) const;
    std::string name_of(const json::Value& object) const;
    template <std::size_t n>
    std::array<double, n> numbers(const json::Value& object, std::string_view key,
                                  std::array<double, n> otherwise) const {
        const json::Value* list = find(object, key, json::Kind::array);
        if (list) read_numbers(*list, key, otherwise.data(), n);
        return otherwise;
    }

    // accessors
    GltfElements accessor(const json::Value& value, std::size_t components, const char* type);
    /// Of a mesh's primitive with this many vertices, which is a list, a strip or a fan; none of points and lines.
    std::vector<std::array<std::uint32_t, 3>> triangles_of(const json::Value& primitive,
                                                           std::size_t vertices);
    /// All numbers of an accessor, with those of its `sparse` list. `most`: more elements are refused.
    std::vector<double> numbers_of(const json::Value& value, std::size_t components, const char* type,
                                   std::size_t most);

    // pictures
    struct Picture {
        std::string name;    ///< of the file it is in
        std::string bytes;   ///< of a PNG or JPEG file
        std::string problem; ///< why there are none: it is missing, or cannot be read
    };
    /// An entry of "images". Throws Error for what is wrong in the text, and for files outside the folder.
    Picture picture(const json::Value& image);

    // nodes
    /// Of the scene to show; in a file without scenes, all nodes that are nobody's child.
    std::vector<std::size_t> root_nodes() const;
    GltfMatrix transform(const json::Value& node) const;

private:
    std::vector<std::uint32_t> indices_of(const json::Value& value, std::size_t end);
    std::string_view json_of_container(std::string_view bytes);
    void check_extensions() const;
    void read_numbers(const json::Value& list, std::string_view key, double* out, std::size_t n) const;
    std::string path_of(const json::Value& uri) const;
    std::string external(const json::Value& uri) const;
    std::string_view buffer(std::size_t index);
    std::pair<std::string_view, std::size_t> viewed(const json::Value& object, std::size_t count,
                                                    std::size_t width);
    void patch(const json::Value& value, const GltfElements& like, std::size_t components,
               std::vector<double>& numbers);

    std::string file_;
    External external_;
    json::Value root_;
    std::optional<std::string_view> chunk_; ///< the binary chunk of a .glb
    std::vector<std::optional<std::string>> loaded_;
};

} // namespace scree
