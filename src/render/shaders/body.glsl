// SPDX-License-Identifier: MIT
// body.glsl — everything that has a surface. ALBEDO and NORMALS: with those maps. PEEL: one layer of the transparent.
#include "frame.glsl"
#ifdef VERTEX
#define PASS_EYE vec4(frame.eye.xyz, 1.0)
#include "instance.glsl"

out vec3 v_position, v_normal, v_local;
out vec4 v_tangent;
out vec2 v_uv;
flat out vec4 v_colour;
flat out vec3 v_surface;

invariant gl_Position;

void main() {
    Placed placed = place_vertex();
    v_position = placed.position;
    v_normal = placed.normal;
    v_tangent = vec4(placed.tangent, in_tangent.w);
    v_local = placed.local;
    v_uv = draw.window.xy + in_uv.xy * draw.window.zw;
    v_colour = placed.colour;
    v_surface = placed.surface;
    gl_Position = draw.matrix * vec4(placed.at, 1.0);
    gl_PointSize = in_position.w > 2.5 ? max(point_side * frame.zenith.w / gl_Position.w, 1.0) : 1.0;
}
#endif

#ifdef FRAGMENT
#include "surface.glsl"

uniform sampler2D albedo_map, normal_map, depth_map, layer_map;
uniform highp usampler2D light_tiles;

in vec3 v_position, v_normal, v_local;
in vec4 v_tangent;
in vec2 v_uv;
flat in vec4 v_colour;
flat in vec3 v_surface;

out vec4 out_colour;

// the share of a pixel that lines each `unit` cover, as wide as `width`, never thinner than a pixel but fainter then
float grid_lines(vec2 at, float unit, float width) {
    vec2 uv = at / unit;
    vec2 pixel = max(fwidth(uv), vec2(1e-6));
    vec2 wide = max(vec2(width / unit), pixel);
    vec2 off = abs(fract(uv - 0.5) - 0.5);
    vec2 line = smoothstep(wide * 0.5 + pixel, max(wide * 0.5 - pixel, vec2(0.0)), off) * clamp(width / unit / wide * 1.6, 0.0, 1.0);
    // where lines come closer than pixels only their mean is left
    line = mix(line, vec2(width / unit), clamp(pixel * 2.0 - 1.0, 0.0, 1.0));
    return max(line.x, line.y);
}

// the mean over a pixel of a wave that is 1 and -1 for a unit in turn
vec3 square_wave(vec3 x) {
    vec3 pixel = max(fwidth(x), vec3(1e-4));
    return 2.0 * (abs(fract((x - 0.5 * pixel) * 0.5) - 0.5) - abs(fract((x + 0.5 * pixel) * 0.5) - 0.5)) / pixel;
}

// the share of a pixel that planes at whole numbers cover, as thick as `width`
float joints(vec3 x, float width) {
    vec3 pixel = max(fwidth(x), vec3(1e-4));
    vec3 off = abs(fract(x - 0.5) - 0.5);
    vec3 cover = clamp((0.5 * (vec3(width) + pixel) - off) / pixel, 0.0, 1.0) * min(vec3(1.0), width / pixel * 2.0);
    return max(cover.x, max(cover.y, cover.z));
}

float hash(vec3 p) {
    p = fract(p * vec3(0.1031, 0.1030, 0.0973));
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}

// between 0 and 1, smooth over a length of 1; its mean where a pixel is wider
float noise(vec3 p) {
    vec3 cell = floor(p), t = p - cell;
    vec3 pixel = fwidth(p);
    t = t * t * (3.0 - 2.0 * t);
    vec4 low = vec4(hash(cell), hash(cell + vec3(1, 0, 0)), hash(cell + vec3(0, 1, 0)), hash(cell + vec3(1, 1, 0)));
    vec4 high = vec4(hash(cell + vec3(0, 0, 1)), hash(cell + vec3(1, 0, 1)), hash(cell + vec3(0, 1, 1)), hash(cell + vec3(1, 1, 1)));
    vec4 at = mix(low, high, t.z);
    vec2 row = mix(at.xz, at.yw, t.x);
    return mix(mix(row.x, row.y, t.y), 0.5, clamp(max(pixel.x, max(pixel.y, pixel.z)) * 1.6 - 0.4, 0.0, 1.0));
}

