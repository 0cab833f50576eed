// SPDX-License-Identifier: MIT
// run.h — a running scene: the interface of the programs to a world of any kind.
#pragma once

#include "scene/command.h"
#include "scene/kind.h"
#include "scree/appearance.h"
#include "scree/collision_cells.h"
#include "scree/place.h"
#include "scree/scene.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree {

struct SharedPoses;
struct SharedVertices;

/// A quantity by its name.
struct Measured {
    std::string_view name;
    double value = 0;
};
/// NaN if it is missing.
double value_of(std::span<const Measured> measures, std::string_view name);

/// Details to compute besides poses; each costs time.
struct Wishes {
    bool contacts = false, measures = false, hash = false, stages = true, tree = false;
    bool detector = false; ///< of impacts: ways, pairs, cells
    friend bool operator==(const Wishes&, const Wishes&) = default;
};

/// The requested details of a Frame.
struct Details {
    /// Bodies are indices into Appearance::bodies; one past the last is a surface.
    std::vector<ContactInfo> contacts;
    double contact_seconds = 0; ///< a contact's impulse divided by this is its force
    std::vector<TreeBox> tree;
    std::optional<DetectorView> detector; ///< only of worlds that have one
    std::vector<Measured> counters;       ///< of the last step
    std::vector<double> stage_seconds;    ///< of the last step, as SceneRun::stage_names
    std::uint64_t memory = 0;             ///< bytes
    std::vector<Measured> measures;
    std::optional<std::uint64_t> hash;
};

/// A grabbed point of a body.
struct Grip {
    Vec3 point{}, velocity{}; ///< world coordinates
    float mass = 0;           ///< kg; 0: immovable
};

class SceneRun {
public:
    SceneRun(const Kind& kind, Scene scene, const Place& place)
        : scene_(std::move(scene)), place_(place), kind_(kind) {}
    virtual ~SceneRun() = default;
    SceneRun(const SceneRun&) = delete;
    SceneRun& operator=(const SceneRun&) = delete;

    const Kind& kind() const { return kind_; }
    /// With the current settings.
    const Scene& scene() const { return scene_; }
    const Place& place() const { return place_; }
    virtual std::string device_words() const; ///< "cpu: 2 threads …"

    /// Steps the world and waits for the end of the last step.
    virtual void step(std::uint64_t count = 1) = 0;
    virtual std::uint64_t steps_done() const = 0;
    virtual double time() const = 0;
    virtual std::uint64_t hash() const = 0;

    /// The whole state as bytes. A restored run continues bit by bit, on any device.
    std::vector<std::byte> save() const;
    /// Throws Error for damaged bytes, or those of another kind.
    void restore(std::span<const std::byte> saved);
    /// Moves the world to another place. Throws Error and changes nothing if that is impossible.
    void move_to(const Place& place);

    /// Takes effect in the next step. Throws Error and changes nothing if it is invalid.
    void change_setting(const std::string& name, const std::string& value);

    /// All of Kind::measures except those on_request.
    virtual std::vector<Measured> measure() const = 0;
    /// The value of the quantity of an expectation.
    virtual double quantity(const Expectation& expectation) const;
    /// Failed expectations after the scene's steps; empty if all hold.
    std::vector<Failure> failures() const;
    virtual std::vector<std::string> warnings() const { return {}; }
    virtual std::string contents() const = 0; ///< "2 bodies of 1 shape, 54 particles"
    SceneSize size() const { return kind_.size(scene_); }

    /// The stages of a step, and the seconds in each since time_stages(true).
    virtual std::vector<std::string_view> stage_names() const = 0;
    virtual void time_stages(bool on) = 0;
    virtual std::vector<double> stage_seconds() const = 0;

    // interaction: bodies are indices into Appearance::bodies ---------------------------------------------------------
    virtual std::uint32_t body_count() const = 0;
    virtual Vec3 gravity() const = 0;
    /// A grab in terms that last while the world changes; a body of it may be none of the appearance's.
    virtual Grab anchored(const Grab& grab) const { return grab; }
    /// Takes what is grabbed towards the target in the next step; false: it is to be pulled by a force.
    virtual bool take(const Grab&, Vec3) { return false; }
    /// `local` is in the body's frame.
    virtual Grip grip(std::uint32_t body, Vec3 local) const = 0;
    /// Applies a force during the next step.
    virtual void pull(std::uint32_t body, Vec3 point, Vec3 force) = 0;
    virtual void shoot(const Shoot& shot) = 0;
    /// Actions of the scene, and the keys that the viewer gives them.
    struct Action {
        std::string name;
        char key = 0; ///< A to Z or 0 to 9; 0: none
    };
    virtual std::vector<Action> actions() const { return {}; }
    virtual void act(const std::string& action); ///< throws Error if the scene has none of this name
    /// Throws Error if the scene has no place for a player to begin.
    virtual void walk(const Walk& walk);
    /// Where a player begins to look, if one can walk in the scene: the eye, and degrees about y from x.
    struct PlayerView {
        DVec3 eye{};
        double yaw = 0;
    };
    virtual std::optional<PlayerView> player_start() const { return std::nullopt; }

    // drawing ---------------------------------------------------------------------------------------------------------
    /// A new object whenever it changed.
    std::shared_ptr<const Appearance> appearance() const;
    /// Writes the current poses into `frame`, reusing its memory.
    void show(Frame& frame, bool velocities = false) const;
    /// The same into a renderer's memory, where the world's device can write it: then frame.shared is set, and the frame's arrays
    /// stay as they are. False, with the reason, where it cannot; false without one where the frame has another appearance than the
    /// scene now.
    bool show_shared(SharedPoses& to, Frame& frame, std::string& reason) const;
    /// Likewise for sheets: then frame.vertices_shared is set, and the poses are in the frame.
    bool show_shared(SharedVertices& to, Frame& frame, std::string& reason) const;
    /// Whether the world is where such memory may be.
    virtual bool may_share() const { return false; }
    virtual bool may_share_vertices() const { return false; }
    /// Without stage times, which the caller computes as differences.
    virtual void observe(Details& details, const Wishes& wishes) const = 0;

protected:
    virtual Appearance look() const = 0;
    virtual void show_poses(Frame& frame, bool velocities) const = 0;
    virtual void show_poses_shared(SharedPoses& to, Frame& frame) const;
    virtual void show_vertices_shared(SharedVertices& to, Frame& frame) const;
    virtual std::vector<std::byte> save_world() const = 0;
    virtual void restore_world(std::span<const std::byte> saved, const Place& place) = 0;
    /// Applies the settings of scene() to the world; throws Error if they are invalid.
    virtual void settings_changed() = 0;
    /// Whether the appearance depends on this setting.
    virtual bool shows(const Setting&) const { return false; }
    /// Makes the next query of the appearance rebuild it.
    void look_changed() { appearance_.reset(); }

    Scene scene_;
    Place place_;

private:
    const Kind& kind_;
    mutable std::shared_ptr<const Appearance> appearance_;
};

/// The expectations of a scene that a world does not meet. `requested` gives quantities that are not among the measures.
std::vector<Failure> compare(const Scene& scene, const std::function<std::uint64_t()>& hash,
                             const std::function<std::vector<Measured>()>& measure,
                             const std::function<double(const Expectation&)>& requested);
/// The largest distance of a point from its start in the scene.
double largest_distance(std::span<const Vec3> now, std::span<const Vec3> start);
/// The largest horizontal coordinate, |x| or |z|, of a point.
double widest(std::span<const Vec3> points);

} // namespace scree
