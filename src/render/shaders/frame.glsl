// SPDX-License-Identifier: MIT
// frame.glsl — what every shader may know of the frame; the C++ twin is FrameConstants in frame_constants.h.

layout(std140) uniform Frame {
    mat4 view;
    mat4 projection;
    mat4 view_projection;
    mat4 inverse_projection;
    mat4 inverse_view;
    mat4 cascades[4];    // world to the cascade's texture, 0 to 1 in all three
    vec4 cascade_texel;  // m, the side of a texel in each
    vec4 eye;            // xyz; w: exposure
    vec4 sun;            // direction towards it; w: half angle
    vec4 sun_colour;     // w: strength of the sky
    vec4 zenith;         // w: pixels of a metre at a distance of one metre
    vec4 horizon;        // w: distance at which the ground has faded
    vec4 ground;         // w: cascades in use
    vec4 irradiance[9];
    vec4 viewport;       // size in pixels and its inverse
    vec4 shadow;         // 1 / texels of a cascade's side, tiles in a row of the map, 1 / texels of a light's tile, rows of lights in their map
    vec4 occlusion;      // radius in m, strength, near plane, far plane
    vec4 fog;            // what is seen through thick fog; w: 1/m, as Sky::fog
    vec4 shading;        // x: 1 with Blinn-Phong
} frame;

// the share of light that fog lets through over a distance
float through_fog(float away) {
    float thick = away * frame.fog.w;
    return exp(-thick * thick);
}

layout(std140) uniform Draw {
    mat4 matrix;   // world to clip space of this pass
    uvec4 lights;  // xy: mask of 64 lights; z: bits as below; w: the only light, for one light a pass
    vec4 extra;    // outline colour and width, or what the pass needs
    vec4 window;   // of the textures: offset and scale
} draw;

const uint DRAW_BASE_ONLY = 1u;    // no lights but sun and sky
const uint DRAW_ONE_LIGHT = 2u;    // that light alone
const uint DRAW_TILES = 4u;        // look into the light tiles
const uint DRAW_FIRST_LAYER = 8u;  // nothing was peeled yet
const uint DRAW_WIRE = 16u;        // edges in the complement colour
const uint DRAW_SHADOWS = 32u;     // the sun casts shadows

struct LightConstants {
    vec4 place;      // xyz, radius; 0: a far light
    vec4 colour;     // rgb times intensity; w: cosine of the cone's half angle, -2 for none
    vec4 direction;  // xyz; w: its row in the shadow map, -1 for none
};
layout(std140) uniform Lights {
    LightConstants list[64];
} lights;
