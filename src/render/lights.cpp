// SPDX-License-Identifier: MIT
// lights.cpp — see lights.h.
#include "render/lights.h"

#include "scree/error.h"

#include <bit>
#include <cmath>

namespace scree::render {

int LightList::add(const Light& light) {
    const int free = std::countr_one(alive_);
    if (free >= max_lights) throw Error("there are 64 lights already; expected at most 64", "lights");
    if (free >= size()) lights_.resize(static_cast<std::size_t>(free) + 1);
    lights_[static_cast<std::size_t>(free)] = light;
    alive_ |= LightMask{1} << free;
    return free;
}

void LightList::remove(int light) { alive_ &= ~(LightMask{1} << light); }
void LightList::set(int light, const Light& value) { lights_[static_cast<std::size_t>(light)] = value; }

LightMask LightList::everywhere() const {
    LightMask mask = 0;
    for (int i = 0; i < size(); ++i)
        if (lights_[static_cast<std::size_t>(i)].everywhere) mask |= LightMask{1} << i;
    return mask & alive_;
}

LightMask LightList::reaching(Vec3 centre, float radius, LightMask candidates) const {
    LightMask mask = 0;
    for (LightMask left = candidates & alive_; left; left &= left - 1) {
        const int i = std::countr_zero(left);
        const Light& light = lights_[static_cast<std::size_t>(i)];
        if (light.far) mask |= LightMask{1} << i;
        const Vec3 d = light.position - centre;
        const float reach = light.radius + radius;
        if (dot(d, d) <= reach * reach) mask |= LightMask{1} << i;
    }
    return mask;
}

void tile_masks(const LightList& lights, const Mat4& view, const Mat4& projection, int tiles_x, int tiles_y,
                std::vector<LightMask>& masks) {
    masks.assign(static_cast<std::size_t>(tiles_x) * static_cast<std::size_t>(tiles_y), 0);
    for (int i = 0; i < lights.size(); ++i) {
        const LightMask bit = LightMask{1} << i;
        if (!(lights.alive() & bit)) continue;
        const Light& light = lights[i];
        const Vec4 c = view * Vec4{light.position.x, light.position.y, light.position.z, 1};
        int x0 = 0, x1 = tiles_x - 1, y0 = 0, y1 = tiles_y - 1;
        const float nearest = -c.z - light.radius; // distance of the sphere's nearest point along the view
        if (-c.z + light.radius <= 0 && !light.far) continue; // behind the eye
        if (nearest > 0.01f && !light.far) {
            // the box around the sphere, projected at its nearest depth: larger than the sphere's picture
            const auto edge = [&](float centre, float radius, float scale, int tiles, bool upper) {
                const float e = centre + (upper ? radius : -radius);
                const float far_depth = -c.z + light.radius;
                // whichever depth pushes the edge outwards
                const float depth = (upper ? e > 0 : e < 0) ? nearest : far_depth;
                const float t = (e * scale / depth * 0.5f + 0.5f) * static_cast<float>(tiles);
                return static_cast<int>(std::floor(std::clamp(t, -1.0f, static_cast<float>(tiles))));
            };
            x0 = std::max(edge(c.x, light.radius, projection.at(0, 0), tiles_x, false), 0);
            x1 = std::min(edge(c.x, light.radius, projection.at(0, 0), tiles_x, true), tiles_x - 1);
            y0 = std::max(edge(c.y, light.radius, projection.at(1, 1), tiles_y, false), 0);
            y1 = std::min(edge(c.y, light.radius, projection.at(1, 1), tiles_y, true), tiles_y - 1);
        }
        for (int y = y0; y <= y1; ++y)
            for (int x = x0; x <= x1; ++x)
                masks[static_cast<std::size_t>(y) * static_cast<std::size_t>(tiles_x) +
                      static_cast<std::size_t>(x)] |= bit;
    }
}

} // namespace scree::render
