// SPDX-License-Identifier: MIT
// seal.h — the header in front of a world's snapshot or of another binary file, and its checks.
//
//     offset  bytes
//     0       8     name of the format
//     8       4     version of the format
//     12      4     a word for the format's own use
//     16      8     length of the rest
//     24      8     checksum of the rest
#pragma once

#include "bytes/byte_order.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::bytes {

struct Seal {
    std::string_view name; ///< 8 characters
    std::uint32_t version = 1;
    std::string_view what = "a snapshot of a world"; ///< for messages
    bool wide = false; ///< checked by wide_checksum, for files of many megabytes
};

constexpr std::size_t seal_bytes = 32;

/// Writes the header in front of content that begins at `seal_bytes`.
void seal_in_place(const Seal& seal, std::uint32_t word, std::span<std::byte> all);
std::vector<std::byte> sealed(const Seal& seal, std::uint32_t word, const Bytes& content);
/// Checks the header and returns the content. Throws Error at `where` for an invalid header.
std::span<const std::uint8_t> unsealed(const Seal& seal, std::span<const std::byte> bytes,
                                       std::uint32_t& word, const std::string& where = "snapshot");

} // namespace scree::bytes
