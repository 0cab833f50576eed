// SPDX-License-Identifier: MIT
// world_model.cpp — see world_model.h.
#include "render/world_model.h"

#include "collision/hull.h"
#include "render/glass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace scree::render {

namespace {

/// Kinds of leaves: a mesh and whether it is seen through.
enum class Look { sphere, capsule, box, cylinder, cone, plane, hull };

template <class... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

constexpr float glass_alpha = 0.035f;
constexpr float ground_extent = 4000; // m

} // namespace

Vec3 palette_colour(std::uint32_t body, std::uint32_t seed) {
    // warm and cool in turn, of similar brightness, none as grey as what is fixed
    static constexpr std::array<Vec3, 12> colours{{{0.89f, 0.42f, 0.29f},
                                                   {0.27f, 0.56f, 0.74f},
                                                   {0.95f, 0.72f, 0.34f},
                                                   {0.42f, 0.68f, 0.52f},
                                                   {0.78f, 0.36f, 0.44f},
                                                   {0.35f, 0.46f, 0.70f},
                                                   {0.93f, 0.57f, 0.38f},
                                                   {0.36f, 0.66f, 0.68f},
                                                   {0.86f, 0.80f, 0.52f},
                                                   {0.58f, 0.50f, 0.74f},
                                                   {0.64f, 0.73f, 0.40f},
                                                   {0.93f, 0.62f, 0.60f}}};
    // a hash, so that rows of bodies do not show rows of colours
    std::uint32_t h = (body ^ seed * 0xc2b2ae35u) * 0x9e3779b9u;
    h ^= h >> 15;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    return colours[h % colours.size()];
}

struct WorldModel::State {
    State(Renderer& r, const ModelSettings& s) : renderer(r), settings(s) {
        root = renderer.description().add_technique({}, std::make_unique<MaterialTechnique>(Material{}));
        glass = renderer.description().add_technique(
            root, std::make_unique<TransparencyTechnique>(glass_alpha, false));
    }

    struct Leaf {
        DescriptionId node;
        std::vector<std::uint32_t> records;
    };

    void clear();
    Leaf& leaf(Look look, bool transparent, const LodMesh& mesh, const void* which = nullptr);
    void add(std::uint32_t body, Look look, const LodMesh& mesh, const Record& record,
             bool transparent = false, const void* which = nullptr);
    /// `up` is the world's, in the frame of the record's pose.
    void add_geometry(std::uint32_t body, const Geometry& geometry, Record record, bool fixed, Vec3 up);
    void add_floor(float height);
    void finish();
    void build(const World& world);
    void build_granular(std::span<const GranularShape* const> shapes, std::span<const std::uint32_t> shape_of,
                        const std::vector<Obstacle>& obstacles, bool ground);
    void build(const ModelScene& scene, std::span<const Transform> poses);
    void add_obstacles(const std::vector<Obstacle>& obstacles);
    float lowest() const;
    bool same(const World& world) const;
    void colour_bodies(std::size_t count);

    Renderer& renderer;
    ModelSettings settings;
    DescriptionId root, glass;
    std::map<std::tuple<Look, bool, const void*>, Leaf> leaves;
    std::vector<std::vector<std::uint32_t>> by_body;
    std::map<const void*, std::pair<Hull, LodMesh>> hulls; ///< kept: their geometry's address is the key
    std::vector<std::uint32_t> colours;                    ///< the caller's
    std::vector<bool> fixed, asleep, hidden;
    std::vector<BodyId> bodies;
    std::uint32_t shape_count = 0;
    std::vector<float> positions, rotations;         ///< of worlds that hold no quads
    std::vector<std::uint32_t> shape_of, shapes_now; ///< as built, and as of this update
    std::vector<std::uint32_t> own_poses;            ///< of obstacles
    std::size_t obstacle_count = 0;
    bool particles = true;
    std::optional<float> ground;
    bool built = false;
    std::size_t next_asleep = 0;
    std::uint64_t version = 0; ///< of the ModelScene that was built
};

