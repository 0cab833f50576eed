// SPDX-License-Identifier: MIT
// requests.cpp — see requests.h. Requests are carried out by the calls of World that a user would make, so everything that holds for
// these holds for them.

#include "world/requests.h"

#include "scree/error.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace scree {

namespace {

bool before(const BodyRequest& a, const BodyRequest& b) {
    if (a.action != b.action) return a.action < b.action;
    if (a.key != b.key) return a.key < b.key;
    return std::memcmp(&a, &b, sizeof a) < 0;
}

/// The definition of a body like another, elsewhere.
BodyDef like(const BodyRecord& record, const BodyRequest& request) {
    const auto vec3 = [](const float* of) { return Vec3{of[0], of[1], of[2]}; };
    const float* q = request.rotation;
    BodyDef body;
    body.type = record.type;
    body.position = wide(vec3(request.position));
    body.rotation = {q[0], q[1], q[2], q[3]};
    body.velocity = vec3(request.velocity);
    body.angular_velocity = vec3(request.angular_velocity);
    body.linear_damping = record.linear_damping;
    body.angular_damping = record.angular_damping;
    body.gravity_scale = record.gravity_scale;
    body.max_speed = record.max_speed;
    body.max_angular_speed = record.max_angular_speed;
    body.locks = record.locks;
    body.can_sleep = record.can_sleep;
    body.bullet = record.bullet;
    if (record.mass_given) body.mass = record.mass;
    body.user_data = record.user_data;
    body.sleep_events = record.sleep_events;
    return body;
}

BodyId make(World& world, BodyId model, const BodyRequest& request) {
    const BodyId made = world.create_body(like(WorldInside::of(world).bodies.record[model.index], request));
    try {
        for (const ShapeId shape : world.shapes(model))
            world.attach(made, world.geometry(shape), world.definition(shape));
    } catch (const Error&) {
        world.destroy(made);
        throw;
    }
    return made;
}

RequestResult carry_out(World& world, const BodyRequest& request) {
    RequestResult result{request.action, request.key, {request.body, request.generation}, false};
    if (!world.alive(result.body)) return result;
    try {
        if (request.action == RequestAction::destroy) world.destroy(result.body);
        else if (request.action == RequestAction::make) result.body = make(world, result.body, request);
        else return result;
        result.done = true;
    } catch (const Error&) {
        // a kernel cannot be told of it; the result can
    }
    return result;
}

} // namespace

std::vector<BodyRequest> waiting_requests(const World::State& world) {
    std::vector<BodyRequest> all = world.requests;
    const std::vector<BodyRequest> more = world.simulation->requests();
    all.insert(all.end(), more.begin(), more.end());
    std::sort(all.begin(), all.end(), before);
    return all;
}

void carry_out_requests(World& world) {
    World::State& state = WorldInside::of(world);
    state.request_results.clear();
    const std::uint32_t count = state.simulation->request_count(), room = state.simulation->request_room();
    state.requests_lost = count > room ? count - room : 0;
    if (count == 0 && state.requests.empty()) return;
    const std::vector<BodyRequest> all = waiting_requests(state);
    state.simulation->clear_requests();
    state.requests.clear();
    for (const BodyRequest& request : all) state.request_results.push_back(carry_out(world, request));
}

DeviceRequests World::device_requests(std::uint32_t room) {
    check_no_query(*state_);
    constexpr std::uint32_t most = 1u << 24;
    if (room == 0 || room > most)
        throw Error("invalid value " + std::to_string(room) + ": expected 1 to " + std::to_string(most),
                    "room");
    if (state_->among_many) throw Error("worlds among many take no requests of kernels", "world");
    // those that wait stay
    std::vector<BodyRequest> waiting = waiting_requests(*state_);
    const DeviceRequests memory = state_->simulation->request_memory(room);
    state_->requests = std::move(waiting);
    return memory;
}
std::span<const RequestResult> World::request_results() const { return state_->request_results; }
std::uint32_t World::requests_lost() const { return state_->requests_lost; }

} // namespace scree
