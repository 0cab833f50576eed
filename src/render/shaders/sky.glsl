// SPDX-License-Identifier: MIT
// sky.glsl — the sky's radiance, as in Sky::radiance, and its blurred image for rough mirrors.
#include "frame.glsl"

// roughness widens what is sharp: the horizon and the glow around the sun
vec3 sky_radiance(vec3 d, float roughness) {
    float up = max(d.y, 0.0);
    float below = 1.0 - up;
    vec3 colour = mix(frame.horizon.rgb, frame.zenith.rgb, 1.0 - below * below * below);
    float near_sun = max(dot(d, frame.sun.xyz), 0.0);
    colour += frame.sun_colour.rgb * (0.10 * pow(near_sun, 8.0) + 0.16 * (1.0 - roughness) * pow(near_sun, 64.0));
    return mix(frame.ground.rgb, colour, smoothstep(-0.06 - 0.5 * roughness, 0.5 * roughness, d.y)) * frame.sun_colour.w;
}

// what is seen where there is nothing
vec3 background_radiance(vec3 d) {
    vec3 colour = sky_radiance(d, 0.0);
    // below the horizon it is the ground that has faded
    if (d.y < 0.0) colour = frame.horizon.rgb * frame.sun_colour.w;
    // fog lies low: it hides the horizon, and less of what is above
    if (frame.fog.w > 0.0) colour = mix(colour, frame.fog.rgb, exp(-8.0 * max(d.y, 0.0)));
    return colour;
}

// irradiance over pi (Ramamoorthi and Hanrahan 2001)
vec3 sky_irradiance(vec3 n) {
    return max(vec3(0.0), frame.irradiance[0].rgb * 0.282095 + frame.irradiance[1].rgb * 0.488603 * n.y +
                              frame.irradiance[2].rgb * 0.488603 * n.z + frame.irradiance[3].rgb * 0.488603 * n.x +
                              frame.irradiance[4].rgb * 1.092548 * n.x * n.y +
                              frame.irradiance[5].rgb * 1.092548 * n.y * n.z +
                              frame.irradiance[6].rgb * 0.315392 * (3.0 * n.z * n.z - 1.0) +
                              frame.irradiance[7].rgb * 1.092548 * n.x * n.z +
                              frame.irradiance[8].rgb * 0.546274 * (n.x * n.x - n.y * n.y));
}