void WorldModel::State::clear() {
    for (auto& [key, leaf] : leaves) {
        for (const std::uint32_t record : leaf.records) renderer.instances().remove_record(record);
        renderer.description().remove(leaf.node);
    }
    leaves.clear();
    by_body.clear();
    for (const std::uint32_t pose : own_poses) renderer.instances().remove_pose(pose);
    own_poses.clear();
    ground.reset();
    fixed.clear();
    asleep.clear();
    next_asleep = 0;
}

WorldModel::State::Leaf& WorldModel::State::leaf(Look look, bool transparent, const LodMesh& mesh,
                                                 const void* which) {
    const auto [at, added] = leaves.try_emplace({look, transparent, which});
    if (added) {
        GeometryNode geometry;
        geometry.mesh = mesh;
        geometry.instanced = true;
        geometry.unbounded = look == Look::plane;
        geometry.casts_shadow = look != Look::plane;
        at->second.node =
            renderer.description().add_geometry(transparent ? glass : root, std::move(geometry));
    }
    return at->second;
}

void WorldModel::State::add(std::uint32_t body, Look look, const LodMesh& mesh, const Record& record,
                            bool transparent, const void* which) {
    const std::uint32_t index = renderer.instances().add_record(record);
    leaf(look, transparent, mesh, which).records.push_back(index);
    if (body < by_body.size()) by_body[body].push_back(index);
}

void WorldModel::State::add_geometry(std::uint32_t body, const Geometry& geometry, Record record,
                                     bool is_fixed, Vec3 up) {
    std::visit(Overloaded{[&](const Sphere& s) {
                              record.size = {s.radius, s.radius, s.radius};
                              add(body, Look::sphere, renderer.sphere_mesh(), record);
                          },
                          [&](const Capsule& c) {
                              record.size = {c.radius, c.radius, c.radius};
                              record.stretch = c.half_height;
                              add(body, Look::capsule, renderer.capsule_mesh(), record);
                          },
                          [&](const Box& b) {
                              record.size = {b.x, b.y, b.z};
                              const float thin = std::min({b.x, b.y, b.z}), wide = std::max({b.x, b.y, b.z});
                              record.bevel = 0.05f * std::min(thin, 0.6f * wide);
                              const bool wall = settings.glass_walls && is_fixed &&
                                                is_wall(b, rotate(conjugate(record.turn), up));
                              if (wall) {
                                  record.material.colour = Vec3{0.55f, 0.72f, 0.74f};
                                  record.material.alpha = glass_alpha;
                                  record.material.roughness = 0.08f;
                              }
                              add(body, Look::box, renderer.box_mesh(), record, wall);
                          },
                          [&](const Cylinder& c) {
                              record.size = {c.radius, c.half_height, c.radius};
                              record.bevel = 0.05f * std::min(c.radius, c.half_height);
                              add(body, Look::cylinder, renderer.cylinder_mesh(), record);
                          },
                          [&](const Cone& c) {
                              record.size = {c.radius, c.half_height, c.radius};
                              add(body, Look::cone, renderer.cone_mesh(), record);
                          },
                          [&](const Plane&) {
                              record.size = {ground_extent, 1, ground_extent};
                              record.material.colour = Vec3{0.55f, 0.55f, 0.56f};
                              record.material.roughness = 0.75f;
                              record.material.pattern = Pattern::grid;
                              add(body, Look::plane, renderer.plane_mesh(), record);
                          },
                          [&](const Hull& h) {
                              auto [at, added] = hulls.try_emplace(&h.geometry());
                              if (added)
                                  at->second = {h, LodMesh{{{renderer.meshes().add(meshes::hull(h)), 0}}}};
                              record.radius = h.geometry().radius;
                              add(body, Look::hull, at->second.second, record, false, &h.geometry());
                          }},
               geometry);
}

