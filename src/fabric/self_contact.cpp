// SPDX-License-Identifier: MIT
// self_contact.cpp — see self_contact.h.
#include "fabric/self_contact.h"

#include "fabric/intersections.h"
#include "fabric/untangle.h"
#include "scree/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace scree {
namespace {

constexpr int rounds = 3;              ///< of a truncation
constexpr int hand_passes = 16;        ///< layers that hand on what truncation takes, in a substep
constexpr float stuck_substeps = 3;    ///< what gravity makes of rest in so many still counts as rest
constexpr float recovery_speed = 0.2f; ///< m/s, at which pairs nearer than their thickness come apart
constexpr float untangle_speed = 0.4f; ///< m/s, at which tangled cloth comes apart
constexpr float most_surprise = 10, least_surprise = 0.5f; ///< m/s², what a list foresees beyond velocities
constexpr float most_edges = 3; ///< a vertex goes at most this many mean edges in a fast substep
constexpr std::uint32_t most_added =
    8;                               ///< a list is added to if no more than this part of the vertices need it
constexpr float most_growth = 1.25f; ///< and until it holds so many times the pairs it had
constexpr std::uint32_t device_items = 1 << 18; ///< of a launch over pairs, where items are threads

/// Puts parts of a mesh, each of `corners` vertices, in an order in which every aligned power of two of them in a row is compact in
/// the shape without stress, and of one cloth where that can be.
class Ordering {
public:
    Ordering(std::span<const std::uint32_t> parts, std::size_t corners,
             std::span<const std::uint32_t> cloth_of_vertex, std::span<const float> rest) {
        items_.resize(parts.size() / corners);
        for (std::size_t i = 0; i < items_.size(); ++i) {
            Item& item = items_[i];
            item.number = static_cast<std::uint32_t>(i);
            item.cloth = cloth_of_vertex[parts[i * corners]];
            for (std::size_t k = 0; k < corners; ++k)
                for (std::size_t c = 0; c < 3; ++c) item.at[c] += rest[3 * parts[i * corners + k] + c];
        }
        split(0, items_.size());
        ordered_.reserve(parts.size());
        for (const Item& item : items_)
            for (std::size_t k = 0; k < corners; ++k) ordered_.push_back(parts[item.number * corners + k]);
    }
    const std::vector<std::uint32_t>& ordered() const { return ordered_; }

private:
    struct Item {
        float at[3] = {};
        std::uint32_t cloth, number;
    };

    void split(std::size_t begin, std::size_t end) {
        if (end - begin <= 1u << SELF_TREE_BITS) return;
        const std::size_t middle = begin + std::bit_floor(end - begin - 1);
        const auto place = [&](std::size_t k) { return items_.begin() + static_cast<std::ptrdiff_t>(k); };
        std::nth_element(place(begin), place(middle), place(end),
                         [](const Item& a, const Item& b) { return a.cloth < b.cloth; });
        // the cloth that is cut, across its longest side
        const std::uint32_t cut = items_[middle].cloth;
        float low[3], high[3];
        std::fill_n(low, 3, INFINITY);
        std::fill_n(high, 3, -INFINITY);
        for (std::size_t k = begin; k < end; ++k)
            for (int c = 0; c < 3 && items_[k].cloth == cut; ++c) {
                low[c] = std::min(low[c], items_[k].at[c]);
                high[c] = std::max(high[c], items_[k].at[c]);
            }
        int axis = 0;
        for (int c = 1; c < 3; ++c)
            if (high[c] - low[c] > high[axis] - low[axis]) axis = c;
        std::nth_element(place(begin), place(middle), place(end), [axis](const Item& a, const Item& b) {
            if (a.cloth != b.cloth) return a.cloth < b.cloth;
            return a.at[axis] != b.at[axis] ? a.at[axis] < b.at[axis] : a.number < b.number;
        });
        split(begin, middle);
        split(middle, end);
    }

