// SPDX-License-Identifier: MIT
// partial_file.h — a file that is written under another name until it is complete.
#pragma once

#include <cstdio>
#include <string>

namespace scree {

struct PartialFile {
    std::FILE* out = nullptr; ///< nothing when it could not be opened; errno says why
    std::string name; ///< FILE.partial, or with a number when there is one: files left by a crash stay
};
PartialFile open_partial(const std::string& file);

} // namespace scree
