// SPDX-License-Identifier: MIT
// entities.cpp — doors, platforms, buttons, trains, triggers and water of a level; see entities.h. Keys and defaults are those of Quake
// (id Software's QuakeEd entity definitions, 1996), in units and seconds.
#include "scene/rigid/entities.h"

#include "geometry/mesh_text.h"
#include "level/material_name.h"
#include "scene/rotation.h"
#include "scene/setting.h"
#include "text/words.h"
#include "world/warnings.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace scree {
namespace {

constexpr double sensor_reach = 4;  // units around a button that touch it
constexpr double feet_below = 24;   // units from the origin of a player's start to the feet
constexpr double most_speed = 2000; // units a second, of pushes: Quake's sv_maxvelocity
constexpr float way_depth = 0.03f;  // m that something may be pressed into a mover before it is in the way
constexpr std::size_t most_shown = 10;
/// Of all triggers and movers: n triggers that fire their own name have n * n.
constexpr std::size_t most_targets = 1'000'000;

/// A hull a little smaller: what overlaps it is pressed into the mover.
std::optional<Hull> shrunk(const Hull& hull) {
    Vec3 half{};
    for (const Vec3& v : hull.vertices())
        half = {std::max(half.x, std::fabs(v.x)), std::max(half.y, std::fabs(v.y)),
                std::max(half.z, std::fabs(v.z))};
    const auto scale = [](float size) { return std::max(0.25f, 1 - way_depth / size); };
    std::vector<Vec3> points;
    for (const Vec3& v : hull.vertices())
        points.push_back({v.x * scale(half.x), v.y * scale(half.y), v.z * scale(half.z)});
    try {
        return Hull::from_points(points);
    } catch (const Error&) {
        return std::nullopt; // too thin to be in the way
    }
}

} // namespace

std::optional<float> liquid_density(const std::string& material) {
    const std::string name = plain_name(material);
    const bool marked = !name.empty() && (name[0] == '*' || name[0] == '!');
    if (name.find("tele") != std::string::npos) return std::nullopt;
    if (name.find("lava") != std::string::npos && (marked || name == "lava")) return 2500.0f;
    if (marked || name == "water" || name == "slime") return 1000.0f;
    return std::nullopt;
}

// keys -----------------------------------------------------------------------------------------------------------------

std::string EntityReader::named(std::uint32_t e) const {
    const MapPlace place = entity(e).place;
    std::string name = content_.level.file;
    name += place.line > 0 ? ":" + std::to_string(place.line) + ":" + std::to_string(place.column)
                           : ": entity " + std::to_string(e);
    return name + ": " + std::string(entity(e).classname());
}

std::string EntityReader::text(std::uint32_t e, std::string_view key) const {
    const std::string* found = entity(e).find(key);
    return found ? *found : std::string();
}

double EntityReader::number(std::uint32_t e, std::string_view key, double usual) {
    const std::string* found = entity(e).find(key);
    if (!found) return usual;
    if (const auto value = parse_decimal(*found); value && std::fabs(*value) <= 1e6) return *value;
    warn_at(e, "\"" + std::string(key) + "\": invalid value \"" + *found +
                   "\": expected a number; taken as " + decimal(static_cast<float>(usual)));
    return usual;
}

double EntityReader::positive_number(std::uint32_t e, std::string_view key, double usual) {
    const double value = number(e, key, usual);
    if (value >= 0.001) return value;
    if (value != 0)
        warn_at(e, "\"" + std::string(key) + "\": invalid value " + decimal(static_cast<float>(value)) +
                       ": expected at least 0.001; taken as " + decimal(static_cast<float>(usual)));
    return usual; // editors write 0 for what is not given
}

bool EntityReader::flag(std::uint32_t e, std::uint32_t bit) const {
    const std::string* found = entity(e).find("spawnflags");
    const auto value = found ? parse_decimal(*found) : std::nullopt;
    return value && *value >= 0 && *value < 4294967296.0 && (static_cast<std::uint32_t>(*value) & bit) != 0;
}

