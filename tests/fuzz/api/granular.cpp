// SPDX-License-Identifier: MIT
// granular.cpp — the alphabet of GranularWorld, and how an input is played: see driver.h.
#include "scree/granular.h"
#include "fuzz/api/lockstep.h"
#include "support/host_memory.h"

#include <algorithm>

namespace scree::fuzz {

namespace {

class GranularRun : public Lockstep {
public:
    GranularRun(std::span<const std::uint8_t> input, const Places& places, Tally& tally, std::ostream* calls)
        : Lockstep(input, places, tally, calls) {}
    void play();

    template <class R>
    void ask(R (GranularWorld::*function)() const) {
        both(signature_, called(), [&](int side) -> R { return (world(side).*function)(); });
    }
    void step();
    void step_quietly();
    void change_settings();
    void add_shape();
    void shape();
    void create_body();
    void set_body();
    void add_obstacle();
    void set_obstacle();
    void save();
    void restore();
    void new_world();
    void move_world();
    void place_of();
    void unlike();

private:
    GranularWorld& world(int side) { return *worlds_[side]; }
    std::string called(const std::string& arguments = "") const {
        const std::size_t begin = signature_.find("::") + 2;
        return "world." + std::string(signature_.substr(begin, signature_.find('(') - begin)) + "(" +
               arguments + ")";
    }
    void begin();
    void look();
    void steps(int count);
    void create(const GranularSettings& settings);
    void shape_and_bodies();
    std::uint32_t index(std::uint32_t count) {
        const std::uint8_t byte = in.byte();
        return in.wrong() ? count + byte : byte % std::max(count, 1u);
    }
    GranularSettings read_settings(GranularSettings settings);
    GranularShape read_shape();
    GranularBodyDef read_body(std::uint32_t shape);
    Obstacle read_obstacle();

