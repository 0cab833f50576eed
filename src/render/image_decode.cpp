// SPDX-License-Identifier: MIT
// image_decode.cpp — PNG, JPEG and TGA files, from memory; see image.h. Files may be broken on purpose.
#include "render/image.h"
#include "scree/error.h"

#include <cstdio> // before jpeglib.h, which needs FILE

// a macro of its own has the name of one of the kernels' dialect
#pragma push_macro("GLOBAL")
#undef GLOBAL
#include <jpeglib.h>
#pragma pop_macro("GLOBAL")
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstring>
#include <vector>

namespace scree::render {

namespace {

constexpr int most_scans = 200; // of a progressive file; each costs a pass over the whole picture

void check_size(std::uint64_t width, std::uint64_t height, const std::string& name) {
    if (width < 1 || height < 1 || width > most_image_side || height > most_image_side)
        throw Error("is a picture of " + std::to_string(width) + "x" + std::to_string(height) +
                        "; expected sides of 1 to " + std::to_string(most_image_side) + " pixels",
                    name);
}

Image decode_png(std::span<const std::byte> bytes, const std::string& name) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()))
        throw Error(std::string("cannot be read as a PNG picture: ") + png.message, name);
    try {
        check_size(png.width, png.height, name);
    } catch (...) {
        png_image_free(&png);
        throw;
    }
    png.format = PNG_FORMAT_RGBA;
    Image image;
    image.width = static_cast<int>(png.width);
    image.height = static_cast<int>(png.height);
    image.rgba.resize(PNG_IMAGE_SIZE(png));
    if (!png_image_finish_read(&png, nullptr, image.rgba.data(), 0, nullptr))
        throw Error(std::string("is damaged: ") + png.message, name);
    return image;
}

/// libjpeg's state, and where it goes on an error.
struct Jpeg {
    jpeg_decompress_struct decoder{};
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf on_error{};
    char message[JMSG_LENGTH_MAX] = "";
};

[[noreturn]] void leave(j_common_ptr common) {
    auto& jpeg = *static_cast<Jpeg*>(common->client_data);
    jpeg.errors.format_message(common, jpeg.message);
    std::longjmp(jpeg.on_error, 1);
}

void limit_scans(j_common_ptr common) {
    auto& jpeg = *static_cast<Jpeg*>(common->client_data);
    if (jpeg.decoder.input_scan_number <= most_scans) return;
    std::strcpy(jpeg.message, "it has too many scans");
    std::longjmp(jpeg.on_error, 1);
}

/// Nothing in these two has a destructor: libjpeg jumps out of them. False: jpeg.message says why.
bool begin_jpeg(Jpeg& jpeg, std::span<const std::byte> bytes) {
    if (setjmp(jpeg.on_error)) return false;
    jpeg_create_decompress(&jpeg.decoder);
    jpeg.decoder.progress = &jpeg.progress;
    jpeg_mem_src(&jpeg.decoder, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&jpeg.decoder, TRUE);
    return true;
}

bool finish_jpeg(Jpeg& jpeg, std::uint8_t* rgba) {
    if (setjmp(jpeg.on_error)) return false;
    jpeg.decoder.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&jpeg.decoder);
    const std::size_t row = std::size_t{4} * jpeg.decoder.output_width;
    while (jpeg.decoder.output_scanline < jpeg.decoder.output_height) {
        JSAMPROW into = rgba + row * jpeg.decoder.output_scanline;
        jpeg_read_scanlines(&jpeg.decoder, &into, 1);
    }
    jpeg_finish_decompress(&jpeg.decoder);
    return true;
}

Image decode_jpeg(std::span<const std::byte> bytes, const std::string& name) {
    Jpeg jpeg;
    jpeg.decoder.err = jpeg_std_error(&jpeg.errors);
    jpeg.errors.error_exit = leave;
    // a file that was cut off is a warning of libjpeg's, which would make up the rest
    jpeg.errors.emit_message = [](j_common_ptr common, int level) {
        if (level < 0) leave(common);
    };
    jpeg.progress.progress_monitor = limit_scans;
    jpeg.decoder.client_data = &jpeg;
    Image image;
    bool good = begin_jpeg(jpeg, bytes);
    if (good) {
        try {
            check_size(jpeg.decoder.image_width, jpeg.decoder.image_height, name);
        } catch (...) {
            jpeg_destroy_decompress(&jpeg.decoder);
            throw;
        }
        image.width = static_cast<int>(jpeg.decoder.image_width);
        image.height = static_cast<int>(jpeg.decoder.image_height);
        image.rgba.resize(std::size_t{4} * jpeg.decoder.image_width * jpeg.decoder.image_height);
        good = finish_jpeg(jpeg, image.rgba.data());
    }
    jpeg_destroy_decompress(&jpeg.decoder);
    if (!good) throw Error(std::string("cannot be read as a JPEG picture: ") + jpeg.message, name);
    return image;
}

