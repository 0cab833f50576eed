// SPDX-License-Identifier: MIT
// host_memory.h — memory of the host in the place of a buffer of OpenGL, for poses that a device writes.
#pragma once

#include "scree/shared_poses.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::test {

class HostMemory final : public GraphicsBuffer {
public:
    explicit HostMemory(std::size_t bytes) : words_(bytes / 4) {}
    std::uint32_t gl_name() const override { return 0; }
    std::size_t bytes() const override { return 4 * words_.size(); }
    void* map() override { return words_.empty() ? nullptr : words_.data(); }
    void unmap() override {}
    const std::uint32_t* words() const { return words_.data(); }

private:
    std::vector<std::uint32_t> words_;
};

/// A colour for each body, and its complement when it sleeps.
inline SharedPoses room_for(HostMemory& memory, std::uint32_t room, std::size_t bodies) {
    SharedPoses to{&memory, room, {}, {}, 1};
    for (std::uint32_t b = 0; b < bodies; ++b) to.awake.push_back(b + 1), to.asleep.push_back(~(b + 1));
    return to;
}

} // namespace scree::test
