// SPDX-License-Identifier: MIT
// device.h — the interface of all devices: buffers, launches of the kernels in kernel_table.h, sort, scan, timing.
//
// All calls are asynchronous unless they return data; one queue, in order. A Buffer belongs to the device that made it
// and must not outlive it. Kernels see flat arrays of 32-bit words.
#pragma once

#include "device/kernel_table.h"
#include "device/kernel_times.h"
#include "scree/place.h"
#include "scree/shared_poses.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Device memory. `raw` is a host pointer (cpu), a device pointer (cuda) or a cl_mem (opencl).
struct Buffer {
    void* raw = nullptr;
    std::size_t bytes = 0;
};

/// Solvers of a rigid world that a device may run in one launch.
enum class OneLaunch { soft_step, sor_step, sor_on_chip };

/// Transfers since the device was opened, and memory in use.
struct DeviceTraffic {
    std::uint64_t uploaded = 0, downloaded = 0; ///< bytes
    std::uint64_t uploads = 0, downloads = 0;   ///< calls
    std::uint64_t allocated = 0;                ///< bytes held now
    std::uint64_t launches = 0;
};

class Device {
public:
    virtual ~Device() = default;

    virtual const DeviceReport& report() const = 0;
    /// Another queue on the same hardware, with its own buffers, counters and timing; shares the rest.
    virtual std::unique_ptr<Device> another() const = 0;
    /// items by which arrays are padded so that lane-wide loads stay inside
    virtual std::uint32_t padding() const = 0;

    // memory -----------------------------------------------------------------------------------------------------
    virtual Buffer allocate(std::size_t bytes) = 0; ///< throws Error with the size when memory is short
    virtual void release(Buffer& buffer) = 0;       ///< leaves it empty; may be empty already
    virtual void upload(const Buffer& to, const void* from, std::size_t bytes, std::size_t offset = 0) = 0;
    virtual void download(void* to, const Buffer& from, std::size_t bytes, std::size_t offset = 0) = 0;
    /// the first `bytes` of one buffer to the beginning of another
    virtual void copy(const Buffer& to, const Buffer& from, std::size_t bytes) = 0;
    /// Starts to copy the first `bytes` to the host, after all work queued so far; later work does not wait for it. Lanes 0 and
    /// 1 are independent; a new read of a lane replaces the last.
    virtual void begin_read(unsigned lane, const Buffer& from, std::size_t bytes);
    /// Waits for the lane's copy; null when none was started.
    virtual const void* end_read(unsigned lane);
    /// The device's cudaStream_t, for kernels of users; null on other devices.
    virtual void* queue() const { return nullptr; }
    /// A host pointer to the buffer, valid once queued work is done; null where memory is not shared.
    virtual const void* host_view(const Buffer&) { return nullptr; }
    virtual void fill(const Buffer& buffer, std::uint32_t value, std::size_t words,
                      std::size_t first_word = 0) = 0;

    /// Memory of OpenGL as a buffer of kernels, until end_shared: drawing that was queued before comes first, and drawing after that
    /// sees what the kernels wrote. Throws Error saying why where the device cannot.
    virtual Buffer begin_shared(GraphicsBuffer& memory);
    virtual void end_shared(GraphicsBuffer& memory);
    /// The first `bytes` of a buffer, to byte `offset` of memory of OpenGL.
    struct SharedCopy {
        Buffer from;
        std::size_t bytes = 0, offset = 0;
    };
    /// Replaces what the memory holds. Throws Error saying why where the device cannot.
    virtual void copy_to_shared(GraphicsBuffer& memory, std::span<const SharedCopy> parts);

    // work -------------------------------------------------------------------------------------------------------
    /// Runs `kernel` for items 0 … items-1. `buffers` in the order of the kernel's buffer list; `params` is its Params
    /// struct.
    virtual void launch(KernelId kernel, std::uint32_t items, std::span<const Buffer> buffers,
                        const void* params, std::size_t params_bytes) = 0;
    /// Runs the solver of a rigid step in one launch, whose stages wait for each other on the device. Takes the buffers of its
    /// kernels and a WorldSolve (kernels/rigid_schedule.h). Returns false where the device cannot do that.
    virtual bool solve_world(OneLaunch, std::span<const Buffer>, const void*, std::size_t) { return false; }
    /// Runs a sweep over the constraints of cloth in one launch, whose stages wait for each other on the device: those of `sweep` in the
    /// array `stages` of the buffers. Returns false where the device cannot do that.
    virtual bool sweep_cloth(std::span<const Buffer>, const kernels::FabricSweep&) { return false; }
    /// Stable sort of `count` keys (the low `bits` bits) with their values; `spare_*` are scratch of equal size.
    /// The result is in keys and values.
    virtual void sort(const Buffer& keys, const Buffer& values, const Buffer& spare_keys,
                      const Buffer& spare_values, std::uint32_t count, int bits) = 0;
    /// The same with 64-bit keys.
    virtual void sort64(const Buffer& keys, const Buffer& values, const Buffer& spare_keys,
                        const Buffer& spare_values, std::uint32_t count, int bits) = 0;
    /// out[i] = in[0] + … + in[i-1] modulo 2^32; in and out may be the same buffer.
    virtual void exclusive_scan(const Buffer& in, const Buffer& out, std::uint32_t count) = 0;
    virtual void finish() = 0;

    // timing -----------------------------------------------------------------------------------------------------
    /// Switches stage timing on or off and clears the totals.
    virtual void time_stages(bool on) = 0;
    /// Work from here on belongs to `stage` (0 … 15); -1 ends the last one. Nothing happens while timing is off.
    virtual void mark(int stage) = 0;
    /// Seconds in each stage since time_stages(true).
    virtual std::array<double, 16> stage_seconds() = 0;
    /// Switches timing by kernel on or off and clears the totals. Off, it costs nothing; on, short kernels seem longer.
    virtual void time_kernels(bool) {}
    /// Kernels that ran since time_kernels(true); empty where the device has no such timers.
    virtual std::vector<KernelTime> kernel_times() { return {}; }

    const DeviceTraffic& traffic() const { return traffic_; }

    /// allocate() under a limit: `held` bytes are in use of at most `most`; 0: no limit.
    Buffer allocate_within(std::uint64_t most, std::uint64_t held, std::size_t bytes);

protected:
    DeviceTraffic traffic_;

private:
    std::array<std::vector<std::byte>, 4> read_;
};

} // namespace scree
