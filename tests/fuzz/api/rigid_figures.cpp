// SPDX-License-Identifier: MIT
// rigid_figures.cpp — what is built of bodies and shapes: characters, figures, ragdolls, chains, parts of meshes. See rigid.h.
#include "fuzz/api/rigid.h"
#include "scree/chain.h"
#include "scree/decompose.h"
#include "scree/ragdoll.h"
#include "scree/walking_figure.h"

namespace scree::fuzz {

namespace {

constexpr std::size_t most_bodies = 24;

struct Figure {
    SkinnedModel model = walking_figure(1);
    ModelClip walk = *model.find_clip("walk");
};
const Figure& figure() {
    static const Figure one;
    return one;
}

std::string text_of_all(const CharacterDef& is) {
    std::string out = "{.position = ";
    put(out, is.position);
    out += ", .up = ", put(out, is.up);
    out += ", .radius = ", put(out, is.radius);
    out += ", .height = ", put(out, is.height);
    out += ", .step_height = ", put(out, is.step_height);
    out += ", .push_force = ", put(out, is.push_force);
    out += ", .filter = ", put(out, is.filter);
    out += ", .solid = ", put(out, is.solid);
    return out + "}";
}
/// All of it but the tag of the world.
std::string text_of_all(const CharacterState& is) {
    std::string out;
    put_list(out, is.position, is.velocity, is.height, is.rise_speed, static_cast<int>(is.ground),
             is.ground_normal, is.ground_velocity, is.ground_body, is.drift, is.jumps);
    return out;
}

} // namespace

/// Bodies, with their shapes, and joints that functions made. `made`: on both sides.
void RigidRun::know(const std::array<std::vector<BodyId>, 2>& made, const std::vector<JointId>& joints) {
    for (const int side : {0, 1})
        if (!made[static_cast<std::size_t>(side)].empty())
            now().tag[static_cast<std::size_t>(side)] =
                made[static_cast<std::size_t>(side)][0].generation >> 24;
    for (const BodyId id : made[0]) {
        for (const ShapeId shape : world(0).shapes(id))
            now().shapes.alive.push_back({shape.index, shape.generation & without_tag});
        now().bodies.alive.push_back({id.index, id.generation & without_tag});
    }
    for (const JointId id : joints) now().joints.alive.push_back({id.index, id.generation & without_tag});
}

// characters -----------------------------------------------------------------------------------------------------------

void RigidRun::new_character() {
    if (now().bodies.alive.size() >= most_bodies) return;
    CharacterDef def{.position = exact_place_in(in)};
    def.radius = in.number_of({0.2f, 0.1f, 0.3f});
    def.height = in.number_of({1, 0.7f, 1.8f});
    def.step_height = in.number_of({0.2f, 0, 0.5f});
    def.push_force = in.number_of({600, 0, 5000});
    if (in.chance(32)) def.up = in.one_of<Vec3>({{0, -1, 0}, {1, 1, 0}, {0, 0, 0}});
    if (in.chance(32)) def.filter = read_filter();
    def.solid = in.chance(200);
    std::optional<Character> made[2];
    const auto done = both("Character::Character(World, CharacterDef)",
                           "Character who(" + called("self") + ", " + text_of_all(def) + ")", [&](int side) {
                               made[side].emplace(world(side), def);
                               return text_of_all(made[side]->state());
                           });
    if (!done) return;
    for (const int side : {0, 1}) who_[side] = made[side];
    if (made[0]->body() != BodyId{}) know({{{made[0]->body()}, {made[1]->body()}}}, {});
}

/// Calls on the character; the first makes it.
template <class Call>
void RigidRun::with_character(const std::string& line, const Call& act) {
    const std::string_view signature = signature_;
    if (!who_[0]) new_character();
    if (!who_[0]) return;
    both(signature, "who." + line, [&](int side) {
        act(*who_[side], world(side));
        return text_of_all(who_[side]->state());
    });
}

void RigidRun::again_character() {
    const bool bad = in.wrong();
    with_character(bad ? "again(a bad radius)" : "again()", [&](Character& who, World&) {
        CharacterDef def = who.definition();
        if (bad) def.radius = -1;
        who = Character(def, who.state(), who.body());
    });
}
void RigidRun::move_character() {
    const Vec3 wish = vector_in(in, 4);
    const float dt = in.number_of({1 / 60.0f, 1 / 60.0f, 1 / 30.0f, 0});
    for (std::uint32_t times = 1 + in.below(3); times; --times) {
        signature_ = "Character::move(World, Vec3, float)";
        with_character("move(world, " + text_of(wish) + ", " + text_of(dt) + ")",
                       [&](Character& who, World& in_world) { who.move(in_world, wish, dt); });
        step(1 / 60.0f);
    }
}
void RigidRun::jump_character() {
    const float speed = in.number(0, 8);
    with_character("jump(" + text_of(speed) + ")", [&](Character& who, World&) { who.jump(speed); });
}
void RigidRun::launch_character() {
    const Vec3 by = vector_in(in, 8);
    with_character("launch(" + text_of(by) + ")", [&](Character& who, World&) { who.launch(by); });
}
void RigidRun::set_character_height() {
    const float height = in.number(0.3f, 2);
    with_character("set_height(world, " + text_of(height) + ")",
                   [&](Character& who, World& in_world) { who.set_height(in_world, height); });
}
void RigidRun::set_character_position() {
    const DVec3 feet = exact_place_in(in);
    with_character("set_position(world, " + text_of(feet) + ")",
                   [&](Character& who, World& in_world) { who.set_position(in_world, feet); });
}

// figures ----------------------------------------------------------------------------------------------------------------

void RigidRun::make_figure() {
    if (now().bodies.alive.size() + 13 > most_bodies) return;
    CharacterBodiesDef def{.position = place_in(in), .rotation = rotation_in(in)};
    def.dynamic = in.chance(100);
    def.swing = in.number_of({0.9f, 0.3f, 2});
    def.friction = in.number_of({0.01f, 0, 0.1f});
    if (in.wrong() && in.chance(128)) def.shape.density = -1;
    ModelPose pose = rest_pose(figure().model);
    sample(figure().walk, double{in.number(0, 1)}, pose);
    std::array<std::vector<BodyId>, 2> bodies;
    std::optional<CharacterBodies> made[2];
    const auto done = both("make_character_bodies(World, SkinnedModel, ModelPose, CharacterBodiesDef)",
                           "make_character_bodies(" + called("self") + ", at " + text_of(def.position) + ")",
                           [&](int side) {
                               made[side] = make_character_bodies(world(side), figure().model, pose, def);
                               bodies[static_cast<std::size_t>(side)] = made[side]->bodies;
                               return made[side]->joints;
                           });
    if (!done) return;
    for (const int side : {0, 1}) figure_[side] = made[side];
    know(bodies, made[0]->joints);
}

void RigidRun::act_figure() {
    const std::string_view signature = signature_;
    if (!figure_[0]) make_figure();
    if (!figure_[0]) return;
    const DPose at{place_in(in), {}};
    ModelPose pose = rest_pose(figure().model);
    sample(figure().walk, double{in.number(0, 1)}, pose);
    const float dt = in.number_of({1 / 60.0f, 1 / 30.0f});
    both(signature, std::string(signature.substr(0, signature.find('('))) + "(" + called("self") + ", …)",
         [&](int side) {
             World& its = world(side);
             const CharacterBodies& bodies = *figure_[side];
             std::string said;
             if (signature.starts_with("follow")) {
                 follow(its, bodies, figure().model, pose, at, dt);
             } else if (signature.starts_with("make_dynamic")) {
                 make_dynamic(its, bodies);
             } else if (signature.starts_with("make_kinematic")) {
                 make_kinematic(its, bodies);
             } else {
                 ModelPose read = pose;
                 read_pose(its, bodies, figure().model, at, read);
                 for (const auto& joint : read) put_list(said, joint.position, joint.rotation);
             }
             return said;
         });
}

// dolls, chains, parts -------------------------------------------------------------------------------------------------

void RigidRun::make_doll() {
    if (now().bodies.alive.size() + Ragdoll::parts > most_bodies) return;
    RagdollDef def{.position = place_in(in), .rotation = rotation_in(in)};
    def.height = in.number_of({1, 0.5f, 1.8f});
    def.limits = in.chance(128);
    def.friction = in.number_of({0.02f, 0});
    if (in.chance(64)) def.shape.filter = read_filter();
    if (in.chance(64)) def.body.velocity = vector_in(in, 4);
    std::array<std::vector<BodyId>, 2> bodies;
    std::vector<JointId> joints;
    const auto done = both(
        signature_, "make_ragdoll(" + called("self") + ", at " + text_of(def.position) + ")", [&](int side) {
            const Ragdoll doll = make_ragdoll(world(side), def);
            bodies[static_cast<std::size_t>(side)].assign(doll.bodies.begin(), doll.bodies.end());
            if (side == 0) joints.assign(doll.joints.begin(), doll.joints.end());
            return bodies[static_cast<std::size_t>(side)];
        });
    if (done) know(bodies, joints);
}

void RigidRun::make_some_chain() {
    if (now().bodies.alive.size() + 10 > most_bodies) return;
    std::vector<DVec3> line(in.wrong() ? in.below(2) : 2 + in.below(2));
    for (DVec3& point : line) point = place_in(in);
    ChainDef def;
    // short ones would be thousands
    def.radius = in.wrong() ? in.one_of({-1.0f, NAN, 0.0f}) : in.one_of({0.05f, 0.1f, 0.02f});
    def.link_length = in.one_of({0.0f, 1.0f, 0.8f});
    def.joint = in.one_of({JointType::ball, JointType::fixed, JointType::ball, JointType::hinge});
    def.first = in.one_of({Chain::loose, Chain::held});
    def.last = in.one_of({Chain::loose, Chain::held});
    const Ref<BodyId> first = read<BodyId>(), last = read<BodyId>();
    const bool to_first = in.chance(64), to_last = in.chance(64);
    std::array<std::vector<BodyId>, 2> bodies;
    std::vector<JointId> joints;
    const auto done =
        both(signature_, "make_chain(" + called("self") + ", " + text_of(line) + ")", [&](int side) {
            ChainDef own = def;
            if (to_first) own.first_body = at(side, first);
            if (to_last) own.last_body = at(side, last);
            const Chain chain = make_chain(world(side), line, own);
            bodies[static_cast<std::size_t>(side)] = chain.links;
            if (side == 0) joints = chain.joints;
            return chain.links;
        });
    if (done) know(bodies, joints);
}

void RigidRun::attach_some_parts() {
    if (now().shapes.alive.size() + 2 > 40) return;
    const Ref<BodyId> body = read<BodyId>();
    const ShapeDef shape = read_shape();
    std::vector<Hull> parts;
    for (std::uint32_t count = in.below(3); count; --count) {
        const float size = in.one_of({0.1f, 0.3f, 0.2f}), off = in.one_of({0.0f, 0.4f});
        const Vec3 corners[] = {{off, 0, 0}, {off + size, 0, 0}, {off, size, 0}, {off, 0, size}};
        parts.push_back(Hull::from_points(corners));
    }
    if (in.wrong()) parts.emplace_back(); // which cannot be attached
    std::vector<ShapeId> made;
    const auto done = both(signature_,
                           "attach_parts(" + called("self") + ", " + text_of(body) + ", " +
                               std::to_string(parts.size()) + " parts, " + text_of(shape) + ")",
                           [&](int side) {
                               const std::vector<ShapeId> ids =
                                   attach_parts(world(side), at(side, body), parts, shape);
                               if (side == 0) made = ids;
                               return ids;
                           });
    if (!done) return sort_out();
    for (const ShapeId id : made) now().shapes.alive.push_back({id.index, id.generation & without_tag});
}

} // namespace scree::fuzz
