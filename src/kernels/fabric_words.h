// SPDX-License-Identifier: MIT
// fabric_words.h — the table of a rigid world's shapes, as cloths read it (rigid/fabric_shapes.h).   compiles as: host, cuda
//
// A row is FABRIC_SHAPE_WORDS words; numbers other than those in brackets are the bits of floats.
//
//     word    content
//     0       [type] as CONVEX_…, [body], [flags] as FABRIC_…, [place] of its hull or mesh in the words
//     4       [category], [mask], [group], [number] of the shape
//     8       size xyz, radius, as in ConvexShape
//     12      place xyz in the body's frame from its centre of mass; reach: no point is farther from the shape's origin
//     16      rotation in the body's frame: x y z s
//     20      friction, restitution, [rules] of both as mesh_material has them, thickness
//     24      velocity of the surface xyz in the shape's frame, 0
//     28      direction of a one-way shape xyz in the shape's frame, 0

#define FABRIC_SHAPE_WORDS 32u
#define FABRIC_ONE_WAY 1u   // collides only with what comes against its direction
#define FABRIC_TWO_SIDED 2u // a mesh
#define FABRIC_MATERIALS 4u // a mesh with materials of its own: mesh_material of the triangle
