// SPDX-License-Identifier: MIT
// recording_fuzzer.cpp — any bytes given to the recording reader end in frames or in an Error.
//
// Checksums are put right before reading, since a fuzzer would hardly ever get past them by chance; what
// lies behind them must hold against a file that was made on purpose.

#include "bytes/checksum.h"
#include "record/format.h"
#include "scree/error.h"
#include "scree/recording.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>

namespace {

using namespace scree;

void put_u64(std::string& bytes, std::size_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

std::uint64_t get_u64(const std::string& bytes, std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i)
        value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    return value;
}

std::uint64_t checksum_of(const std::string& bytes, std::size_t at, std::size_t count) {
    return bytes::checksum({reinterpret_cast<const std::uint8_t*>(bytes.data()) + at, count});
}

std::string with_right_checksums(std::string bytes) {
    // layout of a chunk's header: sizes at 8 and 16, the payload's checksum at 48, its own at 56
    std::size_t at = record::preamble_bytes;
    while (at + record::chunk_header_bytes <= bytes.size()) {
        const std::uint64_t stored = get_u64(bytes, at + 8);
        const std::size_t payload = at + record::chunk_header_bytes;
        if (stored > bytes.size() - payload) break;
        put_u64(bytes, at + 48, checksum_of(bytes, payload, static_cast<std::size_t>(stored)));
        put_u64(bytes, at + 56, checksum_of(bytes, at, 56));
        at = payload + static_cast<std::size_t>(stored);
    }
    if (bytes.size() >= record::preamble_bytes + record::footer_bytes) {
        const std::size_t footer = bytes.size() - record::footer_bytes;
        if (bytes.compare(footer + 24, 8, record::footer_magic) == 0)
            put_u64(bytes, footer + 16, checksum_of(bytes, footer, 16));
    }
    return bytes;
}

void read_all(const std::string& bytes) {
    try {
        RecordingReader reader(std::make_unique<std::istringstream>(bytes), "fuzz", {.chunk_bytes = 1 << 24});
        const std::size_t frames = reader.frame_count();
        if (frames == 0) return;
        // from the end, from the start, and across: whatever order, a frame is there or its damage is named
        for (const std::size_t frame :
             {frames - 1, std::size_t{0}, frames / 2, std::min<std::size_t>(frames - 1, 3)}) {
            try {
                const Frame read = reader.read(frame);
                const Appearance& look = *read.appearance;
                if (read.size() != look.bodies.size() || look.body_count > look.bodies.size())
                    __builtin_trap();
                for (const AppearanceBody& body : look.bodies)
                    if (body.shape >= look.shapes.size()) __builtin_trap();
                std::vector<Vec3> vertices, normals;
                for (const AppearanceMesh& mesh : look.meshes) {
                    if (std::uint64_t{mesh.first_vertex} + mesh.vertex_count > read.vertices.size())
                        __builtin_trap();
                    find_vertices(mesh, read, vertices, normals);
                    for (const std::uint32_t corner : mesh.triangles)
                        if (corner >= vertices.size()) __builtin_trap();
                }
            } catch (const Error&) {}
        }
        for (const RecordingDamage& damage : reader.check())
            if (damage.message().empty()) __builtin_trap();
    } catch (const Error&) {}
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    read_all(bytes);
    read_all(with_right_checksums(bytes));
    return 0;
}
