// SPDX-License-Identifier: MIT
// rigid_snapshots.cpp — rigid worlds that are saved, restored, copied, moved and made anew: see rigid.h.
#include "fuzz/api/rigid.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace scree::fuzz {

namespace {

constexpr std::size_t header_bytes = 32; // the tag of the ids, length and checksum; src/world/snapshot.h

std::string file_of(int side) {
    return (std::filesystem::temp_directory_path() /
            ("scree-fuzz-" + std::to_string(getpid()) + (side ? "-b" : "-a")))
        .string();
}

} // namespace

/// Their bytes may differ: those of contacts hold what is left of earlier ones.
std::optional<RigidRun::Saved> RigidRun::saved_now() {
    Saved saved;
    const auto done = both("World::save()", "saves.push_back(" + called("save()") + ")", [&](int side) {
        saved.bytes[static_cast<std::size_t>(side)] = world(side).save();
    });
    if (!done) return {};
    saved.member = now();
    saved.member.read.reset();
    return saved;
}

void RigidRun::save() {
    std::optional<Saved> saved = saved_now();
    if (!saved) return;
    if (saves_.size() < 4) saves_.push_back(std::move(*saved));
    else saves_[in.below(4)] = std::move(*saved);
}

void RigidRun::save_file() {
    both(signature_, called("save(file)"), [&](int side) {
        const bool bad = in.wrong();
        world(side).save(bad ? "/nowhere/at/all" : file_of(side));
        std::filesystem::remove(file_of(side));
    });
}

const RigidRun::Saved* RigidRun::choose_saved(bool& crossed, std::string& line) {
    if (saves_.empty()) save();
    if (saves_.empty()) return nullptr;
    const std::uint32_t which = in.below(static_cast<std::uint32_t>(saves_.size()));
    crossed = in.chance(128);
    line = "saves[" + std::to_string(which) + "]";
    if (in.wrong()) line = "damaged(" + line + ")";
    if (crossed) line += " /* of the other world */";
    return &saves_[which];
}

std::vector<std::byte> RigidRun::bytes_for(int side, const Saved& saved, bool crossed) {
    std::vector<std::byte> bytes = saved.bytes[static_cast<std::size_t>(crossed ? 1 - side : side)];
    // the errors tell sizes
    if (in.wrong() && saved.bytes[0].size() == saved.bytes[1].size()) {
        const std::size_t at = header_bytes + in.which_wrong() * std::size_t{37};
        if (in.which_wrong() & 1 && at < bytes.size()) bytes[at] ^= std::byte{1};
        else bytes.resize(std::min(bytes.size() - 1, at));
    }
    return bytes;
}

void RigidRun::after_restore(std::uint32_t number, const Saved& saved, bool crossed) {
    current_ = number;
    Member& member = members_[number];
    const auto all = [](const auto& ids) {
        auto list = ids.alive;
        list.insert(list.end(), ids.dead.begin(), ids.dead.end());
        return list;
    };
    // ids handed out since, or before in this world, may be stale now
    const auto merge = [&](auto& to, const auto& from) {
        auto more = all(from);
        for (const auto& id : all(to))
            if (std::find(more.begin(), more.end(), id) == more.end()) more.push_back(id);
        to.alive = std::move(more), to.dead.clear();
    };
    merge(member.bodies, saved.member.bodies);
    merge(member.shapes, saved.member.shapes);
    merge(member.joints, saved.member.joints);
    merge(member.fields, saved.member.fields);
    merge(member.cloths, saved.member.cloths);
    member.tag = saved.member.tag;
    if (crossed) std::swap(member.tag[0], member.tag[1]);
    member.read.reset();
    member.asleep = 0;
    sort_out();
}

void RigidRun::restore() {
    bool crossed;
    std::string line;
    const Saved* chosen = choose_saved(crossed, line);
    if (!chosen) return;
    const Saved saved = *chosen;
    if (is_many()) return continue_restored(saved);
    std::optional<World> made[2];
    const auto done = both(signature_, "world = World::restore(" + line + ", place)", [&](int side) {
        made[side].emplace(World::restore(bytes_for(side, saved, crossed), place(side)));
    });
    if (!done) return;
    for (const int side : {0, 1}) *one_[side] = std::move(*made[side]);
    after_restore(0, saved, crossed);
}

void RigidRun::restore_file() {
    if (is_many()) return;
    std::optional<Saved> saved = saved_now();
    if (!saved) return;
    std::optional<World> made[2];
    const bool bad = in.wrong();
    const auto done = both(signature_, "world = World::restore_file(file, place)", [&](int side) {
        world(side).save(file_of(side));
        made[side].emplace(World::restore_file(bad ? "/nowhere/at/all" : file_of(side), place(side)));
    });
    for (const int side : {0, 1}) std::filesystem::remove(file_of(side));
    if (!done) return;
    for (const int side : {0, 1}) *one_[side] = std::move(*made[side]);
    after_restore(0, *saved, false);
}

