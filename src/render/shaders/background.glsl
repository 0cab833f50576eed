// SPDX-License-Identifier: MIT
// background.glsl — the sky behind everything, with the sun's disc.
#include "screen.glsl"
#include "sky.glsl"
#ifdef FRAGMENT
out vec4 out_colour;
void main() {
    vec4 far_point = frame.inverse_projection * vec4(v_uv * 2.0 - 1.0, 1.0, 1.0);
    vec3 d = normalize(mat3(frame.inverse_view) * (far_point.xyz / far_point.w));
    vec3 colour = sky_radiance(d, 0.0);
    // below the horizon it is the ground that has faded
    if (d.y < 0.0) colour = frame.horizon.rgb * frame.sun_colour.w;
    // fog lies low: it hides the horizon, and less of what is above
    if (frame.fog.w > 0.0) colour = mix(colour, frame.fog.rgb, exp(-8.0 * max(d.y, 0.0)));
    out_colour = vec4(colour, 0.0);
}
#endif
