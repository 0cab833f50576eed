// SPDX-License-Identifier: MIT
// pixels.glsl — calls shade() for each pixel of a target; COMPUTE: of a texture of that format, in tiles of 8 x 8. GPUs made for computing
// draw with few of their multiprocessors and compute with all.
#include "screen.glsl"
#ifdef FRAGMENT
out vec4 out_colour;
#endif
#ifdef COMPUTE
layout(local_size_x = 8, local_size_y = 8) in;
layout(FORMAT, binding = 0) uniform writeonly image2D out_image;
#endif
#ifndef VERTEX
vec4 shade(ivec2 pixel);

void main() {
#ifdef COMPUTE
    uvec2 size = uvec2(imageSize(out_image));
    uint group = gl_WorkGroupID.y * 32768u + gl_WorkGroupID.x, columns = (size.x + 7u) / 8u;
    uvec2 at = uvec2(group % columns, group / columns) * 8u + gl_LocalInvocationID.xy;
    if (at.x < size.x && at.y < size.y) imageStore(out_image, ivec2(at), shade(ivec2(at)));
#else
    out_colour = shade(ivec2(gl_FragCoord.xy));
#endif
}
#endif
