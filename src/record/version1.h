// SPDX-License-Identifier: MIT
// version1.h — recordings of format version 1, which hold shapes and obstacles in place of an appearance.
#pragma once

#include "record/format.h"
#include "scree/granular.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scree::record {

struct Version1 {
    RecordingHeader header;
    std::vector<GranularShape> shapes;
    std::vector<Obstacle> obstacles;
    Vec3 low{}, high{}; ///< around the bodies of the first frame
};

Version1 decode_version1(std::span<const std::uint8_t> bytes, const std::string& where);
/// Throws Error when the frame refers to shapes or obstacles that are not in the header.
void check_frame(const Version1& recording, const FrameWords& words, const std::string& where);
/// Sets low and high.
void bound_bodies(Version1& recording, const FrameWords& first);
/// Uses the appearance `known` if it fits.
Frame frame_of(const Version1& recording, const FrameWords& words,
               const std::shared_ptr<const Appearance>& known);

} // namespace scree::record
