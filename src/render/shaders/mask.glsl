// SPDX-License-Identifier: MIT
// mask.glsl — where the outlined things are.
#include "frame.glsl"
#ifdef VERTEX
#define PASS_EYE vec4(frame.eye.xyz, 1.0)
#include "instance.glsl"
void main() { gl_Position = draw.matrix * vec4(world_position(), 1.0); }
#endif
#ifdef FRAGMENT
out vec4 out_colour;
void main() { out_colour = vec4(1.0); }
#endif
