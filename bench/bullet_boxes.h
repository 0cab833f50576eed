// SPDX-License-Identifier: MIT
// bullet_boxes.h — the cubes of a scene as boxes in Bullet: exact geometry, the reference engine of the thesis.
#pragma once

#include "row.h"
#include "scree/granular_scene.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scree::bench {

/// Why Bullet cannot be measured; nothing when it can.
std::optional<std::string> bullet_missing();
std::string bullet_version();

class BulletBoxes {
public:
    /// Boxes of the shapes' half sides where the bodies are, a ground and four walls. Throws Error without Bullet.
    explicit BulletBoxes(const Scene& scene);
    ~BulletBoxes();
    BulletBoxes(BulletBoxes&&) noexcept;

    void step(int count);
    /// Milliseconds a step for each block.
    std::vector<double> time_steps(int steps, int block);
    std::uint32_t asleep() const;
    /// Overlaps are the penetrations of Bullet's own contact points; coordination counts pairs of boxes.
    Quality quality() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace scree::bench
