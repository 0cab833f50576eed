// SPDX-License-Identifier: MIT
// compose.glsl — light from the sky dimmed by the ambient occlusion, which is of half size; edges of bodies drawn finely.
#include "pixels.glsl"
#include "frame.glsl"
#ifndef VERTEX
uniform sampler2D colour_map, depth_map, occlusion_map;

float depth_at(ivec2 pixel) {
    float z = texelFetch(depth_map, pixel, 0).r * 2.0 - 1.0, n = frame.occlusion.z, f = frame.occlusion.w;
    return 2.0 * f * n / (f + n - z * (f - n));
}

// How sharply the surface bends away from the eye, 0 to 1: on edges of bodies, not in corners between them. One over depth
// is linear in the picture where a surface is flat, so its second differences show where it is not.
float edge_at(ivec2 pixel, float depth) {
    ivec2 last = ivec2(frame.viewport.xy) - 1;
    float bend = 0.0;
    for (int i = 0; i < 2; ++i) {
        ivec2 before = pixel - ivec2(1 - i, i), after = pixel + ivec2(1 - i, i);
        if (min(before.x, before.y) < 0 || after.x > last.x || after.y > last.y) continue;
        bend = max(bend, 2.0 - depth / depth_at(before) - depth / depth_at(after));
    }
    float pixel_angle = 2.0 * frame.inverse_projection[1][1] / frame.viewport.y;
    return smoothstep(0.35, 1.1, bend / pixel_angle);
}

vec4 shade(ivec2 pixel) {
    vec4 colour = texelFetch(colour_map, pixel, 0);
    float depth = depth_at(pixel);
    // the four half-size neighbours, those of another depth left out
    vec2 at = (vec2(pixel) + 0.5) * 0.5 - 0.5;
    ivec2 base = ivec2(floor(at)), last = textureSize(occlusion_map, 0) - 1;
    vec2 t = at - vec2(base);
    float sum = 0.0, weight = 0.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 offset = ivec2(i & 1, i >> 1);
        vec2 there = texelFetch(occlusion_map, clamp(base + offset, ivec2(0), last), 0).xy;
        float w = (offset.x == 1 ? t.x : 1.0 - t.x) * (offset.y == 1 ? t.y : 1.0 - t.y) + 0.001;
        w /= 0.01 + abs(there.y - depth) / depth;
        sum += there.x * w;
        weight += w;
    }
    float open = sum / weight;
    float bright = dot(colour.rgb, vec3(0.2126, 0.7152, 0.0722));
    float share = bright > 0.0 ? clamp(colour.a / bright, 0.0, 1.0) : 0.0;
    // deep corners see no sun either, whatever the shadow map's texels say
    float dimmed = (1.0 - (1.0 - open) * mix(0.4, 1.0, share)) * (1.0 - 0.45 * edge_at(pixel, depth));
    if (frame.fog.w > 0.0) dimmed = mix(1.0, dimmed, through_fog(depth));
    return vec4(colour.rgb * mix(1.0, dimmed, step(1e-5, colour.a)), 1.0);
}
#endif
