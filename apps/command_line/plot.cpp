// SPDX-License-Identifier: MIT
// plot.cpp — draws the axes, the series and the legend.
#include "plot.h"

#include "text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace scree {

namespace {

constexpr double width = 860, height = 540, left = 84, right = 24, top = 52, bottom = 64;

// Okabe and Ito 2008: told apart by colour-blind readers too; the markers and dashes say it again
constexpr std::array<const char*, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#56b4e9", "#e69f00", "#000000", "#8a6d00"};
constexpr std::array<const char*, 3> dashes{"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""};

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
    add_text(svg, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    svg += escaped(text) + "</text>\n";
}

struct Axis {
    PlotScale scale = PlotScale::logarithmic;
    double low = 0, high = 1; // decades, or the values themselves
    double step = 1;          // between labels of a linear axis
    double begin = 0, end = 1;

    double at(double value) const {
        const double place = scale == PlotScale::logarithmic ? std::log10(value) : value;
        return begin + (place - low) / (high - low) * (end - begin);
    }
};

bool drawable(const std::pair<double, double>& point, PlotScale scale = PlotScale::logarithmic) {
    if (!std::isfinite(point.first) || !std::isfinite(point.second)) return false;
    return scale == PlotScale::linear || (point.first > 0 && point.second > 0);
}

void widen(double value, double& least, double& most) {
    least = std::min(least, value);
    most = std::max(most, value);
}

/// Whole decades around the values.
Axis decades(double least, double most, double begin, double end) {
    Axis axis{PlotScale::logarithmic, 0, 1, 1, begin, end};
    if (most < least) return axis;
    axis.low = std::floor(std::log10(least) + 1e-9);
    axis.high = std::max(std::ceil(std::log10(most) - 1e-9), axis.low + 1);
    return axis;
}

/// Steps of 1, 2 or 5 times a power of ten, about six of them.
Axis round_numbers(double least, double most, double begin, double end) {
    Axis axis{PlotScale::linear, 0, 1, 0.2, begin, end};
    if (most < least) return axis;
    if (most - least < 1e-9 * std::max(std::abs(most), 1e-30)) most = least + std::max(std::abs(least), 1e-9);
    const double rough = (most - least) / 6, power = std::pow(10.0, std::floor(std::log10(rough)));
    axis.step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
    axis.low = axis.step * std::floor(least / axis.step + 1e-5); // sums of time steps end near round numbers
    axis.high = axis.step * std::ceil(most / axis.step - 1e-5);
    return axis;
}

struct Tick {
    double at;
    bool labelled;
    std::string label; // SVG
};

std::vector<Tick> ticks(const Axis& axis) {
    std::vector<Tick> all;
    if (axis.scale == PlotScale::linear) {
        const double count = std::round((axis.high - axis.low) / axis.step);
        for (double k = 0; k <= count; ++k) {
            const double value = axis.low + k * axis.step;
            char text[32];
            std::snprintf(text, sizeof text, "%.6g", std::abs(value) < 1e-9 * axis.step ? 0 : value);
            all.push_back({axis.at(value), true, text});
        }
        return all;
    }
    for (int decade = static_cast<int>(axis.low); decade <= static_cast<int>(axis.high); ++decade)
        for (int digit = 1; digit <= (decade < static_cast<int>(axis.high) ? 9 : 1); ++digit) {
            std::string label;
            if (digit == 1) add_text(label, "10<tspan dy=\"-5\" font-size=\"10\">%d</tspan>", decade);
            all.push_back({axis.at(digit * std::pow(10.0, decade)), digit == 1, label});
        }
    return all;
}

void draw_axes(std::string& svg, const Axis& x, const Axis& y) {
    for (const Tick& tick : ticks(x)) {
        add_text(svg, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", tick.at,
                 y.begin, tick.at, y.end, tick.labelled ? "#bbb" : "#eee");
        if (tick.labelled)
            add_text(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", tick.at,
                     y.begin + 20, tick.label.c_str());
    }
    for (const Tick& tick : ticks(y)) {
        add_text(svg, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x.begin,
                 tick.at, x.end, tick.at, tick.labelled ? "#bbb" : "#eee");
        if (tick.labelled)
            add_text(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", x.begin - 8,
                     tick.at + 5, tick.label.c_str());
    }
}

void draw_marker(std::string& svg, std::size_t which, double x, double y, const char* colour) {
    switch (which % 3) {
    case 0:
        add_text(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", x, y, colour);
        break;
    case 1:
        add_text(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" fill=\"%s\"/>\n", x - 3.5,
                 y - 3.5, colour);
        break;
    default:
        add_text(svg, "<path d=\"M%.1f %.1f l5 8 h-10 z\" fill=\"%s\"/>\n", x, y - 5, colour);
    }
}

void draw_key(std::string& svg, const Plot& plot, std::size_t i, double x, double y) {
    const char* colour = colours[i % colours.size()];
    add_text(svg,
             "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
             x, y, x + 24, y, colour, dashes[i / colours.size() % dashes.size()]);
    if (plot.markers) draw_marker(svg, i, x + 12, y, colour);
    text_at(svg, x + 30, y + 4, "", plot.series[i].name);
}

/// In the corner that hides least of the curves; the upper left when all are alike.
void draw_legend_box(std::string& svg, const Plot& plot, const Axis& x, const Axis& y) {
    std::size_t longest = 0;
    for (const Series& series : plot.series) longest = std::max(longest, series.name.size());
    const double wide = 44 + 7.2 * static_cast<double>(longest),
                 high = 12 + 20 * static_cast<double>(plot.series.size());
    double box_x = 0, box_y = 0;
    int fewest = std::numeric_limits<int>::max();
    for (const auto& [corner_x, corner_y] : {std::pair{x.begin + 10, y.end + 6},
                                             {x.end - 10 - wide, y.begin - 6 - high},
                                             {x.begin + 10, y.begin - 6 - high},
                                             {x.end - 10 - wide, y.end + 6}}) {
        int hidden = 0;
        for (const Series& series : plot.series)
            for (std::size_t k = 1; k < series.points.size(); ++k) {
                if (!drawable(series.points[k - 1]) || !drawable(series.points[k])) continue;
                constexpr int steps = 16; // along each line
                for (int step = 0; step <= steps; ++step) {
                    const double part = static_cast<double>(step) / steps;
                    const double at_x =
                        std::lerp(x.at(series.points[k - 1].first), x.at(series.points[k].first), part);
                    const double at_y =
                        std::lerp(y.at(series.points[k - 1].second), y.at(series.points[k].second), part);
                    hidden += at_x > corner_x - 4 && at_x < corner_x + wide + 4 && at_y > corner_y - 4 &&
                              at_y < corner_y + high + 4;
                }
            }
        if (hidden < fewest) fewest = hidden, box_x = corner_x, box_y = corner_y;
    }
    add_text(svg,
             "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#fff\" stroke=\"#bbb\"/>\n",
             box_x, box_y, wide, high);
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        draw_key(svg, plot, i, box_x + 6, box_y + 16 + 20 * static_cast<double>(i));
}

/// Above the frame: curves over time may be anywhere in it.
void draw_legend_row(std::string& svg, const Plot& plot) {
    double x = left;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        draw_key(svg, plot, i, x, top - 10);
        x += 48 + 7.2 * static_cast<double>(plot.series[i].name.size());
    }
}

} // namespace

void Plot::add(const std::string& name, double x, double y) {
    for (Series& each : series)
        if (each.name == name) return each.points.push_back({x, y});
    series.push_back({name, {{x, y}}});
}

std::string svg_text(const Plot& plot) {
    const double infinity = std::numeric_limits<double>::infinity();
    double x_least = infinity, x_most = -infinity, y_least = infinity, y_most = -infinity;
    for (const Series& series : plot.series)
        for (const auto& point : series.points) {
            if (!drawable(point, plot.scale)) continue;
            widen(point.first, x_least, x_most);
            widen(point.second, y_least, y_most);
        }
    const bool empty = x_most < x_least;
    const bool plain = plot.scale == PlotScale::linear;
    for (const auto& [level, name] : plot.levels)
        if (!empty && (plain || level > 0)) widen(level, y_least, y_most);
    if (plain && !empty && y_least > 0 && y_least < 0.5 * y_most) y_least = 0; // heights compare from zero
    const auto axis = plain ? round_numbers : decades;
    const Axis x = axis(x_least, x_most, left, width - right);
    const Axis y = axis(y_least, y_most, height - bottom, top);

    std::string svg;
    add_text(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" ",
        width, height, width, height);
    svg += "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n";
    svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    text_at(svg, width / 2, 28, "text-anchor=\"middle\" font-size=\"17\"", plot.title);
    draw_axes(svg, x, y);
    text_at(svg, (x.begin + x.end) / 2, height - 16, "text-anchor=\"middle\"", plot.x_label);
    add_text(svg, "<g transform=\"rotate(-90 22 %.1f)\">\n", (y.begin + y.end) / 2);
    text_at(svg, 22, (y.begin + y.end) / 2, "text-anchor=\"middle\"", plot.y_label);
    svg += "</g>\n";
    if (empty) text_at(svg, width / 2, height / 2, "text-anchor=\"middle\"", "nothing was measured");

    for (const auto& [level, name] : plot.levels) {
        if (empty || !(plain || level > 0)) continue;
        add_text(svg,
                 "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#555\" stroke-dasharray=\"1 "
                 "3\"/>\n",
                 x.begin, y.at(level), x.end, y.at(level));
        text_at(svg, x.end - 6, y.at(level) - 5, "text-anchor=\"end\" font-size=\"11\" fill=\"#555\"", name);
    }
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const char* colour = colours[i % colours.size()];
        auto points = plot.series[i].points;
        points.erase(std::remove_if(points.begin(), points.end(),
                                    [&](const auto& p) { return !drawable(p, plot.scale); }),
                     points.end());
        std::sort(points.begin(), points.end());
        add_text(svg, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"", colour,
                 dashes[i / colours.size() % dashes.size()]);
        for (const auto& point : points) add_text(svg, "%.1f,%.1f ", x.at(point.first), y.at(point.second));
        svg += "\"/>\n";
        if (plot.markers)
            for (const auto& point : points)
                draw_marker(svg, i, x.at(point.first), y.at(point.second), colour);
    }

    if (plain) draw_legend_row(svg, plot);
    else draw_legend_box(svg, plot, x, y);
    return svg + "</svg>\n";
}

std::string svg_page(const std::string& title, std::span<const Plot> plots) {
    constexpr double heading = 40;
    const auto rows = static_cast<double>((plots.size() + 1) / 2);
    std::string svg;
    add_text(svg,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f "
             "%.0f\">\n",
             2 * width, heading + rows * height, 2 * width, heading + rows * height);
    svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    text_at(svg, width, 28,
            "text-anchor=\"middle\" font-size=\"20\" font-family=\"sans-serif\" fill=\"#222\"", title);
    for (std::size_t k = 0; k < plots.size(); ++k) {
        add_text(svg, "<g transform=\"translate(%.0f %.0f)\">\n", static_cast<double>(k % 2) * width,
                 heading + static_cast<double>(k / 2) * height);
        svg += svg_text(plots[k]) + "</g>\n";
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

} // namespace scree
