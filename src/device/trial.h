// SPDX-License-Identifier: MIT
// trial.h — whether a device that does not promise IEEE arithmetic keeps to it.
#pragma once

#include "device/device.h"

namespace scree {

/// Adds, multiplies, divides and takes roots of many numbers, denormal ones among them, and compares with the host to the bit. An
/// a b + c that the device fuses shows, too.
bool arithmetic_agrees(Device& device);

} // namespace scree
