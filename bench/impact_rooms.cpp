// SPDX-License-Identifier: MIT
// impact_rooms.cpp — see impact_rooms.h.
#include "impact_rooms.h"

#include "rooms_text.h"

#include <algorithm>
#include <cmath>
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
    const int rooms = side * side, each = (bodies + rooms - 1) / rooms;
    // lattice places of a room: beside the pillar, and above the crate
    const double pitch = std::min(36.0, 36 * std::cbrt(80.0 / each));
    std::vector<DVec3> spots;
    for (double z = 0.6 * pitch; z < 128 - 0.5 * pitch; z += pitch)
        for (double x = 0.55 * pitch; x < 256 - 0.5 * pitch; x += pitch)
            for (double y = 0.55 * pitch; y < 256 - 0.5 * pitch; y += pitch)
                if (std::hypot(x - 128, y - 128) > 28 + 0.5 * pitch &&
                    (z > 34 + 0.5 * pitch || x > 125 || y > 125))
                    spots.push_back({x, y, z});
    const double size = pitch / 36;
    const auto small = [&] { return static_cast<float>(size * between(0.1, 0.25)); };
    const auto some = [&](double most) {
        const double x = between(-most, most), y = between(-most, most), z = between(-most, most);
        return narrow(DVec3{x, y, z});
    };
    for (int k = 0; k < bodies; ++k) {
        const int room = k % rooms;
        // spread over the room
        const DVec3& at =
            spots[static_cast<std::size_t>(k / rooms) * spots.size() / static_cast<std::size_t>(each)];
        BodyDef body;
        body.position =
            from_map(at + DVec3{RoomsText::pitch * (room % side), RoomsText::pitch * (room / side), 0});
        body.velocity = some(6);
        body.angular_velocity = some(6);
        const Quat turn =
            rotation_about(normalized(some(1) + Vec3{0, 0.1f, 0}), static_cast<float>(between(0, 3)));
        body.rotation = turn;
        const Geometry shapes[] = {Sphere{small()}, Box{small(), small(), small()}, Capsule{small(), small()},
                                   Cylinder{small(), small()}};
        out.bodies.push_back(out.world.create_body(body));
        out.world.attach(out.bodies.back(), shapes[k % 4], surface);
    }
    return out;
}

} // namespace scree::bench
