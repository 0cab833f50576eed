// SPDX-License-Identifier: MIT
// instances.cpp — see instances.h.
#include "render/instances.h"

#include "scree/error.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace scree::render {

namespace {

int rows_for(std::size_t count, int width) {
    return static_cast<int>((count + static_cast<std::size_t>(width) - 1) / static_cast<std::size_t>(width));
}

float to_linear(float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); }

} // namespace

std::uint32_t pose_colour(Vec3 srgb, float left) {
    const auto byte = [](float c) {
        return static_cast<std::uint32_t>(std::clamp(c, 0.0f, 1.0f) * 255 + 0.5f);
    };
    return byte(srgb.x) | byte(srgb.y) << 8 | byte(srgb.z) << 16 | byte(left) << 24;
}

Vec3 linear_colour(Vec3 srgb) { return {to_linear(srgb.x), to_linear(srgb.y), to_linear(srgb.z)}; }

void InstanceStore::set_world_poses(std::span<const float> positions, std::span<const float> rotations) {
    world_positions_ = positions;
    world_rotations_ = rotations;
    if (std::exchange(world_shared_, false) || !fetched_colours_.empty()) colours_stale_ = true;
    fetched_ = {};
    fetched_colours_ = {};
    if (world_colours_.size() < positions.size() / 4) {
        world_colours_.resize(positions.size() / 4, 0xffffffffu);
        colours_stale_ = true;
    }
    world_stale_ = true;
    ++pose_revision_;
}

SharedPoses* InstanceStore::share() {
    const auto rows = static_cast<std::uint32_t>(rows_for(world_positions_.size() / 4, pose_width));
    const std::uint32_t room = std::max(rows, 1u) * pose_width;
    if (!shared_memory_ || room > shared_poses_.room) {
        shared_memory_.reset();
        shared_memory_ = backend_.create_shared(36 * std::size_t{room});
        shared_poses_.room = room;
        shared_poses_.memory = shared_memory_.get();
    }
    return shared_memory_ ? &shared_poses_ : nullptr;
}

void InstanceStore::world_poses_shared() {
    world_shared_ = world_stale_ = true;
    ++pose_revision_;
}

bool InstanceStore::fetch_shared() {
    const std::size_t count = world_positions_.size() / 4, room = shared_poses_.room;
    std::vector<float> poses(9 * room);
    if (!backend_.read_shared(*shared_memory_, std::as_writable_bytes(std::span(poses)))) return false;
    // colours of the host stay as they are: those of the device may know of other sleepers
    fetched_colours_.resize(count);
    std::memcpy(fetched_colours_.data(), poses.data() + 8 * room, 4 * count);
    fetched_ = std::move(poses);
    world_positions_ = std::span(fetched_).first(4 * count);
    world_rotations_ = std::span(fetched_).subspan(4 * room, 4 * count);
    world_shared_ = false;
    world_stale_ = colours_stale_ = true;
    ++pose_revision_;
    return true;
}

std::uint32_t InstanceStore::add_pose(const Transform& pose, std::uint32_t colour) {
    std::uint32_t index = 0;
    if (free_poses_.empty()) {
        index = static_cast<std::uint32_t>(own_colours_.size());
        own_colours_.push_back(colour);
        own_positions_.resize(own_positions_.size() + 4);
        own_rotations_.resize(own_rotations_.size() + 4);
    } else {
        index = free_poses_.back();
        free_poses_.pop_back();
        own_colours_[index] = colour;
    }
    colours_stale_ = true;
    set_pose(index | own_pose, pose);
    return index | own_pose;
}

void InstanceStore::set_pose(std::uint32_t pose, const Transform& value) {
    const std::size_t at = 4 * static_cast<std::size_t>(pose ^ own_pose);
    const float position[4] = {value.position.x, value.position.y, value.position.z, value.scale - 1};
    const float rotation[4] = {value.rotation.x, value.rotation.y, value.rotation.z, value.rotation.s};
    std::copy_n(position, 4, own_positions_.begin() + static_cast<std::ptrdiff_t>(at));
    std::copy_n(rotation, 4, own_rotations_.begin() + static_cast<std::ptrdiff_t>(at));
    own_stale_ = true;
    ++pose_revision_;
}

