// SPDX-License-Identifier: MIT
// scene_run.h — a scene under way, granular or rigid: what the commands that simulate need of its world.
#pragma once

#include "scene/recorded.h"
#include "scree/place.h"
#include "scree/recording.h"
#include "scree/scene.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scree {

class SceneRun {
public:
    virtual ~SceneRun() = default;

    /// Takes steps and waits until they are done.
    virtual void step(std::uint64_t count) = 0;
    virtual std::uint64_t steps_done() const = 0;
    virtual double time() const = 0;
    virtual std::uint64_t hash() const = 0;

    struct Quantities {
        double kinetic_energy = 0, potential_energy = 0, max_overlap = 0, top = 0;
        std::uint64_t asleep = 0, contacts = 0;
    };
    virtual Quantities measure() const = 0;
    virtual std::vector<Failure> failures(const Scene& scene) const = 0;
    /// Poses of all bodies, in the order in which a recording holds them.
    virtual std::vector<RecordedPose> poses() const = 0;
    virtual void record(RecordingWriter& recording) const = 0;
    virtual std::string csv_heading() const = 0;
    virtual std::string csv_row() const = 0;

    /// The world itself, to look at; nothing for the other kind.
    virtual const World* rigid() const { return nullptr; }
    virtual const GranularWorld* granular() const { return nullptr; }

    /// Seconds spent in each stage of the steps since time_stages(true).
    virtual void time_stages(bool on) = 0;
    virtual std::vector<std::string> stage_names() const = 0;
    virtual std::vector<double> stage_seconds() const = 0;

    virtual const DeviceReport& device() const = 0;
    virtual std::string contents() const = 0;   ///< "2 bodies of 1 shape, 54 particles"
    virtual double items() const = 0;           ///< what the speed is counted in: particles or bodies
    virtual const char* item_steps() const = 0; ///< "particle-steps"
    virtual std::vector<std::string> warnings() const { return {}; }
    /// Puts a copy made from the saved world in its place; false for worlds that cannot be saved.
    virtual bool save_and_restore() { return false; }
};

std::unique_ptr<SceneRun> start_granular(const Scene& scene, const Place& place);
std::unique_ptr<SceneRun> start_rigid(const Scene& scene, const Place& place);
/// One of the two.
std::unique_ptr<SceneRun> start_scene(const Scene& scene, const Place& place);

/// "reference", "improved", "brute" or "rigid".
const char* mode_name(const Scene& scene);
/// "54 particles" or "12 bodies".
std::string size_words(const Scene& scene);

} // namespace scree
