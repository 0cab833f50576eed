// SPDX-License-Identifier: MIT
// cloth_params.h — shared by the cloth kernels: constants of a sheet's substep, and its arrays.   compiles as: host, lanes, cuda, opencl, glsl
//
// layout, C vertices of one sheet, each array padded; every attribute has four words (see dialect.h)
//
//   position   C   where vertices are; w: 1 free, 0 pinned, -1 stopped because it became non-finite
//   last       C   where they were a substep ago, w as above
//   next       C   what a kernel writes: the three arrays change places, none is read and written at once
//   normal     C   unit normal
//   axis       C   neighbours (bits) along +z, +x, -z, -x
//   diagonal   C   neighbours (bits) along +x+z, +x-z, -x-z, -x+z
//   second     C   neighbours (bits) two lines away: +2z, +2x, -2z, -2x
//   collider       boxes: low corner, high corner, movement in this substep; then spheres: centre and radius, movement;
//                  then of more than CLOTH_GROUP boxes low and high corner of each 8, each 64 and each 512 in their order, with room
//                  for a vertex; then the same of spheres
//   survey_in, survey_out   a level of the reduction in cloth_survey and cloth_extent
//
// A neighbour that would lie outside the sheet is the vertex itself. That is the mask of existence, too.

// clang-format off
#define CLOTH_BUFFERS(F, U)                                                                                   \
    F(position) F(last) F(next) F(normal) F(axis) F(diagonal) F(second) F(collider) F(survey_in) F(survey_out)
// clang-format on

#define CLOTH_BOX_ITEMS 3u
#define CLOTH_SPHERE_ITEMS 2u
#define CLOTH_GROUP 8u
#define CLOTH_SURVEY_ITEMS 16u

struct ClothParams_t {
    u32 vertices, boxes, spheres, self_neighbours, survey_items;
    u32 box_bounds, sphere_bounds; // items of `collider` where they begin
    // corrections of the seed; 0: as the seed
    u32 bounded_damping, weighted_projection, push_from_inside;
    u32 ground, sweep, touched;
    f32 inverse_step, step_square; // 1/s, s^2, of the substep
    f32 gravity_x, gravity_y, gravity_z;
    f32 inverse_mass, drag;                                   // 1/kg, and 1/s: deceleration by speed
    f32 rest_x, rest_z, rest_across;                          // m
    f32 radius, ground_height;                                // m
    f32 axis_stiffness, diagonal_stiffness, second_stiffness; // N/m, or 0 … 1 in the position based model
    f32 axis_damping, diagonal_damping, second_damping;       // N s/m, not positive
    f32 damping_limit;                                        // N s/m, with bounded_damping
    f32 friction, farthest;
    f32 extent_sign; // 1: the largest coordinates, -1: those of the mirrored sheet
    // the finger in normalised device coordinates and its movement; rows x, y, w of projection times view; columns x and y of
    // its inverse
    f32 finger_x, finger_y, slide_x, slide_y;
    f32 row_xx, row_xy, row_xz, row_xw, row_yx, row_yy, row_yz, row_yw, row_wx, row_wy, row_wz, row_ww;
    f32 back_xx, back_xy, back_xz, back_yx, back_yy, back_yz;
};
typedef struct ClothParams_t ClothParams;

struct ClothView_t {
    CLOTH_BUFFERS(F32_BUFFER, U32_BUFFER)
};
typedef struct ClothView_t ClothView;
