// SPDX-License-Identifier: MIT
// tonemap.glsl — light to the screen: a filmic curve, sRGB, the outline. OUTLINE: with one.
#include "pixels.glsl"
#include "frame.glsl"
#ifndef VERTEX
uniform sampler2D colour_map, mask_map;

// the fit of Hable's curve with a straight middle, white at 6
vec3 filmic(vec3 x) {
    const float A = 0.22, B = 0.30, C = 0.10, D = 0.20, E = 0.01, F = 0.30;
    return (x * (A * x + C * B) + D * E) / (x * (A * x + B) + D * F) - E / F;
}
vec4 shade(ivec2 pixel) {
    vec3 colour = texelFetch(colour_map, pixel, 0).rgb * frame.eye.w;
    colour = filmic(colour * 1.4) / filmic(vec3(6.0));
    colour = clamp(colour, 0.0, 1.0);
    vec3 screen = mix(colour * 12.92, 1.055 * pow(colour, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, colour));
#ifdef OUTLINE
    ivec2 last = ivec2(frame.viewport.xy) - 1;
    float inside = texelFetch(mask_map, pixel, 0).r, near_by = 0.0;
    for (int ring = 1; ring <= 2; ++ring)
        for (int i = 0; i < 12; ++i) {
            float angle = 6.2831853 * float(i) / 12.0;
            vec2 at = vec2(cos(angle), sin(angle)) * draw.extra.w * float(ring) * 0.5;
            near_by = max(near_by, texelFetch(mask_map, clamp(pixel + ivec2(round(at)), ivec2(0), last), 0).r);
        }
    screen = mix(screen, draw.extra.rgb, near_by * (1.0 - inside));
#endif
    // half a step of noise, so that the sky shows no bands
    float noise = fract(52.9829189 * fract(dot(vec2(pixel), vec2(0.06711056, 0.00583715)))) - 0.5;
    return vec4(screen + noise / 255.0, 1.0);
}
#endif
