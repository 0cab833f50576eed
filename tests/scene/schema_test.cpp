// SPDX-License-Identifier: MIT
// schema_test.cpp — docs/scene.schema.json and the reader know the same keys, and the reader reads every one.
#include "cloth/checks.h"
#include "granular/checks.h"
#include "scene/format.h"
#include "scene/impact/kind.h"
#include "scene/kind.h"
#include "scene/staged/kind.h"
#include "scene_text.h"
#include "scree/cloth_scene.h"
#include "scree/granular_scene.h"
#include "scree/rigid_scene.h"
#include "text/json.h"
#include "world/checks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace {

using namespace scree;
using scree::testing::refusal;

json::Value read_schema() {
    std::string file = std::string(SCREE_SOURCE_DIR) + "/docs/scene.schema.json";
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return json::parse(text.str(), file);
}

/// The entry of an object of format.h.
const json::Value* entry(const json::Value& schema, std::string_view name) {
    return schema.find("$defs")->find(name);
}

/// Of every kind, and those that kinds share.
std::vector<const format::Object*> all_objects() {
    std::vector<const format::Object*> all(format::shared_objects().begin(), format::shared_objects().end());
    for (const Kind* kind : kinds()) all.insert(all.end(), kind->objects().begin(), kind->objects().end());
    return all;
}

Scene smallest(const Kind& kind) {
    return parse_scene(
        R"({"scree": 1, "kind": ")" + std::string(kind.name()) + R"(", "title": "t", "steps": 1})", "a.json");
}

TEST(SceneSchema, ListsExactlyTheKeysOfTheReader) {
    json::Value schema = read_schema();
    for (const format::Object* object : all_objects()) {
        SCOPED_TRACE(std::string(object->name));
        const json::Value* described = entry(schema, object->name);
        ASSERT_NE(described, nullptr);
        std::set<std::string> known, required, in_schema, required_in_schema;
        for (const format::Key& key : object->keys) {
            known.emplace(key.name);
            if (key.required) required.emplace(key.name);
        }
        const json::Value* properties = described->find("properties");
        ASSERT_NE(properties, nullptr);
        in_schema.insert(properties->keys.begin(), properties->keys.end());
        if (const json::Value* list = described->find("required"))
            for (const json::Value& item : list->items) required_in_schema.insert(item.text);
        EXPECT_EQ(in_schema, known);
        EXPECT_EQ(required_in_schema, required);
        const json::Value* more = described->find("additionalProperties");
        EXPECT_TRUE(more && more->kind == json::Kind::boolean && !more->boolean);
    }
}

TEST(SceneSchema, DescribesNoObjectThatTheReaderDoesNotKnow) {
    json::Value schema = read_schema();
    std::set<std::string> known;
    for (const format::Object* object : all_objects()) known.emplace(object->name);
    const json::Value& definitions = *schema.find("$defs");
    for (std::size_t i = 0; i < definitions.keys.size(); ++i)
        EXPECT_EQ(definitions.items[i].find("properties") != nullptr, known.count(definitions.keys[i]) == 1)
            << definitions.keys[i];

    // every reference leads somewhere
    std::function<void(const json::Value&)> walk = [&](const json::Value& value) {
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            if (!value.keys.empty() && value.keys[i] == "$ref") {
                constexpr std::string_view prefix = "#/$defs/";
                ASSERT_EQ(value.items[i].text.rfind(prefix, 0), 0u);
                EXPECT_NE(definitions.find(value.items[i].text.substr(prefix.size())), nullptr)
                    << value.items[i].text;
            }
            walk(value.items[i]);
        }
    };
    walk(schema);
}

/// Range and choices of a setting, as its entry in the schema states them.
void expect_stated(const Setting& setting, const json::Value& property, const json::Value& numbers) {
    const json::Value* low = numbers.find(setting.range.above ? "exclusiveMinimum" : "minimum");
    const json::Value* high = numbers.find(setting.range.below ? "exclusiveMaximum" : "maximum");
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(low ? low->number : -infinity, setting.range.least);
    EXPECT_EQ(high ? high->number : infinity, setting.range.most);
    if (!setting.is_choice()) return;
    std::vector<std::string> words(setting.choices.begin(), setting.choices.end()), listed;
    for (const json::Value& item : property.find("enum")->items) listed.push_back(item.text);
    EXPECT_EQ(listed, words);
}

