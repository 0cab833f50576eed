// SPDX-License-Identifier: MIT
// self_contact.h — cloth that touches itself and other cloth: near pairs, push to the thickness with friction, and a truncation of
// every substep's motion after which no edge passes through a triangle, if none did before.
//
// In a step:      begin_step, then for each substep: begin_substep, … the solver predicts positions …, push, truncate.
// Positions are four floats a vertex: x, y, z in m, and the inverse mass in 1/kg; 0: held. Results have the same bits on every device and
// number of threads. What each stage does and why it is safe: kernels/self_stages.h.
#pragma once

#include "device/device.h"
#include "scree/math.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree {

struct SelfCloth {
    float thickness =
        0.002f;            ///< m, the distance kept between two layers; between two cloths the mean of both
    float friction = 0.3f; ///< Coulomb's coefficient; of two cloths the geometric mean
    bool collides = true;  ///< false: neither with itself nor with other cloth
};

/// Of the last step that was surveyed (truncated … broken: sums over its substeps), and of its last list and substep.
struct SelfCounters {
    std::uint32_t candidates = 0; ///< pairs in the list
    std::uint32_t near = 0;       ///< pairs with a plane: touching, limiting or both
    std::uint32_t touching = 0;
    std::uint32_t limiting = 0;
    std::uint32_t truncated = 0; ///< vertices that were stopped short
    std::uint32_t forced = 0; ///< held vertices that were stopped short: they come after when there is room
    std::uint32_t outrun = 0; ///< vertices that were stopped because they were faster than the list foresaw
    std::uint32_t broken = 0; ///< positions that were not finite; such a vertex stays where it is
    std::uint32_t intersections = 0; ///< edges through triangles at the last check
    std::uint32_t ungapped = 0;      ///< pairs that touch exactly: left alone
    std::uint32_t returned =
        0; ///< vertices that went back to where their substep began, for rounding had brought a pair together
    std::uint64_t lists = 0;    ///< lists made since set_mesh
    std::uint64_t added = 0;    ///< times that a list was added to since set_mesh
    std::uint64_t searches = 0; ///< of near pairs since set_mesh
};

/// The candidates of the last list, for checks.
struct SelfPairs {
    std::vector<std::array<std::uint32_t, 4>> vertices; ///< vertex and triangle; or the ends of two edges
    std::vector<bool> edges;                            ///< the pair is of two edges
    std::vector<float> listed; ///< of each vertex: position when it was listed, reach
};

class SelfContact {
public:
    /// `most_memory` bytes of the device at most, 0: no limit. The device must outlive this.
    explicit SelfContact(Device& device, std::uint64_t most_memory = 0);
    ~SelfContact();
    SelfContact(const SelfContact&) = delete;
    SelfContact& operator=(const SelfContact&) = delete;

    /// Three vertices a triangle; the cloth of each vertex; positions of the shape without stress, x y z for each vertex: parts of one
    /// cloth that are nearer to each other there than the thickness keep that distance instead. Throws Error for a vertex or
    /// cloth that does not exist, and for values out of range.
    void set_mesh(std::span<const std::uint32_t> triangles, std::span<const std::uint32_t> cloth_of_vertex,
                  std::span<const SelfCloth> cloths, std::span<const float> rest);

    /// Before the first substep of `dt` seconds: looks at all velocities (four floats a vertex) and decides how long a list is to
    /// last. Waits for the device once.
    void begin_step(const Buffer& position, const Buffer& velocity, float dt, const Vec3& gravity = {});
    /// `start`: where a substep of `h` seconds begins.
    void begin_substep(const Buffer& start, float h);
    /// Pushes pairs nearer than their thickness apart, with friction against the motion since `start`. Call it when `position` is nearly
    /// what the substep's solver makes of it: pairs are chosen by it, of candidates that are listed if it is time, and until truncate() vertices may go only a tenth of their
    /// thickness farther.
    void push(const Buffer& position, const Buffer& start, float h);
    /// The end of the substep: `position` becomes free of intersections, if `start` was. Held vertices have the right of way, but stop where
    /// others cannot yield: whoever leads them must do so again in each substep.
    /// `support`, if there is any: of each vertex the sum of the normals of the bodies that push it, four floats.
    void truncate(const Buffer& position, const Buffer& start, const Buffer& support = {});

    /// Of each vertex, four floats: momentum times the substep, kg m, that truncate() took from others and could not hand on to other
    /// cloth. The caller adds it to velocities, or to bodies.
    const Buffer& load() const { return buffers_[load_]; }

    /// Positions changed other than by substeps: the next step looks for intersections. Vertices that are part of one or near it
    /// are not truncated against each other, nor pushed, and come apart (untangle.h).
    void moved() {
        list_valid_ = false;
        suspect_ = true;
    }
    /// Edges that pass through or touch a triangle, of which no vertex is theirs. Waits for the device.
    std::uint32_t count_intersections(const Buffer& position);

    /// As of the last begin_step.
    const SelfCounters& counters() const { return counters_; }
    /// Up to now. Waits for the device.
    SelfCounters read_counters();
    SelfPairs read_pairs();      ///< waits for the device
    std::uint64_t bytes() const; ///< of the device
    std::uint32_t vertices() const { return params_.vertices; }
    std::uint32_t edges() const { return params_.edges; }

private:
    enum Slot : unsigned {
#define SCREE_SLOT(name) name##_,
        SELF_BUFFERS(SCREE_SLOT, SCREE_SLOT)
#undef SCREE_SLOT
            slot_count
    };
    using Buffers = std::array<Buffer, slot_count>;
    static constexpr unsigned first_owned = rest_; ///< those before are the caller's

    void grow(Buffer& buffer, std::uint64_t words);
    void grow_pairs(std::uint64_t pairs);
    template <class Word>
    void put(Buffer& buffer, std::span<const Word> words);
    void launch(KernelId kernel, std::uint32_t items);
    void launch_pairs(KernelId kernel, std::uint32_t pairs);
    void clear(unsigned first_fact, unsigned facts);
    void build_tree(bool of_edges, bool bare, std::uint32_t adding);
    void find_crossings();
    void plan_lists(float h);
    void foresee(int span);
    float floor_of(float time) const;
    float near_ways() const;
    bool take_candidates();
    void list_candidates();
    bool add_candidates(std::uint32_t vertices);
    void find_near(const Buffer& position, const Buffer& start, float h);
    void hand_on();
    void put_back();
    void take(const std::uint32_t* facts);

    Device& device_;
    std::uint64_t most_memory_;
    kernels::SelfParams params_{};
    Buffers buffers_{};
    bool on_host_ = false;
    float thickness_ = 0;   ///< m, the largest
    float edge_length_ = 0; ///< m, mean of the shape without stress

    bool list_valid_ = false, suspect_ = true;
    bool near_valid_ = false,
         near_found_ = false; ///< near pairs are there; were looked after in this substep
    bool flags_clear_ = false;
    float dt_ = 0, far_ = 0; ///< s; m, the largest coordinate
    float pull_ = 0;         ///< m/s², gravity
    float mean_[3] = {},
          gain_[3] = {}; ///< m/s, of all vertices, if they have a common way; m/s², how it changes
    int list_span_ = 1,
        substep_ = 0;                ///< substeps of a list, 0: one for each, late; substeps since begin_step
    int substeps_ = 1;               ///< of a step
    float speed_ = 0;                ///< m/s, root of the mean square, against the common way
    float surprise_ = 0;             ///< m/s²
    std::uint32_t listed_pairs_ = 0; ///< of the list, when it was made
    SelfCounters counters_;
};

} // namespace scree
