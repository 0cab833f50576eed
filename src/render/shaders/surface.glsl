// SPDX-License-Identifier: MIT
// surface.glsl — light on a surface: a GGX mirror over a diffuse base (Walter et al. 2007, Burley 2012), or Blinn-Phong (Blinn 1977).
#include "sky.glsl"
#include "shadows.glsl"

struct Surface {
    vec3 position, normal, to_eye;
    vec3 base, mirror;  // diffuse albedo, reflectance at normal incidence
    float roughness;
};

// what the diffuse and the mirrored part throw back, apart: glass scales only the first by its alpha
struct Lit {
    vec3 diffuse, specular;
};

Lit lit_by(Surface s, vec3 to_light, vec3 radiance, float widen) {
    Lit result = Lit(vec3(0.0), vec3(0.0));
    float nl = dot(s.normal, to_light);
    if (nl <= 0.0) return result;
    vec3 h = normalize(to_light + s.to_eye);
    float nh = clamp(dot(s.normal, h), 0.0, 1.0);
    if (frame.shading.x > 0.5) {
        // the power that is as wide as the other shading's mirror (Walter et al. 2007), scaled to throw back as much light
        float gloss = max(2.0 / pow(max(s.roughness, 0.05), 4.0) - 2.0, 1.0);
        result.diffuse = s.base * radiance * nl;
        result.specular = min(s.mirror * (pow(nh, gloss) * (gloss + 8.0) / 8.0), vec3(16.0)) * radiance;
        return result;
    }
    float nv = max(dot(s.normal, s.to_eye), 1e-3);
    float lh = clamp(dot(to_light, h), 0.0, 1.0);
    float a = clamp(s.roughness * s.roughness + widen, 0.002, 1.0), a2 = a * a;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float distribution = a2 / (3.14159265 * d * d);
    float visible = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2));
    float f = pow(1.0 - lh, 5.0);
    vec3 fresnel = s.mirror + (1.0 - s.mirror) * f;
    result.diffuse = s.base * (1.0 - f) * radiance * nl;
    // radiance is given over pi, so that a white wall facing the light shows its number
    result.specular = min(fresnel * (distribution * visible * 3.14159265), vec3(16.0)) * radiance * nl;
    return result;
}

// the sky's mirror image: split sum with Karis' fit (2014); Blinn-Phong has none
vec3 mirrored_sky(Surface s) {
    if (frame.shading.x > 0.5) return vec3(0.0);
    float nv = clamp(dot(s.normal, s.to_eye), 0.0, 1.0);
    vec4 r = s.roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a004 = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    vec2 scale = vec2(-1.04, 1.04) * a004 + r.zw;
    return sky_radiance(reflect(-s.to_eye, s.normal), s.roughness) * (s.mirror * scale.x + scale.y);
}

// 1 at the light, exactly 0 at its radius
Lit lit_by_light(Surface s, int i) {
    LightConstants light = lights.list[i];
    if (light.place.w == 0.0) return lit_by(s, -light.direction.xyz, light.colour.rgb, frame.sun.w);
    vec3 d = light.place.xyz - s.position;
    float square = dot(d, d), q = square / (light.place.w * light.place.w);
    if (q >= 1.0) return Lit(vec3(0.0), vec3(0.0));
    float window = 1.0 - q * q;
    vec3 to_light = d * inversesqrt(max(square, 1e-8));
    vec3 radiance = light.colour.rgb * (window * window / max(square, 0.01));
    if (light.colour.w > -1.5) {
        float inner = mix(light.colour.w, 1.0, 0.25);
        radiance *= smoothstep(light.colour.w, inner, dot(-to_light, light.direction.xyz));
    }
    if (light.direction.w >= 0.0 && dot(s.normal, to_light) > 0.0)
        radiance *= point_light_shadow(light.direction.w, -d, s.normal, light.place.w);
    return lit_by(s, to_light, radiance, 0.0);
}
