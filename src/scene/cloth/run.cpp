// SPDX-License-Identifier: MIT
// run.cpp — a running scene of cloth. Its bodies are the colliders, then one for each sheet.
#include "device/device.h"
#include "scene/cloth/kind.h"
#include "scene/world_run.h"
#include "scree/error.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree {
namespace {

std::vector<Measured> measured(const ClothMeasure& m) {
    return {{"kinetic_energy", m.kinetic_energy},
            {"max_stretch", m.max_stretch},
            {"mean_stretch", m.mean_stretch},
            {"centre_jitter", m.centre_jitter},
            {"mean_jitter", m.mean_jitter},
            {"max_jitter", m.max_jitter},
            {"max_speed", m.max_speed},
            {"top", m.top},
            {"bottom", m.bottom},
            {"max_overlap", m.max_overlap},
            {"frozen", static_cast<double>(m.frozen)}};
}

/// What a user does with the first collider, and how far it goes (m).
struct ObjectAction {
    std::string_view name;
    char key;
    Vec3 way;
};
constexpr ObjectAction object_actions[] = {{"object left", '4', {-0.25f, 0, 0}},
                                           {"object right", '6', {0.25f, 0, 0}},
                                           {"object down", '2', {0, -0.25f, 0}},
                                           {"object up", '8', {0, 0.25f, 0}},
                                           {"object away", '7', {0, 0, -0.25f}},
                                           {"object near", '9', {0, 0, 0.25f}},
                                           {"sphere or box", '5', {}}};

/// Between the surfaces of two objects, negative where they overlap: m, of boxes along the axis where it is most.
float gap(const ClothCollider& a, const ClothCollider& b) {
    const bool ball_a = a.kind == ClothCollider::Kind::sphere, ball_b = b.kind == ClothCollider::Kind::sphere;
    const Vec3 apart = b.position - a.position;
    if (ball_a && ball_b) return length(apart) - a.size.x - b.size.x;
    const Vec3 reach = (ball_a ? Vec3{} : a.size) + (ball_b ? Vec3{} : b.size);
    const Vec3 past{std::abs(apart.x) - reach.x, std::abs(apart.y) - reach.y, std::abs(apart.z) - reach.z};
    const float most = std::max({past.x, past.y, past.z});
    if (!ball_a && !ball_b) return most;
    const Vec3 outside{std::max(past.x, 0.0f), std::max(past.y, 0.0f), std::max(past.z, 0.0f)};
    return (most > 0 ? length(outside) : most) - (ball_a ? a.size.x : b.size.x);
}

class ClothRun final : public WorldRun<ClothWorld> {
public:
    ClothRun(const Kind& kind, const Scene& scene, const Place& place)
        : WorldRun(kind, scene, place, build_cloth(scene, place)) {}

    void step(std::uint64_t steps) override {
        // the world counts in int, a run could be longer
        for (std::uint64_t left = steps; left > 0; left -= std::min<std::uint64_t>(left, 1'000'000))
            world_.step(static_cast<int>(std::min<std::uint64_t>(left, 1'000'000)));
        world_.device().finish();
    }

    std::vector<Measured> measure() const override { return measured(world_.measure()); }
    std::vector<std::string> warnings() const override {
        const std::uint32_t frozen = world_.survey().frozen;
        if (frozen == 0) return {};
        return {count_of(frozen, "vertex", "vertices") +
                " became non-finite and stopped where they were: the cloth has exploded"};
    }
    std::string contents() const override {
        return count_of(world_.sheet_count(), "sheet", "sheets") + " of " +
               count_of(world_.facts().vertices, "vertex", "vertices") + ", " +
               count_of(world_.colliders().size(), "collider", "colliders");
    }
    std::vector<std::string_view> stage_names() const override {
        return {cloth_stage_names.begin(), cloth_stage_names.end()};
    }

    Grip grip(std::uint32_t body, Vec3 local) const override {
        if (const std::size_t colliders = world_.colliders().size(); body >= colliders) {
            const std::uint32_t vertex = grabbed(body - static_cast<std::uint32_t>(colliders), local);
            return {world_.positions()[vertex], world_.velocities()[vertex], 30 * world_.facts().vertex_mass};
        }
        return {world_.colliders()[body].position + local, {}, 1};
    }
    /// A force on the nearest vertex of a sheet. A collider has no mass: it goes where a kilogram at rest would.
    void pull(std::uint32_t body, Vec3 point, Vec3 force) override {
        const std::size_t colliders = world_.colliders().size();
        if (body < colliders) {
            ClothCollider moved = world_.colliders()[body];
            const float step = world_.settings().time_step;
            moved.position += force * (step * step);
            if (enters_none(body, moved)) world_.set_collider(body, moved);
        } else {
            world_.pull(grabbed(body - static_cast<std::uint32_t>(colliders), point), force);
        }
    }
    void shoot(const Shoot&) override { throw Error("a world of cloth has nothing to shoot with", "shoot"); }

