// SPDX-License-Identifier: MIT
// level_movers.h — doors, platforms, buttons, trains and triggers of a level: what they are, and their state between steps.
//
// Scene files have them from the entities of a map (docs/manual/levels.md). Movers are kinematic bodies of the scene that go from stop to
// stop; triggers are sensors that fire movers and other triggers.
#pragma once

#include "scree/ids.h"
#include "scree/math.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace scree {

/// A mover or a trigger of a scene, by its number.
struct LevelTarget {
    bool trigger = false;
    std::uint32_t number = 0;
    friend bool operator==(const LevelTarget&, const LevelTarget&) = default;
};

struct LevelMover {
    enum class Type {
        door,    ///< opens when it is fired, waits, and closes
        plat,    ///< goes up when it is fired, and down when nothing has been on it for a while
        button,  ///< goes in, fires its targets, waits, and comes out
        train,   ///< from corner to corner
        rotating ///< turns all the time; fired: stops or goes on
    };
    struct Stop {
        DVec3 move{};                      ///< m, from where the body begins
        double turn = 0;                   ///< degrees about the axis
        double wait = 0;                   ///< s; less than 0: until it is fired
        std::optional<std::uint32_t> next; ///< none: the way ends here
    };
    Type type = Type::door;
    std::uint32_t body = 0; ///< index into RigidScene::bodies
    Vec3 axis{0, 1, 0};
    double speed = 1; ///< m/s; degrees a second if it turns
    bool turns = false;
    std::vector<Stop> stops;     ///< two, but for trains
    std::uint32_t first = 0;     ///< the stop where it begins
    bool runs = false;           ///< begins to move without being fired
    bool toggles = false;        ///< stays until it is fired again
    std::uint32_t group = 0;     ///< doors of one group move together
    std::optional<double> delay; ///< s, from its second stop until its targets are fired
    std::vector<LevelTarget> targets;
};

struct LevelTrigger {
    enum class Type {
        touch,    ///< fires in every step while something is in it
        multiple, ///< fires when something is in it, and again after `wait`
        relay,    ///< fires when it is fired
        counter,  ///< fires when it was fired `count` times
        push,     ///< gives what is in it a velocity
        teleport  ///< takes what is in it elsewhere
    };
    Type type = Type::touch;
    std::optional<std::uint32_t>
        body; ///< its sensor: index into RigidScene::bodies; none: only others fire it
    bool only_player = false;
    double wait = 0; ///< s; less than 0: it fires once
    double delay = 0;
    std::uint32_t count = 0;
    Vec3 velocity{};     ///< m/s, of a push, and after a teleport
    DVec3 destination{}; ///< of a teleport: where feet go
    std::vector<LevelTarget> targets;
};

/// A place where a player may begin.
struct LevelStart {
    DVec3 feet{};
    double yaw = 0; ///< degrees about y; 0 looks along x
};

/// Where the movers and triggers of a scene are. A value: a copy is a state to come back to.
struct LevelState {
    struct Mover {
        std::uint32_t from = 0, to = 0; ///< stops; equal: at rest
        double done = 0;                ///< m or degrees of the way
        double wait = 0;                ///< s left at a stop; less than 0: until it is fired
        bool running = false;           ///< the body has a velocity
        std::vector<ShapeId> inside;    ///< what is in its way
        friend bool operator==(const Mover&, const Mover&) = default;
    };
    struct Trigger {
        std::vector<ShapeId> inside;
        double ready = 0; ///< s, time from which it fires again
        std::uint32_t count = 0;
        bool spent = false;
        friend bool operator==(const Trigger&, const Trigger&) = default;
    };
    struct Delayed {
        double at = 0; ///< s
        LevelTarget target;
        friend bool operator==(const Delayed&, const Delayed&) = default;
    };
    /// A body that rests because the player is far (RigidScene::level_reach), and how it moved.
    struct Resting {
        BodyId body;
        Vec3 velocity{}, angular_velocity{};
        friend bool operator==(const Resting&, const Resting&) = default;
    };
    std::vector<Mover> movers;
    std::vector<Trigger> triggers;
    std::vector<Delayed> delayed;
    std::vector<Resting> resting;
    std::uint32_t rest_step = 0; ///< steps since it was first looked for what is far
    friend bool operator==(const LevelState&, const LevelState&) = default;
};

} // namespace scree