    std::vector<Item> items_;
    std::vector<std::uint32_t> ordered_;
};

void check_mesh(std::span<const std::uint32_t> triangles, std::span<const std::uint32_t> cloth_of_vertex,
                std::span<const SelfCloth> cloths, std::span<const float> rest) {
    const std::string where = "SelfContact::set_mesh";
    const std::size_t n = cloth_of_vertex.size();
    if (triangles.size() % 3 != 0)
        throw Error("got " + std::to_string(triangles.size()) + " indices: expected three for each triangle",
                    where);
    if (n >= 1u << 31 || triangles.size() / 3 >= 1u << 28)
        throw Error("expected fewer than 2^31 vertices and 2^28 triangles", where);
    if (rest.size() != 3 * n)
        throw Error("got " + std::to_string(rest.size()) + " rest coordinates: expected " +
                        std::to_string(3 * n),
                    where);
    for (std::size_t k = 0; k < triangles.size(); ++k)
        if (triangles[k] >= n)
            throw Error("triangle " + std::to_string(k / 3) + " has vertex " + std::to_string(triangles[k]) +
                            ": expected a number below " + std::to_string(n),
                        where);
    for (std::size_t v = 0; v < n; ++v)
        if (cloth_of_vertex[v] >= cloths.size())
            throw Error("vertex " + std::to_string(v) + " is of cloth " + std::to_string(cloth_of_vertex[v]) +
                            ": expected a number below " + std::to_string(cloths.size()),
                        where);
    for (std::size_t c = 0; c < cloths.size(); ++c) {
        if (!(cloths[c].thickness > 0 && cloths[c].thickness <= 10))
            throw Error("cloth " + std::to_string(c) + ": invalid thickness " +
                            std::to_string(cloths[c].thickness) + ": expected more than 0 and at most 10 m",
                        where);
        if (!(cloths[c].friction >= 0 && cloths[c].friction <= 100))
            throw Error("cloth " + std::to_string(c) + ": invalid friction " +
                            std::to_string(cloths[c].friction) + ": expected a number from 0 to 100",
                        where);
    }
}

/// Which vertices may pass through each other, and how they come apart: to `tangled` and behind the loads.
void put_untangling(Device& device, const Buffer& position, const Buffer& triangle, const Buffer& edge,
                    const Buffer& tangled, const Buffer& load, const kernels::SelfParams& params) {
    const std::size_t n = params.vertices;
    std::vector<float> x(4 * n);
    std::vector<std::uint32_t> triangles(std::size_t{3} * params.triangles),
        edges(std::size_t{2} * params.edges);
    device.download(x.data(), position, x.size() * 4);
    device.download(triangles.data(), triangle, triangles.size() * 4);
    device.download(edges.data(), edge, edges.size() * 4);
    const Untangling apart = untangle(triangles, edges, x, untangle_speed);
    device.upload(tangled, apart.tangled.data(), 4 * n);
    device.upload(load, apart.motion.data(), 16 * n, 16 * n);
}

} // namespace

SelfContact::SelfContact(Device& device, std::uint64_t most_memory)
    : device_(device), most_memory_(most_memory) {}

SelfContact::~SelfContact() {
    for (unsigned slot = first_owned; slot < slot_count; ++slot) device_.release(buffers_[slot]);
}

std::uint64_t SelfContact::bytes() const {
    std::uint64_t sum = 0;
    for (unsigned slot = first_owned; slot < slot_count; ++slot) sum += buffers_[slot].bytes;
    return sum;
}

/// The content is lost.
void SelfContact::grow(Buffer& buffer, std::uint64_t words) {
    const std::uint64_t wanted = std::max<std::uint64_t>(words, 64) * 4;
    if (buffer.bytes >= wanted) return;
    device_.release(buffer);
    buffer = device_.allocate_within(most_memory_, bytes(), wanted);
    device_.fill(buffer, 0, wanted / 4);
}

void SelfContact::grow_pairs(std::uint64_t pairs) {
    if (pairs > 0xffffffffu / 6)
        throw Error(std::to_string(pairs) +
                        " pairs of cloth are near each other: expected at most 700 million",
                    "SelfContact");
    // if there is no memory for one of them, the next step begins with none
    params_.capacity = params_.candidates = params_.crossing = 0;
    list_valid_ = false;
    grow(buffers_[pair_], 6 * pairs);
    grow(buffers_[near_vertex_], 4 * pairs);
    grow(buffers_[near_plane_], 4 * pairs);
    grow(buffers_[near_weight_], 4 * pairs);
    grow(buffers_[near_stop_], 4 * pairs);
    for (const Slot slot : {push_list_, limit_list_, stop_list_}) grow(buffers_[slot], pairs);
    params_.capacity = static_cast<std::uint32_t>(pairs);
}

