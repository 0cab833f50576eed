// SPDX-License-Identifier: MIT
// rigid.cpp — the alphabet of World and Worlds, and how an input is played: see driver.h.
#include "fuzz/api/rigid.h"

#include <algorithm>
#include <limits>

namespace scree::fuzz {

namespace {

template <class R, class... Params>
using Of = R (World::*)(Params...);
template <class R, class... Params>
using Asks = R (World::*)(Params...) const;

/// A function whose arguments are read by their types (rigid.h).
template <auto function>
void plain(RigidRun& run) {
    run.member(function);
}
template <auto function>
void destroys(RigidRun& run) {
    run.member(function);
    run.sort_out();
}
template <void (RigidRun::*row)()>
void own(RigidRun& run) {
    (run.*row)();
}

/// Queries in a batch, with as many results.
template <class Request, class Result, auto function>
void batch_of(RigidRun& run) {
    run.batch<Request>([](const World& world, std::span<const Request> requests, const QueryFilter& filter) {
        std::vector<Result> results(requests.size());
        (world.*function)(requests, results, filter);
        return results;
    });
}
/// Rays in the memory of the device, which here is the host's; a GPU's worlds answer one by one.
template <class Result, auto function>
void device_rays(RigidRun& run) {
    run.batch<RayCast>([](const World& world, std::span<const RayCast> rays, const QueryFilter& filter) {
        std::vector<Result> results(rays.size());
        if (!world.place().device().starts_with("cuda")) {
            (world.*function)(rays.data(), rays.size(), results.data(), filter);
            return results;
        }
        (world.*function)(nullptr, 0, nullptr,
                          filter); // a wrong filter is refused, however few rays there are
        for (std::size_t k = 0; k < rays.size(); ++k) {
            const RayCast& ray = rays[k];
            if (!is_finite(narrow(ray.origin)) || !is_finite(ray.translation) || ray.translation == Vec3{})
                continue;
            const QueryHit hit = world.cast_ray(ray, filter).value_or(QueryHit{});
            if constexpr (std::is_same_v<Result, QueryHit>) results[k] = hit;
            else results[k] = hit ? 1 : 0;
        }
        return results;
    });
}
template <class Request, auto function>
void lists_of(RigidRun& run) {
    run.batch<Request>([](const World& world, std::span<const Request> requests, const QueryFilter& filter) {
        return (world.*function)(requests, filter);
    });
}

// A record's first byte is a row's number: put new rows at the end.
constexpr Row<RigidRun> rows[] = {
    {"World::step(float)", own<&RigidRun::step_once>},
    {"World::change_settings(WorldSettings)", own<&RigidRun::change_settings>},
    {"World::create_body(BodyDef)", own<&RigidRun::create_body>},
    {"World::destroy(BodyId)", destroys<Of<void, BodyId>(&World::destroy)>},
    {"World::alive(BodyId)", plain<Asks<bool, BodyId>(&World::alive)>},
    {"World::state(BodyId)", plain<Asks<BodyState, BodyId>(&World::state)>},
    {"World::type(BodyId)", plain<&World::type>},
    {"World::set_type(BodyId, BodyType)", plain<&World::set_type>},
    {"World::set_pose(BodyId, DVec3, Quat)", plain<&World::set_pose>},
    {"World::set_velocity(BodyId, Vec3, Vec3)", plain<&World::set_velocity>},
    {"World::set_target(BodyId, DVec3, Quat, float)", plain<&World::set_target>},
    {"World::set_damping(BodyId, float, float)", plain<&World::set_damping>},
    {"World::set_gravity_scale(BodyId, float)", plain<&World::set_gravity_scale>},
    {"World::set_locks(BodyId, Locks)", plain<&World::set_locks>},
    {"World::set_mass(BodyId, std::optional<MassProperties>)", own<&RigidRun::set_mass>},
    {"World::mass(BodyId)", plain<&World::mass>},
    {"World::apply_force(BodyId, Vec3)", [](RigidRun& run) { run.push("apply_force", 2000, false); }},
    {"World::apply_force(BodyId, Vec3, DVec3)", [](RigidRun& run) { run.push("apply_force", 2000, true); }},
    {"World::apply_torque(BodyId, Vec3)", [](RigidRun& run) { run.push("apply_torque", 200, false); }},
    {"World::apply_impulse(BodyId, Vec3)", [](RigidRun& run) { run.push("apply_impulse", 200, false); }},
    {"World::apply_impulse(BodyId, Vec3, DVec3)",
     [](RigidRun& run) { run.push("apply_impulse", 200, true); }},
    {"World::apply_angular_impulse(BodyId, Vec3)",
     [](RigidRun& run) { run.push("apply_angular_impulse", 20, false); }},
    {"World::wake(BodyId)", plain<Of<void, BodyId>(&World::wake)>},
    {"World::put_to_sleep(BodyId)", plain<&World::put_to_sleep>},
    {"World::user_data(BodyId)", plain<Asks<std::uint64_t, BodyId>(&World::user_data)>},
    {"World::shapes(BodyId)", plain<&World::shapes>},
    {"World::attach(BodyId, Geometry, ShapeDef)", own<&RigidRun::attach>},
    {"World::destroy(ShapeId)", destroys<Of<void, ShapeId>(&World::destroy)>},
    {"World::alive(ShapeId)", plain<Asks<bool, ShapeId>(&World::alive)>},
    {"World::body(ShapeId)", plain<&World::body>},
    {"World::geometry(ShapeId)", plain<&World::geometry>},
    {"World::definition(ShapeId)", plain<Asks<ShapeDef, ShapeId>(&World::definition)>},
    {"World::set_material(ShapeId, Material)", plain<&World::set_material>},
    {"World::set_filter(ShapeId, Filter)", plain<&World::set_filter>},
    {"World::create_joint(JointDef)", own<&RigidRun::create_joint>},
    {"World::destroy(JointId)", destroys<Of<void, JointId>(&World::destroy)>},
    {"World::alive(JointId)", plain<Asks<bool, JointId>(&World::alive)>},
    {"World::user_data(JointId)", plain<Asks<std::uint64_t, JointId>(&World::user_data)>},
    {"World::definition(JointId)", plain<Asks<JointDef, JointId>(&World::definition)>},
    {"World::error(JointId)", plain<&World::error>},
    {"World::steps_done()", plain<&World::steps_done>},
    {"World::time()", plain<&World::time>},
    {"World::body_count()", plain<&World::body_count>},
    {"World::shape_count()", plain<&World::shape_count>},
    {"World::joint_count()", plain<&World::joint_count>},
    {"World::bodies()", plain<&World::bodies>},
    {"World::positions()", [](RigidRun& run) { run.positions(false); }},
    {"World::rotations()", [](RigidRun& run) { run.positions(true); }},
    {"World::device_state()", own<&RigidRun::device_state>},
    {"World::device_requests(std::uint32_t)", own<&RigidRun::device_requests>},
    {"World::request_results()", plain<&World::request_results>},
    {"World::requests_lost()", plain<&World::requests_lost>},
    {"World::begin_read()", own<&RigidRun::begin_read>},
    {"World::end_read()", own<&RigidRun::end_read>},
    {"World::contacts()", plain<Asks<std::vector<ContactInfo>>(&World::contacts)>},
    {"World::tree()", own<&RigidRun::unlike>},
    {"World::quarantined()", plain<&World::quarantined>},
    {"World::measure()", plain<Asks<WorldMeasure>(&World::measure)>},
    {"World::counters()", own<&RigidRun::unlike>},
    {"World::memory()", own<&RigidRun::unlike>},
    {"World::traffic()", own<&RigidRun::unlike>},
    {"World::time_stages(bool)", plain<&World::time_stages>},
    {"World::stage_seconds()", own<&RigidRun::unlike>},
    {"World::hash()", plain<&World::hash>},
    {"World::settings()", plain<&World::settings>},
    {"World::place()", own<&RigidRun::place_of>},
    {"World::save()", own<&RigidRun::save>},
    {"World::save(std::string)", own<&RigidRun::save_file>},
    {"World::restore(std::span<const std::byte>, Place)", own<&RigidRun::restore>},
    {"World::restore_file(std::string, Place)", own<&RigidRun::restore_file>},
    {"World::World(WorldSettings, Place)", [](RigidRun& run) { run.new_world(false); }},
    {"World::World(Defaults, Place)", [](RigidRun& run) { run.new_world(true); }},
    {"World::World(World)", own<&RigidRun::move_world>},
    {"World::operator=(World)", own<&RigidRun::move_world>},
    {"Worlds::Worlds(std::uint32_t, WorldSettings, Place)", own<&RigidRun::new_worlds>},
    {"Worlds::copies(std::uint32_t, std::span<const std::byte>, Place)", own<&RigidRun::copies>},
    {"Worlds::Worlds(Worlds)", own<&RigidRun::move_world>},
    {"Worlds::operator=(Worlds)", own<&RigidRun::move_world>},
    {"Worlds::size()", own<&RigidRun::settings_of_all>},
    {"Worlds::operator[](std::uint32_t)", own<&RigidRun::choose_world>},
    {"Worlds::step(float)", own<&RigidRun::step_worlds>},
    {"Worlds::settings()", own<&RigidRun::settings_of_all>},
    {"Worlds::place()", own<&RigidRun::settings_of_all>},
    {"Worlds::change_settings(WorldSettings)", own<&RigidRun::change_settings_of_all>},
    {"Worlds::restore(std::uint32_t, std::span<const std::byte>)", own<&RigidRun::restore_one_of_many>},
    {"Worlds::device_states()", own<&RigidRun::device_states>},
    {"World::position(BodyId)", plain<&World::position>},
    {"World::cast_ray(RayCast, QueryFilter)", plain<&World::cast_ray>},
    {"World::cast_ray_any(RayCast, QueryFilter)", plain<&World::cast_ray_any>},
    {"World::cast_ray_all(RayCast, QueryFilter)", plain<&World::cast_ray_all>},
    {"World::cast_shape(ShapeCast, QueryFilter)", plain<&World::cast_shape>},
    {"World::cast_shape_all(ShapeCast, QueryFilter)", plain<&World::cast_shape_all>},
    {"World::overlap(ShapePlacement, QueryFilter)", plain<&World::overlap>},
    {"World::closest_point(PointQuery, QueryFilter)", plain<&World::closest_point>},
    {"World::contains(DVec3, QueryFilter)", plain<&World::contains>},
    {"World::cast_rays(std::span<const RayCast>, std::span<QueryHit>, QueryFilter)",
     batch_of<RayCast, QueryHit, &World::cast_rays>},
    {"World::cast_rays_any(std::span<const RayCast>, std::span<std::uint8_t>, QueryFilter)",
     batch_of<RayCast, std::uint8_t, &World::cast_rays_any>},
    {"World::cast_rays_all(std::span<const RayCast>, QueryFilter)", lists_of<RayCast, &World::cast_rays_all>},
    {"World::cast_shapes(std::span<const ShapeCast>, std::span<QueryHit>, QueryFilter)",
     batch_of<ShapeCast, QueryHit, &World::cast_shapes>},
    {"World::cast_shapes_all(std::span<const ShapeCast>, QueryFilter)",
     lists_of<ShapeCast, &World::cast_shapes_all>},
    {"World::overlaps(std::span<const ShapePlacement>, QueryFilter)",
     lists_of<ShapePlacement, &World::overlaps>},
    {"World::closest_points(std::span<const PointQuery>, std::span<QueryHit>, QueryFilter)",
     batch_of<PointQuery, QueryHit, &World::closest_points>},
    {"World::contains_all(std::span<const DVec3>, QueryFilter)", lists_of<DVec3, &World::contains_all>},
    {"World::clone()", [](RigidRun& run) { run.clone(false); }},
    {"World::clone(Place)", [](RigidRun& run) { run.clone(true); }},
    {"Rollback::Rollback(World, std::uint32_t)", [](RigidRun& run) { run.make_ring(false); }},
    {"Rollback::Rollback(Worlds, std::uint32_t)", [](RigidRun& run) { run.make_ring(true); }},
    {"Rollback::Rollback(Rollback)", own<&RigidRun::move_ring>},
    {"Rollback::operator=(Rollback)", own<&RigidRun::move_ring>},
    {"Rollback::save()", own<&RigidRun::save_in_ring>},
    {"Rollback::restore(std::uint32_t)", own<&RigidRun::roll_back>},
    {"Rollback::size()", own<&RigidRun::move_ring>},
    {"World::name(BodyId)", plain<&World::name>},
    {"World::set_name(BodyId, std::string)", plain<&World::set_name>},
    {"World::find(std::string)", plain<&World::find>},
    {"World::add_field(ForceField)", own<&RigidRun::add_field>},
    {"World::set_field(FieldId, ForceField)", plain<&World::set_field>},
    {"World::definition(FieldId)", plain<Asks<ForceField, FieldId>(&World::definition)>},
    {"World::destroy(FieldId)", destroys<Of<void, FieldId>(&World::destroy)>},
    {"World::alive(FieldId)", plain<Asks<bool, FieldId>(&World::alive)>},
    {"World::fields()", plain<&World::fields>},
    {"World::explode(Explosion)", plain<&World::explode>},
    {"World::bullet(BodyId)", plain<&World::bullet>},
    {"World::set_bullet(BodyId, bool)", plain<&World::set_bullet>},
    {"World::events()", plain<&World::events>},
    {"World::set_region(std::optional<Region>)", plain<&World::set_region>},
    {"World::region()", plain<&World::region>},
    {"World::contacts(BodyId)", plain<Asks<std::vector<ContactInfo>, BodyId>(&World::contacts)>},
    {"World::contact(ShapeId, ShapeId)", plain<&World::contact>},
    {"World::set_contact_filter(ContactFilter)", own<&RigidRun::set_contact_filter>},
    {"World::set_pre_solve(PreSolve)", own<&RigidRun::set_pre_solve>},
    {"World::set_mesh(ShapeId, Mesh)", own<&RigidRun::set_mesh>},
    {"World::set_heights(ShapeId, HeightPatch)", own<&RigidRun::set_heights>},
    {"World::set_joint(JointId, JointDef)", own<&RigidRun::set_joint>},
    {"World::state(JointId)", plain<Asks<JointState, JointId>(&World::state)>},
    {"World::broken_joints()", plain<&World::broken_joints>},
    {"World::create_cloth(ClothDef)", own<&RigidRun::create_cloth>},
    {"World::destroy(ClothId)", destroys<Of<void, ClothId>(&World::destroy)>},
    {"World::alive(ClothId)", plain<Asks<bool, ClothId>(&World::alive)>},
    {"World::definition(ClothId)", plain<Asks<ClothDef, ClothId>(&World::definition)>},
    {"World::cloths()", plain<&World::cloths>},
    {"World::user_data(ClothId)", plain<Asks<std::uint64_t, ClothId>(&World::user_data)>},
    {"World::vertices(ClothId)", plain<&World::vertices>},
    {"World::vertex_velocities(ClothId)", plain<&World::vertex_velocities>},
    {"World::set_vertices(ClothId, std::span<const Vec3>, std::span<const Vec3>)",
     own<&RigidRun::set_cloth_vertices>},
    {"World::set_pins(ClothId, std::span<const ClothPin>)", own<&RigidRun::set_cloth_pins>},
    {"World::set_wind(ClothId, Vec3)", plain<&World::set_wind>},
    {"World::set_pressure(ClothId, float)", plain<&World::set_pressure>},
    {"World::measure(ClothId)", plain<Asks<FabricMeasure, ClothId>(&World::measure)>},
    {"World::cloth_contacts()", own<&RigidRun::cloth_contacts>},
    {"World::cast_device_rays(RayCast*, std::size_t, QueryHit*, QueryFilter)",
     device_rays<QueryHit, &World::cast_device_rays>},
    {"World::cast_device_rays_any(RayCast*, std::size_t, std::uint8_t*, QueryFilter)",
     device_rays<std::uint8_t, &World::cast_device_rays_any>},
    {"World::drag(ClothId, std::uint32_t, Vec3)", plain<&World::drag>},
    {"World::asleep(ClothId)", plain<&World::asleep>},
    {"World::wake(ClothId)", plain<Of<void, ClothId>(&World::wake)>},
    {"Character::Character(World, CharacterDef)", own<&RigidRun::new_character>},
    {"Character::Character(CharacterDef, CharacterState, BodyId)", own<&RigidRun::again_character>},
    {"Character::move(World, Vec3, float)", own<&RigidRun::move_character>},
    {"Character::jump(float)", own<&RigidRun::jump_character>},
    {"Character::launch(Vec3)", own<&RigidRun::launch_character>},
    {"Character::set_height(World, float)", own<&RigidRun::set_character_height>},
    {"Character::set_position(World, DVec3)", own<&RigidRun::set_character_position>},
    {"make_character_bodies(World, SkinnedModel, ModelPose, CharacterBodiesDef)",
     own<&RigidRun::make_figure>},
    {"follow(World, CharacterBodies, SkinnedModel, ModelPose, DPose, float)", own<&RigidRun::act_figure>},
    {"make_dynamic(World, CharacterBodies)", own<&RigidRun::act_figure>},
    {"make_kinematic(World, CharacterBodies)", own<&RigidRun::act_figure>},
    {"read_pose(World, CharacterBodies, SkinnedModel, DPose, ModelPose)", own<&RigidRun::act_figure>},
    {"make_ragdoll(World, RagdollDef)", own<&RigidRun::make_doll>},
    {"make_chain(World, std::span<const DVec3>, ChainDef)", own<&RigidRun::make_some_chain>},
    {"attach_parts(World, BodyId, std::span<const Hull>, ShapeDef)", own<&RigidRun::attach_some_parts>},
};

/// What the remaining bytes mean. A step on a World of Worlds throws: see step_once.
constexpr std::string_view usual[] = {
    "World::create_body(BodyDef)",
    "", // some steps in which nothing else happens
    "World::step(float)",
    "",
    "World::create_body(BodyDef)",
    "World::step(float)",
    "World::put_to_sleep(BodyId)",
    "World::change_settings(WorldSettings)",
    "World::attach(BodyId, Geometry, ShapeDef)",
    "",
    "World::set_velocity(BodyId, Vec3, Vec3)",
    "World::set_pose(BodyId, DVec3, Quat)",
    "World::create_joint(JointDef)",
    "World::step(float)",
    "World::destroy(BodyId)",
    "World::wake(BodyId)",
    "World::apply_impulse(BodyId, Vec3)",
    "World::save()",
    "World::restore(std::span<const std::byte>, Place)",
    "World::set_type(BodyId, BodyType)",
    "World::destroy(ShapeId)",
    "World::set_filter(ShapeId, Filter)",
    "World::step(float)",
    "World::destroy(JointId)",
    "World::set_mass(BodyId, std::optional<MassProperties>)",
    "Worlds::operator[](std::uint32_t)",
    "Rollback::save()",
    "Rollback::restore(std::uint32_t)",
    "World::add_field(ForceField)",
    "World::explode(Explosion)",
    "World::set_target(BodyId, DVec3, Quat, float)",
    "World::set_heights(ShapeId, HeightPatch)",
    "World::create_cloth(ClothDef)",
    "Character::move(World, Vec3, float)",
    "World::set_pre_solve(PreSolve)",
    "World::set_contact_filter(ContactFilter)",
};
constexpr Row<RigidRun> quiet_steps{"", own<&RigidRun::step_quietly>};

} // namespace

std::vector<std::string_view> rigid_alphabet() {
    std::vector<std::string_view> signatures;
    for (const Row<RigidRun>& row : rows) signatures.push_back(row.signature);
    return signatures;
}

void play_rigid(std::span<const std::uint8_t> input, const Places& places, Tally& tally,
                std::ostream* calls) {
    RigidRun(input, places, tally, calls).play();
}

void RigidRun::play() {
    begin();
    for (std::size_t record = 0; record < records_of(input()); ++record) {
        in = Reader(input(), 1 + record);
        const Row<RigidRun>& row = row_of(in.byte(), rows, usual, quiet_steps);
        signature_ = row.signature;
        row.play(*this);
    }
    finish();
    tally().touched += touched_, tally().slept += slept_, tally().awoke += awoke_;
}

/// The header: what kind of world, its settings, its ground and the first bodies.
void RigidRun::begin() {
    in = Reader(input(), 0);
    const std::uint8_t kind = in.byte();
    look_every_ = std::array{1, 1, 1, 3, 8, 100}[kind % 6];
    // functions of the user are called on "cpu" alone
    if (kind >= 216 && place(0).device() == "cpu" && place(1).device() != "cpu") take_threads_instead();
    const std::uint32_t count = in.chance(200) ? 0 : 1 + in.below(3);
    const std::uint32_t bodies = in.below(10);
    WorldSettings settings;
    settings.substeps = 1 + static_cast<int>(in.below(4));
    settings.sleep_delay = in.one_of({0.1f, 0.05f, 0.2f, 0.5f});
    settings.sleep_speed = in.one_of({0.05f, 0.2f, 1.0f, 0.05f});
    const std::uint8_t solver = in.byte();
    if (solver < 80) settings.solver = Solver::sor;
    impacts_ = solver >= 236 && place(0).device() == "cpu";
    if (impacts_) {
        // which runs on "cpu" alone: there one thread is compared with several
        settings.solver = Solver::impact;
        take_threads_instead();
        // bodies that begin in each other have thousands of impacts in a step
        steps_left_ = bodies <= 3 ? 6 : 4;
    }
    settings.sor_iterations = 4 + static_cast<int>(in.below(8));
    if (in.chance(100)) settings.broad_phase = in.one_of({BroadPhase::grid, BroadPhase::brute});
    if (in.chance(100)) settings = read_settings(settings);
    tally().many += count != 0;
    // the second time with settings that are not refused
    for (const WorldSettings& chosen : {settings, WorldSettings{}}) {
        const std::string text = text_of(chosen) + ", place)";
        const auto done = count ? both("Worlds::Worlds(std::uint32_t, WorldSettings, Place)",
                                       "Worlds worlds(" + std::to_string(count) + ", " + text,
                                       [&](int side) { many_[side].emplace(count, chosen, place(side)); })
                                : both("World::World(WorldSettings, Place)", "World world(" + text,
                                       [&](int side) { one_[side].emplace(chosen, place(side)); });
        if (done) break;
    }
    members_.assign(count ? count : 1, {});
    build(bodies);
}

/// 8 m wide, with hills and valleys.
static Mesh mesh_ground() {
    HeightField field{.columns = 9, .rows = 9, .spacing = 1};
    for (int k = 0; k < 81; ++k) field.heights.push_back(0.02f * static_cast<float>(k * k % 7));
    return Mesh::from_heights(field);
}

/// A ground and some bodies above it, in each world; the tags of the ids show with the first.
void RigidRun::build(std::uint32_t bodies) {
    for (current_ = 0; current_ < members_.size(); ++current_) {
        const std::uint32_t ground = in.below(6);
        const std::optional<BodyId> floor = add_body({.type = BodyType::fixed});
        if (!floor) continue;
        ShapeDef slope{.position = {0, -0.5f, 0}};
        if (ground == 2) slope.rotation = rotation_about({0, 0, 1}, 0.15f);
        if (ground == 0) add_shape({*floor}, Plane{}, {});
        else if (ground == 5) add_shape({*floor}, mesh_ground(), {});
        else if (ground != 4) add_shape({*floor}, Box{4, 0.5f, 4}, slope);
        for (std::uint32_t k = 0; k < bodies >> current_; ++k) {
            const auto column = [](std::uint32_t n) { return 0.5f * static_cast<float>(n) - 0.5f; };
            const Vec3 at{column(k % 3), 0.4f + 0.5f * static_cast<float>(k / 6), column(k / 3 % 2)};
            const std::optional<BodyId> body = add_body({.position = at});
            if (body) add_shape({*body}, read_geometry(), {});
        }
    }
    current_ = 0;
}

// steps ------------------------------------------------------------------------------------------------------------

void RigidRun::step(float dt, bool by_member) {
    if (steps_left_ <= 0) return;
    --steps_left_;
    const std::string number = text_of(dt);
    if (is_many() && !by_member) {
        both("Worlds::step(float)", "worlds.step(" + number + ")", [&](int side) { worlds(side).step(dt); });
    } else {
        in_step_ = !is_many();
        both("World::step(float)", called("step(") + number + ")", [&](int side) { world(side).step(dt); });
        in_step_ = false;
    }
    ++tally().steps;
    if (asked_[0] != asked_[1]) throw Difference("functions of the user were asked something else");
    // of the last step; with dt 0 they are not counted anew, and on a GPU they are of all worlds
    counted_ = dt > 0 && dt < 1 && !is_many();
    if (++since_look_ >= look_every_) look_at_all();
    counted_ = false;
}

void RigidRun::step_once() {
    const float dt = in.number_of(
        {1 / 60.0f, 1 / 60.0f, 1 / 60.0f, 1 / 60.0f, 1 / 60.0f, 1 / 30.0f, 1 / 120.0f, 0.0f, 0.1f, 1e-4f});
    // a valid step is no longer than a second and no shorter than a microsecond
    step(dt > 0 && dt < 1e9f ? std::clamp(dt, 1e-6f, 1.0f) : dt, in.chance(16));
}
void RigidRun::step_quietly() {
    for (std::uint32_t count = 2 + in.below(15); count; --count) step(1 / 60.0f);
}
void RigidRun::step_worlds() { step(1 / 60.0f); }

// bodies, shapes, joints -------------------------------------------------------------------------------------------

std::optional<BodyId> RigidRun::add_body(const BodyDef& body) {
    if (now().bodies.alive.size() >= 24) return {};
    std::optional<BodyId> id =
        both("World::create_body(BodyDef)", called("create_body(") + text_of(body) + ")", [&](int side) {
            const BodyId made = world(side).create_body(body);
            now().tag[static_cast<std::size_t>(side)] = made.generation >> 24;
            return made;
        });
    if (!id) return {};
    id->generation &= without_tag;
    now().bodies.alive.push_back(*id);
    return id;
}

void RigidRun::add_shape(const Ref<BodyId>& body, const Geometry& geometry, const ShapeDef& shape) {
    if (now().shapes.alive.size() >= 40) return;
    std::optional<ShapeId> id =
        call<ShapeId>("World::attach(BodyId, Geometry, ShapeDef)", &World::attach, body, geometry, shape);
    if (!id) return;
    id->generation &= without_tag;
    now().shapes.alive.push_back(*id);
}

void RigidRun::create_body() {
    const std::uint32_t shapes = in.one_of<std::uint32_t>({1, 1, 1, 1, 1, 2, 3, 0});
    const BodyDef body = read_body();
    const std::optional<BodyId> id = add_body(body);
    if (!id) return;
    for (std::uint32_t k = 0; k < shapes; ++k) {
        const Geometry geometry = read_geometry(body.type);
        ShapeDef shape = read_shape();
        if (shapes > 1 && shape.position == Vec3{})
            shape.position = {0.3f * static_cast<float>(k), 0, 0}; // a compound is wider than its parts
        add_shape({*id}, geometry, shape);
    }
}

void RigidRun::attach() {
    const Ref<BodyId> body = read<BodyId>();
    const Geometry geometry = read_geometry();
    add_shape(body, geometry, read_shape());
}

/// The ground is the first shape, and often a mesh.
Ref<ShapeId> RigidRun::read_ground() {
    return in.chance(160) && !now().shapes.alive.empty() ? Ref<ShapeId>{now().shapes.alive.front()}
                                                         : read<ShapeId>();
}

void RigidRun::set_mesh() {
    const Ref<ShapeId> shape = read_ground();
    call<void>("World::set_mesh(ShapeId, Mesh)", &World::set_mesh, shape, read_mesh());
}

void RigidRun::set_heights() {
    const Ref<ShapeId> shape = read_ground();
    HeightPatch patch{
        .column = in.below(4), .row = in.below(4), .columns = 1 + in.below(3), .rows = 1 + in.below(2)};
    if (in.wrong()) patch.column = in.one_of({0u, 4000000000u, 7u});
    for (std::uint32_t k = patch.columns * patch.rows; k; --k)
        patch.heights.push_back(static_cast<float>(in.byte()) / 500);
    if (in.chance(32)) patch.heights[0] = NAN;
    if (in.wrong()) patch.heights.push_back(INFINITY);
    call<void>("World::set_heights(ShapeId, HeightPatch)", &World::set_heights, shape, patch);
}

void RigidRun::create_joint() {
    if (now().joints.alive.size() >= 16) return;
    const Ref<BodyId> first = read<BodyId>();
    const Ref<BodyId> second = in.chance(200) ? read<BodyId>() : Ref<BodyId>{BodyId{}, 0, true};
    JointDef joint;
    const std::uint8_t kind = in.byte();
    joint.collide = in.chance(64);
    joint.axis = in.one_of<Vec3>({{0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {1, 1, 0}});
    joint.user_data = in.byte();
    const bool where_it_is = in.chance(160);
    if (kind >= 64) read_motion(joint);
    joint.type = JointType(in.wrong() && in.which_wrong() == 0x60 ? 77 : kind % 11);
    joint.anchor = place_in(in);
    if (where_it_is)
        if (const auto state =
                call<BodyState>("World::state(BodyId)", Asks<BodyState, BodyId>(&World::state), first))
            joint.anchor = DVec3(state->position) + 0.2 * joint.anchor;
    const bool coupled = joint.type >= JointType::gear && joint.type <= JointType::pulley;
    if (coupled) {
        joint.second_anchor = joint.anchor + exact_place_in(in);
        joint.second_axis = in.one_of<Vec3>({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}});
        joint.ground = {joint.anchor + exact_place_in(in), exact_place_in(in)};
    }
    if (kind >= 64 && in.chance(64)) joint.second_anchor = joint.anchor + exact_place_in(in) * 0.3;
    if (kind >= 64 && in.chance(32))
        joint.frames = {JointFrame{0.1 * exact_place_in(in), rotation_in(in)},
                        JointFrame{0.1 * exact_place_in(in), rotation_in(in)}};
    if (kind >= 64) joint.up = in.one_of<Vec3>({{0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 1}});
    if (!(in.wrong() && in.which_wrong() == 0x63)) keep_what_the_type_uses(joint);
    if (in.wrong() && in.which_wrong() == 0x62) joint.axis = {};
    std::string line = called("create_joint({.first = ") + text_of(first) + ", .second = " + text_of(second) +
                       ", " + text_of(joint).substr(1) + ")";
    std::optional<JointId> id = both("World::create_joint(JointDef)", line, [&](int side) {
        joint.first = at(side, first);
        joint.second = at(side, second);
        return world(side).create_joint(joint);
    });
    if (!id) return;
    id->generation &= without_tag;
    now().joints.alive.push_back(*id);
}

void RigidRun::set_joint() {
    const Ref<JointId> joint = read<JointId>();
    JointDef def;
    def.collide = in.chance(64);
    def.user_data = in.byte();
    read_motion(def);
    if (const auto is =
            call<JointDef>("World::definition(JointId)", Asks<JointDef, JointId>(&World::definition), joint))
        def.type = is->type;
    if (!(in.wrong() && in.which_wrong() == 0x63)) keep_what_the_type_uses(def);
    call<void>("World::set_joint(JointId, JointDef)", &World::set_joint, joint, def);
}

void RigidRun::add_field() {
    if (now().fields.alive.size() >= 6) return;
    std::optional<FieldId> id =
        call<FieldId>("World::add_field(ForceField)", &World::add_field, read_field());
    if (!id) return;
    id->generation &= without_tag;
    now().fields.alive.push_back(*id);
}

template <class T>
static std::string text(const T& value) {
    std::string out;
    put(out, value);
    return out;
}

/// Half of the calls on a cloth where there is none make one first.
Ref<ClothId> RigidRun::pick_cloth() {
    if (now().cloths.alive.empty() && in.chance(128)) {
        const std::string_view before = std::exchange(signature_, "World::create_cloth(ClothDef)");
        create_cloth();
        signature_ = before;
    }
    return pick(now().cloths);
}

void RigidRun::create_cloth() {
    if (now().cloths.alive.size() >= 3) return;
    ClothDef cloth = read_cloth();
    const std::vector<Ref<BodyId>> bodies = read_pins(cloth.pins);
    if (in.chance(64))
        cloth.max_stretch = in.one_of<float>({0.1f, 0.0f, 1.0f, std::numeric_limits<float>::infinity()});
    const auto id =
        both(signature_, called("create_cloth(") + text(cloth) + " with bodies " + text(bodies) + ")",
             [&](int side) {
                 ClothDef own = cloth;
                 for (std::size_t k = 0; k < bodies.size(); ++k) own.pins[k].body = at(side, bodies[k]);
                 return world(side).create_cloth(own);
             });
    if (!id) return;
    ClothId made = *id;
    made.generation &= without_tag;
    now().cloths.alive.push_back(made);
}

void RigidRun::set_cloth_vertices() {
    const Ref<ClothId> cloth = read<ClothId>();
    const Vec3 move = place_in(in), speed = vector_in(in, 2);
    const bool bad = in.wrong();
    both(signature_, called("set_vertices(") + text(cloth) + ", moved by " + text(move) + ")", [&](int side) {
        const auto now_at = world(side).vertices(at(side, cloth));
        std::vector<Vec3> positions(now_at.begin(), now_at.end()), velocities(positions.size(), speed);
        for (Vec3& v : positions) v = v + move;
        if (bad) positions.pop_back();
        world(side).set_vertices(at(side, cloth), positions, velocities);
    });
}

void RigidRun::cloth_contacts() {
    both(signature_, called("cloth_contacts()"), [&](int side) { return world(side).cloth_contacts(); });
    const std::size_t most = in.below(4);
    std::string name = called("");
    name.pop_back();
    both(signature_, "find_cloth_intersections(" + name + ", " + std::to_string(most) + ")",
         [&](int side) { return find_cloth_intersections(world(side), most); });
}

void RigidRun::set_cloth_pins() {
    const Ref<ClothId> cloth = read<ClothId>();
    std::vector<ClothPin> pins;
    const std::vector<Ref<BodyId>> bodies = read_pins(pins);
    both(signature_,
         called("set_pins(") + text(cloth) + ", " + text(pins) + " with bodies " + text(bodies) + ")",
         [&](int side) {
             std::vector<ClothPin> own = pins;
             for (std::size_t k = 0; k < bodies.size(); ++k) own[k].body = at(side, bodies[k]);
             world(side).set_pins(at(side, cloth), own);
         });
}

void RigidRun::push(std::string_view function, float size, bool at_point) {
    const Ref<BodyId> body = read<BodyId>();
    const Vec3 by = vector_in(in, size);
    const DVec3 point = at_point ? place_in(in) : Vec3{};
    if (function == "apply_torque") call<void>(signature_, &World::apply_torque, body, by);
    else if (function == "apply_angular_impulse")
        call<void>(signature_, &World::apply_angular_impulse, body, by);
    else if (at_point)
        call<void>(signature_,
                   function == "apply_force" ? Of<void, BodyId, Vec3, DVec3>(&World::apply_force)
                                             : Of<void, BodyId, Vec3, DVec3>(&World::apply_impulse),
                   body, by, point);
    else
        call<void>(signature_,
                   function == "apply_force" ? Of<void, BodyId, Vec3>(&World::apply_force)
                                             : Of<void, BodyId, Vec3>(&World::apply_impulse),
                   body, by);
}

void RigidRun::set_mass() {
    const Ref<BodyId> body = read<BodyId>();
    std::optional<MassProperties> mass;
    if (in.chance(180)) mass = read_mass();
    call<void>(signature_, &World::set_mass, body, mass);
}

void RigidRun::sort_out() {
    const auto sort = [&](auto& ids) {
        auto all = ids.alive;
        all.insert(all.end(), ids.dead.begin(), ids.dead.end());
        ids.alive.clear(), ids.dead.clear();
        for (const auto& id : all) {
            const bool lives = world(0).alive(at(0, Ref<std::remove_cvref_t<decltype(id)>>{id}));
            (lives ? ids.alive : ids.dead).push_back(id);
        }
    };
    sort(now().bodies), sort(now().shapes), sort(now().joints), sort(now().fields), sort(now().cloths);
}

// functions of the user ----------------------------------------------------------------------------------------------

/// A device that calls none refuses it; there it is compared with a world that has none.
template <class Function, class Answer>
void RigidRun::decide_contacts(const char* name, void (World::*set)(Function), const Answer& answer) {
    const std::uint32_t every = in.below(4);
    const auto mischief = static_cast<Mischief>(in.chance(64) ? 0 : in.below(6));
    const bool called_on_both = place(0).device() == "cpu" && place(1).device() == "cpu";
    const auto function = [&](int side) {
        return called_on_both && every ? Function(answer(side, every + 1, mischief)) : Function{};
    };
    both(signature_,
         called(name) + (every ? "(refuses each " + std::to_string(every + 1) + "th pair, mischief " +
                                     std::to_string(static_cast<int>(mischief)) + ")"
                               : "({})"),
         [&](int side) {
             if (place(side).device() == "cpu") return (world(side).*set)(function(side));
             try {
                 (world(side).*set)(function(side));
             } catch (const Error& error) {
                 if (error.where() != "device") throw;
                 // where it is taken all bodies wake
                 for (const BodyId id : world(side).bodies()) world(side).wake(id);
                 return;
             }
             throw Difference("a device that calls no functions took one");
         });
}

/// Decided by ids alone, so that both worlds do the same. A clone has the function too, and Worlds step side by side: there it leaves
/// the world alone, which is another's.
void RigidRun::misbehave(Mischief mischief, int side, ShapeId a) {
    if (!is_many()) ++tally().decided;
    if (mischief == Mischief::none || a.index % 3 == 0) return;
    if (!is_many()) ++tally().misbehaved;
    if (mischief == Mischief::throws) throw Error("the user's function throws", "mine");
    if (!in_step_) return;
    World& its = world(side);
    switch (mischief) {
    case Mischief::asks:
        asked_[static_cast<std::size_t>(side)] += its.alive(a) + 2 * its.body_count();
        its.cast_ray({{0, 3, 0}, {0.1f, -5, 0}});
        its.contacts();
        break;
    case Mischief::steps:
        its.step(1 / 60.0f);
        break;
    case Mischief::changes:
        its.set_region({});
        break;
    default:
        its.save();
    }
}

/// Every so many-th pair is refused; what was asked is the same on both sides.
void RigidRun::set_contact_filter() {
    decide_contacts("set_contact_filter", &World::set_contact_filter,
                    [this](int side, std::uint32_t every, Mischief mischief) {
                        return [this, side, every, mischief](ShapeId a, ShapeId b) {
                            misbehave(mischief, side, a);
                            return (a.index + b.index) % every != 0;
                        };
                    });
}
void RigidRun::set_pre_solve() {
    decide_contacts("set_pre_solve", &World::set_pre_solve,
                    [this](int side, std::uint32_t every, Mischief mischief) {
                        return [this, side, every, mischief](const ContactInfo& c) {
                            if (!is_many())
                                for (const char letter : text_of(c)) {
                                    std::uint64_t& hash = asked_[static_cast<std::size_t>(side)];
                                    hash = (hash ^ static_cast<std::uint8_t>(letter)) * 1099511628211u;
                                }
                            misbehave(mischief, side, c.first);
                            return (c.first.index + c.second.index) % every != 0;
                        };
                    });
}

// settings ---------------------------------------------------------------------------------------------------------

void RigidRun::change_settings() {
    if (is_many() && !in.chance(32)) return change_settings_of_all();
    call<void>("World::change_settings(WorldSettings)", &World::change_settings,
               read_settings(world(0).settings()));
}
void RigidRun::change_settings_of_all() {
    if (!is_many()) return;
    const WorldSettings settings = read_settings(worlds(0).settings());
    both("Worlds::change_settings(WorldSettings)", "worlds.change_settings(" + text_of(settings) + ")",
         [&](int side) { worlds(side).change_settings(settings); });
}
void RigidRun::settings_of_all() {
    if (!is_many()) return;
    both("Worlds::settings()", "worlds.settings()", [&](int side) { return worlds(side).settings(); });
    both("Worlds::size()", "worlds.size()", [&](int side) { return worlds(side).size(); });
    both("Worlds::place()", "worlds.place()",
         [&](int side) { return worlds(side).place().device() == place(side).device(); });
}
void RigidRun::place_of() {
    both(signature_, called("place()"),
         [&](int side) { return is_many() || world(side).place().device() == place(side).device(); });
}

} // namespace scree::fuzz