/// Both snapshots restored at each other's place go on alike.
void RigidRun::continue_restored(const Saved& saved) {
    std::optional<World> made[2];
    const auto done = both(
        "World::restore(std::span<const std::byte>, Place)",
        "World restored = World::restore(saves.back(), place)", [&](int side) {
            made[side].emplace(World::restore(saved.bytes[static_cast<std::size_t>(1 - side)], place(side)));
            return made[side]->hash();
        });
    if (!done) throw Difference("a world's own snapshot is refused");
    for (int k = 0; k < 2; ++k)
        both("World::step(float)", "restored.step(1 / 60.0f), restored.hash()", [&](int side) {
            made[side]->step(1 / 60.0f);
            return made[side]->hash();
        });
}

// new worlds, copies, moves ------------------------------------------------------------------------------------------

void RigidRun::new_world(bool defaults) {
    if (worlds_left_-- <= 0) return;
    const WorldSettings settings = read_settings(world(0).settings());
    std::optional<World> made[2];
    const auto done = both(
        signature_, defaults ? "world = World({}, place)" : "world = World(" + text_of(settings) + ", place)",
        [&](int side) {
            if (defaults) made[side].emplace(World({}, place(side)));
            else made[side].emplace(settings, place(side));
        });
    if (!done) return;
    for (const int side : {0, 1}) {
        many_[side].reset();
        one_[side] = std::move(made[side]);
    }
    members_.assign(1, {});
    build(in.below(6));
}

void RigidRun::new_worlds() {
    if (worlds_left_-- <= 0) return;
    const std::uint32_t count = in.wrong() ? 0 : 1 + in.below(3);
    const WorldSettings settings = read_settings(world(0).settings());
    std::optional<Worlds> made[2];
    const auto done =
        both(signature_, "Worlds worlds(" + std::to_string(count) + ", " + text_of(settings) + ", place)",
             [&](int side) { made[side].emplace(count, settings, place(side)); });
    if (!done) return;
    for (const int side : {0, 1}) many_[side] = std::move(made[side]), one_[side].reset();
    members_.assign(count, {});
    current_ = 0;
    build(in.below(8));
}

void RigidRun::copies() {
    if (worlds_left_-- <= 0) return;
    bool crossed;
    std::string line;
    const Saved* chosen = choose_saved(crossed, line);
    if (!chosen) return;
    const Saved saved = *chosen;
    const std::uint32_t count = in.wrong() && in.chance(64) ? 0 : 1 + in.below(3);
    std::optional<Worlds> made[2];
    const auto done =
        both(signature_, "Worlds worlds = Worlds::copies(" + std::to_string(count) + ", " + line + ", place)",
             [&](int side) {
                 made[side].emplace(Worlds::copies(count, bytes_for(side, saved, crossed), place(side)));
             });
    if (!done) return;
    for (const int side : {0, 1}) many_[side] = std::move(made[side]), one_[side].reset();
    members_.assign(count, {});
    for (std::uint32_t n = 0; n < count; ++n) after_restore(n, saved, crossed);
    current_ = 0;
}

void RigidRun::move_world() {
    if (is_many()) {
        const auto move = [&](int side) {
            Worlds moved(std::move(worlds(side)));
            worlds(side) = std::move(moved);
        };
        both("Worlds::Worlds(Worlds)", "Worlds moved(std::move(worlds)); worlds = std::move(moved)", move);
        both("Worlds::operator=(Worlds)", "Worlds moved(std::move(worlds)); worlds = std::move(moved)", move);
        return;
    }
    const auto move = [&](int side) {
        World moved(std::move(world(side)));
        world(side) = std::move(moved);
    };
    both("World::World(World)", "World moved(std::move(world)); world = std::move(moved)", move);
    both("World::operator=(World)", "World moved(std::move(world)); world = std::move(moved)", move);
}

void RigidRun::choose_world() {
    if (!is_many()) return;
    const std::uint32_t number = in.wrong() ? 1000 : in.below(static_cast<std::uint32_t>(members_.size()));
    const auto there =
        both("Worlds::operator[](std::uint32_t)", "worlds[" + std::to_string(number) + "].body_count()",
             [&](int side) { return worlds(side)[number].body_count(); });
    if (there) current_ = number;
}

void RigidRun::restore_one_of_many() {
    if (!is_many()) return;
    bool crossed;
    std::string line;
    const Saved* chosen = choose_saved(crossed, line);
    if (!chosen) return;
    const Saved saved = *chosen;
    const std::uint32_t number =
        in.wrong() && in.chance(64) ? 99 : in.below(static_cast<std::uint32_t>(members_.size()));
    const auto done = both(signature_, "worlds.restore(" + std::to_string(number) + ", " + line + ")",
                           [&](int side) { worlds(side).restore(number, bytes_for(side, saved, crossed)); });
    if (done) after_restore(number, saved, crossed);
}

