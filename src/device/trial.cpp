// SPDX-License-Identifier: MIT
// trial.cpp — see trial.h.
#include "device/trial.h"

#include <bit>
#include <vector>

namespace scree {

bool arithmetic_agrees(Device& device) {
    using namespace kernels;
    constexpr std::uint32_t count = 4096;
    std::vector<std::uint32_t> first(4 * count), second(4 * count), found(4 * count);
    for (std::uint32_t i = 0; i < first.size(); ++i) {
        first[i] = hash_word(i) & 0x7fffffffu;
        second[i] = hash_word(i + 4 * count) & 0x7fffffffu;
    }
    for (std::uint32_t i = 0; i < count / 4; ++i) first[4 * i] &= 0x807fffffu;

    Buffer buffers[] = {device.allocate(16 * count), device.allocate(16 * count),
                        device.allocate(16 * count)};
    device.upload(buffers[0], first.data(), 16 * count);
    device.upload(buffers[1], second.data(), 16 * count);
    bool equal = true;
    for (const auto function : {PROBE_divide, PROBE_square_root, PROBE_multiply, PROBE_add, PROBE_dot}) {
        const ProbeParams params{static_cast<std::uint32_t>(function)};
        device.launch(KernelId::probe_run, count, buffers, &params, sizeof params);
        device.download(found.data(), buffers[2], 16 * count);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto at = [i](const std::vector<std::uint32_t>& words) {
                const auto word = [&](std::uint32_t w) { return std::bit_cast<float>(words[4 * i + w]); };
                return real4{word(0), word(1), word(2), word(3)};
            };
            const float host = probe_value(params.function, at(first), at(second)).x;
            const float here = std::bit_cast<float>(found[4 * i]);
            if (std::bit_cast<std::uint32_t>(host) != found[4 * i] && !(host != host && here != here))
                equal = false;
        }
    }
    for (Buffer& buffer : buffers) device.release(buffer);
    return equal;
}

} // namespace scree
