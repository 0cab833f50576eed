// SPDX-License-Identifier: MIT
// pipeline_params.h — all arrays of a rigid world on a device, and the parameters of launches.   compiles as: host, cuda
//
// Arrays are indexed by body, shape, joint or contact slot, as the world numbers them. No result depends on a contact's slot
// or on the order of a list: threads append in any order.

// clang-format off: it finds no end with this list
#define WORLD_BUFFERS(F, U)                                                                                  \
    /* of a body */                                                                                          \
    F(position)                                                                                              \
    F(rotation)                                                                                              \
    F(motion) F(carry) F(inverse_mass) F(constants) F(force) F(kick) F(free) F(change) F(rest) F(sleep_time)          \
        U(body_flags) U(first_joint) U(island) U(wake) U(colours) U(bids) U(parent) U(least_rest)            \
            U(awake) /* of a shape */                                                                        \
        F(pose) F(size) F(bounds) F(fat) U(shape_info) F(shape_local) U(hulls) U(moved)                      \
            U(big)                                                  /* the tree of fat bounds */             \
        U(tree_keys) U(tree_order) F(nodes) U(node_up) U(node_seen) /* the grid of fat bounds */             \
        U(grid_facts) U(grid_keys) U(grid_start) F(grid_bounds) U(grid_wide)                                 \
            U(grid_seekers) /* of a contact */                                                               \
        F(contact) U(ends) U(state) F(contact_to) U(ends_to) U(state_to) U(free_contacts) U(found) U(work)   \
            U(fresh) U(table_keys) U(table_values) /* of a joint */                                          \
        F(joint) U(joint_info) F(joint_limits)     /* the solver */                                          \
        U(bucket_keys) U(bucket_values) U(slots) F(block) F(extra) F(split) F(push) U(split_keys)            \
            U(split_parts) U(pieces) F(asked) U(staged) U(counts) U(worlds) /* fields: of each world, and the shapes of bodies */   \
        F(fields) U(field_shapes) /* events (pipeline_events.h); empty where nobody asks for them */         \
        U(event_counts) U(lost) U(touches) F(approach) F(hits) U(stirred) F(regions) U(cloth_touch)
// clang-format on

struct WorldParams_t {
    struct RigidStep step;
    struct SorStep sor;
    f32 gravity_x, gravity_y, gravity_z;
    f32 distance, dt;
    f32 recycle_distance, recycle_cosine, recycle_turn;
    f32 sleep_speed, sleep_delay;
    f32 hit_speed;
    u32 one_way; // whether a shape is
    u32 recycling;
    u32 bodies, shapes, contacts, joints; // slots in use
    u32 big_shapes, leaves;
    u32 grid_mask;     // buckets, less one
    f32 grid_base;     // m: above most extents at rest
    u32 room;          // of lists of contacts
    u32 table_mask;    // slots of the pair table, less one
    u32 free_contacts; // before this launch
    u32 items;         // of the launch: lists are walked with this stride
    u32 first, count,
        block; // of a bucket: its first slot, how many, its first word; block also: compared by an item
    u32 extra_first;
    u32 overflow; // whether the bucket is the overflow
    u32 gathered; // the solver takes no colours: every constraint is of the overflow
    u32 push_first;
    u32 which;                                   // of several things that one kernel does
    u32 body_stride, shape_stride, joint_stride; // of many worlds, number n begins at n times these
    u32 steps;                                   // done before this one
};
typedef struct WorldParams_t WorldParams;

struct WorldView_t {
    WORLD_BUFFERS(F32_BUFFER, U32_BUFFER)
};
typedef struct WorldView_t WorldView;

#define NOTHING 0xffffffffu

// sums of a split body's pieces side by side
#define PIECE_LANES 32u
// items of a query that goes down the tree by many nodes at once
#define FIND_LANES 32u
// items of a query of the grid
#define GRID_LANES 8u
// those that moved, compared with one shape side by side
#define FIND_TOGETHER 8u

