// SPDX-License-Identifier: MIT
// map_reader.cpp — the text of a .map file to entities, brushes and patches.
//
//     map     := ["Version" number] entity*
//     entity  := '{' ("key" "value" | brush | patch)* '}'
//     brush   := '{' face+ '}'  |  '{' ("brushDef" | "brushDef3") '{' face+ '}' '}'
//     patch   := '{' ("patchDef2" | "patchDef3") '{' material '(' sizes ')' '(' columns ')' '}' '}'
//
// The grammar does not nest, so the reader needs no recursion; everything that it keeps is smaller than a constant times the text.
#include "geometry/mesh_text.h"
#include "scree/error.h"
#include "scree/level.h"
#include "text/blanks.h"
#include "text/file_text.h"
#include "text/number_text.h"
#include "text/words.h"

#include <cmath>
#include <unordered_map>

namespace scree {
namespace {

constexpr std::size_t most_faces = 1024;    // of a brush
constexpr std::size_t most_keys = 1024;     // of an entity
constexpr std::uint32_t most_columns = 129; // of a patch
constexpr std::size_t most_warnings = 1000;
constexpr double most_coordinate = 1 << 24; // units; src/level/exact_plane.h counts on it

bool is_mark(char c) {
    return c == '(' || c == ')' || c == '{' || c == '}' || c == '[' || c == ']' || c == '"';
}

/// A word, a mark, or a string in quotes.
struct Token {
    std::string_view text;
    bool quoted = false;
    MapPlace place{};
    bool is(std::string_view word) const { return !quoted && text == word; }
};

class MapReader {
public:
    MapReader(std::string_view text, const std::string& file) : text_(text) { map_.file = file; }

    Map read() {
        if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = line_start_ = 3;
        if (Token first = peek(); first.is("Version")) {
            take();
            const double version = number("the version of the format", 1000);
            if (version != 1 && version != 2)
                fail("version " + number_text(version) + " of the format; expected 1 or 2", last_);
        }
        for (Token token = take(); !token.text.empty() || token.quoted; token = take()) {
            if (!token.is("{")) fail_expected("an entity, which begins with {", token);
            read_entity(token.place);
        }
        if (map_.entities.empty()) throw Error("holds no entities; expected at least worldspawn", map_.file);
        find_groups();
        if (left_out_warnings_ > 0)
            map_.warnings.push_back(map_.file + ": " + count_text(left_out_warnings_) + " more warnings");
        return std::move(map_);
    }

private:
    // tokens ------------------------------------------------------------------------------------------------------

    /// `at` never goes back, so that a file of one long line costs no more than others.
    MapPlace place_of(std::size_t at) {
        if (counted_ < line_start_) {
            counted_ = line_start_;
            column_ = 1;
        }
        for (; counted_ < at; ++counted_)
            column_ += (static_cast<unsigned char>(text_[counted_]) & 0xc0) != 0x80 ? 1u : 0u;
        return {line_, column_};
    }

    void skip() { skip_blanks(text_, at_, line_, line_start_); }

    Token take() {
        if (peeked_) {
            peeked_ = false;
            return last_token_;
        }
        skip();
        Token token;
        token.place = last_ = place_of(at_);
        if (at_ == text_.size()) return token;
        std::size_t end = at_ + 1;
        if (text_[at_] == '"') return take_string(token);
        if (!is_mark(text_[at_]))
            while (end < text_.size() && !is_blank(text_[end]) && !is_mark(text_[end])) ++end;
        token.text = text_.substr(at_, end - at_);
        at_ = end;
        return token;
    }

    Token take_string(Token token) {
        const std::size_t start = at_ + 1, line_end = std::min(text_.find('\n', start), text_.size());
        std::size_t end = text_.find('"', start);
        // TrenchBroom writes a quote in a value as \"; in older files a value may end in a backslash
        while (end < line_end && text_[end - 1] == '\\' && end > start && text_.find('"', end + 1) < line_end)
            end = text_.find('"', end + 1);
        if (end >= line_end)
            fail("a string without an end; expected \" before the end of the line", token.place);
        token.quoted = true;
        token.text = text_.substr(start, end - start);
        at_ = end + 1;
        return token;
    }

    /// The name of a texture may hold marks: {grate
    Token take_material() {
        skip();
        if (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '(' && text_[at_] != ')') {
            Token token{{}, false, last_ = place_of(at_)};
            std::size_t end = at_;
            while (end < text_.size() && !is_blank(text_[end])) ++end;
            token.text = text_.substr(at_, end - at_);
            at_ = end;
            return token;
        }
        Token token = take();
        if (!token.quoted) fail_expected("the name of a texture", token);
        return token;
    }

