// SPDX-License-Identifier: MIT
// seal.cpp — see seal.h.
#include "bytes/seal.h"

#include "bytes/checksum.h"
#include "scree/error.h"

#include <cstring>
#include <string>

namespace scree::bytes {
namespace {

std::uint64_t sum_of(const Seal& seal, std::span<const std::uint8_t> content) {
    return seal.wide ? wide_checksum(content) : checksum(content);
}

} // namespace

void seal_in_place(const Seal& seal, std::uint32_t word, std::span<std::byte> all) {
    const std::span<const std::uint8_t> content(
        reinterpret_cast<const std::uint8_t*>(all.data()) + seal_bytes, all.size() - seal_bytes);
    Bytes header(seal.name.begin(), seal.name.end());
    ByteSink out(header);
    out.u32(seal.version);
    out.u32(word);
    out.u64(content.size());
    out.u64(sum_of(seal, content));
    std::memcpy(all.data(), header.data(), seal_bytes);
}

std::vector<std::byte> sealed(const Seal& seal, std::uint32_t word, const Bytes& content) {
    std::vector<std::byte> all(seal_bytes + content.size());
    if (!content.empty()) std::memcpy(all.data() + seal_bytes, content.data(), content.size());
    seal_in_place(seal, word, all);
    return all;
}

std::span<const std::uint8_t> unsealed(const Seal& seal, std::span<const std::byte> bytes,
                                       std::uint32_t& word, const std::string& where) {
    ByteSource in({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, where);
    if (bytes.size() < seal.name.size() || std::memcmp(bytes.data(), seal.name.data(), seal.name.size()) != 0)
        throw Error("these bytes are not " + std::string(seal.what), where);
    in.take(seal.name.size());
    if (const std::uint32_t found = in.u32(); found != seal.version)
        throw Error("unknown version " + std::to_string(found) + ": expected version " +
                        std::to_string(seal.version),
                    where);
    word = in.u32();
    const std::uint64_t length = in.u64(), sum = in.u64();
    if (length != in.left())
        throw Error(std::to_string(in.left()) + " bytes follow the header; expected " +
                        std::to_string(length),
                    where);
    const auto content = in.take(in.left());
    if (sum_of(seal, content) != sum) throw Error("the bytes do not match their checksum", where);
    return content;
}

} // namespace scree::bytes
