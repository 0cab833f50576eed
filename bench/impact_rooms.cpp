// SPDX-License-Identifier: MIT
// impact_rooms.cpp — see impact_rooms.h.
#include "impact_rooms.h"

#include "rooms_text.h"

#include <random>

namespace scree::bench {

CompiledLevel rooms_of(int side) { return compile_level(RoomsText(side).map()); }

RoomsWorld fly_in_rooms(const CompiledLevel& level, int side, int bodies, float restitution,
                        const Place& place) {
    WorldSettings settings;
    settings.solver = Solver::impact;
    settings.restitution_threshold = 0.2f;
    settings.hit_speed = 0;
    RoomsWorld out{World(settings, place), {}, {}};
    ShapeDef surface;
    surface.material.restitution = restitution;
    surface.material.friction = 0.3f;
    out.walls = add_level(out.world, level.level, level_scale, surface);
    std::mt19937_64 engine(5);
    const auto between = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1p-53;
    };
    const auto small = [&] { return static_cast<float>(between(0.1, 0.25)); };
    const auto some = [&](double most) {
        const double x = between(-most, most), y = between(-most, most), z = between(-most, most);
        return narrow(DVec3{x, y, z});
    };
    const int rooms = side * side;
    for (int k = 0; k < bodies; ++k) {
        const int room = k % rooms, spot = k / rooms;
        // beside the pillar and beyond the crate, in layers
        const double x = spot % 4 < 2 ? 190 : 215, y = spot % 2 ? 60 : 200, z = 40 + 30 * (spot / 4 % 3);
        BodyDef body;
        body.position = from_map({RoomsText::pitch * (room % side) + x - 25 * (spot / 12 % 3),
                                  RoomsText::pitch * (room / side) + y + 16 * (spot / 36), z});
        body.velocity = some(6);
        body.angular_velocity = some(6);
        const Quat turn = rotation_about(normalized(some(1) + Vec3{0, 0.1f, 0}), small() * 12);
        body.rotation = turn;
        const Geometry shapes[] = {Sphere{small()}, Box{small(), small(), small()}, Capsule{small(), small()},
                                   Cylinder{small(), small()}};
        out.bodies.push_back(out.world.create_body(body));
        out.world.attach(out.bodies.back(), shapes[k % 4], surface);
    }
    return out;
}

} // namespace scree::bench
