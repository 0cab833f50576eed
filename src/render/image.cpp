// SPDX-License-Identifier: MIT
// image.cpp — see image.h.
#include "render/image.h"

#include "scree/error.h"
#include "text/file_text.h"

#include <png.h>

#include <algorithm>
#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace scree::render {

namespace {

void append(png_structp png, png_bytep data, png_size_t bytes) {
    auto& out = *static_cast<std::vector<std::uint8_t>*>(png_get_io_ptr(png));
    out.insert(out.end(), data, data + bytes);
}

} // namespace

std::vector<std::uint8_t> png_bytes(const Image& image, int effort) {
    std::vector<std::uint8_t> out;
    const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
    std::vector<std::uint8_t> row(width * 3);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png ? png_create_info_struct(png) : nullptr;
    if (!info) {
        png_destroy_write_struct(&png, nullptr);
        throw Error("libpng cannot begin a picture");
    }
    // libpng jumps here on an error; everything with a destructor is outside
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        throw Error("libpng cannot write this picture");
    }
    png_set_write_fn(png, &out, append, nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, effort);
    png_set_filter(png, 0, PNG_FILTER_SUB | PNG_FILTER_UP);
    png_write_info(png, info);
    for (std::size_t y = 0; y < height; ++y) {
        const std::uint8_t* from = image.rgba.data() + y * width * 4;
        for (std::size_t x = 0; x < width; ++x) std::copy_n(from + 4 * x, 3, row.data() + 3 * x);
        png_write_row(png, row.data());
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

void write_png(const Image& image, const std::string& file, int effort) {
    const auto bytes = png_bytes(image, effort);
    const std::string partial = file + ".partial";
    std::FILE* out = std::fopen(partial.c_str(), "wb");
    if (!out) throw Error(std::string("cannot be written: ") + std::strerror(errno), file);
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
    const bool closed = std::fclose(out) == 0;
    if (!written || !closed || std::rename(partial.c_str(), file.c_str()) != 0) {
        const int code = errno;
        std::remove(partial.c_str());
        throw Error(std::string("cannot be written: ") + std::strerror(code), file);
    }
}

Image read_png(const std::string& file) {
    const std::string bytes = file_text(file);
    return decode_image(std::as_bytes(std::span(bytes)), file);
}

ImageDifference difference(const Image& a, const Image& b, int threshold) {
    if (a.width != b.width || a.height != b.height)
        throw Error("pictures of " + std::to_string(a.width) + "x" + std::to_string(a.height) + " and " +
                    std::to_string(b.width) + "x" + std::to_string(b.height) + " cannot be compared");
    ImageDifference result;
    double sum = 0;
    std::size_t above = 0;
    const std::size_t pixels = a.rgba.size() / 4;
    for (std::size_t i = 0; i < pixels; ++i) {
        int worst = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const int d = std::abs(int{a.rgba[4 * i + c]} - int{b.rgba[4 * i + c]});
            sum += d;
            worst = std::max(worst, d);
        }
        result.largest = std::max(result.largest, worst);
        above += worst > threshold;
    }
    if (pixels > 0) {
        result.mean = sum / static_cast<double>(3 * pixels);
        result.share_above = static_cast<double>(above) / static_cast<double>(pixels);
    }
    return result;
}

} // namespace scree::render
