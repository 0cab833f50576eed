// SPDX-License-Identifier: MIT
// bodies.cpp — single bodies, and parts common to all generators; see bodies.h.
#include "scene/rigid/bodies.h"

#include "device/host_memory.h"
#include "scene/look.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

namespace scree {
namespace {

constexpr std::string_view types[] = {"fixed", "kinematic", "dynamic"};
constexpr std::string_view directions[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
constexpr std::int64_t most_exact = (std::int64_t{1} << 53) - 1; // whole numbers that a double holds

Locks read_locks(const Field& list) {
    Locks locks;
    bool* const each[] = {&locks.x, &locks.y, &locks.z, &locks.turn_x, &locks.turn_y, &locks.turn_z};
    for (std::size_t i = 0; i < list.list(0, 6); ++i) *each[list[i].choice(directions)] = true;
    return locks;
}

} // namespace

void RigidBodyList::read(const Field& entry) {
    const json::Value& value = entry.value();
    bool generates = std::any_of(value.keys.begin(), value.keys.end(),
                                 [](const std::string& key) { return format::rigid_generator.knows(key); });
    if (!generates) return read_body(entry);

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
    };
    Fields fields(entry, format::rigid_generator);
    Field one = fields.only_one();
    ++generators_;
    for (const Generator& generator : generators)
        if (generator.name == fields.key_of(one)) (this->*generator.make)(Fields(one, *generator.format));
}

void RigidBodyList::finish(const Field& all) {
    heading_->resizable = resizable_ == 1;
    if (options_->bodies && !heading_->resizable)
        all.fail("the number of bodies cannot be set to " + std::to_string(*options_->bodies) +
                 "; expected one generator (stack, lattice or chain); there are " +
                 std::to_string(resizable_));
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

void RigidBodyList::read_body(const Field& entry) {
    Fields fields(entry, format::rigid_body);
    RigidBodyDef body;
    if (auto name = fields.find("name")) {
        body.name = name->text();
        if (names_.count(body.name)) name->refuse("a name that no other body has");
    }
    body.shape = shape_index(fields.at("shape"));
    body.body.position = fields.at("position").vector();
    if (auto rotation = fields.find("rotation")) body.body.rotation = rotation->rotation();
    read_properties(fields, body);
    if (auto paint = fields.find("paint")) body.paint = read_paint(*paint);
    if (has_plane(rigid_->shapes[body.shape]) && body.body.type != BodyType::fixed)
        fields.at("shape").fail("a plane cannot move; expected \"type\": \"fixed\"");
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
    made.body.shape = shape_index(shape);
    if (has_plane(shape_of(made))) shape.fail("a plane has no end; expected a shape of finite size");
    return made;
}

std::uint32_t RigidBodyList::shape_index(const Field& field) const {
    std::string name = field.text();
    std::vector<std::string> known;
    for (std::size_t i = 0; i < rigid_->shapes.size(); ++i) {
        if (rigid_->shapes[i].name == name) return static_cast<std::uint32_t>(i);
        known.push_back(rigid_->shapes[i].name);
    }
    field.fail("there is no shape " + field.value().shown() + " in \"shapes\"" +
               format::suggestion(name, known));
}

std::uint64_t RigidBodyList::count(const Field& field, std::uint64_t in_file) {
    ++resizable_;
    if (!options_->bodies) return in_file;
    if (*options_->bodies == 0) field.fail("invalid value 0: expected at least 1 body");
    return *options_->bodies;
}

std::uint64_t RigidBodyList::seed(const Fields& fields) const {
    auto in_file = static_cast<std::uint64_t>(fields.integer("seed", 1, 0, most_exact));
    return options_->seed.value_or(in_file);
}

void RigidBodyList::reserve(const Field& field, std::uint64_t bodies, std::uint64_t joints) {
    std::uint64_t so_far = rigid_->bodies.size();
    if (bodies > options_->max_bodies - so_far)
        field.fail(std::to_string(bodies) + " bodies after " + std::to_string(so_far) +
                   " others are too many; expected at most " + std::to_string(options_->max_bodies) +
                   " in all");
    // a body here and in the world with its shape and the contacts of a pile; a joint in both
    constexpr std::uint64_t body_bytes = 2500, joint_bytes = 300;
    if (bodies > host_memory() / body_bytes || joints > host_memory() / joint_bytes)
        field.fail(std::to_string(bodies) + " bodies need about " +
                   std::to_string((bodies * body_bytes + joints * joint_bytes) >> 30) +
                   " GiB of memory; this machine has " + std::to_string(host_memory() >> 30));
    if (bodies == 1) return; // a list of single bodies grows as vectors do
    try {
        rigid_->bodies.reserve(static_cast<std::size_t>(so_far + bodies));
        rigid_->joints.reserve(static_cast<std::size_t>(rigid_->joints.size() + joints));
    } catch (const std::bad_alloc&) {
        field.fail("there is not enough memory for " + std::to_string(bodies) + " bodies");
    } catch (const std::length_error&) {
        field.fail("there is not enough memory for " + std::to_string(bodies) + " bodies");
    }
}

std::uint32_t RigidBodyList::place(const Field& field, Model& model, DVec3 position, Quat rotation) {
    RigidBodyDef body = model.body;
    body.body.position = narrow(position);
    body.body.rotation = rotation;
    if (!model.paints.empty()) body.paint = model.paints[model.made % model.paints.size()];
    if (!model.name.empty()) body.name = model.name + "[" + std::to_string(model.made) + "]";
    ++model.made;
    return append(field, std::move(body));
}

std::uint32_t RigidBodyList::append(const Field& field, RigidBodyDef body) {
    auto number = static_cast<std::uint32_t>(rigid_->bodies.size());
    if (!is_finite(body.body.position))
        field.fail("body " + std::to_string(number) +
                   " would stand beyond single precision; expected a finite position");
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
