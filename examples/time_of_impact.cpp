// SPDX-License-Identifier: MIT
// time_of_impact.cpp — collision detection without a World: three bodies, each pair's first touch, the earliest of them.
#include <scree/time_of_impact.h>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
    using namespace scree;
    const std::vector<MovingShape> shapes{
        {.geometry = Plane{}},
        {.geometry = Box{0.5f, 0.1f, 0.2f},
         .position = {0, 3, 0},
         .velocity = {1, 2, 0},
         .acceleration = {0, -9.81, 0},
         .angular_velocity = {3, 1, 2}},
        {.geometry = Sphere{0.1f}, .position = {60, 3.2, 0}, .velocity = {-300, 0, 0}}};
    FirstTouch first;
    std::size_t of[2]{};
    for (std::size_t a = 0; a < shapes.size(); ++a)
        for (std::size_t b = a + 1; b < shapes.size(); ++b) {
            const FirstTouch touch = time_of_impact(shapes[a], shapes[b], {.duration = 1});
            std::printf("%zu and %zu: %s after %.4f s, %d distances\n", a, b, touch ? "touch" : "nothing",
                        touch.time, touch.distances);
            if (touch && (!first || touch.time < first.time)) first = touch, of[0] = a, of[1] = b;
        }
    const DVec3 at = first.nearest.on_a;
    std::printf("first: %zu and %zu at %.3f %.3f %.3f\n", of[0], of[1], at.x, at.y, at.z);
    return first && of[0] == 1 && of[1] == 2 && first.time > 0.19 && first.time < 0.21 ? 0 : 1;
}
