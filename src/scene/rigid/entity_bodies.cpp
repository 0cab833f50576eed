// SPDX-License-Identifier: MIT
// entity_bodies.cpp — bodies, heaps, joints, chains, ropes, cloths and figures that entities of a level place; see entities.h.
#include "scene/files.h"
#include "scene/rigid/entities.h"
#include "scene/rotation.h"
#include "scene/setting.h"
#include "scree/model_file.h"
#include "scree/walking_figure.h"
#include "world/warnings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace scree {
namespace {

constexpr double most_of_heap = 20'000, most_links = 2000, most_cloth_side = 400;
constexpr double degree = 0.017453292519943295; // rad

/// An irregular stone about as large as a ball of this radius.
Hull stone(float radius, Random& random) {
    std::vector<Vec3> points;
    for (int k = 0; k < 14; ++k) {
        const Quat turn = random.rotation();
        const auto size = static_cast<float>(random.uniform(0.8, 1.0));
        points.push_back(rotate(turn, Vec3{0, radius * size, 0}));
    }
    return Hull::from_points(points);
}

} // namespace

Material EntityReader::material(std::uint32_t e) {
    Material made;
    made.friction = static_cast<float>(std::max(number(e, "friction", double{made.friction}), 0.0));
    made.restitution = static_cast<float>(std::clamp(number(e, "restitution", 0), 0.0, 1.0));
    return made;
}

/// "mass" in kg, or "density" in kg/m3.
void EntityReader::body(std::uint32_t e) {
    const auto size = extent(e);
    if (!size) return;
    const DVec3 middle = world(size->middle());
    ShapeDef definition;
    definition.density = static_cast<float>(positive_number(e, "density", 1000));
    definition.material = material(e);
    RigidShape shape = shape_of(e, middle, definition);
    if (shape.parts.empty()) return;
    if (has_mesh(shape))
        return warn_at(e, "left out: only brushes of at most 128 faces and vertices have a mass");
    RigidBodyDef made;
    made.body.position = middle;
    made.body.velocity = vector(e, "velocity", {});
    made.body.awake = number(e, "awake", 1) != 0;
    if (entity(e).find("mass")) made.mass = static_cast<float>(positive_number(e, "mass", 1));
    const std::string name = text(e, "targetname");
    if (!name.empty() && bodies_.find(name)) warn_at(e, "another body has the name \"" + name + "\" already");
    else made.name = name;
    bodies_.add(entry_, std::move(shape), std::move(made));
}

/// Fills the bounds of its brushes with balls, boxes or stones of one "radius", a little apart.
void EntityReader::heap(std::uint32_t e) {
    const auto size = extent(e);
    if (!size) return;
    const double radius = positive_number(e, "radius", 8), pitch = 2.1 * radius;
    const DVec3 sides = size->high - size->low;
    const auto along = [&](double side) { return std::max(std::floor(side / pitch), 0.0); };
    const double nx = along(sides.x), ny = along(sides.y), nz = along(sides.z);
    const double room = nx * ny * nz, wanted = std::min(positive_number(e, "count", room), room);
    if (room < 1 || wanted > most_of_heap)
        return warn_at(e, "left out: its brush has room for " + decimal(static_cast<float>(room)) +
                              " bodies; expected 1 to 20000");
    const std::string kind = text(e, "shape");
    const auto metres = static_cast<float>(radius * scale_);
    Random random(static_cast<std::uint64_t>(std::fabs(number(e, "seed", 1))), e);
    ShapeDef definition;
    definition.density = static_cast<float>(positive_number(e, "density", 2000));
    definition.material = material(e);
    definition.material.rolling_resistance = 0.03f;
    std::vector<std::uint32_t> shapes;
    const std::string& texture = [&]() -> const std::string& {
        for (const LevelBrush& brush : content_.level.brushes)
            if (brush.entity == e) return content_.level.materials[brush.faces[0].material];
        return content_.level.materials[0];
    }();
    if (!kind.empty() && kind != "ball" && kind != "box" && kind != "stone")
        warn_at(e, "\"shape\": invalid value \"" + kind + "\": expected ball, box or stone; taken as ball");
    for (int k = 0; k < (kind == "stone" ? 6 : 1); ++k) {
        RigidShape shape;
        Geometry geometry = Sphere{metres};
        if (kind == "box") geometry = Box{0.8f * metres, 0.8f * metres, 0.8f * metres};
        if (kind == "stone") geometry = stone(metres, random);
        shape.parts.push_back({std::move(geometry), definition, paint_of_texture(texture, {})});
        shapes.push_back(bodies_.add_shape_of(entry_, std::move(shape)));
    }
    const DVec3 first = size->low + DVec3{radius, radius, radius};
    for (double k = 0; k < wanted; ++k) {
        const double x = std::fmod(k, nx), y = std::fmod(std::floor(k / nx), ny),
                     z = std::floor(k / (nx * ny));
        RigidBodyDef made;
        made.shape = shapes[random.bits() % shapes.size()];
        const DVec3 jitter{random.uniform(0, 0.08), random.uniform(0, 0.08), 0};
        made.body.position = world(first + pitch * DVec3{x, y, z} + radius * jitter);
        if (kind == "box" || kind == "stone") made.body.rotation = random.rotation();
        bodies_.add(entry_, std::move(made));
    }
}

