// SPDX-License-Identifier: MIT
// shapes.cpp — built-in shapes, and shapes from particles and meshes.
//
// Everything here is computed in double from + - x / and square roots and rounded to float once, so a shape
// has the same bits wherever it is built.
#include "geometry/obj.h"
#include "outward.h"
#include "principal_axes.h"
#include "text/number_text.h"
#include "voxelise.h"

#include "scree/error.h"
#include "scree/granular.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace scree::shapes {
namespace {

constexpr double pi = 3.14159265358979323846;

void expect_positive(float v, const std::string& where) {
    if (!(v > 0) || !std::isfinite(v))
        throw Error("invalid value " + number_text(double(v)) + ": expected a finite number greater than 0",
                    where);
}

void expect_count(int v, const std::string& where) {
    if (v < 1)
        throw Error("invalid value " + std::to_string(v) + ": expected an integer greater than 0", where);
}

void expect_few(double particles, const std::string& where) {
    if (particles > double(max_shape_particles))
        throw Error(number_text(particles) + " particles are too many; expected at most " +
                        std::to_string(max_shape_particles),
                    where);
}

// a size whose square leaves the range of float gives a body that cannot turn, or turns infinitely fast
GranularShape checked(GranularShape shape) {
    const Vec3 i = shape.unit_inertia, h = shape.half_size;
    for (const float v : {i.x, i.y, i.z, h.x, h.y, h.z})
        if (!std::isnormal(v))
            throw Error("half size (" + number_text(double(h.x)) + ", " + number_text(double(h.y)) + ", " +
                            number_text(double(h.z)) +
                            ") is out of range; expected sizes between 1e-18 and 1e18",
                        "shape '" + shape.name + "'");
    return shape;
}

// half the sides of the smallest box around the spheres that is centred on the centre of mass: whoever draws it
// or asks what is inside it knows no other centre
Vec3 half_box(const std::vector<ShapeParticle>& particles) {
    double x = 0, y = 0, z = 0;
    for (const ShapeParticle& p : particles) {
        const double r = double(p.radius);
        x = std::max(x, std::fabs(double(p.offset.x)) + r);
        y = std::max(y, std::fabs(double(p.offset.y)) + r);
        z = std::max(z, std::fabs(double(p.offset.z)) + r);
    }
    return {float(x), float(y), float(z)};
}

GranularShape assemble(std::string name, std::vector<ShapeParticle> particles, ParticleSolid solid) {
    GranularShape shape;
    shape.name = std::move(name);
    shape.particles = std::move(particles);
    shape.unit_inertia = move_to_principal_axes(shape.particles, solid);
    shape.half_size = half_box(shape.particles);
    return checked(std::move(shape));
}

// sine and cosine of up to a full turn by Taylor's series: standard libraries differ in the last bit
double sine(double x) {
    double term = x, sum = x;
    for (int k = 1; k < 20; ++k) {
        term *= -x * x / double(2 * k * (2 * k + 1));
        sum += term;
    }
    return sum;
}

double cosine(double x) {
    const double half = sine(x / 2);
    return 1 - 2 * half * half;
}

// particles evenly on a sphere, in rings from pole to pole that leave no gap wider than a particle. Rings of
// evenly spaced particles balance, so the centre of mass stays at the origin
void add_shell(std::vector<ShapeParticle>& particles, double shell_radius, float radius, bool surface) {
    const double diameter = 2 * double(radius);
    const int bands = std::max(2, int(std::ceil(pi * shell_radius / diameter - 1e-6)));
    for (int i = 0; i <= bands; ++i) {
        // the lower half mirrors the upper one exactly
        const bool lower = 2 * i > bands;
        const double polar = pi * double(lower ? bands - i : i) / double(bands);
        const bool pole = i == 0 || i == bands;
        const double up = (lower ? -1 : 1) * (2 * i == bands ? 0 : cosine(polar));
        const double across = pole ? 0 : sine(polar);
        const int around =
            pole ? 1 : std::max(3, int(std::ceil(2 * pi * shell_radius * across / diameter - 1e-6)));
        for (int k = 0; k < around; ++k) {
            // angles within half a turn keep the series short of its rounding
            const double turn = 2 * pi * double(2 * k > around ? k - around : k) / double(around);
            const double x = across * cosine(turn), y = up, z = across * sine(turn);
            const Vec3 out{float(x), float(y), float(z)};
            particles.push_back({{float(shell_radius * x), float(shell_radius * y), float(shell_radius * z)},
                                 radius,
                                 surface ? out : Vec3{}});
        }
    }
}

GranularShape filled(std::string name, float radius, std::span<const Vec3> vertices,
                     std::span<const std::uint32_t> triangles, const std::string& where) {
    std::vector<ShapeParticle> particles;
    for (const Vec3& p : fill_mesh(radius, vertices, triangles, where)) particles.push_back({p, radius, {}});
    estimate_outward(particles);
    return assemble(std::move(name), std::move(particles), ParticleSolid::cell);
}

} // namespace