constexpr std::size_t tga_header = 18;

/// TGA files have no mark at their beginning: a header that makes sense is one. Pictures with a palette are not read.
bool is_tga(std::span<const std::byte> bytes) {
    if (bytes.size() < tga_header) return false;
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(bytes[i]); };
    const unsigned kind = at(2) & ~8u, bits = at(16);
    return at(1) == 0 && at(2) < 12 &&
           ((kind == 2 && (bits == 24 || bits == 32)) || (kind == 3 && bits == 8));
}

/// `count` pixels of `width` bytes: plain, or in runs of 1 to 128 equal or different ones.
std::vector<std::byte> tga_pixels(std::span<const std::byte> bytes, std::size_t count, std::size_t width,
                                  bool runs, const std::string& name) {
    const auto take = [&](std::size_t n) {
        if (n > bytes.size()) throw Error("is cut off", name);
        const auto part = bytes.first(n);
        bytes = bytes.subspan(n);
        return part;
    };
    std::vector<std::byte> pixels;
    const auto append = [&](std::span<const std::byte> part) {
        pixels.insert(pixels.end(), part.begin(), part.end());
    };
    if (!runs) append(take(count * width));
    for (std::size_t left = count; runs && left > 0;) {
        const unsigned head = std::to_integer<unsigned>(take(1)[0]);
        const std::size_t length =
            std::min<std::size_t>((head & 127u) + 1, left); // the last may reach too far
        left -= length;
        if (head & 128u)
            for (std::size_t k = 0, from = pixels.size(); k < length; ++k)
                if (k == 0) append(take(width));
                else
                    for (std::size_t c = 0; c < width; ++c) pixels.push_back(pixels[from + c]);
        else append(take(length * width));
    }
    return pixels;
}

Image decode_tga(std::span<const std::byte> bytes, const std::string& name) {
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(bytes[i]); };
    const unsigned w = at(12) | at(13) << 8, h = at(14) | at(15) << 8, origin = at(17);
    check_size(w, h, name);
    const std::size_t width = at(16) / 8, count = std::size_t{w} * h, skipped = tga_header + at(0);
    if (skipped > bytes.size()) throw Error("is cut off", name);
    const std::vector<std::byte> pixels = tga_pixels(bytes.subspan(skipped), count, width, at(2) & 8u, name);
    Image image;
    image.width = static_cast<int>(w), image.height = static_cast<int>(h);
    image.rgba.resize(4 * count);
    for (std::size_t y = 0; y < h; ++y)
        for (std::size_t x = 0; x < w; ++x) {
            // rows come from the bottom and pixels from the left, unless the header says otherwise
            const std::size_t column = origin & 16u ? w - 1 - x : x, row = origin & 32u ? y : h - 1 - y;
            const std::byte* from = pixels.data() + width * (row * w + column);
            std::uint8_t* to = image.rgba.data() + 4 * (y * w + x);
            for (std::size_t c = 0; c < 3; ++c)
                to[c] = std::to_integer<std::uint8_t>(from[width == 1 ? 0 : 2 - c]); // blue first
            to[3] = width == 4 ? std::to_integer<std::uint8_t>(from[3]) : 255;
        }
    return image;
}

} // namespace

Image decode_image(std::span<const std::byte> bytes, const std::string& name) {
    const auto begins = [&](std::initializer_list<unsigned> with) {
        std::size_t at = 0;
        for (const unsigned byte : with)
            if (at >= bytes.size() || std::to_integer<unsigned>(bytes[at++]) != byte) return false;
        return true;
    };
    if (begins({0x89, 'P', 'N', 'G'})) return decode_png(bytes, name);
    if (begins({0xff, 0xd8, 0xff})) return decode_jpeg(bytes, name);
    if (is_tga(bytes)) return decode_tga(bytes, name);
    throw Error("is not a picture that can be read: expected a PNG, JPEG or TGA file", name);
}

} // namespace scree::render
