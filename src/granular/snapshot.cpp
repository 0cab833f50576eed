// SPDX-License-Identifier: MIT
// snapshot.cpp — see snapshot.h. Each list of fields is written once and serves both ways.
#include "granular/snapshot.h"

#include "bytes/fields.h"
#include "bytes/seal.h"
#include "granular/checks.h"
#include "scree/error.h"

#include <algorithm>
#include <string>

namespace scree {
namespace {

constexpr bytes::Seal seal{"SCREEGRN", 1};

[[noreturn]] void fail(const std::string& what) { throw Error(what, "snapshot"); }

template <class Io, class Settings>
void settings_fields(Io& io, Settings& s) {
    io(s.mode, s.contact, s.decomposition, s.time_step, s.substeps, s.gravity, s.stiffness, s.damping,
       s.tangent_damping, s.tangent_stiffness, s.friction, s.particle_radius, s.terminal_velocity,
       s.contact_epsilon);
    io.flags(s.walls, s.ground, s.sleeping, s.unlock);
    io(s.world_size, s.grid_cells, s.grid_min, s.sleep_speed, s.sleep_delay, s.wake_speed, s.contact_memory,
       s.neighbour_skin);
}

template <class Io, class Particle>
void particle_fields(Io& io, Particle& p) {
    io(p.offset, p.radius, p.outward);
}

template <class Io, class Obstacle>
void obstacle_fields(Io& io, Obstacle& o) {
    io(o.kind, o.position, o.rotation, o.size, o.velocity, o.angular_velocity, o.mass);
}

template <class Io, class Body>
void body_fields(Io& io, Body& b) {
    io(b.position, b.rotation, b.momentum, b.angular_momentum, b.angular_velocity, b.mass, b.shape);
    io.flags(b.asleep, b.frozen);
}

template <class Io, class Snapshot>
void time_fields(Io& io, Snapshot& s) {
    io(s.steps, s.steps_before, s.time_before);
}

void check_contents(const GranularSnapshot& s) {
    check(s.settings);
    const std::size_t count = s.bodies.state.size();
    std::uint64_t particles = 0;
    for (const GranularBodyState& body : s.bodies.state) {
        if (body.shape >= s.shapes.size()) fail("a body has a shape that is not there");
        if (!(body.mass > 0)) fail("a body has no mass");
        particles += s.shapes[body.shape].particles.size();
    }
    if (particles != s.bodies.particles) fail("the number of particles is not that of the bodies");
    if (s.bodies.rest.size() != count) fail("times at rest do not belong to the bodies");
    // bodies that were never on a device have no places there yet
    std::vector<std::uint32_t> places = s.bodies.slots;
    std::sort(places.begin(), places.end());
    for (std::uint32_t k = 0; k < places.size(); ++k)
        if (places[k] != k || k >= count) fail("places do not belong to the bodies");
    const std::uint64_t most_springs =
        std::uint64_t{4} * static_cast<std::uint32_t>(s.settings.contact_memory) * particles;
    if (s.springs.size() > most_springs) fail("there are more springs than particles have");
}

/// Where the particles of each body begin on a device follows from the places.
void number_particles(GranularSnapshot& s) {
    std::uint32_t next = 0;
    s.bodies.first_particle.resize(s.bodies.slots.size());
    for (const std::uint32_t body : s.bodies.slots) {
        s.bodies.first_particle[body] = next;
        next += static_cast<std::uint32_t>(s.shapes[s.bodies.state[body].shape].particles.size());
    }
}

} // namespace

std::vector<std::byte> encode_granular(const GranularSnapshot& s) {
    bytes::Bytes content;
    bytes::FieldWriter out(content);
    settings_fields(out, s.settings);
    out(static_cast<std::uint32_t>(s.shapes.size()));
    for (const GranularShape& shape : s.shapes) {
        out(shape.name, shape.unit_inertia, shape.half_size,
            static_cast<std::uint32_t>(shape.particles.size()));
        for (const ShapeParticle& particle : shape.particles) particle_fields(out, particle);
    }
    out(static_cast<std::uint32_t>(s.obstacles.size()));
    for (const Obstacle& obstacle : s.obstacles) obstacle_fields(out, obstacle);
    out(static_cast<std::uint32_t>(s.bodies.state.size()));
    for (const GranularBodyState& body : s.bodies.state) body_fields(out, body);
    out.list(s.bodies.rest, "");
    out(s.bodies.particles);
    out.list(s.bodies.slots, "");
    // a spring's owner is bits in a float: no number
    out(static_cast<std::uint32_t>(s.springs.size()));
    for (const float spring : s.springs) out(bytes::bits_as<std::uint32_t>(spring));
    time_fields(out, s);
    return bytes::sealed(seal, 0, content);
}

GranularSnapshot decode_granular(std::span<const std::byte> saved) {
    std::uint32_t unused = 0;
    bytes::FieldReader in(bytes::unsealed(seal, saved, unused), "snapshot");
    GranularSnapshot s;
    settings_fields(in, s.settings);
    s.shapes.resize(in.count(32, "shapes"));
    for (GranularShape& shape : s.shapes) {
        in(shape.name, shape.unit_inertia, shape.half_size);
        shape.particles.resize(in.count(28, "particles"));
        for (ShapeParticle& particle : shape.particles) particle_fields(in, particle);
    }
    s.obstacles.resize(in.count(72, "obstacles"));
    for (Obstacle& obstacle : s.obstacles) {
        obstacle_fields(in, obstacle);
        if (obstacle.kind > Obstacle::Kind::sphere) fail("an obstacle has a kind that is not known");
    }
    s.bodies.state.resize(in.count(76, "bodies"));
    for (GranularBodyState& body : s.bodies.state) body_fields(in, body);
    in.list(s.bodies.rest, "times at rest");
    in(s.bodies.particles);
    in.list(s.bodies.slots, "places");
    s.springs.resize(in.count(4, "springs"));
    for (float& spring : s.springs) {
        std::uint32_t word = 0;
        in(word);
        spring = bytes::bits_as<float>(word);
    }
    time_fields(in, s);
    if (in.left() > 0) fail("there are more bytes than a world has");
    check_contents(s);
    number_particles(s);
    return s;
}

} // namespace scree
