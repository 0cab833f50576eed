// SPDX-License-Identifier: MIT
// seed_grid.h — the uniform grid with home and phantom cells of Peres 2008, after Le Grand 2007.
//
// Objects are bounding spheres. An object has an entry in its home cell, which holds its centre, and one in every other
// cell that its sphere, enlarged by the root of two, touches: its phantom cells, at most seven. If two spheres overlap,
// one of them has an entry in the other's home cell, so within a cell only homes are tested against homes and phantoms.
// Cells are labelled 1 ... 8 by the parities of their indices; labels and masks of labels (control bits) decide in
// which of two cells a pair is tested, so that no pair comes twice.
//
// Cell indices are wrapped into the bits that each axis has. The labels of wrapped indices are those of the true ones, so
// wrapping costs tests of distant objects, but neither loses nor repeats a pair.
#pragma once

#include "collision/bounds.h"
#include "scree/math.h"
#include "scree/place.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree {

enum class Extent : std::uint8_t {
    bounded,
    unbounded, ///< a large shape of a static body, outside the grid: tested against every bounded sphere
    plane      ///< a pair with every bounded object
};

struct SeedGridInput {
    std::span<const float> spheres;          ///< x y z radius for each object
    std::span<const std::uint32_t> body;     ///< objects of one body are never a pair
    std::span<const std::uint8_t> unbounded; ///< an Extent for each object
    /// edge; at least 1.5 times the diameter of the largest enlarged sphere, and that where it is less or 0
    float cell = 0;
    Vec3 origin{};
    std::array<int, 3> bits{10, 11, 11}; ///< of each axis in a cell's id, at most 32 together
};

/// Where cells are.
struct SeedGridFrame {
    double cell = 1;
    Vec3 origin{};
    std::array<int, 3> bits{10, 11, 11};

    std::uint32_t id(const std::array<std::uint32_t, 3>& index) const; ///< of indices that fit their bits
};

/// The cells of one object, home first.
struct SeedCells {
    std::array<std::uint32_t, 8> id{};
    std::array<std::uint8_t, 8> label{}; ///< 1 ... 8
    int count = 0;
    /// eleven bits: home label - 1 in the lowest three, then one for each label among the cells
    std::uint16_t control = 0;
};

constexpr std::uint16_t seed_control(unsigned home_label, unsigned mask) {
    return static_cast<std::uint16_t>((home_label - 1) | mask << 3);
}
constexpr unsigned seed_home_label(std::uint16_t control) { return (control & 7u) + 1; }
constexpr unsigned seed_mask(std::uint16_t control) { return control >> 3; }
constexpr unsigned seed_label_bit(unsigned label) { return 1u << (label - 1); }

SeedCells seed_cells(const SeedGridFrame& frame, const float* sphere);

/// Whether, in the home cell of one, it is tested against the phantom of the other. It is not where the other's home
/// comes earlier and the first has a cell of that label: if that is the other's home they were tested there, and if it
/// is another cell they are too far apart.
constexpr bool seed_tests(std::uint16_t home, std::uint16_t phantom) {
    const unsigned other = seed_home_label(phantom);
    return !(other < seed_home_label(home) && (seed_mask(home) & seed_label_bit(other)) != 0);
}

class SeedGrid {
public:
    /// Appends the pairs of objects, as positions in the input, whose spheres overlap; each once, in no order that
    /// matters, the same on any number of workers. Throws Error, naming the value, for bits that do not fit and for
    /// what is not finite or a negative radius.
    void pairs(TaskSystem& tasks, const SeedGridInput& input, std::vector<ProxyPair>& out);
    /// The pairs of bounded objects that the grid has tested, overlapping or not.
    void candidates(TaskSystem& tasks, const SeedGridInput& input, std::vector<ProxyPair>& out);

    /// The objects of the last call: bounded ones from the front in their order, unbounded ones from the back.
    std::span<const std::uint32_t> objects() const { return object_; }
    const SeedGridFrame& frame() const { return frame_; } ///< of the last call
    std::size_t entries() const { return cell_.size(); }  ///< homes and phantoms of the last call
    std::size_t memory() const;                           ///< bytes

private:
    void prepare(const SeedGridInput& input);
    void make_entries(TaskSystem& tasks, const SeedGridInput& input);
    /// The cells that begin among these entries.
    template <class Test>
    void walk(const SeedGridInput& input, std::size_t begin, std::size_t end, Test test) const;
    /// find(begin, end, pairs) over chunks of `count`; what they find comes in the order of the chunks.
    template <class Find>
    void find_in_chunks(TaskSystem& tasks, std::size_t count, std::vector<ProxyPair>& out, const Find& find);

    SeedGridFrame frame_;
    /// bounded objects from the front, unbounded ones from the back
    std::vector<std::uint32_t> object_;
    std::uint32_t bounded_ = 0;
    std::vector<std::uint16_t> control_; ///< by position in object_
    /// entries: the cell, and the position in object_ with the highest bit set for phantoms. Homes are made before
    /// phantoms and the sort is stable, so within a cell they are so again.
    std::vector<std::uint32_t> cell_, entry_, spare_cell_, spare_entry_, histogram_;
    // of each chunk
    struct Phantoms {
        std::vector<std::uint32_t> cell, entry;
    };
    std::vector<Phantoms> phantoms_;
    std::vector<std::vector<ProxyPair>> found_;
};

} // namespace scree