    std::optional<GranularWorld> worlds_[2];
    std::vector<std::array<std::vector<std::byte>, 2>> saves_;
    std::string_view signature_;
    int steps_left_ = 60, since_look_ = 0, look_every_ = 1;
    std::uint32_t asleep_ = 0;
    bool touched_ = false, slept_ = false, awoke_ = false;
};

template <auto function>
void asks(GranularRun& run) {
    run.ask(function);
}
template <void (GranularRun::*row)()>
void own(GranularRun& run) {
    (run.*row)();
}

// A record's first byte is a row's number: put new rows at the end.
constexpr Row<GranularRun> rows[] = {
    {"GranularWorld::step(int)", own<&GranularRun::step>},
    {"GranularWorld::change_settings(GranularSettings)", own<&GranularRun::change_settings>},
    {"GranularWorld::add_shape(GranularShape)", own<&GranularRun::add_shape>},
    {"GranularWorld::shape(std::uint32_t)", own<&GranularRun::shape>},
    {"GranularWorld::shape_count()", asks<&GranularWorld::shape_count>},
    {"GranularWorld::create_body(GranularBodyDef)", own<&GranularRun::create_body>},
    {"GranularWorld::add_obstacle(Obstacle)", own<&GranularRun::add_obstacle>},
    {"GranularWorld::body_count()", asks<&GranularWorld::body_count>},
    {"GranularWorld::particle_count()", asks<&GranularWorld::particle_count>},
    {"GranularWorld::steps_done()", asks<&GranularWorld::steps_done>},
    {"GranularWorld::time()", asks<&GranularWorld::time>},
    {"GranularWorld::bodies()", asks<&GranularWorld::bodies>},
    {"GranularWorld::particles()", asks<&GranularWorld::particles>},
    {"GranularWorld::particle_forces()", asks<&GranularWorld::particle_forces>},
    {"GranularWorld::obstacles()", asks<&GranularWorld::obstacles>},
    {"GranularWorld::set_body(std::uint32_t, GranularBodyDef)", own<&GranularRun::set_body>},
    {"GranularWorld::set_obstacle(std::uint32_t, Obstacle)", own<&GranularRun::set_obstacle>},
    {"GranularWorld::save()", own<&GranularRun::save>},
    {"GranularWorld::restore(std::span<const std::byte>)", own<&GranularRun::restore>},
    {"GranularWorld::hash()", asks<&GranularWorld::hash>},
    {"GranularWorld::measure()", asks<&GranularWorld::measure>},
    {"GranularWorld::interlocked()", asks<&GranularWorld::interlocked>},
    {"GranularWorld::memory()", own<&GranularRun::unlike>},
    {"GranularWorld::time_stages(bool)", own<&GranularRun::unlike>},
    {"GranularWorld::stage_seconds()", own<&GranularRun::unlike>},
    {"GranularWorld::substeps()", asks<&GranularWorld::substeps>},
    {"GranularWorld::settings()", asks<&GranularWorld::settings>},
    {"GranularWorld::place()", own<&GranularRun::place_of>},
    {"GranularWorld::device()", own<&GranularRun::unlike>},
    {"GranularWorld::GranularWorld(GranularSettings, Place)", own<&GranularRun::new_world>},
    {"GranularWorld::GranularWorld(Defaults, Place)", own<&GranularRun::new_world>},
    {"GranularWorld::GranularWorld(GranularWorld)", own<&GranularRun::move_world>},
    {"GranularWorld::operator=(GranularWorld)", own<&GranularRun::move_world>},
    {"GranularWorld::write_poses(SharedPoses, std::span<const Pose>)", own<&GranularRun::unlike>},
};

constexpr std::string_view usual[] = {
    "GranularWorld::create_body(GranularBodyDef)",
    "", // some steps in which nothing else happens
    "GranularWorld::step(int)",
    "GranularWorld::set_body(std::uint32_t, GranularBodyDef)",
    "GranularWorld::change_settings(GranularSettings)",
    "GranularWorld::add_obstacle(Obstacle)",
    "GranularWorld::set_obstacle(std::uint32_t, Obstacle)",
    "",
    "GranularWorld::add_shape(GranularShape)",
    "GranularWorld::save()",
    "GranularWorld::restore(std::span<const std::byte>)",
    "GranularWorld::create_body(GranularBodyDef)",
};
constexpr Row<GranularRun> quiet_steps{"", own<&GranularRun::step_quietly>};

// arguments ------------------------------------------------------------------------------------------------------------

/// One or two of the settings changed.
GranularSettings GranularRun::read_settings(GranularSettings s) {
    for (std::uint32_t changes = 1 + in.below(2); changes; --changes) {
        switch (in.below(20)) {
        case 0:
            s.mode = GranularMode(in.below(in.wrong() ? 4 : 3));
            break;
        case 1:
            s.contact = ContactModel(in.below(in.wrong() ? 5 : 4));
            break;
        case 2:
            s.decomposition = Decomposition(in.below(2));
            break;
        case 3:
            s.time_step = in.number_of({0.01f, 0.005f, 0.02f, 0.001f});
            break;
        case 4:
            s.substeps = in.wrong() ? in.one_of({-1, 10001, 2}) : static_cast<int>(in.below(4));
            break;
        case 5:
            s.gravity = in.one_of<Vec3>({{0, -9.81f, 0}, {}, {1, -3, 0}, {0, 2, 0}});
            if (in.wrong()) s.gravity.y = in.number(-10, 0);
            break;
        case 6:
            s.stiffness = in.number_of({100, 500, 50, 1000});
            break;
        case 7:
            s.damping = in.number_of({0.5f, 0, 2, 5});
            break;
        case 8:
            s.tangent_damping = in.number_of({0.5f, 0, 2, 5});
            break;
        case 9:
            s.tangent_stiffness = in.number_of({0, 50, 10, 100});
            break;
        case 10:
            s.friction = in.number_of({0.5f, 0, 1, 0.1f});
            break;
        case 11:
            s.terminal_velocity = in.number_of({20, 5, 1, 50});
            break;
        case 12:
            s.walls = in.chance(128), s.ground = in.chance(200);
            break;
        case 13:
            s.world_size = in.number_of({15, 1, 2, 3});
            break;
        case 14:
            s.grid_cells = in.wrong() ? in.one_of({3, 1025, 8}) : in.one_of({77, 16, 8, 32});
            s.grid_min = in.one_of<Vec3>({{-15.4f, -0.4f, -15.4f}, {-2, -0.4f, -2}, {0, 0, 0}});
            break;
        case 15:
            s.sleeping = in.chance(160);
            break;
        case 16:
            s.sleep_speed = in.number_of({0.01f, 0.2f, 1, 0.05f});
            s.sleep_delay = in.number_of({0.05f, 0.5f, 0.02f, 0.1f});
            break;
        case 17:
            s.wake_speed = in.number_of({0.01f, 0.1f, 1, 0.5f});
            break;
        case 18:
            s.contact_memory = in.wrong() ? in.one_of({0, 13, 2}) : 1 + static_cast<int>(in.below(8));
            s.neighbour_skin = in.number_of({-1, 0, 0.2f, 1});
            break;
        default:
            s.unlock = in.chance(128);
            s.contact_epsilon = in.number_of({1e-6f, 0, 0.01f, 1e-3f});
        }
    }
    return s;
}

GranularShape GranularRun::read_shape() {
    const float radius = in.wrong() ? in.number_of({0.2f, 0.1f}) : 0.2f;
    const float other = in.chance(96) ? in.one_of({0.1f, 0.15f, 0.3f}) : radius;
    const int few = 1 + static_cast<int>(in.below(3));
    switch (in.below(7)) {
    case 0:
        return shapes::cube(radius);
    case 1:
        return shapes::cuboid(other, few, 1 + static_cast<int>(in.below(3)), 2);
    case 2:
        return shapes::grain(other);
    case 3:
        return shapes::ball(0.1f, in.one_of({0.1f, 0.2f, 0.3f}));
    case 4:
        return shapes::capsule(other, few + 1, in.chance(128) ? 0.0f : 1.0f);
    case 5: {
        std::vector<ShapeParticle> particles;
        for (int k = 0; k < few + 1; ++k) {
            ShapeParticle particle;
            particle.offset = vector_in(in, 0.4f);
            particle.radius = in.number_of({0.2f, 0.1f, 0.15f});
            particles.push_back(particle);
        }
        return shapes::from_particles("stone", std::move(particles));
    }
    default:
        if (in.wrong()) return {};
        return shapes::cube(other, 2);
    }
}

GranularBodyDef GranularRun::read_body(std::uint32_t shape) {
    GranularBodyDef body;
    body.shape = shape;
    body.position = place_in(in) + Vec3{0, 0.5f, 0};
    body.rotation = rotation_in(in);
    if (in.chance(80)) body.velocity = vector_in(in, 3), body.angular_velocity = vector_in(in, 3);
    body.mass = in.number_of({1, 1, 2, 0.5f});
    return body;
}

Obstacle GranularRun::read_obstacle() {
    Obstacle obstacle;
    obstacle.kind = Obstacle::Kind(in.below(in.wrong() ? 4 : 3));
    obstacle.position = place_in(in);
    obstacle.rotation = rotation_in(in);
    if (obstacle.kind == Obstacle::Kind::plane) obstacle.position.y = -0.5f;
    obstacle.size = {in.number(0.1f, 0.6f), in.number(0.1f, 0.6f), in.number(0.1f, 0.6f)};
    if (in.chance(80)) obstacle.velocity = vector_in(in, 1), obstacle.angular_velocity = vector_in(in, 1);
    if (in.chance(80) && (in.wrong() || obstacle.kind != Obstacle::Kind::plane))
        obstacle.mass = in.number_of({1, 5, 20});
    return obstacle;
}

// rows -----------------------------------------------------------------------------------------------------------------

void GranularRun::create(const GranularSettings& settings) {
    std::optional<GranularWorld> made[2];
    const bool defaults = signature_.find("Defaults") != std::string_view::npos;
    const auto done = both(signature_,
                           defaults ? "GranularWorld world({}, place)"
                                    : "GranularWorld world(" + text_of(settings) + ", place)",
                           [&](int side) {
                               if (defaults) made[side].emplace(GranularWorld({}, place(side)));
                               else made[side].emplace(settings, place(side));
                           });
    if (!done) return;
    for (const int side : {0, 1}) worlds_[side] = std::move(made[side]);
    asleep_ = 0;
}

/// The header: settings, a shape or two, and a heap of bodies.
void GranularRun::begin() {
    in = Reader(input(), 0);
    look_every_ = in.one_of({1, 1, 1, 3, 8, 100});
    const std::uint32_t bodies = in.below(10);
    GranularSettings settings;
    settings.sleep_delay = in.one_of({0.05f, 0.1f, 0.5f});
    settings.sleep_speed = in.one_of({0.05f, 0.3f, 0.01f});
    settings.stiffness = in.one_of({100.0f, 500.0f, 200.0f});
    settings.grid_cells = 16;
    settings.grid_min = {-3, -0.4f, -3};
    settings.world_size = in.one_of({2.0f, 15.0f, 1.0f});
    settings.mode = in.one_of(
        {GranularMode::improved, GranularMode::improved, GranularMode::brute, GranularMode::reference});
    settings.contact = in.one_of({ContactModel::history, ContactModel::split, ContactModel::hertz});
    const GranularSettings tame = settings;
    if (in.chance(100)) settings = read_settings(settings);
    signature_ = "GranularWorld::GranularWorld(GranularSettings, Place)";
    create(settings);
    if (!worlds_[0]) create(tame);
    signature_ = "GranularWorld::add_shape(GranularShape)";
    add_shape();
    for (std::uint32_t k = 0; k < bodies; ++k) {
        signature_ = "GranularWorld::create_body(GranularBodyDef)";
        create_body();
    }
}

void GranularRun::new_world() { create(read_settings(world(0).settings())); }

void GranularRun::move_world() {
    both(signature_, "GranularWorld moved(std::move(world)); world = std::move(moved)", [&](int side) {
        GranularWorld moved(std::move(world(side)));
        world(side) = std::move(moved);
    });
}

void GranularRun::change_settings() {
    const GranularSettings settings = read_settings(world(0).settings());
    both(signature_, called(text_of(settings)), [&](int side) { world(side).change_settings(settings); });
}

void GranularRun::add_shape() {
    if (world(0).shape_count() >= 8) return;
    GranularShape made;
    try {
        made = read_shape();
    } catch (const Error&) {
        return;
    }
    both(signature_, called(text_of(made)), [&](int side) { return world(side).add_shape(made); });
}

void GranularRun::shape() {
    const std::uint32_t which = index(world(0).shape_count());
    both(signature_, called(text_of(which)), [&](int side) { return world(side).shape(which); });
}

void GranularRun::create_body() {
    if (world(0).particle_count() >= 300) return;
    const std::uint32_t which = index(world(0).shape_count());
    const GranularBodyDef body = read_body(which);
    both(signature_, called(text_of(body)), [&](int side) { return world(side).create_body(body); });
}

void GranularRun::set_body() {
    const std::uint32_t which = index(world(0).body_count());
    const std::uint32_t own = which < world(0).body_count() ? world(0).bodies()[which].shape : 0;
    const GranularBodyDef body = read_body(own);
    both(signature_, called(std::to_string(which) + ", " + text_of(body)),
         [&](int side) { world(side).set_body(which, body); });
}

void GranularRun::add_obstacle() {
    if (world(0).obstacles().size() >= 6) return;
    const Obstacle obstacle = read_obstacle();
    both(signature_, called(text_of(obstacle)), [&](int side) { return world(side).add_obstacle(obstacle); });
}

void GranularRun::set_obstacle() {
    const std::uint32_t which = index(static_cast<std::uint32_t>(world(0).obstacles().size()));
    const Obstacle obstacle = read_obstacle();
    both(signature_, called(std::to_string(which) + ", " + text_of(obstacle)),
         [&](int side) { world(side).set_obstacle(which, obstacle); });
}

void GranularRun::steps(int count) {
    // stiff springs and light bodies take thousands of substeps
    if (world(0).substeps() > 24 || steps_left_ < count) return;
    steps_left_ -= count;
    both("GranularWorld::step(int)", "world.step(" + std::to_string(count) + ")",
         [&](int side) { world(side).step(count); });
    tally().steps += static_cast<std::uint64_t>(std::max(count, 0));
    if (++since_look_ >= look_every_) look();
}
void GranularRun::step() { steps(in.wrong() ? in.one_of({-1, 0}) : 1); }
void GranularRun::step_quietly() {
    const int count = 2 + static_cast<int>(in.below(15));
    if (in.chance(128)) return steps(count);
    for (int k = 0; k < count; ++k) steps(1);
}

void GranularRun::save() {
    std::array<std::vector<std::byte>, 2> saved;
    both("GranularWorld::save()", "saves.push_back(world.save())",
         [&](int side) { saved[static_cast<std::size_t>(side)] = world(side).save(); });
    const auto [a, b] = std::mismatch(saved[0].begin(), saved[0].end(), saved[1].begin(), saved[1].end());
    if (a != saved[0].end() || b != saved[1].end())
        throw Difference("the snapshots differ from byte " + std::to_string(a - saved[0].begin()) + " of " +
                         std::to_string(saved[0].size()) + " and " + std::to_string(saved[1].size()));
    if (saves_.size() < 4) saves_.push_back(std::move(saved));
    else saves_[in.below(4)] = std::move(saved);
}

void GranularRun::restore() {
    if (saves_.empty()) save();
    const std::uint32_t which = in.below(static_cast<std::uint32_t>(saves_.size()));
    const bool crossed = in.chance(128);
    std::string line = "saves[" + std::to_string(which) + "]";
    if (in.wrong()) line = "damaged(" + line + ")";
    both("GranularWorld::restore(std::span<const std::byte>)", "world.restore(" + line + ")", [&](int side) {
        std::vector<std::byte> bytes = saves_[which][static_cast<std::size_t>(crossed ? 1 - side : side)];
        if (in.wrong()) bytes.resize(std::min(bytes.size() - 1, in.which_wrong() * std::size_t{29}));
        world(side).restore(bytes);
    });
    asleep_ = 0;
}

void GranularRun::place_of() {
    both(signature_, called(),
         [&](int side) { return world(side).place().device() == place(side).device(); });
}

/// Queries whose answers depend on the device.
void GranularRun::unlike() {
    const bool on = in.chance(128);
    both("GranularWorld::memory()", "world.memory()", [&](int side) { world(side).memory(); });
    both("GranularWorld::time_stages(bool)", "world.time_stages(" + text_of(on) + ")",
         [&](int side) { world(side).time_stages(on); });
    both("GranularWorld::stage_seconds()", "world.stage_seconds()",
         [&](int side) { world(side).stage_seconds(); });
    both("GranularWorld::device()", "world.device()", [&](int side) { world(side).device(); });
    both("GranularWorld::write_poses(SharedPoses, std::span<const Pose>)", "world.write_poses(to, {})",
         [&](int side) {
             const std::uint32_t room =
                 world(side).body_count() + static_cast<std::uint32_t>(world(side).obstacles().size());
             test::HostMemory memory(std::size_t{36} * room);
             SharedPoses to = test::room_for(memory, room, room);
             try {
                 world(side).write_poses(to, {});
             } catch (const Error&) { // a GPU takes memory of OpenGL alone
             }
         });
}

// comparing ------------------------------------------------------------------------------------------------------------

void GranularRun::look() {
    since_look_ = 0;
    const Silence silence(*this);
    const auto asked = [&](std::string_view signature, auto function) {
        signature_ = signature;
        return both(signature_, called(), [&](int side) { return (world(side).*function)(); });
    };
    asked("GranularWorld::bodies()", &GranularWorld::bodies);
    asked("GranularWorld::hash()", &GranularWorld::hash);
    asked("GranularWorld::obstacles()", &GranularWorld::obstacles);
    const auto measure = asked("GranularWorld::measure()", &GranularWorld::measure);
    if (!measure) return;
    touched_ = touched_ || measure->contacts > 0;
    slept_ = slept_ || measure->asleep > 0;
    awoke_ = awoke_ || measure->asleep < asleep_;
    asleep_ = measure->asleep;
}

void GranularRun::play() {
    begin();
    for (std::size_t record = 0; record < records_of(input()); ++record) {
        in = Reader(input(), 1 + record);
        const Row<GranularRun>& row = row_of(in.byte(), rows, usual, quiet_steps);
        signature_ = row.signature;
        row.play(*this);
    }
    look();
    // each goes on from the other's snapshot
    saves_.clear();
    save();
    both("GranularWorld::restore(std::span<const std::byte>)", "world.restore(saves.back())",
         [&](int side) { world(side).restore(saves_[0][static_cast<std::size_t>(1 - side)]); });
    steps_left_ = 2;
    steps(2);
    look();
    tally().touched += touched_, tally().slept += slept_, tally().awoke += awoke_;
}

} // namespace

std::vector<std::string_view> granular_alphabet() {
    std::vector<std::string_view> signatures;
    for (const Row<GranularRun>& row : rows) signatures.push_back(row.signature);
    return signatures;
}

void play_granular(std::span<const std::uint8_t> input, const Places& places, Tally& tally,
                   std::ostream* calls) {
    GranularRun(input, places, tally, calls).play();
}

} // namespace scree::fuzz
