// SPDX-License-Identifier: MIT
// row.cpp — rows to CSV and to tables.
#include "row.h"

#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace scree::bench {

namespace {

// a field that holds a comma, a quote or a line end is quoted (RFC 4180)
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace

StepTime summarise(std::vector<double> blocks) {
    if (blocks.empty()) return {};
    StepTime time;
    time.mean_ms = std::accumulate(blocks.begin(), blocks.end(), 0.0) / static_cast<double>(blocks.size());
    std::sort(blocks.begin(), blocks.end());
    const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(blocks.size())));
    time.p99_ms = blocks[std::clamp<std::size_t>(rank, 1, blocks.size()) - 1];
    return time;
}

StepTime summarise_repeats(const std::vector<std::vector<double>>& repeats) {
    std::vector<double> means, all;
    for (const std::vector<double>& blocks : repeats) {
        if (blocks.empty()) continue;
        means.push_back(summarise(blocks).mean_ms);
        all.insert(all.end(), blocks.begin(), blocks.end());
    }
    if (means.empty()) return {};
    std::sort(means.begin(), means.end());
    const std::size_t half = means.size() / 2;
    StepTime time;
    time.mean_ms = means.size() % 2 == 1 ? means[half] : 0.5 * (means[half - 1] + means[half]);
    time.p99_ms = summarise(all).p99_ms;
    return time;
}

double particle_steps_per_second(const Row& row) {
    return row.mean_ms > 0 ? static_cast<double>(row.particles) * 1000.0 / row.mean_ms : 0;
}

std::string number_text(double value, int digits) {
    if (!std::isfinite(value)) return "-";
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    // 12345.678 to four digits is 12346 rather than 1.235e+04
    if (std::abs(value) >= 1 && std::abs(value) < 1e7) {
        const int before_point = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
        std::snprintf(text, sizeof text, "%.*f", std::max(0, digits - before_point), value);
    }
    std::string out = text;
    std::replace(out.begin(), out.end(), ',', '.');
    return out;
}

std::string csv_text(const std::vector<Row>& rows) {
    std::string text = "contract,engine,version,device,threads,scene,bodies,particles,steps,mean_ms,p99_ms,"
                       "max_overlap_mm,mean_overlap_mm,coordination,kinetic_j,mean_height_m\n";
    for (const Row& row : rows) {
        for (const std::string& field : {row.contract, row.engine, row.version, row.device})
            text += csv_field(field) + ',';
        text += std::to_string(row.threads) + ',' + csv_field(row.scene) + ',' + std::to_string(row.bodies) +
                ',' + std::to_string(row.particles) + ',' + std::to_string(row.steps) + ',' +
                number_text(row.mean_ms, 6) + ',' + number_text(row.p99_ms, 6);
        if (row.quality) {
            const Quality& q = *row.quality;
            for (double value :
                 {q.max_overlap_mm, q.mean_overlap_mm, q.coordination, q.kinetic_j, q.mean_height_m})
                text += ',' + number_text(value, 6);
        } else {
            text += ",,,,,";
        }
        text += '\n';
    }
    return text;
}

std::string table_text(const TextTable& lines) {
    std::vector<std::size_t> widths;
    for (const auto& line : lines) {
        widths.resize(std::max(widths.size(), line.size()));
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
    }
    std::string text;
    for (const auto& line : lines) {
        std::string out;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string pad(widths[i] - width_of(line[i]), ' ');
            out += i == 0 ? line[i] + pad : "  " + pad + line[i];
        }
        out.erase(out.find_last_not_of(' ') + 1);
        text += out + '\n';
    }
    return text;
}

std::string markdown_text(const TextTable& lines) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        for (const std::string& field : lines[i]) text += "| " + field + " ";
        text += "|\n";
        if (i > 0) continue;
        for (std::size_t k = 0; k < lines[i].size(); ++k) text += k == 0 ? "|---" : "|---:";
        text += "|\n";
    }
    return text;
}

} // namespace scree::bench
