// SPDX-License-Identifier: MIT
// rigid_result.cpp — see rigid_result.h.
#include "rigid_result.h"

#include "options.h"
#include "scree/error.h"
#include "text.h"

#include <fstream>
#include <initializer_list>
#include <limits>
#include <sstream>

namespace scree::bench {

namespace {

void add(std::string& text, std::initializer_list<float> numbers) {
    for (float number : numbers) add_text(text, " %.9g", static_cast<double>(number));
}
void add(std::string& text, const Vec3& v) { add(text, {v.x, v.y, v.z}); }
void add(std::string& text, const DVec3& v) {
    for (const double number : {v.x, v.y, v.z}) add_text(text, " %.17g", number);
}
void add(std::string& text, const Quat& q) { add(text, {q.s, q.x, q.y, q.z}); }

/// the lines of a file, each told apart by its first word
class Lines {
public:
    explicit Lines(const std::string& file) : file_(file), in_(file) {
        if (!in_) throw Error("cannot be read", file);
    }
    [[noreturn]] void refuse(const std::string& what) const {
        throw Error(what, file_ + ":" + std::to_string(line_));
    }
    /// The words of the next line, which must begin with `first`.
    std::vector<std::string> next(const std::string& first, std::size_t count) {
        std::string line, word;
        ++line_;
        if (!std::getline(in_, line)) refuse("the file ends; expected \"" + first + "\"");
        std::istringstream stream(line);
        std::vector<std::string> words;
        while (stream >> word) words.push_back(word);
        if (words.empty() || words[0] != first || words.size() != count + 1)
            refuse("\"" + printable(line.substr(0, 60)) + "\" is not \"" + first + "\" and " +
                   count_of(count, "value", "values"));
        words.erase(words.begin());
        return words;
    }
    std::uint64_t whole(const std::string& first, std::uint64_t least, std::uint64_t most) {
        const std::string word = next(first, 1)[0];
        const auto value = parse_whole(word);
        if (!value || *value < least || *value > most)
            refuse("invalid value \"" + printable(word) + "\": expected an integer from " +
                   count_text(least) + " to " + count_text(most));
        return *value;
    }
    double number(const std::string& word) const {
        // an engine that lost a body says so with nan or inf
        if (word == "nan" || word == "-nan" || word == "inf" || word == "-inf")
            return std::numeric_limits<double>::quiet_NaN();
        const auto value = parse_number(word);
        if (!value) refuse("invalid value \"" + printable(word) + "\": expected a number");
        return *value;
    }

private:
    std::string file_;
    std::ifstream in_;
    std::size_t line_ = 0;
};

} // namespace

std::string result_text(const RigidResult& result) {
    std::string text = "scree-rigid-result 1\nscene " + result.scene + "\nengine " + result.engine +
                       "\nversion " + result.version + "\nthreads " + std::to_string(result.threads) +
                       "\nsteps " + std::to_string(result.steps) + "\nms";
    add(text, {static_cast<float>(result.falling_ms), static_cast<float>(result.settled_ms),
               static_cast<float>(result.p99_ms)});
    text += "\nbodies " + std::to_string(result.poses.size()) + "\n";
    for (const RigidPose& pose : result.poses) {
        text += "pose";
        add(text, pose.position);
        add(text, pose.rotation);
        add(text, pose.velocity);
        add(text, pose.angular_velocity);
        text += '\n';
    }
    return text;
}

RigidResult read_result(const std::string& file) {
    Lines lines(file);
    if (lines.next("scree-rigid-result", 1)[0] != "1") lines.refuse("expected version 1 of the format");
    RigidResult result;
    result.scene = lines.next("scene", 1)[0];
    const std::size_t bodies = find_bench_scene(result.scene, file).rigid.bodies.size();
    result.engine = printable(lines.next("engine", 1)[0]);
    result.version = printable(lines.next("version", 1)[0]);
    result.threads = static_cast<int>(lines.whole("threads", 1, 1024));
    result.steps = static_cast<int>(lines.whole("steps", 0, 100000000));
    const std::vector<std::string> times = lines.next("ms", 3);
    result.falling_ms = lines.number(times[0]);
    result.settled_ms = lines.number(times[1]);
    result.p99_ms = lines.number(times[2]);
    lines.whole("bodies", bodies, bodies);
    for (std::size_t i = 0; i < bodies; ++i) {
        const std::vector<std::string> words = lines.next("pose", 13);
        float f[13];
        for (std::size_t n = 0; n < 13; ++n) f[n] = static_cast<float>(lines.number(words[n]));
        result.poses.push_back({{lines.number(words[0]), lines.number(words[1]), lines.number(words[2])},
                                {.x = f[4], .y = f[5], .z = f[6], .s = f[3]},
                                {f[7], f[8], f[9]},
                                {f[10], f[11], f[12]}});
    }
    return result;
}

} // namespace scree::bench
