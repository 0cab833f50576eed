// SPDX-License-Identifier: MIT
// schema_test.cpp — docs/scene.schema.json and the reader know the same keys, and the reader reads every one.
#include "granular/checks.h"
#include "scene/format.h"
#include "scene/json.h"
#include "scene/settings.h"
#include "scene_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
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

/// The entry of an object of format.h; the document itself is the schema's root.
const json::Value* entry(const json::Value& schema, std::string_view name) {
    return name == "scene" ? &schema : schema.find("$defs")->find(name);
}

TEST(SceneSchema, ListsExactlyTheKeysOfTheReader) {
    json::Value schema = read_schema();
    for (const format::Object* object : format::objects()) {
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
    for (const format::Object* object : format::objects()) known.emplace(object->name);
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

TEST(SceneSchema, StatesTheDefaultsRangesAndChoicesOfSettings) {
    json::Value schema = read_schema();
    const json::Value& properties = *entry(schema, "world")->find("properties");
    for (const Setting& setting : settings_table()) {
        SCOPED_TRACE(std::string(setting.name));
        const json::Value* property = properties.find(setting.name);
        ASSERT_NE(property, nullptr);

        // the default, read back by the reader, is the default of GranularSettings
        const json::Value* standard = property->find("default");
        ASSERT_NE(standard, nullptr);
        GranularSettings settings;
        std::string before = setting_value(settings, std::string(setting.name)), file = "schema";
        read_setting(settings, setting, Field(*standard, file, "default"));
        EXPECT_EQ(setting_value(settings, std::string(setting.name)), before);

        const json::Value* numbers =
            setting.name == "world_size" ? &property->find("oneOf")->items[0] : property;
        const json::Value* low = numbers->find(setting.range.above ? "exclusiveMinimum" : "minimum");
        const json::Value* high = numbers->find("maximum");
        constexpr double infinity = std::numeric_limits<double>::infinity();
        EXPECT_EQ(low ? low->number : -infinity, setting.range.least);
        EXPECT_EQ(high ? high->number : infinity, setting.range.most);

        if (!choices(setting).empty()) {
            std::vector<std::string> words(choices(setting).begin(), choices(setting).end()), listed;
            for (const json::Value& item : property->find("enum")->items) listed.push_back(item.text);
            EXPECT_EQ(listed, words);
        }
    }
}

bool world_accepts(const GranularSettings& settings) {
    try {
        check(settings);
    } catch (const Error&) {
        return false;
    }
    return true;
}

TEST(SceneSchema, SettingsHaveTheRangesOfTheWorld) {
    for (const Setting& setting : settings_table()) {
        SCOPED_TRACE(std::string(setting.name));
        auto with = [&](double number) {
            GranularSettings settings;
            if (auto real = std::get_if<float GranularSettings::*>(&setting.member))
                settings.** real = static_cast<float>(number);
            else if (auto whole = std::get_if<int GranularSettings::*>(&setting.member))
                settings.** whole = static_cast<int>(number);
            return settings;
        };
        const Range& range = setting.range;
        if (std::isfinite(range.least)) {
            EXPECT_EQ(world_accepts(with(range.least)), !range.above);
            EXPECT_FALSE(world_accepts(with(range.least - 1)));
        }
        if (std::isfinite(range.most)) {
            EXPECT_TRUE(world_accepts(with(range.most)));
            EXPECT_FALSE(world_accepts(with(range.most + 1)));
        }
    }
}

TEST(SceneSchema, SettingsTableAndFormatAgree) {
    std::vector<std::string> keys;
    for (const format::Key& key : format::world.keys) keys.emplace_back(key.name);
    EXPECT_EQ(keys, setting_names());
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

TEST(SceneSchema, EveryKeyIsReadAndRefusesNull) {
    for (const format::Object* object : format::objects()) {
        auto home = homes.find(std::string(object->name));
        ASSERT_NE(home, homes.end()) << object->name;
        std::string good = replaced(home->second.text, "@", "");
        EXPECT_TRUE(object->name == "mesh" || refusal(good).empty()) << good << "\n" << refusal(good);
        for (const format::Key& key : object->keys) {
            // null is of no key's type, so a key that is looked at is complained about by name
            std::string name = json::quoted(key.name), text;
            if (auto given = home->second.given.find(std::string(key.name));
                given != home->second.given.end())
                text = replaced(good, name + ": " + given->second, name + ": null");
            else text = replaced(home->second.text, "@", name + ": null,");
            std::string message = refusal(text, {.read_files = false});
            EXPECT_NE(message.find(json::path_of("", key.name)), message.npos) << text << "\n" << message;
            EXPECT_TRUE(message.find("null is not allowed") != message.npos ||
                        message.find("one alone was expected") != message.npos ||
                        message.find("one of the two was expected") != message.npos)
                << text << "\n"
                << message;
        }
    }
}

} // namespace
