// SPDX-License-Identifier: MIT
// shadow.glsl — depth alone, seen from a light.
#include "frame.glsl"
#ifdef VERTEX
#define PASS_EYE draw.extra
#include "instance.glsl"
void main() {
    gl_Position = draw.matrix * vec4(world_position(), 1.0);
    gl_PointSize = in_position.w > 2.5 ? max(point_side * draw.window.x, 1.0) : 1.0;
}
#endif
#ifdef FRAGMENT
void main() {}
#endif
