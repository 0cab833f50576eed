// SPDX-License-Identifier: MIT
// run.cpp — a running rigid scene.
#include "scene/rigid/character_look.h"
#include "scene/rigid/kind.h"
#include "scene/rigid/state_bytes.h"
#include "scene/world_run.h"
#include "scree/collision_cells.h"
#include "scree/error.h"
#include "scree/level_cells.h"
#include "text/words.h"
#include "world/cloth_triangles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

namespace scree {
namespace {

double count(std::uint64_t n) { return static_cast<double>(n); }

std::vector<Measured> measured(const WorldMeasure& m) {
    return {{"kinetic_energy", m.kinetic_energy},
            {"potential_energy", m.potential_energy},
            {"max_overlap", m.max_overlap},
            {"contacts", count(m.contacts)},
            {"top", m.top},
            {"max_speed", m.max_speed},
            {"asleep", count(m.asleep)},
            {"mean_overlap", m.mean_overlap},
            {"p99_overlap", m.p99_overlap},
            {"mean_speed", m.mean_speed},
            {"mean_height", m.mean_height},
            {"joint_error", m.joint_error},
            {"joint_angle", m.joint_angle},
            {"bottom", m.bottom},
            {"points", count(m.points)},
            {"frozen", count(m.frozen)},
            {"inside", count(m.inside)}};
}

/// Bodies under whose centre no fixed body is: they fell through the ground or beside it.
double below_ground(const World& world) {
    const DVec3 gravity = wide(world.settings().gravity);
    const double size = length(gravity);
    const Vec3 way = narrow(size > 0 ? gravity * (1e4 / size) : DVec3{0, -1e4, 0});
    QueryFilter fixed;
    fixed.accept = [&](ShapeId shape, std::size_t) {
        return world.type(world.body(shape)) == BodyType::fixed;
    };
    double below = 0;
    for (const BodyId body : world.bodies())
        if (world.type(body) != BodyType::fixed &&
            !world.cast_ray({.origin = wide(world.state(body).centre), .translation = way}, fixed))
            ++below;
    return below;
}

/// The largest of all cloths, or the lowest.
double of_cloths(const World& world, const std::string& quantity) {
    double largest = 0, asleep = 0, vertices = 0, bottom = std::numeric_limits<double>::infinity(),
           top = -bottom;
    for (const ClothId cloth : world.cloths()) {
        const FabricMeasure m = world.measure(cloth);
        if (quantity == "cloth_stretch") largest = std::max(largest, m.max_stretch);
        if (quantity == "cloth_mean_stretch") largest = std::max(largest, m.mean_stretch);
        if (quantity == "cloth_speed") largest = std::max(largest, m.max_speed);
        asleep += world.asleep(cloth);
        vertices += count(world.vertices(cloth).size());
        bottom = std::min(bottom, double{m.low.y});
        top = std::max(top, double{m.high.y});
    }
    if (quantity == "cloth_bottom") return bottom;
    if (quantity == "cloth_asleep") return asleep;
    if (quantity == "cloth_vertices") return vertices;
    return quantity == "cloth_top" ? top : largest;
}

/// Of the bodies that are not fixed.
double requested(const RigidScene& scene, const World& world, const Expectation& expected) {
    if (expected.quantity == "below") return below_ground(world);
    if (expected.quantity == "cloth_intersections") return count(ClothTriangles(world).intersections(world));
    if (expected.quantity.starts_with("cloth_")) return of_cloths(world, expected.quantity);
    const bool spread = expected.quantity == "spread";
    if (!spread && expected.quantity != "moved")
        return value_of(measured(world.measure()), expected.quantity);
    std::vector<Vec3> now, start;
    const std::vector<BodyId> bodies = world.bodies();
    for (std::size_t i = 0; i < std::min(bodies.size(), scene.bodies.size()); ++i) {
        if (world.type(bodies[i]) == BodyType::fixed) continue;
        now.push_back(world.state(bodies[i]).position);
        start.push_back(narrow(scene.bodies[i].body.position));
    }
    return spread ? widest(now) : largest_distance(now, start);
}

std::vector<Measured> named(const StepCounters& c) {
    return {{"awake", count(c.awake)},       {"pairs", count(c.pairs)},
            {"contacts", count(c.contacts)}, {"recycled", count(c.recycled)},
            {"colours", count(c.colours)},   {"overflow", count(c.overflow)},
            {"islands", count(c.islands)},   {"allocations", count(c.allocations)}};
}

/// What each stage of the detector left.
void add_stages_of_impacts(const ImpactCounters& impact, const CellCounters& cells,
                           std::vector<Measured>& out) {
    for (const Measured& stage :
         {Measured{"all pairs", count(impact.pairs)}, Measured{"in common cells", count(cells.in_cells)},
          Measured{"boxes overlap", count(impact.candidates)},
          Measured{"ways looked at", count(cells.candidates)}, Measured{"ways meet", count(cells.shafts)},
          Measured{"oriented boxes meet", count(cells.oriented)}, Measured{"queued", count(impact.queued)},
          Measured{"distances", count(impact.measured)}, Measured{"impacts", count(impact.impacts)},
          Measured{"contacts at rest", count(impact.resting)}, Measured{"cells", count(cells.cells)},
          Measured{"cells of bodies", count(cells.memberships)}})
        out.push_back(stage);
}

/// With the bodies' numbers in place of their indices.
std::vector<ContactInfo> numbered(std::vector<ContactInfo> contacts, const std::vector<BodyId>& ids) {
    const auto number = [&](BodyId& body) {
        const auto at = std::lower_bound(ids.begin(), ids.end(), body,
                                         [](BodyId a, BodyId b) { return a.index < b.index; });
        body.index = static_cast<std::uint32_t>(at - ids.begin());
    };
    for (ContactInfo& contact : contacts) {
        number(contact.first_body);
        number(contact.second_body);
    }
    return contacts;
}

class RigidRun final : public WorldRun<World> {
public:
    RigidRun(const Kind& kind, const Scene& scene, const Place& place)
        : WorldRun(kind, scene, place, build_rigid_world(scene, place)),
          ids_(world_.bodies()),
          skins_(character_skins(content())),
          state_(begin_scene(content())) {
        use_cells();
    }

