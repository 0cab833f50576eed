// SPDX-License-Identifier: MIT
// json_test.cpp — the JSON reader: what it accepts, what it refuses, and where it says the fault is.
#include "support/refused.h"
#include "text/json.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using scree::json::Kind;
using scree::json::parse;
using scree::json::Value;

std::string fault(std::string_view text) {
    return scree::test::error_message([&] { parse(text, "f"); });
}

TEST(Json, ReadsEveryKindOfValue) {
    Value value = parse(R"({"a": [1, -2.5e3, true, false, null, "x"], "b": {}})", "f");
    ASSERT_EQ(value.kind, Kind::object);
    const Value& list = *value.find("a");
    ASSERT_EQ(list.items.size(), 6u);
    EXPECT_EQ(list.items[0].number, 1);
    EXPECT_EQ(list.items[1].number, -2500);
    EXPECT_TRUE(list.items[2].boolean);
    EXPECT_EQ(list.items[3].kind, Kind::boolean);
    EXPECT_FALSE(list.items[3].boolean);
    EXPECT_EQ(list.items[4].kind, Kind::null);
    EXPECT_EQ(list.items[5].text, "x");
    EXPECT_EQ(value.find("b")->kind, Kind::object);
    EXPECT_EQ(value.find("c"), nullptr);
}

TEST(Json, ReadsNumbersToTheLastBit) {
    EXPECT_EQ(parse("0.1", "f").number, 0.1);
    EXPECT_EQ(parse("1.7976931348623157e308", "f").number, 1.7976931348623157e308);
    EXPECT_EQ(parse("5e-324", "f").number, 5e-324);
    EXPECT_EQ(parse("9007199254740991", "f").number, 9007199254740991.0);
    EXPECT_EQ(parse("0." + std::string(400, '3'), "f").number, 1.0 / 3);
}

TEST(Json, ReadsEscapesAsUtf8) {
    EXPECT_EQ(parse(R"("\"\\\/\b\f\n\r\t")", "f").text, "\"\\/\b\f\n\r\t");
    EXPECT_EQ(parse(R"("\u0041\u00e9\u20AC\ud83d\ude00")", "f").text,
              "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    EXPECT_EQ(parse("\"\xC3\xA9\"", "f").text, "\xC3\xA9");
    EXPECT_EQ(parse(R"("a\u0000b")", "f").text, std::string("a\0b", 3));
}

TEST(Json, KeepsLineAndColumnOfEachValue) {
    Value value = parse("{\n  \"\xC3\xA9\": 7,\r\n  \"b\":\n [ 8 ]}", "f");
    EXPECT_EQ(value.line, 1u);
    EXPECT_EQ(value.items[0].line, 2u);
    EXPECT_EQ(value.items[0].column, 8u) << "a letter of two bytes is one column";
    EXPECT_EQ(value.items[1].line, 4u);
    EXPECT_EQ(value.items[1].items[0].column, 4u);
}

TEST(Json, SkipsAByteOrderMark) {
    Value value = parse("\xEF\xBB\xBF 1", "f");
    EXPECT_EQ(value.number, 1);
    EXPECT_EQ(value.column, 2u);
}

