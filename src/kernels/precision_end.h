// SPDX-License-Identifier: MIT
// precision_end.h — forgets the precision of convex_gjk.h and convex_epa.h, before they are included in another one.

#undef GJK_ITERATIONS
#undef GJK_SHARE
#undef GJK_NOISE
#undef GJK_FLAT
#undef GJK_SAME
#undef GJK_ZERO
#undef GJK_TRUSTS_PLANES
#undef EPA_VERTICES
#undef EPA_FACES
#undef EPA_EDGES
#undef EPA_NOISE
#undef EPA_SHARE
#undef EPA_FLAT
