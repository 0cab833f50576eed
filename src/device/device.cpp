// SPDX-License-Identifier: MIT
// device.cpp — functions common to all devices.

#include "device/device.h"

#include "scree/error.h"

#include <algorithm>

namespace scree {

Buffer Device::allocate_within(std::uint64_t most, std::uint64_t held, std::size_t bytes) {
    if (most && bytes > most - std::min(held, most))
        throw Error(std::to_string(bytes) + " bytes of the device are needed, " + std::to_string(held) +
                        " of at most " + std::to_string(most) + " are taken",
                    "memory");
    return allocate(bytes);
}

Buffer Device::begin_shared(GraphicsBuffer&) {
    throw Error("it shares no memory with OpenGL", report().name);
}

void Device::end_shared(GraphicsBuffer&) {}

void Device::copy_to_shared(GraphicsBuffer&, std::span<const SharedCopy>) {
    throw Error("it copies no buffers into memory of OpenGL", report().name);
}

void Device::begin_read(unsigned lane, const Buffer& from, std::size_t bytes) {
    read_[lane].resize(bytes);
    download(read_[lane].data(), from, bytes);
}
const void* Device::end_read(unsigned lane) { return read_[lane].empty() ? nullptr : read_[lane].data(); }

} // namespace scree