// boards along x, each of its own shade and grain
vec3 boards(vec3 colour, vec2 at) {
    float row = floor(at.y);
    vec3 p = vec3(at.x / 7.0 + hash(vec3(row, 3.0, 7.0)) * 5.0, 0.0, at.y);
    vec3 board = floor(p);
    float shade = 0.76 + 0.24 * hash(board + 11.0);
    float grain = noise(vec3(at.x * 0.7 + board.x * 17.0, row, at.y * 9.0)) + 0.5 * noise(vec3(at.x * 2.0, row, at.y * 31.0));
    vec2 pixel = max(fwidth(at), vec2(1e-4));
    vec2 off = vec2(abs(fract(p.x - 0.5) - 0.5) * 7.0, abs(fract(at.y - 0.5) - 0.5));
    vec2 gap = clamp((0.5 * (0.025 + pixel) - off) / pixel, 0.0, 1.0) * min(vec2(1.0), 0.05 / pixel);
    return colour * shade * (0.78 + 0.3 * grain) * (1.0 - 0.65 * max(gap.x, gap.y));
}

// textures.h names them; v_local is in units of the pattern, and faces of boxes lie on whole numbers
vec3 patterned(vec3 colour, int pattern) {
    const float dark = 0.42;
    if (pattern == 2) {  // checker
        vec3 wave = square_wave(v_local + 0.01);
        return colour * mix(dark, 1.0, 0.5 + 0.5 * wave.x * wave.y * wave.z);
    }
    if (pattern == 3)  // stripes, aslant so that each turn shows
        return colour * mix(dark, 1.0, 0.5 + 0.5 * square_wave(vec3(dot(v_local, vec3(0.8, 0.55, 0.25)) + 0.3)).x);
    if (pattern == 4) {  // dots
        float off = length(fract(v_local + 0.5) - 0.5), pixel = max(fwidth(off), 1e-4);
        return colour * mix(dark, 1.0, smoothstep(-pixel, pixel, off - 0.28));
    }
    if (pattern == 5) {  // bricks: every other row is moved by half of one
        vec3 at = v_surface.z < 15.5 ? v_local : vec3(v_local.xz, 0.0);  // on the ground rows lie along z
        vec3 p = vec3(at.x, at.y * 2.0, at.z) + vec3(0.25, 0.5, 0.25);
        p.xz += 0.5 * mod(floor(p.y), 2.0);
        vec3 brick = floor(p);
        float shade = 0.86 + 0.14 * fract(sin(dot(brick, vec3(12.99, 78.23, 37.72))) * 43758.55);
        return mix(colour * shade, colour * 0.3 + 0.25, joints(p, 0.07));
    }
    if (pattern == 6 && v_surface.z > 15.5) return boards(colour, v_local.xz);
    if (pattern == 6) {  // wood: rings about y
        float r = 2.2 * length(v_local.xz * vec2(1.0, 0.55) + vec2(0.37, 0.21) + 0.1 * sin(v_local.y * vec2(1.7, 2.3)));
        float ring = abs(fract(r) - 0.5) * 2.0, blur = clamp(fwidth(r), 0.0, 1.0);
        return colour * mix(mix(0.58, 1.0, smoothstep(0.0, 0.8, ring)), 0.82, blur);
    }
    if (pattern == 7) {  // stone: mottled from coarse to fine, on the ground less
        float mottled = 0.14 * noise(v_local * 1.3) + 0.3 * noise(v_local * 4.1 + 7.0) + 0.16 * noise(v_local * 11.0) - 0.3;
        return colour * max(0.2, 1.0 + (v_surface.z < 15.5 ? 3.3 : 0.8) * mottled);
    }
    if (pattern == 8) {  // tiles, each of its own shade
        vec3 p = v_local + 0.5;
        float shade = 0.8 + 0.2 * hash(floor(p) + 5.0);
        return mix(colour * shade, colour * 0.45, joints(p, 0.045));
    }
    if (v_surface.z < 15.5) return colour * mix(1.0, dark, joints(v_local + 0.5, 0.08));
    float fine = grid_lines(v_local.xz, 1.0, 0.016), coarse = grid_lines(v_local.xz, 5.0, 0.045);
    return colour * (1.0 - 0.34 * fine) * (1.0 - 0.42 * coarse);
}