GranularShape cuboid(float radius, int a, int b, int c) {
    expect_positive(radius, "radius");
    expect_count(a, "cuboid spheres along x");
    expect_count(b, "cuboid spheres along y");
    expect_count(c, "cuboid spheres along z");
    expect_few(double(a) * double(b) * double(c), "cuboid");

    GranularShape shape;
    shape.name = "cuboid";
    shape.particles.reserve(std::size_t(a) * std::size_t(b) * std::size_t(c));
    // -1 and +1 on the two faces; 0 between them, and where both are the same sphere
    const auto face = [](int i, int n) { return int(i == n - 1) - int(i == 0); };
    for (int i = 0; i < a; ++i)
        for (int j = 0; j < b; ++j)
            for (int k = 0; k < c; ++k) {
                // doubling is exact: for three spheres this is 2r (i - 1) to the last bit
                const Vec3 offset{radius * float(2 * i - (a - 1)), radius * float(2 * j - (b - 1)),
                                  radius * float(2 * k - (c - 1))};
                const int x = face(i, a), y = face(j, b), z = face(k, c);
                const double length = std::sqrt(double(std::max(x * x + y * y + z * z, 1)));
                const Vec3 outward{float(x / length), float(y / length), float(z / length)};
                shape.particles.push_back({offset, radius, outward});
            }

    const double w = 2 * double(radius) * a, h = 2 * double(radius) * b, d = 2 * double(radius) * c;
    shape.unit_inertia = {float((h * h + d * d) / 12), float((w * w + d * d) / 12),
                          float((w * w + h * h) / 12)};
    shape.half_size = {float(w / 2), float(h / 2), float(d / 2)};
    return checked(std::move(shape));
}

GranularShape cube(float radius, int spheres_per_side) {
    expect_count(spheres_per_side, "cube spheres per side");
    GranularShape shape = cuboid(radius, spheres_per_side, spheres_per_side, spheres_per_side);
    shape.name = "cube";
    return shape;
}

GranularShape cube(float radius) { return cube(radius, 3); }

GranularShape grain(float radius) {
    expect_positive(radius, "radius");
    return assemble("grain", {{{}, radius, {}}}, ParticleSolid::sphere);
}

// Shells rather than a lattice: the surface is as round as spheres allow, so the ball rolls.
GranularShape ball(float particle_radius, float ball_radius) {
    expect_positive(particle_radius, "particle_radius");
    expect_positive(ball_radius, "ball_radius");
    if (ball_radius < particle_radius)
        throw Error("invalid value " + number_text(double(ball_radius)) +
                        ": expected at least the particle radius " + number_text(double(particle_radius)),
                    "ball_radius");
    const double ratio = double(ball_radius) / double(particle_radius);
    expect_few(pi / 6 * ratio * ratio * ratio, "ball");

    GranularShape shape;
    shape.name = "ball";
    const double r = double(particle_radius);
    double shell = double(ball_radius) - r;
    for (; shell >= r; shell -= 2 * r)
        add_shell(shape.particles, shell, particle_radius, shape.particles.empty());
    if (shell >= 0) shape.particles.push_back({{}, particle_radius, {}});

    // of the solid ball, as the cube's is of the solid cube
    const float inertia = float(0.4 * double(ball_radius) * double(ball_radius));
    shape.unit_inertia = {inertia, inertia, inertia};
    shape.half_size = half_box(shape.particles);
    return checked(std::move(shape));
}

