// SPDX-License-Identifier: MIT
// plot.cpp — draws the axes, the series and the legend.
#include "plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>

namespace scree::bench {

namespace {

constexpr double width = 860, height = 540, left = 84, right = 24, top = 52, bottom = 64;

// Okabe and Ito 2008: told apart by colour-blind readers too; the markers and dashes say it again
constexpr std::array<const char*, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#56b4e9", "#e69f00", "#000000", "#8a6d00"};
constexpr std::array<const char*, 3> dashes{"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void add(std::string& svg, const char* format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    svg += text;
}

std::string escaped(const std::string& text) {
    std::string out;
    for (char c : text) {
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '"') out += "&quot;";
        else out += c;
    }
    return out;
}

void text_at(std::string& svg, double x, double y, const char* attributes, const std::string& text) {
    add(svg, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    svg += escaped(text) + "</text>\n";
}

struct Axis {
    int low = 0, high = 1; // decades
    double begin = 0, end = 1;

    double at(double value) const { return begin + (std::log10(value) - low) / (high - low) * (end - begin); }
};

bool drawable(const std::pair<double, double>& point) {
    return std::isfinite(point.first) && std::isfinite(point.second) && point.first > 0 && point.second > 0;
}

void widen(double value, double& least, double& most) {
    least = std::min(least, value);
    most = std::max(most, value);
}

Axis decades(double least, double most, double begin, double end) {
    Axis axis{0, 1, begin, end};
    if (most < least) return axis;
    axis.low = static_cast<int>(std::floor(std::log10(least) + 1e-9));
    axis.high = std::max(static_cast<int>(std::ceil(std::log10(most) - 1e-9)), axis.low + 1);
    return axis;
}

void draw_axes(std::string& svg, const Axis& x, const Axis& y) {
    for (int decade = x.low; decade <= x.high; ++decade) {
        for (int digit = 1; digit <= (decade < x.high ? 9 : 1); ++digit) {
            const double at = x.at(digit * std::pow(10.0, decade));
            add(svg, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", at, y.begin,
                at, y.end, digit == 1 ? "#bbb" : "#eee");
        }
        add(svg,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">10<tspan dy=\"-5\" "
            "font-size=\"10\">%d</tspan></text>\n",
            x.at(std::pow(10.0, decade)), y.begin + 20, decade);
    }
    for (int decade = y.low; decade <= y.high; ++decade) {
        for (int digit = 1; digit <= (decade < y.high ? 9 : 1); ++digit) {
            const double at = y.at(digit * std::pow(10.0, decade));
            add(svg, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x.begin, at,
                x.end, at, digit == 1 ? "#bbb" : "#eee");
        }
        add(svg,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">10<tspan dy=\"-5\" "
            "font-size=\"10\">%d</tspan></text>\n",
            x.begin - 8, y.at(std::pow(10.0, decade)) + 5, decade);
    }
}

void draw_marker(std::string& svg, std::size_t which, double x, double y, const char* colour) {
    switch (which % 3) {
    case 0:
        add(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", x, y, colour);
        break;
    case 1:
        add(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" fill=\"%s\"/>\n", x - 3.5, y - 3.5,
            colour);
        break;
    default:
        add(svg, "<path d=\"M%.1f %.1f l5 8 h-10 z\" fill=\"%s\"/>\n", x, y - 5, colour);
    }
}

} // namespace

std::string svg_text(const Plot& plot) {
    const double infinity = std::numeric_limits<double>::infinity();
    double x_least = infinity, x_most = -infinity, y_least = infinity, y_most = -infinity;
    for (const Series& series : plot.series)
        for (const auto& point : series.points) {
            if (!drawable(point)) continue;
            widen(point.first, x_least, x_most);
            widen(point.second, y_least, y_most);
        }
    const bool empty = x_most < x_least;
    for (const auto& [level, name] : plot.levels)
        if (!empty && level > 0) widen(level, y_least, y_most);
    const Axis x = decades(x_least, x_most, left, width - right);
    const Axis y = decades(y_least, y_most, height - bottom, top);

    std::string svg;
    add(svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" ",
        width, height, width, height);
    svg += "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n";
    svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    text_at(svg, width / 2, 28, "text-anchor=\"middle\" font-size=\"17\"", plot.title);
    draw_axes(svg, x, y);
    text_at(svg, (x.begin + x.end) / 2, height - 16, "text-anchor=\"middle\"", plot.x_label);
    add(svg, "<g transform=\"rotate(-90 22 %.1f)\">\n", (y.begin + y.end) / 2);
    text_at(svg, 22, (y.begin + y.end) / 2, "text-anchor=\"middle\"", plot.y_label);
    svg += "</g>\n";
    if (empty) text_at(svg, width / 2, height / 2, "text-anchor=\"middle\"", "nothing was measured");

    for (const auto& [level, name] : plot.levels) {
        if (empty || !(level > 0)) continue;
        add(svg,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#555\" stroke-dasharray=\"1 "
            "3\"/>\n",
            x.begin, y.at(level), x.end, y.at(level));
        text_at(svg, x.end - 6, y.at(level) - 5, "text-anchor=\"end\" font-size=\"11\" fill=\"#555\"", name);
    }
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const char* colour = colours[i % colours.size()];
        auto points = plot.series[i].points;
        points.erase(std::remove_if(points.begin(), points.end(), [](const auto& p) { return !drawable(p); }),
                     points.end());
        std::sort(points.begin(), points.end());
        add(svg, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"", colour,
            dashes[i / colours.size() % dashes.size()]);
        for (const auto& point : points) add(svg, "%.1f,%.1f ", x.at(point.first), y.at(point.second));
        svg += "\"/>\n";
        for (const auto& point : points) draw_marker(svg, i, x.at(point.first), y.at(point.second), colour);
    }

    // the legend lies in the upper left, where cost that grows with size leaves room
    double row = top + 14;
    std::size_t longest = 0;
    for (const Series& series : plot.series) longest = std::max(longest, series.name.size());
    add(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#fff\" stroke=\"#bbb\"/>\n",
        left + 10, top + 6, 44 + 7.2 * static_cast<double>(longest),
        12 + 20 * static_cast<double>(plot.series.size()));
    for (std::size_t i = 0; i < plot.series.size(); ++i, row += 20) {
        const char* colour = colours[i % colours.size()];
        add(svg,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
            left + 16, row + 8, left + 40, row + 8, colour, dashes[i / colours.size() % dashes.size()]);
        draw_marker(svg, i, left + 28, row + 8, colour);
        text_at(svg, left + 46, row + 12, "", plot.series[i].name);
    }
    return svg + "</svg>\n";
}

double log_log_slope(const std::vector<std::pair<double, double>>& points) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const auto& point : points) {
        if (!drawable(point)) continue;
        const double x = std::log(point.first), y = std::log(point.second);
        n += 1;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    const double spread = n * sxx - sx * sx;
    if (n < 2 || spread <= 1e-12) return std::numeric_limits<double>::quiet_NaN();
    return (n * sxy - sx * sy) / spread;
}

} // namespace scree::bench