TEST(SceneSchema, StatesTheDefaultsRangesAndChoicesOfSettings) {
    const json::Value schema = read_schema();
    for (const Kind* kind : kinds()) {
        const json::Value& properties = *entry(schema, kind->objects()[1]->name)->find("properties");
        Scene scene = smallest(*kind);
        for (const Setting& setting : kind->settings()) {
            SCOPED_TRACE(std::string(setting.name));
            const json::Value* property = properties.find(setting.name);
            ASSERT_NE(property, nullptr);
            // the default, read back by the reader, is the default of the world's settings
            const json::Value* standard = property->find("default");
            ASSERT_NE(standard, nullptr);
            const std::string before = setting_value(scene, std::string(setting.name)), file = "schema";
            setting.set(scene.content,
                        read_value(setting, setting.get(scene.content), Field(*standard, file, "default")));
            EXPECT_EQ(setting_value(scene, std::string(setting.name)), before);
            const json::Value *items = property->find("items"), *either = property->find("oneOf");
            expect_stated(setting, *property, either ? either->items[0] : items ? *items : *property);
            // one line of help for editors, the viewer and reports
            EXPECT_FALSE(setting.help.empty());
            ASSERT_NE(property->find("description"), nullptr);
            EXPECT_EQ(property->find("description")->text,
                      std::string(setting.help) +
                          (setting.unit.empty() ? "" : " In " + std::string(setting.unit) + "."));
        }
    }
}

bool world_accepts(const Scene& scene) {
    try {
        if (scene.kind == "rigid") check(rigid_scene(scene).settings);
        else if (scene.kind == "cloth") check(cloth_scene(scene).settings);
        else if (scene.kind == "impact") check(impact_scene(scene));
        else if (scene.kind == "staged_impact") check(staged_scene(scene));
        else check(granular_scene(scene).settings);
    } catch (const Error&) {
        return false;
    }
    return true;
}

TEST(SceneSchema, SettingsHaveTheRangesOfTheWorld) {
    for (const Kind* kind : kinds())
        for (const Setting& setting : kind->settings()) {
            SCOPED_TRACE(std::string(setting.name));
            if (kind->name() == "rigid" && (setting.name == "time_step" || setting.name == "level_reach"))
                continue; // of the scene, not of the world
            const auto with = [&](double number) {
                Scene scene = smallest(*kind);
                SettingValue value = setting.get(scene.content);
                if (std::holds_alternative<float>(value)) value = static_cast<float>(number);
                else if (std::holds_alternative<int>(value)) value = static_cast<int>(number);
                else if (std::holds_alternative<Vec3>(value)) value = Vec3{static_cast<float>(number), 0, 0};
                else value = std::array<int, 3>{static_cast<int>(number), 8, 8};
                setting.set(scene.content, value);
                return scene;
            };
            const Range& range = setting.range;
            if (std::isfinite(range.least)) {
                EXPECT_EQ(world_accepts(with(range.least)), !range.above);
                EXPECT_FALSE(world_accepts(with(range.least - 1)));
            }
            if (std::isfinite(range.most)) {
                EXPECT_EQ(world_accepts(with(range.most)), !range.below);
                EXPECT_FALSE(world_accepts(with(range.most + 1)));
            }
        }
}

/// For each kind of object: a scene that holds a good one, with @ where a further key can be put, and the
/// keys that are written in it already.
struct Home {
    std::string text;                         ///< @ is replaced
    std::map<std::string, std::string> given; ///< key -> how it is written in the text
};

