// SPDX-License-Identifier: MIT
// kept.h — copies of the fields that a simulation carries from step to step. A simulation lists them once, as a tuple of
// references; a copy is a tuple of values. What seldom changes has a version, and is copied when that is another.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace scree {

template <class References>
struct ValuesOf;
template <class... Fields>
struct ValuesOf<std::tuple<Fields&...>> {
    using type = std::tuple<Fields...>;
};

/// Another number for each change of anything: what has the same version is the same, in whichever world.
inline std::uint64_t new_version() {
    static std::atomic<std::uint64_t> last{0};
    return 1 + last.fetch_add(1, std::memory_order_relaxed);
}

/// Records that are read in every step and seldom changed. A copy of the same version costs nothing.
template <class T, class Allocator = std::allocator<T>>
class VersionedRecords {
public:
    VersionedRecords() = default;
    VersionedRecords(const VersionedRecords&) = default;
    VersionedRecords(VersionedRecords&& other) noexcept
        : records_(std::move(other.records_)), version_(std::exchange(other.version_, new_version())) {}
    VersionedRecords& operator=(const VersionedRecords& other) {
        if (version_ == other.version_) return *this;
        version_ = new_version(); // copying may throw half-way
        if (records_.capacity() < other.size()) records_.reserve(other.records_.capacity());
        records_ = other.records_;
        version_ = other.version_;
        return *this;
    }
    VersionedRecords& operator=(VersionedRecords&& other) noexcept {
        std::swap(records_, other.records_);
        std::swap(version_, other.version_);
        return *this;
    }

    const std::vector<T, Allocator>& all() const { return records_; }
    const T* data() const { return records_.data(); }
    const T& operator[](std::size_t i) const { return records_[i]; }
    std::size_t size() const { return records_.size(); }
    std::size_t capacity() const { return records_.capacity(); }
    bool empty() const { return records_.empty(); }
    auto begin() const { return records_.begin(); }
    auto end() const { return records_.end(); }

    /// To change records. Threads may change different ones.
    std::vector<T, Allocator>& edit() {
        changed();
        return records_;
    }
    T& edit(std::size_t i) { return edit()[i]; }
    /// For many: changes a record without saying so, which changed() does for all of them.
    T& edit_silently(std::size_t i) { return records_[i]; }
    void changed() { __atomic_store_n(&version_, new_version(), __ATOMIC_RELAXED); }

private:
    std::vector<T, Allocator> records_;
    std::uint64_t version_ = new_version();
};

/// Assigns each field. An array that must grow gets the room of the other, so that repeated copies seldom allocate.
template <class To, class From>
void copy_fields(To&& to, const From& from) {
    const auto copy = [](auto& a, const auto& b) {
        if constexpr (requires { a.reserve(b.capacity()); })
            if (a.capacity() < b.size()) a.reserve(b.capacity());
        a = b;
    };
    [&]<std::size_t... n>(std::index_sequence<n...>) {
        (copy(std::get<n>(to), std::get<n>(from)), ...);
    }(std::make_index_sequence<std::tuple_size_v<From>>{});
}

} // namespace scree
