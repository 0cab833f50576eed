// SPDX-License-Identifier: MIT
// md5_mesh.cpp — the .md5mesh files of Doom 3, version 10 (id Software 2004).
//
//     MD5Version 10   commandline "…"   numJoints n   numMeshes n
//     joints { "name" parent ( position ) ( rotation ) … }                       in the frame of the model
//     mesh { shader "…"  numverts n  vert i ( s t ) first count …  numtris n  tri i a b c …
//            numweights n  weight i joint bias ( position ) … }                   positions in the frame of the joint
//
// Triangles are clockwise seen from outside. A vertex is the sum of bias * joint(position) over its weights.
#include "model/md5_text.h"
#include "model/model_maker.h"
#include "scree/error.h"
#include "text/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace scree {
namespace {

constexpr std::size_t joint_bytes = 20, vertex_bytes = 18, triangle_bytes = 12, weight_bytes = 18;

struct Md5Weight {
    std::uint32_t joint = 0;
    double bias = 0;
    Vec3 position{};
};
struct Md5Triangle {
    std::array<std::uint32_t, 3> corners{};
    Md5Token at{}; ///< of its last corner
};
struct Md5Vertex {
    std::size_t first = 0, count = 0;
    Md5Token at{}; ///< of the number of its first weight
    std::array<float, 2> texture_place{};
};

class Md5MeshReader {
public:
    Md5MeshReader(std::string_view bytes, const std::string& file, const ModelFileOptions& options)
        : text_(bytes, file), options_(options) {}

    SkinnedModel read() {
        text_.expect("MD5Version");
        text_.whole("the version of the format", 10, 10);
        for (Md5Token token = text_.take(); !token.ends(); token = text_.take()) {
            if (token.is("commandline")) text_.name("a command line");
            else if (token.is("numJoints")) count_joints();
            else if (token.is("numMeshes")) meshes_ = text_.count("meshes", options_.max_triangles, 10);
            else if (token.is("joints")) read_joints();
            else if (token.is("mesh")) read_mesh();
            else
                text_.fail("the word '" + std::string(token.text.substr(0, 40)) +
                           "' is unknown; expected numJoints, numMeshes, joints or mesh");
        }
        if (read_meshes_ != meshes_)
            text_.fail("the file has " + count_of(read_meshes_, "mesh", "meshes") + "; numMeshes says " +
                       count_text(meshes_));
        if (model_.mesh.triangles.empty()) throw Error("holds no triangles", text_.file());
        model_.name = text_.file();
        model_.colours.resize(model_.mesh.materials.size());
        model_.normals = smooth_normals(model_.mesh);
        if (unequal_ > 0)
            model_.warnings.push_back(count_of(unequal_, "vertex has", "vertices have") +
                                      " weights that do not sum to 1, which were divided by their sum");
        if (apart_ > 0)
            model_.warnings.push_back(count_of(apart_, "vertex has", "vertices have") +
                                      " weights that place it apart in the bind pose");
        return std::move(model_);
    }

private:
    Md5Text text_;
    const ModelFileOptions& options_;
    SkinnedModel model_;
    std::size_t joints_ = 0, meshes_ = 0, read_meshes_ = 0, unequal_ = 0, apart_ = 0;
    std::vector<std::uint32_t> number_; ///< in the model, of the joints of the file
    std::vector<Pose> poses_;           ///< of the file's joints

    void count_joints() {
        if (!poses_.empty()) text_.fail("numJoints after the joints; expected it before");
        joints_ = text_.count("joints", options_.max_joints, joint_bytes);
    }