    Token peek() {
        last_token_ = take();
        peeked_ = true;
        return last_token_;
    }

    void expect(std::string_view mark, const char* what) {
        if (Token token = take(); !token.is(mark)) fail_expected(std::string(mark) + ", " + what, token);
    }

    [[noreturn]] void fail(const std::string& what, MapPlace place) const {
        throw Error(what, map_.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column));
    }
    [[noreturn]] void fail_expected(const std::string& expected, const Token& found) const {
        const bool end = found.text.empty() && !found.quoted;
        std::string what =
            "expected " + expected + ", found " + (end ? "the end of the file" : quote(found.text));
        if (end && open_.line > 0)
            what += "; the " + std::string(open_what_) + " that begins in line " +
                    std::to_string(open_.line) + " is not closed";
        fail(what, found.place);
    }

    double number(const char* what, double most) {
        const Token token = take();
        const std::optional<double> value = token.quoted ? std::nullopt : parse_decimal(token.text);
        if (!value) fail_expected(std::string(what) + ", a number", token);
        if (!(std::fabs(*value) <= most))
            fail(std::string(what) + " is " + quote(token.text) + "; expected a number from -" +
                     count_text(static_cast<std::uint64_t>(most)) + " to " +
                     count_text(static_cast<std::uint64_t>(most)),
                 token.place);
        return *value;
    }

    double coordinate() { return number("a coordinate", most_coordinate); }
    double texture_number() { return number("a number of the texture", 1e15); }
    std::int64_t whole(const char* what) {
        const MapPlace place = peek().place;
        const double value = number(what, 4294967295.0);
        if (value != std::floor(value)) fail(std::string(what) + " must be a whole number", place);
        return static_cast<std::int64_t>(value);
    }

    void warn(const std::string& what, MapPlace place) {
        if (map_.warnings.size() < most_warnings)
            map_.warnings.push_back(map_.file + ":" + std::to_string(place.line) + ":" +
                                    std::to_string(place.column) + ": " + what);
        else ++left_out_warnings_;
    }

    // entities ----------------------------------------------------------------------------------------------------

    void read_entity(MapPlace place) {
        MapEntity& entity = map_.entities.emplace_back();
        entity.place = place;
        for (;;) {
            open_ = place;
            open_what_ = "entity";
            const Token token = take();
            if (token.is("}")) break;
            if (token.quoted) {
                if (entity.keys.size() == most_keys)
                    fail("an entity of more than " + count_text(most_keys) + " keys", token.place);
                const Token value = take();
                if (!value.quoted)
                    fail_expected("the value of the key " + quote(token.text) + " in quotes", value);
                if (entity.find(token.text))
                    warn("the key " + quote(token.text) + " is given twice; the first one counts",
                         token.place);
                entity.keys.emplace_back(token.text, value.text);
            } else if (token.is("{")) {
                read_solid(entity, token.place);
            } else {
                fail_expected("a key in quotes, a brush, which begins with {, or }", token);
            }
        }
        open_ = {};
        if (entity.classname().empty()) warn("an entity without \"classname\"", place);
    }

    void read_solid(MapEntity& entity, MapPlace place) {
        open_ = place;
        open_what_ = "brush or patch";
        const Token token = peek();
        if (token.is("(")) {
            read_brush(entity, place, std::nullopt);
        } else if (token.is("brushDef") || token.is("brushDef3")) {
            take();
            expect("{", "which begins the faces");
            read_brush(entity, place, token.is("brushDef") ? MapFormat::brush_def : MapFormat::brush_def3);
            expect("}", "which ends the brush");
        } else if (token.is("patchDef2") || token.is("patchDef3")) {
            take();
            expect("{", "which begins the patch");
            read_patch(entity, place, token.is("patchDef3"));
            expect("}", "which ends the patch");
        } else {
            fail_expected("a face, brushDef, brushDef3, patchDef2 or patchDef3", token);
        }
    }

    void read_brush(MapEntity& entity, MapPlace place, std::optional<MapFormat> format) {
        MapBrush brush;
        brush.place = place;
        for (Token token = take(); !token.is("}"); token = take()) {
            if (!token.is("("))
                fail_expected("a face, which begins with (, or } at the end of the brush", token);
            if (brush.faces.size() == most_faces)
                fail("a brush of more than " + count_text(most_faces) + " faces", token.place);
            brush.faces.push_back(read_face(token.place, format));
        }
        if (brush.faces.size() < 4)
            fail("a brush of " + count_of(brush.faces.size(), "face", "faces") + "; expected at least 4",
                 place);
        entity.brushes.push_back(std::move(brush));
    }