void main() {
    float alpha = v_colour.a;
    vec3 albedo = v_colour.rgb;
#ifdef PEEL
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    // hidden by the opaque, or peeled before
    if (gl_FragCoord.z >= texelFetch(depth_map, pixel, 0).r) discard;
    if ((draw.lights.z & DRAW_FIRST_LAYER) == 0u && gl_FragCoord.z <= texelFetch(layer_map, pixel, 0).r) discard;
#endif
#ifdef ALBEDO
    vec4 texel = texture(albedo_map, v_uv);
    albedo *= texel.rgb;
    alpha *= texel.a;
#endif
    int pattern = int(mod(v_surface.z, 16.0) + 0.5);
    if (pattern == 9 && (draw.lights.z & DRAW_WIRE) == 0u) {
        out_colour = vec4((draw.lights.z & DRAW_ONE_LIGHT) != 0u ? vec3(0.0) : background_radiance(normalize(v_position - frame.eye.xyz)), 0.0);
        return;
    }
    if (pattern > 0) albedo = patterned(albedo, pattern);
    vec3 normal = normalize(v_normal);
    if (!gl_FrontFacing) normal = -normal;
#ifdef NORMALS
    vec3 tangent = normalize(v_tangent.xyz - normal * dot(normal, v_tangent.xyz));
    vec3 bump = texture(normal_map, v_uv).xyz * 2.0 - 1.0;
    normal = normalize(tangent * bump.x + cross(normal, tangent) * (v_tangent.w * bump.y) + normal * bump.z);
#endif
    if ((draw.lights.z & DRAW_WIRE) != 0u) {
        out_colour = vec4(1.0 - albedo, 0.0);
        return;
    }

    Surface s;
    s.position = v_position;
    s.normal = normal;
    s.to_eye = normalize(frame.eye.xyz - v_position);
    s.roughness = v_surface.x;
    s.base = albedo * (1.0 - v_surface.y);
    s.mirror = mix(vec3(0.04), albedo, v_surface.y);

    vec3 diffuse = vec3(0.0), specular = vec3(0.0), ambient = vec3(0.0);
    if ((draw.lights.z & DRAW_ONE_LIGHT) != 0u) {
        Lit one = lit_by_light(s, int(draw.lights.w));
        diffuse = one.diffuse;
        specular = one.specular;
    } else {
        float facing = dot(normal, frame.sun.xyz);
        if (facing > 0.0) {
            // what is all but invisible needs no shadow on it
            float arrives = (draw.lights.z & DRAW_SHADOWS) != 0u && alpha > 0.1 ? sun_light(v_position, normalize(gl_FrontFacing ? v_normal : -v_normal)) : 1.0;
            Lit sun = lit_by(s, frame.sun.xyz, frame.sun_colour.rgb * arrives, frame.sun.w);
            diffuse += sun.diffuse;
            specular += sun.specular;
        }
        vec3 sky = s.base * sky_irradiance(normal);
        vec3 mirror = mirrored_sky(s);
        diffuse += sky;
        specular += mirror;
        ambient = sky + mirror;
        if ((draw.lights.z & DRAW_BASE_ONLY) == 0u) {
            uvec2 mask = draw.lights.xy;
            if ((draw.lights.z & DRAW_TILES) != 0u) mask &= texelFetch(light_tiles, ivec2(gl_FragCoord.xy) / 32, 0).xy;
            for (int word = 0; word < 2; ++word) {
                uint left = word == 0 ? mask.x : mask.y;
                for (int bit = 0; left != 0u; ++bit, left >>= 1)
                    if ((left & 1u) != 0u) {
                        Lit one = lit_by_light(s, word * 32 + bit);
                        diffuse += one.diffuse;
                        specular += one.specular;
                    }
            }
        }
    }

    // a ground without end fades into the horizon
    float gone = 0.0;
    if (v_surface.z > 15.5) {
        float away = distance(frame.eye.xyz, v_position) / frame.horizon.w;
        gone = 1.0 - exp(-away * away);
        vec3 behind = (draw.lights.z & DRAW_ONE_LIGHT) != 0u ? vec3(0.0) : frame.horizon.rgb * frame.sun_colour.w;
        diffuse = mix(diffuse, behind, gone);
        specular *= 1.0 - gone;
        ambient *= 1.0 - gone;
    }
    if (frame.fog.w > 0.0) {
        float left = through_fog(distance(frame.eye.xyz, v_position));
        diffuse = mix((draw.lights.z & DRAW_ONE_LIGHT) != 0u ? vec3(0.0) : frame.fog.rgb, diffuse, left);
        specular *= left;
        ambient *= left;
    }
#ifdef PEEL
    // the sun in a pane is not as bright as to hide what is behind it
    specular = min(specular, vec3(1.0));
    out_colour = vec4(min(diffuse * alpha + specular, vec3(60.0)), clamp(alpha + max(specular.r, max(specular.g, specular.b)) * 0.25, alpha, 1.0));
#else
    // alpha carries how much of it came from the sky, for the ambient occlusion
    out_colour = vec4(min(diffuse + specular, vec3(24.0)), dot(ambient, vec3(0.2126, 0.7152, 0.0722)));
#endif
}
#endif
