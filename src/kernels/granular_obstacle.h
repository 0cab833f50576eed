// SPDX-License-Identifier: MIT
// granular_obstacle.h — particles against exact geometry: plane, box, sphere.   compiles as: host, lanes, cuda, opencl

#define GRANULAR_OBSTACLE_WORDS 24
#define GRANULAR_PLANE 0u
#define GRANULAR_BOX 1u
#define GRANULAR_SPHERE 2u

struct GranularObstacle_t {
    u32 kind;
    f32 px, py, pz;             // position
    f32 qs, qx, qy, qz;         // rotation
    f32 sx, sy, sz;             // half sides, or the radius in sx
    f32 vx, vy, vz, wx, wy, wz; // velocity, angular velocity
    f32 inverse_mass;           // 0: not moved by particles
    f32 ix, iy, iz;             // inverse principal moments
};
typedef struct GranularObstacle_t GranularObstacle;

struct GranularSurface_t {
    real3 normal;   // out of the obstacle
    real overlap;   // > 0 where the particle reaches in
    real3 arm;      // from the obstacle's centre to the contact
    real3 velocity; // of the obstacle there
};
typedef struct GranularSurface_t GranularSurface;

KERNEL_FN GranularSurface granular_surface(GranularObstacle o, real3 x, real r) {
    quat q = make_quat(to_real(o.qs), to_real(o.qx), to_real(o.qy), to_real(o.qz));
    mat3 m = quat_matrix(q);
    real zero = to_real(0.0f), one = to_real(1.0f);
    real3 from_centre = x - make_real3(to_real(o.px), to_real(o.py), to_real(o.pz));
    real3 up = make_real3(zero, one, zero);
    real3 n;
    real gap; // between the surface and the particle's centre
    if (o.kind == GRANULAR_PLANE) {
        n = mat3_times(m, up);
        gap = dot3(from_centre, n);
    } else if (o.kind == GRANULAR_SPHERE) {
        n = unit3(from_centre, up);
        gap = length3(from_centre) - o.sx;
    } else {
        real3 in_box = mat3_transposed_times(m, from_centre);
        real3 size = make_real3(to_real(o.sx), to_real(o.sy), to_real(o.sz));
        real3 away = make_real3(in_box.x - clamped(in_box.x, -size.x, size.x),
                                in_box.y - clamped(in_box.y, -size.y, size.y),
                                in_box.z - clamped(in_box.z, -size.z, size.z));
        real distance = length3(away);
        mask outside = distance > 0.0f;
        // inside: the nearest face
        real3 depth = make_real3(size.x - magnitude(in_box.x), size.y - magnitude(in_box.y),
                                 size.z - magnitude(in_box.z));
        mask x_least = both(no(depth.x > depth.y), no(depth.x > depth.z));
        mask y_least = both(no(x_least), no(depth.y > depth.z));
        mask z_least = both(no(x_least), no(y_least));
        real3 face = make_real3(pick(x_least, pick(in_box.x < 0.0f, -one, one), zero),
                                pick(y_least, pick(in_box.y < 0.0f, -one, one), zero),
                                pick(z_least, pick(in_box.z < 0.0f, -one, one), zero));
        real3 local_normal = pick3(outside, unit3(away, up), face);
        n = mat3_times(m, local_normal);
        gap = pick(outside, distance, -pick(x_least, depth.x, pick(y_least, depth.y, depth.z)));
    }
    GranularSurface s;
    s.normal = n;
    s.overlap = r - gap;
    s.arm = from_centre - n * gap;
    s.velocity = make_real3(to_real(o.vx), to_real(o.vy), to_real(o.vz)) +
                 cross3(make_real3(to_real(o.wx), to_real(o.wy), to_real(o.wz)), s.arm);
    return s;
}

/// the force on a particle that reaches into the surface
KERNEL_FN GranularTouch granular_surface_force(GranularSurface s, real3 v, real3 w, real r, real3 spring,
                                               GranularParams p) {
    GranularTouch t;
    if (p.model == GRANULAR_LINEAR) {
        t.force = granular_linear_force(s.normal, s.overlap, v, s.velocity, p);
        t.torque = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
        t.spring = spring;
    } else {
        real3 none = make_real3(to_real(0.0f), to_real(0.0f), to_real(0.0f));
        t = granular_split_force(s.normal, s.overlap,
                                 granular_slip(s.normal, v, w, r, s.velocity, none, to_real(0.0f)), r, spring,
                                 p);
    }
    return t;
}
