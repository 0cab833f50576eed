// SPDX-License-Identifier: MIT
// lockstep.h — what the drivers of both kinds of worlds share: a call on both worlds, its answers compared.
#pragma once

#include "fuzz/api/driver.h"
#include "fuzz/api/text.h"
#include "scree/error.h"

#include <exception>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace scree::fuzz {

/// The two worlds are not equal.
struct Difference : std::exception {
    explicit Difference(std::string text_) : text(std::move(text_)) {}
    const char* what() const noexcept override { return text.c_str(); }
    std::string text;
};

/// A function of the alphabet: its signature, and how a record calls it.
template <class Run>
struct Row {
    std::string_view signature;
    void (*play)(Run& run);
};

/// The row of a record: its first byte. Bytes beyond the table are the calls that make worlds lively, counted from the end,
/// so that a new row at the end of the table changes few old inputs; one without a name is `quiet`.
template <class Run, std::size_t rows, std::size_t usual>
const Row<Run>& row_of(std::uint8_t byte, const Row<Run> (&table)[rows],
                       const std::string_view (&usuals)[usual], const Row<Run>& quiet) {
    static_assert(rows + usual <= 256);
    if (byte < rows) return table[byte];
    const std::string_view wanted = usuals[(255u - byte) % usual];
    for (const Row<Run>& row : table)
        if (row.signature == wanted) return row;
    return quiet;
}

class Lockstep {
public:
    Lockstep(std::span<const std::uint8_t> input, const Places& places, Tally& tally, std::ostream* calls)
        : places_(places), input_(input), tally_(tally), calls_(calls) {}

    Reader in;

protected:
    /// Calls `call(side)` for both sides; the answers, or the errors, must be equal. Returns what side 0 answered, and nothing
    /// when it was refused. `line` is the call as C++, without its end.
    template <class Call>
    auto both(std::string_view signature, const std::string& line, const Call& call) {
        using Answer = std::invoke_result_t<const Call&, int>;
        using Kept =
            std::conditional_t<std::is_void_v<Answer>, std::true_type,
                               std::remove_cvref_t<std::conditional_t<std::is_void_v<Answer>, int, Answer>>>;
        std::optional<Kept> answers[2];
        std::string said[2];
        if (calls_) *calls_ << line << ";" << std::flush;
        for (const int side : {0, 1}) {
            try {
                if constexpr (std::is_void_v<Answer>) {
                    call(side);
                    answers[side].emplace();
                } else {
                    answers[side].emplace(call(side));
                    put(said[side], *answers[side]);
                }
            } catch (const Error& error) {
                said[side] = std::string("throws Error: ") + error.what();
            } catch (const std::exception& error) {
                throw Difference(line + " on " + name(side) +
                                 " throws something else than Error: " + error.what());
            }
        }
        count(signature, !answers[0]);
        if (calls_) *calls_ << (said[0].empty() || said[0].size() > 200 ? "" : " // " + said[0]) << std::endl;
        if (answers[0].has_value() != answers[1].has_value() || said[0] != said[1])
            throw Difference(line + "\n    " + name(0) + ": " + shown(said[0], said[1]) + "\n    " + name(1) +
                             ": " + shown(said[1], said[0]));
        return std::move(answers[0]);
    }

    std::string name(int side) const {
        const PlaceOptions& options = places_[static_cast<std::size_t>(side)].options();
        std::string text = options.device;
        if (options.device == "cpu")
            text += ", " + std::to_string(options.threads) + " threads, " + std::to_string(options.lanes) +
                    " lanes";
        return text;
    }

    /// For what the second place does not have: the first's device with other threads, which share even small worlds.
    void take_threads_instead() {
        static const Place threads(PlaceOptions{.device = "cpu", .threads = 3, .lanes = 4});
        places_[1] = threads;
        sharing_.emplace();
    }
    const Place& place(int side) const { return places_[static_cast<std::size_t>(side)]; }
    Tally& tally() { return tally_; }
    /// As long as it lives, calls are not printed: those that compare would hide those of the input.
    class Silence {
    public:
        explicit Silence(Lockstep& run) : run_(run), calls_(std::exchange(run.calls_, nullptr)) {}
        ~Silence() { run_.calls_ = calls_; }
        Silence(const Silence&) = delete;

    private:
        Lockstep& run_;
        std::ostream* calls_;
    };
    std::span<const std::uint8_t> input() const { return input_; }

private:
    /// As long as it lives; driver.cpp
    struct Sharing {
        Sharing();
        ~Sharing();
        Sharing(const Sharing&) = delete;
        bool before;
    };
    std::optional<Sharing> sharing_;
    void count(std::string_view signature, bool refused) {
        auto at = tally_.calls.find(signature);
        if (at == tally_.calls.end()) at = tally_.calls.emplace(signature, Tally::Calls{}).first;
        ++at->second.made;
        at->second.refused += refused;
    }
    /// Long answers from where they begin to differ.
    static std::string shown(const std::string& text, const std::string& other) {
        if (text.empty()) return "returns";
        std::size_t from = 0;
        while (from < text.size() && from < other.size() && text[from] == other[from]) ++from;
        from = from > 150 ? from - 150 : 0;
        return (from ? "…" : "") + text.substr(from, 400) + (text.size() > from + 400 ? "…" : "");
    }

    Places places_;
    std::span<const std::uint8_t> input_;
    Tally& tally_;
    std::ostream* calls_;
};

// The usual arguments, one byte a number ------------------------------------------------------------------------

/// Somewhere in the small space above the ground where everything meets.
inline Vec3 place_in(Reader& in) {
    const float x = in.number(-1, 1), y = in.number(-0.25f, 2.5f), z = in.number(-1, 1);
    return {x, y, z};
}
/// The same; what would be at the left end is 100 km away, and finer than a float.
inline DVec3 exact_place_in(Reader& in) {
    const DVec3 place = place_in(in);
    return place.x > -0.99 ? place : place + DVec3{1e5, 0, -1e5 / 3};
}
inline Vec3 vector_in(Reader& in, float size) {
    const float x = in.number(-size, size), y = in.number(-size, size), z = in.number(-size, size);
    return {x, y, z};
}
/// Mostly none, so that boxes lie flat.
inline Quat rotation_in(Reader& in) {
    const std::uint8_t byte = in.byte();
    if (in.wrong() && in.which_wrong() >= 0xf0) return {0.5f, 0.5f, 0, 0};
    if (byte < 128) return {};
    const Vec3 axis{byte & 1 ? 1.0f : 0.0f, byte & 2 ? 1.0f : 0.25f, byte & 4 ? -1.0f : 0.0f};
    return rotation_about(axis, 0.1f * static_cast<float>(1 + (byte >> 3 & 15)));
}

} // namespace scree::fuzz
