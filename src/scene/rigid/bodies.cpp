// SPDX-License-Identifier: MIT
// bodies.cpp — single bodies, and parts common to all generators; see bodies.h.
#include "scene/rigid/bodies.h"

#include "rigid/quads.h"
#include "scene/generated.h"
#include "scene/look.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr std::string_view types[] = {"fixed", "kinematic", "dynamic"};
constexpr std::string_view directions[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};

Locks read_locks(const Field& list) {
    Locks locks;
    bool* const each[] = {&locks.x, &locks.y, &locks.z, &locks.turn_x, &locks.turn_y, &locks.turn_z};
    for (std::size_t i = 0; i < list.list(0, 6); ++i) *each[list[i].choice(directions)] = true;
    return locks;
}

} // namespace

void RigidBodyList::read(const Field& entry) {
    if (!generates(entry, format::rigid_generator)) return read_body(entry);

    struct Generator {
        std::string_view name;
        const format::Object* format;
        void (RigidBodyList::*make)(const Fields&);
    };
    static const Generator generators[] = {
        {"pyramid", &format::pyramid, &RigidBodyList::pyramid},
        {"stack", &format::stack, &RigidBodyList::stack},
        {"wall", &format::wall, &RigidBodyList::wall},
        {"lattice", &format::rigid_lattice, &RigidBodyList::lattice},
        {"chain", &format::chain, &RigidBodyList::chain},
        {"container", &format::container, &RigidBodyList::container},
        {"funnel", &format::funnel, &RigidBodyList::funnel},
        {"arch", &format::arch, &RigidBodyList::arch},
        {"card_house", &format::card_house, &RigidBodyList::card_house},
        {"molecule", &format::molecule, &RigidBodyList::molecule},
        {"ragdolls", &format::ragdolls, &RigidBodyList::ragdolls},
    };
    Fields fields(entry, format::rigid_generator);
    Field one = fields.only_one();
    ++generators_;
    for (const Generator& generator : generators)
        if (generator.name == fields.key_of(one)) (this->*generator.make)(Fields(one, *generator.format));
}

void RigidBodyList::finish(const Field& all) {
    finish_bodies(all, *heading_, *options_, resizable_, "stack, lattice or chain");
}

std::uint32_t RigidBodyList::body(const Field& field) const {
    if (rigid_->bodies.empty()) field.fail("there are no bodies in \"bodies\"");
    if (field.value().kind == json::Kind::number)
        return static_cast<std::uint32_t>(
            field.integer(0, static_cast<std::int64_t>(rigid_->bodies.size()) - 1));
    if (field.value().kind != json::Kind::string) field.refuse("the name or number of a body");
    std::string name = field.text();
    if (auto found = names_.find(name); found != names_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [each, number] : names_)
        if (known.size() < 1000) known.push_back(each);
    field.fail("there is no body " + field.value().shown() + " in \"bodies\"" +
               format::suggestion(name, known));
}

std::optional<std::uint32_t> RigidBodyList::find(const std::string& name) const {
    const auto found = names_.find(name);
    if (found == names_.end()) return std::nullopt;
    return found->second;
}

void RigidBodyList::read_body(const Field& entry) {
    Fields fields(entry, format::rigid_body);
    RigidBodyDef body;
    if (auto name = fields.find("name")) {
        body.name = name->text();
        if (names_.count(body.name)) name->refuse("a name that no other body has");
    }
    body.shape = index_of(fields.at("shape"), rigid_->shapes);
    body.body.position = fields.at("position").vector();
    if (auto rotation = fields.find("rotation")) body.body.rotation = rotation->rotation();
    read_properties(fields, body);
    if (auto paint = fields.find("paint")) body.paint = read_paint(*paint);
    if (has_plane(rigid_->shapes[body.shape]) && body.body.type != BodyType::fixed)
        fields.at("shape").fail("a plane cannot move; expected \"type\": \"fixed\"");
    if (has_mesh(rigid_->shapes[body.shape]) && body.body.type == BodyType::dynamic)
        fields.at("shape").fail("a mesh has no mass; expected \"type\": \"fixed\" or \"kinematic\"");
    reserve(entry, 1);
    append(entry, std::move(body));
}

void RigidBodyList::read_properties(const Fields& fields, RigidBodyDef& def) const {
    BodyDef& body = def.body;
    if (auto type = fields.find("type")) body.type = static_cast<BodyType>(type->choice(types));
    body.velocity = fields.vector("velocity", {});
    body.angular_velocity = fields.vector("angular_velocity", {});
    body.linear_damping = fields.number("linear_damping", body.linear_damping, not_negative);
    body.angular_damping = fields.number("angular_damping", body.angular_damping, not_negative);
    body.gravity_scale = fields.number("gravity_scale", body.gravity_scale);
    body.max_speed = fields.number("max_speed", body.max_speed, positive);
    body.max_angular_speed = fields.number("max_angular_speed", body.max_angular_speed, positive);
    if (auto locks = fields.find("locks")) body.locks = read_locks(*locks);
    if (auto flag = fields.find("can_sleep")) body.can_sleep = flag->flag();
    if (auto flag = fields.find("bullet")) body.bullet = flag->flag();
    if (auto flag = fields.find("sleep_events")) body.sleep_events = flag->flag();
    if (auto flag = fields.find("awake")) body.awake = flag->flag();
    if (auto mass = fields.find("mass")) {
        def.mass = mass->number(positive);
        if (body.type != BodyType::dynamic) mass->fail("only a body of \"type\": \"dynamic\" has a mass");
    }
    if (auto density = fields.find("density")) def.density = density->number(not_negative);
    if (auto material = fields.find("material")) def.material = materials_->named(*material);
}

