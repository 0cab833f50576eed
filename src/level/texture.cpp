// SPDX-License-Identifier: MIT
// texture.cpp — see texture.h.
#include "level/texture.h"

#include <cmath>

namespace scree {
namespace {

double scale_of(double scale) {
    return scale == 0 ? 1 : scale; // as Quake's tools read it
}

/// Axes of the world, turned in the plane of projection.
TextureProjection standard(const MapFace& face, DVec3 n) {
    // the axis that the normal is nearest to; ties go to the first of +z, -z, +x, -x, +y, -y
    const double z = std::fabs(n.z), x = std::fabs(n.x), y = std::fabs(n.y);
    const bool up = z >= x && z >= y, across = !up && x >= y;
    const DVec3 s = across ? DVec3{0, 1, 0} : DVec3{1, 0, 0}, t = up ? DVec3{0, -1, 0} : DVec3{0, 0, -1};
    const auto [cosine, sine] = cosine_and_sine(face.texture[2]);
    // Quake's tools turn from one of the world's axes to the other; t points against the second one
    const DVec3 turned_s = cosine * s - sine * t, turned_t = cosine * t + sine * s;
    TextureProjection out;
    out.axes = {turned_s / scale_of(face.texture[3]), turned_t / scale_of(face.texture[4])};
    out.offsets = {face.texture[0], face.texture[1]};
    return out;
}

TextureProjection valve(const MapFace& face) {
    const auto& t = face.texture;
    TextureProjection out;
    out.axes = {DVec3{t[0], t[1], t[2]} / scale_of(t[9]), DVec3{t[4], t[5], t[6]} / scale_of(t[10])};
    out.offsets = {t[3], t[7]};
    return out;
}

/// A matrix on two axes in the face: the first one horizontal. Radiant finds them by two angles of the normal; these are their
/// sines and cosines.
TextureProjection matrix(const MapFace& face, DVec3 n) {
    const double across = std::sqrt(n.x * n.x + n.y * n.y);
    const double cosine = across > 0 ? n.x / across : 1, sine = across > 0 ? n.y / across : 0;
    const DVec3 s{-sine, cosine, 0}, t{n.z * cosine, n.z * sine, -across};
    const auto& m = face.texture;
    TextureProjection out;
    out.axes = {m[0] * s + m[1] * t, m[3] * s + m[4] * t};
    out.offsets = {m[2], m[5]};
    return out;
}

} // namespace

std::array<double, 2> cosine_and_sine(double degrees) {
    // to -45 .. 45 degrees about a multiple of 90; fmod and the difference are exact
    const double turn = std::fmod(degrees, 360);
    const double quarter = std::round(turn / 90), x = (turn - 90 * quarter) * (3.14159265358979323846 / 180);
    double sine = 0, cosine = 0;
    for (int k = 10; k >= 0; --k) { // the next term is below 1e-20
        sine = 1 - sine * x * x / ((2 * k + 2) * (2 * k + 3));
        cosine = 1 - cosine * x * x / ((2 * k + 1) * (2 * k + 2));
    }
    sine *= x;
    switch ((static_cast<int>(quarter) % 4 + 4) % 4) {
    case 0:
        return {cosine, sine};
    case 1:
        return {0 - sine, cosine};
    case 2:
        return {0 - cosine, 0 - sine};
    default:
        return {sine, 0 - cosine};
    }
}

TextureProjection texture_projection(MapFormat format, const MapFace& face, DVec3 normal) {
    switch (format) {
    case MapFormat::valve:
        return valve(face);
    case MapFormat::brush_def:
    case MapFormat::brush_def3:
        return matrix(face, normal);
    case MapFormat::none:
    case MapFormat::standard:
        break;
    }
    return standard(face, normal);
}

} // namespace scree
