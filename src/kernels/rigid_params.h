// SPDX-License-Identifier: MIT
// rigid_params.h — shared by the rigid world's kernels: the layout of a block of contacts, arrays, constants of a step.
// compiles as: host, lanes, cuda
//
// A contact is solved in its own frame: normal n (from a to b), tangents t1 and t2 = n x t1, origin c = the middle of its
// points. Of the relative velocity at c and the relative spin, (n.v, t1.w, t2.w) is what the normal rows of all points see,
// (t1.v, t2.v, n.w) what friction sees; a point is two numbers, its place (a, b) along t1 and t2 from c. So points cost
// little memory, and the rows of one contact are solved against each other without touching the bodies.

// fields of a contact's block; points follow
#define CONTACT_BODY_A 0
#define CONTACT_BODY_B 1
#define CONTACT_SLOT 2 // in the list of contacts; -1 in a lane without one
#define CONTACT_NORMAL 3
#define CONTACT_TANGENT 6
#define CONTACT_ARM_A 9
#define CONTACT_ARM_B 12
#define CONTACT_INERTIA_A 15
#define CONTACT_INERTIA_B 21
#define CONTACT_MASS_A 27 // inverse
#define CONTACT_MASS_B 28
#define CONTACT_TANGENT_MASS 29 // inverse of the 2x2 response of (t1.v, t2.v): 11 12 22
#define CONTACT_FRICTION 32
#define CONTACT_TANGENT_IMPULSE 33
#define CONTACT_SHIFT 35 // n.x: how far the bodies have moved against each other since the step began
// a single point lies at c, and these are not used
#define CONTACT_SHIFT_1 36  // t1.r, t2.r
#define CONTACT_RESPONSE 38 // of (n.v, t1.w, t2.w) to an impulse and two torques: 00 01 02 11 12 22
#define CONTACT_TWIST_MASS 44
#define CONTACT_TWIST_ARM 45 // mean distance of the points from c
#define CONTACT_TWIST_IMPULSE 46
#define CONTACT_HEAD 47
#define POINT_SEPARATION 0 // when the step began
#define POINT_IMPULSE 1
#define POINT_MASS 2
#define POINT_A 3
#define POINT_B 4
#define POINT_FIELDS 5

// the points of a contact are solved together this often in a sweep, each taking this share of what it would alone
#define CONTACT_ROUNDS 4u
#define CONTACT_SHARE 0.5f

// fields of the second block, which exists when a material bounces, resists rolling or moves its surface, or when a body
// is locked along an axis
#define EXTRA_RESTITUTION 0
#define EXTRA_ROLLING 1 // the coefficient
#define EXTRA_ROLLING_MASS 2
#define EXTRA_ROLLING_IMPULSE 3 // three, world
#define EXTRA_SURFACE 6         // two: of the surfaces along t1 and t2
#define EXTRA_POINT 8           // speed before the step, largest impulse, for each point
#define EXTRA_LOCKS 16          // bits of the pair (rigid_locks.h)
#define EXTRA_FIELDS 17

// quads of a contact's record (rigid/storage.h)
#define RECORD_QUADS 16
#define RECORD_PAIR 0
#define RECORD_STATE 1 // number of points, slot of a pair with a mesh, and sub-shape; b's centre from a's
#define RECORD_COUNT 15
#define RECORD_SLOT 4 // first bit
#define RECORD_SUB 8
#define RECORD_NORMAL 2
#define RECORD_FRICTION_IMPULSE 3
#define RECORD_ROTATION_A 4
#define RECORD_ROTATION_B 5
#define RECORD_ROLLING 6
#define RECORD_SURFACE 7
#define RECORD_POINT 8

// quads of what floats drop of a body's state at a step's end (exact.h)
#define CARRY_QUADS 4
#define CARRY_POSITION 0
#define CARRY_ROTATION 1
#define CARRY_VELOCITY 2
#define CARRY_SPIN 3

struct RigidSoftness {
    f32 rate, mass_scale, impulse_scale;
};

struct RigidStep {
    f32 dt, h, inv_h; // h: a substep
    f32 push_speed;
    f32 restitution_threshold;
    f32 warm_scale; // h over the h that the stored impulses belong to; 0 forgets them
    u32 extras;
    u32 substeps;    // of dt
    u32 parabolas;   // whether bodies in free flight keep to theirs
    u32 runge_kutta; // whether bodies that no constraint touched take its step (rigid_flight.h)
    u32 continuous; // whether fast bodies are swept; 2: also against each other, and the motion of every body is kept
    struct RigidSoftness contact, static_contact, joint;
};

struct SorStep {
    f32 dt, inv_dt;
    f32 omega, cfm, erp; // cfm: divided by dt
    f32 slop, push_speed, restitution_threshold;
    f32 tolerance; // m/s: an iteration that changes no row by more is the last; 0: all are done
    u32 apart;     // pure Jacobi: rows see V' as it was when the iteration began
    u32 groups;    // at most so many (rigid_groups.h); 0: there are none
    u32 vary;      // groups vary the order of their visits
};

/// a run of items of one colour and one number of points
struct RigidView {
    f32* position;
    f32* rotation;
    f32* motion;
    f32* inverse_mass;
    f32* contact;     // records
    const u32* slots; // contacts of this run, padded with 0xffffffff to whole blocks
    f32* block;       // of the run
    f32* extra;       // of the run, or null
    const f32* split; // overflow: how many pieces each body is split into; null elsewhere
    f32* push;        // overflow: changes of velocity, four quads for each item; null elsewhere
};
