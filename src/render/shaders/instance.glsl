// SPDX-License-Identifier: MIT
// instance.glsl — a vertex of a mesh, sized by its record and placed by its pose (instances.h, mesh.h).
#include "frame.glsl"

uniform sampler2D pose_positions, pose_rotations, pose_colours, records, looks;

in vec4 in_position;
in vec3 in_normal;
in vec3 in_inset;
in vec3 in_uv;  // and the copy within a cluster
in vec4 in_tangent;
in uvec4 in_records0, in_records1, in_records2, in_records3;  // the first alone when there is no cluster

// faces that turn to the eye (in_position.w is 2): signs of the axes, so that the face is that of the eye's side and not mirrored
vec3 facing;
// a point (3): the side of its square in m, its normal in the world, where it is lit
float point_side;
vec3 point_normal, point_lit;

int record_number() {
    int copy = int(in_uv.z);
    uvec4 four = copy < 8 ? (copy < 4 ? in_records0 : in_records1) : (copy < 12 ? in_records2 : in_records3);
    return int(four[copy & 3]);
}

struct Placed {
    vec3 position, normal, tangent;  // world
    vec3 at;                         // where it is drawn; of a point not where it is lit
    vec3 local;                      // in the shape's frame, sized, in units of its pattern
    vec4 colour;                     // linear, alpha
    vec3 surface;                    // roughness, metallic, pattern (+ 16 if endless)
};

