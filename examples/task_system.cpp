// SPDX-License-Identifier: MIT
// task_system.cpp — steps run on the program's own threads, and give the same bits.
#include <scree/world.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

/// The simplest there is: threads that come and go. An engine's own scheduler takes its place.
class OwnTasks final : public scree::TaskSystem {
public:
    int workers() const override { return 3; }
    void run(int count, const std::function<void(int)>& task) override {
        std::vector<std::thread> threads;
        for (int i = 1; i < count; ++i) threads.emplace_back(task, i);
        task(0);
        for (std::thread& thread : threads) thread.join();
        ++calls;
    }
    std::atomic<int> calls = 0;
};

std::uint64_t hash_of_a_pile(const scree::Place& place) {
    scree::World world({}, place);
    world.attach(world.create_body({.type = scree::BodyType::fixed}), scree::Plane{});
    for (int i = 0; i < 2000; ++i) {
        const scree::Vec3 at{1.1f * static_cast<float>(i % 10), 1 + 1.1f * static_cast<float>(i / 100),
                             1.1f * static_cast<float>(i / 10 % 10)};
        world.attach(world.create_body({.position = at}), scree::Box{0.5f, 0.5f, 0.5f});
    }
    for (int step = 0; step < 20; ++step) world.step(1 / 60.0f);
    return world.hash();
}

} // namespace

int main() {
    OwnTasks tasks;
    const std::uint64_t own = hash_of_a_pile({{.tasks = &tasks}}), single = hash_of_a_pile({{.threads = 1}});
    std::printf("hash %016llx with a task system that was called %d times, %016llx with one thread\n",
                static_cast<unsigned long long>(own), tasks.calls.load(),
                static_cast<unsigned long long>(single));
    return own == single && tasks.calls > 0 ? 0 : 1;
}