void InstanceStore::remove_pose(std::uint32_t pose) { free_poses_.push_back(pose ^ own_pose); }

void InstanceStore::set_colour(std::uint32_t pose, std::uint32_t colour) {
    auto& colours = pose & own_pose ? own_colours_ : world_colours_;
    const std::uint32_t index = pose & ~own_pose;
    if (index >= colours.size()) colours.resize(index + 1, 0xffffffffu);
    if (colours[index] == colour) return;
    colours[index] = colour;
    colours_stale_ = true;
}

std::size_t InstanceStore::LookHash::operator()(const LookBits& bits) const {
    std::uint64_t h = 0xcbf29ce484222325ull;
    for (const std::uint32_t word : bits) h = (h ^ word) * 0x100000001b3ull;
    return static_cast<std::size_t>(h ^ h >> 29);
}

InstanceStore::LookQuads InstanceStore::quads_of(const Record& record) {
    const Material& material = record.material;
    const Vec3 colour = material.colour ? linear_colour(*material.colour) : Vec3{-1, -1, -1};
    const float reach =
        record.radius > 0 ? record.radius : std::max({record.size.x, record.size.y, record.size.z});
    const float unit = material.pattern == Pattern::none ? 0
                       : material.unit > 0               ? material.unit
                       : material.endless                ? 1
                                                         : (record.sheet ? 0.2f : 0.5f) * reach;
    const int pattern =
        static_cast<int>(material.pattern) + (material.endless ? 16 : 0) + (record.sheet ? 32 : 0);
    return {record.place.x, record.place.y,     record.place.z,    unit,
            record.turn.x,  record.turn.y,      record.turn.z,     record.turn.s,
            record.size.x,  record.size.y,      record.size.z,     record.stretch,
            record.bevel,   material.roughness, material.metallic, static_cast<float>(pattern),
            colour.x,       colour.y,           colour.z,          material.alpha};
}

std::uint32_t InstanceStore::take_look(const LookQuads& quads) {
    const auto [at, added] = look_numbers_.try_emplace(std::bit_cast<LookBits>(quads));
    SharedLook& look = at->second;
    if (added) {
        if (free_looks_.empty()) {
            look.number = static_cast<std::uint32_t>(look_quads_.size() / quads.size());
            look_quads_.resize(look_quads_.size() + quads.size());
        } else {
            look.number = free_looks_.back();
            free_looks_.pop_back();
        }
        std::copy(quads.begin(), quads.end(),
                  look_quads_.begin() + static_cast<std::ptrdiff_t>(quads.size() * look.number));
        stale_looks_.add(look.number);
    }
    ++look.users;
    return look.number;
}

void InstanceStore::leave_look(std::uint32_t look) {
    if (look == no_look) return;
    LookQuads quads;
    std::copy_n(look_quads_.begin() + static_cast<std::ptrdiff_t>(quads.size() * look), quads.size(),
                quads.begin());
    const auto at = look_numbers_.find(std::bit_cast<LookBits>(quads));
    if (--at->second.users > 0) return;
    free_looks_.push_back(look);
    look_numbers_.erase(at);
}

std::uint32_t InstanceStore::add_record(const Record& record) {
    std::uint32_t index = 0;
    if (free_records_.empty()) {
        index = static_cast<std::uint32_t>(records_.size());
        records_.emplace_back();
        record_pairs_.resize(record_pairs_.size() + 2);
        look_of_.push_back(no_look);
        reach_.push_back(0);
        extent_.push_back(0);
        pose_of_.push_back(0);
    } else {
        index = free_records_.back();
        free_records_.pop_back();
    }
    set_record(index, record);
    return index;
}

