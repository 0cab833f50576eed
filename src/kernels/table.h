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
    K(Granular, GRANULAR, granular_move)                                                                     \
    K(Cloth, CLOTH, cloth_swing)                                                                             \
    K(Cloth, CLOTH, cloth_predict)                                                                           \
    K(Cloth, CLOTH, cloth_project)                                                                           \
    K(Cloth, CLOTH, cloth_collide)                                                                           \
    K(Cloth, CLOTH, cloth_normals)                                                                           \
    K(Cloth, CLOTH, cloth_survey_start)                                                                      \
    K(Cloth, CLOTH, cloth_survey)                                                                            \
    K(Cloth, CLOTH, cloth_extent_start)                                                                      \
    K(Cloth, CLOTH, cloth_extent)

/// have loops of their own and run in one lane (on the CPU the force stages have lane-wide twins)
#define SCALAR_KERNELS(K)                                                                                    \
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

/// cloth in a rigid world, in one lane and in many; not for OpenCL
#define FABRIC_LANE_KERNELS(K)                                                                               \
    K(Fabric, FABRIC, fabric_predict)                                                                        \
    K(Fabric, FABRIC, fabric_mean)                                                                           \
    K(Fabric, FABRIC, fabric_link)                                                                           \
    K(Fabric, FABRIC, fabric_moved)                                                                          \
    K(Fabric, FABRIC, fabric_spread)                                                                         \
    K(Fabric, FABRIC, fabric_stretch)                                                                        \
    K(Fabric, FABRIC, fabric_bend)                                                                           \
    K(Fabric, FABRIC, fabric_tether)                                                                         \
    K(Fabric, FABRIC, fabric_finish)                                                                         \
    K(Fabric, FABRIC, fabric_gust)                                                                           \
    K(Fabric, FABRIC, fabric_air)

/// cloth in a rigid world, one lane
#define FABRIC_KERNELS(K)                                                                                    \
    K(Fabric, FABRIC, fabric_hold)                                                                           \
    K(Fabric, FABRIC, fabric_shape_near)                                                                     \
    K(Fabric, FABRIC, fabric_patches)                                                                        \
    K(Fabric, FABRIC, fabric_find)                                                                           \
    K(Fabric, FABRIC, fabric_pin_keys)                                                                       \
    K(Fabric, FABRIC, fabric_shares)                                                                         \
    K(Fabric, FABRIC, fabric_touch)                                                                          \
    K(Fabric, FABRIC, fabric_bodies)                                                                         \
    K(Fabric, FABRIC, fabric_load)                                                                           \
    K(Fabric, FABRIC, fabric_part_patches)                                                                   \
    K(Fabric, FABRIC, fabric_part_find)                                                                      \
    K(Fabric, FABRIC, fabric_press_mark)                                                                     \
    K(Fabric, FABRIC, fabric_press)                                                                          \
    K(Fabric, FABRIC, fabric_press_yield)                                                                    \
    K(Fabric, FABRIC, fabric_press_bodies)                                                                   \
    K(Fabric, FABRIC, fabric_paces)                                                                          \
    K(Fabric, FABRIC, fabric_near)                                                                           \
    K(Fabric, FABRIC, fabric_near_cloth)                                                                     \
    K(Fabric, FABRIC, fabric_stirred)

