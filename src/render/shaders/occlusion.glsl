// SPDX-License-Identifier: MIT
// occlusion.glsl — how much of the sky a point sees, from the depth picture (McGuire et al. 2012), at half size.
// BLUR: the noise smoothed along draw.extra.xy, not over edges of depth.
#include "pixels.glsl"
#include "frame.glsl"
#ifndef VERTEX
uniform sampler2D depth_map, occlusion_map;

#ifdef BLUR
vec4 shade(ivec2 at) {
    ivec2 last = textureSize(occlusion_map, 0) - 1;
    vec2 here = texelFetch(occlusion_map, at, 0).xy;
    float sum = here.x * 2.0, weight = 2.0;
    for (int i = -3; i <= 3; ++i) {
        if (i == 0) continue;
        vec2 there = texelFetch(occlusion_map, clamp(at + i * ivec2(draw.extra.xy), ivec2(0), last), 0).xy;
        float w = max(0.0, 1.0 - abs(there.y - here.y) / (0.02 * abs(here.y) + frame.occlusion.x * 0.3)) * (1.4 - 0.3 * abs(float(i)));
        sum += there.x * w;
        weight += w;
    }
    return vec4(sum / weight, here.y, 0.0, 1.0);
}
#else
float view_depth(ivec2 pixel) {
    float z = texelFetch(depth_map, pixel, 0).r * 2.0 - 1.0;
    float n = frame.occlusion.z, f = frame.occlusion.w;
    return 2.0 * f * n / (f + n - z * (f - n));
}
vec3 view_position(vec2 pixel, float depth) {
    vec2 ndc = pixel * frame.viewport.zw * 2.0 - 1.0;
    return vec3(ndc.x / frame.projection[0][0], ndc.y / frame.projection[1][1], -1.0) * depth;
}
vec4 shade(ivec2 half_pixel) {
    ivec2 size = ivec2(frame.viewport.xy), last = size - 1;
    ivec2 pixel = min(half_pixel * 2, last);
    float depth = view_depth(pixel);
    if (depth > 0.95 * frame.occlusion.w) return vec4(1.0, depth, 0.0, 1.0);
    vec3 p = view_position(vec2(pixel) + 0.5, depth);
    // the normal from the nearer neighbour on each side, so that edges do not bend it
    ivec2 r = ivec2(min(pixel.x + 1, last.x), pixel.y), l = ivec2(max(pixel.x - 1, 0), pixel.y);
    ivec2 u = ivec2(pixel.x, min(pixel.y + 1, last.y)), d = ivec2(pixel.x, max(pixel.y - 1, 0));
    vec3 pr = view_position(vec2(r) + 0.5, view_depth(r)) - p, pl = p - view_position(vec2(l) + 0.5, view_depth(l));
    vec3 pu = view_position(vec2(u) + 0.5, view_depth(u)) - p, pd = p - view_position(vec2(d) + 0.5, view_depth(d));
    vec3 dx = abs(pr.z) < abs(pl.z) ? pr : pl, dy = abs(pu.z) < abs(pd.z) ? pu : pd;
    vec3 n = normalize(cross(dx, dy));

    float radius = frame.occlusion.x;
    float pixels = min(radius * frame.zenith.w / depth, 0.25 * frame.viewport.y);
    float turn = 6.2831853 * fract(52.9829189 * fract(dot(vec2(half_pixel), vec2(0.06711056, 0.00583715))));
    const int taps = 11;
    float sum = 0.0;
    for (int i = 0; i < taps; ++i) {
        float share = (float(i) + 0.5) / float(taps);
        float angle = turn + share * 6.2831853 * 7.0;
        vec2 at = vec2(pixel) + 0.5 + vec2(cos(angle), sin(angle)) * max(share * pixels, float(i) * 0.3 + 1.0);
        ivec2 tap = clamp(ivec2(at), ivec2(0), last);
        vec3 v = view_position(vec2(tap) + 0.5, view_depth(tap)) - p;
        float vv = dot(v, v), vn = dot(v, n) - 0.002 * depth;
        float f = max(radius * radius - vv, 0.0) / (radius * radius);
        sum += f * f * f * max(vn * inversesqrt(vv + 1e-8), 0.0);
    }
    float open = max(0.0, 1.0 - sum * frame.occlusion.y / float(taps));
    return vec4(open, depth, 0.0, 1.0);
}
#endif
#endif