    void step(std::uint64_t steps) override {
        const auto tears = [](const RigidClothDef& cloth) {
            return std::isfinite(cloth.cloth.material.tear);
        };
        const bool may_tear = std::any_of(content().cloths.begin(), content().cloths.end(), tears);
        for (; steps > 0; --steps) {
            const float height = player_height();
            step_scene(content(), world_, state_);
            if (player_height() != height) look_changed();
            if (may_tear && !world_.events().torn.empty()) look_changed();
        }
    }

    std::vector<Measured> measure() const override { return measured(world_.measure()); }
    double quantity(const Expectation& expected) const override {
        return requested(content(), world_, expected);
    }
    std::vector<std::string> warnings() const override {
        const std::uint32_t frozen = world_.measure().frozen;
        if (frozen == 0) return {};
        return {count_of(frozen, "body", "bodies") + " became non-finite and stopped where they were"};
    }
    std::string contents() const override {
        std::string text = count_of(world_.body_count(), "body", "bodies") + " of " +
                           count_of(content().shapes.size(), "shape", "shapes");
        if (const std::size_t figures = content().characters.size(); figures > 0)
            text += ", " + count_of(figures, "character", "characters");
        if (const std::size_t cloths = content().cloths.size(); cloths > 0)
            text += ", " + count_of(cloths, "cloth", "cloths");
        if (world_.joint_count() > 0) text += ", " + count_of(world_.joint_count(), "joint", "joints");
        return text;
    }

    std::vector<std::string_view> stage_names() const override {
        return {world_stage_names.begin(), world_stage_names.end()};
    }

