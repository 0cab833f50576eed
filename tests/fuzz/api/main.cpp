// SPDX-License-Identifier: MIT
// main.cpp — scree_api_fuzz: random sequences of calls on two worlds, at any two places, without libFuzzer.
//
// Each job is a process of its own, so that a crash in one is found and made smaller by this one. Only jobs open devices:
// CUDA does not survive a fork.
#include "fuzz/api/driver.h"
#include "fuzz/api/minimise.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scree::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* usage =
    R"(usage: scree_api_fuzz [options] [FILE or FOLDER of inputs ...]
  --device NAME    the place to test (cpu:kernels)
  --against NAME   the place to compare with (cpu)
  --threads N      CPU threads of the tested place (1); --against has one
  --lanes N        SIMD lanes of the tested place (the widest)
  --kind KIND      rigid, granular or both (both); files of folders called granular... are granular
  --seconds N      how long to make inputs (10); 0: only play the files
  --seed N         (1)
  --jobs N         processes (1)
  --out FOLDER     where inputs that fail are written (.)
  --print          prints the calls of the files
  --quiet          no table of calls
)";

struct Options {
    PlaceOptions device{.device = "cpu:kernels", .threads = 1}, against{.device = "cpu", .threads = 1};
    std::string kind = "both", out = ".";
    double seconds = 10;
    std::uint32_t seed = 1, jobs = 1;
    bool print = false, quiet = false;
    std::vector<std::string> files;
};

struct Entry {
    Kind kind;
    Bytes bytes;
    std::string name;
};

/// What a job shares with the process that waits for it.
struct Shared {
    Kind kind;
    std::uint64_t size;
    std::uint8_t input[most_bytes];
    bool at_work;
    struct Counts {
        std::uint64_t inputs, steps, touched, slept, awoke, many;
        Tally::Calls calls[256]; // a row is a byte
    } counts[2];
};

[[noreturn]] void refuse(const std::string& what) {
    std::cerr << "scree_api_fuzz: " << what << "\n" << usage;
    std::exit(2);
}

Options read_options(int count, char** words) {
    Options options;
    const auto number = [&](int& k) {
        if (k + 1 >= count) refuse(std::string(words[k]) + " needs a value");
        char* end = nullptr;
        const double value = std::strtod(words[++k], &end);
        if (*end || value < 0) refuse("invalid value \"" + std::string(words[k]) + "\": expected a number");
        return value;
    };
    const auto word = [&](int& k) -> std::string {
        if (k + 1 >= count) refuse(std::string(words[k]) + " needs a value");
        return words[++k];
    };
    for (int k = 1; k < count; ++k) {
        const std::string_view option = words[k];
        if (option == "--device") options.device.device = word(k);
        else if (option == "--against") options.against.device = word(k);
        else if (option == "--threads") options.device.threads = static_cast<int>(number(k));
        else if (option == "--lanes") options.device.lanes = static_cast<int>(number(k));
        else if (option == "--kind") options.kind = word(k);
        else if (option == "--seconds") options.seconds = number(k);
        else if (option == "--seed") options.seed = static_cast<std::uint32_t>(number(k));
        else if (option == "--jobs") options.jobs = static_cast<std::uint32_t>(number(k));
        else if (option == "--out") options.out = word(k);
        else if (option == "--print") options.print = true;
        else if (option == "--quiet") options.quiet = true;
        else if (option.starts_with("--")) refuse("there is no option " + std::string(option));
        else options.files.emplace_back(option);
    }
    if (options.kind != "both" && options.kind != "rigid" && options.kind != "granular")
        refuse("invalid value \"" + options.kind + "\": expected rigid, granular or both");
    options.jobs = std::max(options.jobs, 1u);
    return options;
}

bool wanted(const Options& options, Kind kind) {
    return options.kind == "both" || options.kind == kind_names[static_cast<std::size_t>(kind)];
}

