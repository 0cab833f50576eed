// SPDX-License-Identifier: MIT
// scene_world.cpp — see scene_world.h.
#include "scene_world.h"

#include <algorithm>
#include <limits>

namespace scree::bench {

SceneWorld::SceneWorld(const BenchScene& scene, const WorldSettings& settings, const Place& place)
    : scene_(scene.rigid),
      paths_(scene.paths),
      world_(settings_of(scene, settings), place.expecting(scene.rigid.bodies.size())),
      bodies_(scene.rigid.bodies.size()) {
    const auto from = [&](std::uint32_t body) { return scene.lives.empty() ? 0 : scene.lives[body].from; };
    for (std::uint32_t i = 0; i < scene_.bodies.size(); ++i) {
        changes_[from(i)].born.push_back(i);
        if (!scene.lives.empty() && scene.lives[i].until < scene.steps)
            changes_[scene.lives[i].until].gone.push_back(i);
    }
    for (std::uint32_t i = 0; i < scene_.joints.size(); ++i) {
        const RigidJointDef& joint = scene_.joints[i];
        changes_[std::max(from(joint.first), from(*joint.second))].joints.push_back(i);
    }
    // the world is complete before the clock runs
    if (const auto start = changes_.find(0); start != changes_.end()) {
        apply(start->second);
        changes_.erase(start);
    }
}

void SceneWorld::apply(const Changes& changes) {
    for (const std::uint32_t body : changes.gone) world_.destroy(bodies_[body]); // and its joints
    for (const std::uint32_t body : changes.born)
        bodies_[body] = add_scene_body(world_, scene_, scene_.bodies[body]);
    for (const std::uint32_t joint : changes.joints) add_scene_joint(world_, scene_.joints[joint], bodies_);
}

void SceneWorld::step() {
    if (const auto now = changes_.find(steps_); now != changes_.end()) apply(now->second);
    for (const BenchScene::Path& path : paths_)
        world_.set_target(bodies_[path.body], path.after(steps_), {}, scene_.time_step);
    world_.step(scene_.time_step);
    ++steps_;
}

std::vector<RigidPose> SceneWorld::poses() const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<RigidPose> poses;
    poses.reserve(bodies_.size());
    for (const BodyId body : bodies_) {
        if (!world_.alive(body)) {
            poses.push_back({{none, none, none}, {}, {}, {}});
            continue;
        }
        const BodyState state = world_.state(body);
        poses.push_back({world_.position(body), state.rotation, state.velocity, state.angular_velocity});
    }
    return poses;
}

bool SceneWorld::asleep() const {
    return std::all_of(bodies_.begin(), bodies_.end(), [&](BodyId body) {
        return !world_.alive(body) || world_.type(body) != BodyType::dynamic || world_.state(body).asleep;
    });
}

} // namespace scree::bench
