// SPDX-License-Identifier: MIT
// options.h — command lines: a command with its options, read with checks, and its help.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree {

class Arguments;

/// A command of a program: what its help says, what it takes and what it does.
struct CommandSpec {
    /// "run SCENE|FILE": its name and what it takes; "[FILE]" is none or one, "FILE …" are many.
    std::string_view usage;
    std::string_view brief; ///< in the list of commands
    std::string text;       ///< what it does
    /// Lines as the help shows them: "--steps N   steps to simulate". Two spaces end the value; an option of a LIST, or whose
    /// value ends in …, may be given again; further lines of help begin with a space.
    std::vector<std::string_view> options;
    int (*run)(const Arguments& given) = nullptr; ///< returns an exit code of entry.h
    bool passes_on = false;                       ///< reads nothing, not even --help: another program does

    std::string_view name() const { return usage.substr(0, usage.find(' ')); }
    std::string_view takes() const { return usage.substr(std::min(name().size() + 1, usage.size())); }
};

/// The end of every help.
inline constexpr const char* exit_codes =
    "\nexit codes: 0 done, 1 an expectation or comparison failed, 2 bad input, 130 interrupted\n";
/// The whole help; `program` is what stands before the command, e.g. "scree".
std::string help_text(const CommandSpec& command, const std::string& program);

/// The arguments of one command, checked against it. Every reader throws Error that names the option,
/// the value and what was expected.
class Arguments {
public:
    Arguments(const CommandSpec& command, const std::string& program, std::span<const std::string> arguments);

    bool help() const { return help_; } ///< --help was there; nothing else was checked
    const std::vector<std::string>& positional() const { return positional_; }

    bool has(std::string_view option) const;
    std::optional<std::string> text(std::string_view option) const; ///< not empty
    std::vector<std::string> all(std::string_view option) const;
    std::optional<std::uint64_t> whole(std::string_view option, std::uint64_t least,
                                       std::uint64_t most) const;
    std::optional<double> number(std::string_view option, double least, double most) const;
    /// One of the values given.
    std::optional<std::uint64_t> one_of(std::string_view option,
                                        std::span<const std::uint64_t> choices) const;

private:
    std::vector<std::pair<std::string, std::string>> given_;
    std::vector<std::string> positional_;
    bool help_ = false;
};

[[noreturn]] void refuse_option(std::string_view option, std::string_view value, const std::string& expected);
/// Only digits, no sign; nothing when it is anything else or does not fit.
std::optional<std::uint64_t> parse_whole(std::string_view text);
/// A decimal number, finite; nothing when it is anything else.
std::optional<double> parse_number(const std::string& text);
/// "; did you mean X?" when one of `known` is near, otherwise empty.
std::string near_name(std::string_view name, std::span<const std::string_view> known);

} // namespace scree
