// SPDX-License-Identifier: MIT
// worlds.h — many independent worlds, stepped together: thousands of small ones for learning and parameter sweeps.
//
//     Worlds worlds(8192, {}, "cuda");
//     for (std::uint32_t i = 0; i < worlds.size(); ++i) build_scene(worlds[i]);
//     worlds.step(1 / 60.0f);
//     float height = worlds[17].state(ball).position.y;
//
// Each world gets the same bits as a World on its own. On a GPU one sequence of launches steps all worlds; on the CPU one
// thread steps each. All worlds share their settings.
#pragma once

#include "scree/world.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace scree {

class Worlds {
public:
    /// Throws Error when a setting is out of range or `count` is 0.
    explicit Worlds(std::uint32_t count, const WorldSettings& settings = {}, const Place& place = {});
    /// `count` copies of a saved world.
    static Worlds copies(std::uint32_t count, std::span<const std::byte> snapshot, const Place& place = {});
    ~Worlds();
    Worlds(Worlds&&) noexcept;
    Worlds& operator=(Worlds&&) noexcept;

    std::uint32_t size() const;
    /// Supports every World call except step and change_settings. On a GPU, counters, stage times and memory cover all
    /// worlds. Throws Error when there is no such world.
    World& operator[](std::uint32_t number);
    const World& operator[](std::uint32_t number) const;

    /// Advances every world by dt seconds.
    void step(float dt);
    const WorldSettings& settings() const;
    const Place& place() const; ///< of all worlds; on "cpu" one thread steps each
    void change_settings(const WorldSettings& settings);
    /// Replaces a world by a saved one, whose ids stay valid. Settings must match, device and broad phase aside; if it stores
    /// impulses, the last step length must match too. Throws Error otherwise, and leaves the old world as it was.
    void restore(std::uint32_t number, std::span<const std::byte> snapshot);

    /// State of all worlds on the device; world n starts at body n * stride. Null on "cpu", where each world has its own
    /// arrays.
    struct DeviceStates {
        DeviceState state;
        std::uint32_t stride = 0;
    };
    DeviceStates device_states() const;

private:
    friend class Rollback;
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
