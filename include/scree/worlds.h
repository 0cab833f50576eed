// SPDX-License-Identifier: MIT
// worlds.h — many independent worlds stepped together: thousands of small ones for learning and for sweeps.
//
//     Worlds worlds(8192, {}, "cuda");
//     for (std::uint32_t i = 0; i < worlds.size(); ++i) build_scene(worlds[i]);
//     worlds.step(1 / 60.0f);
//     float height = worlds[17].state(ball).position.y;
//
// Each world has the bits it would have alone. On a GPU all of them take one sequence of launches; on the CPU each is
// stepped by one thread. They share their settings.
#pragma once

#include "scree/world.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace scree {

class Worlds {
public:
    /// Throws Error when a setting is out of range, or for no world at all.
    explicit Worlds(std::uint32_t count, const WorldSettings& settings = {}, const Place& place = {});
    /// `count` copies of a world that was saved.
    static Worlds copies(std::uint32_t count, std::span<const std::byte> snapshot, const Place& place = {});
    ~Worlds();
    Worlds(Worlds&&) noexcept;
    Worlds& operator=(Worlds&&) noexcept;

    std::uint32_t size() const;
    /// Everything that a World does but stepping and changing settings. Counters, stage times and memory are those of all
    /// on a GPU. Throws Error when there is no such world.
    World& operator[](std::uint32_t number);
    const World& operator[](std::uint32_t number) const;

    /// Every world advances by dt.
    void step(float dt);
    const WorldSettings& settings() const;
    const Place& place() const; ///< of all; on "cpu" each world has one thread
    void change_settings(const WorldSettings& settings);
    /// Puts a saved world in the place of another: ids of the saved one are valid in it. Its settings must be these, and
    /// its last step, if it had contacts or strained joints, as long as theirs. The old world stays when Error is
    /// thrown.
    void restore(std::uint32_t number, std::span<const std::byte> snapshot);

    /// All worlds' state on their device; world n begins with body n * stride. Null on "cpu", where nothing holds them
    /// together.
    struct DeviceStates {
        DeviceState state;
        std::uint32_t stride = 0;
    };
    DeviceStates device_states() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