template <class Word>
void SelfContact::put(Buffer& buffer, std::span<const Word> words) {
    static_assert(sizeof(Word) == 4);
    grow(buffer, words.size());
    if (!words.empty()) device_.upload(buffer, words.data(), words.size_bytes());
}

void SelfContact::set_mesh(std::span<const std::uint32_t> triangles,
                           std::span<const std::uint32_t> cloth_of_vertex, std::span<const SelfCloth> cloths,
                           std::span<const float> rest) {
    check_mesh(triangles, cloth_of_vertex, cloths, rest);
    const Ordering ordered_edges(edges_of(triangles), 2, cloth_of_vertex, rest);
    const Ordering ordered_triangles(triangles, 3, cloth_of_vertex, rest);
    const std::vector<std::uint32_t>& edges = ordered_edges.ordered();
    const std::size_t n = cloth_of_vertex.size();
    params_ = {};
    for (const Slot slot : {start_, position_, velocity_, support_}) buffers_[slot] = {};
    params_.vertices = static_cast<std::uint32_t>(n);
    params_.triangles = static_cast<std::uint32_t>(triangles.size() / 3);
    params_.edges = static_cast<std::uint32_t>(edges.size() / 2);
    params_.cloths = static_cast<std::uint32_t>(cloths.size());

    std::vector<float> rest4(4 * n, 0.0f), of_cloth;
    for (std::size_t v = 0; v < n; ++v)
        for (std::size_t k = 0; k < 3; ++k) rest4[4 * v + k] = rest[3 * v + k];
    for (const SelfCloth& cloth : cloths)
        of_cloth.insert(of_cloth.end(),
                        {cloth.thickness, cloth.friction, cloth.collides ? 1.0f : 0.0f, 0.0f});
    double length = 0;
    for (std::size_t e = 0; e < edges.size(); e += 2) {
        double square = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double d = double{rest[3 * edges[e] + k]} - double{rest[3 * edges[e + 1] + k]};
            square += d * d;
        }
        length += std::sqrt(square);
    }
    thickness_ = 0;
    for (const SelfCloth& cloth : cloths) thickness_ = std::max(thickness_, cloth.thickness);
    edge_length_ = edges.empty() ? 0.0f : static_cast<float>(2 * length / static_cast<double>(edges.size()));

    put(buffers_[vertex_cloth_], cloth_of_vertex);
    put(buffers_[triangle_], std::span<const std::uint32_t>(ordered_triangles.ordered()));
    put(buffers_[edge_], std::span<const std::uint32_t>(edges));
    put(buffers_[rest_], std::span<const float>(rest4));
    put(buffers_[cloth_], std::span<const float>(of_cloth));
    for (const Slot slot : {current_, based_, listed_}) grow(buffers_[slot], 4 * n);
    grow(buffers_[load_], 8 * n); // and how tangled vertices are to move
    for (const Slot slot : {tangled_, contacts_, fraction_}) grow(buffers_[slot], n);
    for (const Slot slot : {sum_, handed_}) grow(buffers_[slot], 8 * n);
    grow(buffers_[partial_], (SELF_SHARES + SELF_GROUPS + 1) * SELF_PARTIAL);
    grow(buffers_[facts_], SELF_FACT_WORDS);
    const std::uint32_t boxes = std::max(params_.triangles, params_.edges);
    // groups are a third of the boxes, and one not full for each level
    grow(buffers_[box_], 8 * (boxes + std::uint64_t{boxes} / 3 + 32));
    grow_pairs(std::uint64_t{16} * n + 1024);
    device_.fill(buffers_[listed_], 0, 4 * n);
    device_.fill(buffers_[handed_], 0, 8 * n);
    device_.fill(buffers_[tangled_], 0, n);
    device_.fill(buffers_[facts_], 0, SELF_FACT_WORDS);
    on_host_ = device_.host_view(buffers_[facts_]) != nullptr;
    counters_ = {};
    list_valid_ = near_found_ = near_valid_ = flags_clear_ = false;
    suspect_ = true;
    list_span_ = 1;
    for (float* each : {mean_, gain_}) std::fill_n(each, 3, 0.0f);
    dt_ = far_ = speed_ = pull_ = 0;
}

