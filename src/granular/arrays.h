// SPDX-License-Identifier: MIT
// arrays.h — a granular world's arrays on its device, and the launches over them.
#pragma once

#include "device/device.h"
#include "scree/granular.h"

#include <array>
#include <vector>

namespace scree {

/// The host's copy of the bodies between steps.
struct GranularBodies {
    std::vector<GranularBodyState> state;
    std::vector<float> rest; ///< seconds at rest; negative: frozen
    std::uint32_t particles = 0;
    /// The device holds bodies in an order of its own, neighbours in space near each other in memory: body slots[k] is
    /// the k-th there. A body keeps its place for good; new ones come behind.
    std::vector<std::uint32_t> slots;
    std::vector<std::uint32_t> first_particle; ///< of body k there, by body number
};

/// Owns the device buffers. Host state goes in by upload(), comes out by download(); in between only run_substep() changes it.
class GranularArrays {
public:
    /// `most_memory` bytes of the device at most, 0: no limit.
    GranularArrays(std::shared_ptr<Device> device, std::uint64_t most_memory,
                   const GranularSettings& settings);
    ~GranularArrays();
    GranularArrays(const GranularArrays&) = delete;
    GranularArrays& operator=(const GranularArrays&) = delete;

    Device& device() const { return *device_; }
    const kernels::GranularParams& params() const { return params_; }

    /// Everything onto the device; buffers grow. Tangential springs of particles that were there before are kept.
    void upload(const std::vector<GranularShape>& shapes, const GranularBodies& bodies,
                const std::vector<Obstacle>& obstacles, int substeps);
    void download(GranularBodies& bodies) const;
    void download_obstacles(std::vector<Obstacle>& obstacles) const;
    std::vector<Vec3> download_forces() const;
    /// The bodies, and behind them what is given by its pose.
    void write_poses(const GranularBodies& bodies, const std::vector<Pose>& others, SharedPoses& to);

    /// Tangential springs of all particles; put back, they are what the next upload keeps.
    std::vector<float> springs() const;
    void put_springs(const std::vector<float>& springs);

    /// Takes effect with the next upload. Springs are kept as long as each particle has as many.
    void change_settings(const GranularSettings& settings);

    /// One substep of time_step / substeps.
    void run_substep();
    struct Measured {
        /// of each particle: its largest overlap, sum of overlaps, contacts, contacts within its body
        std::vector<std::array<float, 4>> overlaps;
        std::vector<std::uint32_t> sorted_cells; ///< of each particle, ascending
    };
    /// The present state, in cells without a skin, which are the same on every device. Leaves the forces alone.
    Measured measure();
    std::uint32_t memory_overflows() const;

    /// Looks at the bodies' bounds and fits the grid to them; true when every body sleeps and nothing drives them.
    bool survey();
    std::uint64_t bytes() const;

private:
    enum Slot : unsigned {
#define SCREE_SLOT(name) name,
        GRANULAR_BUFFERS(SCREE_SLOT, SCREE_SLOT)
#undef SCREE_SLOT
            slot_count
    };

    void check_room(std::uint64_t bodies, std::uint64_t particles) const;
    Buffer allocate(std::size_t bytes) {
        return device_->allocate_within(most_memory_, this->bytes(), bytes);
    }
    void resize(Slot slot, std::size_t words);
    void put(Slot slot, const std::vector<float>& values);
    void put(Slot slot, const std::vector<std::uint32_t>& values);
    std::vector<float> get(Slot slot, std::size_t words) const;
    void launch(KernelId kernel, std::uint32_t items);
    void sort_into_cells(const Buffer& spare_keys, const Buffer& spare_order);
    void size_cells(float skin);
    void fit_grid(Vec3 low, Vec3 high);
    void refresh();
    bool keeps_lists() const { return skin_ > 0; }
    void build_lists();
    void watch_drift();
    void upload_obstacles(const std::vector<Obstacle>& obstacles);

    std::shared_ptr<Device> device_;
    std::uint64_t most_memory_;
    GranularSettings settings_;
    kernels::GranularParams params_{};
    std::array<Buffer, slot_count> buffers_{};
    std::uint32_t remembered_particles_ = 0; ///< whose springs `memory` holds
    float reach_ = 0;                        ///< from a body's centre to its farthest surface
    float touch_ = 0;                        ///< m between the centres of two largest particles that touch
    Vec3 low_{}, high_{};                    ///< the bodies' bounds that the grid was fitted to
    bool free_obstacles_ = false;
    float skin_ = 0;   ///< m beyond touching that kept lists reach; 0: none are kept
    double drift_ = 0; ///< m that the fastest particle may have moved since the lists were made
    bool lists_valid_ = false;
    Buffer instances_{}; ///< the table of kernels/instance_params.h
    std::uint64_t instances_revision_ = 0;
    bool instances_stale_ = true;
};

} // namespace scree