double EntityReader::yaw(std::uint32_t e) {
    if (const auto angles = entity(e).vector("angles")) return angles->y;
    return number(e, "angle", 0);
}

DVec3 EntityReader::direction(std::uint32_t e) {
    const auto angles = entity(e).vector("angles");
    const double angle = number(e, "angle", 0);
    if (angle == -1 || (angles && angles->x == -90)) return {0, 1, 0};
    if (angle == -2 || (angles && angles->x == 90)) return {0, -1, 0};
    const SineCosine turn = of_degrees(yaw(e));
    return {turn.cosine, 0, 0 - turn.sine};
}

Vec3 EntityReader::vector(std::uint32_t e, std::string_view key, DVec3 usual) {
    if (entity(e).find(key) && !entity(e).vector(key))
        warn_at(e, "\"" + std::string(key) + "\": invalid value \"" + text(e, key) +
                       "\": expected three numbers");
    return narrow(from_map(entity(e).vector(key).value_or(usual), 1));
}

std::optional<DVec3> EntityReader::origin(std::uint32_t e) {
    const auto at = entity(e).vector("origin");
    if (!at) warn_at(e, "left out: expected an \"origin\" of three numbers");
    return at;
}

std::optional<EntityReader::Extent> EntityReader::extent(std::uint32_t e) {
    Extent all;
    bool any = false;
    for (const LevelBrush& brush : content_.level.brushes) {
        if (brush.entity != e) continue;
        if (marks_origin(content_.level.materials[brush.faces[0].material])) {
            all.pivot = 0.5 * (brush.low + brush.high);
            all.has_pivot = true;
            continue;
        }
        all.low = any ? min(all.low, brush.low) : brush.low;
        all.high = any ? max(all.high, brush.high) : brush.high;
        any = true;
    }
    if (!any) {
        warn_at(e, "left out: it has no brushes");
        return std::nullopt;
    }
    if (!all.has_pivot) {
        const auto given = entity(e).vector("origin");
        all.has_pivot = given.has_value();
        all.pivot = given.value_or(all.middle());
    }
    return all;
}

std::optional<std::uint32_t> EntityReader::named_entity(const std::string& name) const {
    const auto found = entities_by_name_.find(name);
    if (name.empty() || found == entities_by_name_.end()) return std::nullopt;
    return found->second;
}

// bodies of brushes ----------------------------------------------------------------------------------------------------

RigidShape EntityReader::shape_of(std::uint32_t e, DVec3 origin, const ShapeDef& definition) {
    RigidShape shape;
    for (LevelShape& one : entity_shapes(content_.level, e, content_.scale, &warnings_)) {
        const std::string& material = content_.level.materials[one.material];
        RigidShape::Part part{std::move(one.geometry), definition, paint_of_texture(material, {})};
        if (draws_nothing(material)) part.paint.opacity = 0.0f;
        part.definition.position = narrow(wide(one.position) - origin);
        shape.parts.push_back(std::move(part));
    }
    return shape;
}

std::uint32_t EntityReader::add_body(std::uint32_t e, RigidShape shape, BodyType type, DVec3 position) {
    RigidBodyDef body;
    body.body.type = type;
    body.body.position = position;
    const std::string name = text(e, "targetname");
    if (!name.empty() && !bodies_.find(name)) body.name = name;
    return bodies_.add(entry_, std::move(shape), std::move(body));
}

std::uint32_t EntityReader::add_sensor_box(DVec3 low, DVec3 high) {
    const DVec3 half = 0.5 * scale_ * (high - low);
    const auto size = [](double v) { return static_cast<float>(std::max(v, 0.01)); };
    RigidShape shape;
    shape.parts.push_back({Box{size(half.x), size(half.z), size(half.y)}, {.sensor = true}, {}});
    RigidBodyDef body;
    body.body.type = BodyType::fixed;
    body.body.position = world(0.5 * (low + high));
    return bodies_.add(entry_, std::move(shape), std::move(body));
}

