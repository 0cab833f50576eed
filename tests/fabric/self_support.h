// SPDX-License-Identifier: MIT
// self_support.h — sheets for the tests of cloth that touches cloth, and a SelfContact with its buffers on a place.
#pragma once

#include "device/opened.h"
#include "fabric/intersections.h"
#include "fabric/self_contact.h"

#include <cstring>
#include <memory>
#include <random>
#include <utility>

namespace scree::testing {

/// Vertices of all cloths, four floats each, and their triangles.
struct SelfMesh {
    std::vector<float> position;
    std::vector<std::uint32_t> triangles, cloth;
    std::vector<SelfCloth> cloths;

    std::uint32_t vertices() const { return static_cast<std::uint32_t>(cloth.size()); }
    std::uint32_t add_vertex(float x, float y, float z, std::uint32_t of, float inverse_mass = 1) {
        position.insert(position.end(), {x, y, z, inverse_mass});
        cloth.push_back(of);
        return vertices() - 1;
    }
    /// n by n vertices in the x z plane, corner at `at`
    std::uint32_t add_sheet(std::uint32_t n, float spacing, ExactPoint at, SelfCloth of = {}) {
        const std::uint32_t first = vertices(), number = static_cast<std::uint32_t>(cloths.size());
        cloths.push_back(of);
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t k = 0; k < n; ++k)
                add_vertex(at[0] + spacing * static_cast<float>(i), at[1],
                           at[2] + spacing * static_cast<float>(k), number);
        for (std::uint32_t i = 0; i + 1 < n; ++i)
            for (std::uint32_t k = 0; k + 1 < n; ++k) {
                const std::uint32_t a = first + i * n + k, b = a + 1, c = a + n, d = c + 1;
                if ((i + k) % 2) triangles.insert(triangles.end(), {a, b, c, b, d, c});
                else triangles.insert(triangles.end(), {a, b, d, a, d, c});
            }
        return number;
    }
    std::vector<std::uint32_t> edges() const { return edges_of(triangles); }
    std::vector<float> rest() const {
        std::vector<float> all;
        for (std::size_t v = 0; v < vertices(); ++v)
            all.insert(all.end(), position.begin() + static_cast<std::ptrdiff_t>(4 * v),
                       position.begin() + static_cast<std::ptrdiff_t>(4 * v + 3));
        return all;
    }
};

/// `layers` sheets above each other, turned in steps so that edges cross
inline SelfMesh stack(std::uint32_t layers, std::uint32_t n, float spacing, float distance, SelfCloth of) {
    SelfMesh mesh;
    const float middle = 0.5f * spacing * static_cast<float>(n - 1);
    for (std::uint32_t k = 0; k < layers; ++k) {
        const std::size_t first = mesh.position.size();
        mesh.add_sheet(n, spacing, {-middle, distance * static_cast<float>(k), -middle}, of);
        const float turn = 0.37f * static_cast<float>(k), c = std::cos(turn), s = std::sin(turn);
        for (std::size_t w = first; w < mesh.position.size(); w += 4) {
            const float x = mesh.position[w], z = mesh.position[w + 2];
            mesh.position[w] = c * x - s * z;
            mesh.position[w + 2] = s * x + c * z;
        }
    }
    return mesh;
}

class SelfBench {
public:
    explicit SelfBench(SelfMesh mesh, const char* device = "cpu", int threads = 1)
        : mesh_(std::move(mesh)),
          place_(options(device, threads)),
          device_(place_.opened().queue()),
          contact_(std::make_unique<SelfContact>(*device_)),
          edges_(mesh_.edges()),
          now(mesh_.position),
          velocity(mesh_.position.size(), 0.0f) {
        contact_->set_mesh(mesh_.triangles, mesh_.cloth, mesh_.cloths, mesh_.rest());
        for (Buffer* buffer : {&start_, &position_, &velocity_})
            *buffer = device_->allocate(std::max<std::size_t>(64, mesh_.position.size() * 4));
    }
    ~SelfBench() {
        contact_.reset();
        for (Buffer* buffer : {&start_, &position_, &velocity_}) device_->release(*buffer);
    }
    SelfBench(const SelfBench&) = delete;
    SelfBench& operator=(const SelfBench&) = delete;

    SelfContact& contact() { return *contact_; }
    Device& device() { return *device_; }
    const SelfMesh& mesh() const { return mesh_; }

    void begin_step(float dt) {
        device_->upload(start_, now.data(), now.size() * 4);
        device_->upload(velocity_, velocity.data(), velocity.size() * 4);
        contact_->begin_step(start_, velocity_, dt);
    }
    /// One substep from `now` to `predicted`, which becomes `now` as far as it may.
    void substep(const std::vector<float>& predicted, float h, int pushes, bool truncated = true) {
        device_->upload(start_, now.data(), now.size() * 4);
        contact_->begin_substep(start_, h);
        device_->upload(position_, predicted.data(), predicted.size() * 4);
        for (int k = 0; k < pushes; ++k) contact_->push(position_, start_, h);
        if (truncated) contact_->truncate(position_, start_);
        device_->download(now.data(), position_, now.size() * 4);
    }
    std::uint64_t intersections() const { return count_intersections(mesh_.triangles, edges_, now); }
    std::uint32_t own_intersections() {
        device_->upload(start_, now.data(), now.size() * 4);
        return contact_->count_intersections(start_);
    }

private:
    static PlaceOptions options(const char* device, int threads) {
        PlaceOptions o;
        o.device = device;
        o.threads = threads;
        return o;
    }
    SelfMesh mesh_;
    Place place_;
    std::shared_ptr<Device> device_;
    std::unique_ptr<SelfContact> contact_;
    Buffer start_, position_, velocity_;
    std::vector<std::uint32_t> edges_;

public:
    std::vector<float> now, velocity;
};

} // namespace scree::testing
