// SPDX-License-Identifier: MIT
// picture_fuzzer.cpp — any bytes as a picture of a level or a model: an Error, or a PNG or JPEG file of which every pixel is there. Needs
// no graphics.
#include "render/image.h"
#include "scree/error.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace scree;
    try {
        const render::Image image =
            render::decode_image({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
        if (image.width < 1 || image.height < 1 || image.width > render::most_image_side ||
            image.height > render::most_image_side)
            std::abort();
        const std::size_t pixels =
            static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
        if (image.rgba.size() != 4 * pixels) std::abort();
        // the same bytes are the same picture: nothing was left as memory had it
        if (pixels < 100'000 &&
            render::decode_image({reinterpret_cast<const std::byte*>(data), size}, "fuzz").rgba != image.rgba)
            std::abort();
    } catch (const Error&) {
        // the expected answer to most inputs
    }
    return 0;
}