vec3 turned(vec4 q, vec3 v) {
    vec3 t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

vec3 linear_from_srgb(vec3 c) {
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}

// where its pose and its look begin
void find_record(out ivec2 pose, out ivec2 look_at) {
    int record = record_number();
    vec4 two = texelFetch(records, ivec2(record % 2048 / 2, record / 2048), 0);
    ivec2 numbers = ivec2((record & 1) == 0 ? two.xy : two.zw);
    pose = ivec2(numbers.x % 1024, numbers.x / 1024);
    look_at = ivec2(numbers.y % 256 * 5, numbers.y / 256);
}

vec3 world_position(out vec4 q0, out vec4 q1, out vec4 size, out vec4 look, out ivec2 pose, out ivec2 look_at,
                    out vec3 local) {
    find_record(pose, look_at);
    vec4 place = texelFetch(looks, look_at, 0);
    q1 = texelFetch(looks, look_at + ivec2(1, 0), 0);
    size = texelFetch(looks, look_at + ivec2(2, 0), 0);
    look = texelFetch(looks, look_at + ivec2(3, 0), 0);
    vec4 origin = texelFetch(pose_positions, pose, 0);
    q0 = texelFetch(pose_rotations, pose, 0);
    facing = vec3(1.0);
    // the eye is a point, or a direction where w is 0
    vec4 eye = PASS_EYE;
    vec3 centre = origin.xyz + turned(q0, place.xyz) * (1.0 + origin.w);
    if (in_position.w > 2.5) {
        vec3 to = eye.xyz - centre * eye.w;
        to = turned(vec4(-q1.xyz, q1.w), turned(vec4(-q0.xyz, q0.w), to));
        // what it shows along its axes, the middle part of a capsule included
        vec3 sides = in_inset * size.yzx * size.zxy + vec3(4.0 * size.w * size.z, 0.0, 4.0 * size.w * size.x);
        vec3 area = abs(to) * sides / max(length(to), 1e-20);
        bool round_one = in_position.x > 0.5;
        float shown = round_one ? length(area) : area.x + area.y + area.z;
        point_side = sqrt(shown) * (1.0 + origin.w);
        vec3 sun = frame.sun.xyz;
        if (round_one) {
            // the mean of its half that shows is lit as the phases of a rough ball, a Lambert sphere: the normal is as far off the sun
            vec3 to_eye = normalize(eye.xyz - centre * eye.w);
            float cosine = clamp(dot(to_eye, sun), -1.0, 1.0), phase = acos(cosine);
            float lit = 0.6666667 * (sqrt(1.0 - cosine * cosine) + (3.14159265 - phase) * cosine) / 3.14159265;
            vec3 aside = to_eye - sun * cosine;
            aside = dot(aside, aside) > 1e-6 ? normalize(aside) : normalize(vec3(0.0, 1.0, 0.0) - sun * sun.y + vec3(1e-4, 0.0, 0.0));
            point_normal = sun * lit + aside * sqrt(1.0 - lit * lit);
            float radius = sqrt(max(sides.x, max(sides.y, sides.z)) / 3.14159265);
            point_lit = centre + normalize(to_eye + sun) * radius * (1.0 + origin.w);
        } else {
            // the mean of its faces as they show
            vec3 mean = vec3(to.x < 0.0 ? -1.0 : 1.0, to.y < 0.0 ? -1.0 : 1.0, to.z < 0.0 ? -1.0 : 1.0) * area / max(shown, 1e-20);
            point_normal = turned(q0, turned(q1, normalize(mean)));
            // not in the shadow of the box itself, nor of those beside it
            sun = turned(vec4(-q1.xyz, q1.w), turned(vec4(-q0.xyz, q0.w), sun));
            vec3 corner = vec3(sun.x < 0.0 ? -1.0 : 1.0, sun.y < 0.0 ? -1.0 : 1.0, sun.z < 0.0 ? -1.0 : 1.0) * size.xyz;
            point_lit = centre + turned(q0, turned(q1, corner)) * (1.0 + origin.w);
        }
        local = vec3(0.0);
        return centre;
    }
    if (in_position.w > 1.5) {
        if (dot(turned(q0, turned(q1, in_normal)), eye.xyz - centre * eye.w) < 0.0)
            facing -= 2.0 * (in_normal + in_normal.zxy);
    }
    vec3 at = in_position.xyz * facing * size.xyz + vec3(0.0, in_position.w * size.w, 0.0);
    if (look.x > 0.0) {
        // a bevel narrower than a pixel is a dotted line: it goes
        vec3 corner = origin.xyz + turned(q0, (place.xyz + turned(q1, at)) * (1.0 + origin.w));
        float pixels = look.x * (1.0 + origin.w) * frame.zenith.w / max(distance(corner, frame.eye.xyz), 1e-6);
        at += in_inset * (look.x * smoothstep(1.2, 2.6, pixels));
    }
    // of a sheet the pattern stays where it was before anything bent
    local = (look.w < 31.5 ? at : in_inset) / max(place.w, 1e-6);
    return origin.xyz + turned(q0, (place.xyz + turned(q1, at)) * (1.0 + origin.w));
}

vec3 world_position() {
    vec4 q0, q1, size, look;
    ivec2 pose, look_at;
    vec3 local;
    return world_position(q0, q1, size, look, pose, look_at, local);
}

Placed place_vertex() {
    Placed result;
    vec4 q0, q1, size, look;
    ivec2 pose, look_at;
    result.position = world_position(q0, q1, size, look, pose, look_at, result.local);
    result.normal = turned(q0, turned(q1, normalize(in_normal * facing / size.xyz)));
    result.at = result.position;
    if (in_position.w > 2.5) {
        result.normal = point_normal;
        result.position = point_lit;
    }
    result.tangent = turned(q0, turned(q1, normalize(in_tangent.xyz * facing * size.xyz)));
    result.colour = texelFetch(looks, look_at + ivec2(4, 0), 0);
    vec4 own = texelFetch(pose_colours, pose, 0);
    if (result.colour.r < 0.0) result.colour.rgb = linear_from_srgb(own.rgb);
    result.colour.rgb *= own.a;
    // edges and neighbours darken round meshes of this size by about as much
    if (in_position.w > 2.5 && in_position.x > 0.5) result.colour.rgb *= 0.92;
    result.surface = vec3(look.yz, mod(look.w, 32.0));
    return result;
}