void WorldModel::State::add_floor(float height) {
    Record record;
    record.pose = renderer.instances().add_pose({{0, height, 0}, {}, 1});
    own_poses.push_back(record.pose);
    add_geometry(0xffffffffu, Plane{}, record, true, {0, 1, 0});
    ground = height;
}

void WorldModel::State::finish() {
    for (auto& [key, leaf] : leaves) renderer.description().edit(leaf.node).records = leaf.records;
    built = true;
}

void WorldModel::State::build(const World& world) {
    clear();
    bodies = world.bodies();
    shape_count = world.shape_count();
    std::uint32_t slots = 0;
    for (const BodyId body : bodies) slots = std::max(slots, body.index + 1);
    by_body.resize(slots);
    fixed.assign(slots, true);
    asleep.assign(slots, false);
    renderer.instances().set_world_poses(world.positions(), world.rotations());
    const Vec3 gravity = world.settings().gravity;
    const Vec3 up = length(gravity) > 0 ? normalized(-gravity) : Vec3{0, 1, 0};
    bool plane = false;
    for (const BodyId body : bodies) {
        const bool is_fixed = world.type(body) == BodyType::fixed;
        fixed[body.index] = is_fixed;
        const Vec3 centre = world.mass(body).centre;
        for (const ShapeId shape : world.shapes(body)) {
            const Geometry geometry = world.geometry(shape);
            const ShapeDef definition = world.definition(shape);
            Record record;
            record.pose = body.index;
            record.place = definition.position - centre;
            record.turn = definition.rotation;
            if (is_fixed) record.material.roughness = 0.7f;
            if (std::holds_alternative<Plane>(geometry)) {
                plane = true;
                const BodyState state = world.state(body);
                const Vec3 at = state.position + rotate(state.rotation, definition.position);
                const float upright = dot(rotate(state.rotation * definition.rotation, {0, 1, 0}), up);
                if (upright > 0.99f) ground = at.y;
                if (settings.glass_walls && is_wall(geometry, {0, upright, 0})) continue;
            }
            add_geometry(body.index, geometry, record, is_fixed,
                         rotate(conjugate(world.state(body).rotation), up));
        }
    }
    if (settings.floor && !plane) {
        const float low = lowest();
        if (low < 1e30f) add_floor(low - 0.002f);
    }
    finish();
}

void WorldModel::State::build_granular(std::span<const GranularShape* const> shapes,
                                       std::span<const std::uint32_t> of,
                                       const std::vector<Obstacle>& obstacles, bool with_ground) {
    clear();
    particles = settings.particles;
    shape_of.assign(of.begin(), of.end());
    by_body.resize(of.size());
    fixed.assign(of.size(), false);
    asleep.assign(of.size(), false);
    renderer.instances().set_world_poses(positions, rotations);
    for (std::uint32_t b = 0; b < of.size(); ++b) {
        const GranularShape& shape = *shapes[of[b]];
        Record record;
        record.pose = b;
        if (settings.particles && !shape.particles.empty()) {
            for (const ShapeParticle& particle : shape.particles) {
                record.place = particle.offset;
                record.size = {particle.radius, particle.radius, particle.radius};
                add(b, Look::sphere, renderer.sphere_mesh(), record);
            }
        } else {
            add_geometry(b, Box{shape.half_size.x, shape.half_size.y, shape.half_size.z}, record, false,
                         {0, 1, 0});
        }
    }
    add_obstacles(obstacles);
    finish();
    if (with_ground) add_floor(0);
    else if (settings.floor && !ground) {
        const Bounds everything = renderer.measure_bounds();
        if (!everything.empty()) add_floor(everything.low.y);
    }
    finish();
}

