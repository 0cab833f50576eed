// SPDX-License-Identifier: MIT
// image.cpp — see image.h.

#include "rigid/image.h"

#include "rigid/pair_table.h"
#include "rigid/records.h"
#include "scree/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string>

namespace scree {

namespace {

void put(std::vector<std::byte>& out, const void* from, std::size_t bytes) {
    const auto* data = static_cast<const std::byte*>(from);
    out.insert(out.end(), data, data + bytes);
}

class Source {
public:
    explicit Source(std::span<const std::byte> bytes) : bytes_(bytes) {}
    void get(void* to, std::size_t bytes) {
        if (bytes > bytes_.size()) throw Error("the snapshot ends too early", "contacts");
        std::memcpy(to, bytes_.data(), bytes);
        bytes_ = bytes_.subspan(bytes);
    }
    std::uint32_t word() {
        std::uint32_t w = 0;
        get(&w, sizeof w);
        return w;
    }
    std::size_t left() const { return bytes_.size(); }

private:
    std::span<const std::byte> bytes_;
};

bool finite(const float* first, std::size_t count) {
    return std::all_of(first, first + count, [](float number) { return std::isfinite(number); });
}

/// Whether a step can begin with the numbers of a manifold.
bool is_sound(const Contact& contact) {
    const auto words = std::bit_cast<std::array<float, sizeof(Contact) / 4>>(contact);
    const std::size_t first = offsetof(Contact, normal) / 4, points = offsetof(Contact, point) / 4;
    bool sound = finite(&words[first], points - first);
    const float* n = contact.normal;
    if (contact.count) sound = sound && std::abs((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2] - 1) < 1e-2f;
    for (std::uint32_t k = 0; k < contact.count; ++k) {
        const Contact::Point& point = contact.point[k];
        sound = sound && finite(point.anchor_a, 3) && finite(point.anchor_b, 3) &&
                std::isfinite(point.normal_impulse) && point.normal_impulse >= 0;
    }
    return sound;
}

/// Whether slot and sub-shape are those of a pair with a mesh, or none.
bool part_fits(const std::vector<ShapeRecord>& shapes, const Contact& contact) {
    const ShapeRecord &a = shapes[contact.shape_a], &b = shapes[contact.shape_b];
    const ShapeRecord* mesh = a.type == ShapeType::mesh ? &a : b.type == ShapeType::mesh ? &b : nullptr;
    if (!mesh || a.definition.sensor || b.definition.sensor)
        return contact.slot == 0 && contact.sub_shape == 0;
    return contact.slot < MESH_SLOTS && contact.sub_shape < mesh->mesh.triangles();
}

/// Which colours are taken at a body.
class TakenColours {
public:
    explicit TakenColours(const RigidStorage& world) : world_(world), taken_(world.bodies.record.size(), 0) {}
    bool movable(std::uint32_t body) const {
        const BodyRecord& record = world_.bodies.record[body];
        return record.type == BodyType::dynamic && !record.asleep && !record.frozen;
    }
    /// `things` is what the constraint is one of
    void take(std::uint32_t colour, std::uint32_t body, const char* things) {
        if (colour >= colour_count || !movable(body)) return;
        if (taken_[body] >> colour & 1)
            throw Error("two " + std::string(things) + " of a body have one colour", things);
        taken_[body] |= 1u << colour;
    }

private:
    const RigidStorage& world_;
    std::vector<std::uint32_t> taken_;
};

void read_contacts(Source& source, const RigidStorage& world, TakenColours& taken, SimulationImage& image) {
    const std::vector<ShapeRecord>& shapes = world.shapes.record.all();
    const std::uint32_t count = source.word();
    if (source.left() / (sizeof(Contact) + 4) < count) throw Error("the snapshot ends too early", "contacts");
    image.contacts.reserve(count);
    PairTable pairs;
    const auto active = [&](std::uint32_t b) {
        const BodyRecord& body = world.bodies.record[b];
        return body.type != BodyType::fixed && !body.asleep && !body.frozen;
    };
    for (std::uint32_t k = 0; k < count; ++k) {
        SimulationImage::Saved saved;
        Contact& contact = saved.contact;
        source.get(&contact, sizeof contact);
        const std::uint32_t word = source.word();
        saved.colour = word & 255u;
        saved.marks = static_cast<std::uint8_t>(word >> 8 & 15u);
        const bool fits =
            contact.shape_a < contact.shape_b && contact.shape_b < shapes.size() && contact.count <= 4 &&
            shapes[contact.shape_a].alive && shapes[contact.shape_b].alive && part_fits(shapes, contact) &&
            wanted_pair(world, contact.shape_a, contact.shape_b) &&
            pairs.find(contact.shape_a, contact.shape_b, contact.slot) == none &&
            (saved.colour <= overflow || saved.colour == no_colour) && word >> 12 == 0 && is_sound(contact);
        if (!fits) throw Error("contact " + std::to_string(k) + " does not fit the shapes", "contacts");
        const auto kind =
            static_cast<std::uint32_t>(kind_of(shapes[contact.shape_a], shapes[contact.shape_b]));
        if (rigid::is_sensing(kind)) {
            if (contact.count) throw Error("a sensor has a contact", "contacts");
            saved.marks &= MARK_TOLD | MARK_INSIDE;
        } else {
            const std::uint32_t traits = shape_traits(shapes[contact.shape_a].definition) |
                                         shape_traits(shapes[contact.shape_b].definition);
            saved.marks &= MARK_TOLD | MARKS_OF_MANIFOLD;
            const bool may_touch =
                kind == KIND_MESH ? contact.slot == 0 : contact.count != 0; // by another slot
            if (!may_touch || !(traits & SHAPE_TELLS_CONTACTS)) saved.marks &= MARKS_OF_MANIFOLD;
        }
        pairs.insert(contact.shape_a, contact.shape_b, contact.slot, k);
        contact.body_a = shapes[contact.shape_a].body;
        contact.body_b = shapes[contact.shape_b].body;
        // a contact that sleeps or does not touch has no colour, whatever the bytes say
        if (contact.count == 0 || !(active(contact.body_a) || active(contact.body_b)) ||
            !(taken.movable(contact.body_a) || taken.movable(contact.body_b)))
            saved.colour = no_colour;
        for (const std::uint32_t b : {contact.body_a, contact.body_b})
            taken.take(saved.colour, b, "contacts");
        image.contacts.push_back(saved);
    }
    // the contacts of a pair come and go together
    for (const SimulationImage::Saved& saved : image.contacts) {
        const Contact& contact = saved.contact;
        const std::uint32_t slots = rigid::kind_slots(
            static_cast<std::uint32_t>(kind_of(shapes[contact.shape_a], shapes[contact.shape_b])));
        for (std::uint32_t slot = 0; slot < slots; ++slot)
            if (pairs.find(contact.shape_a, contact.shape_b, slot) == none)
                throw Error("a pair with a mesh lacks the contact of slot " + std::to_string(slot),
                            "contacts");
    }
}

void read_islands(Source& source, const RigidStorage& world, SimulationImage& image) {
    const std::vector<BodyRecord>& records = world.bodies.record.all();
    const std::size_t bodies = records.size();
    std::vector<std::uint8_t> seen(bodies, 0);
    image.island_next.reserve(bodies);
    for (std::size_t b = 0; b < bodies; ++b) {
        const std::uint32_t next = source.word();
        const auto asleep_with = [&](const BodyRecord& other) {
            return records[b].asleep && other.asleep && records[b].island == other.island;
        };
        if (next >= bodies || seen[next]++ || (next != b && !asleep_with(records[next])))
            throw Error("island of body " + std::to_string(b) + " is not a ring of sleeping bodies",
                        "islands");
        image.island_next.push_back(next);
    }
}

void read_joints(Source& source, const RigidStorage& world, TakenColours& taken, SimulationImage& image) {
    for (const JointRecord& joint : world.joints.record) {
        SimulationImage::SavedJoint saved;
        saved.colour = source.word();
        source.get(saved.impulse, sizeof saved.impulse);
        if (joint.alive && !finite(saved.impulse, 8))
            throw Error("the impulse of joint " + std::to_string(image.joints.size()) + " is not finite",
                        "joints");
        // one that holds nothing that moves waits for a colour, and so does one whose colour does not exist
        if (!joint.alive || saved.colour > overflow ||
            !(taken.movable(joint.body[0]) || taken.movable(joint.body[1])))
            saved.colour = no_colour;
        if (joint.alive)
            for (const std::uint32_t b : joint.body) taken.take(saved.colour, b, "joints");
        image.joints.push_back(saved);
    }
}

void read_lost(Source& source, const RigidStorage& world, SimulationImage& image) {
    const std::uint32_t count = source.word();
    if (source.left() / 36 < count) throw Error("the snapshot ends too early", "events");
    for (std::uint32_t k = 0; k < count; ++k) {
        TouchPair pair;
        pair.kind = source.word();
        const auto id = [&](auto& to, std::size_t slots) {
            to.index = source.word();
            const std::uint32_t generation = source.word();
            if (to.index >= slots || generation == 0 || generation > last_generation)
                throw Error("pair " + std::to_string(k) + " that ended names nothing that was there",
                            "events");
            to.generation = world.tag << tag_shift | generation;
        };
        id(pair.first, world.shapes.record.size());
        id(pair.second, world.shapes.record.size());
        id(pair.first_body, world.bodies.record.size());
        id(pair.second_body, world.bodies.record.size());
        if (pair.kind > KIND_SENSED || pair.first.index >= pair.second.index)
            throw Error("pair " + std::to_string(k) + " that ended is none", "events");
        image.lost.push_back(pair);
    }
}

} // namespace

void encode_image(const SimulationImage& image, std::vector<std::byte>& out) {
    const auto word = [&](std::uint32_t w) { put(out, &w, sizeof w); };
    put(out, &image.last_h, sizeof image.last_h);
    word(image.extras);
    std::vector<std::uint32_t> order(image.contacts.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t l, std::uint32_t r) {
        const Contact &a = image.contacts[l].contact, &b = image.contacts[r].contact;
        if (a.shape_b != b.shape_b) return a.shape_b < b.shape_b;
        return a.shape_a != b.shape_a ? a.shape_a < b.shape_a : a.slot < b.slot;
    });
    word(static_cast<std::uint32_t>(order.size()));
    for (const std::uint32_t k : order) {
        put(out, &image.contacts[k].contact, sizeof(Contact));
        word(image.contacts[k].colour | static_cast<std::uint32_t>(image.contacts[k].marks) << 8);
    }
    for (const std::uint32_t next : image.island_next) word(next);
    for (const SimulationImage::SavedJoint& joint : image.joints) {
        word(joint.colour);
        put(out, joint.impulse, sizeof joint.impulse);
    }
    std::vector<TouchPair> lost = image.lost;
    sort_pairs(lost);
    word(static_cast<std::uint32_t>(lost.size()));
    for (const TouchPair& pair : lost) {
        word(pair.kind);
        const auto id = [&](const auto& of) { word(of.index), word(of.generation & last_generation); };
        id(pair.first), id(pair.second), id(pair.first_body), id(pair.second_body);
    }
}

