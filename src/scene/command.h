// SPDX-License-Identifier: MIT
// command.h — a user's actions on a running world. Scene and commands, with the steps at which they were given, determine
// the run to the bit, so a log of commands is enough to repeat it.
#pragma once

#include "scree/math.h"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace scree {

/// Grabs a body at a point of its frame. A spring pulls the point to the target until Release.
struct Grab {
    std::uint32_t body = 0;
    Vec3 point{};
    friend bool operator==(const Grab&, const Grab&) = default;
};
struct DragTo {
    Vec3 target{}; ///< world
    friend bool operator==(const DragTo&, const DragTo&) = default;
};
struct Release {
    friend bool operator==(const Release&, const Release&) = default;
};
/// Creates a ball with a velocity.
struct Shoot {
    Vec3 position{}, velocity{};
    float radius = 0.25f, mass = 1;
    friend bool operator==(const Shoot&, const Shoot&) = default;
};
/// Changes a setting by its name in scene files.
struct ChangeSetting {
    std::string name, value;
    friend bool operator==(const ChangeSetting&, const ChangeSetting&) = default;
};

/// Carries out an action of the scene.
struct Act {
    std::string name;
    friend bool operator==(const Act&, const Act&) = default;
};

/// The player's wish: walks with this velocity along the ground until the next one. The first puts a player on the scene's start.
struct Walk {
    Vec3 velocity{}; ///< m/s
    bool jump = false;
    bool crouch = false; ///< until the next one; stands up then as soon as there is room
    friend bool operator==(const Walk&, const Walk&) = default;
};

using Command = std::variant<Grab, DragTo, Release, Shoot, ChangeSetting, Act, Walk>;

struct LoggedCommand {
    std::uint64_t step = 0; ///< steps done before the command
    Command command;
    friend bool operator==(const LoggedCommand&, const LoggedCommand&) = default;
};

/// One command a line, e.g. `120 shoot 0 5 9 0 0 -20 0.25 1`; numbers read back to the bit.
std::string log_text(std::span<const LoggedCommand> log);
/// Throws Error naming `where` and the line.
std::vector<LoggedCommand> parse_log(const std::string& text, const std::string& where);

} // namespace scree