void WorldModel::State::add_obstacles(const std::vector<Obstacle>& obstacles) {
    obstacle_count = obstacles.size();
    for (const Obstacle& obstacle : obstacles) {
        Record record;
        record.pose = renderer.instances().add_pose({obstacle.position, obstacle.rotation, 1});
        own_poses.push_back(record.pose);
        record.material.colour = fixed_colour;
        record.material.roughness = 0.7f;
        const Vec3 s = obstacle.size, up = rotate(conjugate(obstacle.rotation), {0, 1, 0});
        switch (obstacle.kind) {
        case Obstacle::Kind::box:
            add_geometry(0xffffffffu, Box{s.x, s.y, s.z}, record, obstacle.mass <= 0, up);
            break;
        case Obstacle::Kind::sphere:
            add_geometry(0xffffffffu, Sphere{s.x}, record, true, up);
            break;
        case Obstacle::Kind::plane:
            if (!is_wall(Plane{}, up)) add_geometry(0xffffffffu, Plane{}, record, true, up);
            break;
        }
    }
}

/// Of all corners of the bodies; 1e30 without any.
float WorldModel::State::lowest() const {
    float low = 1e30f;
    for (const std::vector<std::uint32_t>& records : by_body)
        for (const std::uint32_t r : records) {
            const Record& record = renderer.instances().record(r);
            const Transform pose = renderer.instances().pose(record.pose);
            const Vec3 c = apply(pose, record.place);
            const Quat q = pose.rotation * record.turn;
            const Vec3 x = rotate(q, {record.size.x, 0, 0}),
                       y = rotate(q, {0, record.size.y + record.stretch, 0}),
                       z = rotate(q, {0, 0, record.size.z});
            low = std::min(low, c.y - std::abs(x.y) - std::abs(y.y) - std::abs(z.y));
        }
    return low;
}

void WorldModel::State::build(const ModelScene& scene, std::span<const Transform> poses) {
    clear();
    particles = settings.particles;
    by_body.resize(scene.shape_of.size());
    fixed = scene.fixed;
    asleep.assign(scene.shape_of.size(), false);
    renderer.instances().set_world_poses(positions, rotations);
    constexpr Vec3 up{0, 1, 0};
    bool plane = scene.ground;
    for (std::uint32_t b = 0; b < scene.shape_of.size(); ++b) {
        const ModelScene::Shape& shape = scene.shapes[scene.shape_of[b]];
        Record record;
        record.pose = b;
        if (fixed[b]) record.material.roughness = 0.7f;
        if (particles && !shape.particles.empty()) {
            for (const ShapeParticle& particle : shape.particles) {
                record.place = particle.offset;
                record.size = {particle.radius, particle.radius, particle.radius};
                add(b, Look::sphere, renderer.sphere_mesh(), record);
            }
            continue;
        }
        for (const ModelScene::Part& part : shape.parts) {
            record.place = part.position;
            record.turn = part.rotation;
            if (std::holds_alternative<Plane>(part.geometry)) {
                plane = true;
                const float upright = rotate(poses[b].rotation * part.rotation, up).y;
                if (upright > 0.99f) ground = apply(poses[b], part.position).y;
                if (settings.glass_walls && is_wall(part.geometry, {0, upright, 0})) continue;
            }
            add_geometry(b, part.geometry, record, fixed[b], rotate(conjugate(poses[b].rotation), up));
        }
    }
    add_obstacles(scene.obstacles);
    if (scene.ground) add_floor(0);
    else if (settings.floor && !plane && lowest() < 1e30f) add_floor(lowest() - 0.002f);
    finish();
    version = scene.version;
}

bool WorldModel::State::same(const World& world) const {
    return built && world.shape_count() == shape_count && world.body_count() == bodies.size() &&
           std::all_of(bodies.begin(), bodies.end(), [&](BodyId body) { return world.alive(body); });
}

