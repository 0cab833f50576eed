// SPDX-License-Identifier: MIT
// build_commit.h — the commit that the program was built from; cmake/Commit.cmake writes it at every build.
#pragma once

namespace scree::bench {

extern const char* const
    build_commit; ///< as git describes it, "-dirty" when files were changed; "unknown" outside git

} // namespace scree::bench
