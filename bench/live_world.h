// SPDX-License-Identifier: MIT
// live_world.h — a world of rigid bodies or of grains, as the benchmarks that draw and read step it.
#pragma once

#include "scree/appearance.h"
#include "scree/shared_poses.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace scree::bench {

class LiveWorld {
public:
    virtual ~LiveWorld() = default;
    /// A sixtieth of a second, to its end.
    virtual void step() = 0;
    virtual std::uint32_t body_count() const = 0;
    virtual Appearance look() const = 0;
    virtual void show(Frame& frame) const = 0;
    virtual void show_shared(SharedPoses& to, Frame& frame) const = 0;
    /// Brings the positions of all bodies to the host, as a program reads them.
    virtual void read() const = 0;
    /// The same beside the next step: what begin_read() found is on the host after end_read(). False: there is no such way.
    virtual bool begin_read() { return false; }
    virtual void end_read() {}
    virtual std::uint64_t downloaded() const = 0; ///< bytes, from its device to the host
};

/// A scene of `scree bench rigid`, or a granular one of `scree scenes` with so many bodies. Throws Error naming `option`.
std::unique_ptr<LiveWorld> make_live_world(const std::string& name, std::optional<std::uint64_t> bodies,
                                           const std::string& device, const std::string& option);

} // namespace scree::bench
