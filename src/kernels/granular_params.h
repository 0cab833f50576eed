// SPDX-License-Identifier: MIT
// granular_params.h — shared by the granular kernels: constants of a step, and arrays.   compiles as: host, lanes, cuda, opencl
//
// layout, n bodies and N particles, each array padded; "4" is an attribute of four words (see dialect.h)
//
//   body_position  4 n   centre, inverse mass
//   body_rotation  4 n   quaternion, scalar first
//   body_momentum  4 n   P, seconds at rest (>= sleep_delay: asleep; negative: frozen)
//   body_spin      4 n   L, shape (bits)
//   body_omega     4 n   angular velocity, first particle (bits)
//   body_wake        n   not 0: touched by something fast in this step
//   shape_inertia  4     inverse principal moments for 1 kg, number of particles (bits)
//   shape_first          first entry in shape_offset
//   shape_offset   4     particle centre in the body frame, radius
//   shape_outward  4     unit vector out of the body, or zero inside it
//   particle_body    N
//   cell_key, order  N   cell of each particle and its number, sorted by cell
//   cell_start     cells+1   where each cell begins in the sorted arrays
//   sorted_position 4 N  centre, radius
//   sorted_velocity 4 N  velocity, body (bits), top bit: asleep
//   near_start       N+1 where each sorted particle's kept neighbours begin in near_place (kept lists only)
//   near_place           places in the sorted order, lowest particle number first
//   force          4 N   force on the particle (by number), x of its torque about the particle's centre
//   torque         2 N   y and z of that torque; force and torque double as the sort's scratch
//   memory         4 K N tangential spring, partner (bits); K slots a particle (history model)
//   obstacle      24     see granular_obstacle.h
//   survey_words   8     for each share of the bodies: bounds of their centres, number awake
//   counters             see GRANULAR_COUNTER_…

// clang-format off
#define GRANULAR_BUFFERS(F, U)                                                                                \
    F(body_position) F(body_rotation) F(body_momentum) F(body_spin) F(body_omega) U(body_wake)                \
    F(shape_inertia) U(shape_first) F(shape_offset) F(shape_outward)                                          \
    U(particle_body) U(cell_key) U(order) U(cell_start) F(sorted_position) F(sorted_velocity)                 \
    U(near_start) U(near_place)                                                                               \
    F(force) F(torque) F(memory) F(obstacle) F(obstacle_partial) F(survey_words) U(counters)
// clang-format on

#define GRANULAR_LINEAR 0u
#define GRANULAR_SPLIT 1u
#define GRANULAR_HISTORY 2u
#define GRANULAR_HERTZ 3u

#define GRANULAR_COUNTER_MEMORY_OVERFLOW 0

// partners of a tangential spring that are not particles
#define GRANULAR_NO_PARTNER 0xffffffffu
#define GRANULAR_PLANE_PARTNER 0xfffffff0u
#define GRANULAR_OBSTACLE_PARTNER 0xfffff000u

#define GRANULAR_MAX_MEMORY 12
#define GRANULAR_NEAR 24
#define GRANULAR_ASLEEP 0x80000000u
#define GRANULAR_CELLS_PER_ITEM 32
#define GRANULAR_OBSTACLE_ITEMS 2048
#define GRANULAR_SURVEY_ITEMS 512
#define GRANULAR_SURVEY_WORDS 8

struct GranularParams_t {
    u32 bodies, particles, cells;
    u32 reference, brute, model, same_body_filter, unlock, sleeping, memory_slots, obstacles;
    u32 grid_x, grid_y, grid_z;             // cells of the table along each axis
    f32 cell_size, inv_cell_size;           // m, 1/m
    f32 grid_min_x, grid_min_y, grid_min_z; // reference grid
    f32 time_step, stiffness, damping, tangent_stiffness, tangent_damping, friction;
    f32 contact_epsilon;
    f32 hertz_scale; // 1 / sqrt(overlap at which Hertz's force equals the spring's)
    f32 gravity_x, gravity_y, gravity_z;
    f32 terminal_velocity, world_size;
    u32 walls, ground;
    f32 sleep_speed, sleep_delay, wake_speed, rest_radius;
    f32 search_square;   // how far the search looks, squared: what may touch, and the skin of kept lists
    f32 touch_square;    // (largest contact distance)^2 and a margin: outside it nothing touches
    u32 obstacle_moving; // some obstacle has a velocity
};
typedef struct GranularParams_t GranularParams;

struct GranularView_t {
    GRANULAR_BUFFERS(F32_BUFFER, U32_BUFFER)
};
typedef struct GranularView_t GranularView;