void SelfContact::launch(KernelId kernel, std::uint32_t items) {
    if (items != 0) device_.launch(kernel, items, buffers_, &params_, sizeof params_);
}

void SelfContact::launch_pairs(KernelId kernel, std::uint32_t pairs) {
    if (pairs == 0) return;
    const std::uint32_t items = on_host_ ? (pairs + SELF_RUN - 1) / SELF_RUN : std::min(pairs, device_items);
    params_.stride = on_host_ ? 0 : items;
    launch(kernel, items);
}

void SelfContact::clear(unsigned first_fact, unsigned facts) {
    device_.fill(buffers_[facts_], 0, facts, first_fact);
}

// a step -------------------------------------------------------------------------------------------------------------------

void SelfContact::take(const std::uint32_t* facts) {
    counters_.near = facts[SELF_FACT_NEAR];
    counters_.touching = facts[SELF_FACT_TOUCH];
    counters_.limiting = facts[SELF_FACT_LIMIT];
    counters_.truncated = facts[SELF_FACT_TRUNCATED];
    counters_.forced = facts[SELF_FACT_FORCED];
    counters_.outrun = facts[SELF_FACT_OUTRUN];
    counters_.broken = facts[SELF_FACT_BROKEN];
    counters_.ungapped = facts[SELF_FACT_TOUCHING];
    counters_.returned = facts[SELF_FACT_RETURNED];
}

SelfCounters SelfContact::read_counters() {
    if (params_.vertices == 0) return counters_;
    std::uint32_t facts[SELF_PARTIAL];
    device_.download(facts, buffers_[facts_], sizeof facts);
    take(facts);
    return counters_;
}

void SelfContact::begin_step(const Buffer& position, const Buffer& velocity, float dt, const Vec3& gravity) {
    if (params_.vertices == 0) return;
    buffers_[start_] = position;
    buffers_[velocity_] = velocity;
    if (suspect_) {
        // in each step until there are none, so that a restored world goes on as it would have
        counters_.intersections = count_intersections(position);
        suspect_ = counters_.intersections != 0;
        params_.check_tangles = suspect_;
        if (suspect_)
            put_untangling(device_, position, buffers_[triangle_], buffers_[edge_], buffers_[tangled_],
                           buffers_[load_], params_);
    }
    launch(KernelId::self_survey, SELF_SHARES);
    launch(KernelId::self_survey_groups, SELF_GROUPS);
    launch(KernelId::self_plan, SELF_SHARES);
    launch(KernelId::self_plan_groups, SELF_GROUPS);
    float words[SELF_GROUPS + 1][SELF_PARTIAL];
    device_.download(words, buffers_[partial_], sizeof words, std::size_t{SELF_SHARES} * SELF_PARTIAL * 4);
    double sum[4] = {}, squares[2] = {};
    float far = 0;
    for (unsigned k = 0; k < SELF_GROUPS; ++k) {
        for (unsigned c = 0; c < 4; ++c) sum[c] += words[k][c];
        for (unsigned c = 0; c < 2; ++c) squares[c] += words[k][5 + c];
        far = std::max(far, words[k][4]);
    }
    std::uint32_t facts[SELF_PARTIAL];
    for (unsigned c = 0; c < SELF_PARTIAL; ++c)
        facts[c] = std::bit_cast<std::uint32_t>(words[SELF_GROUPS][c]);
    take(facts);

    // All go one way, within a tenth: ways are measured against it. With fewer, those at rest would be carried along where planes
    // stop them.
    const double count = std::max(sum[3], 1.0);
    const double mean[3] = {sum[0] / count, sum[1] / count, sum[2] / count};
    const double mean_square = mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2];
    const bool together = mean_square > 100 * squares[0] / count;
    // What has fallen for a step falls on. Taken from the state alone: a restored world has no step before.
    const float pull[3] = {gravity.x, gravity.y, gravity.z};
    const double fallen = dt * static_cast<double>(length(gravity));
    const bool falls = together && mean_square > fallen * fallen;
    for (int c = 0; c < 3; ++c) {
        mean_[c] = together ? static_cast<float>(mean[c]) : 0.0f;
        gain_[c] = falls ? pull[c] : 0.0f;
    }
    const float speed_before = speed_;
    speed_ = static_cast<float>(std::sqrt((together ? squares[0] : squares[1]) / count));
    surprise_ = dt_ == 0
                    ? most_surprise
                    : std::clamp(2 * std::abs(speed_ - speed_before) / dt_, least_surprise, most_surprise);
    far_ = far;
    dt_ = dt;
    pull_ = length(gravity);
    substep_ = 0;
}

