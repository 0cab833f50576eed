// SPDX-License-Identifier: MIT
// arrays.h — a cloth world's arrays on its device, and the launches over them.
#pragma once

#include "device/device.h"
#include "scree/cloth.h"
#include "scree/shared_poses.h"

#include <array>
#include <vector>

namespace scree {

/// The host's copy of a sheet between steps: four words a vertex, as on the device.
struct ClothVertices {
    std::vector<float> position, last;
};

/// Owns the device buffers. Vertices go in by upload(), come out by download(); in between only run_step() changes them.
class ClothArrays {
public:
    /// `most_memory` bytes of the device at most, 0: no limit.
    ClothArrays(std::shared_ptr<Device> device, std::uint64_t most_memory);
    ~ClothArrays();
    ClothArrays(const ClothArrays&) = delete;
    ClothArrays& operator=(const ClothArrays&) = delete;

    Device& device() const { return *device_; }

    void upload(const ClothSettings& settings, int substeps, const std::vector<ClothVertices>& sheets);
    void upload_colliders(const std::vector<ClothCollider>& colliders);
    void download(std::vector<ClothVertices>& sheets) const;
    std::vector<Vec3> download_normals();

    /// One step of all sheets. Moves the colliders.
    void run_step(std::vector<ClothCollider>& colliders, const std::optional<ClothTouch>& touch);
    /// Of all sheets, for a step.
    ClothSurvey survey();
    /// Low and high corner of each sheet's bounds.
    std::vector<std::array<Vec3, 2>> extents();
    /// Positions and normals of all sheets into a renderer's memory.
    void write_vertices(SharedVertices& to);
    std::uint64_t bytes() const;

private:
    enum Slot : unsigned {
#define SCREE_SLOT(name) name,
        CLOTH_BUFFERS(SCREE_SLOT, SCREE_SLOT)
#undef SCREE_SLOT
            slot_count
    };
    using Buffers = std::array<Buffer, slot_count>;
    /// The arrays that each sheet has for itself; the others are shared.
    static constexpr Slot own[] = {position, last, next, normal};

    void resize(Buffer& buffer, std::size_t items);
    void put(Buffer& buffer, const std::vector<float>& words);
    void upload_neighbours(const ClothFacts& facts);
    void launch(KernelId kernel, Buffers& sheet, std::uint32_t items);
    /// What was written becomes what is read.
    void take_next(Buffers& sheet, Slot replaced);
    void move(Buffers& sheet);
    void need_normals();
    /// The one entry that is left of a sheet when `further` has made one of sixteen again and again.
    std::array<float, 4> reduce(KernelId first, KernelId further, Buffers& sheet);
    /// The buffers of a sheet with the shared ones among them.
    Buffers complete(const Buffers& sheet) const;

    std::shared_ptr<Device> device_;
    std::uint64_t most_memory_;
    kernels::ClothParams params_{};
    ClothModel model_{};
    int substeps_ = 1, iterations_ = 1;
    float substep_ = 0; ///< s
    ClothFacts facts_;
    Buffers shared_{};
    std::vector<Buffers> sheets_;
    bool normals_known_ = false;
};

} // namespace scree
