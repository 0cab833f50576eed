// SPDX-License-Identifier: MIT
// rigid.h — two rigid worlds in lock step: a World or Worlds at each place, the ids that they handed out, and snapshots.
#pragma once

#include "fuzz/api/lockstep.h"
#include "scree/character.h"
#include "scree/character_bodies.h"
#include "scree/rollback.h"

namespace scree::fuzz {

/// An id for both worlds: they hand out the same, but for the tag of the world.
template <class Id>
struct Ref {
    Id id;
    std::uint32_t foreign = 0; ///< added to the tag: the id of another world
    bool raw = false;          ///< without a tag
    friend void put(std::string& out, const Ref& ref) {
        out += std::same_as<Id, BodyId>    ? "body_"
               : std::same_as<Id, ShapeId> ? "shape_"
               : std::same_as<Id, FieldId> ? "field_"
               : std::same_as<Id, ClothId> ? "cloth_"
                                           : "joint_";
        if (ref.raw && ref.id.index == Id{}.index) out += "none";
        else out += std::to_string(ref.id.index) + "_" + std::to_string(ref.id.generation);
        if (ref.foreign) out += "_of_another_world";
    }
};

/// A QueryFilter for both worlds.
struct QueryFilterRef {
    Filter filter{.category = 0xffffffffu};
    std::optional<Ref<BodyId>> ignore;
    bool cloth = false, one_way = false;
    std::uint32_t every = 0; ///< accepts shapes whose index is no multiple of this; 0: all
    friend void put(std::string& out, const QueryFilterRef& is) {
        out += "{.filter = ";
        put(out, is.filter);
        out += ", .ignore = ";
        if (is.ignore) put(out, *is.ignore);
        else out += "{}";
        if (is.cloth) out += ", .cloth = true";
        if (is.one_way) out += ", .one_way = true";
        if (is.every) out += ", .accept = index % " + std::to_string(is.every) + " != 0";
        out += '}';
    }
};

class RigidRun : public Lockstep {
public:
    RigidRun(std::span<const std::uint8_t> input, const Places& places, Tally& tally, std::ostream* calls)
        : Lockstep(input, places, tally, calls) {}
    void play();

    // rows of the alphabet (rigid.cpp) -------------------------------------------------------------------------
    template <class R, class... Params>
    void member(R (World::*function)(Params...)) {
        any_member<R, Params...>(function);
    }
    template <class R, class... Params>
    void member(R (World::*function)(Params...) const) {
        any_member<R, Params...>(function);
    }
    void sort_out(); ///< ids by whether they are alive

    void step_once();
    void create_cloth();
    void set_cloth_vertices();
    void set_cloth_pins();
    void cloth_contacts(); ///< and find_cloth_intersections, which no class has
    void step_quietly();
    void change_settings();
    void create_body();
    void attach();
    void set_mesh();
    void set_heights();
    Ref<ShapeId> read_ground();
    void create_joint();
    void set_joint();
    void add_field();
    void push(std::string_view function, float size, bool at_point);
    void set_mass();
    void positions(bool rotations);
    void device_state();
    void device_requests();
    void begin_read();
    void end_read();
    void unlike(); ///< queries whose answers depend on the device
    void place_of();
    void new_world(bool defaults);
    void move_world();
    void save();
    void save_file();
    void restore();
    void restore_file();
    void new_worlds();
    void copies();
    void choose_world();
    void step_worlds();
    void change_settings_of_all();
    void settings_of_all();
    void restore_one_of_many();
    void device_states();
    /// Some requests at once: asks(world, requests, filter) gives the answers.
    template <class Request, class Asks>
    void batch(Asks asks) {
        std::vector<Request> requests(in.below(5));
        for (Request& request : requests) request = read<Request>();
        const QueryFilterRef filter = read_query_filter();
        const std::size_t begin = signature_.find("::") + 2;
        both(signature_,
             called(signature_.substr(begin, signature_.find('(') - begin)) + "(" + text_of(requests) + ", " +
                 text_of(filter) + ")",
             [&](int side) {
                 return asks(world(side), std::span<const Request>(requests), at(side, filter));
             });
    }
    void clone(bool elsewhere);
    template <class Function, class Answer>
    void decide_contacts(const char* name, void (World::*set)(Function), const Answer& answer);
    /// What such a function does besides: it throws, or calls the world.
    enum class Mischief : std::uint8_t { none, throws, asks, steps, changes, saves };
    void misbehave(Mischief mischief, int side, ShapeId a);
    void set_contact_filter();
    void set_pre_solve();
    void make_ring(bool of_all);
    void move_ring();
    void save_in_ring();
    void roll_back();
    void new_character();
    void again_character();
    void move_character();
    void jump_character();
    void launch_character();
    void set_character_height();
    void set_character_position();
    void make_figure();
    void act_figure();
    void make_doll();
    void make_some_chain();
    void attach_some_parts();

private:
    /// ids without tags
    template <class Id>
    struct Ids {
        std::vector<Id> alive, dead;
    };
    struct Member {
        Ids<BodyId> bodies;
        Ids<ShapeId> shapes;
        Ids<JointId> joints;
        Ids<FieldId> fields;
        Ids<ClothId> cloths;
        std::array<std::uint32_t, 2> tag{};
        std::optional<std::vector<BodyId>> read; ///< bodies when a read began
        std::uint32_t asleep = 0;
    };
    struct Saved {
        std::array<std::vector<std::byte>, 2> bytes;
        Member member;
    };