std::optional<std::uint32_t> EntityReader::body_named(std::uint32_t e, std::string_view key) {
    const std::string name = text(e, key);
    if (name.empty() || name == "world") return std::nullopt;
    const auto found = bodies_.find(name);
    if (!found)
        warn_at(e, "\"" + std::string(key) + "\": there is no body of the name \"" + name +
                       "\"; the world is taken");
    return found;
}

/// Hangs where its brush is, as wide and high as it; the brush's thinnest side is across the cloth.
void EntityReader::cloth(std::uint32_t e) {
    const auto size = extent(e);
    if (!size) return;
    const DVec3 sides = size->high - size->low;
    const bool lies = sides.z <= sides.x && sides.z <= sides.y, across_x = !lies && sides.x <= sides.y;
    // u goes along the first side, v down or along the other
    const double width = across_x ? sides.y : sides.x, height = lies ? sides.y : sides.z;
    const double spacing = positive_number(e, "spacing", 6);
    const auto count = [&](double side) {
        return static_cast<std::uint32_t>(std::clamp(std::floor(side / spacing), 1.0, 1e6)) + 1;
    };
    const std::uint32_t columns = count(width), rows = count(height);
    if (columns > most_cloth_side || rows > most_cloth_side)
        return warn_at(e, "left out: " + std::to_string(columns) + " x " + std::to_string(rows) +
                              " vertices; expected at most 400 a side, by a larger \"spacing\"");
    RigidClothDef made;
    made.cloth =
        make_cloth(static_cast<float>(width * scale_), static_cast<float>(height * scale_), columns, rows);
    for (std::uint32_t j = 0; j < rows; ++j)
        for (std::uint32_t i = 0; i < columns; ++i) {
            const double u = (i / double(columns - 1) - 0.5) * width,
                         v = (0.5 - j / double(rows - 1)) * height;
            const DVec3 at = lies ? DVec3{u, v, 0} : across_x ? DVec3{0, u, v} : DVec3{u, 0, v};
            made.cloth.vertices[i + columns * j] = narrow(world(at));
        }
    made.cloth.position = narrow(world(size->middle()));
    made.cloth.wind = vector(e, "wind", {});
    made.cloth.material.density = static_cast<float>(positive_number(e, "density", 0.3));
    made.cloth.material.thickness = 0.02f;
    const auto body = body_named(e, "body");
    const std::string pins = entity(e).find("pins") ? text(e, "pins") : "top";
    const bool top = pins == "top", left = pins == "left", corners = pins == "corners";
    if (!top && !left && !corners && pins != "none")
        warn_at(e, "\"pins\": invalid value \"" + pins +
                       "\": expected top, left, corners or none; taken as none");
    for (std::uint32_t j = 0; j < rows; ++j)
        for (std::uint32_t i = 0; i < columns; ++i) {
            const bool side = i == 0 || i == columns - 1, end = j == 0 || (lies && j == rows - 1);
            if ((top && j == 0) || (left && i == 0) || (corners && side && end))
                made.pins.push_back({i + columns * j, body});
        }
    for (const LevelBrush& brush : content_.level.brushes)
        if (brush.entity == e)
            made.paint = paint_of_texture(content_.level.materials[brush.faces[0].material], {});
    if (const auto colour = entity(e).vector("_color"))
        made.paint.colour = narrow(*colour), made.paint.texture = "";
    scene_.cloths.push_back(std::move(made));
}

std::optional<EntityReader::Ends> EntityReader::ends(std::uint32_t e) {
    const auto from = origin(e);
    const auto other = named_entity(text(e, "target"));
    const auto to = other ? entity(*other).vector("origin") : std::nullopt;
    if (!from) return std::nullopt;
    if (!to || length(*to - *from) < 1) {
        warn_at(e, "left out: \"target\" has to name an entity with an \"origin\" elsewhere");
        return std::nullopt;
    }
    return Ends{world(*from), world(*to)};
}

