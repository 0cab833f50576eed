// SPDX-License-Identifier: MIT
// fabric_params.h — shared by the kernels of cloth in a rigid world: constants of a substep, and the arrays.   compiles as: host, lanes, cuda
//
// layout: V vertices of all cloths, one after the other; quads are four words
//
//   position   V   quads: where vertices are, and their inverse mass; 0 is held. Behind them those of the levels (fabric_levels.h)
//   start      V   quads: the same at the substep's beginning; of the levels before their links act, then their moves
//   velocity   V   quads: velocity; w: number of the cloth (bits)
//   air        V   quads: acceleration by wind, drag and pressure
//   gust           quads of triangles: normal, and how fast the air comes along it (m/s)
//   gust_area      of triangles, m^2 (bits); 0: it has none
//   edge           quads: two vertices (bits), length at rest, compliance (m/N); colour by colour
//   hinge          three quads: four vertices (bits); their weights; curvature at rest, compliance, 0, 0; colour by colour
//   mean           quads for the vertices of levels: the vertex of the cloth that holds it (bits), inverse mass, first part, parts (bits)
//   part           two words: vertex of the next finer level (bits), its weight in the mean
//   link           as edge, of the levels
//   blend          two quads for each entry of position: four vertices of the next coarser level (bits); their weights
//   tether     V   quads: vertex (bits) and largest distance, twice; a vertex that is tethered to itself is free, at 1e18 m
//   cloth          FABRIC_CLOTH quads a cloth
//   triangle       quads: three vertices, whether it touches bodies (bits); after all triangles the lines, the second vertex twice. Both are parts
//   incident   V + 1 first entries, then the triangles of each vertex in order
//   pin            FABRIC_PIN quads a pin: vertex and body (bits), 0, 0; where in the body's frame, from its centre of mass
//   contact        FABRIC_SLOTS contacts a vertex, two quads each: where on the body, from its centre of mass, and the body (bits);
//                  normal, friction. In the body's frame
//   push           two quads for each contact, then for each pin: impulse on the body, and its arm from the centre of mass
//   support    V   quads: the sum of the normals of the bodies that push a vertex in the substep
//   keys, values   contacts and pins with a dynamic body, sorted by body: body, place in push
//   share          of a body: how many push it
//   patch          FABRIC_PATCH_WORDS for each FABRIC_PATCH vertices: number of shapes near, and which; bounds of the vertices
//   shape_near     quads: centre of a shape, and how far from there it may be within the step
//   part_patch     the same for each FABRIC_PATCH parts
//   press          FABRIC_PRESS quads for each contact of a part, in any order: where on the body and the body (bits); normal, friction,
//                  both as of contacts; weights of the part's vertices, part (bits)
//   press_push     two quads for each: impulse on the body, whether it pushes; its arm, which vertices may move (bits)
//   press_bodies, press_body_of       sorted: order and body (NONE: does not move); place in press
//   press_vertices, press_vertex_of   sorted: order and vertex (NONE: does not move); 3 times the place in press, and which of its three
//   loads      V + bodies: contacts of parts that push them now; 0 between substeps
//   load       V   quads: momentum times the substep that other cloth handed to a vertex (self_load.h)
//   shapes, shape_words   the table of fabric_words.h and its hulls and meshes
//   touched        of a body: which cloths touch it, as bits (fabric_class)
//   pace           of the cloths: square of the fastest vertex's speed (bits of a float); then whether each collides with cloth
//   bed            FABRIC_BED words for each cloth that sleeps or wants to
//   bed_box        two quads a box: low, high; low.w is how far around it something is near
//   bed_body       of those: two words for each body that wakes one: the cloth's bit, body
//   stages         FABRIC_STAGE words for each part of a sweep (Device::sweep_cloth): number of the kernel, first, items
//   counts         FABRIC_COUNTS words
//
// Constraints of one colour share no vertex. Each colour is padded with constraints of vertex V, which is held.

