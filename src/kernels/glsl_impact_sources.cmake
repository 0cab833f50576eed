# the kernel files that make up the passes of impacts in stages, in order
set(SCREE_GLSL_IMPACT_KERNELS
    dialect_glsl.h functions.h impact_params.h impact_circle.h impact_motion.h impact_polygon.h impact_contact.h impact_bisect.h)
