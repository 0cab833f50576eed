// SPDX-License-Identifier: MIT
// file_text.h — the content of a file as one string.
#pragma once

#include <cstddef>
#include <string>

namespace scree {

/// Reads a whole file. Stops soon after `most` bytes, so a longer result means that the file is too large.
/// Throws Error with the system's reason, also for a folder.
std::string file_text(const std::string& file, std::size_t most = static_cast<std::size_t>(-1));

/// Whether a name that a file gives leads out of its folder: by "..", a root or a drive. Links are not looked at.
bool leads_out(const std::string& name);

/// The path of a file named by another, which must be in the folder of that one or below. Throws Error without a place for
/// names that lead out of it, by "..", a root or a link, and for what is no file.
std::string path_beside(const std::string& file, const std::string& name);

} // namespace scree
