// SPDX-License-Identifier: MIT
// level_xml.cpp — the XML files of a level: .bsp, the partition, and .grf, the graph of cells and portals.
#include "level/xml.h"
#include "scree/error.h"
#include "scree/level_file.h"

#include <algorithm>
#include <initializer_list>

namespace scree {
namespace {

std::string of(std::initializer_list<double> values) { return xml_numbers(values.begin(), values.size()); }
std::string of(DVec3 v) { return of({v.x, v.y, v.z}); }
std::string of(std::uint32_t value) { return std::to_string(value); }

DVec3 vector(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

std::string plane_text(DVec3 normal, double distance) { return of({normal.x, normal.y, normal.z, distance}); }

std::string vertex_line(const LevelGraph::Vertex& v, const char* indent) {
    return indent + ("<v at=\"" + of(v.at) + "\" uv=\"" + of({v.u, v.v}) + "\"/>\n");
}

LevelGraph::Vertex read_vertex(const XmlReader& in) {
    const auto uv = in.numbers<2>("uv");
    return {vector(in.numbers<3>("at")), uv[0], uv[1]};
}

} // namespace

// .bsp -------------------------------------------------------------------------------------------------------------

std::string bsp_text(const LevelCells& cells) {
    std::string out = "<?xml version=\"1.0\"?>\n<bsp cells=\"" + std::to_string(cells.cells.size()) + "\">\n";
    struct Step {
        std::uint32_t child;
        const char* text; ///< written instead of a child, if there is one
    };
    std::vector<Step> stack{{cells.nodes.empty() ? LevelCells::leaf_bit | cells.cell_at({}) : 0, nullptr}};
    while (!stack.empty()) {
        const Step step = stack.back();
        stack.pop_back();
        if (step.text) {
            out += step.text;
        } else if (step.child & LevelCells::leaf_bit) {
            const std::uint32_t cell = step.child & ~LevelCells::leaf_bit;
            out += cell == LevelCells::solid ? "<solid/>\n" : "<leaf cell=\"" + of(cell) + "\"/>\n";
        } else {
            const LevelCells::Node& node = cells.nodes[step.child];
            out += "<node id=\"" + of(step.child) + "\" plane=\"" + plane_text(node.normal, node.distance) +
                   "\">\n<front>\n";
            stack.push_back({0, "</back>\n</node>\n"});
            stack.push_back({node.children[1], nullptr});
            stack.push_back({0, "</front>\n<back>\n"});
            stack.push_back({node.children[0], nullptr});
        }
    }
    return out + "</bsp>\n";
}

LevelCells parse_bsp(std::string_view text, const std::string& file) {
    constexpr std::uint32_t unset = 0; // the root is nobody's child
    XmlReader in(text, file);
    LevelCells out;
    struct Slot {
        std::uint32_t node, side;
    };
    std::vector<Slot> open; // nodes that are not closed, and the side that is being read
    std::vector<bool> known;
    bool began = false, ended = false, root = false;
    std::uint32_t count = 0;
    const auto put = [&](std::uint32_t child) {
        if (open.empty()) {
            if (root) in.fail("a second tree: expected one");
            root = true;
            return;
        }
        std::uint32_t& slot = open.back().side < 2 ? out.nodes[open.back().node].children[open.back().side]
                                                   : out.nodes[open.back().node].children[0];
        if (open.back().side > 1 || slot != unset)
            in.fail("<" + in.name() + "> is not the one child of <front> or <back>");
        slot = child;
    };
    while (in.next()) {
        const std::string& name = in.name();
        if (ended) in.fail("an element after </bsp>");
        if (!began) {
            if (name != "bsp" || !in.begins()) in.fail("expected <bsp>, found <" + name + ">");
            began = true;
            count = in.whole("cells");
            if (count > text.size() / 16) in.fail("more cells than the file has room for");
            out.cells.resize(count);
        } else if (name == "bsp") {
            if (in.begins()) in.fail("<bsp> within <bsp>");
            ended = true;
        } else if (name == "node" && in.begins()) {
            const std::uint32_t id = in.whole("id");
            if (id > text.size() / 30) in.fail("the number of a node is larger than the file");
            if (id < known.size() && known[id]) in.fail("the node " + of(id) + " is given twice");
            if (open.empty() ? id != 0 : id <= open.back().node)
                in.fail("the number of a node is not above that of its parent, or the first is not 0");
            put(id);
            if (id >= out.nodes.size()) out.nodes.resize(id + 1), known.resize(id + 1);
            known[id] = true;
            const auto plane = in.numbers<4>("plane");
            out.nodes[id] = {{plane[0], plane[1], plane[2]}, plane[3], {unset, unset}};
            open.push_back({id, 2});
        } else if (name == "node") {
            for (const std::uint32_t child : out.nodes[open.back().node].children)
                if (child == unset) in.fail("a node has no front or no back");
            open.pop_back();
        } else if (name == "front" || name == "back") {
            if (open.empty() || (in.begins() && open.back().side != 2))
                in.fail("<" + name + "> outside of a node");
            open.back().side = in.begins() ? (name == "front" ? 0u : 1u) : 2u;
        } else if (name == "leaf" || name == "solid") {
            if (!in.begins()) continue;
            const std::uint32_t cell = name == "leaf" ? in.whole("cell") : LevelCells::solid;
            if (name == "leaf" && cell >= count)
                in.fail("the cell " + of(cell) + " is named, but there are " + of(count));
            put(LevelCells::leaf_bit | cell);
        } else {
            in.fail("unknown element <" + name + ">");
        }
    }
    if (!ended || !root) in.fail("expected <bsp> with a tree");
    if (!std::all_of(known.begin(), known.end(), [](bool one) { return one; }))
        in.fail("the numbers of the nodes have gaps");
    if (out.nodes.empty() && count > 1) in.fail("one leaf, but more than one cell");
    return out;
}

// .grf -------------------------------------------------------------------------------------------------------------

LevelGraph graph_of(const CompiledLevel& compiled) {
    const Level& level = compiled.level;
    LevelGraph out;
    out.textures = level.materials;
    out.texels = level.texels;
    out.portals = compiled.cells.portals;
    for (const LevelCells::Cell& cell : compiled.cells.cells) {
        LevelGraph::Cell& made = out.cells.emplace_back();
        made.low = cell.low, made.high = cell.high;
        made.volume = cell.volume;
        made.outside = cell.outside, made.convex = cell.convex;
        made.portals = cell.portals;
        for (const LevelCells::Face& one : cell.faces) {
            if (made.volumes.empty() || made.volumes.back().id != one.brush)
                made.volumes.push_back({one.brush, {}});
            const LevelBrush& brush = level.brushes[one.brush];
            const LevelFace& face = brush.faces[one.face];
            LevelGraph::Face& copy = made.volumes.back().faces.emplace_back();
            copy.id = one.face, copy.texture = face.material;
            copy.normal = face.normal;
            copy.distance = dot(face.normal, brush.vertices[face.corners[0]]);
            for (std::size_t k = 0; k < face.corners.size(); ++k)
                copy.corners.push_back(
                    {brush.vertices[face.corners[k]], face.coordinates[k][0], face.coordinates[k][1]});
        }
        for (const std::uint32_t p : cell.patches) {
            const LevelPatch& patch = level.patches[p];
            LevelGraph::Patch& copy = made.patches.emplace_back();
            copy.id = p, copy.texture = patch.material;
            for (std::size_t k = 0; k < patch.vertices.size(); ++k)
                copy.vertices.push_back(
                    {patch.vertices[k], patch.coordinates[k][0], patch.coordinates[k][1]});
            copy.triangles = patch.triangles;
        }
        for (const std::uint32_t l : cell.lights)
            made.lights.push_back(
                {l, level.lights[l].position, level.lights[l].colour, level.lights[l].intensity});
    }
    for (std::uint32_t e = 0; e < compiled.entities.size(); ++e) {
        MapEntity entity;
        entity.keys = compiled.entities[e];
        const auto origin = entity.vector("origin");
        const std::string* file = entity.find("model");
        if (!origin || !file || file->empty() || file->front() == '*') continue;
        const std::uint32_t cell = compiled.cells.cell_at(*origin);
        if (cell == LevelCells::solid) continue;
        out.cells[cell].models.push_back({e, *origin, std::string(entity.classname()), *file});
    }
    return out;
}

std::string grf_text(const LevelGraph& graph) {
    std::string out = "<?xml version=\"1.0\"?>\n<graph texels=\"" + of(std::uint32_t{graph.texels}) + "\">\n";
    for (std::size_t i = 0; i < graph.textures.size(); ++i)
        out += "<texture id=\"" + std::to_string(i) + "\" name=\"" + xml_text(graph.textures[i]) + "\"/>\n";
    for (std::size_t c = 0; c < graph.cells.size(); ++c) {
        const LevelGraph::Cell& cell = graph.cells[c];
        out += "<cell id=\"" + std::to_string(c) + "\" size=\"" + of({cell.volume}) + "\" outside=\"" +
               of(std::uint32_t{cell.outside}) + "\" convex=\"" + of(std::uint32_t{cell.convex}) + "\">\n" +
               " <aabb low=\"" + of(cell.low) + "\" high=\"" + of(cell.high) + "\"/>\n";
        for (const LevelGraph::Volume& volume : cell.volumes) {
            out += " <volume id=\"" + of(volume.id) + "\">\n";
            for (const LevelGraph::Face& face : volume.faces) {
                out += "  <face id=\"" + of(face.id) + "\" plane=\"" +
                       plane_text(face.normal, face.distance) + "\" texture=\"" + of(face.texture) + "\">\n";
                for (const LevelGraph::Vertex& v : face.corners) out += vertex_line(v, "   ");
                out += "  </face>\n";
            }
            out += " </volume>\n";
        }
        for (const LevelGraph::Patch& patch : cell.patches) {
            out += " <patch id=\"" + of(patch.id) + "\" texture=\"" + of(patch.texture) + "\">\n";
            for (const LevelGraph::Vertex& v : patch.vertices) out += vertex_line(v, "  ");
            for (const auto& t : patch.triangles)
                out += "  <t a=\"" + of(t[0]) + "\" b=\"" + of(t[1]) + "\" c=\"" + of(t[2]) + "\"/>\n";
            out += " </patch>\n";
        }
        for (const LevelGraph::Light& light : cell.lights)
            out += " <light id=\"" + of(light.id) + "\" at=\"" + of(light.at) + "\" intensity=\"" +
                   of({light.intensity}) + "\" colour=\"" + of(light.colour) + "\"/>\n";
        for (const LevelGraph::Model& model : cell.models)
            out += " <model entity=\"" + of(model.entity) + "\" class=\"" + xml_text(model.name) +
                   "\" at=\"" + of(model.at) + "\" file=\"" + xml_text(model.file) + "\"/>\n";
        for (const std::uint32_t p : cell.portals) {
            const LevelCells::Portal& portal = graph.portals[p];
            out += " <portal id=\"" + of(p) + "\" to=\"" + of(portal.to) + "\" twin=\"" + of(portal.twin) +
                   "\" plane=\"" + plane_text(portal.normal, portal.distance) + "\" area=\"" +
                   of({portal.area}) + "\">\n";
            for (const DVec3& at : portal.corners) out += "  <p at=\"" + of(at) + "\"/>\n";
            out += " </portal>\n";
        }
        out += "</cell>\n";
    }
    return out + "</graph>\n";
}

namespace {

class GraphReader {
public:
    GraphReader(std::string_view text, const std::string& file) : in_(text, file), size_(text.size()) {}

