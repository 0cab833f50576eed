// SPDX-License-Identifier: MIT
// shadows.glsl — how much of the sun and of a light arrives.
#include "frame.glsl"

uniform highp sampler2DShadow shadow_map, light_shadow_map;

// nine bilinear taps weighted as a 5 x 5 tent (Castaño 2013); `low` and `high` keep them inside the tile
float tent(highp sampler2DShadow map, vec2 at, float depth, vec2 low, vec2 high, float texel) {
    vec2 pixel = at / texel;
    vec2 base = floor(pixel + 0.5);
    vec2 st = pixel + 0.5 - base;
    base = (base - 0.5) * texel;
    vec3 wx = vec3(4.0 - 3.0 * st.x, 7.0, 1.0 + 3.0 * st.x);
    vec3 wy = vec3(4.0 - 3.0 * st.y, 7.0, 1.0 + 3.0 * st.y);
    vec3 x = vec3((3.0 - 2.0 * st.x) / wx.x - 2.0, (3.0 + st.x) / wx.y, st.x / wx.z + 2.0) * texel;
    vec3 y = vec3((3.0 - 2.0 * st.y) / wy.x - 2.0, (3.0 + st.y) / wy.y, st.y / wy.z + 2.0) * texel;
    float sum = 0.0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            sum += wx[i] * wy[j] * texture(map, vec3(clamp(base + vec2(x[i], y[j]), low, high), depth));
    return sum / 144.0;
}

float sun_light(vec3 position, vec3 normal) {
    int count = int(frame.ground.w), chosen = -1;
    float facing = dot(normal, frame.sun.xyz);
    float texel = frame.shadow.x, share = 1.0 / frame.shadow.y, edge = 0.5 - 4.0 * texel, margin = 0.0;
    // moved off the surface by about the width of the filter, as the texels grow with the slope (Holbert 2011)
    vec3 off = normal * (0.8 + 2.0 * sqrt(clamp(1.0 - facing * facing, 0.0, 1.0)));
    vec3 at = vec3(0.0);
    // first the cascade, then the taps: some drivers would run them for every cascade
    for (int i = 0; i < count; ++i) {
        vec3 there = (frame.cascades[i] * vec4(position + off * frame.cascade_texel[i], 1.0)).xyz;
        float far_off = max(abs(there.x - 0.5), abs(there.y - 0.5));
        if (chosen < 0 && far_off < edge) {
            chosen = i;
            at = there;
            margin = far_off;
        }
    }
    if (chosen < 0) return 1.0;
    // receivers beyond the casters are behind all of them
    at.z = min(at.z, 0.99999);
    int across = int(frame.shadow.y);
    vec2 tile = vec2(float(chosen % across), float(chosen / across));
    vec2 low = (tile + 0.5 * texel) * share, high = (tile + 1.0 - 0.5 * texel) * share;
    float lit = tent(shadow_map, (tile + at.xy) * share, at.z, low, high, texel * share);
    // the last cascade fades out towards its edge
    return mix(lit, 1.0, chosen == count - 1 ? smoothstep(edge * 0.85, edge, margin) : 0.0);
}

// six faces in a row of the map, in the order +x -x +y -y +z -z; the twin is cube_face() in shadow_maps.cpp
float point_light_shadow(float row, vec3 from_light, vec3 normal, float radius) {
    float far_away = max(max(abs(from_light.x), abs(from_light.y)), abs(from_light.z));
    // the texel's width grows with the distance
    vec3 v = from_light + normal * far_away * frame.shadow.z * 4.0;
    vec3 a = abs(v);
    float face, depth;
    vec2 uv;
    if (a.x >= a.y && a.x >= a.z) {
        face = v.x > 0.0 ? 0.0 : 1.0, depth = a.x, uv = vec2(v.x > 0.0 ? -v.z : v.z, v.y);
    } else if (a.y >= a.z) {
        face = v.y > 0.0 ? 2.0 : 3.0, depth = a.y, uv = vec2(v.x, v.y > 0.0 ? -v.z : v.z);
    } else {
        face = v.z > 0.0 ? 4.0 : 5.0, depth = a.z, uv = vec2(v.z > 0.0 ? v.x : -v.x, v.y);
    }
    uv = uv / depth * 0.5 + 0.5;
    float near_plane = radius * 0.01, far_plane = radius;
    float z = (far_plane + near_plane) / (far_plane - near_plane) -
              2.0 * far_plane * near_plane / ((far_plane - near_plane) * depth);
    z = z * 0.5 + 0.5 - 0.0002;
    float texel = frame.shadow.z;
    vec2 scale = vec2(1.0 / 6.0, 1.0 / frame.shadow.w);
    vec2 tile = vec2(face, row);
    vec2 at = clamp(uv, vec2(1.5 * texel), vec2(1.0 - 1.5 * texel));
    float sum = 0.0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            sum += texture(light_shadow_map, vec3((tile + clamp(at + vec2(x, y) * texel, vec2(0.5 * texel), vec2(1.0 - 0.5 * texel))) * scale, z));
    return sum / 9.0;
}
