// SPDX-License-Identifier: MIT
// wide_integer.h — integers of up to 512 bits, for predicates that must be exact.
//
// Sign and magnitude in limbs of 32 bits: products of two limbs fit a 64-bit word on every compiler, without __int128. Only the
// limbs in use are touched, so that small numbers are cheap. There is no check for overflow: exact_plane.h proves that none of
// its numbers has more than 470 bits.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace scree {

class WideInteger {
public:
    WideInteger() = default;
    WideInteger(std::int64_t value) : negative_(value < 0) {
        std::uint64_t rest =
            negative_ ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
        for (; rest != 0; rest >>= 32) limbs_[size_++] = static_cast<std::uint32_t>(rest);
    }

    int sign() const { return size_ == 0 ? 0 : negative_ ? -1 : 1; }

    friend WideInteger operator-(WideInteger a) {
        a.negative_ = !a.negative_;
        return a;
    }
    friend WideInteger operator+(const WideInteger& a, const WideInteger& b) {
        if (a.negative_ == b.negative_) return sum(a, b);
        return a.compare_magnitude(b) >= 0 ? difference(a, b) : difference(b, a);
    }
    friend WideInteger operator-(const WideInteger& a, const WideInteger& b) { return a + -b; }
    friend WideInteger operator*(const WideInteger& a, const WideInteger& b) {
        WideInteger product;
        if (a.size_ == 0 || b.size_ == 0) return product;
        assert(a.size_ + b.size_ <= capacity);
        product.negative_ = a.negative_ != b.negative_;
        for (std::size_t i = 0; i < a.size_; ++i) {
            std::uint64_t carry = 0;
            for (std::size_t k = 0; k < b.size_; ++k) {
                carry += static_cast<std::uint64_t>(a.limbs_[i]) * b.limbs_[k] + product.limbs_[i + k];
                product.limbs_[i + k] = static_cast<std::uint32_t>(carry);
                carry >>= 32;
            }
            product.limbs_[i + b.size_] = static_cast<std::uint32_t>(carry);
        }
        product.size_ = a.size_ + b.size_;
        product.trim();
        return product;
    }
    friend bool operator==(const WideInteger& a, const WideInteger& b) { return (a - b).sign() == 0; }

    /// How many times two divides it; of 0, as many as there are bits.
    unsigned trailing_zeros() const {
        for (std::size_t i = 0; i < size_; ++i)
            if (limbs_[i] != 0)
                return static_cast<unsigned>(32 * i) + static_cast<unsigned>(std::countr_zero(limbs_[i]));
        return 32 * capacity;
    }
    /// Divided by 2^bits, which must leave no rest.
    WideInteger without_zeros(unsigned bits) const {
        WideInteger out;
        const std::size_t limbs = bits / 32, rest = bits % 32;
        out.negative_ = negative_;
        for (std::size_t i = limbs; i < size_; ++i) {
            const std::uint64_t two =
                limbs_[i] | (i + 1 < size_ ? static_cast<std::uint64_t>(limbs_[i + 1]) << 32 : 0);
            out.limbs_[out.size_++] = static_cast<std::uint32_t>(two >> rest);
        }
        out.trim();
        return out;
    }
    /// Times 2^bits.
    WideInteger with_zeros(unsigned bits) const {
        WideInteger power;
        power.size_ = bits / 32 + 1;
        assert(power.size_ <= capacity);
        power.limbs_[bits / 32] = 1u << bits % 32;
        return *this * power;
    }
    /// Cut to its first 64 or more bits and rounded: the relative error is below 3 * 2^-53, and 0 for numbers of up to 53 bits.
    double to_double() const {
        double value = 0;
        const std::size_t last = size_ > 3 ? size_ - 3 : 0;
        for (std::size_t i = size_; i-- > last;)
            value = value * 4294967296.0 + static_cast<double>(limbs_[i]);
        return std::ldexp(negative_ ? -value : value, static_cast<int>(32 * last));
    }
    bool fits_double() const { return size_ < 2 || (size_ == 2 && limbs_[1] < (1u << 21)); }

private:
    static constexpr std::size_t capacity = 16;

    void trim() {
        while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
    }
    int compare_magnitude(const WideInteger& b) const {
        if (size_ != b.size_) return size_ < b.size_ ? -1 : 1;
        for (std::size_t i = size_; i-- > 0;)
            if (limbs_[i] != b.limbs_[i]) return limbs_[i] < b.limbs_[i] ? -1 : 1;
        return 0;
    }
    static WideInteger sum(const WideInteger& a, const WideInteger& b) {
        WideInteger out;
        out.negative_ = a.negative_;
        const std::size_t size = a.size_ > b.size_ ? a.size_ : b.size_;
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < size; ++i) {
            carry += static_cast<std::uint64_t>(a.limbs_[i]) + b.limbs_[i];
            out.limbs_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        out.size_ = size;
        if (carry != 0) {
            assert(size < capacity);
            out.limbs_[out.size_++] = static_cast<std::uint32_t>(carry);
        }
        return out;
    }
    /// |a| >= |b|
    static WideInteger difference(const WideInteger& a, const WideInteger& b) {
        WideInteger out;
        out.negative_ = a.negative_;
        std::int64_t borrow = 0;
        for (std::size_t i = 0; i < a.size_; ++i) {
            borrow += static_cast<std::int64_t>(a.limbs_[i]) - b.limbs_[i];
            out.limbs_[i] = static_cast<std::uint32_t>(borrow);
            borrow >>= 32;
        }
        out.size_ = a.size_;
        out.trim();
        return out;
    }

    std::array<std::uint32_t, capacity> limbs_{}; ///< from the lowest; 0 from size_ on
    std::size_t size_ = 0;
    bool negative_ = false;
};

} // namespace scree