std::vector<Entry> read_files(const Options& options) {
    std::vector<Entry> entries;
    const auto add = [&](const fs::path& path) {
        std::ifstream in(path, std::ios::binary);
        if (!in) refuse("cannot read " + path.string());
        const Bytes bytes{std::istreambuf_iterator<char>(in), {}};
        const bool granular = fs::absolute(path).parent_path().filename().string().starts_with("granular") ||
                              path.filename().string().starts_with("granular") || options.kind == "granular";
        const Kind kind = granular ? Kind::granular : Kind::rigid;
        if (wanted(options, kind)) entries.push_back({kind, bytes, path.string()});
    };
    for (const std::string& file : options.files) {
        if (!fs::is_directory(file)) {
            add(file);
            continue;
        }
        for (const auto& found : fs::recursive_directory_iterator(file))
            if (found.is_regular_file()) add(found.path());
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
    return entries;
}

std::string write_failure(const Options& options, Kind kind, const Bytes& input) {
    std::uint64_t hash = 1469598103934665603u;
    for (const std::uint8_t byte : input) hash = (hash ^ byte) * 1099511628211u;
    char name[64];
    std::snprintf(name, sizeof name, "%s-%016llx.input", kind_names[static_cast<std::size_t>(kind)].data(),
                  static_cast<unsigned long long>(hash));
    fs::create_directories(options.out);
    const std::string path = (fs::path(options.out) / name).string();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
    return path;
}

/// In a job.
class Job {
public:
    Job(const Options& options, Shared& shared, std::uint32_t number)
        : options_(options),
          shared_(shared),
          number_(number),
          places_{Place(options.against), Place(options.device)},
          random_(options.seed * 1000 + number + 1) {}

    /// Whether nothing was found.
    bool run(const std::vector<Entry>& files) {
        bool good = true;
        for (std::size_t k = number_; k < files.size(); k += options_.jobs) {
            if (options_.print) std::cout << "// " << files[k].name << "\n";
            good = test(files[k].kind, files[k].bytes, files[k].name) && good;
        }
        std::cout << "job " << number_ << ": played its files\n" << std::flush;
        std::vector<Bytes> pool[2];
        for (const Entry& file : files) pool[static_cast<std::size_t>(file.kind)].push_back(file.bytes);
        const auto start = std::chrono::steady_clock::now();
        for (std::uint64_t turn = 0; good; ++turn) {
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
            if (passed.count() >= options_.seconds) break;
            const Kind kind = turn % 4 == 3 ? Kind::granular : Kind::rigid;
            if (!wanted(options_, kind)) continue;
            std::vector<Bytes>& known = pool[static_cast<std::size_t>(kind)];
            const auto some = [&] { return known[(random_() >> 4) % known.size()]; };
            Bytes input = known.empty() || random_() % 3 == 0 ? random_input(random_) : some();
            if (!known.empty()) mutate(input, some(), random_);
            const std::uint64_t awoke = tally_[static_cast<std::size_t>(kind)].awoke;
            good = test(kind, input, "");
            // inputs in which bodies sleep and wake are worth changing
            if (tally_[static_cast<std::size_t>(kind)].awoke == awoke) continue;
            if (known.size() < 400) known.push_back(input);
            else known[(random_() >> 4) % known.size()] = input;
        }
        publish();
        return good;
    }

private:
    bool test(Kind kind, const Bytes& input, const std::string& name) {
        shared_.kind = kind;
        shared_.size = std::min(input.size(), most_bytes);
        std::copy_n(input.begin(), shared_.size, shared_.input);
        shared_.at_work = true;
        alarm(120); // an input that hangs ends the job
        const auto difference = play(kind, input, places_, tally_[static_cast<std::size_t>(kind)],
                                     options_.print ? &std::cout : nullptr);
        alarm(0);
        shared_.at_work = false;
        if (tally_[static_cast<std::size_t>(kind)].inputs % 64 == 0) publish();
        if (!difference) return true;
        std::cout << "a difference" << (name.empty() ? "" : " in " + name) << ": " << *difference
                  << "\nwritten to " << write_failure(options_, kind, input) << ", making it smaller\n"
                  << std::flush;
        Tally none;
        // another difference than this one would be a smaller input of another fault
        const std::string what = difference->substr(0, difference->find('('));
        const auto fails = [&](const Bytes& bytes) {
            const auto found = play(kind, bytes, places_, none);
            return found && found->starts_with(what);
        };
        const Bytes small = minimised(input, fails, 60);
        const auto again = play(kind, small, places_, none, &std::cout);
        std::cout << (again ? *again : "it did not happen again") << "\nwritten to "
                  << write_failure(options_, kind, small) << "\n"
                  << std::flush;
        return false;
    }
    void publish() {
        for (std::size_t kind = 0; kind < 2; ++kind) {
            const Tally& tally = tally_[kind];
            Shared::Counts& to = shared_.counts[kind];
            to = {tally.inputs, tally.steps, tally.touched, tally.slept, tally.awoke, tally.many, {}};
            std::size_t k = 0;
            for (const std::string_view signature : alphabet(static_cast<Kind>(kind))) {
                if (const auto at = tally.calls.find(signature); at != tally.calls.end())
                    to.calls[k] = at->second;
                ++k;
            }
        }
    }

    const Options& options_;
    Shared& shared_;
    std::uint32_t number_;
    Places places_;
    Random random_;
    Tally tally_[2];
};

/// Whether the input still ends a process of its own.
bool crashes(const Options& options, Kind kind, const Bytes& input, bool prints) {
    std::cout << std::flush;
    const pid_t child = fork();
    if (child == 0) {
        if (!prints && !std::freopen("/dev/null", "w", stderr)) std::_Exit(0);
        alarm(60);
        const Places places{Place(options.against), Place(options.device)};
        Tally none;
        play(kind, input, places, none, prints ? &std::cout : nullptr);
        std::_Exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void report_crash(const Options& options, const Shared& shared, int status) {
    std::cout << "a job ended by " << (WIFSIGNALED(status) ? "signal " : "status ")
              << (WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)) << "\n";
    if (!shared.at_work) return;
    const Bytes input(shared.input, shared.input + shared.size);
    std::cout << "written to " << write_failure(options, shared.kind, input) << ", making it smaller\n"
              << std::flush;
    const Bytes small =
        minimised(input, [&](const Bytes& bytes) { return crashes(options, shared.kind, bytes, false); }, 60);
    crashes(options, shared.kind, small, true);
    std::cout << "\nwritten to " << write_failure(options, shared.kind, small) << "\n";
}

Tally tally_of(const Shared& shared, Kind kind) {
    const Shared::Counts& from = shared.counts[static_cast<std::size_t>(kind)];
    Tally tally;
    tally.inputs = from.inputs, tally.steps = from.steps, tally.touched = from.touched;
    tally.slept = from.slept, tally.awoke = from.awoke, tally.many = from.many;
    std::size_t k = 0;
    for (const std::string_view signature : alphabet(kind))
        tally.calls[std::string(signature)] = from.calls[k++];
    return tally;
}

int run(const Options& options) {
    const std::vector<Entry> files = read_files(options);
    void* memory = mmap(nullptr, options.jobs * sizeof(Shared), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) refuse("no memory to share with the jobs");
    auto* shared = static_cast<Shared*>(memory);
    std::vector<pid_t> jobs;
    for (std::uint32_t number = 0; number < options.jobs; ++number) {
        jobs.push_back(fork());
        if (jobs.back() != 0) continue;
        int status = 3;
        try {
            status = Job(options, shared[number], number).run(files) ? 0 : 1;
        } catch (const std::exception& error) {
            std::cerr << "scree_api_fuzz: " << error.what() << "\n";
        }
        std::cout << std::flush;
        std::_Exit(status);
    }
    int worst = 0;
    for (std::uint32_t number = 0; number < options.jobs; ++number) {
        int status = 0;
        waitpid(jobs[number], &status, 0);
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
        worst = std::max(worst, code);
        if (code > 1) report_crash(options, shared[number], status);
    }
    for (const Kind kind : {Kind::rigid, Kind::granular}) {
        Tally all;
        for (std::uint32_t number = 0; number < options.jobs; ++number)
            all.add(tally_of(shared[number], kind));
        const std::string report = all.report(kind);
        if (all.inputs) std::cout << (options.quiet ? report.substr(0, report.find('\n') + 1) : report);
    }
    std::cout << (worst ? "FAILED" : "no difference") << ": " << options.device.device << " against "
              << options.against.device << ", seed " << options.seed << "\n";
    return worst ? 1 : 0;
}

} // namespace
} // namespace scree::fuzz

int main(int count, char** words) { return scree::fuzz::run(scree::fuzz::read_options(count, words)); }
