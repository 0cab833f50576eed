// SPDX-License-Identifier: MIT
// camera.h — the camera of a picture, and camera paths for videos.
#pragma once

#include "render/linear.h"

#include <array>
#include <string>
#include <vector>

namespace scree::render {

struct Camera {
    Vec3 eye{0, 2, 8}, target{}, up{0, 1, 0};
    float fov_y = 0.7f;                         ///< rad
    float near_plane = 0.05f, far_plane = 1000; ///< m
    Mat4 view() const { return look_at(eye, target, up); }
    Mat4 projection(float aspect) const { return perspective(fov_y, aspect, near_plane, far_plane); }
};

/// From where to look; angles in rad. As it is: from the front, the right and above.
struct ViewAngle {
    float yaw = 0.55f, pitch = 0.42f, fov_y = 0.62f;
};

/// The camera from which everything that was added fills a part of the picture's width or height.
class Framing {
public:
    explicit Framing(float aspect, const ViewAngle& angle = {}, float fill = 0.8f);
    void add(Vec3 centre, float radius = 0);
    void add(const Bounds& bounds); ///< all its corners
    /// 10 m from the origin when nothing was added.
    Camera camera() const;

private:
    Vec3 right_, above_, back_;
    float fov_y_, tan_x_, tan_y_;
    std::array<float, 4> most_; ///< right, left, above, below: how far the eye has to be off, at least
    float nearest_ = -1e30f, farthest_ = 1e30f; ///< along `back_`
};
Camera framing(const Bounds& bounds, float aspect, const ViewAngle& angle = {});
/// Near and far planes that include `bounds` and a ground beyond.
void fit_planes(Camera& camera, const Bounds& bounds);

/// Key cameras over time, joined smoothly (Catmull–Rom).
class CameraPath {
public:
    struct Key {
        double time = 0; ///< s
        Camera camera;
    };
    explicit CameraPath(std::vector<Key> keys) : keys_(std::move(keys)) {}
    Camera at(double time) const;
    bool moves() const { return keys_.size() > 1; }

private:
    std::vector<Key> keys_;
};

/// "eye=8,4,10 target=0,1,0 fov=40", or with commas before the names; angles in degrees. What is left out comes from
/// `base`. Throws Error, naming `where`.
Camera parse_camera(const std::string& text, const Camera& base, const std::string& where);
/// A file of lines "time=2 eye=… target=… fov=…"; # begins a comment. Throws Error naming file and line.
CameraPath load_camera_path(const std::string& file, const Camera& base);

} // namespace scree::render
