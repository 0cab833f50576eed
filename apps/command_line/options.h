// SPDX-License-Identifier: MIT
// options.h — command lines: declares the options of a command, reads them with checks, and prints the help.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree {

struct OptionSpec {
    std::string_view name = {}; ///< with its dashes
    std::string_view value;     ///< name of its value in the help; empty for a flag
    std::string_view help;
    bool repeats = false;
};

struct CommandSpec {
    std::string_view name;
    std::string_view positional = {}; ///< as shown in the help, e.g. "SCENE|FILE"
    std::size_t least = 0, most = 0;  ///< positional arguments
    std::string_view summary = {};    ///< one line
    std::string_view details = {};    ///< further lines of the help, may be empty
    std::vector<OptionSpec> options = {};
};

/// The whole help of a command.
std::string help_text(const CommandSpec& command);
/// Prints it; returns exit_ok.
int print_help(const CommandSpec& command);

/// The arguments of one command, checked against its spec. Every reader throws Error that names the option,
/// the value and what was expected.
class Arguments {
public:
    Arguments(const CommandSpec& command, std::span<const std::string> arguments);

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
    std::vector<std::pair<std::string_view, std::string>> given_;
    std::vector<std::string> positional_;
    bool help_ = false;
};

/// Only digits, no sign; nothing when it is anything else or does not fit.
std::optional<std::uint64_t> parse_whole(std::string_view text);
/// A decimal number, finite; nothing when it is anything else.
std::optional<double> parse_number(const std::string& text);
/// "; did you mean X?" when one of `known` is near, otherwise empty.
std::string near_name(std::string_view name, std::span<const std::string_view> known);

} // namespace scree
