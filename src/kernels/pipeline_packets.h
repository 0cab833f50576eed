// SPDX-License-Identifier: MIT
// pipeline_packets.h — packets from host to device for changed bodies, shapes and joints.   compiles as: host, cuda

/// which parts of a body are meant
#define STAGED_FLAGS 1u
#define STAGED_POSE 2u
#define STAGED_VELOCITY 4u
#define STAGED_MASS 8u
#define STAGED_FORCE 16u
#define STAGED_JOINTS 32u
#define STAGED_SLEEP 64u
#define STAGED_CONSTANTS 128u
#define STAGED_TOLD 256u // what it told of itself

struct StagedBody_t {
    u32 body, parts;
    u32 flags; // BODY_…
    u32 first_joint, island;
    f32 sleep_time;
    u32 unused[2];
    f32 position[4], rotation[4];
    f32 motion[8]; // velocity, spin
    f32 carry[4 * CARRY_QUADS];
    f32 inverse_mass[8];
    f32 constants[4 * BODY_CONSTANTS];
    f32 force[8]; // and torque
};
typedef struct StagedBody_t StagedBody;

struct StagedShape_t {
    u32 shape, unused[3];
    f32 size[4];
    u32 info[SHAPE_INFO];
    f32 local[4 * LOCAL_QUADS];
};
typedef struct StagedShape_t StagedShape;

/// which parts of a joint are meant besides its info and record
#define STAGED_LINKS 1u   // only links changed: the colour stays
#define STAGED_IMPULSE 2u // its impulses too

struct StagedJoint_t {
    u32 joint, parts;
    u32 info[JOINT_INFO];
    f32 record[4 * JOINT_RECORD];
};
typedef struct StagedJoint_t StagedJoint;

struct StagedLimits_t {
    u32 joint;
    f32 limits[4 * JOINT_LIMITS];
};
typedef struct StagedLimits_t StagedLimits;
