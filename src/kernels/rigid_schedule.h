// SPDX-License-Identifier: MIT
// rigid_schedule.h — the stages of a solver's step as data.   compiles as: host, cuda
//
// rigid/schedule.cpp writes the list. Three executors run it: the CPU's threads (rigid/solve.cpp), a launch for each stage
// (rigid/device_solve.cpp), and one launch whose blocks wait for each other between stages (device/cuda/pipeline_solve.cu).
// A stage begins when the one before is finished; inside one no two items touch the same body.

enum StageOperation {
    // the soft step
    STAGE_PREPARE,  // constraints of every colour; bodies begin
    STAGE_VELOCITY, // bodies; the first round starts without impulses
    STAGE_WARM,     // constraints of the colour, as in the next three
    STAGE_SOLVE,
    STAGE_RELAX,
    STAGE_BOUNCE,   // contacts alone
    STAGE_POSITION, // bodies
    STAGE_STORE,    // constraints of every colour; bodies finish
    // the projected SOR
    STAGE_SOR_BEGIN,    // bodies
    STAGE_SOR_ASSEMBLE, // rows of every colour
    STAGE_SOR_FORCES,   // bodies
    STAGE_SOR_INIT,     // rows of every colour
    STAGE_SOR_JOINTS,   // rows of the colour's joints
    STAGE_SOR_CONTACTS, // and of its contacts
    STAGE_SOR_BOTH,     // of both
    STAGE_SOR_GROUPS,   // one iteration of every group (rigid_groups.h)
    STAGE_SOR_ASKED,    // the largest change that a row asked for
    STAGE_SOR_CHECK,    // one item: whether that was little enough to end the iterations
    STAGE_SOR_STUDY,    // one thread of the CPU measures how far the rows have come
    STAGE_SOR_STORE,    // rows of every colour; bodies finish
    // either
    STAGE_CLOTH, // a substep of the cloths, between new velocities and new positions of bodies; not within one launch
    STAGE_APPLY // sums of the overflow over split bodies
};

// a stage is a word
#define STAGE_WORD(operation, colour) (static_cast<u32>(operation) | (colour) << 8)
#define STAGE_FIRST 0x10000u // only in the first round
KERNEL_FN StageOperation stage_operation(u32 stage) { return static_cast<StageOperation>(stage & 255u); }
KERNEL_FN u32 stage_colour(u32 stage) { return stage >> 8 & 255u; }

#define SCHEDULE_MOST                                                                                        \
    144 // four passes over all colours, the overflow and its bodies, and what is between them

struct Schedule_t {
    u32 count;
    u32 loop, loop_end; // stages from `loop` to before `loop_end` are done `rounds` times
    u32 rounds;
    u32 stages[SCHEDULE_MOST];
};
typedef struct Schedule_t Schedule;

struct StagePlace_t {
    u32 at;    // in the list; its count behind the last stage
    u32 round; // how often the loop was done before
};
typedef struct StagePlace_t StagePlace;

KERNEL_FN StagePlace next_stage(const Schedule* s, StagePlace place) {
    do {
        ++place.at;
        if (place.at == s->loop_end && place.round + 1 < s->rounds) {
            place.at = s->loop;
            ++place.round;
        }
    } while (place.round && place.at < s->loop_end && (s->stages[place.at] & STAGE_FIRST));
    return place;
}

/// the place from which next_stage leaves the loop
KERNEL_FN StagePlace loop_left(const Schedule* s) {
    StagePlace place;
    place.at = s->loop_end - 1;
    place.round = s->rounds - 1;
    return place;
}

/// parameters of a launch of the whole schedule
struct WorldSolve_t {
    WorldParams
        params; // count: entries of the overflow; push_first: its first slot; items: of the widest stage
    Schedule schedule;
};
typedef struct WorldSolve_t WorldSolve;
