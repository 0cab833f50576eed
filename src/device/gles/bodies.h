// SPDX-License-Identifier: MIT
// bodies.h — draws circles or polygons straight from the streams of impacts in stages: the vertex shader places local vertices.
#pragma once

#include "scree/gles.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace scree::gles {

/// Streams as in kernels/impact_params.h; index and vertex of polygons, null for circles.
struct BodyStreams {
    Stream *place, *motion, *index, *vertex;
};

class Bodies {
public:
    Bodies(const Context& context, const BodyStreams& streams, int most_corners);
    ~Bodies();
    /// The square from -half to half.
    void draw(int side, float half);
    std::vector<std::uint8_t> read() const; ///< RGBA, rows from below

private:
    struct Target;
    std::shared_ptr<ContextState> state_;
    BodyStreams streams_;
    int corners_;
    std::unique_ptr<Program> program_;
    std::unique_ptr<Target> target_;
};

} // namespace scree::gles
