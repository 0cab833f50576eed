# the kernel files that make up the OpenCL program, in order
set(SCREE_OPENCL_KERNELS
    dialect.h functions.h rotation.h granular_params.h granular_contact.h granular_grid.h granular_body.h
    granular_obstacle.h granular_search.h granular_stages.h granular_scalar_stages.h
    cloth_params.h cloth_motion.h cloth_collision.h probe.h table.h
    opencl_entry.h opencl_sort.h)
# those of impacts in stages are a program of their own, compiled when it is needed
set(SCREE_OPENCL_IMPACT_KERNELS
    dialect.h functions.h impact_params.h impact_circle.h impact_motion.h impact_polygon.h impact_contact.h impact_bisect.h
    table.h opencl_entry.h)
