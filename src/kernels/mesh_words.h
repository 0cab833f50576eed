// SPDX-License-Identifier: MIT
// mesh_words.h — the words of a mesh, as geometry/mesh_geometry.h lays them out.   compiles as: host, cuda

#define MESH_HEAD 12
#define MESH_NUMBER 0xffffffu // of a triangle, below the kinds of its edges
// kinds of an edge, two bits each
#define MESH_EDGE_BORDER 0u // no neighbour
#define MESH_EDGE_CONVEX 1u
#define MESH_EDGE_FLAT 2u
#define MESH_EDGE_CONCAVE 3u
// of a pair with a mesh: each has a normal and up to four points
#define MESH_SLOTS 4u