/// How many substeps a list is to last: longer ones are made less often but hold more pairs.
void SelfContact::plan_lists(float h) {
    const int substeps = substeps_;
    // pairs looked at, for a reach; most that are listed are passed over in a substep, at little cost
    const auto cost = [&](float reach, float lists) {
        const float wide = edge_length_ + 2 * reach;
        return wide * wide * (thickness_ + 2 * reach) * (lists + 0.05f);
    };
    list_span_ = 0; // a list for each substep, when it is known where the vertices want to go
    float least = cost(1.5f * speed_ * h + 0.1f * thickness_, 1);
    for (int span = 1; span <= 4 * substeps; ++span) {
        const float time = static_cast<float>(span) * h;
        const float reach = 1.25f * speed_ * time + std::max(floor_of(time), 0.25f * thickness_);
        const float each = cost(reach, 1 / static_cast<float>(span));
        if (!(each < least)) continue;
        least = each;
        list_span_ = span;
    }
}

float SelfContact::floor_of(float time) const {
    return 0.5f * surprise_ * time * time + 0.5f * speed_ * time;
}

/// what the next list is for: so many substeps, 0: one whose goals are known
void SelfContact::foresee(int span) {
    params_.list_time = static_cast<float>(span) * params_.step;
    params_.list_floor = floor_of(params_.list_time);
}

void SelfContact::build_tree(bool of_edges, bool bare, std::uint32_t adding) {
    params_.of_edges = of_edges;
    params_.bare = bare;
    params_.adding = adding;
    params_.boxes = of_edges ? params_.edges : params_.triangles;
    launch(KernelId::self_boxes, params_.boxes);
    params_.level = 0;
    for (std::uint32_t groups = params_.boxes; groups > 1;) {
        groups = (groups + (1u << SELF_TREE_BITS) - 1) >> SELF_TREE_BITS;
        ++params_.level;
        launch(KernelId::self_groups, groups);
    }
}

void SelfContact::find_crossings() {
    device_.fill(buffers_[tangled_], 0, params_.vertices);
    clear(SELF_FACT_CROSSINGS, 1);
    launch(KernelId::self_find_crossings, params_.edges);
}

/// The candidates that were found; false: they do not fit.
bool SelfContact::take_candidates() {
    std::uint32_t facts[SELF_PARTIAL];
    device_.download(facts, buffers_[facts_], sizeof facts);
    const std::uint64_t pairs = std::uint64_t{facts[SELF_FACT_PAIRS]} + facts[SELF_FACT_EDGES];
    if (pairs > params_.capacity) {
        grow_pairs(pairs * 5 / 4);
        return false;
    }
    params_.candidates = facts[SELF_FACT_PAIRS];
    params_.crossing = facts[SELF_FACT_EDGES];
    counters_.candidates = params_.candidates + params_.crossing;
    return true;
}

void SelfContact::list_candidates() {
    do {
        clear(SELF_FACT_PAIRS, 1);
        clear(SELF_FACT_EDGES, 1);
        launch(KernelId::self_reach, params_.vertices);
        build_tree(false, false, 0);
        launch(KernelId::self_find_triangles, params_.vertices);
        build_tree(true, false, 0);
        launch(KernelId::self_find_edges, params_.edges);
    } while (!take_candidates());
    ++counters_.lists;
    list_valid_ = true;
    listed_pairs_ = counters_.candidates;
    params_.drift_x = params_.shift_x;
    params_.drift_y = params_.shift_y;
    params_.drift_z = params_.shift_z;
}

