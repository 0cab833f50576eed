// SPDX-License-Identifier: MIT
// camera.cpp — see camera.h.
#include "render/camera.h"

#include "scree/error.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <optional>

namespace scree::render {

namespace {

constexpr float degree = std::numbers::pi_v<float> / 180;

std::vector<double> numbers_in(const std::string& text, const std::string& where) {
    std::vector<double> numbers;
    const char* at = text.c_str();
    for (;;) {
        char* end = nullptr;
        const double value = std::strtod(at, &end);
        if (end == at || !std::isfinite(value))
            throw Error("invalid value \"" + text + "\": expected numbers separated by commas", where);
        numbers.push_back(value);
        if (*end == 0) return numbers;
        if (*end != ',')
            throw Error("invalid value \"" + text + "\": expected numbers separated by commas", where);
        at = end + 1;
    }
}

struct Field {
    std::string key, value;
};

/// "a=1,2,3,b=4" or with spaces: a comma before a letter begins a new field, too.
std::vector<Field> fields_of(const std::string& text, const std::string& where) {
    std::vector<Field> fields;
    std::size_t at = 0;
    const auto separates = [&](std::size_t i) {
        return text[i] == ' ' || text[i] == '\t' ||
               (text[i] == ',' && i + 1 < text.size() &&
                std::isalpha(static_cast<unsigned char>(text[i + 1])));
    };
    while (at < text.size()) {
        if (separates(at)) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && !separates(end)) ++end;
        const std::string part = text.substr(at, end - at);
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Error("invalid value \"" + part + "\": expected eye=X,Y,Z, target=X,Y,Z or fov=DEGREES",
                        where);
        fields.push_back({part.substr(0, equals), part.substr(equals + 1)});
        at = end;
    }
    return fields;
}

std::optional<double> apply_fields(const std::string& text, Camera& camera, const std::string& where,
                                   bool timed) {
    std::optional<double> time;
    for (const Field& field : fields_of(text, where)) {
        const auto numbers = numbers_in(field.value, where + ": " + field.key);
        const auto vector = [&] {
            if (numbers.size() != 3)
                throw Error("invalid value \"" + field.value + "\": expected three numbers",
                            where + ": " + field.key);
            return Vec3{static_cast<float>(numbers[0]), static_cast<float>(numbers[1]),
                        static_cast<float>(numbers[2])};
        };
        const auto number = [&](double low, double high) {
            if (numbers.size() != 1 || numbers[0] < low || numbers[0] > high)
                throw Error("invalid value \"" + field.value + "\": expected a number from " +
                                std::to_string(low) + " to " + std::to_string(high),
                            where + ": " + field.key);
            return numbers[0];
        };
        if (field.key == "eye") camera.eye = vector();
        else if (field.key == "target") camera.target = vector();
        else if (field.key == "up") camera.up = vector();
        else if (field.key == "fov") camera.fov_y = static_cast<float>(number(1, 170)) * degree;
        else if (timed && field.key == "time") time = number(0, 1e9);
        else
            throw Error("\"" + field.key + "\" is not known; expected " + (timed ? "time, " : "") +
                            "eye, target, up or fov",
                        where);
    }
    if (length(camera.eye - camera.target) < 1e-6f)
        throw Error("eye and target are the same point; expected a direction to look in", where);
    return time;
}

} // namespace

Framing::Framing(float aspect, const ViewAngle& angle, float fill)
    : back_{std::sin(angle.yaw) * std::cos(angle.pitch), std::sin(angle.pitch),
            std::cos(angle.yaw) * std::cos(angle.pitch)},
      fov_y_(angle.fov_y),
      tan_x_(std::tan(angle.fov_y / 2) * fill * aspect),
      tan_y_(std::tan(angle.fov_y / 2) * fill) {
    right_ = normalized(cross(Vec3{0, 1, 0}, back_));
    above_ = cross(back_, right_);
    most_.fill(-1e30f);
}

// A point is within the right side of the view when x + tan z <= eye_x + tan eye_z, and likewise for the other sides: only
// the largest of each counts, and the nearest eye that fulfils all four follows from them.
void Framing::add(Vec3 centre, float radius) {
    const float x = dot(centre, right_), y = dot(centre, above_), z = dot(centre, back_);
    const float wide = tan_x_ * z + radius * std::sqrt(1 + tan_x_ * tan_x_),
                high = tan_y_ * z + radius * std::sqrt(1 + tan_y_ * tan_y_);
    most_ = {std::max(most_[0], wide + x), std::max(most_[1], wide - x), std::max(most_[2], high + y),
             std::max(most_[3], high - y)};
    nearest_ = std::max(nearest_, z + radius);
    farthest_ = std::min(farthest_, z - radius);
}

