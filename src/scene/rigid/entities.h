// SPDX-License-Identifier: MIT
// entities.h — the entities of a placed level: from keys of a map to movers, triggers, fields, bodies, joints, cloths and characters.
#pragma once

#include "scene/rigid/bodies.h"
#include "scene/rigid/parts.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Reads entities in two rounds: bodies and what moves first, then what joins them and who fires whom.
class EntityReader {
public:
    EntityReader(const Field& entry, const LevelContent& content, RigidBodyList& bodies, RigidScene& scene,
                 const ShapeSources& sources, ModelList& models)
        : entry_(entry),
          content_(content),
          bodies_(bodies),
          scene_(scene),
          sources_(sources),
          models_(models),
          scale_(double{content.scale}) {}

    void read();
    std::vector<std::string> take_warnings() { return std::move(warnings_); }

private:
    /// Bounds of an entity's brushes in the map's frame, and the point that it turns about.
    struct Extent {
        DVec3 low, high, pivot;
        bool has_pivot = false; ///< an origin brush, or a key "origin"
        DVec3 middle() const { return 0.5 * (low + high); }
    };
    using Read = void (EntityReader::*)(std::uint32_t);
    struct Class {
        std::string_view name;
        Read read;
        bool late = false; ///< in the second round
    };
    static const Class* find_class(std::string_view name);

    // keys of an entity
    const MapEntity& entity(std::uint32_t e) const { return content_.entities[e]; }
    std::string named(std::uint32_t e) const; ///< "hall.map:12:1: func_door"
    void warn_at(std::uint32_t e, const std::string& what) { warnings_.push_back(named(e) + ": " + what); }
    std::string text(std::uint32_t e, std::string_view key) const;
    double number(std::uint32_t e, std::string_view key, double usual);
    double positive_number(std::uint32_t e, std::string_view key, double usual);
    bool flag(std::uint32_t e, std::uint32_t bit) const; ///< of "spawnflags"
    DVec3 direction(std::uint32_t e);                    ///< of "angle" or "angles", in the world's frame
    double yaw(std::uint32_t e);
    Vec3 vector(std::uint32_t e, std::string_view key, DVec3 usual); ///< given in the map's frame; unscaled
    std::optional<DVec3> origin(std::uint32_t e);  ///< in the map's frame; warns if there is none
    std::optional<Extent> extent(std::uint32_t e); ///< warns if there are no brushes
    DVec3 world(DVec3 at) const { return from_map(at, content_.scale); }
    /// The first entity of a name.
    std::optional<std::uint32_t> named_entity(const std::string& name) const;

    // entities.cpp
    RigidShape shape_of(std::uint32_t e, DVec3 origin, const ShapeDef& definition);
    std::uint32_t add_body(std::uint32_t e, RigidShape shape, BodyType type, DVec3 position);
    std::uint32_t add_sensor_box(DVec3 low, DVec3 high);
    LevelMover& add_mover(std::uint32_t e, LevelMover::Type type, DVec3 origin, DVec3 begins);
    void add_touch(std::uint32_t body, std::uint32_t mover, bool only_player);
    void door(std::uint32_t e);
    void rotating_door(std::uint32_t e);
    void plat(std::uint32_t e);
    void button(std::uint32_t e);
    void train(std::uint32_t e);
    void rotating(std::uint32_t e);
    Vec3 push_velocity(std::uint32_t e, DVec3 middle);
    void trigger(std::uint32_t e);
    void start(std::uint32_t e);
    void water(std::uint32_t e);
    void wind(std::uint32_t e);
    void nothing(std::uint32_t) {} ///< others refer to it, or the level has it already
    void liquids(std::uint32_t e);
    void link_doors();
    void aim_triggers();

    // entity_bodies.cpp
    Material material(std::uint32_t e);
    void body(std::uint32_t e);
    void heap(std::uint32_t e);
    void cloth(std::uint32_t e);
    void rope(std::uint32_t e);
    void chain(std::uint32_t e);
    void joint(std::uint32_t e);
    void figure(std::uint32_t e);
    std::optional<std::uint32_t> body_named(std::uint32_t e, std::string_view key);
    /// The two ends of a rope or chain: its origin, and that of its target.
    struct Ends {
        DVec3 from, to;
    };
    std::optional<Ends> ends(std::uint32_t e);

    const Field& entry_;
    const LevelContent& content_;
    RigidBodyList& bodies_;
    RigidScene& scene_;
    const ShapeSources& sources_;
    ModelList& models_;
    double scale_; ///< m in a unit
    std::vector<std::string> warnings_;
    struct Door {
        std::uint32_t entity, mover;
        Extent extent;
    };
    std::vector<Door> doors_;
    struct Aim {
        std::uint32_t entity;
        LevelTarget from;
    };
    std::vector<Aim> aims_; ///< whose "target" is to be found
    std::map<std::string, std::uint32_t> entities_by_name_;
    std::multimap<std::string, LevelTarget> fired_by_name_; ///< by "targetname"
};

} // namespace scree