/// A few vertices go farther than the list reaches: their pairs are added to it. False: a new list is needed.
bool SelfContact::add_candidates(std::uint32_t vertices) {
    if (vertices > params_.vertices / most_added || counters_.candidates > most_growth * listed_pairs_)
        return false;
    launch(KernelId::self_grow, params_.vertices);
    build_tree(false, false, SELF_ADD_TO_GROWN);
    launch(KernelId::self_find_triangles, params_.vertices);
    build_tree(false, false, SELF_ADD_OF_GROWN);
    launch(KernelId::self_find_triangles, params_.vertices);
    build_tree(true, false, SELF_ADD_TO_GROWN);
    launch(KernelId::self_find_edges, params_.edges);
    ++counters_.added;
    return take_candidates();
}

void SelfContact::begin_substep(const Buffer& start, float h) {
    if (params_.vertices == 0) return;
    if (buffers_[velocity_].raw == nullptr)
        throw Error("begin_step was not called", "SelfContact::begin_substep");
    buffers_[start_] = start;
    params_.step = h;
    params_.mean_x = mean_[0];
    params_.mean_y = mean_[1];
    params_.mean_z = mean_[2];
    near_found_ = false;
    if (substep_ == 0) {
        substeps_ = static_cast<int>(std::clamp(std::round(dt_ / h), 1.0f, 1000.0f));
        plan_lists(h);
        near_valid_ = false; // so that a step needs nothing but positions and velocities
    }
    ++substep_;
    // so coarse that adding it to a coordinate is exact as long as its exponent does not grow
    const float unit = std::ldexp(1.0f, std::ilogb(far_ + 1.0f) - 21);
    float shift[3];
    for (int c = 0; c < 3; ++c)
        shift[c] = std::round((mean_[c] + gain_[c] * static_cast<float>(substep_) * h) * h / unit) * unit;
    params_.shift_x = shift[0];
    params_.shift_y = shift[1];
    params_.shift_z = shift[2];
    params_.drift_x += shift[0];
    params_.drift_y += shift[1];
    params_.drift_z += shift[2];
    params_.near_x += shift[0];
    params_.near_y += shift[1];
    params_.near_z += shift[2];
}

/// For how many substeps after this one near pairs are looked for: until the end of the step, unless vertices go far.
/// Depends on this step alone: what near pairs stop must not depend on when lists were made.
float SelfContact::near_ways() const {
    const int left = std::max(1, substeps_ - substep_ + 1);
    const float way = speed_ * params_.step, far = 0.5f * thickness_;
    const float most =
        way * static_cast<float>(left) > far ? std::max(1.0f, far / way) : static_cast<float>(left);
    return most > 1 ? 1.1f * most - 1 : 0.0f;
}

void SelfContact::find_near(const Buffer& position, const Buffer& start, float h) {
    buffers_[position_] = position;
    buffers_[start_] = start;
    if (near_found_) return;
    near_found_ = true;
    params_.recovery = recovery_speed * h;
    params_.stuck = stuck_substeps * pull_ * h * h;
    params_.room = 0.5f * speed_ * h; // what rests may be hit by what moves
    params_.most_way = most_edges * edge_length_;
    if (!flags_clear_) clear(SELF_FACT_SHORT, 2);
    flags_clear_ = false;
    launch(KernelId::self_begin, params_.vertices);
    if (near_valid_) {
        std::uint32_t stale = 0;
        device_.download(&stale, buffers_[facts_], 4, 4 * SELF_FACT_STALE);
        if (stale == 0) return;
    }
    near_valid_ = true;
    params_.near_x = params_.near_y = params_.near_z = 0;
    params_.near_ways = near_ways();
    launch(KernelId::self_base, params_.vertices);
    std::uint32_t far = params_.vertices; // vertices that may go farther than the list reaches
    if (list_valid_) device_.download(&far, buffers_[facts_], 4, 4 * SELF_FACT_SHORT);
    if (far != 0 && !(list_valid_ && add_candidates(far))) {
        foresee(list_span_);
        list_candidates();
        list_valid_ = list_span_ != 0; // or it is for this search alone
        launch(KernelId::self_base, params_.vertices);
    }
    clear(SELF_FACT_NEAR, SELF_FACT_LIMIT - SELF_FACT_NEAR + 1);
    clear(SELF_FACT_STOPS, 1);
    params_.first = 1;
    params_.of_edges = 0;
    launch_pairs(KernelId::self_near, params_.candidates);
    params_.of_edges = 1;
    launch_pairs(KernelId::self_near, params_.crossing);
    params_.first = 0;
    launch_pairs(KernelId::self_near, counters_.candidates);
    ++counters_.searches;
}