SimulationImage decode_image(std::span<const std::byte> in, const RigidStorage& world) {
    Source source(in);
    SimulationImage image;
    source.get(&image.last_h, sizeof image.last_h);
    if (!std::isfinite(image.last_h) || image.last_h < 0)
        throw Error("invalid length of the last step", "contacts");
    image.extras = source.word() != 0;
    TakenColours taken(world);
    read_contacts(source, world, taken, image);
    read_islands(source, world, image);
    read_joints(source, world, taken, image);
    read_lost(source, world, image);
    if (source.left())
        throw Error("the snapshot has " + std::to_string(source.left()) + " bytes too many", "contacts");
    return image;
}

bool carries_impulses(const SimulationImage& image) {
    return std::any_of(image.contacts.begin(), image.contacts.end(),
                       [](const SimulationImage::Saved& saved) { return saved.contact.count > 0; }) ||
           std::any_of(image.joints.begin(), image.joints.end(),
                       [](const SimulationImage::SavedJoint& joint) {
                           return std::any_of(std::begin(joint.impulse), std::end(joint.impulse),
                                              [](float impulse) { return impulse != 0; });
                       });
}

void check_joins(const SimulationImage& image, float last_h) {
    if (!carries_impulses(image) || image.last_h == last_h || last_h == 0) return;
    throw Error("the world's last substep was of " + std::to_string(image.last_h) +
                    " s, that of the worlds it is to join of " + std::to_string(last_h) + " s",
                "snapshot");
}

} // namespace scree