const std::map<std::string, Home> homes = {
    {"scene",
     {R"({@ "scree": 1, "title": "t", "steps": 1})", {{"scree", "1"}, {"title", "\"t\""}, {"steps", "1"}}}},
    {"world",
     {R"({"scree": 1, "title": "t", "steps": 1, "world": {@ "ground": true}})", {{"ground", "true"}}}},
    {"shape",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{@ "name": "s", "cube": {}}]})",
      {{"name", "\"s\""}, {"cube", "{}"}}}},
    {"cube",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "cube": {@ "spheres": 2}}]})",
      {{"spheres", "2"}}}},
    {"cuboid",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "cuboid": {@ "spheres": [1, 1, 2]}}]})",
      {{"spheres", "[1, 1, 2]"}}}},
    {"grain",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "grain": {@ "radius": 2}}]})",
      {{"radius", "2"}}}},
    {"ball",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "ball": {@ "ball_radius": 2}}]})",
      {{"ball_radius", "2"}}}},
    {"capsule",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "capsule": {@ "spheres": 2}}]})",
      {{"spheres", "2"}}}},
    {"desk",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "desk": {@ "radius": 2}}]})",
      {{"radius", "2"}}}},
    {"particle",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "particles": [{@ "offset": [0, 0, 0]}]}]})",
      {{"offset", "[0, 0, 0]"}}}},
    {"mesh",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "mesh": {@ "file": "m.obj"}}]})",
      {{"file", "\"m.obj\""}}}},
    {"body",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "cube": {}}],
                  "bodies": [{@ "shape": "s", "position": [1, 2, 3]}]})",
      {{"shape", "\"s\""}, {"position", "[1, 2, 3]"}}}},
    {"generator",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "cube": {}}],
                  "bodies": [{@ "stream": {"shape": "s", "count": 2}}]})",
      {{"stream", R"({"shape": "s", "count": 2})"}}}},
    {"stream",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "cube": {}}],
                  "bodies": [{"stream": {@ "shape": "s", "count": 2}}]})",
      {{"shape", "\"s\""}, {"count", "2"}}}},
    {"tower",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "cube": {}}],
                  "bodies": [{"tower": {@ "shape": "s", "count": 2, "footprint": [1, 1]}}]})",
      {{"shape", "\"s\""}, {"count", "2"}, {"footprint", "[1, 1]"}}}},
    {"lattice",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "cube": {}}],
                  "bodies": [{"lattice": {@ "shape": "s", "count": 2, "layers": 1, "spacing": 3}}]})",
      {{"shape", "\"s\""}, {"count", "2"}, {"layers", "1"}, {"spacing", "3"}}}},
    {"obstacle",
     {R"({"scree": 1, "title": "t", "steps": 1,
                  "obstacles": [{@ "sphere": {"radius": 1, "position": [0, 0, 0]}}]})",
      {{"sphere", R"({"radius": 1, "position": [0, 0, 0]})"}}}},
    {"plane",
     {R"({"scree": 1, "title": "t", "steps": 1,
                  "obstacles": [{"plane": {@ "point": [0, 0, 0], "normal": [0, 1, 0]}}]})",
      {{"point", "[0, 0, 0]"}, {"normal", "[0, 1, 0]"}}}},
    {"box",
     {R"({"scree": 1, "title": "t", "steps": 1,
                  "obstacles": [{"box": {@ "half_size": [1, 1, 1], "position": [0, 0, 0]}}]})",
      {{"half_size", "[1, 1, 1]"}, {"position", "[0, 0, 0]"}}}},
    {"sphere",
     {R"({"scree": 1, "title": "t", "steps": 1,
                  "obstacles": [{"sphere": {@ "radius": 1, "position": [0, 0, 0]}}]})",
      {{"radius", "1"}, {"position", "[0, 0, 0]"}}}},
    {"axis_rotation",
     {R"({"scree": 1, "title": "t", "steps": 1, "shapes": [{"name": "s", "cube": {}}],
        "bodies": [{"shape": "s", "position": [1, 2, 3], "rotation": {@ "axis": [0, 0, 1], "degrees": 5}}]})",
      {{"axis", "[0, 0, 1]"}, {"degrees", "5"}}}},
    {"expect", {R"({"scree": 1, "title": "t", "steps": 1, "expect": {@ "top": 4}})", {{"top", "4"}}}},
    {"range", {R"({"scree": 1, "title": "t", "steps": 1, "expect": {"top": {@ "min": 4}}})", {{"min", "4"}}}},
    {"close_pairs",
     {R"({"scree": 1, "title": "t", "steps": 1, "expect": {"close_pairs": {@ "min": 4, "distance": 1}}})",
      {{"min", "4"}, {"distance", "1"}}}},
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    std::size_t at = text.find(what);
    if (at != text.npos) text.replace(at, what.size(), with);
    return text;
}

