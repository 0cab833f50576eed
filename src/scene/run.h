// SPDX-License-Identifier: MIT
// run.h — a scene under way: the world of any kind, as the programs see it.
#pragma once

#include "scene/command.h"
#include "scene/kind.h"
#include "scree/appearance.h"
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

/// A quantity by its name.
struct Measured {
    std::string_view name;
    double value = 0;
};
/// NaN when it is not among them.
double value_of(std::span<const Measured> measures, std::string_view name);

/// What a look at a run may hold besides poses; each costs time.
struct Wishes {
    bool contacts = false, measures = false, hash = false, stages = true, tree = false;
    friend bool operator==(const Wishes&, const Wishes&) = default;
};

/// What was wished for, beside a Frame.
struct Details {
    /// Body indices are body numbers of the appearance; one past the last is a surface.
    std::vector<ContactInfo> contacts;
    double contact_seconds = 0;  ///< an impulse of a contact divided by this is its force
    std::vector<TreeBox> tree;
    std::vector<Measured> counters; ///< of the last step
    std::vector<double> stage_seconds; ///< of the last step, as SceneRun::stage_names
    std::uint64_t memory = 0;          ///< bytes
    std::vector<Measured> measures;
    std::optional<std::uint64_t> hash;
};

/// A point of a body that can be pulled.
struct Grip {
    Vec3 point{}, velocity{}; ///< world
    float mass = 0;           ///< kg; 0: nothing can move it
};

class SceneRun {
public:
    SceneRun(const Kind& kind, Scene scene, const Place& place)
        : scene_(std::move(scene)), place_(place), kind_(kind) {}
    virtual ~SceneRun() = default;
    SceneRun(const SceneRun&) = delete;
    SceneRun& operator=(const SceneRun&) = delete;

    const Kind& kind() const { return kind_; }
    /// Its settings are those of now.
    const Scene& scene() const { return scene_; }
    const Place& place() const { return place_; }
    virtual std::string device_words() const; ///< "cpu: 2 threads …"

    /// Takes steps and waits until they are done.
    virtual void step(std::uint64_t count = 1) = 0;
    virtual std::uint64_t steps_done() const = 0;
    virtual double time() const = 0;
    virtual std::uint64_t hash() const = 0;

    /// Everything that steps depend on, as bytes: whatever restores them goes on with the same bits, on any device.
    std::vector<std::byte> save() const;
    /// Throws Error for bytes that are damaged or of another kind.
    void restore(std::span<const std::byte> saved);
    /// The same world elsewhere. Throws Error and stays where it is when that cannot be.
    void move_to(const Place& place);

    /// Takes effect in the next step. Throws Error and changes nothing when it is invalid.
    void change_setting(const std::string& name, const std::string& value);

    /// As Kind::measures, those on request left out.
    virtual std::vector<Measured> measure() const = 0;
    /// What an expectation speaks of.
    virtual double quantity(const Expectation& expectation) const;
    /// What the run, having done its steps, does not fulfil; empty when all is well.
    std::vector<Failure> failures() const;
    virtual std::vector<std::string> warnings() const { return {}; }
    virtual std::string contents() const = 0; ///< "2 bodies of 1 shape, 54 particles"
    SceneSize size() const { return kind_.size(scene_); }

    /// The parts a step is made of, and the seconds spent in each since time_stages(true).
    virtual std::vector<std::string_view> stage_names() const = 0;
    virtual void time_stages(bool on) = 0;
    virtual std::vector<double> stage_seconds() const = 0;

    // what a person does to it: bodies by their number in the appearance ----------------------------------------------
    virtual std::uint32_t body_count() const = 0;
    virtual Vec3 gravity() const = 0;
    /// `local` is in the body's frame.
    virtual Grip grip(std::uint32_t body, Vec3 local) const = 0;
    /// A force during the next step.
    virtual void pull(std::uint32_t body, Vec3 point, Vec3 force) = 0;
    virtual void shoot(const Shoot& shot) = 0;

    // what it shows ---------------------------------------------------------------------------------------------------
    /// Another one whenever anything in it changed.
    std::shared_ptr<const Appearance> appearance() const;
    /// Poses as they are now; `frame` may be an old one, whose memory is used again.
    void show(Frame& frame, bool velocities = false) const;
    /// Stages are left out: the caller knows what was before the step.
    virtual void observe(Details& details, const Wishes& wishes) const = 0;

protected:
    virtual Appearance look() const = 0;
    virtual void show_poses(Frame& frame, bool velocities) const = 0;
    virtual std::vector<std::byte> save_world() const = 0;
    virtual void restore_world(std::span<const std::byte> saved, const Place& place) = 0;
    /// The world takes the settings of scene(); throws Error when it does not.
    virtual void settings_changed() = 0;
    /// Whether a change of this setting can be seen in the appearance.
    virtual bool shows(const Setting&) const { return false; }
    /// The appearance is made anew when it is asked for.
    void look_changed() { appearance_.reset(); }

    Scene scene_;
    Place place_;

private:
    const Kind& kind_;
    mutable std::shared_ptr<const Appearance> appearance_;
};

/// What a scene promised and the values do not keep.
std::vector<Failure> compare(const Scene& scene, std::uint64_t hash,
                             const std::function<double(const Expectation&)>& value_of);
/// The farthest that one of the points has come from where the scene had it.
double largest_distance(std::span<const Vec3> now, std::span<const Vec3> start);

} // namespace scree
