// SPDX-License-Identifier: MIT
// compression.cpp — zstd for the chunks of a recording, where the build has it.

#include "record/format.h"

#ifdef SCREE_HAS_ZSTD
#include <zstd.h>
#endif

namespace scree::record {

bool has_zstd() {
#ifdef SCREE_HAS_ZSTD
    return true;
#else
    return false;
#endif
}

Bytes pack(Bytes raw, int level, Compression& used) {
    used = Compression::none;
#ifdef SCREE_HAS_ZSTD
    if (level > 0 && !raw.empty()) {
        Bytes packed(ZSTD_compressBound(raw.size()));
        const std::size_t size = ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), level);
        if (!ZSTD_isError(size) && size < raw.size()) {
            packed.resize(size);
            used = Compression::zstd;
            return packed;
        }
    }
#else
    static_cast<void>(level);
#endif
    return raw;
}

Bytes unpack(Bytes stored, const ChunkHeader& chunk, std::uint64_t limit, const std::string& where) {
    if (chunk.raw_bytes > limit)
        throw Error("the chunk claims " + std::to_string(chunk.raw_bytes) + " bytes; at most " +
                        std::to_string(limit) + " are accepted",
                    where);
    if (chunk.compression == Compression::none) {
        if (chunk.raw_bytes != stored.size())
            throw Error("the chunk's two sizes differ although it is not compressed", where);
        return stored;
    }
#ifdef SCREE_HAS_ZSTD
    // no zstd frame grows by more than this: a block of 128 KiB takes four bytes at the least
    constexpr std::uint64_t most_growth = 40000;
    if (chunk.raw_bytes / most_growth > stored.size())
        throw Error(std::to_string(stored.size()) + " bytes cannot unpack to the claimed " +
                        std::to_string(chunk.raw_bytes),
                    where);
    Bytes raw(static_cast<std::size_t>(chunk.raw_bytes));
    const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), stored.data(), stored.size());
    if (ZSTD_isError(size))
        throw Error(std::string("zstd cannot unpack the chunk: ") + ZSTD_getErrorName(size), where);
    if (size != raw.size())
        throw Error("the chunk unpacks to " + std::to_string(size) + " bytes; expected " +
                        std::to_string(raw.size()),
                    where);
    return raw;
#else
    throw Error("the chunk is compressed with zstd, which this build of Scree does not have", where);
#endif
}

} // namespace scree::record