/// The same for rigid scenes: what follows the heading.
const std::map<std::string, Home> rigid_homes = {
    {"rigid_world", {R"("world": {@ "slop": 0})", {{"slop", "0"}}}},
    {"material", {R"("materials": [{@ "name": "m"}])", {{"name", "\"m\""}}}},
    {"filter",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}, "filter": {@ "group": 3}}])", {{"group", "3"}}}},
    {"rigid_shape",
     {R"("shapes": [{@ "name": "s", "sphere": {"radius": 1}}])",
      {{"name", "\"s\""}, {"sphere", R"({"radius": 1})"}}}},
    {"part",
     {R"("shapes": [{"name": "s", "compound": [{@ "sphere": {"radius": 1}}]}])",
      {{"sphere", R"({"radius": 1})"}}}},
    {"rigid_sphere", {R"("shapes": [{"name": "s", "sphere": {@ "radius": 1}}])", {{"radius", "1"}}}},
    {"rigid_box",
     {R"("shapes": [{"name": "s", "box": {@ "half_size": [1, 1, 1]}}])", {{"half_size", "[1, 1, 1]"}}}},
    {"round",
     {R"("shapes": [{"name": "s", "cone": {@ "half_height": 1, "radius": 2}}])",
      {{"half_height", "1"}, {"radius", "2"}}}},
    {"rigid_plane", {R"("shapes": [{"name": "s", "plane": {@}}])", {}}},
    {"rigid_mesh",
     {R"("shapes": [{"name": "s", "mesh": {@ "vertices": [[0,0,0],[1,0,0],[0,0,1]], "triangles": [[0,2,1]]}}])",
      {{"vertices", "[[0,0,0],[1,0,0],[0,0,1]]"}, {"triangles", "[[0,2,1]]"}}}},
    {"height_field",
     {R"("shapes": [{"name": "s", "height_field": {@ "columns": 2, "rows": 2, "spacing": 1}}])",
      {{"columns", "2"}, {"rows", "2"}, {"spacing", "1"}}}},
    {"convex_parts",
     {R"("shapes": [{"name": "s", "convex_parts": {@ "file": "m.obj"}}])", {{"file", "\"m.obj\""}}}},
    {"level", {R"("shapes": [{"name": "s", "level": {@ "file": "m.map"}}])", {{"file", "\"m.map\""}}}},
    {"drawn",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}, "draw": [{@ "box": {"half_size": [1, 1, 1]}}]}])",
      {{"box", R"({"half_size": [1, 1, 1]})"}}}},
    {"hull",
     {R"("shapes": [{"name": "s", "hull": {@ "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}}])",
      {{"points", "[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]"}}}},
    {"rigid_body",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}], "bodies": [{@ "shape": "s", "position": [0, 0, 0]}])",
      {{"shape", "\"s\""}, {"position", "[0, 0, 0]"}}}},
    {"each", {R"("bodies": [{"molecule": {"side": 1, "each": {@ "awake": true}}}])", {{"awake", "true"}}}},
    {"rigid_generator",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}], "bodies": [{@ "pyramid": {"shape": "s", "base": 2}}])",
      {{"pyramid", R"({"shape": "s", "base": 2})"}}}},
    {"pyramid",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}], "bodies": [{"pyramid": {@ "shape": "s", "base": 2}}])",
      {{"shape", "\"s\""}, {"base", "2"}}}},
    {"stack",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}], "bodies": [{"stack": {@ "shape": "s", "count": 2}}])",
      {{"shape", "\"s\""}, {"count", "2"}}}},
    {"wall",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}],
         "bodies": [{"wall": {@ "shape": "s", "columns": 2, "rows": 3}}])",
      {{"shape", "\"s\""}, {"columns", "2"}, {"rows", "3"}}}},
    {"rigid_lattice",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}],
         "bodies": [{"lattice": {@ "shape": "s", "counts": [1, 2, 3], "spacing": 2}}])",
      {{"shape", "\"s\""}, {"counts", "[1, 2, 3]"}, {"spacing", "2"}}}},
    {"container", {R"("bodies": [{"container": {@ "inner": [1, 2, 3]}}])", {{"inner", "[1, 2, 3]"}}}},
    {"funnel",
     {R"("bodies": [{"funnel": {@ "top": 3, "hole": 1, "height": 2}}])",
      {{"top", "3"}, {"hole", "1"}, {"height", "2"}}}},
    {"arch",
     {R"("bodies": [{"arch": {@ "stones": 5, "radius": 3, "thickness": 1, "depth": 2}}])",
      {{"stones", "5"}, {"radius", "3"}, {"thickness", "1"}, {"depth", "2"}}}},
    {"card_house", {R"("bodies": [{"card_house": {@ "levels": 2}}])", {{"levels", "2"}}}},
    {"chain",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}], "bodies": [{"chain": {@ "shape": "s", "count": 2}}])",
      {{"shape", "\"s\""}, {"count", "2"}}}},
    {"molecule", {R"("bodies": [{"molecule": {@ "side": 2}}])", {{"side", "2"}}}},
    {"ragdolls", {R"("bodies": [{"ragdolls": {@ "count": 2}}])", {{"count", "2"}}}},
    {"joint",
     {R"("bodies": [{"molecule": {"side": 2}}], "joints": [{@ "type": "ball", "first": 1, "anchor": [0, 0, 0]}])",
      {{"type", "\"ball\""}, {"first", "1"}, {"anchor", "[0, 0, 0]"}}}},
    {"force",
     {R"("bodies": [{"molecule": {"side": 2}}], "forces": [{@ "body": 1, "force": [0, 0, 1]}])",
      {{"body", "1"}, {"force", "[0, 0, 1]"}}}},
    {"joint_limit",
     {R"("bodies": [{"molecule": {"side": 2}}], "joints": [{"type": "hinge", "first": 1, "anchor": [0, 0, 0], "axis": [0, 0, 1], "limit": {@ "low": -1}}])",
      {{"low", "-1"}}}},
    {"joint_motor",
     {R"("bodies": [{"molecule": {"side": 2}}], "joints": [{"type": "hinge", "first": 1, "anchor": [0, 0, 0], "axis": [0, 0, 1], "motor": {@ "speed": 1}}])",
      {{"speed", "1"}}}},
    {"joint_spring",
     {R"("bodies": [{"molecule": {"side": 2}}], "joints": [{"type": "hinge", "first": 1, "anchor": [0, 0, 0], "axis": [0, 0, 1], "spring": {@ "hertz": 1}}])",
      {{"hertz", "1"}}}},
    {"joint_axis",
     {R"("bodies": [{"molecule": {"side": 2}}], "joints": [{"type": "wheel", "first": 1, "anchor": [0, 0, 0], "axis": [0, 0, 1], "steer": {@ "friction": 1}}])",
      {{"friction", "1"}}}},
    {"joint_axes",
     {R"("bodies": [{"molecule": {"side": 2}}], "joints": [{"type": "six_axes", "first": 1, "anchor": [0, 0, 0], "axes": {@ "x": {"locked": true}}}])",
      {{"x", R"({"locked": true})"}}}},
    {"joint_pose",
     {R"("bodies": [{"molecule": {"side": 2}}], "joints": [{"type": "pose", "first": 1, "anchor": [0, 0, 0], "pose": {@ "hertz": 1}}])",
      {{"hertz", "1"}}}},
    {"character", {R"("characters": [{@ "figure": {}}])", {{"figure", "{}"}}}},
    {"figure", {R"("characters": [{"figure": {@ "height": 1.7}}])", {{"height", "1.7"}}}},
    {"clip_blend",
     {R"("characters": [{"figure": {}, "blend": {@ "clip": "walk", "share": 0.5}}])",
      {{"clip", "\"walk\""}, {"share", "0.5"}}}},
    {"motion",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}], "bodies": [{"name": "b", "type": "kinematic", "shape": "s", "position": [0, 0, 0]}],
         "motions": [{@ "body": "b", "keys": [{"at": 0}, {"at": 1}]}])",
      {{"body", "\"b\""}, {"keys", R"([{"at": 0}, {"at": 1}])"}}}},
    {"motion_key",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}], "bodies": [{"name": "b", "type": "kinematic", "shape": "s", "position": [0, 0, 0]}],
         "motions": [{"body": "b", "keys": [{@ "at": 0.5}, {"at": 1}]}])",
      {{"at", "0.5"}}}},
    {"force_field",
     {R"("fields": [{@ "wind": {"velocity": [1, 0, 0]}}])", {{"wind", R"({"velocity": [1, 0, 0]})"}}}},
    {"wind", {R"("fields": [{"wind": {@ "velocity": [1, 0, 0]}}])", {{"velocity", "[1, 0, 0]"}}}},
    {"water", {R"("fields": [{"water": {@ "surface": [0, 1, 0]}}])", {{"surface", "[0, 1, 0]"}}}},
    {"attractor",
     {R"("fields": [{"attractor": {@ "centre": [0, 1, 0], "strength": 2}}])",
      {{"centre", "[0, 1, 0]"}, {"strength", "2"}}}},
    {"region",
     {R"("fields": [{"wind": {"velocity": [1, 0, 0]}, "region": {@ "low": [0, 0, 0], "high": [1, 1, 1]}}])",
      {{"low", "[0, 0, 0]"}, {"high", "[1, 1, 1]"}}}},
    {"cloth",
     {R"("cloths": [{@ "grid": {"size": [1, 1], "vertices": [3, 3]}}])",
      {{"grid", R"({"size": [1, 1], "vertices": [3, 3]})"}}}},
    {"cloth_grid",
     {R"("cloths": [{"grid": {@ "size": [1, 1], "vertices": [3, 3]}}])",
      {{"size", "[1, 1]"}, {"vertices", "[3, 3]"}}}},
    {"cloth_tube",
     {R"("cloths": [{"tube": {@ "radii": [0.2, 0.4], "height": 1, "vertices": [12, 5]}}])",
      {{"radii", "[0.2, 0.4]"}, {"height", "1"}, {"vertices", "[12, 5]"}}}},
    {"cloth_balloon",
     {R"("cloths": [{"balloon": {@ "radius": 0.3, "segments": 4}}])",
      {{"radius", "0.3"}, {"segments", "4"}}}},
    {"cloth_rope",
     {R"("cloths": [{"rope": {@ "from": [0, 1, 0], "to": [1, 1, 0], "segments": 4}}])",
      {{"from", "[0, 1, 0]"}, {"to", "[1, 1, 0]"}, {"segments", "4"}}}},
    {"cloth_material",
     {R"("cloths": [{"grid": {"size": [1, 1], "vertices": [3, 3]}, "material": {@ "bend": 0}}])",
      {{"bend", "0"}}}},
    {"cloth_pin",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}], "bodies": [{"shape": "s", "position": [0, 5, 0]}],
         "cloths": [{"grid": {"size": [1, 1], "vertices": [3, 3]}, "pins": [{@ "vertex": 0}]}])",
      {{"vertex", "0"}}}},
    {"action",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}}], "bodies": [{"name": "b", "shape": "s", "position": [0, 0, 0]}],
         "actions": [{@ "name": "n", "body": "b", "impulse": [0, 1, 0]}])",
      {{"name", "\"n\""}, {"body", "\"b\""}, {"impulse", "[0, 1, 0]"}}}},
    {"script_line",
     {R"("actions": [{"name": "n", "explosion": {"centre": [0, 1, 0], "radius": 2, "impulse": 3}}],
         "script": [{@ "at": 1, "action": "n"}])",
      {{"at", "1"}, {"action", "\"n\""}}}},
    {"explosion",
     {R"("explosions": [{@ "centre": [0, 1, 0], "radius": 2, "impulse": 3}])",
      {{"centre", "[0, 1, 0]"}, {"radius", "2"}, {"impulse", "3"}}}},
    {"rigid_expect", {R"("expect": {@ "top": 4})", {{"top", "4"}}}},
    {"paint",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}, "paint": {@ "roughness": 0.5}}])",
      {{"roughness", "0.5"}}}},
    {"camera",
     {R"("camera": {@ "eye": [1, 2, 3], "target": [0, 0, 0]})",
      {{"eye", "[1, 2, 3]"}, {"target", "[0, 0, 0]"}}}},
    {"named_camera",
     {R"("cameras": [{@ "name": "n", "eye": [1, 2, 3], "target": [0, 0, 0]}])",
      {{"name", "\"n\""}, {"eye", "[1, 2, 3]"}, {"target", "[0, 0, 0]"}}}},
    {"light", {R"("lights": [{@ "position": [1, 2, 3]}])", {{"position", "[1, 2, 3]"}}}},
    {"carried_light",
     {R"("shapes": [{"name": "s", "sphere": {"radius": 1}, "lights": [{@ "range": 3}]}])", {{"range", "3"}}}},
    {"ground", {R"("ground": {@ "shown": true})", {{"shown", "true"}}}},
    {"sky", {R"("sky": {@ "strength": 2})", {{"strength", "2"}}}},
    {"paints",
     {R"("bodies": [{"molecule": {"side": 1, "each": {"paint": {@ "roughness": 0.5}}}}])",
      {{"roughness", "0.5"}}}},
    {"body_paint",
     {R"("bodies": [{"molecule": {"side": 2}}], "paints": [{@ "body": 1, "paint": {"metallic": 1}}])",
      {{"body", "1"}, {"paint", R"({"metallic": 1})"}}}},
};

