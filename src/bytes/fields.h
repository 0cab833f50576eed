// SPDX-License-Identifier: MIT
// fields.h — structs to bytes and back from one list of their fields.
//
// A function that takes either class as `io` and calls it with the fields in order serves both directions: `io` appends
// them to the bytes or reads them.
#pragma once

#include "bytes/byte_order.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace scree::bytes {

class FieldWriter {
public:
    static constexpr bool reads = false;
    explicit FieldWriter(Bytes& bytes) : sink_(bytes) {}

    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    template <class... Bool>
    void flags(const Bool&... values) {
        std::uint32_t word = 0, bit = 0;
        ((word |= (values ? 1u : 0u) << bit++), ...);
        sink_.u32(word);
    }
    void floats(const float* first, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) sink_.f32(first[k]);
    }
    template <class T>
    void list(const std::vector<T>& items, const char*) {
        sink_.u32(static_cast<std::uint32_t>(items.size()));
        for (const T& item : items) put(item);
    }
    /// Items of several fields, which `fields` lists.
    template <class T, class Fields>
    void items(const std::vector<T>& all, std::size_t, const char*, Fields&& fields) {
        sink_.u32(static_cast<std::uint32_t>(all.size()));
        for (const T& item : all) fields(item);
    }
    /// The flags tell whether the value is present.
    template <class T>
    void optional(bool, const std::optional<T>& value) {
        if (value) put(*value);
    }

private:
    void put(std::uint32_t v) { sink_.u32(v); }
    void put(std::int32_t v) { sink_.u32(static_cast<std::uint32_t>(v)); }
    void put(std::uint64_t v) { sink_.u64(v); }
    void put(float v) { sink_.f32(v); }
    void put(double v) { sink_.f64(v); }
    void put(bool v) { sink_.u32(v); }
    void put(const Vec3& v) { sink_.vec3(v); }
    void put(const DVec3& v) { put(v.x), put(v.y), put(v.z); }
    void put(const Quat& v) { sink_.quat(v); }
    void put(const Pose& v) { sink_.vec3(v.position), sink_.quat(v.rotation); }
    void put(const std::string& v) { sink_.text(v); }
    template <class Choice>
        requires std::is_enum_v<Choice>
    void put(Choice v) {
        sink_.u32(static_cast<std::uint32_t>(v));
    }
    ByteSink sink_;
};

/// Refuses non-finite numbers; the caller checks everything else.
class FieldReader {
public:
    static constexpr bool reads = true;
    /// `where` begins the messages.
    FieldReader(std::span<const std::uint8_t> bytes, std::string where)
        : source_(bytes, where), where_(std::move(where)) {}

    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    template <class... Bool>
    void flags(Bool&... values) {
        std::uint32_t word = source_.u32();
        ((values = (word & 1) != 0, word >>= 1), ...);
        if (word != 0) fail("flags that are not known are set");
    }
    void floats(float* first, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) get(first[k]);
    }
    template <class T>
    void list(std::vector<T>& items, const char* what) {
        items.resize(source_.count(std::is_same_v<T, Vec3> ? 12 : 4, what));
        for (T& item : items) get(item);
    }
    template <class T, class Fields>
    void items(std::vector<T>& all, std::size_t least_bytes, const char* what, Fields&& fields) {
        all.resize(source_.count(least_bytes, what));
        for (T& item : all) fields(item);
    }
    template <class T>
    void optional(bool present, std::optional<T>& value) {
        value.reset();
        if (present) get(value.emplace());
    }
    std::uint32_t count(std::size_t least_bytes, const char* what) {
        return source_.count(least_bytes, what);
    }
    std::span<const std::uint8_t> take(std::size_t count) { return source_.take(count); }
    std::size_t left() const { return source_.left(); }

    [[noreturn]] void fail(const std::string& what) const { throw Error(what, where_); }

private:
    void get(std::uint32_t& v) { v = source_.u32(); }
    void get(std::int32_t& v) { v = static_cast<std::int32_t>(source_.u32()); }
    void get(std::uint64_t& v) { v = source_.u64(); }
    void get(float& v) {
        v = source_.f32();
        if (!std::isfinite(v)) fail("a number is not finite");
    }
    void get(double& v) {
        v = source_.f64();
        if (!std::isfinite(v)) fail("a number is not finite");
    }
    void get(bool& v) {
        const std::uint32_t word = source_.u32();
        if (word > 1) fail("invalid value " + std::to_string(word) + ": expected 0 or 1");
        v = word == 1;
    }
    void get(Vec3& v) { get(v.x), get(v.y), get(v.z); }
    void get(DVec3& v) { get(v.x), get(v.y), get(v.z); }
    void get(Quat& v) { get(v.s), get(v.x), get(v.y), get(v.z); }
    void get(Pose& v) { get(v.position), get(v.rotation); }
    void get(std::string& v) { v = source_.text(); }
    template <class Choice>
        requires std::is_enum_v<Choice>
    void get(Choice& v) {
        const std::uint32_t word = source_.u32();
        v = static_cast<Choice>(word);
        // some are stored in a byte
        if (static_cast<std::uint32_t>(v) != word) fail("choice " + std::to_string(word) + " is not known");
    }
    ByteSource source_;
    std::string where_;
};

} // namespace scree::bytes
