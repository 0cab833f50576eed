// SPDX-License-Identifier: MIT
// bench_options.cpp — see bench_options.h.
#include "bench_options.h"

#include "build_commit.h"
#include "text.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>

namespace scree::bench {

std::vector<std::string> option_list(const Arguments& given, const std::string& option) {
    std::vector<std::string> parts;
    for (const std::string& text : given.all(option))
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            if (end == begin) refuse_option(option, text, "a list such as a,b,c");
            parts.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
    return parts;
}

std::vector<std::string> choose_from(const Arguments& given, const std::string& option,
                                     const std::vector<std::string>& known) {
    std::vector<std::string> chosen;
    for (const std::string& name : option_list(given, option)) {
        bool found = false;
        for (const std::string& each : known) {
            if (name != "all" && name != each) continue;
            found = true;
            if (std::find(chosen.begin(), chosen.end(), each) == chosen.end()) chosen.push_back(each);
        }
        if (found) continue;
        std::string names;
        for (const std::string& each : known) names += each + ", ";
        refuse_option(option, name, names + "or all");
    }
    return chosen;
}

std::vector<std::uint64_t> count_list(const Arguments& given, const std::string& option, std::uint64_t most) {
    std::vector<std::uint64_t> counts;
    for (const std::string& text : option_list(given, option)) {
        std::uint64_t scale = 1;
        std::string digits = text;
        if (const std::size_t e = text.find_first_of("eE");
            e != std::string::npos && e + 2 == text.size() && text[e + 1] >= '0' && text[e + 1] <= '9') {
            for (char c = '0'; c < text[e + 1]; ++c) scale *= 10;
            digits.resize(e);
        } else if (text.back() == 'k' || text.back() == 'M') {
            scale = text.back() == 'k' ? 1000 : 1000000;
            digits.pop_back();
        }
        const std::optional<std::uint64_t> value = parse_whole(digits);
        if (!value || *value == 0 || *value > most / scale)
            refuse_option(option, text, "an integer from 1 to " + count_text(most));
        counts.push_back(*value * scale);
    }
    return counts;
}

std::vector<int> thread_list(const Arguments& given) {
    const std::vector<std::uint64_t> counts = count_list(given, "--threads", 1024);
    if (!counts.empty()) return {counts.begin(), counts.end()};
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    return cores > 1 ? std::vector<int>{1, cores} : std::vector<int>{1};
}

std::vector<Place> places_of(const std::vector<std::string>& devices, const std::vector<int>& threads) {
    std::vector<Place> places;
    for (const std::string& device : devices)
        for (const int count : threads) {
            // a GPU's steps take none: the host's only prepare new bodies
            if (count != threads.front() && device != "auto" && !device.starts_with("cpu")) break;
            places.push_back({{.device = device, .threads = count}});
        }
    return places;
}

std::string output_name(const Arguments& given, const std::string& option) {
    const std::string file = given.text(option).value_or("");
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    std::error_code ignored;
    // found out now rather than after an hour
    if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
        refuse_option(option, file, "a file in a folder that exists");
    if (!file.empty() && std::filesystem::is_directory(file, ignored))
        refuse_option(option, file, "the name of a file");
    return file;
}

std::unique_ptr<OutputFile> open_output(const Arguments& given, const std::string& option) {
    const std::string file = output_name(given, option);
    return file.empty() ? nullptr : std::make_unique<OutputFile>(option, file);
}

std::string with_commit(const std::string& csv) {
    const std::time_t now = std::time(nullptr);
    char day[32];
    std::strftime(day, sizeof day, "%Y-%m-%d", std::gmtime(&now));
    const std::string ending = std::string(",") + build_commit + "," + day + "\n";
    std::string text;
    bool quoted = false, first = true;
    for (const char c : csv) {
        if (c == '"') quoted = !quoted;
        if (c != '\n' || quoted) text += c;
        else text += std::exchange(first, false) ? ",commit,date\n" : ending;
    }
    return text;
}

void finish_csv(const std::unique_ptr<OutputFile>& csv, const std::string& text) {
    if (!csv) return;
    csv->finish(with_commit(text));
    const auto rows = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) - 1;
    std::printf("\n%s in %s\n", count_of(rows, "result", "results").c_str(), csv->name().c_str());
}

std::string folder_name(const Arguments& given, const std::string& option) {
    const std::string folder = given.text(option).value_or("");
    std::error_code ignored;
    if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
        refuse_option(option, folder, "a folder that exists");
    return folder;
}

Solver solver_option(const Arguments& given, Solver otherwise) {
    const std::string name = given.text("--solver").value_or(otherwise == Solver::sor ? "sor" : "soft");
    if (name != "sor" && name != "soft") refuse_option("--solver", name, "sor or soft");
    return name == "sor" ? Solver::sor : Solver::soft_step;
}

std::optional<BroadPhase> broad_phase_option(const Arguments& given) {
    const auto name = given.text("--broad-phase");
    if (!name) return std::nullopt;
    const auto* found = std::find(std::begin(broad_phase_names), std::end(broad_phase_names), *name);
    if (found == std::end(broad_phase_names)) refuse_option("--broad-phase", *name, "tree, grid or brute");
    return static_cast<BroadPhase>(found - std::begin(broad_phase_names));
}

std::optional<std::string> missing_gpu() {
    std::string reason = "no GPU";
    for (const DeviceReport& report : list_devices()) {
        if (!report.name.starts_with("cuda")) continue;
        if (report.available) return std::nullopt;
        reason = report.reason;
    }
    return reason;
}

} // namespace scree::bench
