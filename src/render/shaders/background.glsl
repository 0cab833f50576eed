// SPDX-License-Identifier: MIT
// background.glsl — the sky behind everything, with the sun's disc.
#include "screen.glsl"
#include "sky.glsl"
#ifdef FRAGMENT
out vec4 out_colour;
void main() {
    vec4 far_point = frame.inverse_projection * vec4(v_uv * 2.0 - 1.0, 1.0, 1.0);
    vec3 d = normalize(mat3(frame.inverse_view) * (far_point.xyz / far_point.w));
    out_colour = vec4(background_radiance(d), 0.0);
}
#endif
