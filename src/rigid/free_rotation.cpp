// SPDX-License-Identifier: MIT
// free_rotation.cpp — see free_rotation.h.

#include "rigid/free_rotation.h"

#include "geometry/mass.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace scree {

namespace {

// rad, that a body turns in a piece: the series of the spin has its poles beyond 1.7 rad, so ten terms leave 1e-12
constexpr double longest_turn = 0.125;
constexpr int most_pieces = 64;
constexpr double even = 1e-12; // less unevenness is rounding

double size_of(const SymmetricMatrix& m) {
    return std::sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + 2 * (m[3] * m[3] + m[4] * m[4] + m[5] * m[5]));
}

/// Adds q w, where w is a spin along the body's axes.
void add_product(DQuat& sum, const DQuat& q, const DVec3& w) {
    const DQuat product = q * DQuat{w.x, w.y, w.z, 0};
    sum = {sum.x + product.x, sum.y + product.y, sum.z + product.z, sum.s + product.s};
}

} // namespace

TurningMass turning_mass(const MassProperties& mass) {
    TurningMass out;
    out.inertia = inertia_of(mass);
    out.inverse = inverse_inertia_of(mass);
    // I^-1 (I w x w) stays the same when a multiple of 1 is taken from the first I
    SymmetricMatrix rest = out.inertia;
    const double trace = rest[0] + rest[1] + rest[2];
    for (std::size_t k = 0; k < 3; ++k) rest[k] -= trace / 3;
    // no moment is greater than the sum of the two others, but for the last digits: each component of the change is at most the
    // product of two of the spin's, times `flat`
    const double flat = 1 + 2e-5 * trace * (out.inverse[0] + out.inverse[1] + out.inverse[2]);
    out.unevenness = std::min(size_of(out.inverse) * size_of(rest), flat / std::sqrt(3.0));
    if (out.unevenness < even) out.unevenness = 0;
    return out;
}

FreeRotation::FreeRotation(const TurningMass& mass, const DQuat& rotation, const DVec3& spin, double longest)
    : mass_(mass), most_spin_(length(spin)) {
    if (!(mass.unevenness > 0) || !(most_spin_ > 0) || !(longest > 0)) return;
    momentum_ = rotate(rotation, times(mass.inertia, rotate(conjugate(rotation), spin)));
    expand(rotation);
    // |w| grows by no more than unevenness |w|²: piece by piece, since over a long time that bound is none
    FreeRotation ahead = *this;
    for (int pieces = 1;; ++pieces) {
        const double left = longest - ahead.begin_, speed = length(ahead.spin_in(ahead.series_[0]));
        const double most = speed / (1 - mass.unevenness * speed * std::min(left, ahead.piece_));
        most_spin_ = std::max(most_spin_, most * (1 + 1e-9));
        if (left <= ahead.piece_) break;
        if (pieces == most_pieces) return;
        ahead.go_on();
    }
    most_change_ = mass.unevenness * most_spin_ * most_spin_;
    changes_ = true;
}

void FreeRotation::expand(const DQuat& rotation) {
    std::array<DVec3, terms> momentum{}, spin{}; // along the body's axes
    piece_ = longest_turn / (length(spin_in(rotation)) * std::max(1.0, std::sqrt(3.0) * mass_.unevenness));
    series_[0] = rotation;
    momentum[0] = rotate(conjugate(rotation), momentum_);
    for (std::size_t n = 0; n < terms; ++n) {
        spin[n] = times(mass_.inverse, momentum[n]);
        const double next = static_cast<double>(n + 1);
        DVec3 change{};
        DQuat turn{0, 0, 0, 0};
        for (std::size_t k = 0; k <= n; ++k) {
            change += cross(momentum[k], spin[n - k]);
            add_product(turn, series_[k], spin[n - k]);
        }
        if (n + 1 < terms) momentum[n + 1] = change / next;
        const double half = 0.5 / next;
        series_[n + 1] = {turn.x * half, turn.y * half, turn.z * half, turn.s * half};
    }
}

DQuat FreeRotation::in_piece(double time) const {
    DQuat q = series_[terms];
    for (std::size_t k = terms; k-- > 0;) {
        const DQuat& c = series_[k];
        q = {q.x * time + c.x, q.y * time + c.y, q.z * time + c.z, q.s * time + c.s};
    }
    return normalized(q);
}

void FreeRotation::go_on() {
    const double gone = piece_;
    expand(in_piece(gone));
    begin_ += gone;
}

void FreeRotation::advance(double time) {
    while (changes_ && time - begin_ > piece_) go_on();
}

DQuat FreeRotation::rotation_at(double time) const {
    if (!(time - begin_ > piece_)) return in_piece(time - begin_);
    FreeRotation later = *this;
    later.advance(time);
    return later.in_piece(time - later.begin_);
}

DVec3 FreeRotation::spin_in(const DQuat& rotation) const {
    return rotate(rotation, times(mass_.inverse, rotate(conjugate(rotation), momentum_)));
}

} // namespace scree
