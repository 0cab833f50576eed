// SPDX-License-Identifier: MIT
// ragdolls.cpp — the generator of ragdolls, as make_ragdoll makes them; see bodies.h.
//
// Dolls stand in layers of columns × columns. The origin is the pelvis of the doll in the middle of the lowest layer.
#include "scene/generated.h"
#include "scene/rigid/bodies.h"
#include "world/ragdoll_plan.h"

#include <cmath>
#include <memory>
#include <numbers>

namespace scree {

void RigidBodyList::ragdolls(const Fields& fields) {
    Model part = model(fields);
    const RagdollDef usual;
    const auto height = static_cast<double>(fields.number("height", usual.height, positive));
    const bool limits = !fields.has("limits") || fields.at("limits").flag();
    const float friction = fields.number("friction", usual.friction, not_negative);
    const bool tumble = fields.has("tumble") && fields.at("tumble").flag();
    const auto spacing = static_cast<double>(fields.number("spacing", usual.height, positive));
    const Vec3 origin = fields.vector("origin", {0, static_cast<float>(0.5 * height), 0});
    Field number = fields.at("count");
    const auto total = static_cast<std::uint64_t>(number.integer(1, 1'000'000));
    std::uint64_t columns = 1;
    if (auto given = fields.find("columns"))
        columns = static_cast<std::uint64_t>(given->integer(1, 1'000'000));
    else
        while (columns * columns * columns < total) ++columns;
    Random random(seed_of(fields, *options_), generators_);

    reserve(number, Ragdoll::parts * total, (Ragdoll::parts - 1) * total);
    std::uint32_t shapes[Ragdoll::parts];
    double mass = 0;
    for (std::size_t k = 0; k < Ragdoll::parts; ++k) {
        const Capsule capsule = ragdoll_capsule(ragdoll_plan[k], {}, height).capsule;
        RigidShape shape;
        shape.parts.push_back({capsule, {}});
        const double density = double{part.body.density.value_or(shape.parts[0].definition.density)};
        const double r = double{capsule.radius}, length = 2 * double{capsule.half_height};
        mass += part.body.mass ? double{*part.body.mass}
                               : density * std::numbers::pi * r * r * (length + 4 * r / 3);
        shapes[k] = add_shape(fields.field(), std::move(shape));
    }
    const auto torque = static_cast<float>(double{friction} * mass * height);
    const std::vector<Paint> paints = std::move(part.paints);
    part.paints.clear();
    for (std::uint64_t i = 0; i < total; ++i) {
        const std::uint64_t site = i % (columns * columns);
        const auto along = [&](std::uint64_t k) {
            return spacing * (static_cast<double>(k) - static_cast<double>(columns - 1) / 2);
        };
        const std::uint64_t layer = i / (columns * columns);
        const DPose at{wide(origin) + DVec3{along(site / columns), spacing * static_cast<double>(layer),
                                            along(site % columns)},
                       tumble ? wide(random.rotation()) : DQuat{}};
        if (!paints.empty()) part.body.paint = paints[i % paints.size()];
        std::uint32_t first = 0;
        for (std::size_t k = 0; k < Ragdoll::parts; ++k) {
            const DPose pose = ragdoll_capsule(ragdoll_plan[k], at, height).pose;
            part.body.shape = shapes[k];
            const std::uint32_t now = place(fields.field(), part, pose.position, narrow(pose.rotation));
            if (k == 0) {
                first = now;
                continue;
            }
            const JointDef def = ragdoll_joint(ragdoll_plan[k], at, height, limits, torque);
            RigidJointDef joint{.type = def.type,
                                .first = now,
                                .second = first + static_cast<std::uint32_t>(ragdoll_plan[k].on),
                                .anchor = narrow(def.anchor),
                                .axis = def.axis};
            JointDef motion;
            motion.limit = def.limit, motion.swing = def.swing, motion.drive = def.drive;
            joint.motion = std::make_shared<const JointDef>(motion);
            rigid_->joints.push_back(std::move(joint));
        }
    }
}

} // namespace scree
