// SPDX-License-Identifier: MIT
// image.h — pictures in memory, as PNG files, and from PNG, JPEG and TGA files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree::render {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba; ///< rows from the top
    std::span<const std::uint8_t, 4> pixel(int x, int y) const {
        const auto at =
            4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
        return std::span<const std::uint8_t, 4>(rgba.data() + at, 4);
    }
};

/// The PNG file as bytes, without the alpha channel. `effort` 1 … 9.
std::vector<std::uint8_t> png_bytes(const Image& image, int effort = 4);
/// Throw Error, naming the file.
void write_png(const Image& image, const std::string& file, int effort = 4);
Image read_png(const std::string& file);

constexpr int most_image_side = 8192;
/// A PNG, JPEG or TGA file (without a palette) from memory. Throws Error, with `name` as its place, for everything else, for what is damaged or cut off, and
/// for sides beyond most_image_side.
Image decode_image(std::span<const std::byte> bytes, const std::string& name);

struct ImageDifference {
    int largest = 0;        ///< of any channel, in 255ths
    double mean = 0;        ///< over all channels
    double share_above = 0; ///< of pixels that differ by more than `threshold`
};
/// Throws Error when the sizes differ.
ImageDifference difference(const Image& a, const Image& b, int threshold = 8);

} // namespace scree::render
