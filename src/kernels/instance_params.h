// SPDX-License-Identifier: MIT
// instance_params.h — what a renderer draws of each body, and the world's arrays it comes from.   compiles as: host, cuda
//
// layout, n bodies that are drawn, room for more
//
//   position, rotation   quads by slot, as the world has them
//   rest                 rigid: quads of carry by slot; granular: momenta, whose fourth word is the time at rest
//   flags                rigid: words of BODY_… by slot
//   table                INSTANCE_WORDS a body: see below
//   drawn                room quads of origins (and 0), then room quads of rotations (x, y, z, s)
//   colours              the same memory as words: room colours lie behind the rotations

// clang-format off
#define INSTANCE_BUFFERS(F, U) F(position) F(rotation) F(rest) U(flags) U(table) F(drawn) U(colours)
// clang-format on

#define INSTANCE_WORDS 8
#define INSTANCE_SLOT 0
#define INSTANCE_AWAKE 1 // its colours, 0xAABBGGRR
#define INSTANCE_ASLEEP 2
#define INSTANCE_CENTRE 4 // of mass, from the origin, in the body's frame: three floats

struct InstanceParams_t {
    u32 bodies, room;
    u32 granular; // rotations begin with the scalar; bodies have no carry
    u32 sleeping, carry_quads, carry_position;
    u32 asleep; // the bit in flags
    f32 sleep_delay;
};
typedef struct InstanceParams_t InstanceParams;

struct InstanceView_t {
    INSTANCE_BUFFERS(F32_BUFFER, U32_BUFFER)
};
typedef struct InstanceView_t InstanceView;