/// A kinematic body about `origin`, drawn as it is, with sensors in it that tell what is pressed into it.
LevelMover& EntityReader::add_mover(std::uint32_t e, LevelMover::Type type, DVec3 origin, DVec3 begins) {
    RigidShape shape = shape_of(e, origin, {});
    for (const RigidShape::Part& part : shape.parts)
        shape.drawn.push_back(
            {part.geometry, {part.definition.position, part.definition.rotation}, part.paint});
    const std::size_t solid = shape.parts.size();
    for (std::size_t k = 0; k < solid; ++k)
        if (const Hull* hull = std::get_if<Hull>(&shape.parts[k].geometry))
            if (const auto inner = shrunk(*hull)) {
                RigidShape::Part sensor = shape.parts[k];
                sensor.geometry = *inner;
                sensor.definition.sensor = true;
                shape.parts.push_back(std::move(sensor));
            }
    LevelMover& mover = scene_.movers.emplace_back();
    const auto number = static_cast<std::uint32_t>(scene_.movers.size() - 1);
    mover.type = type;
    mover.group = number;
    mover.body = add_body(e, std::move(shape), BodyType::kinematic, begins);
    const LevelTarget self{false, number};
    if (const std::string name = text(e, "targetname"); !name.empty()) fired_by_name_.emplace(name, self);
    aims_.push_back({e, self});
    return mover;
}

void EntityReader::add_touch(std::uint32_t body, std::uint32_t mover, bool only_player) {
    LevelTrigger& trigger = scene_.triggers.emplace_back();
    trigger.body = body;
    trigger.only_player = only_player;
    trigger.targets = {{false, mover}};
}

// movers ---------------------------------------------------------------------------------------------------------------

void EntityReader::door(std::uint32_t e) {
    const auto size = extent(e);
    if (!size) return;
    const DVec3 way = direction(e), sides = size->high - size->low;
    const double across =
        std::fabs(way.x) * sides.x + std::fabs(way.z) * sides.y + std::fabs(way.y) * sides.z;
    const double travel = across - number(e, "lip", 8);
    if (!(travel > 0)) warn_at(e, "does not move: its \"lip\" is as large as it is");
    DVec3 open = std::max(travel, 0.0) * scale_ * way, begins = world(size->middle());
    if (flag(e, 1)) begins = begins + open, open = -open; // begins open
    LevelMover& mover = add_mover(e, LevelMover::Type::door, world(size->middle()), begins);
    mover.speed = positive_number(e, "speed", 100) * scale_;
    mover.toggles = flag(e, 32);
    mover.stops = {{{}, 0, -1, 1}, {open, 0, number(e, "wait", 3), 0}};
    doors_.push_back({e, static_cast<std::uint32_t>(scene_.movers.size() - 1), *size});
}

void EntityReader::rotating_door(std::uint32_t e) {
    const auto size = extent(e);
    if (!size) return;
    if (!size->has_pivot) warn_at(e, "turns about its middle: expected a brush of the texture \"origin\"");
    LevelMover& mover = add_mover(e, LevelMover::Type::door, world(size->pivot), world(size->pivot));
    mover.axis = flag(e, 64) ? Vec3{1, 0, 0} : flag(e, 128) ? Vec3{0, 0, -1} : Vec3{0, 1, 0};
    mover.turns = true;
    mover.speed = positive_number(e, "speed", 100);
    mover.toggles = flag(e, 32);
    const double angle = number(e, "distance", 90) * (flag(e, 2) ? -1 : 1);
    mover.stops = {{{}, 0, -1, 1}, {{}, angle, number(e, "wait", 3), 0}};
    doors_.push_back({e, static_cast<std::uint32_t>(scene_.movers.size() - 1), *size});
}