// clones and rings -----------------------------------------------------------------------------------------------------

/// A clone at either place goes on like a clone of the clone; a world by itself is replaced by it.
void RigidRun::clone(bool elsewhere) {
    if (worlds_left_-- <= 0) return;
    const bool crossed = in.chance(128);
    std::optional<World> made[2];
    const auto done =
        both(signature_, "World copy = " + called(elsewhere ? "clone(place)" : "clone()"), [&](int side) {
            const World& from = world(side);
            made[side].emplace(elsewhere ? from.clone(place(crossed ? 1 - side : side)) : from.clone());
            if (made[side]->hash() != from.hash()) throw Difference("a clone differs from its world");
            return made[side]->hash();
        });
    if (!done) return;
    std::optional<World> again[2];
    for (const int side : {0, 1}) again[side].emplace(made[side]->clone());
    for (int k = 0; k < 2; ++k)
        both("World::step(float)", "copy.step(1 / 60.0f), copy.hash()", [&](int side) {
            // functions of the user may throw out of steps
            const auto said = [](World& copy) -> std::string {
                try {
                    copy.step(1 / 60.0f);
                } catch (const Error& error) {
                    return error.what();
                }
                return {};
            };
            if (said(*made[side]) != said(*again[side]) || made[side]->hash() != again[side]->hash())
                throw Difference("a clone of a clone goes another way");
            return made[side]->hash();
        });
    if (!is_many() && !elsewhere && in.chance(64))
        for (const int side : {0, 1}) *one_[side] = std::move(*again[side]);
}

void RigidRun::make_ring(bool of_all) {
    const std::uint32_t states = in.wrong() ? 0 : 1 + in.below(4);
    std::optional<Rollback> made[2];
    if (of_all && !is_many()) return;
    const auto done = both(signature_,
                           std::string("Rollback ring(") + (of_all ? "worlds" : "world") + ", " +
                               std::to_string(states) + ")",
                           [&](int side) {
                               if (of_all) made[side].emplace(worlds(side), states);
                               else made[side].emplace(world(side), states);
                           });
    if (!done) return;
    for (const int side : {0, 1}) ring_[side] = std::move(made[side]);
    ring_members_.clear();
}

void RigidRun::move_ring() {
    if (!ring_[0]) return;
    const auto move = [&](int side) {
        Rollback moved(std::move(*ring_[side]));
        *ring_[side] = std::move(moved);
    };
    both("Rollback::Rollback(Rollback)", "Rollback moved(std::move(ring)); ring = std::move(moved)", move);
    both("Rollback::operator=(Rollback)", "Rollback moved(std::move(ring)); ring = std::move(moved)", move);
    both("Rollback::size()", "ring.size()", [&](int side) { return ring_[side]->size(); });
}

void RigidRun::save_in_ring() {
    if (!ring_[0]) {
        signature_ = is_many() ? "Rollback::Rollback(Worlds, std::uint32_t)"
                               : "Rollback::Rollback(World, std::uint32_t)";
        make_ring(is_many());
    }
    if (!ring_[0]) return;
    const std::uint32_t before = ring_[0]->size();
    const auto done = both("Rollback::save()", "ring.save()", [&](int side) { ring_[side]->save(); });
    // a full ring loses its oldest state, also when the new one is refused
    const std::uint32_t now_kept = ring_[0]->size();
    if (before + (done ? 1 : 0) > now_kept) ring_members_.erase(ring_members_.begin());
    if (done) ring_members_.push_back(members_);
}

void RigidRun::roll_back() {
    if (!ring_[0]) return;
    const std::uint32_t back = in.wrong() ? 99 : in.below(std::max(1u, ring_[0]->size()));
    const auto done = both("Rollback::restore(std::uint32_t)", "ring.restore(" + std::to_string(back) + ")",
                           [&](int side) { ring_[side]->restore(back); });
    if (!done) return;
    ring_members_.resize(ring_members_.size() - back);
    const std::uint32_t before = current_;
    const std::vector<Member> then = ring_members_.back();
    for (std::uint32_t n = 0; n < then.size(); ++n) after_restore(n, {.bytes = {}, .member = then[n]}, false);
    current_ = before;
    look_at_all();
}

/// The last look, at everything; and snapshots that go on at the other place.
void RigidRun::finish() {
    look_at_all();
    for (current_ = 0; current_ < members_.size(); ++current_) {
        if (const std::optional<Saved> saved = saved_now()) continue_restored(*saved);
    }
    current_ = 0;
}

} // namespace scree::fuzz
