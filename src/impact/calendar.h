// SPDX-License-Identifier: MIT
// calendar.h — the order of events: buckets of time, of which only the current one is sorted (Paul 2007).
//
// An entry is dead once its particle has another pending event; nothing is removed from a bucket, dead entries are dropped when the
// bucket is opened. Time of a bucket is chosen so that some two dozen entries come to be in it. Entries beyond the last bucket wait
// in a list of their own, which is looked through twice while the buckets go round. The order is total, (time, id), so that neither
// the number nor the width of buckets changes a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace scree::impact {

struct Entry {
    double time;
    std::uint32_t slot; ///< of the particle in the arrays
    std::uint32_t id;   ///< of the particle for the user
};
inline bool operator<(const Entry& a, const Entry& b) {
    return a.time < b.time || (a.time == b.time && a.id < b.id);
}

class Calendar {
public:
    /// Empties it for `particles` entries, of which about one in eight is before `eighth`.
    void reset(std::size_t particles, double begin, double eighth) {
        std::size_t count = 64;
        while (count * 16 < particles) count *= 2;
        buckets_.assign(count, {none, chunk_entries});
        chunks_.clear();
        chunk_next_.clear();
        free_ = none;
        far_.clear();
        sorted_.clear();
        late_.clear();
        begin_ = begin;
        in_buckets_ = 0;
        current_ = 0;
        opened_entries_ = opened_buckets_ = 0;
        const double span = eighth - begin;
        set_width(span > 0 && span < 1e300 ? wanted * span / (static_cast<double>(particles) / 8 + 1) : 1);
    }

    void push(const Entry& entry) {
        const std::uint64_t k = bucket_of(entry.time);
        if (k <= current_) {
            late_.push_back(entry);
            std::push_heap(late_.begin(), late_.end(), later);
        } else if (k - current_ < buckets_.size()) {
            append(buckets_[k & (buckets_.size() - 1)], entry);
            ++in_buckets_;
        } else {
            far_.push_back(entry);
        }
    }

    /// The next entry, or null if there is none. `alive` tells whether an entry still counts.
    template <class Alive>
    const Entry* next(const Alive& alive) {
        while (sorted_.empty() && late_.empty())
            if (!open(alive)) return nullptr;
        if (late_.empty()) return &sorted_.back();
        if (sorted_.empty() || late_.front() < sorted_.back()) return &late_.front();
        return &sorted_.back();
    }
    /// Removes what next() returned.
    void pop(const Entry* entry) {
        if (!late_.empty() && entry == &late_.front()) {
            std::pop_heap(late_.begin(), late_.end(), later);
            late_.pop_back();
        } else {
            sorted_.pop_back();
        }
    }
    /// The entry that comes `places` after the next one in the current bucket, or null: to fetch its data ahead.
    const Entry* ahead(std::size_t places) const {
        return places < sorted_.size() ? &sorted_[sorted_.size() - 1 - places] : nullptr;
    }

    /// The first of the entries that came into the current bucket or before it since that was opened, or null.
    const Entry* late() const { return late_.empty() ? nullptr : &late_.front(); }

    /// Lines that a later push() at this time writes: first the bucket's, then the entry's.
    void fetch_bucket(double time) const {
        __builtin_prefetch(&buckets_[bucket_of(time) & (buckets_.size() - 1)], 1);
    }
    void fetch_place(double time) const {
        const Bucket& bucket = buckets_[bucket_of(time) & (buckets_.size() - 1)];
        if (bucket.chunk != none)
            __builtin_prefetch(&chunks_[bucket.chunk].entries[bucket.filled % chunk_entries], 1);
    }

    std::size_t bytes() const {
        return buckets_.capacity() * sizeof(Bucket) + chunks_.capacity() * sizeof(Chunk) +
               chunk_next_.capacity() * 4 +
               (far_.capacity() + sorted_.capacity() + late_.capacity()) * sizeof(Entry);
    }

private:
    static constexpr std::uint32_t none = 0xffffffff, chunk_entries = 16;
    static constexpr double wanted = 24; ///< entries in a bucket
    struct Bucket {
        std::uint32_t chunk, filled; ///< the last chunk and its entries; earlier chunks are full
    };
    struct Chunk {
        Entry entries[chunk_entries];
    };
    /// A type, so that sorting calls it inline.
    struct Later {
        bool operator()(const Entry& a, const Entry& b) const { return b < a; }
    };
    static constexpr Later later{};