/// Doors that touch open together. What nobody fires opens for whatever comes near.
void EntityReader::link_doors() {
    const auto touch = [](const Extent& a, const Extent& b) {
        return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
               a.low.z <= b.high.z && b.low.z <= a.high.z;
    };
    for (std::size_t i = 0; i < doors_.size(); ++i)
        for (std::size_t k = i + 1; k < doors_.size(); ++k) {
            const std::uint32_t first = scene_.movers[doors_[i].mover].group,
                                second = scene_.movers[doors_[k].mover].group;
            if (first == second || flag(doors_[i].entity, 4) || flag(doors_[k].entity, 4) ||
                !touch(doors_[i].extent, doors_[k].extent))
                continue;
            for (const Door& door : doors_) { // all that are linked have the smallest of their numbers
                std::uint32_t& group = scene_.movers[door.mover].group;
                if (group == first || group == second) group = std::min(first, second);
            }
        }
    for (const Door& owner : doors_) {
        if (scene_.movers[owner.mover].group != owner.mover) continue;
        DVec3 low = owner.extent.low, high = owner.extent.high;
        bool fired = false;
        for (const Door& door : doors_)
            if (scene_.movers[door.mover].group == owner.mover) {
                low = min(low, door.extent.low), high = max(high, door.extent.high);
                fired = fired || !text(door.entity, "targetname").empty();
            }
        if (fired) continue;
        const DVec3 around{60, 60, 8};
        add_touch(add_sensor_box(low - around, high + around), owner.mover,
                  text(owner.entity, "only") == "player");
    }
}

/// Drawn where it is highest. One that nobody fires begins below.
void EntityReader::plat(std::uint32_t e) {
    const auto size = extent(e);
    if (!size) return;
    const double height = number(e, "height", 0);
    const double travel = height > 0 ? height : std::max(size->high.z - size->low.z - 8, 0.0);
    const bool fired = !text(e, "targetname").empty();
    const DVec3 up = DVec3{0, travel * scale_, 0}, top = world(size->middle());
    LevelMover& mover = add_mover(e, LevelMover::Type::plat, top, fired ? top : top - up);
    mover.speed = positive_number(e, "speed", 150) * scale_;
    mover.first = fired ? 1 : 0;
    const DVec3 below = fired ? -up : DVec3{};
    mover.stops = {{below, 0, -1, 1}, {below + up, 0, number(e, "wait", 3), 0}};
    const auto self = static_cast<std::uint32_t>(scene_.movers.size() - 1);
    DVec3 low = size->low + DVec3{25, 25, 0}, high = size->high + DVec3{-25, -25, 8};
    low.z = high.z - (travel + 8);
    if (low.x >= high.x) low.x = 0.5 * (low.x + high.x) - 1, high.x = low.x + 2;
    if (low.y >= high.y) low.y = 0.5 * (low.y + high.y) - 1, high.y = low.y + 2;
    if (flag(e, 1)) high.z = low.z + 8;
    add_touch(add_sensor_box(low, high), self, text(e, "only") == "player");
}

void EntityReader::button(std::uint32_t e) {
    const auto size = extent(e);
    if (!size) return;
    const DVec3 way = direction(e), sides = size->high - size->low;
    const double across =
        std::fabs(way.x) * sides.x + std::fabs(way.z) * sides.y + std::fabs(way.y) * sides.z;
    const DVec3 middle = world(size->middle());
    LevelMover& mover = add_mover(e, LevelMover::Type::button, middle, middle);
    mover.speed = positive_number(e, "speed", 40) * scale_;
    const DVec3 pressed = std::max(across - number(e, "lip", 4), 0.0) * scale_ * way;
    mover.stops = {{{}, 0, -1, 1}, {pressed, 0, number(e, "wait", 1), 0}};
    mover.delay = std::max(number(e, "delay", 0), 0.0);
    const auto self = static_cast<std::uint32_t>(scene_.movers.size() - 1);
    const DVec3 around{sensor_reach, sensor_reach, sensor_reach};
    add_touch(add_sensor_box(size->low - around, size->high + around), self, text(e, "only") == "player");
}

