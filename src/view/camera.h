// SPDX-License-Identifier: MIT
// camera.h — the viewer's camera: orbits a point, flies, or follows a body. y is up; angles in radians.
#pragma once

#include "geometry/shapes.h"
#include "scree/math.h"

#include <numbers>
#include <optional>

namespace scree::view {

using std::numbers::pi;

/// Pixels from the top left.
struct Pixel {
    double x = 0, y = 0;
};
struct ViewSize {
    double width = 1, height = 1;
    double aspect() const { return width > 0 && height > 0 ? width / height : 1; }
};

struct Eye {
    DVec3 position{0, 2, 8}, target{};
    double fov_y = 0.7;
    DVec3 forward() const { return normalized(target - position); }
    DVec3 right() const { return normalized(cross(forward(), {0, 1, 0})); }
    DVec3 up() const { return cross(right(), forward()); }
};

/// Through the middle of a pixel.
Ray ray_through(const Eye& eye, ViewSize size, Pixel pixel);
/// nullopt behind the eye.
std::optional<Pixel> project(const Eye& eye, ViewSize size, DVec3 point);

enum class CameraMode { orbit, fly, follow, walk };

class CameraControl {
public:
    CameraMode mode() const { return mode_; }
    /// Changes the mode, not the picture.
    void set_mode(CameraMode mode);
    Eye eye() const;
    double distance() const { return distance_; }

    /// Shows all of a box, from the front, the right and above.
    void frame(DVec3 low, DVec3 high, double aspect);
    /// Looks from a point to the target; `fov` is vertical, in degrees.
    void look(DVec3 eye, DVec3 target, double fov);
    void set_angles(double yaw, double pitch, double distance); ///< about the target

    /// Rotates by a mouse move in pixels; the height of the window is half a turn.
    void turn(double dx, double dy, ViewSize size);
    /// Pans so that the target follows the mouse.
    void pan(double dx, double dy, ViewSize size);
    /// Pans along the ground: the point under the mouse stays under it (R1.30).
    void slide(double dx, double dy, ViewSize size);
    /// Wheel clicks forward: closer in orbit and follow, faster in fly.
    void zoom(double clicks);
    /// Fly: metres a second times seconds along right, up and forward.
    void move(double right, double up, double forward, double seconds);
    double speed() const { return speed_; }
    /// Current position of the followed body; the eye keeps its offset.
    void follow(DVec3 point);
    /// The eye of who walks, in mode walk; where it looks stays.
    void stand(DVec3 eye);
    /// Looks along the ground, from 0 along x on, counter-clockwise seen from above.
    void face(double degrees);
    /// A velocity along the ground: so much ahead, so much to the right.
    DVec3 along_ground(double right, double forward) const;

private:
    DVec3 direction() const; ///< from the target to the eye

    CameraMode mode_ = CameraMode::orbit;
    DVec3 target_{};
    static constexpr double usual_fov = 0.62; // rad
    double yaw_ = 0.55, pitch_ = 0.42, distance_ = 8, fov_y_ = usual_fov, speed_ = 4;
};

/// Turns touches into mouse and wheel (R1.31): one finger is the left button; two fingers slide, pinch and turn.
class Gestures {
public:
    struct Result {
        std::optional<Pixel> pointer; ///< where the left button is, while exactly one finger is down
        bool pressed = false, released = false;
        double slide_x = 0, slide_y = 0; ///< pixels that the middle of two fingers moved
        double zoom = 0;                 ///< wheel clicks; a pinch to twice the distance is 7.3 of them
        double twist = 0;                ///< rad that the line between the fingers turned
        bool tapped = false;             ///< one finger, short and in place
        bool held = false;               ///< one finger, long and in place
    };
    Result down(int finger, Pixel at, double time);
    Result moved(int finger, Pixel at, double time);
    Result up(int finger, Pixel at, double time);

private:
    struct Finger {
        int id = -1;
        Pixel at, start;
        double time = 0;
    };
    Finger fingers_[2];
    int count_ = 0;
    bool pressed_ = false, still_ = true;
};

constexpr double zoom_base = 1.1; ///< a click of the wheel makes the distance this much smaller

} // namespace scree::view
