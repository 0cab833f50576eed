// SPDX-License-Identifier: MIT
// ray_peers.cpp — see ray_peers.h. Embree has no boxes: there they are twelve triangles each.
// compiled alone

#include "ray_peers.h"

#include "scree/mesh.h"
#include "scree/world.h"
#include "stopwatch.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <thread>
#include <utility>

#ifdef SCREE_HAS_BULLET
#include "bullet_world.h"
#endif
#ifdef SCREE_HAS_EMBREE
#include <embree3/rtcore.h>
#endif

namespace scree::bench {

namespace {

constexpr float missed = 2;

class Dice {
public:
    float between(float low, float high) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return low + (high - low) * static_cast<float>(state_ >> 40) / 16777216.0f;
    }
    Vec3 in(const Vec3& low, const Vec3& high) {
        const float x = between(low.x, high.x), y = between(low.y, high.y), z = between(low.z, high.z);
        return {x, y, z};
    }

private:
    std::uint64_t state_ = 1;
};

/// From anywhere in a box, where `free` says so, to anywhere: engines differ in what a ray hits that begins inside a solid.
template <class Free>
std::vector<RayCast> rays_in(const Vec3& low, const Vec3& high, std::uint32_t count, const Free& free) {
    Dice dice;
    std::vector<RayCast> rays;
    rays.reserve(count);
    while (rays.size() < count) {
        const Vec3 from = dice.in(low, high), way = dice.in(low, high) - from;
        if (way != Vec3{} && free(from)) rays.push_back({DVec3(from), way});
    }
    return rays;
}

} // namespace

RayTargets ball_targets(std::uint32_t rays) {
    constexpr std::uint32_t around = 250, rings = 200; // 2 · 250 · 200 triangles
    RayTargets targets{.name = "ball-100000"};
    Dice dice;
    for (std::uint32_t r = 0; r <= rings; ++r)
        for (std::uint32_t k = 0; k < around; ++k) {
            const double up = std::numbers::pi * (r + 0.5) / (rings + 1),
                         turn = 2 * std::numbers::pi * k / around;
            const double out =
                5 + 0.5 * std::sin(7 * turn) * std::sin(9 * up) + double{dice.between(0, 0.03f)};
            targets.vertices.push_back(narrow(
                DVec3{std::sin(up) * std::cos(turn), std::cos(up), std::sin(up) * std::sin(turn)} * out));
        }
    const auto at = [](std::uint32_t r, std::uint32_t k) { return around * r + k % around; };
    for (std::uint32_t r = 0; r < rings; ++r)
        for (std::uint32_t k = 0; k < around; ++k)
            targets.indices.insert(targets.indices.end(), {at(r, k), at(r, k + 1), at(r + 1, k), at(r, k + 1),
                                                           at(r + 1, k + 1), at(r + 1, k)});
    targets.rays = rays_in({-6, -6, -6}, {6, 6, 6}, rays, [](const Vec3&) { return true; });
    return targets;
}

RayTargets pile_targets(std::uint32_t boxes, std::uint32_t rays) {
    RayTargets targets{.name = "boxes-" + std::to_string(boxes), .half = {0.25f, 0.25f, 0.25f}};
    std::uint32_t side = 1;
    while (side * side * side < boxes) ++side;
    const float width = 0.6f * static_cast<float>(side);
    World world;
    world.attach(world.create_body({.type = BodyType::fixed}), Plane{});
    Dice dice;
    std::vector<BodyId> bodies;
    for (std::uint32_t k = 0; k < boxes; ++k) {
        const auto at = [&](std::uint32_t n) {
            return 0.6f * (static_cast<float>(n) - 0.5f * static_cast<float>(side)) +
                   dice.between(-0.04f, 0.04f);
        };
        const float x = at(k % side), z = at(k / side % side);
        bodies.push_back(
            world.create_body({.position = {x, 0.3f + 0.6f * static_cast<float>(k / side / side), z}}));
        world.attach(bodies.back(), Box{targets.half.x, targets.half.y, targets.half.z});
    }
    for (int s = 0; s < 60; ++s) world.step(1 / 60.0f);
    for (const BodyId body : bodies)
        targets.boxes.push_back({world.state(body).position, world.state(body).rotation});
    targets.rays = rays_in({-width, 0, -width}, {width, width, width}, rays,
                           [&](const Vec3& from) { return world.contains(DVec3(from)).empty(); });
    return targets;
}