void Framing::add(const Bounds& bounds) {
    for (int i = 0; i < 8; ++i)
        add(Vec3{i & 1 ? bounds.high.x : bounds.low.x, i & 2 ? bounds.high.y : bounds.low.y,
                 i & 4 ? bounds.high.z : bounds.low.z});
}

Camera Framing::camera() const {
    Camera camera;
    camera.fov_y = fov_y_;
    camera.eye = back_ * 10;
    if (farthest_ > nearest_) return camera;
    const float x = (most_[0] - most_[1]) / 2, y = (most_[2] - most_[3]) / 2,
                middle = (nearest_ + farthest_) / 2;
    const float z = std::max(
        {(most_[0] + most_[1]) / (2 * tan_x_), (most_[2] + most_[3]) / (2 * tan_y_), middle + 0.01f});
    camera.target = right_ * x + above_ * y + back_ * middle;
    camera.eye = camera.target + back_ * (z - middle);
    return camera;
}

Camera framing(const Bounds& bounds, float aspect, const ViewAngle& angle) {
    Framing frame(aspect, angle);
    if (!bounds.empty()) frame.add(bounds);
    Camera camera = frame.camera();
    if (!bounds.empty()) fit_planes(camera, bounds);
    return camera;
}

void fit_planes(Camera& camera, const Bounds& bounds) {
    const float away = bounds.empty() ? 10 : length(bounds.centre() - camera.eye),
                radius = std::max(bounds.radius(), 0.1f);
    // the ground before the bodies is not cut off
    camera.near_plane =
        std::max(std::min(away - radius * 1.5f, away * 0.05f), std::max(away, radius) * 0.004f);
    camera.far_plane = std::max(away + radius, 1.0f) * 40;
}

Camera CameraPath::at(double time) const {
    if (time <= keys_.front().time) return keys_.front().camera;
    if (time >= keys_.back().time) return keys_.back().camera;
    std::size_t i = 1;
    while (keys_[i].time < time) ++i;
    const auto key = [&](std::size_t k) -> const Camera& {
        return keys_[std::min(k, keys_.size() - 1)].camera;
    };
    const auto t = static_cast<float>((time - keys_[i - 1].time) / (keys_[i].time - keys_[i - 1].time));
    const Camera &a = key(i >= 2 ? i - 2 : 0), &b = key(i - 1), &c = key(i), &d = key(i + 1);
    const auto spline = [t](Vec3 p, Vec3 q, Vec3 r, Vec3 s) {
        return (q * 2 + (r - p) * t + (p * 2 - q * 5 + r * 4 - s) * (t * t) +
                (q * 3 - p - r * 3 + s) * (t * t * t)) *
               0.5f;
    };
    Camera result = b;
    result.eye = spline(a.eye, b.eye, c.eye, d.eye);
    result.target = spline(a.target, b.target, c.target, d.target);
    result.up = spline(a.up, b.up, c.up, d.up);
    result.fov_y = b.fov_y + (c.fov_y - b.fov_y) * t;
    return result;
}

Camera parse_camera(const std::string& text, const Camera& base, const std::string& where) {
    Camera camera = base;
    apply_fields(text, camera, where, false);
    return camera;
}

CameraPath load_camera_path(const std::string& file, const Camera& base) {
    std::ifstream in(file);
    if (!in) throw Error("cannot be read", file);
    std::vector<CameraPath::Key> keys;
    std::string line;
    Camera camera = base;
    for (int number = 1; std::getline(in, line); ++number) {
        line.resize(std::min(line.find('#'), line.size()));
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const std::string where = file + ":" + std::to_string(number);
        const auto time = apply_fields(line, camera, where, true);
        if (!time && !keys.empty()) throw Error("expected time=SECONDS", where);
        if (!keys.empty() && !(*time > keys.back().time))
            throw Error("times must grow from line to line", where);
        keys.push_back({time.value_or(0), camera});
    }
    if (keys.empty()) throw Error("has no line with a camera", file);
    return CameraPath(std::move(keys));
}

} // namespace scree::render
