// SPDX-License-Identifier: MIT
// shadow.glsl — depth alone, seen from a light.
#include "frame.glsl"
#ifdef VERTEX
#include "instance.glsl"
void main() { gl_Position = draw.matrix * vec4(world_position(), 1.0); }
#endif
#ifdef FRAGMENT
void main() {}
#endif