namespace {

// engines --------------------------------------------------------------------------------------------------------------

class ScreeRays final : public RayEngine {
public:
    ScreeRays(const RayTargets& targets, const Place& place) : world_({}, place) {
        const BodyId ground = world_.create_body({.type = BodyType::fixed});
        if (!targets.indices.empty())
            world_.attach(ground,
                          Mesh::from_triangles(targets.vertices, targets.indices, {.two_sided = true}));
        for (const Pose& box : targets.boxes)
            world_.attach(world_.create_body({.position = DVec3(box.position), .rotation = box.rotation}),
                          Box{targets.half.x, targets.half.y, targets.half.z});
        hits_.resize(targets.rays.size());
    }
    std::string name() const override { return "scree"; }
    bool shares_out() const override { return true; }
    void cast(std::span<const RayCast> rays, std::span<float> fractions) override {
        world_.cast_rays(rays, hits_);
        for (std::size_t k = 0; k < hits_.size(); ++k) fractions[k] = hits_[k] ? hits_[k].fraction : missed;
    }

private:
    World world_;
    std::vector<QueryHit> hits_;
};

#ifdef SCREE_HAS_EMBREE
class EmbreeRays final : public RayEngine {
public:
    explicit EmbreeRays(const RayTargets& targets)
        : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_)) {
        std::vector<Vec3> vertices = targets.vertices;
        std::vector<std::uint32_t> indices = targets.indices;
        constexpr std::uint32_t sides[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                             2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
        for (const Pose& box : targets.boxes) {
            const auto first = static_cast<std::uint32_t>(vertices.size());
            for (int k = 0; k < 8; ++k)
                vertices.push_back(apply(box, Vec3{k & 1 ? targets.half.x : -targets.half.x,
                                                   k & 2 ? targets.half.y : -targets.half.y,
                                                   k & 4 ? targets.half.z : -targets.half.z}));
            for (const std::uint32_t side : sides) indices.push_back(first + side);
        }
        RTCGeometry mesh = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
        void* to = rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3),
                                           vertices.size());
        std::copy(vertices.begin(), vertices.end(), static_cast<Vec3*>(to));
        to =
            rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, indices.size() / 3);
        std::copy(indices.begin(), indices.end(), static_cast<std::uint32_t*>(to));
        rtcCommitGeometry(mesh);
        rtcAttachGeometry(scene_, mesh);
        rtcReleaseGeometry(mesh);
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
        rtcCommitScene(scene_);
    }
    ~EmbreeRays() override {
        rtcReleaseScene(scene_);
        rtcReleaseDevice(device_);
    }
    std::string name() const override { return "embree " RTC_VERSION_STRING; }
    void cast(std::span<const RayCast> rays, std::span<float> fractions) override {
        for (std::size_t k = 0; k < rays.size(); ++k) {
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            RTCRayHit hit{};
            hit.ray.org_x = static_cast<float>(rays[k].origin.x);
            hit.ray.org_y = static_cast<float>(rays[k].origin.y);
            hit.ray.org_z = static_cast<float>(rays[k].origin.z);
            hit.ray.dir_x = rays[k].translation.x;
            hit.ray.dir_y = rays[k].translation.y;
            hit.ray.dir_z = rays[k].translation.z;
            hit.ray.tfar = 1;
            hit.ray.mask = ~0u;
            hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(scene_, &context, &hit);
            fractions[k] = hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? missed : hit.ray.tfar;
        }
    }

private:
    RTCDevice device_;
    RTCScene scene_;
};
#endif