void SelfContact::push(const Buffer& position, const Buffer& start, float h) {
    if (params_.vertices == 0) return;
    find_near(position, start, h);
    clear(SELF_FACT_TOUCH, 1);
    launch_pairs(KernelId::self_touch, counters_.candidates);
    launch_pairs(KernelId::self_push, counters_.candidates);
    launch(KernelId::self_pushed, params_.vertices);
}

void SelfContact::truncate(const Buffer& position, const Buffer& start, const Buffer& support) {
    if (params_.vertices == 0) return;
    buffers_[support_] = support;
    params_.supported = support.raw != nullptr;
    find_near(position, start, params_.step);
    launch(KernelId::self_goal, params_.vertices);
    flags_clear_ = true;
    clear(SELF_FACT_STOPS, 1);
    for (int k = 0; k < rounds; ++k) {
        params_.first = k == 0;
        params_.last = k + 1 == rounds;
        launch_pairs(KernelId::self_limit, counters_.candidates);
        if (k == 0) hand_on();
        launch(KernelId::self_advance, params_.vertices);
    }
    put_back();
    near_found_ = false;
}

/// What the first round takes from vertices, to the other sides of what stops them, and on from there.
void SelfContact::hand_on() {
    for (int pass = 0; pass < hand_passes; ++pass) {
        params_.first = pass == 0;
        params_.last = pass + 1 == hand_passes && substep_ == substeps_;
        launch_pairs(KernelId::self_hand, counters_.candidates);
        launch(KernelId::self_handed, params_.vertices);
    }
    params_.last = false;
}

/// The vertices of pairs that rounding has brought together, as long as there are any.
void SelfContact::put_back() {
    for (;;) {
        std::uint32_t tiny = 0;
        device_.download(&tiny, buffers_[facts_], 4, 4 * SELF_FACT_TINY);
        if (tiny == 0) return;
        clear(SELF_FACT_TINY, 1);
        launch_pairs(KernelId::self_check, counters_.candidates);
        launch(KernelId::self_return, params_.vertices);
    }
}

SelfPairs SelfContact::read_pairs() {
    SelfPairs all;
    std::vector<std::uint32_t> words(std::size_t{6} * params_.capacity);
    all.listed.resize(std::size_t{4} * params_.vertices);
    device_.download(words.data(), buffers_[pair_], words.size() * 4);
    device_.download(all.listed.data(), buffers_[listed_], all.listed.size() * 4);
    for (std::size_t k = 0; k < params_.capacity; ++k) {
        if (k >= params_.candidates && k < params_.capacity - params_.crossing) continue;
        const std::uint32_t* pair = &words[6 * k];
        all.vertices.push_back({pair[0] & ~SELF_EDGES, pair[1], pair[2], pair[3]});
        all.edges.push_back((pair[0] & SELF_EDGES) != 0);
    }
    return all;
}

std::uint32_t SelfContact::count_intersections(const Buffer& position) {
    if (params_.vertices == 0) return 0;
    device_.copy(buffers_[listed_], position, std::size_t{params_.vertices} * 16);
    build_tree(false, true, 0);
    find_crossings();
    std::uint32_t facts[SELF_PARTIAL];
    device_.download(facts, buffers_[facts_], sizeof facts);
    moved();
    return facts[SELF_FACT_CROSSINGS];
}

} // namespace scree
