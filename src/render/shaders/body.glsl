// SPDX-License-Identifier: MIT
// body.glsl — everything that has a surface. ALBEDO and NORMALS: with those maps. PEEL: one layer of the transparent.
#include "frame.glsl"
#ifdef VERTEX
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
    gl_Position = draw.matrix * vec4(placed.position, 1.0);
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

vec3 patterned(vec3 colour) {
    if (v_surface.z > 1.5) {
        // checker: squares of half a metre on the three planes of the shape
        vec3 p = floor(v_local * 2.0 + 1e-4);
        return colour * (mod(p.x + p.y + p.z, 2.0) < 0.5 ? 1.0 : 0.55);
    }
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
    if (v_surface.z > 0.5) albedo = patterned(albedo);
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
    if (v_surface.z > 0.5 && v_surface.z < 1.5) {
        float away = distance(frame.eye.xyz, v_position) / frame.horizon.w;
        gone = 1.0 - exp(-away * away);
        vec3 behind = (draw.lights.z & DRAW_ONE_LIGHT) != 0u ? vec3(0.0) : frame.horizon.rgb * frame.sun_colour.w;
        diffuse = mix(diffuse, behind, gone);
        specular *= 1.0 - gone;
        ambient *= 1.0 - gone;
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
