// SPDX-License-Identifier: MIT
// lights.h — point and spot lights and those that are far away, and culling of lights by reach.
#pragma once

#include "render/linear.h"
#include "render/technique.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::render {

struct Light {
    Vec3 position{};
    Vec3 colour{1, 1, 1};     ///< linear
    float intensity = 10;     ///< candela, in the units of the sun's 3
    float radius = 10;        ///< m: dark beyond, exactly
    Vec3 direction{0, -1, 0}; ///< into which a spot or a far one shines
    float cone = 0;           ///< rad, half the opening of a spot; 0 shines everywhere
    bool shadows = false;     ///< if it is among the max_shadow_lights that matter most in the picture
    bool everywhere = true;   ///< false: only below the LightTechniques that name it
    bool far =
        false; ///< a further sun: from one direction, equal at every place, without a shadow; intensity as the sun's 3
};
constexpr int max_shadow_lights = 8;

/// The lights of a scene; a light's number is its place. Removing keeps the other numbers.
class LightList {
public:
    /// Throws Error when there are max_lights already.
    int add(const Light& light);
    void remove(int light);
    void set(int light, const Light& value);
    const Light& operator[](int light) const { return lights_[static_cast<std::size_t>(light)]; }
    int size() const { return static_cast<int>(lights_.size()); }
    LightMask alive() const { return alive_; }
    LightMask everywhere() const;
    /// Lights of `candidates` whose sphere touches a sphere: the light manager's test for an object.
    LightMask reaching(Vec3 centre, float radius, LightMask candidates) const;

private:
    std::vector<Light> lights_;
    LightMask alive_ = 0;
};

/// One mask for each tile of the picture: the lights whose sphere may cover a part of it. Conservative.
void tile_masks(const LightList& lights, const Mat4& view, const Mat4& projection, int tiles_x, int tiles_y,
                std::vector<LightMask>& masks);

} // namespace scree::render
