// SPDX-License-Identifier: MIT
// character.cpp — somebody walks up a flight of stairs, jumps off at the end and pushes a crate.
#include <scree/character.h>

#include <cmath>
#include <cstdio>

int main() {
    using namespace scree;
    World world;
    const BodyId ground = world.create_body({.type = BodyType::fixed});
    world.attach(ground, Plane{});
    for (int k = 0; k < 4; ++k)
        world.attach(ground, Box{1 - 0.2f * k, 0.1f, 1}, {.position = {3 + 0.2f * k, 0.1f + 0.2f * k, 0}});
    const BodyId crate = world.create_body({.position = {7, 0.3f, 0}});
    world.attach(crate, Box{0.3f, 0.3f, 0.3f}, {.density = 200});

    Character player(world, {.position = {0, 0.05f, 0}});
    double top = 0;
    for (int step = 0; step < 300; ++step) {
        if (player.state().position.x > 3.5 && top > 0.7) player.jump(2);
        player.move(world, {1.8f, 0, 0}, 1 / 60.0f);
        world.step(1 / 60.0f);
        top = std::fmax(top, player.state().position.y);
    }
    const double pushed = world.position(crate).x - 7;
    std::printf("the player climbed to %.2f m, stands at x = %.2f m and pushed the crate by %.2f m\n", top,
                player.state().position.x, pushed);
    return top > 0.8 && pushed > 0.5 && player.state().ground == Ground::firm ? 0 : 1;
}
