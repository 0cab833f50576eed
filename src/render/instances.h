// SPDX-License-Identifier: MIT
// instances.h — poses and records on the device.
//
// A pose is where a body is: two quads as World::positions() and World::rotations() hold them, copied as they are. A record
// is one thing that is drawn: the number of a pose and the number of a look. A look is a place and turn in the body's frame,
// a size and a material; equal ones are kept once, so that the particles of a thousand like bodies share a few. The vertex
// shader puts the three together. All live in textures, since vertex shaders of GLES 3.0 read nothing else at random.
//
//     pose textures      36 bytes each; row-major, pose_width wide: rgba32f position xyz and scale - 1;
//                        rgba32f rotation x y z s; rgba8 colour and how much of it is left (sleeping bodies are darker)
//     record texture     8 bytes each; rgba32f, two records a texel, record_width records a row: pose, look
//     look texture       80 bytes each; rgba32f, look_width looks a row, look_texels texels each:
//                        0 place xyz, unit of the pattern (m)    1 turn x y z s    2 size xyz, stretch
//                        3 bevel, roughness, metallic, pattern + 16 if endless + 32 if sheet
//                        4 linear rgb (negative: the pose's colour), alpha
#pragma once

#include "render/backend.h"
#include "render/linear.h"
#include "render/technique.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace scree::render {

constexpr int pose_width = 1024;
constexpr int record_width = 2048;
constexpr int look_width = 256, look_texels = 5;

struct Record {
    std::uint32_t pose = 0;
    Vec3 place{};
    Quat turn{};
    Vec3 size{1, 1, 1};
    float stretch = 0, bevel = 0;
    float radius = 0; ///< of meshes that are not of unit size: how far they reach
    bool sheet =
        false; ///< deforms: the inset of its vertices says where they were at first, over its radius then
    Material material{};
};

/// The sRGB colour of a pose as it is stored: 0xAABBGGRR, where AA is how much of it is left.
std::uint32_t pose_colour(Vec3 srgb, float left = 1);
Vec3 linear_colour(Vec3 srgb);

class InstanceStore {
public:
    explicit InstanceStore(Backend& backend) : backend_(backend) {}

    /// Poses 0 … count - 1 of a world, straight from its arrays: four floats each. Kept by reference until the next draw.
    void set_world_poses(std::span<const float> positions, std::span<const float> rotations);
    /// Memory for the poses of a world that its device writes; null where the back end has none. Call world_poses_shared() when they
    /// are there: until set_world_poses() they are drawn instead of the spans, of which only the size counts.
    SharedPoses* share();
    void world_poses_shared();
    bool shared() const { return world_shared_; }
    /// Brings the shared poses to the host, where they are from now on drawn as if set_world_poses() had given them. False where the
    /// back end cannot read them.
    bool fetch_shared();
    /// A pose of the renderer's own, beside those of the world.
    std::uint32_t add_pose(const Transform& pose, std::uint32_t colour = 0xffffffffu);
    void set_pose(std::uint32_t pose, const Transform& value);
    void remove_pose(std::uint32_t pose);
    void set_colour(std::uint32_t pose, std::uint32_t colour);
    /// Poses of the renderer's own have this bit.
    static constexpr std::uint32_t own_pose = 0x80000000u;

    std::uint32_t add_record(const Record& record);
    void set_record(std::uint32_t index, const Record& record);
    void remove_record(std::uint32_t index);
    const Record& record(std::uint32_t index) const { return records_[index]; }
    std::uint32_t record_count() const {
        return static_cast<std::uint32_t>(records_.size() - free_records_.size());
    }

