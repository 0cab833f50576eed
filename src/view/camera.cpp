// SPDX-License-Identifier: MIT
// camera.cpp — see camera.h.
#include "view/camera.h"

#include <algorithm>
#include <cmath>

namespace scree::view {

namespace {

constexpr double steepest = 0.5 * pi - 0.01;
constexpr double nearest = 1e-3, farthest = 1e6; // m

double height_at(double distance, double fov_y) { return 2 * distance * std::tan(fov_y / 2); }

} // namespace

Ray ray_through(const Eye& eye, ViewSize size, Pixel pixel) {
    const double y = std::tan(eye.fov_y / 2), x = y * size.aspect();
    const double right = (2 * (pixel.x + 0.5) / size.width - 1) * x,
                 up = (1 - 2 * (pixel.y + 0.5) / size.height) * y;
    return {eye.position, normalized(eye.forward() + right * eye.right() + up * eye.up())};
}

std::optional<Pixel> project(const Eye& eye, ViewSize size, DVec3 point) {
    const DVec3 to = point - eye.position;
    const double depth = dot(to, eye.forward());
    if (!(depth > 1e-9)) return std::nullopt;
    const double y = std::tan(eye.fov_y / 2), x = y * size.aspect();
    return Pixel{(dot(to, eye.right()) / (depth * x) + 1) / 2 * size.width - 0.5,
                 (1 - dot(to, eye.up()) / (depth * y)) / 2 * size.height - 0.5};
}

DVec3 CameraControl::direction() const {
    return {std::cos(pitch_) * std::sin(yaw_), std::sin(pitch_), std::cos(pitch_) * std::cos(yaw_)};
}

Eye CameraControl::eye() const { return {target_ + distance_ * direction(), target_, fov_y_}; }

void CameraControl::set_mode(CameraMode mode) { mode_ = mode; }

void CameraControl::set_angles(double yaw, double pitch, double distance) {
    yaw_ = yaw;
    pitch_ = std::clamp(pitch, -steepest, steepest);
    distance_ = std::clamp(distance, nearest, farthest);
}

void CameraControl::frame(DVec3 low, DVec3 high, double aspect) {
    fov_y_ = usual_fov;
    target_ = 0.5 * (low + high);
    const double radius = std::max(0.5 * length(high - low), 1e-3);
    // a sphere around the box touches the edges of the narrower side
    const double half = std::min(fov_y_ / 2, std::atan(std::tan(fov_y_ / 2) * aspect));
    set_angles(0.55, 0.42, 1.12 * radius / std::sin(half));
    speed_ = radius;
}

void CameraControl::look(DVec3 eye, DVec3 target, double fov) {
    const DVec3 from = eye - target;
    const double distance = std::max(length(from), 1e-6);
    target_ = target;
    fov_y_ = fov * pi / 180;
    set_angles(std::atan2(from.x, from.z), std::asin(std::clamp(from.y / distance, -1.0, 1.0)), distance);
    speed_ = distance / 2;
}

void CameraControl::turn(double dx, double dy, ViewSize size) {
    const double scale = pi / std::max(size.height, 1.0);
    if (mode_ == CameraMode::fly || mode_ == CameraMode::walk) {
        // the head turns: the eye stays, the target goes round it
        const DVec3 place = eye().position;
        yaw_ -= dx * scale;
        pitch_ = std::clamp(pitch_ + dy * scale, -steepest, steepest);
        target_ = place - distance_ * direction();
        return;
    }
    yaw_ -= dx * scale;
    pitch_ = std::clamp(pitch_ + dy * scale, -steepest, steepest);
}

void CameraControl::pan(double dx, double dy, ViewSize size) {
    const double metres = height_at(distance_, fov_y_) / std::max(size.height, 1.0);
    const Eye now = eye();
    target_ = target_ - (dx * metres) * now.right() + (dy * metres) * now.up();
}

void CameraControl::slide(double dx, double dy, ViewSize size) {
    const double metres = height_at(distance_, fov_y_) / std::max(size.height, 1.0);
    const DVec3 right = eye().right(), ahead = cross({0, 1, 0}, right);
    // foreshortened: seen flat, a pixel upwards is a long way ahead
    const double steep = std::max(std::abs(std::sin(pitch_)), 0.1);
    target_ = target_ - (dx * metres) * right + (dy * metres / steep) * ahead;
}

void CameraControl::zoom(double clicks) {
    const double factor = std::pow(zoom_base, -clicks);
    if (mode_ == CameraMode::fly) speed_ = std::clamp(speed_ / factor, 1e-3, 1e4);
    else distance_ = std::clamp(distance_ * factor, nearest, farthest);
}

void CameraControl::move(double right, double up, double forward, double seconds) {
    const Eye now = eye();
    const double metres = speed_ * seconds;
    target_ = target_ + metres * (right * now.right() + up * DVec3{0, 1, 0} + forward * now.forward());
}

void CameraControl::follow(DVec3 point) {
    if (mode_ == CameraMode::follow && is_finite(point)) target_ = point;
}

void CameraControl::stand(DVec3 eye) {
    if (mode_ == CameraMode::walk && is_finite(eye)) target_ = eye - distance_ * direction();
}

void CameraControl::face(double degrees) {
    const DVec3 place = eye().position;
    set_angles(degrees * pi / 180 - pi / 2, 0, 1);
    target_ = place - distance_ * direction();
}

DVec3 CameraControl::along_ground(double right, double forward) const {
    const DVec3 aside = eye().right();
    return right * aside + forward * cross(DVec3{0, 1, 0}, aside);
}

// touch --------------------------------------------------------------------------------------------------------------

namespace {

constexpr double still = 8;       // pixels that a finger may tremble
constexpr double hold_time = 0.5; // s

double between(Pixel a, Pixel b) { return std::hypot(a.x - b.x, a.y - b.y); }

} // namespace

Gestures::Result Gestures::down(int finger, Pixel at, double time) {
    Result result;
    if (count_ == 2) return result; // a third does nothing
    fingers_[count_++] = {finger, at, at, time};
    if (count_ == 1) {
        pressed_ = still_ = true;
        result.pressed = true;
        result.pointer = at;
    } else if (pressed_) { // it was no press after all
        pressed_ = still_ = false;
        result.released = true;
    }
    return result;
}

Gestures::Result Gestures::moved(int finger, Pixel at, double) {
    Result result;
    Finger* which = nullptr;
    for (int k = 0; k < count_; ++k)
        if (fingers_[k].id == finger) which = &fingers_[k];
    if (!which) return result;
    if (between(at, which->start) > still) still_ = false;
    if (count_ == 1) {
        which->at = at;
        if (pressed_) result.pointer = at;
        return result;
    }
    const Pixel a = fingers_[0].at, b = fingers_[1].at;
    which->at = at;
    const Pixel c = fingers_[0].at, d = fingers_[1].at;
    result.slide_x = (c.x + d.x - a.x - b.x) / 2;
    result.slide_y = (c.y + d.y - a.y - b.y) / 2;
    const double before = between(a, b), after = between(c, d);
    if (before > 1 && after > 1) {
        result.zoom = std::log(after / before) / std::log(zoom_base);
        const double cross = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
        const double along = (b.x - a.x) * (d.x - c.x) + (b.y - a.y) * (d.y - c.y);
        result.twist = std::atan2(cross, along);
    }
    return result;
}

Gestures::Result Gestures::up(int finger, Pixel at, double time) {
    Result result;
    for (int k = 0; k < count_; ++k) {
        if (fingers_[k].id != finger) continue;
        if (count_ == 1 && pressed_) {
            result.released = true;
            result.pointer = at;
            const bool in_place = still_ && between(at, fingers_[k].start) <= still;
            result.tapped = in_place && time - fingers_[k].time < hold_time;
            result.held = in_place && !result.tapped;
        }
        if (k == 0) fingers_[0] = fingers_[1];
        --count_;
        pressed_ = false; // the finger that stays after two is no press
        break;
    }
    return result;
}

} // namespace scree::view