void EntityReader::rope(std::uint32_t e) {
    const auto both = ends(e);
    if (!both) return;
    const double distance = length(both->to - both->from);
    const auto segments = static_cast<std::uint32_t>(
        std::clamp(number(e, "segments", std::ceil(distance / (6 * scale_))), 1.0, most_links));
    RigidClothDef made;
    made.cloth =
        make_rope(narrow(both->from), narrow(both->to), segments,
                  static_cast<float>(std::clamp(positive_number(e, "radius", 0.5) * scale_, 0.001, 0.5)));
    made.cloth.material.density = static_cast<float>(positive_number(e, "density", 0.5));
    if (text(e, "first") != "loose") made.pins.push_back({0, body_named(e, "first")});
    if (text(e, "second") != "loose") made.pins.push_back({segments, body_named(e, "second")});
    scene_.cloths.push_back(std::move(made));
}

/// Capsules on a line that hangs through by "slack", a share of its length; its ends are held by bodies or the world.
void EntityReader::chain(std::uint32_t e) {
    const auto both = ends(e);
    if (!both) return;
    const DVec3 way = both->to - both->from;
    const double distance = length(way), slack = std::clamp(number(e, "slack", 0), 0.0, 1.0);
    const double sag = distance * std::sqrt(3 * slack / 8); // of a flat parabola
    const double count = std::ceil(distance * (1 + slack) / (positive_number(e, "link", 10) * scale_));
    if (count > most_links) return warn_at(e, "left out: more than 2000 links; expected a larger \"link\"");
    const auto radius = static_cast<float>(positive_number(e, "radius", 1.5) * scale_);
    ShapeDef definition;
    definition.density = static_cast<float>(positive_number(e, "density", 4000));
    if (number(e, "collide", 1) == 0) definition.filter.mask = 0;
    const auto point = [&](double k) {
        const double s = k / count;
        return both->from + s * way - DVec3{0, 4 * sag * s * (1 - s), 0};
    };
    std::optional<std::uint32_t> before;
    const auto join = [&](std::uint32_t first, std::optional<std::uint32_t> second, DVec3 at) {
        RigidJointDef made;
        made.first = first;
        made.second = second;
        made.anchor = narrow(at);
        scene_.joints.push_back(made);
    };
    for (double k = 0; k < count; ++k) {
        const DVec3 a = point(k), b = point(k + 1);
        const auto half = static_cast<float>(0.5 * length(b - a));
        RigidShape shape;
        shape.parts.push_back({Capsule{std::max(half - radius, 0.2f * radius), radius}, definition,
                               paint_of_texture("metal", {})});
        RigidBodyDef made;
        made.body.position = 0.5 * (a + b);
        made.body.rotation = rotation_from_y(b - a).value_or(Quat{});
        made.body.angular_damping = 0.5f;
        const std::uint32_t link = bodies_.add(entry_, std::move(shape), std::move(made));
        if (before) join(link, before, a);
        else if (text(e, "first") != "loose") join(link, body_named(e, "first"), a);
        before = link;
    }
    if (text(e, "second") != "loose") join(*before, body_named(e, "second"), both->to);
}