/// Its corner of the smallest coordinates follows the way, or its origin where it has one.
void EntityReader::train(std::uint32_t e) {
    const auto size = extent(e);
    if (!size) return;
    std::vector<std::uint32_t> corners;
    std::optional<std::uint32_t> loop;
    for (auto next = named_entity(text(e, "target")); next; next = named_entity(text(*next, "target"))) {
        const auto known = std::find(corners.begin(), corners.end(), *next);
        if (known != corners.end()) {
            loop = static_cast<std::uint32_t>(known - corners.begin());
            break;
        }
        if (!origin(*next)) break;
        corners.push_back(*next);
    }
    if (corners.empty()) {
        warn_at(e, "stands still: there is no path_corner of the name \"" + text(e, "target") + "\"");
        RigidShape shape = shape_of(e, {}, {});
        if (!shape.parts.empty()) add_body(e, std::move(shape), BodyType::fixed, {});
        return;
    }
    const DVec3 led = size->has_pivot ? size->pivot : size->low;
    const DVec3 first = world(*entity(corners[0]).vector("origin"));
    LevelMover& mover = add_mover(e, LevelMover::Type::train, world(led), first);
    mover.speed = positive_number(e, "speed", 100) * scale_;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        LevelMover::Stop stop;
        stop.move = world(*entity(corners[k]).vector("origin")) - first;
        stop.wait = number(corners[k], "wait", 0);
        if (k + 1 < corners.size()) stop.next = static_cast<std::uint32_t>(k + 1);
        else stop.next = loop;
        mover.stops.push_back(stop);
    }
    mover.runs = text(e, "targetname").empty();
    aims_.pop_back(); // its target is where it goes
}

void EntityReader::rotating(std::uint32_t e) {
    const auto size = extent(e);
    if (!size) return;
    LevelMover& mover = add_mover(e, LevelMover::Type::rotating, world(size->pivot), world(size->pivot));
    mover.axis = flag(e, 4) ? Vec3{1, 0, 0} : flag(e, 8) ? Vec3{0, 0, -1} : Vec3{0, 1, 0};
    mover.turns = true;
    mover.speed = number(e, "speed", 100);
    mover.stops.resize(2);
    mover.runs = text(e, "targetname").empty() || flag(e, 1);
}

// triggers and volumes -------------------------------------------------------------------------------------------------

/// Along its angle; in Quake III up to the target, which is the top of the flight.
Vec3 EntityReader::push_velocity(std::uint32_t e, DVec3 middle) {
    const double g = -double{scene_.settings.gravity.y};
    if (const auto aim = named_entity(text(e, "target")))
        if (const auto at = entity(*aim).vector("origin"); at && g > 0) {
            const DVec3 way = world(*at) - world(middle);
            const double seconds = std::sqrt(2 * std::max(way.y, 0.0) / g);
            if (seconds > 0) return narrow(DVec3{way.x / seconds, g * seconds, way.z / seconds});
        }
    return narrow(std::min(positive_number(e, "speed", 1000) * 10, most_speed) * scale_ * direction(e));
}

void EntityReader::trigger(std::uint32_t e) {
    using Type = LevelTrigger::Type;
    const std::string_view name = entity(e).classname();
    LevelTrigger made;
    made.only_player = text(e, "only") == "player";
    made.delay = std::max(number(e, "delay", 0), 0.0);
    if (name == "trigger_relay") made.type = Type::relay;
    if (name == "trigger_counter") {
        made.type = Type::counter;
        made.count = static_cast<std::uint32_t>(std::max(number(e, "count", 2), 1.0));
    }
    if (made.type == Type::touch) {
        const auto size = extent(e);
        if (!size) return;
        made.type = Type::multiple;
        made.wait = name == "trigger_multiple" ? number(e, "wait", 0.2) : -1;
        if (name == "trigger_push") {
            made.type = Type::push;
            made.wait = flag(e, 1) ? -1 : 0;
            made.velocity = push_velocity(e, size->middle());
        }
        if (name == "trigger_teleport") {
            made.type = Type::teleport;
            made.wait = 0;
            const auto aim = named_entity(text(e, "target"));
            const auto at = aim ? entity(*aim).vector("origin") : std::nullopt;
            if (!at)
                return warn_at(e, "left out: nothing has the name \"" + text(e, "target") +
                                      "\" and an \"origin\"");
            made.destination = world(*at + DVec3{0, 0, 3});
            made.velocity = narrow(300 * scale_ * direction(*aim));
        }
        RigidShape shape = shape_of(e, world(size->middle()), {.sensor = true});
        if (shape.parts.empty()) return;
        made.body = add_body(e, std::move(shape), BodyType::fixed, world(size->middle()));
    }
    const LevelTarget self{true, static_cast<std::uint32_t>(scene_.triggers.size())};
    scene_.triggers.push_back(std::move(made));
    if (const std::string own = text(e, "targetname"); !own.empty()) fired_by_name_.emplace(own, self);
    if (name != "trigger_push" && name != "trigger_teleport") aims_.push_back({e, self});
}

