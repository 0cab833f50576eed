// SPDX-License-Identifier: MIT
// instances.cpp — see instances.h.
#include "render/instances.h"

#include "scree/error.h"

#include <cmath>
#include <string>

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

InstanceStore::~InstanceStore() {
    for (const TextureId texture : {positions_, rotations_, colours_, record_texture_})
        if (texture.value) backend_.destroy(texture);
}

void InstanceStore::set_world_poses(std::span<const float> positions, std::span<const float> rotations) {
    world_positions_ = positions;
    world_rotations_ = rotations;
    if (world_colours_.size() < positions.size() / 4) {
        world_colours_.resize(positions.size() / 4, 0xffffffffu);
        colours_stale_ = true;
    }
    world_stale_ = true;
    ++pose_revision_;
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

std::uint32_t InstanceStore::add_record(const Record& record) {
    std::uint32_t index = 0;
    if (free_records_.empty()) {
        index = static_cast<std::uint32_t>(records_.size());
        records_.emplace_back();
        record_quads_.resize(record_quads_.size() + 4 * record_texels);
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
    const Material& material = record.material;
    const Vec3 colour = material.colour ? linear_colour(*material.colour) : Vec3{-1, -1, -1};
    const float quads[4 * record_texels] = {record.place.x,
                                            record.place.y,
                                            record.place.z,
                                            0, // the pose's number, once the rows are known
                                            record.turn.x,
                                            record.turn.y,
                                            record.turn.z,
                                            record.turn.s,
                                            record.size.x,
                                            record.size.y,
                                            record.size.z,
                                            record.stretch,
                                            record.bevel,
                                            material.roughness,
                                            material.metallic,
                                            static_cast<float>(material.pattern),
                                            colour.x,
                                            colour.y,
                                            colour.z,
                                            material.alpha};
    std::copy_n(quads, 4 * record_texels,
                record_quads_.begin() + static_cast<std::ptrdiff_t>(4 * record_texels * std::size_t{index}));
    pose_of_[index] = record.pose;
    extent_[index] = std::max({record.size.x, record.size.y, record.size.z});
    reach_[index] = length(record.place) +
                    (record.radius > 0 ? record.radius : length(record.size) + std::abs(record.stretch));
    stale_record_low_ = std::min(stale_record_low_, index);
    stale_record_high_ = std::max(stale_record_high_, index + 1);
    ++record_revision_;
}

void InstanceStore::remove_record(std::uint32_t index) { free_records_.push_back(index); }

Transform InstanceStore::pose(std::uint32_t pose) const {
    const bool own = pose & own_pose;
    const std::size_t at = 4 * static_cast<std::size_t>(pose & ~own_pose);
    const float* p = (own ? own_positions_.data() : world_positions_.data()) + at;
    const float* q = (own ? own_rotations_.data() : world_rotations_.data()) + at;
    return {{p[0], p[1], p[2]}, {q[3], q[0], q[1], q[2]}, 1 + p[3]};
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
    const int world_rows = rows_for(poses, pose_width);
    if (positions_.value == 0 || world_rows > own_row_ || own_row_ + own_rows > pose_rows_) {
        const int before = own_row_;
        own_row_ = std::max(own_row_, world_rows + world_rows / 2);
        pose_rows_ = own_row_ + 2 * own_rows;
        if (pose_rows_ > backend_.max_texture_size())
            throw Error("there are more poses than the graphics driver's textures hold: " +
                        std::to_string(poses));
        for (const TextureId texture : {positions_, rotations_, colours_})
            if (texture.value) backend_.destroy(texture);
        positions_ = backend_.create_texture({TextureFormat::rgba32f, pose_width, pose_rows_});
        rotations_ = backend_.create_texture({TextureFormat::rgba32f, pose_width, pose_rows_});
        colours_ = backend_.create_texture({TextureFormat::rgba8, pose_width, pose_rows_});
        world_stale_ = own_stale_ = colours_stale_ = true;
        if (own_row_ != before)
            stale_record_low_ = 0, stale_record_high_ = static_cast<std::uint32_t>(records_.size());
    }
    const int rows = rows_for(records_.size(), record_width);
    if (rows > record_rows_ || record_texture_.value == 0) {
        record_rows_ = std::max(1, rows + rows / 2);
        if (record_rows_ > backend_.max_texture_size())
            throw Error("there are more things to draw than the graphics driver's textures hold: " +
                        std::to_string(records_.size()));
        if (record_texture_.value) backend_.destroy(record_texture_);
        record_texture_ =
            backend_.create_texture({TextureFormat::rgba32f, record_width * record_texels, record_rows_});
        stale_record_low_ = 0;
        stale_record_high_ = static_cast<std::uint32_t>(records_.size());
    }
}

void InstanceStore::bind() {
    ensure_textures(world_positions_.size() / 4);
    if (world_stale_) {
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
        upload(std::span<const std::uint32_t>(world_colours_)
                   .first(std::min(world_colours_.size(), static_cast<std::size_t>(own_row_) * pose_width)),
               0);
        upload(own_colours_, own_row_);
    }
    if (stale_record_low_ < stale_record_high_) {
        const std::uint32_t own_first = static_cast<std::uint32_t>(own_row_) * pose_width;
        for (std::uint32_t i = stale_record_low_; i < stale_record_high_; ++i) {
            const std::uint32_t pose = pose_of_[i];
            record_quads_[4 * record_texels * std::size_t{i} + 3] =
                static_cast<float>(pose & own_pose ? own_first + (pose ^ own_pose) : pose);
        }
        const std::size_t row = 4 * record_texels * record_width;
        const int first = static_cast<int>(stale_record_low_) / record_width;
        const int last = rows_for(stale_record_high_, record_width);
        record_quads_.resize(std::max(record_quads_.size(), static_cast<std::size_t>(last) * row));
        backend_.update_texture(record_texture_, first, last - first,
                                std::as_bytes(std::span(record_quads_)
                                                  .subspan(static_cast<std::size_t>(first) * row,
                                                           static_cast<std::size_t>(last - first) * row)));
        record_quads_.resize(4 * record_texels * records_.size());
        stale_record_low_ = 0xffffffffu;
        stale_record_high_ = 0;
    }
    world_stale_ = own_stale_ = colours_stale_ = false;
    backend_.bind_texture(pose_position_unit, positions_);
    backend_.bind_texture(pose_rotation_unit, rotations_);
    backend_.bind_texture(pose_colour_unit, colours_);
    backend_.bind_texture(record_unit, record_texture_);
}

} // namespace scree::render
