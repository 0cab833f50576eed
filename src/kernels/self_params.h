// SPDX-License-Identifier: MIT
// self_params.h — shared by the kernels of cloth that touches cloth: constants of a substep, and arrays.   compiles as: host, lanes, cuda
//
// layout, n vertices of all cloths together; "4" is an attribute of four words (see dialect.h)
//
//   start         4 n   where the substep began: free of intersections; inverse mass, 0: held          (the caller's)
//   position      4 n   where the vertex is to go; becomes where it may go                              (the caller's)
//   velocity      4 n   m/s                                                                             (the caller's)
//   support       4 n   normals of the bodies that push the vertex in this substep, together              (the caller's)
//   rest          4 n   shape without stress
//   current       4 n   where the vertex is allowed to be so far; the reach it had before the list was added to
//   based         4 n   where it was when near pairs were looked for, and how far from there it may go until they are again
//   listed        4 n   position when the candidates were listed; reach: how far it may go until the next list
//   vertex_cloth    n
//   cloth         4     thickness, friction, 1: collides
//   triangle      3     vertices
//   edge          2     vertices
//   tangled         n   1: part of an intersection that was there at the start, or within two triangles of one
//   box           8         trees of the triangles or of the edges (see self_search.h): low corner, next node (bits); high corner, number
//                           of the triangle or edge (bits), SELF_NONE: a group
//   pair          6         candidates: vertices (top bit of the first: two edges), distance to keep, distance beyond it (bits); pairs of
//                           a vertex and a triangle from the front on, of two edges from the end
//   near_vertex   4         pairs near enough to matter until they are looked for again: vertices of both sides; top bit of the second:
//                           the pair touches in this substep; of the third: it has a core
//   near_plane    4         unit vector from side B to side A, gap along it then
//   near_weight   4         where the nearest points are, the distance to keep, friction
//   near_stop     4         of those in stop_list: how much a pair stops each of its vertices in the first round, 0: not; then the part
//                           of its load that the vertex hands on by this pair, negative if it takes all that it is handed
//   push_list, limit_list   near pairs that touch; that could meet in this substep
//   stop_list               of these, that stop a vertex in the first round; before: candidates that are worth a look
//   sum           8 n       three 64-bit sums in units of 2^-40 m, and a fourth of weights: whole numbers, so that their order is free
//   load          8 n   momentum of the substep that truncation took from other vertices and handed to this one, kg m, and its inverse
//                       mass; behind all of these the velocities that tangled vertices come apart with, m/s
//   handed        8 n   what it gets or gives in a pass, three 64-bit sums in units of 2^-56 kg m
//   contacts        n       how deep the touching pairs of a vertex are, together
//   fraction        n       how much of its way a vertex may go in this round (0 to 1, bits); before: how far it can be from listed
//   partial      16         of the shares of a survey
//   facts                   see SELF_FACT_…

// clang-format off
#define SELF_BUFFERS(F, U)                                                                                   \
    F(start) F(position) F(velocity) F(support) F(rest) F(current) F(based) F(listed) U(vertex_cloth) F(cloth)                    \
    U(triangle) U(edge) U(tangled) F(box)                                                                     \
    U(pair) U(near_vertex) F(near_plane) F(near_weight) F(near_stop) U(push_list) U(limit_list) U(stop_list)  \
    U(sum) F(load) U(handed) U(contacts) U(fraction) F(partial) U(facts)
// clang-format on

// words of facts
#define SELF_FACT_PAIRS 0     // candidates found of a vertex and a triangle, also those that did not fit
#define SELF_FACT_NEAR 1      // near pairs
#define SELF_FACT_PUSH 2      // of these, that could touch
#define SELF_FACT_LIMIT 3     // of these, that could meet
#define SELF_FACT_TRUNCATED 4 // vertices stopped short since the last survey
#define SELF_FACT_FORCED 5    // held vertices stopped short: they come after when there is room
#define SELF_FACT_OUTRUN 6    // vertices that were stopped because the candidates did not reach farther
#define SELF_FACT_BROKEN 7    // positions that were not finite
#define SELF_FACT_CROSSINGS 8 // edges through triangles
#define SELF_FACT_TOUCHING 9  // pairs without a gap, which are let be
#define SELF_FACT_SHORT 10    // vertices that want to go farther than the candidates reach
#define SELF_FACT_STALE 11    // vertices that want to go farther than near pairs were looked for
#define SELF_FACT_EDGES 12    // as SELF_FACT_PAIRS, of two edges
#define SELF_FACT_TOUCH 13    // pairs that touch in this substep
#define SELF_FACT_TINY                                                                                       \
    14 // after a truncation: some gap is hardly more than rounding; then: some pair has none
#define SELF_FACT_RETURNED 15 // vertices that went back to where the substep began
#define SELF_FACT_STOPS 16    // pairs in stop_list
#define SELF_FACT_WORDS 17

#define SELF_SHARES 8192u // of a survey of all vertices
#define SELF_GROUPS 64u   // of those shares
#define SELF_PARTIAL 16u  // words of a share
#define SELF_RUN 64u      // pairs of an item where items are few
#define SELF_BATCH 4u     // pairs of a thread that take their places together, where there are many threads
#define SELF_FOUND 16u    // the same of a search
#define SELF_TREE_BITS 2u // a group holds 4 boxes or groups
#define SELF_NONE 0xffffffffu
#define SELF_ADD_TO_GROWN 1u   // the tree holds only what has grown
#define SELF_ADD_OF_GROWN 2u   // only vertices that have grown look for triangles, for those that have not
#define SELF_EDGES 0x80000000u // the pair is of two edges

struct SelfParams_t {
    u32 vertices, triangles, edges, cloths;
    u32 boxes;                // of the tree that is built or asked
    u32 of_edges;             // the tree holds edges; otherwise triangles
    u32 level;                // of the groups that are built
    u32 capacity;             // pairs that fit
    u32 candidates, crossing; // pairs found of a vertex and a triangle, of two edges
    u32 first, last;          // round of a truncation; of self_hand: the first pass; of self_near: sifts
    u32 stride; // items of a launch over pairs, each of which takes every stride-th; 0: an item takes SELF_RUN in a row
    u32 check_tangles;             // some vertex is tangled
    u32 bare;                      // boxes without reach
    u32 adding;                    // to the list: SELF_ADD_…
    u32 supported;                 // support is there
    f32 step, list_time;           // s: a substep; until the next list
    f32 list_floor;                // m: the least a vertex may go until then
    f32 most_way;                  // m: no vertex goes farther in a substep
    f32 mean_x, mean_y, mean_z;    // m/s: mean velocity
    f32 shift_x, shift_y, shift_z; // m: the common way in this substep
    f32 drift_x, drift_y, drift_z; // m: the sum of these ways since the candidates were listed
    f32 near_x, near_y, near_z;    // m: the same since near pairs were looked for
    f32 near_ways; // near pairs are looked for so many substeps at its velocity farther than a vertex goes in this one
    f32 recovery; // m: how far a pair nearer than its thickness is moved apart in a substep, at most
    f32 stuck;    // m: what leaves more slowly in a substep counts as at rest
    f32 room; // m: how much farther than it wants a vertex may be pushed in a substep, beyond a tenth of its thickness
};
typedef struct SelfParams_t SelfParams;

struct SelfView_t {
    SELF_BUFFERS(F32_BUFFER, U32_BUFFER)
};
typedef struct SelfView_t SelfView;
