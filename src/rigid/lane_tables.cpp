// SPDX-License-Identifier: MIT
// lane_tables.cpp — the rigid world's kernels by number of lanes. Sanitizer and wasm builds leave out wide lanes,
// which are the same code and take longest to compile.

#include "rigid/kernels.h"

namespace scree {

const RigidTable& rigid_table(int lanes) {
    switch (lanes) {
#if SCREE_MOST_LANES >= 16
    case 16:
        return rigid_table_16();
#endif
#if SCREE_MOST_LANES >= 8
    case 8:
        return rigid_table_8();
#endif
    case 4:
        return rigid_table_4();
    default:
        return rigid_table_1();
    }
}

} // namespace scree