void InstanceStore::set_record(std::uint32_t index, const Record& record) {
    records_[index] = record;
    const std::uint32_t before = look_of_[index];
    look_of_[index] = take_look(quads_of(record));
    leave_look(before);
    record_pairs_[2 * std::size_t{index} + 1] = static_cast<float>(look_of_[index]);
    pose_of_[index] = record.pose;
    extent_[index] = std::max({record.size.x, record.size.y, record.size.z});
    reach_[index] = length(record.place) +
                    (record.radius > 0 ? record.radius : length(record.size) + std::abs(record.stretch));
    stale_records_.add(index);
    ++record_revision_;
}

void InstanceStore::remove_record(std::uint32_t index) {
    leave_look(std::exchange(look_of_[index], no_look));
    free_records_.push_back(index);
}

InstanceStore::Bytes InstanceStore::bytes() const {
    const auto texels = [](int width, int rows) {
        return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(rows);
    };
    return {36 * texels(pose_width, pose_rows_), 8 * texels(record_width, record_rows_),
            16 * look_texels * texels(look_width, look_rows_)};
}

Transform InstanceStore::pose(std::uint32_t pose) const {
    const bool own = pose & own_pose;
    const std::size_t at = 4 * static_cast<std::size_t>(pose & ~own_pose);
    const float* p = (own ? own_positions_.data() : world_positions_.data()) + at;
    const float* q = (own ? own_rotations_.data() : world_rotations_.data()) + at;
    return {{p[0], p[1], p[2]}, {.x = q[0], .y = q[1], .z = q[2], .s = q[3]}, 1 + p[3]};
}

void InstanceStore::upload_rows(TextureId texture, int first_row, std::span<const float> quads) {
    const std::size_t row = 4 * pose_width;
    const std::size_t whole = quads.size() / row;
    if (whole > 0)
        backend_.update_texture(texture, first_row, static_cast<int>(whole),
                                std::as_bytes(quads.first(whole * row)));
    if (whole * row < quads.size()) {
        const auto rest = quads.subspan(whole * row);
        row_.assign(row, 0);
        std::copy(rest.begin(), rest.end(), row_.begin());
        backend_.update_texture(texture, first_row + static_cast<int>(whole), 1, bytes_of(row_));
    }
}

// rows of the world's poses come first, then those of the renderer's own
void InstanceStore::ensure_textures(std::size_t poses) {
    const int own_rows = std::max(1, rows_for(own_colours_.size(), pose_width));
    const int world_rows = rows_for(poses, pose_width), most = backend_.max_texture_size();
    if (!positions_ || world_rows > own_row_ || own_row_ + own_rows > pose_rows_) {
        if (world_rows + own_rows > most)
            throw Error("there are more poses than the graphics driver's textures hold: " +
                        std::to_string(poses));
        // with room to grow, where there is
        const int own_row = std::min(std::max(own_row_, world_rows + world_rows / 2), most - own_rows);
        const int pose_rows = std::min(own_row + 2 * own_rows, most);
        const auto texture = [&](TextureFormat format) {
            return Owned(backend_, backend_.create_texture({format, pose_width, pose_rows}));
        };
        positions_ = {}; // until there is memory for all
        rotations_ = texture(TextureFormat::rgba32f);
        colours_ = texture(TextureFormat::rgba8);
        positions_ = texture(TextureFormat::rgba32f);
        if (own_row != own_row_) stale_records_.all(records_.size());
        own_row_ = own_row, pose_rows_ = pose_rows;
        world_stale_ = own_stale_ = colours_stale_ = true;
    }
    const auto ensure = [&](Owned<TextureId>& texture, int& rows, std::size_t count, int width, int texels,
                            Stale& stale, const char* what) {
        const int needed = rows_for(count, width);
        if (needed <= rows && texture) return;
        if (needed > most)
            throw Error(std::string("there are more ") + what +
                        " to draw than the graphics driver's textures hold: " + std::to_string(count));
        texture = {}; // until there is memory for it
        rows = std::clamp(needed + needed / 2, 1, most);
        texture = {backend_, backend_.create_texture({TextureFormat::rgba32f, texels, rows})};
        stale.all(count);
    };
    ensure(record_texture_, record_rows_, records_.size(), record_width, record_width / 2, stale_records_,
           "things");
    ensure(look_texture_, look_rows_, look_quads_.size() / (4 * look_texels), look_width,
           look_width * look_texels, stale_looks_, "kinds of things");
}