// Touching spheres along x; the ends of a banana with positive bend point to +y.
GranularShape capsule(float radius, int spheres, float bend) {
    expect_positive(radius, "radius");
    expect_count(spheres, "capsule spheres");
    expect_few(spheres, "capsule");
    // beyond this the ends of the ring run into each other
    const double most = 2 * pi * double(spheres - 1) / double(spheres);
    if (!std::isfinite(bend) || (spheres > 2 && std::fabs(double(bend)) > most + 1e-6))
        throw Error("invalid value " + number_text(double(bend)) + ": expected an angle between " +
                        number_text(-most) + " and " + number_text(most),
                    "capsule bend");

    std::vector<ShapeParticle> particles;
    const double r = double(radius);
    const double angle = spheres > 2 ? double(bend) / double(spheres - 1) : 0; // from one sphere to the next
    for (int i = 0; i < spheres; ++i) {
        const double place = 0.5 * double(2 * i - (spheres - 1));
        Vec3 offset{float(2 * r * place), 0, 0};
        if (angle != 0) {
            const double arc_radius = r / sine(angle / 2); // neighbours are 2r apart along the chord
            const double half = sine(angle * place / 2);
            offset = {float(arc_radius * sine(angle * place)), float(arc_radius * 2 * half * half), 0};
        }
        particles.push_back({offset, radius, {}});
    }
    return from_particles(bend == 0 ? "capsule" : "banana", std::move(particles));
}

// A top of 9 x 1 x 5 spheres on corner legs 4 spheres high: thin parts, hollow below, and it stands on four
// points.
GranularShape desk(float radius) {
    expect_positive(radius, "radius");
    std::vector<ShapeParticle> particles;
    for (int i = -4; i <= 4; ++i)
        for (int j = 0; j < 5; ++j)
            for (int k = -2; k <= 2; ++k)
                if (j == 4 || ((i == -4 || i == 4) && (k == -2 || k == 2)))
                    particles.push_back(
                        {{radius * float(2 * i), radius * float(2 * j), radius * float(2 * k)}, radius, {}});
    estimate_outward(particles);
    return assemble("desk", std::move(particles), ParticleSolid::cell);
}

// Each sphere weighs its full volume, also where spheres overlap. Outward directions that came with the
// particles are kept; they are estimated only when there are none at all.
GranularShape from_particles(std::string name, std::vector<ShapeParticle> particles) {
    const std::string where = "shape '" + name + "'";
    if (particles.empty()) throw Error("no particles; expected at least one", where);
    expect_few(double(particles.size()), where);
    bool any_outward = false;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        ShapeParticle& p = particles[i];
        const auto refuse = [&](const char* field, float v, const char* expected) {
            throw Error("invalid value " + number_text(double(v)) + ": expected " + expected,
                        where + " particle " + std::to_string(i) + " " + field);
        };
        for (const float v : {p.offset.x, p.offset.y, p.offset.z})
            if (!std::isfinite(v)) refuse("offset", v, "a finite number");
        for (const float v : {p.outward.x, p.outward.y, p.outward.z})
            if (!std::isfinite(v)) refuse("outward", v, "a finite number");
        if (!(p.radius > 0) || !std::isfinite(p.radius))
            refuse("radius", p.radius, "a finite number greater than 0");
        const DVec3 outward = wide(p.outward);
        const double size = length(outward);
        if (size > 0) {
            any_outward = true;
            p.outward = narrow(outward / size);
        }
    }
    if (!any_outward) estimate_outward(particles);
    return assemble(std::move(name), std::move(particles), ParticleSolid::sphere);
}

// Each particle weighs as its cell of the lattice: a box mesh has the inertia of the solid box at every
// radius.
GranularShape from_mesh(std::string name, float radius, std::span<const Vec3> vertices,
                        std::span<const std::uint32_t> triangles) {
    const std::string where = "mesh '" + name + "'";
    return filled(std::move(name), radius, vertices, triangles, where);
}

namespace {

GranularShape from_mesh(const TriangleMesh& mesh, const std::string& file, float radius) {
    const std::size_t slash = file.find_last_of("/\\");
    const std::string base = slash == std::string::npos ? file : file.substr(slash + 1);
    std::vector<std::uint32_t> corners;
    for (const auto& triangle : mesh.triangles)
        corners.insert(corners.end(), triangle.begin(), triangle.end());
    return filled(base.substr(0, base.rfind('.')), radius, mesh.vertices, corners, file);
}

} // namespace

GranularShape from_obj(const std::string& file, float radius) {
    expect_positive(radius, "radius");
    return from_mesh(read_obj(file), file, radius);
}

GranularShape from_obj_text(std::string_view text, const std::string& file, float radius) {
    expect_positive(radius, "radius");
    return from_mesh(parse_obj(text, file), file, radius);
}

} // namespace scree::shapes
