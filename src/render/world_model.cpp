// SPDX-License-Identifier: MIT
// world_model.cpp — see world_model.h.
#include "render/world_model.h"

#include "geometry/hull.h"
#include "geometry/shapes.h"
#include "level/material_name.h"
#include "render/glass.h"
#include "render/level_textures.h"
#include "render/level_view.h"
#include "render/shape_meshes.h"
#include "render/sheets.h"
#include "scree/error.h"
#include "world/warnings.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace scree::render {

namespace {

/// Kinds of leaves: a mesh and whether it is seen through.
enum class Look { sphere, capsule, box, cylinder, cone, plane, hull, mesh, level };

template <class... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

constexpr float glass_alpha = 0.035f;
constexpr float ground_extent = 4000; // m
constexpr float point_candela = 10;   // of a light of intensity 1
constexpr float usual_sun = 2.95f;    // the brightest of Sky::sun_colour

/// What one says counts before the other.
Paint over(const Paint& first, const Paint& second) {
    return {first.colour ? first.colour : second.colour,
            first.roughness ? first.roughness : second.roughness,
            first.metallic ? first.metallic : second.metallic,
            first.opacity ? first.opacity : second.opacity,
            first.texture.empty() ? second.texture : first.texture,
            first.texture_size ? first.texture_size : second.texture_size};
}

/// How far a box with these half sides reaches along a direction.
float reach_along(Vec3 direction, Vec3 half) {
    return std::abs(direction.x) * half.x + std::abs(direction.y) * half.y + std::abs(direction.z) * half.z;
}

/// A point of a shape, in its body's frame, with what is round about it.
struct Corner {
    Vec3 place{};
    float radius = 0;
};

void add_corners(const AppearancePart& part, std::vector<Corner>& corners) {
    const auto add = [&](Vec3 at, float radius = 0) {
        corners.push_back({part.pose.position + rotate(part.pose.rotation, at), radius});
    };
    const auto add_box = [&](Vec3 half) {
        for (int i = 0; i < 8; ++i)
            add({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    };
    std::visit(
        Overloaded{[&](const Sphere& s) { add({}, s.radius); },
                   [&](const Capsule& c) {
                       add({0, c.half_height, 0}, c.radius);
                       add({0, -c.half_height, 0}, c.radius);
                   },
                   [&](const Box& b) { add_box({b.x, b.y, b.z}); }, [&](const Plane&) {},
                   [&](const Hull& h) {
                       for (const Vec3& v : h.vertices()) add(v);
                   },
                   [&](const Mesh& m) {
                       const scree::Bounds box = bounds_of(m);
                       const Vec3 low = narrow(box.low), high = narrow(box.high);
                       for (int i = 0; i < 8; ++i)
                           add({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
                   },
                   [&](const auto& round) { add_box({round.radius, round.half_height, round.radius}); }},
        part.geometry);
}

/// A few points that hold the shape.
std::vector<Corner> corners_of(const AppearanceShape& shape) {
    std::vector<Corner> corners;
    corners.reserve(shape.particles.size());
    for (const ShapeParticle& particle : shape.particles)
        corners.push_back({particle.offset, particle.radius});
    if (shape.particles.empty())
        for (const AppearancePart& part : shape.shown()) add_corners(part, corners);
    constexpr std::size_t most = 32;
    if (corners.size() <= most) return corners;
    Bounds bounds;
    for (const Corner& corner : corners) bounds.add(corner.place, corner.radius);
    const Vec3 half = (bounds.high - bounds.low) * 0.5f;
    corners.clear();
    add_corners({Box{half.x, half.y, half.z}, {bounds.centre(), {}}}, corners);
    return corners;
}

void check_bodies(const Appearance& look) {
    const std::size_t count = look.bodies.size(), shapes = look.shapes.size();
    for (std::size_t b = 0; b < count; ++b)
        if (look.bodies[b].shape >= shapes)
            throw Error("invalid shape " + std::to_string(look.bodies[b].shape) + " of body " +
                            std::to_string(b) + ": expected less than " + std::to_string(shapes),
                        "world model");
    if (look.body_count > count)
        throw Error("invalid number " + std::to_string(look.body_count) +
                        " of the world's bodies: expected at most " + std::to_string(count),
                    "world model");
}

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
    // a hash, so that rows of bodies do not show rows of colours, but never the same for a body and the next
    std::uint32_t h = (body ^ seed * 0xc2b2ae35u) * 0x9e3779b9u;
    h ^= h >> 15;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    return colours[2 * (h % (colours.size() / 2)) + ((body ^ seed) & 1)];
}

struct WorldModel::State {
    State(Renderer& r, const ModelSettings& s) : renderer(r), settings(s), textures(r), sheets(r, textures) {
        root = renderer.description().add_technique({}, std::make_unique<MaterialTechnique>(Material{}));
        glass = renderer.description().add_technique(
            root, std::make_unique<TransparencyTechnique>(glass_alpha, false));
        sheet = renderer.description().add_technique(root, std::make_unique<TwoSidedTechnique>());
        sheet_glass = renderer.description().add_technique(
            root, std::make_unique<TransparencyTechnique>(glass_alpha, true));
    }

    struct Leaf {
        DescriptionId node;
        std::vector<std::uint32_t> records;
    };

    void clear();
    void build(const Frame& frame);
    void add_body(std::uint32_t body, const Pose& pose);
    void add_floor(float height);
    void add_lights();
    void carry_lights(const Frame& frame);
    DescriptionId add(Look look, const LodMesh& mesh, const Record& record, const void* which = nullptr,
                      DescriptionId under = {});
    void add_level(std::uint32_t body, const AppearanceLevel& level, const Pose& pose);
    /// An upright plane as a pane that reaches as far as the bodies and the other upright planes.
    void add_pane(const Pose& at, Record record, const Paint& with, Vec3 up);
    bool is_pane(std::uint32_t body, const Pose& at) const;
    void measure_panes(const Frame& frame);
    /// `up` is the world's, in the frame of the record's pose; `wall`: may be one, and then is glass.
    void add_geometry(const Geometry& geometry, Record record, const Paint& with, bool wall, Vec3 up);
    float lowest() const;
    std::uint32_t colour_of(std::uint32_t body, bool asleep) const;
    void colour_body(std::uint32_t body);
    void show_present();
    /// Calls with the number of each body that moves and can be framed, or of all when none does.
    template <class Call>
    void each_moving(Call call) const;
    bool own(std::uint32_t body) const { return body < appearance->body_count; }
    const AppearanceBody& body(std::uint32_t number) const { return appearance->bodies[number]; }

    Renderer& renderer;
    ModelSettings settings;
    DescriptionId root, glass, sheet, sheet_glass;
    std::shared_ptr<const Appearance> appearance; ///< that was built
    std::map<std::tuple<Look, bool, const void*>, Leaf> leaves;
    std::vector<DescriptionId> textured;     ///< techniques above leaves of levels
    std::vector<std::uint32_t> records;      ///< of all bodies in their order
    std::vector<std::uint32_t> first_record; ///< by body; where the last one's end comes last
    std::map<const void*, std::pair<Mesh, LodMesh>> meshes_of; ///< the same
    std::map<const void*, std::pair<Hull, LodMesh>> hulls;     ///< kept: their geometry's address is the key
    /// Of all appearances so far, by level, scale and body: meshes of the store are never given back.
    std::map<std::tuple<std::shared_ptr<const CompiledLevel>, float, std::uint32_t>,
             std::unique_ptr<LevelView>>
        level_views;
    std::map<std::uint32_t, LevelView*> shown_levels; ///< by body, of this appearance
    std::vector<std::uint32_t> colours;               ///< the caller's
    std::vector<std::uint8_t> flags;                  ///< of the last frame
    std::vector<std::vector<Corner>> corners;         ///< by shape
    std::vector<int> lights;                          ///< of the appearance
    struct CarriedLight {
        int light;
        std::uint32_t body;
        Vec3 place; ///< in the body's frame
        float radius;
    };
    std::vector<CarriedLight> carried;
    LevelTextures textures;
    Sheets sheets;
    Bounds panes; ///< how far they reach
    std::optional<std::uint32_t> floor_pose;
    std::optional<float> ground;
    bool plane = false;   ///< there is one to stand on
    bool painted = false; ///< a part has a colour of its own
    bool stale = false, recolour = false;
    bool shared_stale = true; ///< colours changed since share()
};

void WorldModel::State::clear() {
    for (auto& [key, leaf] : leaves) {
        for (const std::uint32_t record : leaf.records) renderer.instances().remove_record(record);
        renderer.description().remove(leaf.node);
    }
    leaves.clear();
    for (const DescriptionId node : textured) renderer.description().remove(node);
    textured.clear();
    for (const auto& [body, level] : shown_levels) std::erase(renderer.levels(), level);
    shown_levels.clear();
    records.clear();
    first_record.assign(1, 0);
    if (floor_pose) renderer.instances().remove_pose(*floor_pose);
    floor_pose.reset();
    ground.reset();
    plane = painted = false;
    flags.clear();
    for (const int light : lights) renderer.lights().remove(light);
    lights.clear();
    carried.clear();
    sheets.clear();
}

DescriptionId WorldModel::State::add(Look look, const LodMesh& mesh, const Record& record, const void* which,
                                     DescriptionId under) {
    const bool transparent = record.material.alpha < 1;
    const auto [at, added] = leaves.try_emplace({look, transparent, which});
    if (added) {
        GeometryNode geometry;
        geometry.mesh = mesh;
        geometry.instanced = true;
        geometry.unbounded = look == Look::plane;
        geometry.casts_shadow = look != Look::plane;
        at->second.node = renderer.description().add_geometry(under.value   ? under
                                                              : transparent ? glass
                                                                            : root,
                                                              std::move(geometry));
    }
    const std::uint32_t index = renderer.instances().add_record(record);
    at->second.records.push_back(index);
    records.push_back(index);
    return at->second.node;
}

void WorldModel::State::add_geometry(const Geometry& geometry, Record record, const Paint& with, bool wall,
                                     Vec3 up) {
    const auto put = [&](Look look, const LodMesh& mesh, const void* which = nullptr) {
        paint(record.material, with);
        add(look, mesh, record, which);
    };
    const auto on_sphere = [&](const Sphere& s) {
        record.size = {s.radius, s.radius, s.radius};
        put(Look::sphere, renderer.sphere_mesh());
    };
    const auto on_capsule = [&](const Capsule& c) {
        record.size = {c.radius, c.radius, c.radius};
        record.stretch = c.half_height;
        put(Look::capsule, renderer.capsule_mesh());
    };
    const auto on_box = [&](const Box& b) {
        record.size = {b.x, b.y, b.z};
        const float thin = std::min({b.x, b.y, b.z}), wide = std::max({b.x, b.y, b.z});
        record.bevel = 0.05f * std::min(thin, 0.6f * wide);
        if (wall && is_wall(b, rotate(conjugate(record.turn), up))) {
            record.material.colour = Vec3{0.55f, 0.72f, 0.74f};
            record.material.alpha = glass_alpha;
            record.material.roughness = 0.08f;
        }
        put(Look::box, renderer.box_mesh());
    };
    const auto on_cylinder = [&](const Cylinder& c) {
        record.size = {c.radius, c.half_height, c.radius};
        record.bevel = 0.05f * std::min(c.radius, c.half_height);
        put(Look::cylinder, renderer.cylinder_mesh());
    };
    const auto on_cone = [&](const Cone& c) {
        record.size = {c.radius, c.half_height, c.radius};
        put(Look::cone, renderer.cone_mesh());
    };
    const auto on_plane = [&](const Plane&) {
        record.size = {ground_extent, 1, ground_extent};
        record.material.colour = Vec3{0.55f, 0.55f, 0.56f};
        record.material.roughness = 0.75f;
        record.material.pattern = Pattern::grid;
        record.material.endless = true;
        put(Look::plane, renderer.plane_mesh());
    };
    const auto on_hull = [&](const Hull& h) {
        auto [at, added] = hulls.try_emplace(&h.geometry());
        if (added) {
            const MeshData mesh = meshes::hull(h);
            // hulls have their own size: the record's is 1
            at->second = {h, LodMesh{{{renderer.meshes().add(mesh), 0},
                                      {renderer.meshes().add(meshes::point_of(mesh)),
                                       point_error * h.geometry().radius}}}};
        }
        record.radius = h.geometry().radius;
        put(Look::hull, at->second.second, &h.geometry());
    };
    const auto on_mesh = [&](const Mesh& m) {
        auto [at, added] = meshes_of.try_emplace(&m.geometry());
        if (added) at->second = {m, LodMesh{{{renderer.meshes().add(meshes::surface(m)), 0}}}};
        record.size = m.scale();
        record.radius = radius_of(m);
        put(Look::mesh, at->second.second, &m.geometry());
    };
    std::visit(Overloaded{on_sphere, on_capsule, on_box, on_cylinder, on_cone, on_plane, on_hull, on_mesh},
               geometry);
}

void WorldModel::State::add_floor(float height) {
    Record record;
    floor_pose = record.pose = renderer.instances().add_pose({{0, height, 0}, {}, 1});
    add_geometry(Plane{}, record, appearance->ground.paint, false, {0, 1, 0});
    ground = height;
}

void WorldModel::State::add_body(std::uint32_t b, const Pose& pose) {
    const AppearanceShape& shape = appearance->shapes[body(b).shape];
    const bool fixed = body(b).type == BodyType::fixed;
    Record record;
    record.pose = b;
    if (fixed || !own(b)) record.material.roughness = 0.7f;
    if (settings.particles && !shape.particles.empty()) {
        Paint whole = over(body(b).paint, shape.parts.empty() ? Paint{} : shape.parts.front().paint);
        painted = painted || whole.colour;
        if (body(b).paint.colour || !colours.empty()) whole.colour.reset(); // its pose has it
        paint(record.material, whole);
        for (const ShapeParticle& particle : shape.particles) {
            record.place = particle.offset;
            record.size = {particle.radius, particle.radius, particle.radius};
            add(Look::sphere, renderer.sphere_mesh(), record);
        }
        return;
    }
    const auto level = std::find_if(appearance->levels.begin(), appearance->levels.end(),
                                    [&](const AppearanceLevel& one) { return one.body == b; });
    const bool by_cells = level != appearance->levels.end();
    if (by_cells) add_level(b, *level, pose);
    const bool wall = settings.glass_walls && (own(b) ? fixed : body(b).type != BodyType::dynamic);
    const Vec3 up = rotate(conjugate(pose.rotation), appearance->up);
    const auto& parts = by_cells ? level->liquids : settings.colliders ? shape.parts : shape.shown();
    for (const AppearancePart& part : parts) {
        record.place = part.pose.position;
        record.turn = part.pose.rotation;
        Paint with = over(body(b).paint, part.paint);
        if (with.opacity && *with.opacity <= 0) {
            if (!settings.colliders) continue;
            with.opacity.reset();
        }
        const bool plain = with == Paint{};
        if (std::holds_alternative<Plane>(part.geometry)) {
            const float upright = rotate(conjugate(part.pose.rotation), up).y;
            const bool is_ground = upright > 0.99f;
            plane = plane || own(b) || is_ground;
            if (is_ground && !appearance->ground.shown.value_or(true)) continue;
            if (is_ground) ground = (pose.position + rotate(pose.rotation, part.pose.position)).y;
            with = over(with, appearance->ground.paint);
            if ((settings.glass_walls || !own(b)) && is_wall(part.geometry, {0, upright, 0})) {
                if (const Pose at = pose * part.pose; settings.glass_walls && is_pane(b, at))
                    add_pane(at, record, over(body(b).paint, part.paint), up);
                continue;
            }
        } else if (body(b).paint.colour || !colours.empty()) {
            with.colour.reset(); // its pose has it
        }
        painted = painted || part.paint.colour;
        add_geometry(part.geometry, record, with, wall && plain, up);
    }
}

void WorldModel::State::add_level(std::uint32_t b, const AppearanceLevel& level, const Pose& pose) {
    auto& view = level_views[{level.level, level.scale, b}];
    if (!view) view = std::make_unique<LevelView>(level, renderer.meshes());
    Record record;
    record.pose = b;
    bool opaque = true;
    std::vector<std::optional<LevelTextures::Found>> pictures_of; // by material
    pictures_of.reserve(level.textures.size());
    for (const AppearanceTexture& texture : level.textures) pictures_of.push_back(textures.find(texture));
    // by material, transparent, coordinates in texels
    std::map<std::tuple<std::uint32_t, bool, bool>, DescriptionId> techniques;
    for (std::uint32_t p = 0; p < view->parts().size(); ++p) {
        const LevelView::Part& part = view->parts()[p];
        Paint with =
            over(body(b).paint, part.material < level.paints.size() ? level.paints[part.material] : Paint{});
        const bool sky = part.material < level.level->level.materials.size() &&
                         marks_sky(level.level->level.materials[part.material]);
        if (!part.drawn || sky) with = {};
        if (with.opacity && *with.opacity <= 0) continue;
        const auto pictures = part.drawn && !sky && part.material < pictures_of.size()
                                  ? pictures_of[part.material]
                                  : std::nullopt;
        if (pictures) { // its colours are those of the picture
            if (!body(b).paint.colour) with.colour = Vec3{1, 1, 1};
            with.texture.clear();
        }
        painted = painted || with.colour;
        if (body(b).paint.colour || !colours.empty()) with.colour.reset(); // its pose has it
        record.material = {};
        record.material.roughness = 0.7f;
        paint(record.material, with);
        if (sky) record.material.pattern = Pattern::background;
        DescriptionId under{};
        if (pictures) {
            const bool clear = record.material.alpha < 1;
            const auto [at, added] = techniques.try_emplace({part.material, clear, part.texels});
            if (added) {
                at->second = renderer.description().add_technique(clear ? glass : root,
                                                                  level_texture(*pictures, part.texels));
                textured.push_back(at->second);
            }
            under = at->second;
        }
        opaque = opaque && record.material.alpha >= 1;
        record.radius = std::max(length(part.bounds.low), length(part.bounds.high)) + part.bounds.radius();
        const LodMesh mesh{{{part.mesh, 0}}};
        GeometryNode& geometry = renderer.description().edit(add(Look::level, mesh, record, &part, under));
        geometry.drawn = part.drawn;
        geometry.casts_shadow = !sky;
        geometry.level = view.get();
        geometry.level_part = p;
    }
    view->place(pose);
    view->set_opaque(opaque);
    shown_levels[b] = view.get();
    renderer.levels().push_back(view.get());
}

/// Upright planes among the world's bodies are drawn; others, its borders, only when they are close to its bodies.
bool WorldModel::State::is_pane(std::uint32_t b, const Pose& at) const {
    const Vec3 normal = rotate(at.rotation, {0, 1, 0}), middle = (appearance->low + appearance->high) * 0.5f;
    if (std::abs(dot(normal, appearance->up)) >= 0.2f || appearance->low == appearance->high) return false;
    const Vec3 half = appearance->high - middle;
    const float gap = dot(normal, middle - at.position) - reach_along(normal, half);
    return own(b) || gap <= 0.1f * std::max(half.x, half.z);
}

void WorldModel::State::measure_panes(const Frame& frame) {
    panes = {appearance->low, appearance->high};
    for (std::uint32_t b = 0; b < appearance->bodies.size(); ++b)
        for (const AppearancePart& part : appearance->shapes[body(b).shape].parts)
            if (const Pose pose = frame.pose(b) * part.pose;
                std::holds_alternative<Plane>(part.geometry) && is_pane(b, pose))
                panes.add(pose.position);
}

void WorldModel::State::add_pane(const Pose& at, Record record, const Paint& with, Vec3 up) {
    const Vec3 half = (panes.high - panes.low) * 0.5f;
    const float x = reach_along(rotate(at.rotation, {1, 0, 0}), half),
                z = reach_along(rotate(at.rotation, {0, 0, 1}), half), thick = 0.004f * std::max(x, z);
    const Vec3 middle = rotate(conjugate(at.rotation), panes.centre() - at.position);
    record.place = record.place + rotate(record.turn, {middle.x, -thick, middle.z});
    add_geometry(Box{x, thick, z}, record, with, with == Paint{}, up);
}

/// Of all corners of what is drawn; 1e30 without any.
float WorldModel::State::lowest() const {
    float low = 1e30f;
    for (const auto& [key, leaf] : leaves) {
        const Look look = std::get<Look>(key);
        if (look == Look::plane) continue;
        if (look == Look::level) {
            const GeometryNode& geometry = renderer.description().geometry(leaf.node);
            low = std::min(low, geometry.level->bounds(geometry.level_part).low.y);
            continue;
        }
        for (const std::uint32_t r : leaf.records) {
            const Record& record = renderer.instances().record(r);
            const Transform pose = renderer.instances().pose(record.pose);
            const Quat q = pose.rotation * record.turn;
            const Vec3 x = rotate(q, {record.size.x, 0, 0}),
                       y = rotate(q, {0, record.size.y + record.stretch, 0}),
                       z = rotate(q, {0, 0, record.size.z});
            const float down =
                look == Look::sphere ? record.size.y : std::abs(x.y) + std::abs(y.y) + std::abs(z.y);
            low = std::min(low, apply(pose, record.place).y - down);
        }
    }
    return low;
}

void WorldModel::State::build(const Frame& frame) {
    clear();
    appearance = frame.appearance;
    stale = false;
    if (!appearance) return;
    check_bodies(*appearance);
    flags.assign(appearance->bodies.size(), 0);
    recolour = true;
    measure_panes(frame);
    corners.clear();
    for (const AppearanceShape& shape : appearance->shapes) corners.push_back(corners_of(shape));
    for (std::uint32_t b = 0; b < appearance->bodies.size(); ++b) {
        add_body(b, frame.pose(b));
        first_record.push_back(static_cast<std::uint32_t>(records.size()));
    }
    sheets.build(frame, sheet, sheet_glass, settings.skin_on_host);
    if (appearance->ground.shown.value_or(settings.floor) && !plane) {
        float low = lowest();
        std::vector<Vec3> vertices, normals;
        for (const AppearanceMesh& mesh : appearance->meshes) {
            find_vertices(mesh, frame, vertices, normals);
            for (const Vec3& v : vertices) low = std::min(low, v.y);
        }
        for (const AppearanceLines& lines : appearance->lines)
            for (std::size_t v = 0; v < lines.vertex_count; ++v)
                low = std::min(low, frame.vertices[lines.first_vertex + v].y);
        if (low < 1e30f) add_floor(low - 0.002f);
    }
    add_lights();
    for (auto& [key, leaf] : leaves) renderer.description().edit(leaf.node).records = leaf.records;
}

std::uint32_t WorldModel::State::colour_of(std::uint32_t b, bool asleep) const {
    if (b < colours.size()) return colours[b];
    const bool fixed = body(b).type == BodyType::fixed || !own(b);
    const float left = settings.darken_sleepers && !fixed && asleep ? 0.72f : 1.0f;
    // bodies of particles count from 0, others from 1 as BodyId::index does
    const std::uint32_t number = b + appearance->shapes[body(b).shape].particles.empty();
    const Vec3 colour = fixed ? fixed_colour : palette_colour(number, settings.colour_seed);
    return pose_colour(body(b).paint.colour.value_or(colour), left);
}

void WorldModel::State::colour_body(std::uint32_t b) {
    renderer.instances().set_colour(b, colour_of(b, (flags[b] & Frame::asleep) != 0));
}

/// All but the first far one, which is the sky's sun, until there are as many as a picture can have: the scene's come before those of its levels.
void WorldModel::State::add_lights() {
    std::size_t left_out = 0;
    bool sun = false;
    for (const AppearanceLight& light : appearance->lights) {
        if (!light.position && !std::exchange(sun, true)) continue;
        if (light.position && light.body && *light.body >= appearance->bodies.size())
            throw Error("invalid body " + std::to_string(*light.body) + " of a light: expected less than " +
                            std::to_string(appearance->bodies.size()),
                        "world model");
        if (renderer.lights().alive() == ~LightMask{0}) {
            ++left_out;
            continue;
        }
        if (!light.position) {
            lights.push_back(renderer.lights().add({.colour = light.colour,
                                                    .intensity = light.intensity * usual_sun,
                                                    .direction = -light.direction,
                                                    .far = true}));
            continue;
        }
        lights.push_back(renderer.lights().add({.position = *light.position,
                                                .colour = light.colour,
                                                .intensity = light.intensity * point_candela,
                                                .radius = light.range,
                                                .shadows = true}));
        if (light.body) carried.push_back({lights.back(), *light.body, *light.position, light.range});
    }
    if (left_out > 0)
        warn(std::to_string(left_out) + " lights of the scene are not drawn: at most " +
             std::to_string(max_lights) + " are");
}

/// Lights go where their bodies are; those of bodies that are absent are dark.
void WorldModel::State::carry_lights(const Frame& frame) {
    for (const CarriedLight& one : carried) {
        Light light = renderer.lights()[one.light];
        light.position = apply(frame.pose(one.body), one.place);
        const bool absent = frame.has(one.body, Frame::absent);
        light.radius = absent ? 0 : one.radius;
        light.shadows = !absent; // leaves them to others
        renderer.lights().set(one.light, light);
    }
}

/// Leaves out the records of bodies that are absent.
void WorldModel::State::show_present() {
    std::vector<std::uint32_t> gone;
    for (std::size_t b = 0; b < flags.size(); ++b)
        if (flags[b] & Frame::absent)
            gone.insert(gone.end(), records.begin() + first_record[b], records.begin() + first_record[b + 1]);
    std::sort(gone.begin(), gone.end());
    for (auto& [key, leaf] : leaves) {
        auto& present = renderer.description().edit(leaf.node).records;
        present.clear();
        for (const std::uint32_t record : leaf.records)
            if (!std::binary_search(gone.begin(), gone.end(), record)) present.push_back(record);
    }
}

WorldModel::WorldModel(Renderer& renderer, const ModelSettings& settings)
    : state_(std::make_unique<State>(renderer, settings)) {}
WorldModel::~WorldModel() {
    state_->clear();
    state_->renderer.description().remove(state_->root);
}

SharedPoses* WorldModel::share() {
    State& s = *state_;
    if (!s.appearance || s.stale || !s.renderer.may_cull_on_gpu()) return nullptr;
    // what deforms and what comes and goes is the host's
    if (!s.appearance->meshes.empty() || !s.appearance->lines.empty()) return nullptr;
    if (std::any_of(s.carried.begin(), s.carried.end(), [&](const State::CarriedLight& one) {
            return s.body(one.body).type != BodyType::fixed; // a light needs to know where its body is
        }))
        return nullptr;
    SharedPoses* to = s.renderer.instances().share();
    if (!to || !s.shared_stale) return to;
    const std::size_t count = s.appearance->bodies.size();
    to->awake.resize(count);
    to->asleep.resize(count);
    for (std::uint32_t b = 0; b < count; ++b)
        to->awake[b] = s.colour_of(b, false), to->asleep[b] = s.colour_of(b, true);
    static std::atomic<std::uint64_t> revisions = 0; // of all models: a world may be drawn by several
    to->revision = ++revisions;
    s.shared_stale = false;
    return to;
}

SharedVertices* WorldModel::share_vertices() {
    State& s = *state_;
    return s.appearance && !s.stale ? s.sheets.share(*s.appearance) : nullptr;
}

void WorldModel::update(const Frame& frame) {
    State& s = *state_;
    const std::size_t count = frame.appearance ? frame.appearance->bodies.size() : 0;
    if (frame.shared) {
        if (s.stale || frame.appearance != s.appearance)
            throw Error("the poses of this frame are not those of what is drawn", "world model");
        s.renderer.instances().world_poses_shared();
        return;
    }
    if (frame.size() < count || frame.positions.size() < 4 * count || frame.rotations.size() < 4 * count)
        throw Error("the frame has the poses of " + std::to_string(frame.positions.size() / 4) +
                        " bodies; expected those of " + std::to_string(count),
                    "world model");
    if (frame.vertices_shared && (s.stale || frame.appearance != s.appearance))
        throw Error("the vertices of this frame are not those of what is drawn", "world model");
    s.renderer.instances().set_world_poses(frame.positions, frame.rotations);
    if (s.stale || frame.appearance != s.appearance) try {
            s.build(frame);
        } catch (...) { // nothing is left of half a world
            s.clear();
            s.appearance.reset();
            throw;
        }
    s.shared_stale = s.shared_stale || s.recolour;
    bool came_or_went = false;
    for (std::uint32_t b = 0; b < count; ++b) {
        const int changed = s.flags[b] ^ frame.flags[b];
        if (!changed && !s.recolour) continue;
        s.flags[b] = frame.flags[b];
        came_or_went = came_or_went || (changed & Frame::absent);
        s.colour_body(b);
    }
    if (s.recolour) s.sheets.colour(s.settings.colour_seed);
    s.recolour = false;
    for (auto& [body, level] : s.shown_levels) level->place(frame.pose(body));
    s.carry_lights(frame);
    if (came_or_went) s.show_present();
    if (s.appearance) s.sheets.update(frame);
}

void WorldModel::change_settings(const ModelSettings& settings) {
    State& s = *state_;
    ModelSettings colours = s.settings;
    colours.colour_seed = settings.colour_seed, colours.darken_sleepers = settings.darken_sleepers;
    s.recolour = s.recolour || colours != s.settings;
    s.shared_stale = s.shared_stale || s.recolour;
    s.stale = s.stale || colours != settings;
    s.settings = settings;
}

void WorldModel::colour(std::span<const std::uint32_t> by_body) {
    State& s = *state_;
    if (std::equal(by_body.begin(), by_body.end(), s.colours.begin(), s.colours.end())) return;
    s.stale = s.stale || (s.painted && s.colours.empty() != by_body.empty());
    s.colours.assign(by_body.begin(), by_body.end());
    s.recolour = s.shared_stale = true;
}

std::span<const std::uint32_t> WorldModel::records_of(std::uint32_t body) const {
    const State& s = *state_;
    if (std::size_t{body} + 1 >= s.first_record.size()) return {};
    return std::span(s.records).subspan(s.first_record[body],
                                        s.first_record[body + 1] - s.first_record[body]);
}

template <class Call>
void WorldModel::State::each_moving(Call call) const {
    if (!appearance) return;
    bool found = !sheets.bounds().empty();
    for (const bool moving : {true, false}) {
        if (!moving && found) return;
        for (std::uint32_t b = 0; b < appearance->body_count; ++b) {
            const bool fixed = body(b).type == BodyType::fixed, only_planes = corners[body(b).shape].empty();
            if (fixed == moving || only_planes || (flags[b] & Frame::absent)) continue;
            found = true;
            call(b);
        }
    }
}

Bounds WorldModel::bounds() const {
    const State& s = *state_;
    const InstanceStore& instances = s.renderer.instances();
    Bounds bounds = s.sheets.bounds();
    s.each_moving([&](std::uint32_t b) {
        for (const std::uint32_t record : records_of(b))
            if (const float reach = instances.reach(record); reach < ground_extent)
                bounds.add(instances.pose_position(b), reach);
    });
    return bounds;
}

void WorldModel::frame(Framing& framing) const {
    const State& s = *state_;
    if (!s.sheets.bounds().empty()) framing.add(s.sheets.bounds());
    s.each_moving([&](std::uint32_t b) {
        const Transform pose = s.renderer.instances().pose(b);
        for (const Corner& corner : s.corners[s.body(b).shape])
            framing.add(apply(pose, corner.place), corner.radius);
    });
}

std::optional<Camera> WorldModel::camera(const std::string& name) const {
    const State& s = *state_;
    if (!s.appearance || (name.empty() && !s.appearance->camera)) return {};
    const AppearanceCamera& asked =
        name.empty() ? *s.appearance->camera : camera_named(*s.appearance, name, "camera");
    Camera camera;
    camera.eye = asked.eye;
    camera.target = asked.target;
    camera.fov_y = asked.fov * std::numbers::pi_v<float> / 180;
    return camera;
}

void WorldModel::light(Sky& sky) const {
    const State& s = *state_;
    if (!s.appearance) return;
    const AppearanceSky& asked = s.appearance->sky;
    if (asked.zenith) sky.zenith = linear_colour(*asked.zenith);
    if (asked.horizon) sky.horizon = linear_colour(*asked.horizon);
    if (asked.strength != 1) sky.strength = asked.strength;
    if (asked.fog > 0) sky.fog = asked.fog;
    if (asked.fog_colour) sky.fog_colour = linear_colour(*asked.fog_colour);
    if (s.appearance->ground.paint.colour) sky.ground = linear_colour(*s.appearance->ground.paint.colour);
    if (s.appearance->lights.empty()) return;
    const auto& lights = s.appearance->lights;
    const auto sun =
        std::find_if(lights.begin(), lights.end(), [](const auto& light) { return !light.position; });
    sky.sun_colour = sun == lights.end() ? Vec3{} : sun->colour * (sun->intensity * usual_sun);
    if (sun != lights.end()) sky.sun_direction = sun->direction;
}

Shading WorldModel::shading() const {
    return state_->appearance ? state_->appearance->shading : Shading::physical;
}

std::optional<float> WorldModel::ground() const { return state_->ground; }

const AppearanceCamera& camera_named(const Appearance& look, const std::string& name,
                                     const std::string& where) {
    std::string known;
    for (const AppearanceCamera& camera : look.cameras) {
        if (camera.name == name) return camera;
        known += (known.empty() ? "" : ", ") + camera.name;
    }
    throw Error("there is no camera \"" + name + "\"; expected " +
                    (known.empty() ? "a scene with \"cameras\"" : "one of " + known),
                where);
}

} // namespace scree::render
