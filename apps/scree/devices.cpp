// SPDX-License-Identifier: MIT
// devices.cpp — `scree devices`: lists devices, and why others are unavailable.

#include "commands.h"
#include "scree/place.h"
#include "text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace scree {

namespace {

int run(const Arguments&) {
    std::vector<std::array<std::string, 4>> rows{{"device", "available", "same bits", "description"}};
    for (const DeviceReport& device : list_devices()) {
        const std::string words = device.available             ? device.description
                                  : device.description.empty() ? device.reason
                                                               : device.description + ": " + device.reason;
        rows.push_back({device.name, device.available ? "yes" : "no",
                        !device.available  ? "-"
                        : device.same_bits ? "yes"
                                           : "no",
                        words});
    }
    std::array<std::size_t, 4> widths{};
    for (const auto& row : rows)
        for (std::size_t i = 0; i < 3; ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    for (const auto& row : rows)
        std::printf("%s  %s  %s  %s\n", padded(row[0], widths[0]).c_str(), padded(row[1], widths[1]).c_str(),
                    padded(row[2], widths[2]).c_str(), row[3].c_str());
    return exit_ok;
}

} // namespace

CommandSpec devices_command() {
    return {"devices",
            "list devices, and why others are unavailable",
            "Lists the devices that worlds can run on, and why others cannot be used.\n\n"
            "\"same bits\": division and square root are correctly rounded, so that state hashes equal the "
            "CPU's.",
            {},
            run};
}

} // namespace scree