// worlds: three words for each of those that are stepped together
#define WORLD_WORDS 3
#define WORLD_PHASE 0 // its own steps are these more than the launch says
#define WORLD_TIRED 1 // steps, and one, when a body in it could sleep
#define WORLD_RESET 2 // the host put another in its place
// cloth_touch: a word for each body, bits of the cloths that touch it; then these words for each world
#define CLOTH_BITS 32u     // the first body that each cloth touches
#define CLOTH_AWAKE 32u    // cloths that touch a body that is awake
#define CLOTH_RESTLESS 33u // cloths that do not rest
#define CLOTH_WORDS 34u
#define STEPS_BETWEEN 4u // islands are sought this often

// body_flags
#define BODY_ALIVE 1u
#define BODY_KINEMATIC 2u
#define BODY_DYNAMIC 4u
#define BODY_ASLEEP 8u
#define BODY_FROZEN 16u
#define BODY_CAN_SLEEP 32u
#define BODY_CHANGED 64u // fell asleep, woke or froze: its constraints are coloured anew
// changes by the host since the last step
#define BODY_MOVED 128u // manifolds are made anew
#define BODY_RESET 256u // contacts are sought anew
#define BODY_SLEEP 512u
// events: whether the body tells when it sleeps, and what it told last
#define BODY_TELLS 1024u
#define BODY_TOLD_ASLEEP 2048u
#define BODY_TOLD_OUT 4096u // of the world's region
#define BODY_LASTING (63u | BODY_TELLS | BODY_TOLD_ASLEEP | BODY_TOLD_OUT)

// shape_info: eight words
#define SHAPE_INFO 8
#define SHAPE_BODY 0 // NOTHING when there is none
#define SHAPE_TYPE 1
#define SHAPE_CATEGORY 2
#define SHAPE_MASK 3
#define SHAPE_GROUP 4
#define SHAPE_HULL 5 // first word in hulls
#define SHAPE_FLAGS 6
#define SHAPE_RULES 7 // of friction, and of restitution times 256; and
#define SHAPE_SENSOR (1u << 16)
#define SHAPE_TELLS_CONTACTS (1u << 17)
#define SHAPE_TELLS_HITS (1u << 18)
#define SHAPE_ONE_WAY (1u << 19)
#define SHAPE_MOVED 1u // its pairs are to be found
#define SHAPE_BIG 2u   // not in the tree
#define SHAPE_PLACE 4u // put or moved by the host
#define SHAPE_GONE 8u  // its contacts end
#define SHAPE_MIX 16u  // material or filter changed
// with SHAPE_MOVED: it came by a call, and is not one that was there before, whose bounds grow or that was restored
#define SHAPE_CAME 32u
#define SHAPE_PUT 64u         // with SHAPE_CAME: by a new pose
#define BOUNDS_OF_RESTORED 2u // as `which` of world_bounds: lists these shapes alone
#define SHAPE_WAITS (SHAPE_MOVED | SHAPE_CAME | SHAPE_PUT)
#define SHAPE_LASTING (SHAPE_WAITS | SHAPE_BIG)
// shape_local: five quads
#define LOCAL_QUADS 5
#define LOCAL_OFFSET 0 // and radius
#define LOCAL_TURN 1
#define LOCAL_MATERIAL 2 // friction, restitution, rolling resistance; thickness
#define LOCAL_SURFACE 3
#define LOCAL_ONE_WAY 4 // unit, in the shape's frame

// state of a contact: a byte each
#define STATE_POINTS 0 // 0, 1, 2 or 4
#define STATE_COLOUR 8 // below 32, or
#define COLOUR_OVERFLOW 32u
#define COLOUR_NONE 255u
#define STATE_MADE 16
#define STATE_KIND 24 // four bits, and four of marks
#define STATE_MARKS 28
#define KIND_BOXES 0u
#define KIND_ROUNDS 1u
#define KIND_BALL_BOX 2u
#define KIND_BOX_BALL 3u
#define KIND_CONVEX 4u
#define KIND_MESH 5u    // and the slot, below MESH_SLOTS; slot 0 makes the manifolds of all
#define KIND_SENSOR 9u  // shape a is one
#define KIND_SENSED 10u // shape b is
// lists of work: of each kind up to meshes, then all sensors
#define WORK_SENSORS 6u
#define WORK_LISTS 7u
// marks
#define MARK_TOLD 1u    // at the end of the last step the shapes touched, or one was inside the sensor
#define MARK_INSIDE 2u  // the sensor
#define MARK_PASSING 4u // through a one-way shape
#define MARK_HIT 8u     // was told in the last step
#define MARKS_OF_MANIFOLD (MARK_PASSING | MARK_HIT)

