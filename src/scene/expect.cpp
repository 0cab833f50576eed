// SPDX-License-Identifier: MIT
// expect.cpp — see expect.h.
#include "scene/expect.h"

namespace scree {
namespace {

Expectation read_expectation(const Field& field, const MeasureInfo& measure) {
    Expectation expectation;
    expectation.quantity = measure.name;
    expectation.line = static_cast<int>(field.value().line);
    if (!measure.object && field.value().kind == json::Kind::number) {
        expectation.least = expectation.most = field.number64();
        return expectation;
    }
    if (field.value().kind != json::Kind::object)
        field.refuse(measure.object ? "an object" : "a number or an object with \"min\" or \"max\"");
    Fields fields(field, measure.object ? *measure.object : format::range);
    if (measure.object) { // arguments: a distance, and a height
        expectation.distance = fields.at("distance").number64(positive);
        if (auto above = fields.find("above")) expectation.above = above->number64();
    }
    auto least = fields.find("min"), most = fields.find("max");
    if (least) expectation.least = least->number64();
    if (most) expectation.most = most->number64();
    if (!least && !most) field.fail("expected \"min\" or \"max\"");
    if (most && expectation.least > expectation.most)
        most->refuse("a number of at least \"min\" (" + shown(expectation.least) + ")");
    return expectation;
}

std::uint64_t read_hash(const Field& field) {
    std::uint64_t hash = 0;
    const std::string& text = field.value().text;
    bool good = field.value().kind == json::Kind::string && text.size() == 16;
    for (std::size_t i = 0; good && i < text.size(); ++i) {
        constexpr std::string_view digits = "0123456789abcdef";
        std::size_t digit = digits.find(text[i]);
        good = digit != digits.npos;
        hash = hash << 4 | (digit & 15);
    }
    if (!good) field.refuse("a string of 16 hexadecimal digits in lower case");
    return hash;
}

} // namespace

void read_expectations(const Field& object, const Kind& kind, Scene& scene) {
    const Fields fields(object, kind.expect());
    for (const MeasureInfo& measure : kind.measures())
        if (auto found = fields.find(measure.name)) scene.expect.push_back(read_expectation(*found, measure));
    if (auto hash = fields.find("hash")) scene.expected_hash = read_hash(*hash);
}

} // namespace scree