    /// After the bodies, a surface for each cloth: its pose is that of the world.
    std::uint32_t body_count() const override {
        return static_cast<std::uint32_t>(ids_.size() + world_.cloths().size());
    }
    /// Of a cloth the nearest vertex is held, whatever comes or goes.
    Grab anchored(const Grab& grab) const override {
        if (grab.body < ids_.size()) return grab;
        const std::uint32_t number = grab.body - static_cast<std::uint32_t>(ids_.size());
        const auto vertices = world_.vertices(world_.cloths()[number]);
        const auto nearer = [&](const Vec3& a, const Vec3& b) {
            return length(wide(a) - wide(grab.point)) < length(wide(b) - wide(grab.point));
        };
        const auto nearest = std::min_element(vertices.begin(), vertices.end(), nearer) - vertices.begin();
        return {first_surface + number, {static_cast<float>(nearest), 0, 0}}; // exact: 2^24 vertices at most
    }
    bool take(const Grab& grab, Vec3 target) override {
        if (grab.body < first_surface) return false;
        world_.drag(world_.cloths()[grab.body - first_surface], static_cast<std::uint32_t>(grab.point.x),
                    target);
        return true;
    }
    Grip grip(std::uint32_t body, Vec3 local) const override {
        if (body >= first_surface) {
            const ClothId cloth = world_.cloths()[body - first_surface];
            const auto vertex = static_cast<std::size_t>(local.x);
            return {world_.vertices(cloth)[vertex], world_.vertex_velocities(cloth)[vertex], 0};
        }
        const BodyId id = ids_[body];
        const BodyState state = world_.state(id);
        const float mass = world_.type(id) == BodyType::dynamic ? world_.mass(id).mass : 0;
        return grip_of({state.position, state.rotation}, state.centre, state.velocity, state.angular_velocity,
                       mass, local);
    }
    void pull(std::uint32_t body, Vec3 point, Vec3 force) override {
        world_.apply_force(ids_[body], force, point);
    }
    void shoot(const Shoot& shot) override {
        BodyDef body;
        body.position = shot.position;
        body.velocity = shot.velocity;
        const double volume = 4.0 / 3.0 * std::numbers::pi * shot.radius * shot.radius * shot.radius;
        ShapeDef shape;
        shape.density = static_cast<float>(shot.mass / volume);
        const BodyId id = world_.create_body(body);
        try {
            world_.attach(id, Sphere{shot.radius}, shape);
        } catch (const Error&) {
            world_.destroy(id);
            throw;
        }
        ids_ = world_.bodies();
        look_changed();
    }

    std::vector<Action> actions() const override {
        std::vector<Action> list;
        for (const SceneAction& action : content().actions) list.push_back({action.name, action.key});
        return list;
    }
    void act(const std::string& action) override { scree::act(content(), world_, action); }
    void walk(const Walk& walk) override {
        if (!state_.player) {
            add_player(content(), world_, state_);
            ids_ = world_.bodies();
            look_changed();
        }
        state_.wish = walk.velocity;
        state_.crouches = walk.crouch;
        if (walk.jump) state_.player->jump(jump_speed);
    }
    std::optional<PlayerView> player_start() const override {
        if (content().starts.empty()) return std::nullopt;
        const LevelStart& start = content().starts[0];
        return PlayerView{start.feet + DVec3{0, eye_height, 0}, start.yaw};
    }

    void observe(Details& details, const Wishes& wishes) const override {
        if (wishes.contacts) {
            const WorldSettings& settings = world_.settings();
            details.contacts = numbered(world_.contacts(), ids_);
            // impulses are those of the last substep; the SOR solver has none
            const int substeps = settings.solver == Solver::soft_step ? settings.substeps : 1;
            details.contact_seconds = double{content().time_step} / substeps;
        }
        if (wishes.tree) details.tree = world_.tree();
        StepCounters counters = world_.counters();
        if (wishes.measures) {
            // a step counts the contacts of awake bodies only
            const WorldMeasure now = world_.measure();
            details.measures = measured(now);
            counters.contacts = static_cast<std::uint32_t>(now.contacts);
        }
        details.counters = named(counters);
        details.detector.reset();
        if (wishes.detector && world_.settings().solver == Solver::impact) {
            details.detector = detector_view(world_);
            add_stages_of_impacts(counters.impact, details.detector->counters, details.counters);
        }
        details.memory = world_.memory().total();
    }

private:
    static constexpr std::uint32_t first_surface = 1u << 31; ///< bodies of grabs of cloths
    static constexpr float jump_speed = 4.2f;                ///< m/s: 0.9 m high
    static constexpr double eye_height = 1.6;                ///< m

