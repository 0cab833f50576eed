# the kernel files that make up the programs of the gles device, in order
set(SCREE_GLSL_KERNELS
    dialect_glsl.h functions.h rotation.h granular_params.h granular_contact.h granular_grid.h granular_body.h
    granular_obstacle.h cloth_params.h cloth_motion.h cloth_collision.h probe.h)
