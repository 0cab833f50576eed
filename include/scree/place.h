// SPDX-License-Identifier: MIT
// place.h — where worlds run: a device, threads, lanes, a memory limit.
//
//     World world({.gravity = {0, -9.81f, 0}}, "cuda");
//     World quiet({}, {{.threads = 2}});
//     Place place({.device = "auto", .expected_items = 50000}); // one place for any number of worlds of any kind
//     World bodies({}, place);
//     GranularWorld grains({}, place);
//
// A place never changes a bit of a world's results. Use each world from one thread at a time; worlds that share a place may
// be used from different threads at once: while the place's threads serve one world, others run on their calling threads.
#pragma once

#include "scree/error.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace scree {

class Device; // src/device/device.h; not for users

/// Your own task system, for CPU work. `run` must call `task(0) … task(count - 1)`, each once, on any threads, and return
/// when all are done. Called during step(), and by the first query after thousands of bodies were added; from several
/// threads at once if you step worlds that way.
class TaskSystem {
public:
    virtual ~TaskSystem() = default;
    virtual int workers() const = 0; ///< how many tasks run at a time, 1 or more
    virtual void run(int count, const std::function<void(int)>& task) = 0;
};

/// One line of `scree devices`.
struct DeviceReport {
    std::string name;        ///< value for PlaceOptions::device
    std::string description; ///< hardware and driver
    bool available = false;
    bool same_bits =
        false; ///< division and square root are correctly rounded: results equal the CPU's to the bit
    std::string reason; ///< why it is unavailable
};

/// All devices known to Scree, unavailable ones included. Never throws.
std::vector<DeviceReport> list_devices();

struct PlaceOptions {
    /// "cpu", "cuda", "cuda:1", "opencl", "opencl:0.1" (platform.device), "gles"; "cpu:kernels": a GPU's kernels on the CPU, slow;
    /// "auto" takes a GPU for worlds large enough to run faster there
    std::string device = "cpu";
    /// CPU threads, default: all cores. On a GPU: host threads that prepare large batches of new bodies.
    int threads = 0;
    int lanes = 0; ///< SIMD lanes: 1 (scalar), 4, 8 or 16; default: the widest in hardware
    /// Ranges into which each thread's share of a stage is cut on the CPU, of what runs in launches: all cloth, particles and
    /// "cpu:kernels". 0: about eight, fewer of small stages; 1: the stage is as many nearly equal ranges as there are threads.
    int ranges_per_thread = 0;
    std::uint64_t memory = 0;       ///< limit of device memory for each world, in bytes; default: none
    TaskSystem* tasks = nullptr;    ///< replaces the threads; not owned
    std::size_t expected_items = 0; ///< for "auto": bodies or particles in each world
    /// "gles": share objects with the context of OpenGL ES that is current on this thread, through EGL, so that what worlds compute is
    /// drawn there without passing the host (shared_poses.h)
    bool share_graphics = false;
};

/// A handle: copies share the device and the threads, which end with the last copy and the last world. Threads start on first
/// use.
class Place {
public:
    /// "cpu" with all cores: the place that worlds share by default.
    Place();
    /// Throws Error when the device does not exist or an option is out of range; its where() names the option.
    Place(const PlaceOptions& options);
    Place(const char* device);
    template <std::same_as<std::string> Name>
    Place(const Name& device) : Place(device.c_str()) {}

    const PlaceOptions& options() const; ///< with "auto" replaced by its device once that is decided
    const std::string& device() const;   ///< "auto" until a world decides; see World::place
    const DeviceReport& report() const;
    int threads() const;
    int lanes() const;

    /// The same place for worlds of at least `items` bodies or particles; for an "auto" that is not decided yet.
    Place expecting(std::size_t items) const;
    /// The same place with "auto" decided: a GPU if there is one and at least `gpu_from` items are expected, otherwise the CPU.
    /// Worlds call it with World::gpu_from or GranularWorld::gpu_from.
    Place decided(std::size_t gpu_from) const;

    /// Whether both share device and threads.
    friend bool operator==(const Place&, const Place&) = default;

    struct Opened; ///< src/device/opened.h; not for users
    const Opened& opened() const { return *opened_; }

private:
    explicit Place(std::shared_ptr<const Opened> opened) : opened_(std::move(opened)) {}
    std::shared_ptr<const Opened> opened_;
};

} // namespace scree