/// the rigid world on a device: one lane, and not for OpenCL
#define WORLD_CONTACT_KERNELS(K, points)                                                                     \
    K(World, WORLD, world_contact_prepare_##points)                                                          \
    K(World, WORLD, world_contact_warm_##points)                                                             \
    K(World, WORLD, world_contact_solve_##points)                                                            \
    K(World, WORLD, world_contact_relax_##points)                                                            \
    K(World, WORLD, world_contact_bounce_##points)                                                           \
    K(World, WORLD, world_contact_store_##points)
#define WORLD_SOR_KERNELS(K, points)                                                                         \
    K(World, WORLD, world_sor_assemble_##points)                                                             \
    K(World, WORLD, world_sor_init_##points)                                                                 \
    K(World, WORLD, world_sor_sweep_##points)                                                                \
    K(World, WORLD, world_sor_store_##points)
#define WORLD_KERNELS(K)                                                                                     \
    K(World, WORLD, world_wake_listed)                                                                       \
    K(World, WORLD, world_put_bodies)                                                                        \
    K(World, WORLD, world_put_shapes)                                                                        \
    K(World, WORLD, world_put_joints)                                                                        \
    K(World, WORLD, world_put_joint_limits)                                                                  \
    K(World, WORLD, world_contact_events)                                                                    \
    K(World, WORLD, world_place_shapes)                                                                      \
    K(World, WORLD, world_wake)                                                                              \
    K(World, WORLD, world_wake_neighbours)                                                                   \
    K(World, WORLD, world_wake_joined)                                                                       \
    K(World, WORLD, world_put_to_sleep)                                                                      \
    K(World, WORLD, world_contact_changed)                                                                   \
    K(World, WORLD, world_joint_changed)                                                                     \
    K(World, WORLD, world_settle_shapes)                                                                     \
    K(World, WORLD, world_settle)                                                                            \
    K(World, WORLD, world_bounds)                                                                            \
    K(World, WORLD, world_fields)                                                                            \
    K(World, WORLD, world_tree_extent)                                                                       \
    K(World, WORLD, world_tree_keys)                                                                         \
    K(World, WORLD, world_tree_links)                                                                        \
    K(World, WORLD, world_tree_fit)                                                                          \
    K(World, WORLD, world_find_few)                                                                          \
    K(World, WORLD, world_find_own)                                                                          \
    K(World, WORLD, world_find)                                                                              \
    K(World, WORLD, world_find_wide)                                                                         \
    K(World, WORLD, world_grid_extent)                                                                       \
    K(World, WORLD, world_grid_size)                                                                         \
    K(World, WORLD, world_grid_keys)                                                                         \
    K(World, WORLD, world_grid_place)                                                                        \
    K(World, WORLD, world_find_grid)                                                                         \
    K(World, WORLD, world_find_out)                                                                          \
    K(World, WORLD, world_wake_beside)                                                                       \
    K(World, WORLD, world_add)                                                                               \
    K(World, WORLD, world_moved_done)                                                                        \
    K(World, WORLD, world_order_keys)                                                                        \
    K(World, WORLD, world_order_move)                                                                        \
    K(World, WORLD, world_table_fill)                                                                        \
    K(World, WORLD, world_survey)                                                                            \
    K(World, WORLD, world_narrow_boxes)                                                                      \
    K(World, WORLD, world_narrow_rounds)                                                                     \
    K(World, WORLD, world_narrow_ball_box)                                                                   \
    K(World, WORLD, world_narrow_box_ball)                                                                   \
    K(World, WORLD, world_narrow_convex)                                                                     \
    K(World, WORLD, world_narrow_mesh)                                                                       \
    K(World, WORLD, world_narrow_sensors)                                                                    \
    K(World, WORLD, world_colours)                                                                           \
    K(World, WORLD, world_joint_colours)                                                                     \
    K(World, WORLD, world_bid)                                                                               \
    K(World, WORLD, world_take)                                                                              \
    K(World, WORLD, world_bucket_keys)                                                                       \
    K(World, WORLD, world_bucket_runs)                                                                       \
    K(World, WORLD, world_joint_counts)                                                                      \
    K(World, WORLD, world_bucket_table)                                                                      \
    K(World, WORLD, world_bucket_place)                                                                      \
    K(World, WORLD, world_joint_place)                                                                       \
    K(World, WORLD, world_overflow_keys)                                                                     \
    K(World, WORLD, world_overflow_slots)                                                                    \
    K(World, WORLD, world_push_keys)                                                                         \
    K(World, WORLD, world_split_count)                                                                       \
    K(World, WORLD, world_split_apply)                                                                       \
    K(World, WORLD, world_pieces_begin)                                                                      \
    K(World, WORLD, world_group_pieces)                                                                      \
    K(World, WORLD, world_body_begin)                                                                        \
    K(World, WORLD, world_body_velocity)                                                                     \
    K(World, WORLD, world_body_position)                                                                     \
    K(World, WORLD, world_body_finish)                                                                       \
    WORLD_CONTACT_KERNELS(K, 1)                                                                              \
    WORLD_CONTACT_KERNELS(K, 2)                                                                              \
    WORLD_CONTACT_KERNELS(K, 4)                                                                              \
    K(World, WORLD, world_joint_prepare)                                                                     \
    K(World, WORLD, world_joint_warm)                                                                        \
    K(World, WORLD, world_joint_solve)                                                                       \
    K(World, WORLD, world_joint_relax)                                                                       \
    K(World, WORLD, world_joint_store)                                                                       \
    K(World, WORLD, world_joint_breaks)                                                                      \
    WORLD_SOR_KERNELS(K, 1)                                                                                  \
    WORLD_SOR_KERNELS(K, 2)                                                                                  \
    WORLD_SOR_KERNELS(K, 4)                                                                                  \
    K(World, WORLD, world_sor_begin)                                                                         \
    K(World, WORLD, world_sor_finish)                                                                        \
    K(World, WORLD, world_sor_joint_assemble)                                                                \
    K(World, WORLD, world_sor_joint_init)                                                                    \
    K(World, WORLD, world_sor_joint_sweep)                                                                   \
    K(World, WORLD, world_sor_joint_store)                                                                   \
    K(World, WORLD, world_sor_groups)                                                                        \
    K(World, WORLD, world_sor_asked)                                                                         \
    K(World, WORLD, world_sor_check)                                                                         \
    K(World, WORLD, world_sweep)                                                                             \
    K(World, WORLD, world_sweep_beyond)                                                                      \
    K(World, WORLD, world_sweep_lag)                                                                         \
    K(World, WORLD, world_stop)                                                                              \
    K(World, WORLD, world_quarantine)                                                                        \
    K(World, WORLD, world_stir)                                                                              \
    K(World, WORLD, world_stir_joined)                                                                       \
    K(World, WORLD, world_tire)                                                                              \
    K(World, WORLD, world_unite)                                                                             \
    K(World, WORLD, world_unite_joints)                                                                      \
    K(World, WORLD, world_least_rest)                                                                        \
    K(World, WORLD, world_fall_asleep)                                                                       \
    K(World, WORLD, world_approach)                                                                          \
    K(World, WORLD, world_hits)                                                                              \
    K(World, WORLD, world_tell)                                                                              \
    K(World, WORLD, world_tell_bodies)                                                                       \
    K(World, WORLD, world_wake_touched)                                                                      \
    K(World, WORLD, world_stir_touched)                                                                      \
    K(World, WORLD, world_cloth_first)                                                                       \
    K(World, WORLD, world_unite_touched)                                                                     \
    K(World, WORLD, world_cloth_awake)                                                                       \
    K(Instance, INSTANCE, instance_fill)                                                                     \
    FABRIC_KERNELS(K)

/// cloth that touches cloth: one lane, and not for OpenCL
#define SELF_KERNELS(K)                                                                                      \
    K(Self, SELF, self_survey)                                                                               \
    K(Self, SELF, self_survey_groups)                                                                        \
    K(Self, SELF, self_plan)                                                                                 \
    K(Self, SELF, self_plan_groups)                                                                          \
    K(Self, SELF, self_reach)                                                                                \
    K(Self, SELF, self_grow)                                                                                 \
    K(Self, SELF, self_boxes)                                                                                \
    K(Self, SELF, self_groups)                                                                               \
    K(Self, SELF, self_find_triangles)                                                                       \
    K(Self, SELF, self_find_edges)                                                                           \
    K(Self, SELF, self_find_crossings)                                                                       \
    K(Self, SELF, self_begin)                                                                                \
    K(Self, SELF, self_base)                                                                                 \
    K(Self, SELF, self_near)                                                                                 \
    K(Self, SELF, self_touch)                                                                                \
    K(Self, SELF, self_push)                                                                                 \
    K(Self, SELF, self_pushed)                                                                               \
    K(Self, SELF, self_goal)                                                                                 \
    K(Self, SELF, self_limit)                                                                                \
    K(Self, SELF, self_hand)                                                                                 \
    K(Self, SELF, self_handed)                                                                               \
    K(Self, SELF, self_advance)                                                                              \
    K(Self, SELF, self_check)                                                                                \
    K(Self, SELF, self_return)

/// impacts in stages, one lane; a program of its own for OpenCL
#define IMPACT_KERNELS(K)                                                                                    \
    K(Impact, IMPACT, circle_bisect)                                                                         \
    K(Impact, IMPACT, circle_advance_free)                                                                   \
    K(Impact, IMPACT, circle_advance_summed)                                                                 \
    K(Impact, IMPACT, circle_change)                                                                         \
    K(Impact, IMPACT, circle_impulse)                                                                        \
    K(Impact, IMPACT, circle_advance_together)                                                               \
    K(Impact, IMPACT, polygon_box)                                                                           \
    K(Impact, IMPACT, polygon_candidate)                                                                     \
    K(Impact, IMPACT, polygon_bisect)                                                                        \
    K(Impact, IMPACT, polygon_bisect_wrong)                                                                  \
    K(Impact, IMPACT, polygon_change)                                                                        \
    K(Impact, IMPACT, polygon_impulse)                                                                       \
    K(Impact, IMPACT, polygon_advance_free)                                                                  \
    K(Impact, IMPACT, polygon_advance_hit)                                                                   \
    K(Impact, IMPACT, impact_least)

/// rays through a rigid world on a device, in double precision
#define QUERY_KERNELS(K)                                                                                     \
    K(Query, QUERY, query_rays_closest)                                                                      \
    K(Query, QUERY, query_rays_any)