    void set_width(double width) { per_second_ = 1 / width; }
    std::uint64_t bucket_of(double time) const {
        const double k = (time - begin_) * per_second_;
        return k < 1 ? 0 : k < 1e15 ? static_cast<std::uint64_t>(k) : std::uint64_t{1'000'000'000'000'000};
    }

    void append(Bucket& bucket, const Entry& entry) {
        if (bucket.filled == chunk_entries) {
            std::uint32_t chunk = free_;
            if (chunk != none) {
                free_ = chunk_next_[chunk];
            } else {
                chunk = static_cast<std::uint32_t>(chunks_.size());
                chunks_.emplace_back();
                chunk_next_.emplace_back();
            }
            chunk_next_[chunk] = bucket.chunk;
            bucket = {chunk, 0};
        }
        chunks_[bucket.chunk].entries[bucket.filled++] = entry;
    }

    /// Hands all entries of a bucket to `take` and empties it.
    template <class Take>
    void drain(Bucket& bucket, const Take& take) {
        while (bucket.chunk != none) {
            const std::uint32_t chunk = bucket.chunk;
            for (std::uint32_t k = 0; k < bucket.filled; ++k) take(chunks_[chunk].entries[k]);
            in_buckets_ -= bucket.filled;
            bucket = {chunk_next_[chunk], chunk_entries};
            chunk_next_[chunk] = free_;
            free_ = chunk;
        }
    }

    template <class Alive>
    bool open(const Alive& alive) {
        if (in_buckets_ == 0) {
            // nothing until the first of those far away
            std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
            std::erase_if(far_, [&](const Entry& e) { return !alive(e); });
            for (const Entry& e : far_) first = std::min(first, bucket_of(e.time));
            if (far_.empty()) return false;
            current_ = first - 1;
            bring_near(alive);
            if (in_buckets_ == 0) return !late_.empty();
        }
        ++current_;
        if (current_ % (buckets_.size() / 2) == 0) {
            if (adapt(alive)) return true;
            bring_near(alive);
        }
        Bucket& bucket = buckets_[current_ & (buckets_.size() - 1)];
        drain(bucket, [&](const Entry& e) {
            if (alive(e)) sorted_.push_back(e);
        });
        std::sort(sorted_.begin(), sorted_.end(), later);
        opened_entries_ += sorted_.size();
        ++opened_buckets_;
        return true;
    }

    template <class Alive>
    void bring_near(const Alive& alive) {
        std::size_t kept = 0;
        const std::size_t count = far_.size();
        for (std::size_t k = 0; k < count; ++k) {
            const Entry e = far_[k];
            if (!alive(e)) continue;
            if (bucket_of(e.time) < current_ + buckets_.size()) push(e);
            else far_[kept++] = e;
        }
        far_.resize(kept);
    }

    /// Chooses another width if the buckets are much fuller or emptier than wanted, and distributes all entries anew.
    template <class Alive>
    bool adapt(const Alive& alive) {
        const double mean = static_cast<double>(opened_entries_) / static_cast<double>(opened_buckets_ + 1);
        opened_entries_ = opened_buckets_ = 0;
        const auto waiting = static_cast<double>(in_buckets_ + far_.size());
        if (mean < wanted * 2 && (mean > wanted / 2 || waiting < 8 * wanted)) return false;
        std::vector<Entry> all;
        const auto take = [&](const Entry& e) {
            if (alive(e)) all.push_back(e);
        };
        for (Bucket& bucket : buckets_) drain(bucket, take);
        for (const Entry& e : far_) take(e);
        far_.clear();
        const double factor = std::clamp(wanted / std::max(mean, 1.0), 0.25, 4.0);
        begin_ += static_cast<double>(current_) / per_second_;
        per_second_ /= factor;
        current_ = 0;
        for (const Entry& e : all) push(e);
        return true;
    }

    std::vector<Bucket> buckets_; ///< a ring; the number is a power of two
    std::vector<Chunk> chunks_;
    std::vector<std::uint32_t> chunk_next_;
    std::uint32_t free_ = none;
    std::vector<Entry> far_;    ///< beyond the ring
    std::vector<Entry> sorted_; ///< of the current bucket, the next one last
    std::vector<Entry> late_;   ///< a heap: came into the current bucket after it was opened
    double begin_ = 0, per_second_ = 1;
    std::uint64_t current_ = 0;
    std::uint64_t in_buckets_ = 0, opened_entries_ = 0, opened_buckets_ = 0;
};

} // namespace scree::impact
