// SPDX-License-Identifier: MIT
// traffic.cpp — see traffic.h.
#include "traffic.h"

#include "device/device.h"
#include "scree/error.h"
#include "stopwatch.h"

#include <algorithm>
#include <bit>

namespace scree::bench {

namespace {

constexpr double word = 4, vector = 16; // bytes of an index and of a four-word attribute

} // namespace

std::array<StageBytes, granular_stage_names.size()> stage_bytes(const GranularSettings& settings,
                                                                int passes) {
    std::array<StageBytes, granular_stage_names.size()> table{};
    const auto at = [&](GranularStage stage) -> StageBytes& {
        return table[static_cast<std::size_t>(stage)];
    };

    // sorted keys in, the start of each cell out; there are about as many cells as particles
    at(GranularStage::reset_grid) = {word + word, 0};
    // place: body in; position, rotation, omega, spin of the body in; key and number out.
    // sort, each pass: keys for the histogram, keys and numbers in, keys and numbers out
    at(GranularStage::insert) = {3 * word + passes * 5 * word, 4 * vector};
    // number and body in, position and velocity out; five attributes of the body in
    at(GranularStage::gather) = {2 * word + 2 * vector, 5 * vector};
    // position, velocity and number in, the cell's start in, force and torque out; angular velocity of the body in.
    // with history: the springs in and out
    const double springs =
        settings.contact == ContactModel::history ? 2 * vector * settings.contact_memory : 0;
    at(GranularStage::force) = {2 * vector + 2 * word + vector + 2 * word + springs, vector};
    // force and torque in; five attributes and the wake flag of the body in, both momenta out
    at(GranularStage::momenta) = {vector + 2 * word, 7 * vector + word};
    // five attributes in and out, the wake flag out
    at(GranularStage::body_step) = {0, 10 * vector + word};
    return table;
}

std::array<double, granular_stage_names.size()> step_bytes(const GranularWorld& world) {
    const double particles = world.particle_count(), bodies = world.body_count();
    // keys number the cells of the table, which holds about one cell a particle: so many bits, eight a pass
    const int bits = std::max(1, static_cast<int>(std::bit_width(world.particle_count())));
    const auto table = stage_bytes(world.settings(), (bits + 7) / 8);
    std::array<double, granular_stage_names.size()> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = world.substeps() * (table[i].per_particle * particles + table[i].per_body * bodies);
    return bytes;
}

double measured_bandwidth(Device& device) {
    // a kernel that does next to nothing with what it streams: 32 bytes in and 16 out for each item
    constexpr std::uint32_t items = 1u << 23;
    constexpr int launches = 10;
    constexpr double bytes = double{items} * 3 * vector * launches;
    std::array<Buffer, 3> buffers;
    try {
        for (Buffer& buffer : buffers) buffer = device.allocate(std::size_t{items} * 16);
    } catch (const Error&) {
        for (Buffer& buffer : buffers) device.release(buffer);
        return 0;
    }
    for (const std::size_t given : {0u, 1u}) device.fill(buffers[given], 0, std::size_t{items} * 4);
    const kernels::ProbeParams params{kernels::PROBE_add};
    double best = 0;
    // the first pass touches the memory for the first time
    for (int pass = 0; pass < 5; ++pass) {
        device.finish();
        const Stopwatch clock;
        for (int k = 0; k < launches; ++k)
            device.launch(KernelId::probe_run, items, buffers, &params, sizeof params);
        device.finish();
        const double seconds = clock.seconds();
        if (pass > 0 && seconds > 0) best = std::max(best, bytes / seconds);
    }
    for (Buffer& buffer : buffers) device.release(buffer);
    return best;
}

double copy_bandwidth(Device& device) {
    constexpr std::size_t bytes = std::size_t{1} << 28;
    constexpr int copies = 4;
    std::array<Buffer, 2> buffers;
    try {
        for (Buffer& buffer : buffers) buffer = device.allocate(bytes);
    } catch (const Error&) {
        for (Buffer& buffer : buffers) device.release(buffer);
        return 0;
    }
    device.fill(buffers[0], 0, bytes / 4);
    double best = 0;
    // the first pass touches the memory for the first time
    for (int pass = 0; pass < 4; ++pass) {
        device.finish();
        const Stopwatch clock;
        for (int k = 0; k < copies; ++k) device.copy(buffers[1], buffers[0], bytes);
        device.finish();
        const double seconds = clock.seconds();
        if (pass > 0 && seconds > 0) best = std::max(best, 2.0 * copies * bytes / seconds);
    }
    for (Buffer& buffer : buffers) device.release(buffer);
    return best;
}

} // namespace scree::bench
