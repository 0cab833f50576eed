// SPDX-License-Identifier: MIT
// physics_thread.cpp — see physics_thread.h.
#include "view/physics_thread.h"

#include "scree/error.h"

#include <chrono>
#include <optional>
#include <utility>

namespace scree::view {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

constexpr double slice = 0.008;     // s of stepping before requests are looked at again
constexpr double frame_gap = 0.007; // s between frames without a reader

} // namespace

/// Lives on the thread; used by no other.
struct PhysicsThread::Worker {
    PhysicsThread& owner;
    Place place;
    HistoryLimits limits;
    std::optional<Session> session{};
    Wishes wishes{};
    Pacer pacer{};
    Pace pace{};
    std::uint64_t goal = ~std::uint64_t{0}; // step to pause at
    std::uint64_t frames = 0, published_step = 0;
    double published = 0;
    bool changed = true; // something to show besides steps
    // for the factor of real time: where the world was a while ago
    double mark_wall = 0, mark_world = 0;

    void say(std::string text) {
        const std::lock_guard lock(owner.mutex_);
        owner.messages_.push_back(std::move(text));
    }
    void set_busy(std::string text) {
        const std::lock_guard lock(owner.mutex_);
        owner.busy_ = std::move(text);
    }
    void start_clock() {
        pacer.start(seconds_now());
        mark_wall = seconds_now();
        mark_world = session ? session->live().run().time() : 0;
        pace.real_factor = 0;
    }
    void take_step() {
        const double start = seconds_now();
        pace.failed = true;
        session->step();
        pace.failed = false;
        const double now = seconds_now();
        pace.step_seconds = now - start;
        if (now - mark_wall > 0.5) {
            pace.real_factor = (session->live().run().time() - mark_world) / (now - mark_wall);
            mark_wall = now;
            mark_world = session->live().run().time();
        }
        if (session->live().steps_done() >= goal) pause();
    }
    void pause() {
        pace.running = false;
        goal = ~std::uint64_t{0};
        changed = true;
    }
    /// Steps that are due, for a slice of time.
    void run_due() {
        const double dt = session->time_step();
        const double end = seconds_now() + slice;
        int due = pacer.due(seconds_now(), pace.rate, dt);
        while (due > 0 && pace.running) {
            take_step();
            --due;
            if (seconds_now() > end) break;
        }
        if (due > 0 && pace.rate != as_fast_as_possible) pacer.give_back(due, dt);
    }
    void publish() {
        Frame& frame = owner.frames_.back();
        if (session) {
            session->show(frame, wishes);
            published_step = frame.step;
        }
        frame.pace = pace;
        frame.number = ++frames;
        owner.frames_.publish();
        published = seconds_now();
        changed = false;
    }
    bool stale() const { return changed || (session && session->live().steps_done() != published_step); }
    /// A frame for every step as long as they are taken, else now and then: filling frames costs time.
    void publish_if_due() {
        if (!stale()) return;
        if (changed || owner.frames_.taken() || seconds_now() - published > frame_gap) publish();
    }
    void loop();
};

void PhysicsThread::Worker::loop() {
    start_clock();
    std::vector<std::function<void(Worker&)>> requests;
    for (;;) {
        {
            std::unique_lock lock(owner.mutex_);
            owner.done_ += requests.size();
            requests.clear();
            owner.paused_ = !pace.running;
            owner.answered_.notify_all();
            const auto awaited = [&] { return owner.stop_ || !owner.requests_.empty(); };
            if (!pace.running || !session) {
                owner.asked_.wait(lock, awaited);
            } else if (pace.rate != as_fast_as_possible) {
                const double wait = std::min(0.05, pacer.until_next(pace.rate, session->time_step()));
                owner.asked_.wait_for(lock, std::chrono::duration<double>(wait), awaited);
            }
            if (owner.stop_) return;
            requests.swap(owner.requests_);
        }
        const bool was_running = pace.running;
        for (const auto& request : requests) {
            try {
                request(*this);
            } catch (const Error& error) {
                say(error.what());
            } catch (const std::bad_alloc&) {
                say("there is not enough memory for this");
            } catch (const std::exception& error) {
                say(error.what());
            }
            changed = true;
        }
        if (pace.running && !was_running) start_clock();
        if (session && pace.running) {
            try {
                run_due();
            } catch (const std::exception& error) { // a recording whose disk is full, a device that is gone
                say(error.what());
                pause();
            }
        }
        // what is paused is shown as it is at last
        if (!pace.running && stale()) publish();
        else publish_if_due();
    }
}