void EntityReader::aim_triggers() {
    std::size_t room = most_targets;
    for (const Aim& aim : aims_) {
        const std::string name = text(aim.entity, "target");
        if (name.empty()) continue;
        const auto [first, last] = fired_by_name_.equal_range(name);
        const auto count = static_cast<std::size_t>(std::distance(first, last));
        if (count > room) {
            warn_at(aim.entity, "this and what follows fires nothing: the level has more than " +
                                    count_text(most_targets) + " targets");
            return;
        }
        room -= count;
        if (first == last && !named_entity(name))
            warn_at(aim.entity, "\"target\": nothing has the name \"" + name + "\"");
        for (auto each = first; each != last; ++each)
            if (aim.from.trigger) scene_.triggers[aim.from.number].targets.push_back(each->second);
            else scene_.movers[aim.from.number].targets.push_back(each->second);
    }
}

void EntityReader::start(std::uint32_t e) {
    const auto at = origin(e);
    if (!at) return;
    const LevelStart made{world(*at - DVec3{0, 0, feet_below}), yaw(e)};
    // the one-player start goes before those of other modes
    if (entity(e).classname() == "info_player_start") scene_.starts.insert(scene_.starts.begin(), made);
    else scene_.starts.push_back(made);
}

/// Each brush is water up to its top.
void EntityReader::liquids(std::uint32_t e) {
    for (const LevelBrush& brush : content_.level.brushes) {
        if (brush.entity != e || brush.solid) continue;
        const std::string& texture = content_.level.materials[brush.faces[0].material];
        const auto density = entity(e).classname() == "func_water" ? liquid_density(texture).value_or(1000.0f)
                                                                   : liquid_density(texture);
        if (!density) continue;
        const DVec3 a = world(brush.low), b = world(brush.high);
        Water water;
        water.surface = {a.x, b.y, a.z};
        water.density = *density;
        water.velocity = vector(e, "velocity", {});
        scene_.fields.push_back({water, ForceField::Region{narrow(min(a, b)), narrow(max(a, b))}});
    }
}

void EntityReader::water(std::uint32_t e) {
    if (extent(e)) liquids(e);
}

/// Air that moves inside the bounds of the brushes; "velocity" in m/s along the map's axes.
void EntityReader::wind(std::uint32_t e) {
    const auto size = extent(e);
    if (!size) return;
    const DVec3 a = world(size->low), b = world(size->high);
    const Vec3 velocity = vector(e, "velocity", {});
    scene_.fields.push_back(
        {Wind{.velocity = velocity}, ForceField::Region{narrow(min(a, b)), narrow(max(a, b))}});
}

// all of them ----------------------------------------------------------------------------------------------------------

