// SPDX-License-Identifier: MIT
// character.h — a character that walks through a World: an upright capsule moved by casts, with steps, slopes and platforms.
//
//     Character player(world, {.position = {0, 0, 0}});
//     player.move(world, {2, 0, 0}, 1 / 60.0f); // before the step
//     world.step(1 / 60.0f);
//
// It is a value: a copy is a state to come back to. Given the same world and calls it moves alike on every device
// (docs/manual/character.md).
#pragma once

#include "scree/world.h"

#include <cstdint>

namespace scree {

struct CharacterDef {
    DVec3 position{};          ///< of the feet
    Vec3 up{0, 1, 0};          ///< unit length is made of it
    float radius = 0.3f;       ///< m
    float height = 1.8f;       ///< m, from the feet to the top; at least twice the radius
    float step_height = 0.35f; ///< m, obstacles up to this are climbed
    float max_slope = 0.87f;   ///< rad, steeper ground is slid down
    float mass = 70;           ///< kg, weighs on bodies below
    float push_force = 600;    ///< N, at most, against dynamic bodies in the way; 0: it pushes nothing
    float skin = 0.01f;        ///< m, kept from all shapes
    Filter filter{};
    bool solid = true;           ///< whether it has a kinematic body, which other bodies collide with
    std::uint64_t user_data = 0; ///< of its body
};

enum class Ground {
    none,  ///< in the air
    steep, ///< on a slope that is too steep
    firm
};

struct CharacterState {
    DVec3 position{};     ///< of the feet
    Vec3 velocity{};      ///< m/s, of the last move
    float height = 0;     ///< m, now
    float rise_speed = 0; ///< m/s along up, by gravity and jumps
    Ground ground = Ground::none;
    Vec3 ground_normal{};
    Vec3 ground_velocity{}; ///< m/s, of the ground below the feet
    BodyId ground_body{};   ///< default: none
    Vec3 drift{};           ///< m/s, of a launch, added to the wish until it lands
    bool jumps = false;     ///< leaves the ground at the next move
    friend bool operator==(const CharacterState&, const CharacterState&) = default;
};

class Character {
public:
    /// Throws Error when a value is out of range. The body, if any, belongs to the world.
    Character(World& world, const CharacterDef& def);
    /// One that was there before: its state, and its body in a world that was saved and restored.
    Character(const CharacterDef& def, const CharacterState& state, BodyId body);

    const CharacterDef& definition() const { return def_; }
    const CharacterState& state() const { return state_; }
    BodyId body() const { return body_; } ///< BodyId{} where it is not solid

    /// Moves for dt seconds with this velocity, of which the part along up is ignored: gravity and jumps decide that. Call
    /// it once before each step of the same dt.
    void move(World& world, Vec3 velocity, float dt);
    /// Leaves the ground at the next move, with the ground's own velocity; without firm ground below it returns false.
    bool jump(float speed);
    /// Thrown: leaves the ground at the next move with this velocity, and keeps its part along the ground until it lands.
    void launch(Vec3 velocity);
    /// Crouches or stands up, with the feet where they are; false, and nothing changes, where there is no room.
    bool set_height(World& world, float height);
    /// Elsewhere, at once and at rest.
    void set_position(World& world, DVec3 feet);

private:
    CharacterDef def_;
    CharacterState state_;
    BodyId body_{};
};

} // namespace scree