    /// After the first parenthesis.
    MapFace read_face(MapPlace place, std::optional<MapFormat> format) {
        MapFace face;
        face.place = place;
        if (format == MapFormat::brush_def3) {
            for (std::size_t i = 0; i < 3; ++i) face.plane[i] = number("a component of a normal", 2);
            face.plane[3] = number("a distance", 4 * most_coordinate);
            expect(")", "after four numbers of a plane");
        } else {
            for (std::size_t point = 0; point < 3; ++point) {
                if (point > 0) expect("(", "the next of three points");
                for (std::size_t i = 0; i < 3; ++i) face.plane[3 * point + i] = coordinate();
                expect(")", "after three coordinates");
            }
        }
        if (format) {
            check_format(*format, place);
            expect("(", "which begins the texture's matrix");
            for (std::size_t row = 0; row < 2; ++row) {
                expect("(", "which begins a row of the texture's matrix");
                for (std::size_t i = 0; i < 3; ++i) face.texture[3 * row + i] = texture_number();
                expect(")", "after three numbers of the texture's matrix");
            }
            expect(")", "which ends the texture's matrix");
            face.material = material(take_material());
        } else {
            face.material = material(take_material());
            read_projection(face);
        }
        // a face ends with its line: what follows on it are the numbers of Quake II and later
        if (const Token token = peek(); !token.quoted && parse_decimal(token.text)) {
            face.contents = whole("the contents");
            face.flags = whole("the flags");
            face.value = number("the value", 4294967295.0);
        }
        return face;
    }

    void read_projection(MapFace& face) {
        std::size_t at = 0;
        const bool valve = peek().is("[");
        check_format(valve ? MapFormat::valve : MapFormat::standard, face.place);
        if (valve) {
            for (int axis = 0; axis < 2; ++axis) {
                expect("[", "which begins an axis of the texture");
                for (int i = 0; i < 4; ++i) face.texture[at++] = texture_number();
                expect("]", "after four numbers of an axis");
            }
        } else {
            for (int i = 0; i < 2; ++i) face.texture[at++] = texture_number();
        }
        for (int i = 0; i < 3; ++i) face.texture[at++] = texture_number(); // rotation and scales
    }

    void check_format(MapFormat format, MapPlace place) {
        if (map_.format == MapFormat::none) {
            map_.format = format;
            format_place_ = place;
        }
        if (map_.format != format)
            fail("a face in " + std::string(name_of(format)) +
                     " format; the first face of the file, in line " + std::to_string(format_place_.line) +
                     ", is in " + std::string(name_of(map_.format)) +
                     " format; expected one format in a file",
                 place);
    }

    void read_patch(MapEntity& entity, MapPlace place, bool with_cuts) {
        MapPatch patch;
        patch.place = place;
        patch.material = material(take_material());
        expect("(", "which begins the sizes of the patch");
        patch.width = patch_size("the width of the patch");
        patch.height = patch_size("the height of the patch");
        if (with_cuts)
            for (std::uint32_t& cuts : patch.cuts) {
                const MapPlace at = peek().place;
                const std::int64_t count = whole("the subdivisions of the patch");
                if (count < 0 || count > 64) fail("the subdivisions of the patch are not from 0 to 64", at);
                cuts = static_cast<std::uint32_t>(count);
            }
        for (int i = 0; i < 3; ++i) number("contents, flags and value of the patch", 4294967295.0);
        expect(")", "after the sizes of the patch");
        expect("(", "which begins the control points");
        for (std::uint32_t column = 0; column < patch.width; ++column) {
            expect("(", "which begins a column of control points");
            for (std::uint32_t row = 0; row < patch.height; ++row) {
                expect("(", "which begins a control point");
                MapPatch::Point& point = patch.points.emplace_back();
                point.position.x = coordinate();
                point.position.y = coordinate();
                point.position.z = coordinate();
                point.u = texture_number();
                point.v = texture_number();
                expect(")", "after five numbers of a control point");
            }
            expect(")", "which ends a column of control points");
        }
        expect(")", "which ends the control points");
        expect("}", "which ends the control points' block");
        entity.patches.push_back(std::move(patch));
    }

    std::uint32_t patch_size(const char* what) {
        const MapPlace place = peek().place;
        const std::int64_t size = whole(what);
        if (size < 3 || size > most_columns || size % 2 == 0)
            fail(std::string(what) + " is " + std::to_string(size) + "; expected an odd number from 3 to " +
                     std::to_string(most_columns),
                 place);
        return static_cast<std::uint32_t>(size);
    }

