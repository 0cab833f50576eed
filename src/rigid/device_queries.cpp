// SPDX-License-Identifier: MIT
// device_queries.cpp — rays from buffers of a device, through the shapes of one of its worlds.

#include "rigid/device_worlds.h"
#include "rigid/query_image.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace scree {

using A = WorldArray;

// the kernels read and write these as words
static_assert(std::is_trivially_copyable_v<RayCast> && sizeof(RayCast) == 4 * QUERY_RAY);
static_assert(offsetof(RayCast, origin) == 0 && offsetof(RayCast, translation) == 4 * QUERY_RAY_WAY &&
              offsetof(RayCast, hit_inside) == 4 * QUERY_RAY_INSIDE && sizeof(bool) == 1);
static_assert(std::is_trivially_copyable_v<QueryHit> && sizeof(QueryHit) == 4 * QUERY_HIT);
static_assert(offsetof(QueryHit, shape) == 0 && offsetof(QueryHit, body) == 8 &&
              offsetof(QueryHit, point) == 4 * QUERY_HIT_POINT &&
              offsetof(QueryHit, normal) == 4 * QUERY_HIT_NORMAL &&
              offsetof(QueryHit, fraction) == 4 * QUERY_HIT_FRACTION &&
              offsetof(QueryHit, distance) == 4 * QUERY_HIT_DISTANCE &&
              offsetof(QueryHit, sub_shape) == 4 * QUERY_HIT_PART &&
              offsetof(QueryHit, cloth) == 4 * QUERY_HIT_CLOTH);

/// Sends the image unless the device has it.
void DeviceWorlds::send_image(std::uint32_t number, const QueryImage& image) {
    flush(); // words of hulls
    const QueryImageKey key{number, image.version, hull_moves_};
    if (key == query_key_) return;
    std::vector<std::uint32_t> shapes = image.shapes;
    const std::uint32_t base = many_ ? number * stride_.shapes : 0;
    for (std::uint32_t s = 0; s < shapes.size() / QUERY_SHAPE; ++s)
        if (shapes[QUERY_SHAPE * std::size_t{s} + QUERY_SHAPE_SEEN])
            shapes[QUERY_SHAPE * std::size_t{s} + QUERY_SHAPE_HULL] = hull_place(shape(base + s));
    const auto send = [&](Buffer& to, const void* from, std::size_t words) {
        reserve(to, std::max<std::size_t>(words, 1));
        if (words) device_->upload(to, from, 4 * words);
    };
    query_key_ = {};
    send(query_[0], shapes.data(), shapes.size());
    send(query_[1], image.nodes.data(), image.nodes.size());
    send(query_[2], image.proxies.data(), image.proxies.size());
    query_key_ = key;
}

void DeviceWorlds::cast_rays(std::uint32_t number, const QueryImage& image, const RayBatch& batch) {
    send_image(number, image);
    kernels::QueryParams params{};
    std::copy(std::begin(image.tree), std::end(image.tree), params.tree);
    params.category = batch.filter.category;
    params.mask = batch.filter.mask;
    params.group = static_cast<std::uint32_t>(batch.filter.group);
    params.ignored = batch.ignored;
    const KernelId kernel = batch.any ? KernelId::query_rays_any : KernelId::query_rays_closest;
    constexpr std::size_t most = std::size_t{1} << 30; // items of a launch are counted in 32 bits
    for (std::size_t first = 0; first < batch.count; first += most) {
        const std::size_t items = std::min(batch.count - first, most);
        void* results =
            batch.any ? static_cast<void*>(batch.any + first) : static_cast<void*>(batch.closest + first);
        const Buffer buffers[] = {query_[0],
                                  query_[1],
                                  query_[2],
                                  array(A::hulls),
                                  {const_cast<RayCast*>(batch.rays + first), items * sizeof(RayCast)},
                                  {results, items * (batch.any ? 1 : sizeof(QueryHit))}};
        device_->launch(kernel, static_cast<std::uint32_t>(items), buffers, &params, sizeof params);
    }
}

} // namespace scree
