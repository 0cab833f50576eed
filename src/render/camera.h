// SPDX-License-Identifier: MIT
// camera.h — from where a picture is taken, and how it moves through a video.
#pragma once

#include "render/linear.h"

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

/// Sees all of `bounds`, from the front, the right and above. `yaw` and `pitch` in rad.
Camera framing(const Bounds& bounds, float aspect, float yaw = 0.55f, float pitch = 0.42f,
               float fov_y = 0.62f);
/// Near and far planes for what is to be seen: `bounds` and a ground that goes on behind it.
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
