// SPDX-License-Identifier: MIT
// input.cpp — random inputs, and changes of inputs.
#include "fuzz/api/input.h"

namespace scree::fuzz {

namespace {

std::size_t below(Random& random, std::size_t count) { return (random() >> 4) % count; }

auto record_at(Bytes& input, std::size_t record) {
    return input.begin() + static_cast<std::ptrdiff_t>((1 + record) * record_bytes);
}

Bytes random_record(Random& random) {
    Bytes record(record_bytes);
    for (std::uint8_t& byte : record) byte = random_byte(random);
    return record;
}

void change_once(Bytes& input, std::span<const std::uint8_t> other, Random& random) {
    const std::size_t records = records_of(input);
    const std::size_t at = below(random, records + 1);
    const std::size_t some = records ? below(random, records) : 0;
    switch (below(random, 9)) {
    case 0:
    case 1: {
        const Bytes record = random_record(random);
        input.insert(record_at(input, at), record.begin(), record.end());
        return;
    }
    case 2: // the call again, somewhere else
        if (records) {
            const Bytes record(record_at(input, some), record_at(input, some + 1));
            input.insert(record_at(input, at), record.begin(), record.end());
        }
        return;
    case 3:
        if (records) input.erase(record_at(input, some), record_at(input, some + 1));
        return;
    case 4: // two calls change places
        if (at < records)
            std::swap_ranges(record_at(input, some), record_at(input, some + 1), record_at(input, at));
        return;
    case 5: { // a run of calls of the other
        const std::size_t theirs = records_of(other);
        if (!theirs) return;
        const std::size_t first = below(random, theirs);
        const std::size_t count = 1 + below(random, std::min<std::size_t>(theirs - first, 16));
        Bytes taken(count * record_bytes);
        const std::size_t from = (1 + first) * record_bytes;
        std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(from),
                    std::min(taken.size(), other.size() - from), taken.begin());
        input.insert(record_at(input, at), taken.begin(), taken.end());
        return;
    }
    case 6: // the header decides much
        input[below(random, record_bytes)] = random_byte(random);
        return;
    default:
        if (records)
            for (std::size_t k = 1 + below(random, 3); k; --k)
                input[(1 + some) * record_bytes + below(random, record_bytes)] = random_byte(random);
    }
}

} // namespace

Bytes random_input(Random& random) {
    Bytes input(record_bytes * (1 + 4 + below(random, most_records - 4)));
    for (std::uint8_t& byte : input) byte = random_byte(random);
    return input;
}

void mutate(Bytes& input, std::span<const std::uint8_t> other, Random& random) {
    input.resize(
        std::clamp((input.size() + record_bytes - 1) / record_bytes, std::size_t{1}, 1 + most_records) *
        record_bytes);
    for (std::size_t changes = 1 + below(random, 4); changes; --changes) change_once(input, other, random);
    input.resize(std::min(input.size(), most_bytes));
}

} // namespace scree::fuzz