RigidBodyList::Model RigidBodyList::model(const Fields& fields) const {
    Model model;
    if (auto each = fields.find("each")) {
        const Fields properties(*each, format::each);
        read_properties(properties, model.body);
        if (auto paint = properties.find("paint")) model.paints = read_paints(*paint);
    }
    if (auto name = fields.find("name")) {
        model.name = name->text();
        if (names_.count(model.name + "[0]")) name->refuse("a name that no other generator has");
    }
    return model;
}

RigidBodyList::Model RigidBodyList::shaped_model(const Fields& fields) const {
    Model made = model(fields);
    Field shape = fields.at("shape");
    made.body.shape = index_of(shape, rigid_->shapes);
    if (has_plane(shape_of(made))) shape.fail("a plane has no end; expected a shape of finite size");
    if (has_mesh(shape_of(made))) shape.fail("a mesh has no mass; expected a convex shape");
    return made;
}

std::uint64_t RigidBodyList::count(const Field& field, std::uint64_t in_file) {
    ++resizable_;
    return body_count(field, in_file, *options_);
}

void RigidBodyList::reserve(const Field& field, std::uint64_t bodies, std::uint64_t joints) {
    check_limit(field, bodies, rigid_->bodies.size(), *options_);
    check_memory(field, bodies, 2500); // a body here and in the world with its shape, joints and contacts
    if (bodies == 1) return;           // a list of single bodies grows as vectors do
    reserve_bodies(field, bodies, [&] {
        rigid_->bodies.reserve(rigid_->bodies.size() + bodies);
        rigid_->joints.reserve(rigid_->joints.size() + joints);
    });
}

std::uint32_t RigidBodyList::place(const Field& field, Model& model, DVec3 position, Quat rotation) {
    RigidBodyDef body = model.body;
    body.body.position = high_part(position);
    body.body.rotation = rotation;
    if (!model.paints.empty())
        body.paint = model.paints[model.stratum.value_or(model.made) % model.paints.size()];
    if (!model.name.empty()) body.name = model.name + "[" + std::to_string(model.made) + "]";
    ++model.made;
    return append(field, std::move(body));
}

std::uint32_t RigidBodyList::append(const Field& field, RigidBodyDef body) {
    auto number = static_cast<std::uint32_t>(rigid_->bodies.size());
    check_position(field, number, narrow(body.body.position));
    if (!body.name.empty() && !names_.emplace(body.name, number).second)
        field.fail("there is a body " + json::quoted(body.name) + " already; expected another name");
    rigid_->bodies.push_back(std::move(body));
    return number;
}

std::uint32_t RigidBodyList::add_shape(const Field& field, RigidShape shape) {
    shape.name = field.path();
    measure_bounds(shape);
    rigid_->shapes.push_back(std::move(shape));
    return static_cast<std::uint32_t>(rigid_->shapes.size() - 1);
}

void RigidBodyList::add_fixed(const Fields& fields, RigidShape shape, Vec3 position, std::size_t painted) {
    if (auto paint = fields.find("paint"))
        for (std::size_t i = 0; i < painted; ++i) shape.parts[i].paint = read_paint(*paint);
    RigidBodyDef body;
    body.body.type = BodyType::fixed;
    body.body.position = position;
    if (auto name = fields.find("name")) body.name = name->text();
    if (auto material = fields.find("material")) body.material = materials_->named(*material);
    reserve(fields.field(), 1);
    body.shape = add_shape(fields.field(), std::move(shape));
    append(fields.field(), std::move(body));
}

std::uint32_t RigidBodyList::add(const Field& entry, RigidShape shape, RigidBodyDef body) {
    body.shape = add_shape(entry, std::move(shape));
    return add(entry, std::move(body));
}

std::uint32_t RigidBodyList::add(const Field& entry, RigidBodyDef body) {
    reserve(entry, 1);
    body.body.position = high_part(body.body.position);
    return append(entry, std::move(body));
}

void RigidBodyList::join(JointType type, std::uint32_t first, std::optional<std::uint32_t> second,
                         DVec3 anchor, Vec3 axis) {
    RigidJointDef joint;
    joint.type = type;
    joint.first = first;
    joint.second = second;
    joint.anchor = narrow(anchor);
    joint.axis = axis;
    rigid_->joints.push_back(joint);
}

} // namespace scree
