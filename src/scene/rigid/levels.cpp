// SPDX-License-Identifier: MIT
// levels.cpp — the solids of a map file as a shape of a rigid scene.
#include "level/material_name.h"
#include "scene/files.h"
#include "scene/rigid/parts.h"
#include "scene/setting.h"
#include "scree/level_file.h"
#include "scree/level_weld.h"
#include "text/words.h"
#include "world/warnings.h"

#include <algorithm>
#include <cctype>
#include <locale>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>

namespace scree {
namespace {

constexpr std::size_t most_shown = 10;
constexpr std::size_t most_lights = 48; // the renderer has 64, for the scene's own too
constexpr double usual_light = 300;     // what a light of an editor is if nothing is said
constexpr std::string_view level_file_name = "screelev";

/// What a part of a texture's name says of how it looks.
struct Guess {
    std::string_view word;
    const char* texture;
    Vec3 colour;
    float size; ///< m
};
constexpr Guess guesses[] = {{"brick", "bricks", {0.62f, 0.42f, 0.34f}, 0.25f},
                             {"wood", "wood", {0.60f, 0.44f, 0.28f}, 0.3f},
                             {"crate", "wood", {0.66f, 0.50f, 0.30f}, 0.3f},
                             {"tile", "tiles", {0.66f, 0.66f, 0.62f}, 0.5f},
                             {"floor", "tiles", {0.58f, 0.58f, 0.56f}, 0.5f},
                             {"stone", "stone", {0.56f, 0.54f, 0.50f}, 0.5f},
                             {"rock", "stone", {0.50f, 0.46f, 0.42f}, 0.5f},
                             {"grass", "", {0.36f, 0.50f, 0.26f}, 1},
                             {"metal", "", {0.52f, 0.54f, 0.58f}, 1},
                             {"sky", "", {0.62f, 0.74f, 0.88f}, 1},
                             {"flame", "", {1.0f, 0.80f, 0.45f}, 1},
                             {"cloth", "", {0.80f, 0.76f, 0.66f}, 1}};

} // namespace

/// A muted colour by the name, or what the name is known for; `given` overrides.
Paint paint_of_texture(const std::string& material, const Paint& given) {
    std::string name = material;
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    Paint paint = given;
    if (paint.colour || !paint.texture.empty()) return paint;
    const auto known = std::find_if(std::begin(guesses), std::end(guesses), [&](const Guess& guess) {
        return name.find(guess.word) != std::string::npos;
    });
    if (known != std::end(guesses)) {
        paint.colour = known->colour;
        paint.texture = known->texture;
        if (!paint.texture.empty() && !paint.texture_size) paint.texture_size = known->size;
        return paint;
    }
    std::uint32_t hash = 2166136261u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    const auto share = [&](unsigned shift) { return static_cast<float>(hash >> shift & 255u) / 255; };
    paint.colour = Vec3{0.45f + 0.25f * share(0), 0.45f + 0.22f * share(8), 0.42f + 0.22f * share(16)};
    return paint;
}

namespace {

void warn_of(const std::vector<std::string>& warnings) {
    for (std::size_t i = 0; i < std::min(warnings.size(), most_shown); ++i) warn(warnings[i]);
    if (warnings.size() > most_shown)
        warn(count_text(warnings.size() - most_shown) + " more warnings of the level");
}

/// A map, or a level that scree compile has made of one; a map's cells come when somebody draws it.
struct ReadLevel {
    std::shared_ptr<CompiledLevel> level;
    std::optional<Map> map;
};

ReadLevel level_of(const SceneFile& file, const LevelOptions& options) {
    ReadLevel read{std::make_shared<CompiledLevel>(), {}};
    if (file.bytes.compare(0, level_file_name.size(), level_file_name) != 0) {
        read.map = parse_map(file.bytes, file.name);
        read.level->level = build_level(*read.map, options);
    } else {
        *read.level = decode_level({reinterpret_cast<const std::byte*>(file.bytes.data()), file.bytes.size()},
                                   file.name);
    }
    return read;
}

LevelContent content_of(const ReadLevel& read, float scale) {
    LevelContent content{read.level->level, {}, scale};
    if (!read.map)
        for (const auto& keys : read.level->entities) content.entities.emplace_back().keys = keys;
    else
        for (const MapEntity& entity : read.map->entities)
            content.entities.push_back({entity.keys, {}, {}, entity.group, entity.omitted, entity.place});
    return content;
}

/// Finds the cells of a map, and a way out of it, once: when one of them is first asked for.
void find_cells_on_request(ReadLevel read, const LevelOptions& options, RigidLevel& drawn) {
    struct Work {
        std::once_flag once;
        std::shared_ptr<CompiledLevel> level;
        std::optional<Map> map;
        LevelOptions options;
        std::vector<Vec3> leak;
    };
    auto work = std::make_shared<Work>();
    work->level = std::move(read.level);
    work->map = std::move(read.map);
    work->options = options;
    const auto find = [work, scale = drawn.scale] {
        std::call_once(work->once, [&] {
            if (work->map) try {
                    work->level = std::make_shared<CompiledLevel>(compile_closed(*work->map, work->options));
                } catch (const Error&) { // no brush divides, or too many: drawn as it collides
                    work->level.reset();
                }
            if (work->level)
                for (const DVec3& at : work->level->leak) work->leak.push_back(narrow(from_map(at, scale)));
            work->map.reset();
        });
    };
    drawn.compiled = [work, find]() -> std::shared_ptr<const CompiledLevel> {
        find();
        return work->level;
    };
    drawn.leak = [work, find] {
        find();
        return work->leak;
    };
}

/// The brightest of a level's lights. Editors give a light the distance in units at which it ends.
std::vector<AppearanceLight> lights_of(const Level& level, float scale, std::vector<std::string>& warnings) {
    std::vector<LevelLight> chosen = level.lights;
    std::erase_if(chosen, [](const LevelLight& light) { return !(light.intensity > 0); });
    std::sort(chosen.begin(), chosen.end(), [](const LevelLight& a, const LevelLight& b) {
        return a.intensity != b.intensity ? a.intensity > b.intensity : a.entity < b.entity;
    });
    if (chosen.size() > most_lights) {
        warnings.push_back(level.file + ": " + count_text(chosen.size() - most_lights) +
                           " of its lights are left out: at most " + count_text(most_lights) + " are drawn");
        chosen.resize(most_lights);
    }
    std::vector<AppearanceLight> lights;
    for (const LevelLight& one : chosen) {
        AppearanceLight& light = lights.emplace_back();
        light.position = narrow(from_map(one.position, scale));
        light.colour = narrow(one.colour);
        light.intensity = static_cast<float>(one.intensity / usual_light);
        light.range = static_cast<float>(one.intensity) * scale;
    }
    return lights;
}

/// Quake's key: how thick, for its units, and three shares of colours.
void read_fog(const LevelContent& content, RigidLevel& drawn, std::vector<std::string>& warnings) {
    if (content.entities.empty()) return;
    const std::string* text = content.entities[0].find("fog");
    if (!text) return;
    float thick = 0, colour[3] = {0.3f, 0.3f, 0.3f};
    std::istringstream words(*text);
    words.imbue(std::locale::classic());
    const auto good = [](float x, float most) { return x >= 0 && x <= most; };
    bool read = static_cast<bool>(words >> thick);
    // the colour may be left out
    if (read && !(words >> std::ws).eof())
        read = static_cast<bool>(words >> colour[0] >> colour[1] >> colour[2]);
    if (!read || !good(thick, 100) || !good(colour[0], 1) || !good(colour[1], 1) || !good(colour[2], 1)) {
        warnings.push_back(
            content.level.file + ": the fog \"" + *text +
            "\" is left out: expected how thick it is and a colour of three numbers from 0 to 1");
        return;
    }
    drawn.fog = thick / (64 * content.scale);
    drawn.fog_colour = {colour[0], colour[1], colour[2]};
}

/// Surfaces of water, slime and lava, which are not solid.
std::vector<AppearancePart> liquids_of(const LevelContent& content, const Paint& given) {
    const Level& level = content.level;
    std::vector<AppearancePart> drawn;
    std::vector<std::uint32_t> wet; // entities
    for (const LevelBrush& brush : level.brushes)
        if (!brush.solid && liquid_density(level.materials[brush.faces[0].material]) &&
            (wet.empty() || wet.back() != brush.entity))
            wet.push_back(brush.entity);
    for (const std::uint32_t entity : wet)
        for (LevelShape& shape : entity_shapes(level, entity, content.scale))
            if (const std::string& name = level.materials[shape.material];
                liquid_density(name) && !draws_nothing(name)) {
                Paint paint = given;
                const bool hot = name.find("lava") != std::string::npos;
                if (!paint.colour) paint.colour = hot ? Vec3{0.95f, 0.35f, 0.08f} : Vec3{0.10f, 0.24f, 0.26f};
                if (!paint.opacity) paint.opacity = hot ? 1.0f : 0.72f;
                if (!paint.roughness) paint.roughness = 0.08f;
                drawn.push_back({std::move(shape.geometry), {shape.position, {}}, paint});
            }
    return drawn;
}

/// What is drawn where nobody asks for cells: the solids that are seen, without the sky, and liquids.
void choose_drawn(const std::vector<AppearancePart>& liquids, RigidShape& out) {
    const auto hidden = [](const RigidShape::Part& part) { return part.paint.opacity == 0.0f; };
    if (liquids.empty() && std::none_of(out.parts.begin(), out.parts.end(), hidden)) return;
    for (const RigidShape::Part& part : out.parts)
        if (!hidden(part))
            out.drawn.push_back(
                {part.geometry, {part.definition.position, part.definition.rotation}, part.paint});
    out.drawn.insert(out.drawn.end(), liquids.begin(), liquids.end());
}

} // namespace

void read_level(const Field& one, const ShapeDef& definition, const Paint& paint, const ShapeSources& sources,
                RigidShape& out) {
    const Fields fields(one, format::level);
    LevelOptions options;
    const float scale = fields.number("scale", level_scale, Range{0.0001, 1000});
    if (const auto error = fields.find("patch_error"))
        options.patch_error = error->number64(Range{0.001, 1000});
    const auto lights = fields.find("lights");
    const bool shining = lights && lights->flag();
    std::optional<std::uint32_t> cells;
    if (const auto most = fields.find("collision_cells"))
        cells = static_cast<std::uint32_t>(most->integer(0, 1'000'000));
    const auto textures = fields.find("textures");
    if (textures) check_texture_folder(*textures);
    const Field file = fields.at("file");
    blamed(one, [&] {
        const SceneFile& found = find_file(file, sources.options, sources.files);
        const std::string name = found.name;
        ReadLevel read = level_of(found, options);
        LevelContent content = content_of(read, scale);
        const Level& level = content.level;
        std::vector<std::string> warnings = level.warnings;
        for (LevelShape& shape : level_shapes(level, scale, &warnings)) {
            const std::string& material = level.materials[shape.material];
            RigidShape::Part part{std::move(shape.geometry), definition, paint_of_texture(material, paint)};
            if (marks_sky(material) || draws_nothing(material)) part.paint.opacity = 0.0f;
            part.definition.position = shape.position;
            out.parts.push_back(std::move(part));
        }
        std::vector<AppearancePart> liquids = liquids_of(content, paint);
        choose_drawn(liquids, out);
        if (shining) out.lights = lights_of(level, scale, warnings);
        RigidLevel drawn;
        drawn.scale = scale;
        drawn.liquids = std::move(liquids);
        drawn.collision_cells = cells;
        if (textures) drawn.textures = find_textures(*textures, level.materials, sources, warnings);
        if (shining) read_fog(content, drawn, warnings);
        warn_of(warnings);
        if (out.parts.empty()) throw Error("has no solid brushes or patches", name);
        for (const std::string& material : level.materials)
            drawn.paints.push_back(paint_of_texture(material, paint));
        find_cells_on_request(std::move(read), options, drawn);
        out.level = std::make_shared<const RigidLevel>(std::move(drawn));
        if (sources.level) *sources.level = std::move(content);
    });
}

} // namespace scree