#ifdef SCREE_HAS_BULLET
class BulletRays final : public RayEngine {
public:
    explicit BulletRays(const RayTargets& targets) : vertices_(targets.vertices) {
        for (const std::uint32_t index : targets.indices) indices_.push_back(static_cast<int>(index));
        btCollisionShape* shape = nullptr;
        if (indices_.empty()) {
            shape = bullet_.keep(std::make_unique<btBoxShape>(vector_of(targets.half)));
            shape->setMargin(0);
        } else {
            triangles_ = std::make_unique<btTriangleIndexVertexArray>(
                static_cast<int>(indices_.size() / 3), indices_.data(), static_cast<int>(3 * sizeof(int)),
                static_cast<int>(vertices_.size()), &vertices_[0].x, static_cast<int>(sizeof(Vec3)));
            shape = bullet_.keep(std::make_unique<btBvhTriangleMeshShape>(triangles_.get(), true));
        }
        const auto add = [&](const Pose& pose) {
            btRigidBody& body = bullet_.add_body({0, nullptr, shape});
            body.setWorldTransform(btTransform(quaternion_of(pose.rotation), vector_of(pose.position)));
            bullet_.world.updateSingleAabb(&body);
        };
        if (!indices_.empty()) add({});
        for (const Pose& box : targets.boxes) add(box);
        bullet_.broadphase.optimize();
    }
    std::string name() const override {
        return "bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." +
               std::to_string(BT_BULLET_VERSION % 100);
    }
    void cast(std::span<const RayCast> rays, std::span<float> fractions) override {
        for (std::size_t k = 0; k < rays.size(); ++k) {
            const btVector3 from = vector_of(narrow(rays[k].origin)),
                            to = from + vector_of(rays[k].translation);
            btCollisionWorld::ClosestRayResultCallback result(from, to);
            bullet_.world.rayTest(from, to, result);
            fractions[k] = result.hasHit() ? result.m_closestHitFraction : missed;
        }
    }

private:
    std::vector<Vec3> vertices_;
    std::vector<int> indices_;
    std::unique_ptr<btTriangleIndexVertexArray> triangles_;
    BulletWorld bullet_;
};
#endif

} // namespace

std::unique_ptr<RayEngine> scree_rays(const RayTargets& targets, const Place& place) {
    return std::make_unique<ScreeRays>(targets, place);
}
std::unique_ptr<RayEngine> embree_rays([[maybe_unused]] const RayTargets& targets) {
#ifdef SCREE_HAS_EMBREE
    return std::make_unique<EmbreeRays>(targets);
#else
    return nullptr;
#endif
}
std::unique_ptr<RayEngine> bullet_rays([[maybe_unused]] const RayTargets& targets) {
#ifdef SCREE_HAS_BULLET
    return std::make_unique<BulletRays>(targets);
#else
    return nullptr;
#endif
}

namespace {

/// Every ray, by so many threads.
void cast_all(RayEngine& engine, const std::vector<RayCast>& rays, std::vector<float>& fractions,
              std::size_t threads) {
    if (engine.shares_out() || threads == 1) return engine.cast(rays, fractions);
    std::vector<std::thread> others;
    const auto part = [&](std::size_t k) {
        const std::size_t first = k * rays.size() / threads, end = (k + 1) * rays.size() / threads;
        engine.cast(std::span(rays).subspan(first, end - first),
                    std::span(fractions).subspan(first, end - first));
    };
    for (std::size_t k = 1; k < threads; ++k) others.emplace_back(part, k);
    part(0);
    for (std::thread& other : others) other.join();
}

} // namespace

std::vector<PeerRate> race_rays(const RayTargets& targets, const Place& place) {
    const auto threads = static_cast<std::size_t>(place.threads());
    std::vector<std::unique_ptr<RayEngine>> engines;
    engines.push_back(scree_rays(targets, place));
    if (auto embree = embree_rays(targets)) engines.push_back(std::move(embree));
    if (auto bullet = threads == 1 ? bullet_rays(targets) : nullptr) engines.push_back(std::move(bullet));
    std::vector<PeerRate> rates(engines.size());
    std::vector<std::vector<float>> fractions(engines.size(), std::vector<float>(targets.rays.size()));
    for (int round = 0; round < 3; ++round)
        for (std::size_t e = 0; e < engines.size(); ++e) {
            const Stopwatch clock;
            cast_all(*engines[e], targets.rays, fractions[e], threads);
            rates[e].rays_per_second = std::max(rates[e].rays_per_second,
                                                static_cast<double>(targets.rays.size()) / clock.seconds());
        }
    for (std::size_t e = 0; e < engines.size(); ++e) {
        rates[e].targets = targets.name;
        rates[e].engine = engines[e]->name();
        rates[e].rays = targets.rays.size();
        for (std::size_t k = 0; k < targets.rays.size(); ++k) {
            rates[e].hits += fractions[e][k] != missed ? 1 : 0;
            rates[e].differ += std::abs(fractions[e][k] - fractions[0][k]) > 1e-4f ? 1 : 0;
        }
    }
    return rates;
}

} // namespace scree::bench
