// SPDX-License-Identifier: MIT
// level_file_fuzzer.cpp — any bytes as a compiled level (.scl) of each version, with a right header, and as .bsp and .grf: an Error, or
// a level that can be looked at and is written again as it was read.
#include "bytes/fields.h"
#include "bytes/seal.h"
#include "level/level_fields.h"
#include "scree/error.h"
#include "scree/level_file.h"
#include "scree/level_visibility.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

template <class Read>
void tried(Read&& read) {
    try {
        read();
    } catch (const scree::Error&) {
        // the expected answer to most inputs
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace scree;
    for (const std::uint32_t version : {1u, 2u, 3u})
        tried([&] {
            const bytes::Bytes content(data, data + size);
            const std::vector<std::byte> file =
                bytes::sealed({"screelev", version, "", version == 3}, 0, content);
            const CompiledLevel level = decode_level(file, "fuzz.scl");
            if (version == 3) check(encode_level(level) == file);
            else {
                bytes::Bytes again;
                bytes::FieldWriter out(again);
                level_fields::fields(out, level, version);
                check(again == content);
            }
            LevelVisibility sight(level);
            sight.look({.eye = {1, 2, 3}, .forward = {1, 1, 0.2}});
            grf_text(graph_of(level));
        });
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    tried([&] {
        const LevelCells cells = parse_bsp(text, "fuzz.bsp");
        cells.cell_at({1, 2, 3});
        const std::string written = bsp_text(cells);
        check(bsp_text(parse_bsp(written, "fuzz.bsp")) == written);
    });
    tried([&] {
        const std::string written = grf_text(parse_grf(text, "fuzz.grf"));
        check(grf_text(parse_grf(written, "fuzz.grf")) == written);
    });
    return 0;
}
