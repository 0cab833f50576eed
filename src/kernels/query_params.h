// SPDX-License-Identifier: MIT
// query_params.h — the shapes of a world as rays on a device see them, and what a batch asks.   compiles as: host, cuda
//
// layout
//
//   shapes    QUERY_SHAPE words for each slot: see below
//   nodes     48 floats for each node of the trees, collision/bounds_tree.h: low and high by axis and child
//   proxies   the shape in each slot of a tree's leaves
//   hulls     words of hulls and meshes, geometry/hull.h and geometry/mesh_geometry.h
//   rays      RayCast of scree/query.h as words
//   results   QueryHit of scree/query.h as words, or a byte for each ray

// clang-format off
#define QUERY_BUFFERS(F, U) U(shapes) F(nodes) U(proxies) U(hulls) U(rays) U(results)
// clang-format on

// a shape: first seven doubles, position and rotation (x, y, z, s)
#define QUERY_SHAPE 28
#define QUERY_SHAPE_SIZE 14 // three floats, and the radius
#define QUERY_SHAPE_RADIUS 17
#define QUERY_SHAPE_TYPE 18
#define QUERY_SHAPE_HULL 19 // where its words begin
#define QUERY_SHAPE_GENERATION 20
#define QUERY_SHAPE_BODY 21 // index and generation
#define QUERY_SHAPE_CATEGORY 23
#define QUERY_SHAPE_MASK 24
#define QUERY_SHAPE_GROUP 25
#define QUERY_SHAPE_SEEN 26 // 0: there is none, or a sensor

// rays and hits as words
#define QUERY_RAY 10
#define QUERY_RAY_WAY 6    // after three doubles
#define QUERY_RAY_INSIDE 9 // a byte
#define QUERY_HIT 18
#define QUERY_HIT_POINT 4 // three doubles, after the ids of shape and body
#define QUERY_HIT_NORMAL 10
#define QUERY_HIT_FRACTION 13
#define QUERY_HIT_DISTANCE 14
#define QUERY_HIT_PART 15
#define QUERY_HIT_CLOTH 16 // index and generation; none: rays of a device see no cloth

#define QUERY_TREES 4
#define QUERY_LEVELS 10
#define QUERY_LEVEL_BITS 28 // below them a place in the level
#define QUERY_MESH_DEPTH 64

struct QueryTree_t {
    u32 height;              // levels; 0: nothing here
    u32 slots;               // first of its proxies
    u32 first[QUERY_LEVELS]; // node of each level, the leaves first
};
typedef struct QueryTree_t QueryTree;

struct QueryParams_t {
    QueryTree tree[QUERY_TREES];
    u32 category, mask, group; // as if the ray were a shape with this filter
    u32 ignored;               // body
};
typedef struct QueryParams_t QueryParams;

struct QueryView_t {
    QUERY_BUFFERS(F32_BUFFER, U32_BUFFER)
};
typedef struct QueryView_t QueryView;
