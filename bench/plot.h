// SPDX-License-Identifier: MIT
// plot.h — a log-log plot of several series as an SVG picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace scree::bench {

struct Series {
    std::string name;
    std::vector<std::pair<double, double>> points; ///< positive; others are left out
};

struct Plot {
    std::string title, x_label, y_label;
    std::vector<Series> series;
    /// horizontal lines to compare with, e.g. {10, "real time at 100 steps/s"}
    std::vector<std::pair<double, std::string>> levels;
};

/// The picture. Axes span whole decades around the data; a plot without data is an empty frame that says so.
std::string svg_text(const Plot& plot);

/// The exponent p of y ~ x^p by least squares on the logarithms; NaN with fewer than two different x.
double log_log_slope(const std::vector<std::pair<double, double>>& points);

} // namespace scree::bench