    World& world(int side) {
        auto& many = many_[static_cast<std::size_t>(side)];
        return many ? (*many)[current_] : *one_[static_cast<std::size_t>(side)];
    }
    Worlds& worlds(int side) { return *many_[static_cast<std::size_t>(side)]; }
    bool is_many() const { return many_[0].has_value(); }
    Member& now() { return members_[current_]; }
    std::string called(std::string_view function) const {
        return (is_many() ? "worlds[" + std::to_string(current_) + "]." : "world.") + std::string(function);
    }

    // arguments by type
    template <class T>
    auto read() {
        using Type = std::remove_cvref_t<T>;
        if constexpr (std::same_as<Type, BodyId>) return pick(now().bodies);
        else if constexpr (std::same_as<Type, ShapeId>) return pick(now().shapes);
        else if constexpr (std::same_as<Type, JointId>) return pick(now().joints);
        else if constexpr (std::same_as<Type, FieldId>) return pick(now().fields);
        else if constexpr (std::same_as<Type, ClothId>) return pick_cloth();
        else if constexpr (std::same_as<Type, ForceField>) return read_field();
        else if constexpr (std::same_as<Type, Explosion>) return read_explosion();
        else if constexpr (std::same_as<Type, std::string>) return std::string(read_name());
        else if constexpr (std::same_as<Type, Vec3>) return place_in(in);
        else if constexpr (std::same_as<Type, DVec3>) return exact_place_in(in);
        else if constexpr (std::same_as<Type, Quat>) return rotation_in(in);
        else if constexpr (std::same_as<Type, float>) return in.number(0, 2);
        else if constexpr (std::same_as<Type, bool>) return in.chance(128);
        else if constexpr (std::same_as<Type, std::uint32_t>) return in.below(24); // a vertex
        else if constexpr (std::same_as<Type, BodyType>) return read_type();
        else if constexpr (std::same_as<Type, Locks>) return read_locks();
        else if constexpr (std::same_as<Type, Material>) return read_material();
        else if constexpr (std::same_as<Type, Filter>) return read_filter();
        else if constexpr (std::same_as<Type, std::optional<Region>>)
            return in.chance(200) ? std::optional(read_region()) : std::nullopt;
        else if constexpr (std::same_as<Type, RayCast>) return read_ray();
        else if constexpr (std::same_as<Type, ShapeCast>) return read_shape_cast();
        else if constexpr (std::same_as<Type, ShapePlacement>) return read_placement();
        else if constexpr (std::same_as<Type, PointQuery>) return read_point_query();
        else if constexpr (std::same_as<Type, QueryFilter>) return read_query_filter();
        else static_assert(std::same_as<Type, void>, "how is this type read?");
    }
    template <class Id>
    Ref<Id> pick(const Ids<Id>& ids);
    Ref<ClothId> pick_cloth();
    BodyType read_type();
    Locks read_locks();
    Material read_material();
    Filter read_filter();
    Region read_region();
    RayCast read_ray();
    ShapeCast read_shape_cast();
    ShapePlacement read_placement();
    PointQuery read_point_query();
    QueryFilterRef read_query_filter();
    MassProperties read_mass();
    BodyDef read_body();
    const char* read_name();
    ForceField read_field();
    ClothDef read_cloth();
    ClothDef read_fan();
    std::vector<Ref<BodyId>>
    read_pins(std::vector<ClothPin>& pins); ///< pins without bodies, and those of each
    JointLimit read_limit();
    JointDrive read_drive();
    JointAxis read_axis();
    void read_motion(JointDef& joint); ///< limits, drives and the like
    static void keep_what_the_type_uses(JointDef& joint);
    Explosion read_explosion();
    ShapeDef read_shape();
    Geometry read_geometry(BodyType body = BodyType::dynamic);
    Mesh read_mesh();
    WorldSettings read_settings(WorldSettings settings);