void WorldModel::State::colour_bodies(std::size_t count) {
    for (std::size_t b = 0; b < count; ++b) {
        const auto index = static_cast<std::uint32_t>(b);
        std::uint32_t colour = 0;
        if (b < colours.size()) {
            colour = colours[b];
        } else {
            const float left = settings.darken_sleepers && b < asleep.size() && asleep[b] ? 0.72f : 1.0f;
            colour = pose_colour(b < fixed.size() && fixed[b] ? fixed_colour
                                                              : palette_colour(index, settings.colour_seed),
                                 left);
        }
        renderer.instances().set_colour(index, colour);
    }
}

WorldModel::WorldModel(Renderer& renderer, const ModelSettings& settings)
    : state_(std::make_unique<State>(renderer, settings)) {}
WorldModel::~WorldModel() {
    state_->clear();
    state_->renderer.description().remove(state_->root);
}

void WorldModel::update(const World& world) {
    State& s = *state_;
    if (!s.same(world)) s.build(world);
    s.renderer.instances().set_world_poses(world.positions(), world.rotations());
    // asking each body costs; of many only a part is asked in a frame
    constexpr std::size_t most = 20000;
    const std::size_t count = std::min(s.bodies.size(), most);
    for (std::size_t i = 0; i < count; ++i) {
        if (s.next_asleep >= s.bodies.size()) s.next_asleep = 0;
        const BodyId body = s.bodies[s.next_asleep++];
        s.asleep[body.index] = !s.fixed[body.index] && world.state(body).asleep;
    }
    s.colour_bodies(s.by_body.size());
}

void WorldModel::update(const GranularWorld& world) {
    State& s = *state_;
    const auto bodies = world.bodies();
    s.positions.resize(bodies.size() * 4);
    s.rotations.resize(bodies.size() * 4);
    std::vector<std::uint32_t>& of = s.shapes_now;
    of.resize(bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const GranularBodyState& body = bodies[b];
        const float position[4] = {body.position.x, body.position.y, body.position.z, 0};
        const float rotation[4] = {body.rotation.x, body.rotation.y, body.rotation.z, body.rotation.s};
        std::copy_n(position, 4, s.positions.begin() + static_cast<std::ptrdiff_t>(4 * b));
        std::copy_n(rotation, 4, s.rotations.begin() + static_cast<std::ptrdiff_t>(4 * b));
        of[b] = body.shape;
    }
    const auto obstacles = world.obstacles();
    if (!s.built || of != s.shape_of || obstacles.size() != s.obstacle_count) {
        std::vector<const GranularShape*> shapes;
        for (std::uint32_t i = 0; !of.empty() && i <= *std::max_element(of.begin(), of.end()); ++i)
            shapes.push_back(&world.shape(i));
        s.build_granular(shapes, of, obstacles, world.settings().ground);
    }
    for (std::size_t i = 0; i < obstacles.size(); ++i)
        s.renderer.instances().set_pose(s.own_poses[i], {obstacles[i].position, obstacles[i].rotation, 1});
    s.renderer.instances().set_world_poses(s.positions, s.rotations);
    for (std::size_t b = 0; b < bodies.size(); ++b) s.asleep[b] = bodies[b].asleep;
    s.colour_bodies(bodies.size());
}

void WorldModel::update(const RecordingHeader& header, const RecordingFrame& frame) {
    State& s = *state_;
    const auto& bodies = frame.bodies;
    s.positions.resize(bodies.size() * 4);
    s.rotations.resize(bodies.size() * 4);
    std::vector<std::uint32_t>& of = s.shapes_now;
    of.resize(bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const RecordedBody& body = bodies[b];
        const float position[4] = {body.position.x, body.position.y, body.position.z, 0};
        const float rotation[4] = {body.rotation.x, body.rotation.y, body.rotation.z, body.rotation.s};
        std::copy_n(position, 4, s.positions.begin() + static_cast<std::ptrdiff_t>(4 * b));
        std::copy_n(rotation, 4, s.rotations.begin() + static_cast<std::ptrdiff_t>(4 * b));
        of[b] = body.shape;
    }
    if (!s.built || of != s.shape_of) {
        std::vector<const GranularShape*> shapes;
        for (const GranularShape& shape : header.shapes) shapes.push_back(&shape);
        s.build_granular(shapes, of, header.obstacles, false);
    }
    for (std::size_t i = 0; i < frame.obstacles.size() && i < s.obstacle_count; ++i)
        s.renderer.instances().set_pose(s.own_poses[i],
                                        {frame.obstacles[i].position, frame.obstacles[i].rotation, 1});
    s.renderer.instances().set_world_poses(s.positions, s.rotations);
    for (std::size_t b = 0; b < bodies.size(); ++b) s.asleep[b] = bodies[b].asleep;
    s.colour_bodies(bodies.size());
}