PhysicsThread::PhysicsThread(const Place& place, const HistoryLimits& limits) {
    thread_ = std::thread([this, place, limits] {
        Worker worker{.owner = *this, .place = place, .limits = limits};
        worker.loop();
        if (worker.session) {
            try {
                worker.session->stop_recording();
            } catch (const std::exception& error) {
                worker.say(error.what());
            }
        }
    });
}

PhysicsThread::~PhysicsThread() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    asked_.notify_all();
    thread_.join();
}

void PhysicsThread::ask(std::function<void(Worker&)> request) {
    {
        const std::lock_guard lock(mutex_);
        requests_.push_back(std::move(request));
        ++asked_for_;
    }
    asked_.notify_all();
}

void PhysicsThread::load(std::string name, SceneOptions options) {
    ask([name = std::move(name), options = std::move(options)](Worker& w) {
        w.set_busy("loading " + name);
        try {
            Session fresh(find_scene(name, options), options, name, w.place, w.limits);
            w.session.reset();
            w.session.emplace(std::move(fresh));
            w.session->live().time_stages(w.wishes.stages);
            w.start_clock();
        } catch (...) {
            w.set_busy({});
            throw;
        }
        w.set_busy({});
    });
}

void PhysicsThread::restart() {
    ask([](Worker& w) {
        if (!w.session) return;
        w.session->restart();
        w.session->live().time_stages(w.wishes.stages);
        w.start_clock();
    });
}

void PhysicsThread::command(Command command) {
    ask([command = std::move(command)](Worker& w) {
        if (w.session) w.session->command(command);
    });
}

void PhysicsThread::run(bool running) {
    ask([running](Worker& w) {
        w.pace.running = running;
        w.goal = ~std::uint64_t{0};
    });
}

void PhysicsThread::set_rate(double rate) {
    ask([rate](Worker& w) {
        if (!(rate > 0)) throw Error("expected a rate above 0", "rate");
        w.pace.rate = rate;
        w.start_clock();
    });
}

void PhysicsThread::step(std::uint64_t count) {
    ask([count](Worker& w) {
        for (std::uint64_t k = 0; w.session && k < count; ++k) w.take_step();
    });
}

void PhysicsThread::step_back(std::uint64_t count) {
    ask([count](Worker& w) {
        if (!w.session) return;
        w.pause();
        if (w.session->step_back(count) == 0) w.say("this is as far back as is remembered");
    });
}

void PhysicsThread::run_to(std::uint64_t step) {
    ask([step](Worker& w) {
        if (!w.session || w.session->live().steps_done() >= step) return;
        w.pace.running = true;
        w.goal = step;
    });
}

void PhysicsThread::move_to(PlaceOptions options) {
    ask([options = std::move(options)](Worker& w) {
        const Place place(options);
        if (w.session) w.session->live().move_to(place);
        w.place = place;
        if (w.session) w.say("on " + w.session->live().run().device_words());
    });
}

void PhysicsThread::wish(const Wishes& wishes) {
    ask([wishes](Worker& w) {
        if (w.session && w.wishes.stages != wishes.stages) w.session->live().time_stages(wishes.stages);
        w.wishes = wishes;
    });
}

void PhysicsThread::set_future(std::vector<LoggedCommand> log) {
    ask([log = std::move(log)](Worker& w) {
        if (w.session) w.session->set_future(log);
    });
}

void PhysicsThread::record(std::string file, std::uint32_t steps_per_frame) {
    ask([file = std::move(file), steps_per_frame](Worker& w) {
        if (!w.session) return;
        w.session->record(file, steps_per_frame);
        w.say("recording to " + file);
    });
}

void PhysicsThread::stop_recording() {
    ask([](Worker& w) {
        if (!w.session || !w.session->recording()) return;
        const std::uint64_t frames = w.session->recorded();
        w.session->stop_recording();
        w.say("the recording has " + std::to_string(frames) + " frames");
    });
}

std::vector<std::string> PhysicsThread::messages() {
    const std::lock_guard lock(mutex_);
    return std::exchange(messages_, {});
}

std::string PhysicsThread::busy() const {
    const std::lock_guard lock(mutex_);
    return busy_;
}

void PhysicsThread::wait() {
    {
        std::unique_lock lock(mutex_);
        const std::uint64_t mine = asked_for_;
        answered_.wait(lock, [&] { return done_ >= mine; });
    }
    update();
}

void PhysicsThread::wait_until_paused() {
    {
        std::unique_lock lock(mutex_);
        const std::uint64_t mine = asked_for_;
        answered_.wait(lock, [&] { return done_ >= mine && paused_; });
    }
    update();
}

std::vector<LoggedCommand> PhysicsThread::log() {
    std::vector<LoggedCommand> log;
    ask([&log](Worker& w) {
        if (w.session) log = w.session->log();
    });
    wait();
    return log;
}

} // namespace scree::view