    std::vector<Action> actions() const override {
        std::vector<Action> list;
        if (world_.colliders().empty()) return list;
        for (const ObjectAction& each : object_actions) list.push_back({std::string(each.name), each.key});
        return list;
    }
    void act(const std::string& action) override {
        const auto known = std::find_if(std::begin(object_actions), std::end(object_actions),
                                        [&](const ObjectAction& each) { return each.name == action; });
        if (known == std::end(object_actions) || world_.colliders().empty()) return SceneRun::act(action);
        ClothCollider object = world_.colliders()[0];
        object.position += known->way;
        if (known->way == Vec3{}) {
            const bool sphere = object.kind == ClothCollider::Kind::sphere;
            object.kind = sphere ? ClothCollider::Kind::box : ClothCollider::Kind::sphere;
            const float size =
                sphere ? object.size.x : std::min({object.size.x, object.size.y, object.size.z});
            object.size = {size, size, size};
        }
        if (!enters_none(0, object)) return; // it stays in front of the other one
        world_.set_collider(0, object);
        look_changed();
    }

    void observe(Details& details, const Wishes& wishes) const override {
        details.counters = {{"awake", static_cast<double>(world_.vertex_count())}};
        if (wishes.measures) details.measures = measure();
        details.memory = world_.memory();
    }

private:
    /// Whether the object may become so: not deeper in another one than it is. Only what moves is tested.
    bool enters_none(std::uint32_t index, const ClothCollider& changed) const {
        const auto all = world_.colliders();
        for (std::size_t k = 0; k < all.size(); ++k)
            if (const float after = gap(changed, all[k]);
                k != index && after < 0 && after < gap(all[index], all[k]))
                return false;
        return true;
    }
    const ClothScene& content() const { return *std::any_cast<ClothScene>(&scene_.content); }

    /// The vertex of the sheet that was nearest when this point was first asked for: a hand does not change what it holds.
    std::uint32_t grabbed(std::uint32_t sheet, Vec3 point) const {
        if (held_ && held_->sheet == sheet && held_->point == point) return held_->vertex;
        const std::uint32_t each = world_.facts().vertices;
        const auto all = world_.positions();
        double nearest = std::numeric_limits<double>::infinity();
        Held held{sheet, point, sheet * each};
        for (std::uint32_t i = sheet * each; i < (sheet + 1) * each; ++i) {
            const double distance = length(wide(all[i]) - wide(point));
            if (distance < nearest) nearest = distance, held.vertex = i;
        }
        held_ = held;
        return held.vertex;
    }

    Appearance look() const override {
        Appearance look = appearance_of(world_);
        for (std::size_t k = 0; k < std::min(content().collider_paints.size(), world_.colliders().size());
             ++k)
            look.bodies[k].paint = content().collider_paints[k];
        for (std::size_t k = 0; k < std::min(content().paints.size(), look.meshes.size()); ++k)
            if (content().paints[k] != Paint{}) look.meshes[k].paint = content().paints[k];
        return look;
    }
    bool shows(const Setting& setting) const override {
        return setting.name == "ground" || setting.name == "width" || setting.name == "length" ||
               setting.name == "edges_x" || setting.name == "edges_z";
    }
    void restore_world(std::span<const std::byte> saved, const Place& place) override {
        if (place == place_) {
            world_.restore(saved);
        } else {
            ClothWorld moved(world_.settings(), place);
            moved.restore(saved);
            replace_world(std::move(moved));
        }
        held_.reset();
    }
    void settings_changed() override {
        world_.change_settings(content().settings);
        held_.reset();
    }

    struct Held {
        std::uint32_t sheet;
        Vec3 point;
        std::uint32_t vertex;
    };
    mutable std::optional<Held> held_;
};

} // namespace

std::unique_ptr<SceneRun> start_cloth(const Kind& kind, const Scene& scene, const Place& place) {
    return std::make_unique<ClothRun>(kind, scene, place);
}

} // namespace scree