const EntityReader::Class* EntityReader::find_class(std::string_view name) {
    using R = EntityReader;
    static const Class classes[] = {
        {"worldspawn", &R::liquids},
        {"func_group", &R::liquids},
        {"func_wall", &R::nothing},
        {"func_static", &R::nothing},
        {"func_door", &R::door},
        {"func_door_rotating", &R::rotating_door},
        {"func_plat", &R::plat},
        {"func_button", &R::button},
        {"func_train", &R::train},
        {"func_rotating", &R::rotating},
        {"func_water", &R::water},
        {"trigger_multiple", &R::trigger},
        {"trigger_once", &R::trigger},
        {"trigger_secret", &R::trigger},
        {"trigger_relay", &R::trigger},
        {"trigger_counter", &R::trigger},
        {"trigger_push", &R::trigger},
        {"trigger_teleport", &R::trigger},
        {"info_player_start", &R::start},
        {"info_player_start2", &R::start},
        {"info_player_coop", &R::start},
        {"info_player_deathmatch", &R::start},
        {"info_player_team1", &R::start},
        {"info_player_team2", &R::start},
        {"info_teleport_destination", &R::nothing},
        {"misc_teleporter_dest", &R::nothing},
        {"target_position", &R::nothing},
        {"path_corner", &R::nothing},
        {"info_null", &R::nothing},
        {"info_notnull", &R::nothing},
        {"scree_wind", &R::wind},
        {"scree_body", &R::body},
        {"scree_heap", &R::heap},
        {"scree_figure", &R::figure},
        {"scree_cloth", &R::cloth, true},
        {"scree_rope", &R::rope, true},
        {"scree_chain", &R::chain, true},
        {"scree_joint", &R::joint, true},
    };
    for (const Class& one : classes)
        if (one.name == name) return &one;
    if (name.starts_with("light") || name.starts_with("func_detail")) return &classes[2];
    return nullptr;
}

void EntityReader::read() {
    struct Unknown {
        std::string name;
        std::uint32_t line, count;
        bool stands;
    };
    std::vector<Unknown> unknown;
    for (std::uint32_t e = 0; e < content_.entities.size(); ++e)
        if (!content_.entities[e].omitted) entities_by_name_.emplace(text(e, "targetname"), e);
    for (const bool late : {false, true}) {
        for (std::uint32_t e = 0; e < content_.entities.size(); ++e) {
            const MapEntity& one = content_.entities[e];
            if (one.omitted || one.classname().empty()) continue;
            if (const Class* known = find_class(one.classname())) {
                if (known->late == late) (this->*known->read)(e);
                continue;
            }
            if (late) continue;
            // walls that nothing moves are better than holes
            const bool stands = one.classname().starts_with("func_") && one.classname() != "func_illusionary";
            const auto same = std::find_if(unknown.begin(), unknown.end(),
                                           [&](const Unknown& u) { return u.name == one.classname(); });
            if (same != unknown.end()) ++same->count;
            else unknown.push_back({std::string(one.classname()), one.place.line, 1, stands});
            if (!stands) continue;
            RigidShape shape = shape_of(e, {}, {});
            if (!shape.parts.empty()) add_body(e, std::move(shape), BodyType::fixed, {});
        }
    }
    link_doors();
    aim_triggers();
    for (const bool stands : {false, true}) {
        std::string list;
        std::size_t count = 0;
        for (const Unknown& u : unknown)
            if (u.stands == stands && count++ < 40)
                list += (list.empty() ? "" : ", ") + u.name + " (" +
                        (u.line > 0 ? "line " + std::to_string(u.line) + ", " : std::string()) +
                        std::to_string(u.count) + ")";
        if (count == 0) continue;
        if (count > 40) list += " and " + std::to_string(count - 40) + " more";
        warnings_.push_back(content_.level.file + ": " + count_of(count, "class", "classes") +
                            (stands ? " of entities that stand still: " : " of entities left out: ") + list);
    }
}

void read_placed_level(const Field& entry, RigidBodyList& bodies, RigidScene& scene,
                       const ShapeSources& sources, ModelList& models) {
    LevelContent content;
    ShapeSources with = sources;
    with.level = &content;
    RigidShape shape = read_rigid_shape(entry, with);
    if (content.level.brushes.empty() && content.level.patches.empty())
        entry.fail("expected a shape with \"level\"");
    RigidBodyDef body;
    body.name = shape.name;
    body.body.type = BodyType::fixed;
    bodies.add(entry, std::move(shape), std::move(body));
    EntityReader reader(entry, content, bodies, scene, sources, models);
    reader.read();
    const std::vector<std::string> warnings = reader.take_warnings();
    for (std::size_t i = 0; i < std::min(warnings.size(), most_shown); ++i) warn(warnings[i]);
    if (warnings.size() > most_shown)
        warn(count_text(warnings.size() - most_shown) + " more warnings of the level's entities");
}

} // namespace scree