void EntityReader::joint(std::uint32_t e) {
    const auto at = origin(e);
    if (!at) return;
    struct Known {
        std::string_view name;
        JointType type;
    };
    static constexpr std::array<Known, 4> known{{{"ball", JointType::ball},
                                                 {"hinge", JointType::hinge},
                                                 {"slider", JointType::slider},
                                                 {"fixed", JointType::fixed}}};
    const std::string name = text(e, "type");
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Known& one) { return one.name == name; });
    if (found == known.end())
        return warn_at(e, "left out: \"type\": invalid value \"" + name +
                              "\": expected ball, hinge, slider or fixed");
    const auto first = bodies_.find(text(e, "first"));
    if (!first || scene_.bodies[*first].body.type != BodyType::dynamic)
        return warn_at(e, "left out: \"first\" has to name a scree_body, and \"" + text(e, "first") +
                              "\" is none");
    RigidJointDef made;
    made.type = found->type;
    made.first = *first;
    made.second = body_named(e, "second");
    if (made.second == made.first) return warn_at(e, "left out: \"first\" and \"second\" are the same body");
    made.anchor = narrow(world(*at));
    made.axis = vector(e, "axis", {0, 0, 1});
    if (length(made.axis) < 1e-3f) return warn_at(e, "left out: \"axis\" is 0 0 0; expected a direction");
    JointDef motion;
    const double unit = found->type == JointType::slider ? scale_ : degree;
    if (entity(e).find("low") || entity(e).find("high")) {
        const double low = number(e, "low", 0) * unit, high = number(e, "high", 0) * unit;
        if (low > high) return warn_at(e, "left out: \"low\" is above \"high\"");
        if (found->type != JointType::slider && !(low > -178 * degree && high < 178 * degree))
            return warn_at(e, "left out: expected \"low\" and \"high\" between -178 and 178 degrees");
        motion.limit = JointLimit{static_cast<float>(low), static_cast<float>(high)};
    }
    const auto force =
        entity(e).find("force") ? static_cast<float>(positive_number(e, "force", 1)) : unlimited;
    if (entity(e).find("speed"))
        motion.drive = JointMotor{static_cast<float>(number(e, "speed", 0) * unit), force};
    else if (entity(e).find("friction"))
        motion.drive = JointFriction{static_cast<float>(positive_number(e, "friction", 1))};
    made.motion = std::make_shared<const JointDef>(motion);
    scene_.joints.push_back(std::move(made));
}

/// A character that plays a clip, and walks along the corners of its "target", if it has one.
void EntityReader::figure(std::uint32_t e) {
    const auto at = origin(e);
    if (!at) return;
    if (scene_.characters.size() == 1000) return warn_at(e, "left out: a scene has at most 1000 characters");
    SceneCharacter made;
    made.name = text(e, "targetname");
    const std::string file = text(e, "model");
    const double height = std::clamp(positive_number(e, "height", 57.6) * scale_, 0.01, 100.0);
    std::shared_ptr<const SkinnedModel>& shared =
        models_["entity\n" + file + "\n" + text(e, "clips") + "\n" + text(e, "scale") + "\n" +
                decimal(static_cast<float>(height))];
    if (!shared && file.empty()) {
        shared = std::make_shared<const SkinnedModel>(walking_figure(static_cast<float>(height)));
    } else if (!shared) {
        const SceneFile found = find_file(entry_, file, sources_.options, sources_.files);
        ModelFileOptions options;
        options.scale = static_cast<float>(positive_number(e, "scale", 1));
        options.open = [&](const std::string& name) {
            return find_file(entry_, folder_of(found.name) + name, sources_.options, sources_.files).bytes;
        };
        auto model = blamed(entry_, [&] { return parse_model(found.bytes, found.name, options); });
        for (const std::string& warning : model.warnings) warnings_.push_back(found.name + ": " + warning);
        std::istringstream names(text(e, "clips")); // .md5anim files
        for (std::string name; names >> name;) {
            const SceneFile clip = find_file(entry_, name, sources_.options, sources_.files);
            model.clips.push_back(
                blamed(entry_, [&] { return parse_clip(clip.bytes, clip.name, model, options); }));
        }
        shared = std::make_shared<const SkinnedModel>(std::move(model));
    }
    made.model = shared;
    const std::string clip = text(e, "clip");
    if (const ModelClip* found = clip.empty() ? nullptr : shared->find_clip(clip)) made.clip = *found;
    else if (!clip.empty()) return warn_at(e, "left out: its model has no clip \"" + clip + "\"");
    else if (!shared->clips.empty()) made.clip = shared->clips[0];
    made.motion = blamed(entry_, [&] { return take_root_motion(*shared, made.clip, {}); });
    made.at.position = world(*at);
    const DQuat turn = wide(*rotation_by_degrees({0, 1, 0}, yaw(e) + 90)); // figures look along z
    made.at.rotation = turn;
    made.speed = std::clamp(number(e, "speed", 1), -100.0, 100.0);
    made.start = number(e, "start", 0);
    std::vector<std::uint32_t> seen;
    for (auto next = named_entity(text(e, "target")); next; next = named_entity(text(*next, "target"))) {
        const auto corner = entity(*next).vector("origin");
        if (!corner || std::find(seen.begin(), seen.end(), *next) != seen.end()) break;
        seen.push_back(*next);
        made.way.push_back(world(*corner));
    }
    if (made.way.size() == 1) made.way.clear();
    if (number(e, "bodies", 1) != 0) add_character_bodies(entry_, made, bodies_, scene_);
    scene_.characters.push_back(std::move(made));
}

} // namespace scree
