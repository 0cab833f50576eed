// SPDX-License-Identifier: MIT
// device_rays.h — rays of the host, cast from the memory of a world's device: World::cast_device_rays with its copies.
#pragma once

#include "device/device.h"
#include "device/opened.h"
#include "scree/query.h"
#include "scree/world.h"

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace scree::bench {

class DeviceRays {
public:
    DeviceRays(World& world, std::span<const RayCast> rays)
        : world_(world), queue_(world.place().opened().queue()), count_(rays.size()) {
        rays_ = queue_->allocate(rays.size_bytes());
        results_ = queue_->allocate(count_ * sizeof(QueryHit));
        queue_->upload(rays_, rays.data(), rays.size_bytes());
        queue_->finish();
    }
    ~DeviceRays() { queue_->release(rays_), queue_->release(results_); }
    DeviceRays(const DeviceRays&) = delete;
    DeviceRays& operator=(const DeviceRays&) = delete;

    /// Casts the first `count` of them and waits. Result: QueryHit or std::uint8_t
    template <class Result>
    void cast(std::size_t count, const QueryFilter& filter = {}) {
        const auto* rays = static_cast<const RayCast*>(rays_.raw);
        auto* results = static_cast<Result*>(results_.raw);
        if constexpr (std::is_same_v<Result, QueryHit>) world_.cast_device_rays(rays, count, results, filter);
        else world_.cast_device_rays_any(rays, count, results, filter);
        // behind the rays in the world's queue
        world_.begin_read();
        world_.end_read();
    }
    /// Of the last cast.
    template <class Result>
    std::vector<Result> results() {
        std::vector<Result> all(count_);
        queue_->download(all.data(), results_, count_ * sizeof(Result));
        return all;
    }
    template <class Result>
    std::vector<Result> ask(const QueryFilter& filter = {}) {
        cast<Result>(count_, filter);
        return results<Result>();
    }

private:
    World& world_;
    std::shared_ptr<Device> queue_;
    std::size_t count_;
    Buffer rays_, results_;
};

} // namespace scree::bench
