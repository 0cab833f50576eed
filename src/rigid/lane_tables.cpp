// SPDX-License-Identifier: MIT
// lane_tables.cpp — the rigid world's kernels by number of lanes. Sanitizer and wasm builds leave out wide lanes,
// which are the same code and take longest to compile.

#include "rigid/kernels.h"

namespace scree {

const RigidTable& rigid_table(int lanes) {
    if constexpr (SCREE_MOST_LANES >= 16)
        if (lanes == 16) return rigid_table_16();
    if constexpr (SCREE_MOST_LANES >= 8)
        if (lanes == 8) return rigid_table_8();
    return lanes == 4 ? rigid_table_4() : rigid_table_1();
}

} // namespace scree
