// SPDX-License-Identifier: MIT
// bodies.h — the bodies of a rigid scene: single ones, and generators of many bodies with their shapes and joints.
#pragma once

#include "scene/fields.h"
#include "scene/rigid/format.h"
#include "scene/rigid/parts.h"
#include "scene/rotation.h"
#include "scree/rigid_scene.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// Appends bodies to a scene, within the limits of SceneOptions.
class RigidBodyList {
public:
    RigidBodyList(Scene& heading, RigidScene& content, const SceneOptions& options,
                  const MaterialList& materials)
        : heading_(&heading), rigid_(&content), options_(&options), materials_(&materials) {}

    /// One entry of "bodies": a body, or a generator with its bodies.
    void read(const Field& entry);
    /// Adds a body with a shape of its own.
    std::uint32_t add(const Field& entry, RigidShape shape, RigidBodyDef body);
    /// The same for a shape that several bodies have.
    std::uint32_t add_shape_of(const Field& entry, RigidShape shape) {
        return add_shape(entry, std::move(shape));
    }
    std::uint32_t add(const Field& entry, RigidBodyDef body);
    /// Call after all entries. Throws Error if SceneOptions::bodies is set and there is not exactly one generator to resize.
    void finish(const Field& all);
    /// The body of a name or number.
    std::uint32_t body(const Field& field) const;
    /// The body of a name, if there is one.
    std::optional<std::uint32_t> find(const std::string& name) const;

private:
    /// The body that a generator repeats, without a pose, and its name.
    struct Model {
        RigidBodyDef body;
        std::string name;
        std::vector<Paint> paints;              ///< in turn, unless:
        std::optional<std::uint64_t> stratum{}; ///< the one to take
        std::uint64_t made = 0;
    };

    void read_body(const Field& entry);
    // formations.cpp: bodies of one shape in a pattern
    void pyramid(const Fields& fields);
    void stack(const Fields& fields);
    void wall(const Fields& fields);
    void lattice(const Fields& fields);
    void chain(const Fields& fields);
    // structures.cpp: those that make their own shapes
    void container(const Fields& fields);
    void funnel(const Fields& fields);
    void arch(const Fields& fields);
    void card_house(const Fields& fields);
    void molecule(const Fields& fields);
    // ragdolls.cpp
    void ragdolls(const Fields& fields);

    /// Keys that single bodies and "each" share.
    void read_properties(const Fields& fields, RigidBodyDef& body) const;
    Model model(const Fields& fields) const;        ///< from "each" and "name"
    Model shaped_model(const Fields& fields) const; ///< and "shape", which must be finite
    const RigidShape& shape_of(const Model& model) const { return rigid_->shapes[model.body.shape]; }
    /// The number of bodies of a generator that can be resized.
    std::uint64_t count(const Field& field, std::uint64_t in_file);
    /// Reserves bodies and joints; throws Error for too many before allocating.
    void reserve(const Field& field, std::uint64_t bodies, std::uint64_t joints = 0);
    /// Appends the model at a pose and returns its index.
    std::uint32_t place(const Field& field, Model& model, DVec3 position, Quat rotation = {});
    std::uint32_t append(const Field& field, RigidBodyDef body);
    /// Adds a generator's shape, named after the generator's path in the file.
    std::uint32_t add_shape(const Field& field, RigidShape shape);
    /// A fixed body of boxes: "name", "material" and "paint" of the generator, the last for the first `painted` parts.
    void add_fixed(const Fields& fields, RigidShape shape, Vec3 position, std::size_t painted);
    void join(JointType type, std::uint32_t first, std::optional<std::uint32_t> second, DVec3 anchor,
              Vec3 axis = {0, 1, 0});

    Scene* heading_;
    RigidScene* rigid_;
    const SceneOptions* options_;
    const MaterialList* materials_;
    std::map<std::string, std::uint32_t> names_;
    std::uint64_t generators_ = 0, resizable_ = 0;
};

/// An entry of "joints" (joints.cpp).
RigidJointDef read_joint(const Field& entry, const RigidBodyList& bodies);

} // namespace scree