    LevelGraph read() {
        while (in_.next()) {
            if (in_.begins()) begin();
            else end();
        }
        if (!ended_) in_.fail("expected <graph>");
        check();
        return std::move(out_);
    }

private:
    void within(std::string_view parent) {
        if (path_.empty() ? !parent.empty() : path_.back() != parent)
            in_.fail("<" + in_.name() + "> in " + (path_.empty() ? "nothing" : "<" + path_.back() + ">") +
                     ": expected in <" + std::string(parent) + ">");
    }
    LevelGraph::Cell& cell() { return out_.cells.back(); }

    void begin() {
        const std::string& name = in_.name();
        if (ended_) in_.fail("an element after </graph>");
        if (name == "graph") within(""), out_.texels = in_.flag("texels");
        else if (name == "texture") texture();
        else if (name == "cell") begin_cell();
        else if (name == "aabb") {
            within("cell");
            cell().low = vector(in_.numbers<3>("low"));
            cell().high = vector(in_.numbers<3>("high"));
        } else if (name == "volume") within("cell"), cell().volumes.push_back({in_.whole("id"), {}});
        else if (name == "face") begin_face();
        else if (name == "patch") {
            within("cell");
            cell().patches.push_back({in_.whole("id"), texture_number(), {}, {}});
        } else if (name == "v") vertex();
        else if (name == "t") {
            within("patch");
            cell().patches.back().triangles.push_back({in_.whole("a"), in_.whole("b"), in_.whole("c")});
        } else if (name == "light") {
            within("cell");
            cell().lights.push_back({in_.whole("id"), vector(in_.numbers<3>("at")),
                                     vector(in_.numbers<3>("colour")), in_.number("intensity")});
        } else if (name == "model") {
            within("cell");
            cell().models.push_back(
                {in_.whole("entity"), vector(in_.numbers<3>("at")), in_.text("class"), in_.text("file")});
        } else if (name == "portal") begin_portal();
        else if (name == "p") {
            within("portal");
            out_.portals[cell().portals.back()].corners.push_back(vector(in_.numbers<3>("at")));
        } else in_.fail("unknown element <" + name + ">");
        path_.push_back(name);
    }
    void end() {
        path_.pop_back();
        ended_ = path_.empty();
    }
    std::uint32_t texture_number() {
        const std::uint32_t number = in_.whole("texture");
        if (number >= out_.textures.size())
            in_.fail("the texture " + of(number) + " is named, but there are " +
                     std::to_string(out_.textures.size()));
        return number;
    }
    void texture() {
        within("graph");
        if (in_.whole("id") != out_.textures.size()) in_.fail("textures are not numbered from 0");
        out_.textures.push_back(in_.text("name"));
    }
    void begin_cell() {
        within("graph");
        if (in_.whole("id") != out_.cells.size()) in_.fail("cells are not numbered from 0");
        LevelGraph::Cell& made = out_.cells.emplace_back();
        made.volume = in_.number("size");
        made.outside = in_.flag("outside");
        made.convex = in_.flag("convex");
    }
    void begin_face() {
        within("volume");
        const auto plane = in_.numbers<4>("plane");
        cell().volumes.back().faces.push_back(
            {in_.whole("id"), texture_number(), {plane[0], plane[1], plane[2]}, plane[3], {}});
    }
    void vertex() {
        if (!path_.empty() && path_.back() == "patch")
            cell().patches.back().vertices.push_back(read_vertex(in_));
        else within("face"), cell().volumes.back().faces.back().corners.push_back(read_vertex(in_));
    }
    void begin_portal() {
        within("cell");
        const std::uint32_t id = in_.whole("id");
        if (id > size_ / 50) in_.fail("the number of a portal is larger than the file");
        if (id >= out_.portals.size()) out_.portals.resize(id + 1), known_.resize(id + 1);
        if (known_[id]) in_.fail("the portal " + of(id) + " is given twice");
        known_[id] = true;
        LevelCells::Portal& made = out_.portals[id];
        const auto plane = in_.numbers<4>("plane");
        made.from = static_cast<std::uint32_t>(out_.cells.size() - 1);
        made.to = in_.whole("to"), made.twin = in_.whole("twin");
        made.normal = {plane[0], plane[1], plane[2]};
        made.distance = plane[3];
        made.area = in_.number("area");
        cell().portals.push_back(id);
    }
    void check() {
        for (std::size_t p = 0; p < out_.portals.size(); ++p) {
            const LevelCells::Portal& portal = out_.portals[p];
            if (!known_[p]) in_.fail("the numbers of the portals have gaps");
            if (portal.to >= out_.cells.size() || portal.twin >= out_.portals.size() ||
                out_.portals[portal.twin].twin != p || out_.portals[portal.twin].from != portal.to ||
                out_.portals[portal.twin].to != portal.from)
                in_.fail("the portal " + std::to_string(p) + " and its twin do not lead to each other");
        }
        for (const LevelGraph::Cell& one : out_.cells)
            for (const LevelGraph::Patch& patch : one.patches)
                for (const auto& triangle : patch.triangles)
                    for (const std::uint32_t corner : triangle)
                        if (corner >= patch.vertices.size())
                            in_.fail("a triangle names a vertex that is not there");
    }

    XmlReader in_;
    std::size_t size_;
    LevelGraph out_;
    std::vector<std::string> path_;
    std::vector<bool> known_;
    bool ended_ = false;
};

} // namespace

LevelGraph parse_grf(std::string_view text, const std::string& file) {
    return GraphReader(text, file).read();
}

} // namespace scree
