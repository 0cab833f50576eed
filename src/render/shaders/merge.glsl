// SPDX-License-Identifier: MIT
// merge.glsl — a peeled layer under those before it; FINAL: all layers over the opaque picture.
#include "screen.glsl"
#ifdef FRAGMENT
uniform sampler2D layer_map;
out vec4 out_colour;
void main() {
    vec4 texel = texelFetch(layer_map, ivec2(gl_FragCoord.xy), 0);
#ifdef FINAL
    // alpha of the sum is what shines through
    out_colour = vec4(texel.rgb, 1.0 - texel.a);
#else
    out_colour = texel;
#endif
}
#endif
