// SPDX-License-Identifier: MIT
// expect.cpp — reads what a scene promises of its last step.
#include "scene/parts.h"

namespace scree {
namespace {

Expectation read_expectation(const Field& field, std::string_view quantity) {
    Expectation expectation;
    expectation.quantity = quantity;
    expectation.line = static_cast<int>(field.value().line);
    bool pairs = quantity == "close_pairs";
    if (!pairs && field.value().kind == json::Kind::number) {
        expectation.least = expectation.most = field.number64();
        return expectation;
    }
    if (field.value().kind != json::Kind::object)
        field.refuse(pairs ? "an object" : "a number or an object with \"min\" or \"max\"");
    Fields fields(field, pairs ? format::close_pairs : format::range);
    if (pairs) {
        expectation.distance = fields.at("distance").number64(positive);
        if (auto above = fields.find("above")) expectation.above = above->number64();
    }
    auto least = fields.find("min"), most = fields.find("max");
    if (least) expectation.least = least->number64();
    if (most) expectation.most = most->number64();
    if (!least && !most) field.fail("\"min\" or \"max\" was expected");
    if (expectation.least > expectation.most)
        most->refuse("a number of at least \"min\", " + shown(expectation.least) + ",");
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

void read_expectations(const Field& object, Scene& scene) {
    Fields fields(object, scene.rigid ? format::rigid_expect : format::expect);
    for (const std::string& name : expectation_names(scene.kind()))
        if (auto found = fields.find(name)) scene.expect.push_back(read_expectation(*found, name));
    if (auto hash = fields.find("hash")) scene.expected_hash = read_hash(*hash);
}

std::vector<std::string> expectation_names(SceneKind kind) {
    std::vector<std::string> names;
    for (const format::Key& key : (kind == SceneKind::rigid ? format::rigid_expect : format::expect).keys)
        if (key.name != "hash") names.emplace_back(key.name);
    return names;
}

} // namespace scree