TEST(Json, RefusesWhatIsNotJsonAndSaysWhere) {
    struct Case {
        std::string text, message;
    };
    const Case cases[] = {
        {"", "f:1:1: unexpected end of the file: expected a value"},
        {"{", "f:1:2: unexpected end of the file: expected a key in double quotes"},
        {"{a: 1}", "f:1:2: unexpected 'a': expected a key in double quotes"},
        {"{\"a\" 1}", "f:1:6: unexpected '1': expected ':'"},
        {"{\"a\": 1,}", "f:1:9: unexpected '}': expected a key in double quotes"},
        {"[1, 2\n 3]", "f:2:2: unexpected '3': expected ',' or ']'"},
        {"[1,]", "f:1:4: unexpected ']': expected a value"},
        {"1 2", "f:1:3: unexpected '2': expected the end of the file"},
        {"{} x", "f:1:4: unexpected 'x': expected the end of the file"},
        {"nul", "f:1:1: unexpected 'n': expected a value"},
        {"NaN", "f:1:1: unexpected 'N': expected a value"},
        {"Infinity", "f:1:1: unexpected 'I': expected a value"},
        {"-Infinity", "f:1:2: unexpected 'I': expected a digit"},
        {"+1", "f:1:1: unexpected '+': expected a value"},
        {"01", "f:1:2: unexpected '1': expected the end of the file"},
        {"1.", "f:1:3: unexpected end of the file: expected a digit after the point"},
        {".5", "f:1:1: unexpected '.': expected a value"},
        {"1e", "f:1:3: unexpected end of the file: expected a digit of the exponent"},
        {"0x10", "f:1:2: unexpected 'x': expected the end of the file"},
        {"1e400", "f:1:1: invalid value 1e400: expected a number that fits into double precision"},
        {"[\n-1e999]", "f:2:1: invalid value -1e999: expected a number that fits"},
        {"\"a", "f:1:3: unexpected end of the file: expected '\"' to end the string"},
        {"\"a\nb\"", "f:1:3: unexpected end of the line: expected '\"' or an escaped control character"},
        {"\"\x01\"", "f:1:2: unexpected byte 0x01"},
        {"\"\\x\"", "f:1:3: unexpected 'x': expected one of \" \\ / b f n r t u after a backslash"},
        {"\"\\u12g4\"", "f:1:6: unexpected 'g': expected a hexadecimal digit"},
        {"\"\\ud800\"", "f:1:2: unexpected '\\': expected a complete surrogate pair"},
        {"\"\\ud800\\u0041\"", "f:1:2: unexpected '\\': expected the second half of a surrogate pair"},
        {"\"\\udc00\"", "f:1:2: unexpected '\\': expected a complete surrogate pair"},
        {"\"\xFF\"", "f:1:2: unexpected byte 0xFF: expected UTF-8 text"},
        {"\"\xC0\x80\"", "f:1:2: unexpected byte 0xC0: expected UTF-8 text"},
        {"\"\xE0\x80\x80\"", "f:1:2: unexpected byte 0xE0: expected UTF-8 text"},
        {"\"\xED\xA0\x80\"", "f:1:2: unexpected byte 0xED: expected UTF-8 text"},
        {"\"\xF4\x90\x80\x80\"", "f:1:2: unexpected byte 0xF4: expected UTF-8 text"},
        {"\"\xE2\x82", "f:1:2: unexpected byte 0xE2: expected UTF-8 text"},
        {std::string("1\0", 2), "f:1:2: unexpected byte 0x00: expected the end of the file"},
        {"// no\n1", "f:1:1: unexpected '/': expected a value"},
        {"{\"a\": 1,\n \"b\": 2,\n  \"a\": 3}", "f:3:3: the key \"a\" occurs twice"},
        {"{\"a\": 1, \"\\u0061\": 3}", "f:1:10: the key \"a\" occurs twice"},
    };
    for (const Case& c : cases) EXPECT_EQ(fault(c.text).substr(0, c.message.size()), c.message) << c.text;
}

TEST(Json, LimitsNesting) {
    auto nested = [](int depth) {
        return std::string(static_cast<std::size_t>(depth), '[') + "1" +
               std::string(static_cast<std::size_t>(depth), ']');
    };
    EXPECT_EQ(fault(nested(scree::json::max_depth)), "no error");
    EXPECT_EQ(fault(nested(scree::json::max_depth + 1)),
              "f:1:34: unexpected '1': expected nesting of at most 32 levels");
    EXPECT_NE(fault(std::string(1'000'000, '[')), "no error")
        << "a million brackets must not exhaust the stack";
}

TEST(Json, WritesPathsAsTheyWouldBeTyped) {
    using scree::json::path_of;
    EXPECT_EQ(path_of(path_of(path_of("", "bodies"), std::size_t{3}), "mass"), "bodies[3].mass");
    EXPECT_EQ(path_of("world", "two words"), "world[\"two words\"]");
    EXPECT_EQ(path_of("", "a\nb"), "[\"a\\u000ab\"]");
}

} // namespace