    std::uint32_t material(const Token& token) {
        if (token.text.empty()) fail("the name of a texture is empty", token.place);
        const auto [found, added] = materials_.try_emplace(std::string(token.text),
                                                           static_cast<std::uint32_t>(map_.materials.size()));
        if (added) map_.materials.emplace_back(token.text);
        return found->second;
    }

    // groups and layers -------------------------------------------------------------------------------------------

    void find_groups() {
        std::unordered_map<std::string, std::uint32_t> groups; // by "_tb_id"
        for (std::uint32_t i = 0; i < map_.entities.size(); ++i) {
            const MapEntity& entity = map_.entities[i];
            const std::string* id = entity.find("_tb_id");
            if (!entity.find("_tb_type") || !id) continue;
            if (!groups.try_emplace(*id, i).second)
                warn("the group " + quote(*id) + " is there twice; the first one counts", entity.place);
        }
        for (std::uint32_t i = 0; i < map_.entities.size(); ++i) {
            MapEntity& entity = map_.entities[i];
            const std::string* parent = entity.find("_tb_group");
            if (!parent) parent = entity.find("_tb_layer");
            if (!parent) continue;
            const auto found = groups.find(*parent);
            if (found == groups.end()) warn("there is no group or layer " + quote(*parent), entity.place);
            else if (found->second == i) warn("the group " + quote(*parent) + " holds itself", entity.place);
            else entity.group = found->second;
        }
        // marks run down from the layers; a chain of groups that closes on itself ends after as many steps as there are entities
        std::vector<char> state(map_.entities.size(), 0); // 1: on the way, 2: known
        for (std::uint32_t i = 0; i < map_.entities.size(); ++i) {
            std::vector<std::uint32_t> way;
            std::uint32_t at = i;
            bool omitted = false;
            for (;;) {
                const MapEntity& entity = map_.entities[at];
                if (state[at] == 2) {
                    omitted = entity.omitted;
                    break;
                }
                if (state[at] == 1) break;
                state[at] = 1;
                way.push_back(at);
                if (!entity.group) break;
                at = *entity.group;
            }
            for (auto step = way.rbegin(); step != way.rend(); ++step) {
                MapEntity& entity = map_.entities[*step];
                const std::string* own = entity.find("_tb_layer_omit_from_export");
                omitted = omitted || (own && *own == "1");
                entity.omitted = omitted;
                state[*step] = 2;
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0, line_start_ = 0, counted_ = 0;
    std::uint32_t line_ = 1, column_ = 1;
    Token last_token_;
    bool peeked_ = false;
    MapPlace last_{}, open_{}, format_place_{};
    const char* open_what_ = "";
    std::unordered_map<std::string, std::uint32_t> materials_;
    std::size_t left_out_warnings_ = 0;
    Map map_;
};

} // namespace

std::string_view name_of(MapFormat format) {
    constexpr std::string_view names[] = {"no", "standard", "Valve 220", "brushDef", "brushDef3"};
    return names[static_cast<std::size_t>(format)];
}

const std::string* MapEntity::find(std::string_view key) const {
    for (const auto& [name, value] : keys)
        if (name == key) return &value;
    return nullptr;
}

std::string_view MapEntity::classname() const {
    const std::string* name = find("classname");
    return name ? std::string_view(*name) : std::string_view();
}

std::optional<DVec3> MapEntity::vector(std::string_view key) const {
    const std::string* text = find(key);
    if (!text) return std::nullopt;
    std::array<double, 3> numbers{};
    std::size_t count = 0;
    for (std::size_t at = 0; at < text->size();) {
        if (is_blank((*text)[at])) {
            ++at;
            continue;
        }
        const std::size_t start = at;
        while (at < text->size() && !is_blank((*text)[at])) ++at;
        const auto value = parse_decimal(std::string_view(*text).substr(start, at - start));
        if (!value || count == 3 || !(std::fabs(*value) <= most_coordinate)) return std::nullopt;
        numbers[count++] = *value;
    }
    if (count != 3) return std::nullopt;
    return DVec3{numbers[0], numbers[1], numbers[2]};
}

Map parse_map(std::string_view text, const std::string& file, const MapOptions& options) {
    if (text.size() > options.max_bytes)
        throw Error("is larger than " + count_text(options.max_bytes) + " bytes, the most that are read",
                    file);
    return MapReader(text, file).read();
}

Map read_map(const std::string& file, const MapOptions& options) {
    return parse_map(file_text(file, options.max_bytes), file, options);
}

} // namespace scree
