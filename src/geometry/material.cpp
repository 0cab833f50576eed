// SPDX-License-Identifier: MIT
// material.cpp — see material.h.
#include "geometry/material.h"

#include "text/checks.h"

namespace scree {

void check(const Material& material) {
    check_not_negative(material.friction, "friction");
    check_within(material.restitution, 0, 1, "restitution", "0 to 1");
    check_not_negative(material.rolling_resistance, "rolling_resistance");
    check_finite(material.surface_velocity, "surface_velocity");
    constexpr const char* rules = "geometric_mean, average, least, product or greatest";
    check_one_of(material.friction_rule, Combine::greatest, "friction_rule", rules);
    check_one_of(material.restitution_rule, Combine::greatest, "restitution_rule", rules);
}

} // namespace scree