void WorldModel::update(const ModelScene& scene, std::span<const Transform> poses,
                        const std::vector<bool>& asleep, std::span<const Transform> obstacles) {
    State& s = *state_;
    s.positions.resize(poses.size() * 4);
    s.rotations.resize(poses.size() * 4);
    for (std::size_t b = 0; b < poses.size(); ++b) {
        const Vec3& p = poses[b].position;
        const Quat& q = poses[b].rotation;
        const std::array<float, 4> position{p.x, p.y, p.z, 0}, rotation{q.x, q.y, q.z, q.s};
        std::copy_n(position.begin(), 4, s.positions.begin() + static_cast<std::ptrdiff_t>(4 * b));
        std::copy_n(rotation.begin(), 4, s.rotations.begin() + static_cast<std::ptrdiff_t>(4 * b));
    }
    if (!s.built || s.version != scene.version || s.particles != s.settings.particles) s.build(scene, poses);
    for (std::size_t i = 0; i < obstacles.size() && i < s.obstacle_count; ++i)
        s.renderer.instances().set_pose(s.own_poses[i], obstacles[i]);
    s.renderer.instances().set_world_poses(s.positions, s.rotations);
    s.asleep = asleep;
    s.colour_bodies(poses.size());
}

void WorldModel::change_settings(const ModelSettings& settings) { state_->settings = settings; }

void WorldModel::colour(std::span<const std::uint32_t> by_body) {
    state_->colours.assign(by_body.begin(), by_body.end());
}

void WorldModel::hide(std::span<const std::uint32_t> bodies) {
    State& s = *state_;
    std::vector<bool> hidden(s.by_body.size(), false);
    for (const std::uint32_t body : bodies)
        if (body < hidden.size()) hidden[body] = true;
    if (hidden == s.hidden) return;
    s.hidden = hidden;
    std::vector<std::uint32_t> gone;
    for (std::size_t b = 0; b < hidden.size(); ++b)
        if (hidden[b]) gone.insert(gone.end(), s.by_body[b].begin(), s.by_body[b].end());
    std::sort(gone.begin(), gone.end());
    for (auto& [key, leaf] : s.leaves) {
        auto& records = s.renderer.description().edit(leaf.node).records;
        records.clear();
        for (const std::uint32_t record : leaf.records)
            if (!std::binary_search(gone.begin(), gone.end(), record)) records.push_back(record);
    }
}

std::vector<std::uint32_t> WorldModel::records_of(std::uint32_t body) const {
    return body < state_->by_body.size() ? state_->by_body[body] : std::vector<std::uint32_t>();
}

Bounds WorldModel::bounds() const {
    const State& s = *state_;
    const InstanceStore& instances = s.renderer.instances();
    Bounds moving, all;
    for (std::size_t b = 0; b < s.by_body.size(); ++b)
        for (const std::uint32_t record : s.by_body[b]) {
            const float reach = instances.reach(record);
            if (reach > ground_extent) continue;
            const Vec3 at = instances.pose_position(instances.pose_of(record));
            all.add(at, reach);
            if (!s.fixed[b]) moving.add(at, reach);
        }
    return moving.empty() ? all : moving;
}

std::optional<float> WorldModel::ground() const { return state_->ground; }

} // namespace scree::render