/// Likewise, in a scene of cloth.
const std::map<std::string, Home> cloth_homes = {
    {"cloth_world", {R"("world": {@ "mass": 2})", {{"mass", "2"}}}},
    {"cloth_sheet", {R"("sheets": [{@ "position": [0, 5, 0]}])", {{"position", "[0, 5, 0]"}}}},
    {"cloth_collider",
     {R"("colliders": [{@ "sphere": {"radius": 1, "position": [0, 0, 0]}}])",
      {{"sphere", R"({"radius": 1, "position": [0, 0, 0]})"}}}},
    {"cloth_sphere",
     {R"("colliders": [{"sphere": {@ "radius": 1, "position": [0, 0, 0]}}])",
      {{"radius", "1"}, {"position", "[0, 0, 0]"}}}},
    {"cloth_box",
     {R"("colliders": [{"box": {@ "half_size": [1, 1, 1], "position": [0, 0, 0]}}])",
      {{"half_size", "[1, 1, 1]"}, {"position", "[0, 0, 0]"}}}},
    {"cloth_expect", {R"("expect": {@ "top": 4})", {{"top", "4"}}}},
};

/// Likewise, in a scene of impacts.
const std::map<std::string, Home> impact_homes = {
    {"impact_world", {R"("world": {@ "restitution": 0.5})", {{"restitution", "0.5"}}}},
    {"impact_particle",
     {R"("particles": [{@ "position": [0.5, 0.5, 0.5], "radius": 0.1}])",
      {{"position", "[0.5, 0.5, 0.5]"}, {"radius", "0.1"}}}},
    {"impact_gas",
     {R"("gases": [{@ "counts": [2, 2, 2], "radius": 0.1}])", {{"counts", "[2, 2, 2]"}, {"radius", "0.1"}}}},
    {"impact_expect", {R"("expect": {@ "impacts": 4})", {{"impacts", "4"}}}},
};

