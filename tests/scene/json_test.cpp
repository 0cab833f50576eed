// SPDX-License-Identifier: MIT
// json_test.cpp — the JSON reader: what it accepts, what it refuses, and where it says the fault is.
#include "scene/json.h"
#include "scree/error.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using scree::Error;
using scree::json::Kind;
using scree::json::parse;
using scree::json::Value;

std::string fault(std::string_view text) {
    try {
        parse(text, "f");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
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
        {"", "f:1:1: the end of the file is not allowed here; a value"},
        {"{", "f:1:2: the end of the file is not allowed here; a key in double quotes was expected"},
        {"{a: 1}", "f:1:2: 'a' is not allowed here; a key in double quotes was expected"},
        {"{\"a\" 1}", "f:1:6: '1' is not allowed here; ':' was expected"},
        {"{\"a\": 1,}", "f:1:9: '}' is not allowed here; a key in double quotes was expected"},
        {"[1, 2\n 3]", "f:2:2: '3' is not allowed here; ',' or ']' was expected"},
        {"[1,]", "f:1:4: ']' is not allowed here; a value"},
        {"1 2", "f:1:3: '2' is not allowed here; the end of the file was expected"},
        {"{} x", "f:1:4: 'x' is not allowed here; the end of the file was expected"},
        {"nul", "f:1:1: 'n' is not allowed here; a value"},
        {"NaN", "f:1:1: 'N' is not allowed here; a value"},
        {"Infinity", "f:1:1: 'I' is not allowed here; a value"},
        {"-Infinity", "f:1:2: 'I' is not allowed here; a digit was expected"},
        {"+1", "f:1:1: '+' is not allowed here; a value"},
        {"01", "f:1:2: '1' is not allowed here; the end of the file was expected"},
        {"1.", "f:1:3: the end of the file is not allowed here; a digit after the point was expected"},
        {".5", "f:1:1: '.' is not allowed here; a value"},
        {"1e", "f:1:3: the end of the file is not allowed here; a digit of the exponent was expected"},
        {"0x10", "f:1:2: 'x' is not allowed here; the end of the file was expected"},
        {"1e400", "f:1:1: 1e400 is not allowed; a number that fits into double precision was expected"},
        {"[\n-1e999]", "f:2:1: -1e999 is not allowed; a number that fits"},
        {"\"a", "f:1:3: the end of the file is not allowed here; '\"' to end the string was expected"},
        {"\"a\nb\"", "f:1:3: the end of the line is not allowed here; '\"' or an escaped control character"},
        {"\"\x01\"", "f:1:2: byte 0x01 is not allowed here"},
        {"\"\\x\"",
         "f:1:3: 'x' is not allowed here; one of \" \\ / b f n r t u after a backslash was expected"},
        {"\"\\u12g4\"", "f:1:6: 'g' is not allowed here; a hexadecimal digit was expected"},
        {"\"\\ud800\"", "f:1:2: '\\' is not allowed here; a complete surrogate pair was expected"},
        {"\"\\ud800\\u0041\"",
         "f:1:2: '\\' is not allowed here; the second half of a surrogate pair was expected"},
        {"\"\\udc00\"", "f:1:2: '\\' is not allowed here; a complete surrogate pair was expected"},
        {"\"\xFF\"", "f:1:2: byte 0xFF is not allowed here; UTF-8 text was expected"},
        {"\"\xC0\x80\"", "f:1:2: byte 0xC0 is not allowed here; UTF-8 text was expected"},
        {"\"\xE0\x80\x80\"", "f:1:2: byte 0xE0 is not allowed here; UTF-8 text was expected"},
        {"\"\xED\xA0\x80\"", "f:1:2: byte 0xED is not allowed here; UTF-8 text was expected"},
        {"\"\xF4\x90\x80\x80\"", "f:1:2: byte 0xF4 is not allowed here; UTF-8 text was expected"},
        {"\"\xE2\x82", "f:1:2: byte 0xE2 is not allowed here; UTF-8 text was expected"},
        {std::string("1\0", 2), "f:1:2: byte 0x00 is not allowed here; the end of the file was expected"},
        {"// no\n1", "f:1:1: '/' is not allowed here; a value"},
        {"{\"a\": 1,\n \"b\": 2,\n  \"a\": 3}", "f:3:3: the key \"a\" occurs twice; one was expected"},
        {"{\"a\": 1, \"\\u0061\": 3}", "f:1:10: the key \"a\" occurs twice; one was expected"},
    };
    for (const Case& c : cases) EXPECT_EQ(fault(c.text).substr(0, c.message.size()), c.message) << c.text;
}

TEST(Json, LimitsNesting) {
    auto nested = [](int depth) {
        return std::string(static_cast<std::size_t>(depth), '[') + "1" +
               std::string(static_cast<std::size_t>(depth), ']');
    };
    EXPECT_EQ(fault(nested(scree::json::max_depth)), "");
    EXPECT_EQ(fault(nested(scree::json::max_depth + 1)),
              "f:1:34: '1' is not allowed here; nesting of at most 32 levels was expected");
    EXPECT_NE(fault(std::string(1'000'000, '[')), "") << "a million brackets must not exhaust the stack";
}

TEST(Json, WritesPathsAsTheyWouldBeTyped) {
    using scree::json::path_of;
    EXPECT_EQ(path_of(path_of(path_of("", "bodies"), std::size_t{3}), "mass"), "bodies[3].mass");
    EXPECT_EQ(path_of("world", "two words"), "world[\"two words\"]");
    EXPECT_EQ(path_of("", "a\nb"), "[\"a\\u000ab\"]");
}

} // namespace