    Transform pose(std::uint32_t pose) const;
    /// Position of a pose and its scale - 1; those of the world's poses follow each other.
    const float* place(std::uint32_t pose) const {
        return pose & own_pose ? own_positions_.data() + 4 * (pose ^ own_pose)
                               : world_positions_.data() + 4 * pose;
    }
    /// The same for its rotation.
    const float* turn(std::uint32_t pose) const {
        return pose & own_pose ? own_rotations_.data() + 4 * (pose ^ own_pose)
                               : world_rotations_.data() + 4 * pose;
    }
    Vec3 pose_position(std::uint32_t pose) const {
        const float* p = place(pose);
        return {p[0], p[1], p[2]};
    }
    /// How far a record reaches from its pose's position.
    float reach(std::uint32_t record) const { return reach_[record]; }
    /// Its largest size, which scales the error of a level of detail.
    float extent(std::uint32_t record) const { return extent_[record]; }
    std::uint32_t pose_of(std::uint32_t record) const { return pose_of_[record]; }
    /// The same of all records from this one on, for culling.
    const float* reaches(std::uint32_t record) const { return reach_.data() + record; }
    const float* extents(std::uint32_t record) const { return extent_.data() + record; }
    /// Change whenever a record, or a pose's place, does.
    std::uint64_t record_revision() const { return record_revision_; }
    std::uint64_t pose_revision() const { return pose_revision_; }

    /// Different looks of the records that there are.
    std::uint32_t look_count() const { return static_cast<std::uint32_t>(look_numbers_.size()); }
    /// Device memory of poses, records and looks.
    struct Bytes {
        std::uint64_t poses = 0, records = 0, looks = 0;
    };
    Bytes bytes() const;

    /// Uploads changes and binds the five textures.
    void bind();

private:
    using LookQuads = std::array<float, 4 * look_texels>;
    using LookBits = std::array<std::uint32_t, 4 * look_texels>; ///< compares whatever the numbers are
    struct LookHash {
        std::size_t operator()(const LookBits& bits) const;
    };
    struct SharedLook {
        std::uint32_t number = 0, users = 0;
    };
    /// Rows of a texture that are to be uploaded.
    struct Stale {
        std::uint32_t low = 0xffffffffu, high = 0;
        void add(std::uint32_t index) {
            low = std::min(low, index);
            high = std::max(high, index + 1);
        }
        void all(std::size_t count) { low = 0, high = static_cast<std::uint32_t>(count); }
        bool empty() const { return low >= high; }
    };
    static LookQuads quads_of(const Record& record);
    std::uint32_t take_look(const LookQuads& quads);
    void leave_look(std::uint32_t look);
    void upload(TextureId texture, Stale& stale, std::vector<float>& floats, std::size_t floats_each,
                int width);
    void ensure_textures(std::size_t poses);
    void upload_rows(TextureId texture, int first_row, std::span<const float> quads);

    Backend& backend_;
    std::span<const float> world_positions_, world_rotations_;
    std::vector<float> own_positions_, own_rotations_; ///< quads
    std::vector<std::uint32_t> world_colours_, own_colours_;
    std::vector<std::uint32_t> free_poses_;
    std::vector<Record> records_;
    static constexpr std::uint32_t no_look = 0xffffffffu;
    std::vector<std::uint32_t> look_of_; ///< by record
    std::vector<float> record_pairs_;    ///< as in the texture
    std::unordered_map<LookBits, SharedLook, LookHash> look_numbers_;
    std::vector<float> look_quads_; ///< as in the texture
    std::vector<std::uint32_t> free_looks_;
    std::vector<float> reach_, extent_;
    std::vector<std::uint32_t> pose_of_;
    std::vector<std::uint32_t> free_records_;
    std::vector<float> row_; ///< the last row, filled up
    std::vector<std::uint32_t> colour_rows_;
    int pose_rows_ = 0, own_row_ = 0, record_rows_ = 0, look_rows_ = 0;
    Owned<TextureId> positions_, rotations_, colours_, record_texture_, look_texture_;
    bool world_stale_ = false, own_stale_ = false, colours_stale_ = false, world_shared_ = false;
    std::unique_ptr<GraphicsBuffer> shared_memory_;
    SharedPoses shared_poses_;
    std::uint64_t record_revision_ = 0, pose_revision_ = 0;
    Stale stale_records_, stale_looks_;
    /// What fetch_shared() brought, until the next set_world_poses(): positions, rotations, colours.
    std::vector<float> fetched_;
    std::vector<std::uint32_t> fetched_colours_;
};

} // namespace scree::render
