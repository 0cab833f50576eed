# the kernel files that make up the OpenCL program, in order
set(SCREE_OPENCL_KERNELS
    dialect.h functions.h rotation.h granular_params.h granular_contact.h granular_grid.h granular_body.h
    granular_obstacle.h granular_search.h granular_stages.h granular_scalar_stages.h
    cloth_params.h cloth_motion.h cloth_collision.h probe.h table.h
    opencl_entry.h opencl_sort.h)
