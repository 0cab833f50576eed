// SPDX-License-Identifier: MIT
// rollback.h — a ring of the last states of a world, to which it can go back.
//
//     Rollback ring(world, 8);
//     ring.save();                // before every step
//     world.step(1 / 60.0f);
//     ...
//     ring.restore(5);            // the state five saves before the last one
//
// The world continues bit for bit as it did from that state; ids of that time are valid again. Once every place of the ring
// was used, saving allocates only when the world has grown. On a GPU the copies stay in its memory.
#pragma once

#include "scree/worlds.h"

#include <cstdint>
#include <memory>

namespace scree {

class Rollback {
public:
    /// Keeps the last `states` states, at least 1. The world may be moved. Throws Error for one of Worlds.
    Rollback(World& world, std::uint32_t states);
    /// The states of all worlds together.
    Rollback(Worlds& worlds, std::uint32_t states);
    ~Rollback();
    Rollback(Rollback&&) noexcept;
    Rollback& operator=(Rollback&&) noexcept;

    /// Keeps the current state; replaces the oldest when the ring is full.
    void save();
    /// Goes back to the last saved state (0) or an earlier one; later ones are forgotten, this one is kept.
    void restore(std::uint32_t back = 0);
    std::uint32_t size() const; ///< states that are kept

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree
