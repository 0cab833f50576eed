// SPDX-License-Identifier: MIT
// plot.h — plots of several series as SVG pictures, on logarithmic or plain axes.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scree {

struct Series {
    std::string name;
    std::vector<std::pair<double, double>> points; ///< what an axis cannot show is left out
};

enum class PlotScale { logarithmic, linear };

struct Plot {
    std::string title, x_label, y_label;
    std::vector<Series> series;
    /// horizontal lines to compare with, e.g. {10, "real time at 100 steps/s"}
    std::vector<std::pair<double, std::string>> levels = {};
    PlotScale scale = PlotScale::logarithmic; ///< of both axes
    bool markers = true;

    /// A point of the series of that name, which is new when there is none.
    void add(const std::string& name, double x, double y);
};

/// The picture. Axes span whole decades, or round numbers, around the data; a plot without data is an empty frame that says so.
std::string svg_text(const Plot& plot);
/// Several on one page, two in a row.
std::string svg_page(const std::string& title, std::span<const Plot> plots);

/// The exponent p of y ~ x^p by least squares on the logarithms; NaN with fewer than two different x.
double log_log_slope(const std::vector<std::pair<double, double>>& points);

} // namespace scree
