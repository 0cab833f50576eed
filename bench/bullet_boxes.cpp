// SPDX-License-Identifier: MIT
// bullet_boxes.cpp — see bullet_boxes.h. Without SCREE_HAS_BULLET every call says so.
#include "bullet_boxes.h"

#include "scree/error.h"
#include "stopwatch.h"

#include <algorithm>

#ifdef SCREE_HAS_BULLET
#include "bullet_world.h"
#include "scree/granular_scene.h"
#endif

namespace scree::bench {

#ifdef SCREE_HAS_BULLET

struct BulletBoxes::State : BulletWorld { ///< bodies: the boxes, then the planes
    std::size_t boxes = 0;
    float time_step = 0;

    void add_plane(const btVector3& normal, float distance) {
        btCollisionShape* plane = keep(std::make_unique<btStaticPlaneShape>(normal, distance));
        add_body({0, nullptr, plane, btVector3(0, 0, 0)});
    }
};

std::optional<std::string> bullet_missing() { return std::nullopt; }

std::string bullet_version() {
    return std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
}

BulletBoxes::BulletBoxes(const Scene& scene) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.time_step = granular_scene(scene).settings.time_step;
    s.world.setGravity(vector_of(granular_scene(scene).settings.gravity));
    std::vector<btCollisionShape*> boxes;
    for (const GranularShape& shape : granular_scene(scene).shapes)
        boxes.push_back(s.keep(std::make_unique<btBoxShape>(vector_of(shape.half_size))));
    for (const GranularBodyDef& body : granular_scene(scene).bodies) {
        btVector3 inertia;
        boxes[body.shape]->calculateLocalInertia(body.mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, boxes[body.shape], inertia);
        info.m_startWorldTransform = btTransform(quaternion_of(body.rotation), vector_of(body.position));
        s.add_body(info, body.velocity, body.angular_velocity);
    }
    s.boxes = s.bodies.size();
    const float wall = granular_scene(scene).settings.world_size;
    s.add_plane({0, 1, 0}, 0);
    for (float sign : {-1.0f, 1.0f}) {
        s.add_plane({-sign, 0, 0}, -wall);
        s.add_plane({0, 0, -sign}, -wall);
    }
}

void BulletBoxes::step(int count) {
    for (int i = 0; i < count; ++i) state_->world.stepSimulation(state_->time_step, 0);
}

std::uint32_t BulletBoxes::asleep() const {
    return static_cast<std::uint32_t>(std::count_if(
        state_->bodies.begin(), state_->bodies.begin() + static_cast<std::ptrdiff_t>(state_->boxes),
        [](const auto& body) { return !body->isActive(); }));
}

Quality BulletBoxes::quality() const {
    const State& s = *state_;
    Quality quality;
    double sum = 0;
    std::size_t points = 0, pairs = 0;
    for (int i = 0; i < s.world.getDispatcher()->getNumManifolds(); ++i) {
        const btPersistentManifold* manifold = const_cast<State&>(s).dispatcher.getManifoldByIndexInternal(i);
        bool touching = false;
        for (int j = 0; j < manifold->getNumContacts(); ++j) {
            const double overlap = -double{manifold->getContactPoint(j).getDistance()};
            if (overlap <= 0) continue;
            touching = true;
            sum += overlap;
            ++points;
            quality.max_overlap_mm = std::max(quality.max_overlap_mm, overlap * 1e3);
        }
        if (touching && !manifold->getBody0()->isStaticObject() && !manifold->getBody1()->isStaticObject())
            ++pairs;
    }
    for (std::size_t i = 0; i < s.boxes; ++i) {
        const btRigidBody& body = *s.bodies[i];
        const btVector3 w = body.getAngularVelocity();
        quality.kinetic_j += 0.5 * double{body.getMass()} * double{body.getLinearVelocity().length2()} +
                             0.5 * double{w.dot(body.getInvInertiaTensorWorld().inverse() * w)};
        quality.mean_height_m += double{body.getWorldTransform().getOrigin().y()};
    }
    const double boxes = std::max<double>(static_cast<double>(s.boxes), 1);
    quality.mean_height_m /= boxes;
    quality.mean_overlap_mm = points > 0 ? sum / static_cast<double>(points) * 1e3 : 0;
    quality.coordination = 2 * static_cast<double>(pairs) / boxes;
    return quality;
}

#else

struct BulletBoxes::State {};

std::optional<std::string> bullet_missing() {
    return "bullet is left out: this program was built without it (Debian: libbullet-dev)";
}
std::string bullet_version() { return ""; }
BulletBoxes::BulletBoxes(const Scene&) { throw Error("this program was built without it", "bullet"); }
void BulletBoxes::step(int) {}
std::uint32_t BulletBoxes::asleep() const { return 0; }
Quality BulletBoxes::quality() const { return {}; }

#endif

BulletBoxes::~BulletBoxes() = default;
BulletBoxes::BulletBoxes(BulletBoxes&&) noexcept = default;

std::vector<double> BulletBoxes::time_steps(int steps, int block) {
    std::vector<double> times;
    for (int i = 0; i < std::max(steps / block, 1); ++i) {
        const Stopwatch clock;
        step(block);
        times.push_back(clock.ms() / block);
    }
    return times;
}

} // namespace scree::bench