    const RigidScene& content() const { return *std::any_cast<RigidScene>(&scene_.content); }

    Appearance look() const override {
        const RigidScene& scene = content();
        // shapes as the scene names them; bodies that came since have those of the world
        Appearance look = appearance_of(world_);
        const std::vector<AppearanceShape> found = std::move(look.shapes);
        look.shapes.clear();
        for (const RigidShape& shape : scene.shapes) {
            std::vector<AppearancePart> parts;
            parts.reserve(shape.parts.size());
            for (const RigidShape::Part& part : shape.parts)
                parts.push_back(
                    {part.geometry, {part.definition.position, part.definition.rotation}, part.paint});
            look.shapes.push_back(appearance_of(shape.name, std::move(parts), shape.drawn));
        }
        std::map<std::uint32_t, std::uint32_t> of_others;
        const auto player = player_number();
        for (std::size_t b = 0; b < look.bodies.size(); ++b) {
            AppearanceBody& body = look.bodies[b];
            if (b < scene.bodies.size()) {
                body.shape = scene.bodies[b].shape;
                body.name = scene.bodies[b].name;
                body.paint = scene.bodies[b].paint;
                const RigidShape& shape = scene.shapes[body.shape];
                for (AppearanceLight light : shape.lights) {
                    light.body = static_cast<std::uint32_t>(b);
                    look.lights.push_back(light);
                }
                if (const auto& level = shape.level) {
                    if (level->fog > 0 && look.sky.fog == 0)
                        look.sky.fog = level->fog, look.sky.fog_colour = level->fog_colour;
                    if (auto compiled = level->compiled())
                        look.levels.push_back({static_cast<std::uint32_t>(b), std::move(compiled),
                                               level->scale, level->paints, level->liquids, level->textures,
                                               level->leak()});
                }
                continue;
            }
            if (b == player) body.name = "player";
            const auto [known, is_new] =
                of_others.try_emplace(body.shape, static_cast<std::uint32_t>(look.shapes.size()));
            if (is_new) {
                look.shapes.push_back(found[body.shape]);
                look.shapes.back().name = "shot " + decimal(static_cast<float>(found[body.shape].reach));
            }
            body.shape = known->second;
        }
        // surfaces in the order of the cloths that have one
        std::size_t surface = 0;
        for (const RigidClothDef& cloth : scene.cloths)
            if (!cloth.cloth.triangles.empty() && surface < look.meshes.size()) {
                AppearanceMesh& mesh = look.meshes[surface++];
                const Paint plain = mesh.paint;
                mesh.paint = cloth.paint;
                if (!mesh.paint.colour) mesh.paint.colour = plain.colour;
            }
        std::size_t net = 0;
        for (const RigidClothDef& cloth : scene.cloths)
            if (!cloth.cloth.lines.empty() && net < look.lines.size())
                if (AppearanceLines& lines = look.lines[net++]; cloth.paint.colour)
                    lines.colour = *cloth.paint.colour;
        surface = net = 0;
        for (const ClothId cloth : world_.cloths()) {
            const ClothDef def = world_.definition(cloth);
            const auto number = static_cast<std::uint32_t>(look.bodies.size());
            if (!def.triangles.empty()) look.meshes[surface++].body = number;
            if (!def.lines.empty()) look.lines[net++].body = number;
            look.bodies.push_back({static_cast<std::uint32_t>(look.shapes.size()),
                                   BodyType::dynamic,
                                   static_cast<float>(world_.measure(cloth).mass),
                                   {},
                                   {}});
            look.shapes.push_back(appearance_of("cloth", {}));
        }
        add_characters(scene, skins_, first_skin_vertex(), look);
        return look;
    }
    void show_poses(Frame& frame, bool velocities) const override {
        WorldRun::show_poses(frame, velocities);
        std::size_t number = ids_.size();
        for (const ClothId cloth : world_.cloths()) {
            if (number >= frame.size()) break;
            frame.set_pose(number, {});
            frame.flags[number] = world_.asleep(cloth) ? Frame::asleep : 0;
            if (velocities) frame.velocity[number] = frame.angular_velocity[number] = {};
            ++number;
        }
        show_characters(content(), skins_, world_, frame);
        // sensors are not drawn, nor is who looks
        for (const LevelTrigger& trigger : content().triggers)
            if (trigger.body) frame.flags[*trigger.body] |= Frame::absent;
        if (const auto player = player_number()) frame.flags[*player] |= Frame::absent;
    }
    float player_height() const { return state_.player ? state_.player->state().height : 0; }
    std::optional<std::size_t> player_number() const {
        if (!state_.player) return std::nullopt;
        const auto at = std::find(ids_.begin(), ids_.end(), state_.player->body());
        if (at == ids_.end()) return std::nullopt;
        return static_cast<std::size_t>(at - ids_.begin());
    }
    void show_poses_shared(SharedPoses& to, Frame& frame) const override {
        if (!skins_.empty()) throw Error("figures are drawn from the host's memory", "poses");
        WorldRun::show_poses_shared(to, frame);
    }
    /// Those of cloths come first.
    std::uint32_t first_skin_vertex() const {
        std::size_t vertices = 0;
        for (const ClothId cloth : world_.cloths()) vertices += world_.vertices(cloth).size();
        return static_cast<std::uint32_t>(vertices);
    }
    /// The world's bytes alone where there is nothing else to keep.
    bool keeps_state() const {
        return !content().movers.empty() || !content().triggers.empty() || !content().starts.empty();
    }
    std::vector<std::byte> save_world() const override {
        std::vector<std::byte> saved = world_.save();
        return keeps_state() ? with_state(saved, state_) : saved;
    }
    void restore_world(std::span<const std::byte> saved, const Place& place) override {
        if (keeps_state()) {
            SceneState state = begin_scene(content());
            const std::span<const std::byte> world = without_state(saved, content(), state);
            replace_world(World::restore(world, place));
            state_ = std::move(state);
        } else {
            replace_world(World::restore(saved, place));
        }
        ids_ = world_.bodies();
        use_cells();
    }
    /// Cells are no part of the state: a world that is put in place of another has none.
    void use_cells() {
        const RigidScene& scene = content();
        for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
            const auto& level = scene.shapes[scene.bodies[b].shape].level;
            if (!level || !level->collision_cells || b >= ids_.size()) continue;
            if (!(world_.position(ids_[b]) == DVec3{} && world_.state(ids_[b]).rotation == Quat{}))
                throw Error("a level with collision_cells is moved or turned; expected one that lies where "
                            "its map does",
                            "collision_cells");
            if (world_.settings().solver != Solver::impact) return;
            if (const auto compiled = level->compiled())
                set_cells(world_, ids_[b], collision_cells(compiled->cells, level->scale),
                          {.merge_up_to = *level->collision_cells});
            return;
        }
    }
    void settings_changed() override {
        world_.change_settings(content().settings);
        use_cells(); // the solver may be another one
    }

    std::vector<BodyId> ids_; ///< by number
    std::vector<CharacterSkin> skins_;
    SceneState state_;
};

} // namespace

std::unique_ptr<SceneRun> start_rigid(const Kind& kind, const Scene& scene, const Place& place) {
    return std::make_unique<RigidRun>(kind, scene, place);
}

std::vector<Failure> check_expectations(const Scene& scene, const World& world) {
    const RigidScene& content = rigid_scene(scene);
    return compare(
        scene, [&] { return world.hash(); }, [&] { return measured(world.measure()); },
        [&](const Expectation& expected) { return requested(content, world, expected); });
}

} // namespace scree