// joint_info: six words
#define JOINT_INFO 6
#define JOINT_FIRST 0 // bodies
#define JOINT_SECOND 1
#define JOINT_NEXT 2 // in the list of the first, of the second
#define JOINT_COLLIDES 4
#define JOINT_COLOUR 5 // NOTHING: there is no joint

// nodes of the tree: two quads, low and the left child, high and the right one; a leaf has LEAF set and its place in order
#define LEAF 0x80000000u

// grid_facts: shapes by classes of how large they are, and what a query needs
#define GRID_CLASSES 8
#define GRID_WIDE_MOST 64u // so many of the largest are kept out
#define GRID_COUNTS 0      // of each class
#define GRID_EXTENTS 8     // of each class three, as ordered words
#define GRID_WIDE 32       // how many are kept out
#define GRID_SEEKERS 33    // how many moved and are not in the grid
#define GRID_LIMIT 34      // m: larger ones are kept out
#define GRID_REACH 35      // m, three: largest extents in the grid
#define GRID_RATE 38       // 1/m, three: cells; 0: one without end
#define GRID_FACTS 41

// counts
#define COUNT_CLEARED 2 // from here on
#define COUNT_FREE 0    // these two last; the others are cleared when a step begins
#define COUNT_KEYS 1    // of the pair table, dead ones too
#define COUNT_MOVED 2
#define COUNT_WORK 3 // WORK_LISTS
#define COUNT_FRESH 10
#define COUNT_COLOURED 11
#define COUNT_FRESH_JOINTS 12
#define COUNT_COLOURED_JOINTS 13
#define COUNT_WAKE 14
#define COUNT_TIRED 15
#define COUNT_EXTRAS 16
#define COUNT_RECYCLED 17
#define COUNT_PAIRS 18
#define COUNT_TOUCHING 19
#define COUNT_AWAKE 20
#define COUNT_ISLANDS 21
#define COUNT_FOUND 22
#define COUNT_FROZEN 23
#define COUNT_ROUNDS 24
#define COUNT_BLOCK_WORDS 25
#define COUNT_ITEMS 26
#define COUNT_CHANGED 27 // a body fell asleep, woke or froze
#define COUNT_BARRIER 28 // of blocks that wait for each other
#define COUNT_LOW 29     // three: of all fat bounds, as ordered words
#define COUNT_HIGH 32    // three
#define COUNT_SWEPT 35   // a fast body is to be swept
#define COUNT_BEYOND 36  // shapes that went where no pairs were sought
#define COUNT_CROWDED 37 // pairs with a mesh that have more normals than slots
#define COUNT_BROKEN 38  // joints
#define COUNT_ASKED 39   // of an iteration of the SOR: the largest change that a row asked for, m/s
#define COUNT_ITERATIONS 40
#define COUNT_CONVERGED 41
#define COUNT_BUCKETS 42
#define BUCKET_WORDS                                                                                         \
    6 // first sorted contact and one behind the last, first slot, how many, first block word, first of extras
#define BUCKETS 133 // (colour, kind) and the contacts without one
#define BUCKET_START 0
#define BUCKET_END 1
#define BUCKET_FIRST 2
#define BUCKET_COUNT 3
#define BUCKET_BLOCK 4
#define BUCKET_EXTRA 5
#define COUNT_WORDS (COUNT_BUCKETS + BUCKETS * BUCKET_WORDS)

// event_counts
#define EVENT_LOST 0 // lasts until it was told
#define EVENT_TOUCHES 1
#define EVENT_HITS 2
#define EVENT_STIRRED 3
#define EVENT_COUNTS 4
// lost: pairs told that ended since; touches: pairs that began or ended
#define LOST_WORDS 3 // shapes and kind
#define TOUCH_WORDS 4
#define TOUCH_BEGAN 3
// hits: three quads: shapes, speed, impulse; normal; point
#define HIT_QUADS 3
// stirred: body and what it did
#define STIRRED_SLEPT 0u
#define STIRRED_WOKE 1u
#define STIRRED_LEFT 2u
// regions: two quads for each world; an empty one has no end
#define REGION_WORDS 8
