// SPDX-License-Identifier: MIT
// pipeline_field.h — the fields' forces on the bodies of worlds on a device.   compiles as: host, cuda

/// field_shapes: where the fields of each world begin, and one more; from `first` on where each body's shapes begin in it, and one
/// more; the shapes, in the order of each body's list. `count`: substeps
KERNEL_FN void world_fields(u32 b, const WorldView w, const WorldParams p) {
    const u32 world = b / p.body_stride, begin = w.field_shapes[world], end = w.field_shapes[world + 1];
    const u32* shapes = w.field_shapes + p.first + b;
    if (begin == end || !is_movable(w.body_flags[b])) return;
    real4 inverse0 = load4(w.inverse_mass, 2 * b), inverse1 = load4(w.inverse_mass, 2 * b + 1);
    if (!(inverse1.z > 0.0f)) return;
    FieldTarget target;
    target.at = xyz(load4(w.position, b));
    target.turn = quat_of(load4(w.rotation, b));
    target.v = xyz(load4(w.motion, 4 * b));
    target.at_low =
        xyz(load4(w.carry, CARRY_QUADS * b + CARRY_POSITION)) + target.v * field_lead(p.dt, p.count);
    target.w = xyz(load4(w.motion, 4 * b + 1));
    target.inverse_mass = inverse1.z;
    target.inverse_inertia = (inverse0.x + inverse0.y) + inverse0.z;
    target.gravity = make_real3(p.gravity_x, p.gravity_y, p.gravity_z);
    FieldSum sum = no_field();
    for (u32 k = begin; k < end; ++k) {
        const f32* field = w.fields + 4 * FIELD_QUADS * static_cast<std::size_t>(k);
        if (static_cast<u32>(as_whole(field[0])) == FIELD_ATTRACTOR) {
            field_on_body(&sum, field, &target);
            continue;
        }
        for (u32 n = shapes[0]; n < shapes[1]; ++n)
            field_on_shape(&sum, field, &target, shape_facts(w.field_shapes[n], w));
    }
    field_store(&sum, &target, p.dt, w.force + 8 * static_cast<std::size_t>(b));
}
