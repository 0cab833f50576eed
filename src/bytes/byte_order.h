// SPDX-License-Identifier: MIT
// byte_order.h — little-endian numbers in and out of byte arrays, with every read checked against the end.
#pragma once

#include "scree/error.h"
#include "scree/math.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace scree::bytes {

using Bytes = std::vector<std::uint8_t>;

/// std::bit_cast, which not every supported C++20 library has.
template <class To, class From>
To bits_as(const From& from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

class ByteSink {
public:
    explicit ByteSink(Bytes& bytes) : bytes_(bytes) {}

    void u32(std::uint32_t value) { put(value, 4); }
    void u64(std::uint64_t value) { put(value, 8); }
    void f32(float value) { u32(bits_as<std::uint32_t>(value)); }
    void f64(double value) { u64(bits_as<std::uint64_t>(value)); }
    void vec3(const Vec3& v) { f32(v.x), f32(v.y), f32(v.z); }
    /// Scalar first, unlike Quat.
    void quat(const Quat& q) { f32(q.s), f32(q.x), f32(q.y), f32(q.z); }
    void text(const std::string& value) {
        u32(static_cast<std::uint32_t>(value.size()));
        bytes_.insert(bytes_.end(), value.begin(), value.end());
    }

private:
    void put(std::uint64_t value, int count) {
        for (int i = 0; i < count; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    Bytes& bytes_;
};

/// Throws Error when asked for more than there is; `where` names the place in the message.
class ByteSource {
public:
    ByteSource(std::span<const std::uint8_t> bytes, std::string where)
        : bytes_(bytes), where_(std::move(where)) {}

    std::size_t left() const { return bytes_.size() - at_; }
    std::uint32_t u32() { return static_cast<std::uint32_t>(get(4)); }
    std::uint64_t u64() { return get(8); }
    float f32() { return bits_as<float>(u32()); }
    double f64() { return bits_as<double>(u64()); }
    Vec3 vec3() {
        const float x = f32(), y = f32(), z = f32();
        return {x, y, z};
    }
    Quat quat() {
        const float s = f32(), x = f32(), y = f32(), z = f32();
        return {.x = x, .y = y, .z = z, .s = s};
    }
    std::span<const std::uint8_t> take(std::size_t count) {
        if (count > left())
            throw Error(std::to_string(left()) + " bytes are left; expected " + std::to_string(count),
                        where_);
        at_ += count;
        return bytes_.subspan(at_ - count, count);
    }
    std::string text() {
        const auto bytes = take(u32());
        return {bytes.begin(), bytes.end()};
    }
    /// A count of items of at least `least_bytes` each; throws Error if that exceeds the bytes left.
    std::uint32_t count(std::size_t least_bytes, const char* what) {
        const std::uint32_t value = u32();
        if (value > left() / least_bytes)
            throw Error(std::to_string(value) + " " + what + " do not fit in the " + std::to_string(left()) +
                            " bytes that are left",
                        where_);
        return value;
    }

private:
    std::uint64_t get(std::size_t count) {
        const auto bytes = take(count);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
        return value;
    }
    std::span<const std::uint8_t> bytes_;
    std::string where_;
    std::size_t at_ = 0;
};

} // namespace scree::bytes
