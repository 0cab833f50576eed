// SPDX-License-Identifier: MIT
// request.h — bodies made and destroyed by your own kernels.
//
//     const DeviceRequests requests = world.device_requests(4096);         // memory on the world's device
//     my_kernel<<<blocks, threads, 0, stream>>>(requests, …);              // stream: requests.queue
//         const unsigned at = atomicAdd(requests.count, 1);                // in the kernel
//         if (at < requests.room) requests.list[at] = request;
//     world.step(1 / 60.0f);                                               // carries them out when it begins
//     for (const RequestResult& result : world.request_results()) …       // ids of what was made
//
// The order in which threads write does not show: requests are carried out sorted by action, key and content, destroying first. So
// the ids are the same on every device. A step that finds requests copies them to the host; one that finds none copies one number.
#pragma once

#include "scree/ids.h"

#include <cstdint>

namespace scree {

enum class RequestAction : std::uint32_t {
    destroy = 1, ///< the body
    make =
        2 ///< one like the body: its type, limits, damping, given mass and shapes; awake, without name and joints
};

/// 80 bytes, the same layout on every device.
struct BodyRequest {
    RequestAction action = RequestAction::make;
    std::uint32_t key = 0;                  ///< yours: the result has it, too
    std::uint32_t body = 0, generation = 0; ///< BodyId::index and generation
    // of a body to make
    float position[3] = {};
    float rotation[4] = {0, 0, 0, 1}; ///< x, y, z, s
    float velocity[3] = {}, angular_velocity[3] = {};
    std::uint32_t reserved[3] = {};
};
static_assert(sizeof(BodyRequest) == 80);

/// Where requests for the next step are written; host memory on "cpu". Valid until the next device_requests.
struct DeviceRequests {
    BodyRequest* list = nullptr;
    std::uint32_t* count = nullptr; ///< may become more than `room`: the rest is lost and counted
    std::uint32_t room = 0;
    void* queue = nullptr; ///< as DeviceState::queue
};

/// Of a request that the last step carried out.
struct RequestResult {
    RequestAction action = RequestAction::make;
    std::uint32_t key = 0;
    BodyId body;       ///< that was made or destroyed
    bool done = false; ///< false: the body did not exist, or a value was invalid; nothing happened
    friend bool operator==(const RequestResult&, const RequestResult&) = default;
};

} // namespace scree