/// `width` entries of `floats_each` in a row.
void InstanceStore::upload(TextureId texture, Stale& stale, std::vector<float>& floats,
                           std::size_t floats_each, int width) {
    if (stale.empty()) return;
    const std::size_t row = floats_each * static_cast<std::size_t>(width), size = floats.size();
    const int first = static_cast<int>(stale.low) / width, last = rows_for(stale.high, width);
    floats.resize(std::max(size, static_cast<std::size_t>(last) * row)); // whole rows
    backend_.update_texture(
        texture, first, last - first,
        std::as_bytes(std::span(floats).subspan(static_cast<std::size_t>(first) * row,
                                                static_cast<std::size_t>(last - first) * row)));
    floats.resize(size);
    stale = {};
}

void InstanceStore::bind() {
    ensure_textures(world_positions_.size() / 4);
    if (world_stale_ && world_shared_) {
        const int rows = rows_for(world_positions_.size() / 4, pose_width);
        const std::size_t room = shared_poses_.room, texels = static_cast<std::size_t>(rows) * pose_width;
        backend_.copy_to_texture(positions_, 0, rows, *shared_memory_, 0, 16 * texels);
        backend_.copy_to_texture(rotations_, 0, rows, *shared_memory_, 16 * room, 16 * texels);
        backend_.copy_to_texture(colours_, 0, rows, *shared_memory_, 32 * room, 4 * texels);
    } else if (world_stale_) {
        upload_rows(positions_, 0, world_positions_);
        upload_rows(rotations_, 0, world_rotations_);
    }
    if (own_stale_) {
        upload_rows(positions_, own_row_, own_positions_);
        upload_rows(rotations_, own_row_, own_rotations_);
    }
    if (colours_stale_) {
        const auto upload = [&](std::span<const std::uint32_t> colours, int row) {
            const int rows = rows_for(colours.size(), pose_width);
            if (rows == 0) return;
            colour_rows_.assign(static_cast<std::size_t>(rows) * pose_width, 0);
            std::copy(colours.begin(), colours.end(), colour_rows_.begin());
            backend_.update_texture(colours_, row, rows, bytes_of(colour_rows_));
        };
        // colours may have been set for more poses than there are
        const std::vector<std::uint32_t>& world =
            fetched_colours_.empty() ? world_colours_ : fetched_colours_;
        if (!world_shared_)
            upload(std::span<const std::uint32_t>(world).first(
                       std::min(world.size(), static_cast<std::size_t>(own_row_) * pose_width)),
                   0);
        upload(own_colours_, own_row_);
    }
    // where the renderer's own poses begin is known only now
    const std::uint32_t own_first = static_cast<std::uint32_t>(own_row_) * pose_width;
    for (std::uint32_t i = stale_records_.low; i < stale_records_.high; ++i) {
        const std::uint32_t pose = pose_of_[i];
        record_pairs_[2 * std::size_t{i}] =
            static_cast<float>(pose & own_pose ? own_first + (pose ^ own_pose) : pose);
    }
    upload(record_texture_, stale_records_, record_pairs_, 2, record_width);
    upload(look_texture_, stale_looks_, look_quads_, 4 * look_texels, look_width);
    world_stale_ = own_stale_ = colours_stale_ = false;
    backend_.bind_texture(pose_position_unit, positions_);
    backend_.bind_texture(pose_rotation_unit, rotations_);
    backend_.bind_texture(pose_colour_unit, colours_);
    backend_.bind_texture(record_unit, record_texture_);
    backend_.bind_texture(look_unit, look_texture_);
}

} // namespace scree::render
