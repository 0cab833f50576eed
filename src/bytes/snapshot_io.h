// SPDX-License-Identifier: MIT
// snapshot_io.h — writes and reads the fields of a world's snapshot. A list of fields is written once and serves both ways.
#pragma once

#include "bytes/byte_order.h"
#include "scree/error.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace scree {

class SnapshotWriter {
public:
    explicit SnapshotWriter(bytes::Bytes& bytes) : sink_(bytes) {}

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
    void text(const std::string& value) { sink_.text(value); }
    template <class T>
    void list(const std::vector<T>& items, const char*) {
        sink_.u32(static_cast<std::uint32_t>(items.size()));
        for (const T& item : items) put(item);
    }

private:
    void put(std::uint32_t v) { sink_.u32(v); }
    void put(std::int32_t v) { sink_.u32(static_cast<std::uint32_t>(v)); }
    void put(std::uint64_t v) { sink_.u64(v); }
    void put(float v) { sink_.f32(v); }
    void put(double v) { sink_.f64(v); }
    void put(const Vec3& v) { sink_.vec3(v); }
    void put(const Quat& v) { sink_.quat(v); }
    template <class Choice>
        requires std::is_enum_v<Choice>
    void put(Choice v) {
        sink_.u32(static_cast<std::uint32_t>(v));
    }
    bytes::ByteSink sink_;
};

/// Numbers must be finite; what else a value must be is for the checks of its world.
class SnapshotReader {
public:
    explicit SnapshotReader(std::span<const std::uint8_t> bytes) : source_(bytes, "snapshot") {}

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
    void text(std::string& value) { value = source_.text(); }
    template <class T>
    void list(std::vector<T>& items, const char* what) {
        const std::uint32_t count = source_.count(4, what);
        items.resize(count);
        for (T& item : items) get(item);
    }
    std::uint32_t count(std::size_t least_bytes, const char* what) {
        return source_.count(least_bytes, what);
    }
    std::span<const std::uint8_t> take(std::size_t count) { return source_.take(count); }
    std::size_t left() const { return source_.left(); }

    [[noreturn]] static void fail(const std::string& what) { throw Error(what, "snapshot"); }

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
    void get(Vec3& v) { get(v.x), get(v.y), get(v.z); }
    void get(Quat& v) { get(v.s), get(v.x), get(v.y), get(v.z); }
    template <class Choice>
        requires std::is_enum_v<Choice>
    void get(Choice& v) {
        v = static_cast<Choice>(source_.u32());
    }
    bytes::ByteSource source_;
};

} // namespace scree
