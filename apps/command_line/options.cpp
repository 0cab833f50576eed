// SPDX-License-Identifier: MIT
// options.cpp — see options.h.

#include "options.h"

#include "scree/error.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace scree {

namespace {

constexpr std::string_view dots = "…";

struct Option {
    std::string name, value; ///< value: empty for a flag
    bool repeats() const { return value == "LIST" || value.ends_with(dots); }
};

/// Calls `use` with each line that is not empty.
template <class Use>
void each_line(std::string_view text, Use use) {
    for (std::size_t end; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
        end = std::min(text.find('\n'), text.size());
        if (end > 0) use(text.substr(0, end));
    }
}

std::vector<Option> options_of(const CommandSpec& command) {
    std::vector<Option> options;
    for (const std::string_view lines : command.options)
        each_line(lines, [&](std::string_view line) {
            if (line.front() != '-') return;
            const std::string_view left = line.substr(0, line.find("  "));
            const std::size_t name = std::min(left.find(' '), left.size());
            options.push_back({std::string(left.substr(0, name)),
                               std::string(left.substr(std::min(name + 1, left.size())))});
        });
    return options;
}

// Levenshtein 1966; names are short
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string near_name(std::string_view name, std::span<const std::string_view> known) {
    std::string_view best;
    std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (const std::string_view candidate : known)
        if (const std::size_t distance = edit_distance(name, candidate); distance < least) {
            least = distance;
            best = candidate;
        }
    return best.empty() ? std::string() : "; did you mean " + std::string(best) + "?";
}

void refuse_option(std::string_view option, std::string_view value, const std::string& expected) {
    throw Error("invalid value \"" + printable(value) + "\": expected " + expected, std::string(option));
}

std::string help_text(const CommandSpec& command, const std::string& program) {
    std::string text = "usage: " + program + " " + std::string(command.usage);
    if (!command.options.empty()) text += " [options]";
    text += "\n\n" + command.text + "\n\noptions:\n";
    const auto add = [&](std::string_view line) { text += "  " + std::string(line) + "\n"; };
    for (const std::string_view lines : command.options) each_line(lines, add);
    add("--help              this text");
    return text + exit_codes;
}

Arguments::Arguments(const CommandSpec& command, const std::string& program,
                     std::span<const std::string> arguments) {
    if (command.passes_on) {
        positional_.assign(arguments.begin(), arguments.end());
        return;
    }
    help_ = std::any_of(arguments.begin(), arguments.end(),
                        [](const std::string& argument) { return argument == "--help" || argument == "-h"; });
    if (help_) return;

    const std::vector<Option> options = options_of(command);
    const std::string call = program + " " + std::string(command.name()), hint = "; see " + call + " --help";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument.size() < 2 || argument[0] != '-') {
            positional_.push_back(argument);
            continue;
        }
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        const auto found = std::find_if(options.begin(), options.end(),
                                        [&](const Option& option) { return option.name == name; });
        if (found == options.end()) {
            std::vector<std::string_view> known;
            for (const Option& option : options) known.push_back(option.name);
            const std::string near = near_name(name, known);
            throw Error("this option is not known" + (near.empty() ? hint : near), printable(name));
        }
        if (!found->repeats() && has(name)) throw Error("this option is given twice", name);
        if (found->value.empty()) {
            if (equals != std::string::npos) refuse_option(name, argument.substr(equals + 1), "no value");
            given_.emplace_back(found->name, std::string());
        } else if (equals != std::string::npos) {
            given_.emplace_back(found->name, argument.substr(equals + 1));
        } else {
            // a negative number is a value, another option is not
            if (i + 1 == arguments.size() || arguments[i + 1].substr(0, 2) == "--")
                throw Error("a value is missing: expected " + found->value, name);
            given_.emplace_back(found->name, arguments[++i]);
        }
    }
    const std::string_view takes = command.takes();
    if (positional_.empty() && !takes.empty() && takes.front() != '[')
        throw Error(std::string(takes) + " is missing" + hint, call);
    const std::size_t most = takes.find(dots) != takes.npos ? 1000 : !takes.empty();
    if (positional_.size() > most)
        throw Error("\"" + printable(positional_[most]) + "\" is one argument too many" + hint, call);
}

bool Arguments::has(std::string_view option) const {
    return std::any_of(given_.begin(), given_.end(),
                       [&](const auto& given) { return given.first == option; });
}

std::vector<std::string> Arguments::all(std::string_view option) const {
    std::vector<std::string> values;
    for (const auto& [name, value] : given_)
        if (name == option) values.push_back(value);
    return values;
}

std::optional<std::string> Arguments::text(std::string_view option) const {
    const auto values = all(option);
    if (values.empty()) return std::nullopt;
    if (values.front().empty()) refuse_option(option, "", "a text that is not empty");
    return values.front();
}

std::optional<std::uint64_t> Arguments::whole(std::string_view option, std::uint64_t least,
                                              std::uint64_t most) const {
    const auto values = all(option);
    if (values.empty()) return std::nullopt;
    const auto value = parse_whole(values.front());
    if (!value || *value < least || *value > most)
        refuse_option(option, values.front(),
                      "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return value;
}

std::optional<double> Arguments::number(std::string_view option, double least, double most) const {
    const auto values = all(option);
    if (values.empty()) return std::nullopt;
    const auto value = parse_number(values.front());
    if (!value || *value < least || *value > most)
        refuse_option(option, values.front(),
                      "a number from " + short_number(least) + " to " + short_number(most));
    return value;
}

std::optional<std::uint64_t> Arguments::one_of(std::string_view option,
                                               std::span<const std::uint64_t> choices) const {
    const auto values = all(option);
    if (values.empty()) return std::nullopt;
    const auto value = parse_whole(values.front());
    if (value && std::find(choices.begin(), choices.end(), *value) != choices.end()) return value;
    std::string expected;
    for (std::size_t i = 0; i < choices.size(); ++i)
        expected += (i == 0 ? "" : i + 1 < choices.size() ? ", " : " or ") + std::to_string(choices[i]);
    refuse_option(option, values.front(), expected);
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
    if (text.empty()) return std::nullopt;
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        const auto digit = static_cast<std::uint64_t>(c - '0');
        if (value > (most - digit) / 10) return std::nullopt;
        value = value * 10 + digit;
    }
    return value;
}

std::optional<double> parse_number(const std::string& text) {
    // strtod alone would also take spaces, hexadecimal, nan and inf
    if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string::npos) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

} // namespace scree