#define FABRIC_SLOTS 3u
#define FABRIC_NONE 0xffffffffu
#define FABRIC_PIN 2u
#define FABRIC_PATCH 64u
#define FABRIC_NEAR 15u
#define FABRIC_PATCH_WORDS 24u
#define FABRIC_PATCH_CROWD 16u // the first word of the bounds of a patch of vertices, as FabricCrowd
#define FABRIC_PART_SLOTS 128u // contacts of a part
#define FABRIC_PRESS 3u
#define FABRIC_ALL 0xfffffffeu // more shapes are near than the patch lists

// quads of a cloth
#define FABRIC_CLOTH 3u
#define FABRIC_CLOTH_SKIN 0u   // thickness, friction, share of velocity lost in a second, largest speed
#define FABRIC_CLOTH_AIR 1u    // wind xyz, pressure
#define FABRIC_CLOTH_LIMITS 2u // category, mask, group (bits), air's drag coefficient times half its density

#define FABRIC_BED 8u
#define FABRIC_BED_BIT 0u      // of the cloth
#define FABRIC_BED_CATEGORY 1u // and mask, group
#define FABRIC_BED_FIRST 4u    // box: of all of the cloth; the next of its patches
#define FABRIC_BED_BOXES 5u    // of its patches
#define FABRIC_BED_SELF 6u     // it collides with cloth

#define FABRIC_COUNTS 8u
#define FABRIC_COUNT_PUSHES 0u  // entries of keys that name a body
#define FABRIC_COUNT_FROZEN 1u  // vertices that became non-finite
#define FABRIC_COUNT_FASTEST 2u // m/s, as the bits of a float
#define FABRIC_COUNT_PRESSES 3u // contacts of parts
#define FABRIC_COUNT_NEAR 4u    // beds that something comes near to, as bits
#define FABRIC_COUNT_BARRIER 5u // of a sweep in one launch; 0 between launches, as the next
#define FABRIC_COUNT_LEFT 6u    // blocks that have left it

#define FABRIC_STAGE 3u

// clang-format off
#define FABRIC_BUFFERS(F, U)                                                                                    \
    F(position) F(start) F(velocity) F(air) F(gust) U(gust_area) F(edge) F(hinge) F(mean) F(part) F(link) F(blend) F(tether) F(cloth) F(triangle) U(incident) F(pin)  \
    F(contact) F(push) U(keys) U(values) F(share) U(patch) U(shapes) U(shape_words)       \
    U(touched) U(counts) F(support) F(shape_near) U(part_patch) F(press) F(press_push) U(press_bodies) U(press_body_of)    \
    U(press_vertices) U(press_vertex_of) U(loads) U(pace) U(bed) F(bed_box) U(bed_body) U(stages)               \
    /* of the rigid world */                                                                                    \
    F(body_position) F(body_rotation) F(body_motion) F(body_inverse) F(body_free)                               \
    /* of SelfContact */                                                                                        \
    F(load)
// clang-format on

struct FabricParams_t {
    u32 vertices, pins, shapes, pushes;
    u32 first; // of the constraints of a colour, of the vertices of a level; of fabric_hold: whether pins on moving bodies are meant
    u32 airy;  // some cloth feels the air
    u32 levels;                       // where their vertices begin in position
    f32 h, inverse_h, inverse_square; // s, 1/s, 1/s^2 of the substep
    f32 since;                        // s from the poses of the bodies to the substep's end
    f32 dt;                           // s, the step
    f32 gravity_x, gravity_y, gravity_z;
    f32 farthest;             // m, beyond this a vertex counts as exploded
    u32 parts, presses, room; // triangles and lines; their contacts, and how many the list can hold
    u32 cloths, beds, triangles;
    u32 settling; // of fabric_near: cloths want to sleep, and the bodies that they touch with them
};
typedef struct FabricParams_t FabricParams;

/// A sweep over constraints in one launch.
struct FabricSweep_t {
    FabricParams params;
    u32 first, stages; // of the list
    u32 widest;        // items of the largest
};
typedef struct FabricSweep_t FabricSweep;

struct FabricView_t {
    FABRIC_BUFFERS(F32_BUFFER, U32_BUFFER)
};
typedef struct FabricView_t FabricView;
