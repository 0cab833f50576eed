// SPDX-License-Identifier: MIT
// table.h — the kernels that devices launch: K(family, name), items in lanes or one by one.
//
// To add a kernel: write its function in this folder, name it here. A family has FAMILY_BUFFERS, FamilyView, FamilyParams.

/// run in one lane and in many
#define LANE_KERNELS(K)                                                                                      \
    K(Probe, PROBE, probe_run)                                                                               \
    K(Granular, GRANULAR, granular_place)                                                                    \
    K(Granular, GRANULAR, granular_gather)                                                                   \
    K(Granular, GRANULAR, granular_momenta)                                                                  \
    K(Granular, GRANULAR, granular_move)

/// have loops of their own and run in one lane (on the CPU the force stages have lane-wide twins)
#define SCALAR_KERNELS(K)                                                                                    \
    K(Arrays, ARRAYS, arrays_reduce)                                                                         \
    K(Arrays, ARRAYS, arrays_run_flags)                                                                      \
    K(Arrays, ARRAYS, arrays_run_starts)                                                                     \
    K(Granular, GRANULAR, granular_cells)                                                                    \
    K(Granular, GRANULAR, granular_forces)                                                                   \
    K(Granular, GRANULAR, granular_forces_history)                                                           \
    K(Granular, GRANULAR, granular_near_count)                                                               \
    K(Granular, GRANULAR, granular_near_fill)                                                                \
    K(Granular, GRANULAR, granular_forces_listed)                                                            \
    K(Granular, GRANULAR, granular_forces_listed_history)                                                    \
    K(Granular, GRANULAR, granular_speed)                                                                    \
    K(Granular, GRANULAR, granular_body_forces)                                                              \
    K(Granular, GRANULAR, granular_measure)                                                                  \
    K(Granular, GRANULAR, granular_obstacle_push)                                                            \
    K(Granular, GRANULAR, granular_obstacle_move)                                                            \
    K(Granular, GRANULAR, granular_survey)