    void read_joints() {
        if (!poses_.empty()) text_.fail("a second list of joints");
        const Md5Token start = text_.last();
        text_.expect("{");
        std::vector<std::string> names;
        std::vector<std::int32_t> parents;
        std::vector<Md5Token> places;
        for (std::size_t j = 0; j < joints_; ++j) {
            names.push_back(text_.name("the name of a joint"));
            parents.push_back(static_cast<std::int32_t>(
                text_.whole("a parent", -1, static_cast<std::int64_t>(joints_) - 1)));
            places.push_back(text_.last());
            const Vec3 position = options_.scale * text_.vector("a position");
            poses_.push_back({position, text_.rotation("a rotation")});
        }
        text_.expect("}");
        if (joints_ == 0) text_.fail("no joints; expected \"numJoints\" before this, and at least 1", start);
        const std::vector<std::uint32_t> order = parents_first(parents);
        if (order.size() < joints_) {
            std::vector<bool> reached(joints_, false);
            for (const std::uint32_t j : order) reached[j] = true;
            const auto lost =
                static_cast<std::size_t>(std::find(reached.begin(), reached.end(), false) - reached.begin());
            text_.fail("joint " + std::to_string(lost) +
                           " is its own ancestor, or hangs on one that is; expected a tree",
                       places[lost]);
        }
        number_.resize(joints_);
        for (std::uint32_t k = 0; k < order.size(); ++k) number_[order[k]] = k;
        for (const std::uint32_t j : order) {
            ModelJoint joint;
            joint.name = names[j];
            Pose rest = poses_[j];
            if (parents[j] >= 0) {
                const auto parent = static_cast<std::size_t>(parents[j]);
                joint.parent = static_cast<std::int32_t>(number_[parent]);
                rest = narrow(inverse(wide(poses_[parent])) * wide(poses_[j]));
            }
            joint.rest = {rest.position, normalized(rest.rotation)};
            model_.bones.push_back(
                {static_cast<std::uint32_t>(model_.joints.size()), affine(narrow(inverse(wide(poses_[j]))))});
            model_.joints.push_back(std::move(joint));
        }
    }

    void read_mesh() {
        if (poses_.empty()) text_.fail("a mesh before the joints");
        if (read_meshes_ == meshes_)
            text_.fail("a mesh more than the " + count_text(meshes_) + " that numMeshes says");
        ++read_meshes_;
        text_.expect("{");
        std::string shader;
        std::vector<Md5Vertex> vertices;
        std::vector<Md5Triangle> triangles;
        std::vector<Md5Weight> weights;
        for (Md5Token token = text_.take(); !token.is("}"); token = text_.take()) {
            if (token.ends()) text_.fail("the file ends within a mesh");
            if (token.is("shader")) shader = text_.name("the name of a material");
            else if (token.is("numverts")) vertices = read_vertices();
            else if (token.is("numtris")) triangles = read_triangles();
            else if (token.is("numweights")) weights = read_weights();
            else
                text_.fail("the word '" + std::string(token.text.substr(0, 40)) +
                           "' is unknown; expected shader, numverts, numtris, numweights or }");
        }
        add(shader, vertices, triangles, weights);
    }

    /// "what 0 … what n - 1", in any order.
    template <class Entry, class Read>
    std::vector<Entry> list(const char* word, std::size_t most, std::size_t bytes, const Read& read) {
        const std::size_t n = text_.count(word, most, bytes);
        std::vector<Entry> out(n);
        std::vector<bool> seen(n, false);
        for (std::size_t k = 0; k < n; ++k) {
            text_.expect(word);
            const auto i = static_cast<std::size_t>(
                text_.whole("a number of the list", 0, static_cast<std::int64_t>(n) - 1));
            if (seen[i]) text_.fail(std::string(word) + " " + std::to_string(i) + " is there twice");
            seen[i] = true;
            read(out[i]);
        }
        return out;
    }

    std::vector<Md5Vertex> read_vertices() {
        const std::size_t room = options_.max_vertices - model_.mesh.vertices.size();
        return list<Md5Vertex>("vert", room, vertex_bytes, [&](Md5Vertex& vertex) {
            text_.expect("(");
            for (float& place : vertex.texture_place)
                place = static_cast<float>(text_.number("a texture coordinate"));
            text_.expect(")");
            vertex.first = static_cast<std::size_t>(text_.whole("the first weight", 0, 1 << 30));
            vertex.at = text_.last();
            vertex.count = static_cast<std::size_t>(text_.whole("a number of weights", 1, 1 << 30));
        });
    }