/// Likewise, in a scene of impacts in stages.
const std::map<std::string, Home> staged_homes = {
    {"staged_world", {R"("world": {@ "restitution": 0.5})", {{"restitution", "0.5"}}}},
    {"staged_circle",
     {R"("circles": [{@ "position": [0, 1], "radius": 0.1}])", {{"position", "[0, 1]"}, {"radius", "0.1"}}}},
    {"staged_polygon",
     {R"("polygons": [{@ "position": [0, 1], "box": [1, 2]}])", {{"position", "[0, 1]"}, {"box", "[1, 2]"}}}},
    {"staged_regular",
     {R"("polygons": [{"position": [0, 1], "regular": {@ "corners": 3, "radius": 1}}])",
      {{"corners", "3"}, {"radius", "1"}}}},
    {"staged_room", {R"("room": {@ "circles": 4})", {{"circles", "4"}}}},
    {"staged_expect", {R"("expect": {@ "impacts": 4})", {{"impacts", "4"}}}},
};

/// Null when there is none.
std::optional<Home> home_of(std::string_view name) {
    const auto heading = [](const char* kind) {
        return R"("scree": 1, "kind": ")" + std::string(kind) + R"(", "title": "t", "steps": 1)";
    };
    if (name == "staged_scene")
        return Home{"{@ " + heading("staged_impact") + "}",
                    {{"scree", "1"}, {"kind", "\"staged_impact\""}, {"title", "\"t\""}, {"steps", "1"}}};
    for (const char* kind : {"rigid", "cloth", "impact"})
        if (name == std::string(kind) + "_scene")
            return Home{"{@ " + heading(kind) + "}",
                        {{"scree", "1"}, {"kind", json::quoted(kind)}, {"title", "\"t\""}, {"steps", "1"}}};
    if (auto found = homes.find(std::string(name)); found != homes.end()) return found->second;
    if (auto found = rigid_homes.find(std::string(name)); found != rigid_homes.end())
        return Home{"{" + heading("rigid") + ", " + found->second.text + "}", found->second.given};
    if (auto found = cloth_homes.find(std::string(name)); found != cloth_homes.end())
        return Home{"{" + heading("cloth") + ", " + found->second.text + "}", found->second.given};
    if (auto found = impact_homes.find(std::string(name)); found != impact_homes.end())
        return Home{"{" + heading("impact") + ", " + found->second.text + "}", found->second.given};
    if (auto found = staged_homes.find(std::string(name)); found != staged_homes.end())
        return Home{"{" + heading("staged_impact") + ", " + found->second.text + "}", found->second.given};
    return std::nullopt;
}

TEST(SceneSchema, EveryKeyIsReadAndRefusesNull) {
    for (const format::Object* object : all_objects()) {
        const std::optional<Home> home = home_of(object->name);
        ASSERT_TRUE(home) << object->name;
        std::string good = replaced(home->text, "@", "");
        const bool of_file = object->name == "mesh" || object->name == "convex_parts" ||
                             object->name == "level"; // which is not there
        EXPECT_TRUE(of_file || refusal(good) == "no error") << good << "\n" << refusal(good);
        for (const format::Key& key : object->keys) {
            // null is of no key's type, so a key that is looked at is complained about by name
            std::string name = json::quoted(key.name), text;
            if (auto given = home->given.find(std::string(key.name)); given != home->given.end())
                text = replaced(good, name + ": " + given->second, name + ": null");
            else text = replaced(home->text, "@", name + ": null,");
            std::string message = refusal(text, {.read_files = false});
            EXPECT_NE(message.find(json::path_of("", key.name)), message.npos) << text << "\n" << message;
            EXPECT_TRUE(message.find("invalid value null") != message.npos ||
                        message.find("expected only one of") != message.npos ||
                        message.find("expected either") != message.npos)
                << text << "\n"
                << message;
        }
    }
}

} // namespace