    template <class T>
    const T& at(int, const T& value) {
        return value;
    }
    template <class Id>
    Id at(int side, const Ref<Id>& ref) {
        if (ref.raw) return ref.id;
        const std::uint32_t tag = now().tag[static_cast<std::size_t>(side)] + ref.foreign;
        return {ref.id.index, ref.id.generation | tag << 24};
    }

    QueryFilter at(int side, const QueryFilterRef& ref) {
        QueryFilter filter{.filter = ref.filter};
        if (ref.ignore) filter.ignore = at(side, *ref.ignore);
        filter.cloth = ref.cloth;
        filter.one_way = ref.one_way;
        if (ref.every)
            filter.accept = [every = ref.every](ShapeId shape, std::size_t) {
                return shape.index % every != 0;
            };
        return filter;
    }

    template <class R, class... Params, class Function>
    void any_member(Function function) {
        const std::tuple<decltype(read<Params>())...> arguments{read<Params>()...};
        std::apply([&](const auto&... argument) { call<R>(signature_, function, argument...); }, arguments);
    }
    /// A function of World with these arguments, on both sides.
    template <class R, class Function, class... Arguments>
    auto call(std::string_view signature, Function function, const Arguments&... arguments) {
        const std::size_t begin = signature.find("::") + 2;
        std::string line = called(signature.substr(begin, signature.find('(') - begin)) + "(";
        [[maybe_unused]] const char* comma = "";
        ((line += comma, put(line, arguments), comma = ", "), ...);
        return both(signature, line + ")",
                    [&](int side) -> R { return (world(side).*function)(at(side, arguments)...); });
    }

    void know(const std::array<std::vector<BodyId>, 2>& made, const std::vector<JointId>& joints);
    template <class Call>
    void with_character(const std::string& line, const Call& act);
    void begin();
    void build(std::uint32_t bodies);
    std::optional<BodyId> add_body(const BodyDef& body);
    void add_shape(const Ref<BodyId>& body, const Geometry& geometry, const ShapeDef& shape);
    void step(float dt, bool by_member = false);
    void look();
    void look_at_all();
    void after_restore(std::uint32_t number, const Saved& saved, bool crossed);
    void finish();
    std::vector<float> living(int side, std::span<const float> quads);
    /// The snapshot and whether the sides take each other's; null when there is none yet.
    const Saved* choose_saved(bool& crossed, std::string& line);
    std::vector<std::byte> bytes_for(int side, const Saved& saved, bool crossed);
    std::optional<Saved> saved_now();
    void continue_restored(const Saved& saved);

    std::optional<World> one_[2];
    std::optional<Worlds> many_[2];
    std::vector<Member> members_;
    std::vector<Saved> saves_;
    std::optional<Rollback> ring_[2];
    std::vector<std::vector<Member>> ring_members_; ///< of each of its states, the oldest first
    std::vector<Hull> hulls_;
    std::vector<Mesh> meshes_;
    std::optional<Character> who_[2];
    std::optional<CharacterBodies> figure_[2];
    /// what the functions that decide about contacts were asked, as a hash; not of Worlds, which ask side by side
    std::array<std::uint64_t, 2> asked_{};
    std::string_view signature_;
    std::uint32_t current_ = 0;
    int steps_left_ = 60, worlds_left_ = 6, since_look_ = 0, look_every_ = 1;
    bool in_step_ = false; ///< World::step is called on both
    bool impacts_ = false; ///< both places have Solver::impact
    bool counted_ = false, touched_ = false, slept_ = false, awoke_ = false;
};

} // namespace scree::fuzz