    std::vector<Md5Triangle> read_triangles() {
        const std::size_t room = options_.max_triangles - model_.mesh.triangles.size();
        return list<Md5Triangle>("tri", room, triangle_bytes, [&](Md5Triangle& triangle) {
            for (std::uint32_t& corner : triangle.corners)
                corner = static_cast<std::uint32_t>(text_.whole("a vertex", 0, 1 << 30));
            triangle.at = text_.last();
        });
    }

    std::vector<Md5Weight> read_weights() {
        return list<Md5Weight>("weight", 16 * options_.max_vertices, weight_bytes, [&](Md5Weight& weight) {
            weight.joint =
                static_cast<std::uint32_t>(text_.whole("a joint", 0, static_cast<std::int64_t>(joints_) - 1));
            weight.bias = text_.number("a weight");
            if (weight.bias < 0) text_.fail("a weight is negative; expected 0 to 1");
            weight.position = options_.scale * text_.vector("a position");
        });
    }

    void add(const std::string& shader, const std::vector<Md5Vertex>& vertices,
             const std::vector<Md5Triangle>& triangles, const std::vector<Md5Weight>& weights) {
        TriangleMesh& mesh = model_.mesh;
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        const auto number = static_cast<std::uint32_t>(mesh.materials.size());
        mesh.parts.push_back("mesh " + std::to_string(number));
        mesh.materials.push_back(shader);
        // vertices may share weights, which must not take much more memory than the file
        std::size_t used = 0;
        for (const Md5Vertex& vertex : vertices) {
            if (vertex.first >= weights.size() || vertex.count > weights.size() - vertex.first)
                text_.fail("weights " + std::to_string(vertex.first) + " to " +
                               std::to_string(vertex.first + vertex.count - 1) + "; the mesh has " +
                               std::to_string(weights.size()),
                           vertex.at);
            used += vertex.count;
            if (used > 16 * vertices.size() + weights.size())
                text_.fail("too many weights; at most 16 for each vertex are read", vertex.at);
            model_.texture_places.push_back(vertex.texture_place);
            mesh.vertices.push_back(bound(std::span(weights).subspan(vertex.first, vertex.count), vertex.at));
        }
        for (const Md5Triangle& triangle : triangles) {
            const auto& [a, b, c] = triangle.corners;
            for (const std::uint32_t corner : {a, b, c})
                if (corner >= vertices.size())
                    text_.fail("a triangle names vertex " + std::to_string(corner) + "; the mesh has " +
                                   std::to_string(vertices.size()),
                               triangle.at);
            mesh.triangles.push_back({first + a, first + c, first + b});
            mesh.triangle_parts.push_back(number);
            mesh.triangle_materials.push_back(number);
        }
    }

    /// Where the bind pose has a vertex; adds its weights.
    Vec3 bound(std::span<const Md5Weight> weights, const Md5Token& at) {
        double sum = 0;
        DVec3 place;
        std::vector<BoneWeight> bones;
        for (const Md5Weight& weight : weights) {
            sum += weight.bias;
            place += weight.bias * apply(wide(poses_[weight.joint]), wide(weight.position));
            bones.push_back({number_[weight.joint], static_cast<float>(weight.bias)});
        }
        if (!(sum > 1e-6)) text_.fail("its weights sum to 0; expected 1", at);
        place /= sum;
        if (std::fabs(sum - 1) > 0.01) ++unequal_;
        for (const Md5Weight& weight : weights) {
            const DVec3 alone = apply(wide(poses_[weight.joint]), wide(weight.position));
            if (weight.bias > 0 && length(alone - place) > 1e-3 * (length(place) + double{options_.scale})) {
                ++apart_;
                break;
            }
        }
        add_weights(model_, bones);
        return narrow(place);
    }
};

} // namespace

SkinnedModel read_md5mesh(std::string_view text, const std::string& file, const ModelFileOptions& options) {
    return Md5MeshReader(text, file, options).read();
}

} // namespace scree
