// SPDX-License-Identifier: MIT
// plot_bench.cpp — `scree bench plot`: cost against size as a picture, from the CSV files of `scree bench rigid`.
#include "bench_options.h"
#include "benchmarks.h"
#include "plot.h"
#include "row.h"
#include "scree/error.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>

namespace scree::bench {

namespace {

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
        if (c == ',') fields.emplace_back();
        else if (c != '\r') fields.back() += c;
    }
    return fields;
}

/// the lines of a CSV file by the names in its first one
class Table {
public:
    explicit Table(const std::string& file) : file_(file) {
        std::ifstream in(file);
        if (!in) throw Error("cannot be read", file);
        std::string line;
        std::getline(in, line);
        names_ = fields_of(line);
        while (std::getline(in, line))
            if (!line.empty()) lines_.push_back(fields_of(line));
        for (const char* name : {"engine", "threads", "scene", "bodies", "steps", "falling_ms", "settled_ms"})
            if (column(name) == names_.size())
                throw Error("has no column \"" + std::string(name) +
                                "\"; expected a file of bench rigid --csv",
                            file);
    }
    std::size_t size() const { return lines_.size(); }
    std::string text(std::size_t line, const char* name) const {
        const std::size_t at = column(name);
        return at < lines_[line].size() ? lines_[line][at] : "";
    }
    double number(std::size_t line, const char* name) const {
        const std::string word = text(line, name);
        const auto value = parse_number(word);
        if (!value) throw Error("\"" + printable(word) + "\" in column " + name + " is not a number", file_);
        return *value;
    }
    bool has(const char* name) const { return column(name) < names_.size(); }

private:
    std::size_t column(const char* name) const {
        return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    }
    std::string file_;
    std::vector<std::string> names_;
    std::vector<std::vector<std::string>> lines_;
};

/// The first half without its first step, in which the world is set up; nothing when the file does not tell that one.
std::optional<double> falling(const Table& table, std::size_t line) {
    const double steps = std::floor(table.number(line, "steps") / 2);
    if (!table.has("first_ms") || steps < 2) return std::nullopt;
    return (table.number(line, "falling_ms") * steps - table.number(line, "first_ms")) / (steps - 1);
}

void add_rows(Plot& plot, const Table& table, const std::string& family) {
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::string scene = table.text(i, "scene"), engine = table.text(i, "engine");
        if (scene.substr(0, scene.rfind('-')) != family) continue;
        const double bodies = table.number(i, "bodies");
        const bool gpu = engine == "scree-cuda";
        const auto threads = static_cast<std::uint64_t>(table.number(i, "threads"));
        const std::string name = gpu                 ? "GPU"
                                 : engine == "scree" ? "CPU, " + count_of(threads, "thread", "threads")
                                                     : engine + ", " + count_of(threads, "thread", "threads");
        if (const auto ms = falling(table, i); gpu && ms) plot.add(name + ", falling", bodies, *ms);
        plot.add(name + ", settled", bodies, table.number(i, "settled_ms"));
    }
}

int run(const Arguments& given) {
    const std::string family = given.text("--family").value_or("wide");
    const auto svg = open_output(given, "--svg");
    Plot plot{given.text("--title").value_or("A step of " + family + "-N"),
              "moving bodies",
              "ms a step",
              {},
              {{1000.0 / 60, "real time at 60 Hz"}}};
    for (const std::string& file : given.positional()) add_rows(plot, Table(file), family);
    if (plot.series.empty()) throw Error("no scene " + family + "-N is in these files", "--family");

    std::vector<std::vector<std::string>> lines{
        {"series", "sizes", "ms at the least", "ms at the most", "log-log slope"}};
    for (Series& series : plot.series) {
        std::sort(series.points.begin(), series.points.end());
        lines.push_back({series.name, std::to_string(series.points.size()),
                         number_text(series.points.front().second), number_text(series.points.back().second),
                         number_text(log_log_slope(series.points), 3)});
    }
    std::printf("%s", table_text(lines).c_str());
    if (!svg) return exit_ok;
    svg->finish(svg_text(plot));
    std::printf("plot in %s\n", svg->name().c_str());
    return exit_ok;
}

} // namespace

CommandSpec plot_bench() {
    return {
        "plot CSV …",
        "cost against size as a picture, from the CSV files of bench rigid",
        "Draws ms a step against the number of bodies from files of `bench rigid --csv`, and says how cost\n"
        "grows with size.",
        {R"(
--family NAME       of scenes; default: wide
--title TEXT        over the picture
--svg FILE          the picture
)"},
        run};
}

} // namespace scree::bench
