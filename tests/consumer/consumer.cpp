// SPDX-License-Identifier: MIT
// consumer.cpp — a program outside the tree: drops a cube and says where it is.
#include <scree/granular.h>
#include <scree/version.h>

#include <cstdio>

int main() {
    scree::GranularWorld world({}, {{.threads = 1}});
    std::uint32_t cube =
        world.create_body({.shape = world.add_shape(scree::shapes::cube(0.2f)), .position = {0, 5, 0}});
    world.step(50);
    float height = world.bodies()[cube].position.y;
    std::printf("Scree %s: the cube fell to %.3f m\n", SCREE_VERSION, static_cast<double>(height));
    return height > 3.5f && height < 4 ? 0 : 1; // 5 m - g t^2 / 2 = 3.77 m
}
