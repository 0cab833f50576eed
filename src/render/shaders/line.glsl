// SPDX-License-Identifier: MIT
// line.glsl — lines with a colour of their own, not lit.
#include "frame.glsl"
#ifdef VERTEX
in vec3 in_position;
in vec4 in_normal;  // the colour
out vec4 v_colour;
void main() {
    v_colour = in_normal;
    gl_Position = frame.view_projection * vec4(in_position, 1.0);
}
#endif
#ifdef FRAGMENT
in vec4 v_colour;
out vec4 out_colour;
void main() { out_colour = vec4(pow(v_colour.rgb, vec3(2.2)) * 1.2, v_colour.a); }
#endif
