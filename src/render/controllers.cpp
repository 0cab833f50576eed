// SPDX-License-Identifier: MIT
// controllers.cpp — see controllers.h.
#include "render/controllers.h"

#include "scree/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace scree::render {

namespace {

/// The rest of a division, from 0 on also for what is below 0.
double wrapped(double value, double length) { return value - std::floor(value / length) * length; }

} // namespace

PositionController::PositionController(PositionId node, std::vector<Key> keys, bool repeat)
    : node_(node), keys_(std::move(keys)), repeat_(repeat) {
    if (keys_.empty()) throw Error("has no keys; expected at least one", "position controller");
    for (std::size_t i = 1; i < keys_.size(); ++i)
        if (!(keys_[i].seconds > keys_[i - 1].seconds))
            throw Error("key " + std::to_string(i) + " is at " + std::to_string(keys_[i].seconds) +
                            " s; expected more than the " + std::to_string(keys_[i - 1].seconds) +
                            " s of the key before",
                        "position controller");
}

bool PositionController::run(Renderer& renderer, const FrameTime& time) {
    PositionTree& tree = renderer.positions();
    if (!tree.alive(node_)) return false;
    const double first = keys_.front().seconds, length = keys_.back().seconds - first;
    const double now = repeat_ && length > 0 ? first + wrapped(time.seconds - first, length) : time.seconds;
    const auto next = std::upper_bound(keys_.begin(), keys_.end(), now,
                                       [](double t, const Key& key) { return t < key.seconds; });
    Transform local = tree.local(node_);
    if (next == keys_.begin()) {
        local.position = keys_.front().position;
    } else if (next == keys_.end()) {
        local.position = keys_.back().position;
    } else {
        const Key& before = *(next - 1);
        const auto share = static_cast<float>((now - before.seconds) / (next->seconds - before.seconds));
        local.position = before.position + (next->position - before.position) * share;
    }
    tree.set(node_, local);
    return true;
}

RotationController::RotationController(PositionId node, Vec3 axis, float speed)
    : node_(node), axis_(normalized(axis)), speed_(speed) {
    if (!(length(axis_) > 0)) throw Error("the axis has no length", "rotation controller");
}

bool RotationController::run(Renderer& renderer, const FrameTime& time) {
    PositionTree& tree = renderer.positions();
    if (!tree.alive(node_)) return false;
    Transform local = tree.local(node_);
    if (!begun_) {
        begun_ = true;
        begin_ = time.seconds;
        first_ = local.rotation;
    }
    // within one turn, so that hours are as exact as seconds
    const double angle = wrapped((time.seconds - begin_) * speed_, 2 * std::numbers::pi);
    local.rotation = rotation_about(axis_, static_cast<float>(angle)) * first_;
    tree.set(node_, local);
    return true;
}

bool TextureScrollController::run(Renderer& renderer, const FrameTime& time) {
    if (!renderer.description().alive(node_)) return false;
    TextureTechnique& texture = renderer.description().edit_texture(node_);
    TextureWindow window = texture.window();
    window.offset_u = static_cast<float>(wrapped(time.seconds * speed_u_, 1));
    window.offset_v = static_cast<float>(wrapped(time.seconds * speed_v_, 1));
    texture.set_window(window);
    return true;
}

FlipbookController::FlipbookController(DescriptionId node, int columns, int rows, double pictures_per_second,
                                       int count)
    : node_(node), columns_(columns), rows_(rows), count_(count), rate_(pictures_per_second) {
    if (columns < 1 || rows < 1 || count < 0 || count > static_cast<long long>(columns) * rows)
        throw Error(std::to_string(count) + " pictures in " + std::to_string(columns) + " columns and " +
                        std::to_string(rows) + " rows are not possible",
                    "flipbook controller");
    if (count_ == 0) count_ = columns * rows;
}

bool FlipbookController::run(Renderer& renderer, const FrameTime& time) {
    if (!renderer.description().alive(node_)) return false;
    const int picture =
        std::clamp(static_cast<int>(wrapped(std::floor(time.seconds * rate_), count_)), 0, count_ - 1);
    const int column = picture % columns_, row = picture / columns_;
    const float width = 1 / static_cast<float>(columns_), height = 1 / static_cast<float>(rows_);
    renderer.description().edit_texture(node_).set_window(
        {static_cast<float>(column) * width, static_cast<float>(row) * height, width, height});
    return true;
}

} // namespace scree::render
