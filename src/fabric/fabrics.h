// SPDX-License-Identifier: MIT
// fabrics.h — all cloths of a rigid world on its device: their arrays, and the launches of a step.
//
// Vertices go in by put(), come out by download(); in between only substep() changes them. Contacts are found anew in each step, so
// positions and velocities are all the state there is.
#pragma once

#include "device/device.h"
#include "fabric/level_arrays.h"
#include "fabric/plan.h"
#include "fabric/self_contact.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace scree {

constexpr float farthest_vertex = 1e6f; ///< m: no coordinate of a vertex is as large

/// A cloth as the device is given it; quads as in kernels/fabric_params.h.
struct FabricSource {
    const ClothDef* cloth = nullptr;
    const FabricPlan* plan = nullptr;
    std::span<const float> position,
        velocity;         ///< quads of its vertices; the velocities' last word is not read
    std::size_t held = 0; ///< vertices; others of inverse mass 0 are frozen
};

struct FabricPin {
    std::uint32_t vertex, body;
    Vec3 point; ///< in the body's frame, from its centre of mass
    friend bool operator==(const FabricPin&, const FabricPin&) = default;
};

/// The arrays of the rigid world on the same device.
struct FabricBodies {
    Buffer position, rotation, motion, inverse_mass, free;
    std::uint32_t count = 0;
};

class Fabrics {
public:
    /// `most_memory` bytes of the device at most, 0: no limit.
    Fabrics(std::shared_ptr<Device> device, std::uint64_t most_memory);
    ~Fabrics();
    Fabrics(const Fabrics&) = delete;
    Fabrics& operator=(const Fabrics&) = delete;

    /// Replaces everything.
    void put(std::span<const FabricSource> cloths);
    /// Positions and velocities alone, as download() gave them.
    void put_vertices(std::span<const float> position, std::span<const float> velocity);
    void put_pins(std::span<const FabricPin> pins); ///< vertices are counted over all cloths
    void put_shapes(std::span<const std::uint32_t> table, std::span<const std::uint32_t> words);
    std::uint32_t vertices() const { return params_.vertices; }

    // sleep -------------------------------------------------------------------------------------------------------
    /// Cloths that sleep, or want to: bit k of the answers is that of beds[k]; the last bit is shared by all beyond.
    struct Bed {
        Filter filter{};
        bool self_collides = false;
        float thickness = 0;
        std::span<const Vec3> boxes;           ///< low and high of all, then of patches
        std::span<const std::uint32_t> bodies; ///< that wake it
        std::uint32_t bit = 0;
    };
    void put_beds(std::span<const Bed> beds);
    /// Bits of those that a body or an awake cloth comes near to in a step, or whose body moves. `settling`: of cloths that are awake
    /// themselves, without the bodies they touch.
    std::uint32_t disturbed(const FabricBodies& bodies, const Vec3& gravity, float dt, bool settling);
    /// Speed of the fastest vertex of each cloth.
    std::vector<float> paces();

    /// Finds the contacts of a step.
    void begin_step(const FabricBodies& bodies, const Vec3& gravity, float dt);
    /// Of each body: bits of the cloths that touch it, as begin_step found it; the last is shared by all beyond.
    Buffer touched() const { return buffers_[touched_slot]; }
    /// Within a substep of the rigid world of h seconds, when its bodies have their new velocities and not yet their new places.
    void substep(const FabricBodies& bodies, float h);
    /// Of cloth with cloth, as of the last step; zero where no cloth has self_collision.
    SelfCounters self_counters();
    /// Edges through triangles when they were last looked for; waits for nothing.
    std::uint32_t intersections_found() const { return self_collides_ ? self_.counters().intersections : 0; }
    bool frozen() const; ///< some vertex became non-finite, since put() or before

    /// Quads of vertices from `first` on; the last word of a velocity is the number of its cloth.
    void download(std::uint32_t first, std::span<float> position, std::span<float> velocity) const;
    std::uint64_t bytes() const;
    Device& device() const { return *device_; }

private:
    enum Slot : unsigned {
#define SCREE_SLOT(name) name##_slot,
        FABRIC_BUFFERS(SCREE_SLOT, SCREE_SLOT)
#undef SCREE_SLOT
            slot_count
    };
    void reserve(Slot slot, std::size_t words); ///< keeps nothing; new words are 0
    void reserve(Buffer& buffer, std::size_t words);
    template <class Word>
    void put(Slot slot, const std::vector<Word>& words);
    void launch(KernelId kernel, std::uint32_t items);
    void use(const FabricBodies& bodies);
    void find_presses(); ///< contacts of triangles and lines
    void sort_presses();
    void put_levels(std::span<const FabricSource> cloths, const std::vector<std::uint32_t>& first);
    void plan_sweep();
    void sweep(); ///< levels, edges, hinges, tethers
    void smaller_step();

    std::shared_ptr<Device> device_;
    std::uint64_t most_memory_;
    kernels::FabricParams params_{};
    std::array<Buffer, slot_count> buffers_{};
    std::array<Buffer, 2> spare_{}, press_spare_{}; ///< for sorting
    std::vector<ColourRange> edges_, hinges_;
    std::vector<LevelRange> levels_; ///< finest first
    /// A launch of a sweep.
    struct Stage {
        KernelId kernel;
        std::uint32_t first, items;
    };
    std::vector<Stage> stages_; ///< of a substep, in order
    std::uint32_t widest_ = 0;  ///< items of the largest
    std::uint32_t bed_bodies_ = 0;
    bool tethered_ = false, touching_ = false;
    SelfContact self_;
    bool self_collides_ = false;
};

} // namespace scree
