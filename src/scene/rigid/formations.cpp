// SPDX-License-Identifier: MIT
// formations.cpp — bodies of one shape in a pattern: pyramid, stack, wall, lattice, chain; see bodies.h.
//
// The origin of a formation is the middle of its underside, default: on the ground; of a lattice it is the centre of
// the lowest layer, of a chain the outer end of the first link.
#include "scene/generated.h"
#include "scene/rigid/bodies.h"
#include "scene/rigid/parts.h"
#include "world/joint_types.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree {
namespace {

double wide(float number) { return static_cast<double>(number); }

struct Size {
    DVec3 side;   ///< of the bounds, and the gap
    DVec3 middle; ///< of the bounds, in the body's frame
};

Size size_of(const RigidShape& shape, double gap) {
    DVec3 low = wide(shape.low), high = wide(shape.high);
    return {high - low + DVec3{gap, gap, gap}, (high + low) / 2};
}

/// Bodies of one size beside and above each other.
struct Courses {
    Courses(const Fields& fields, const RigidShape& shape)
        : origin(fields.vector("origin", {})), gap(wide(fields.number("gap", 0))), size(size_of(shape, gap)) {
        if (!(size.side.x > 0 && size.side.y > 0))
            fields.at("gap").refuse("a gap that is not more negative than the shape is wide");
    }

    /// Where body `i` of `count` in a row must be, so that the row's middle is above the origin.
    DVec3 at(std::uint64_t i, std::uint64_t count, std::uint64_t row) const {
        const double column = static_cast<double>(i) - static_cast<double>(count - 1) / 2;
        return {wide(origin.x) + column * size.side.x - size.middle.x,
                wide(origin.y) + (static_cast<double>(row) + 0.5) * size.side.y - gap / 2 - size.middle.y,
                wide(origin.z) - size.middle.z};
    }

    Vec3 origin;
    double gap;
    Size size;
};

/// Multiples of the golden ratio and of the plastic number (Roberts 2018) in -1 … 1: no two layers near each other lie
/// alike, so that a pile does not settle in columns.
double layer_fraction(std::uint64_t layer, std::uint32_t ratio) {
    return static_cast<double>(static_cast<std::uint32_t>(layer) * ratio) / 2147483648.0 - 1;
}

} // namespace

// rows of base, base - 1 … 1 bodies, each half a body further in than the one below
void RigidBodyList::pyramid(const Fields& fields) {
    Model body = shaped_model(fields);
    const Courses courses(fields, shape_of(body));
    Field base = fields.at("base");
    auto width = static_cast<std::uint64_t>(base.integer(1, 100'000));
    reserve(base, width * (width + 1) / 2);
    for (std::uint64_t row = 0; row < width; ++row)
        for (std::uint64_t i = 0; i < width - row; ++i)
            place(fields.field(), body, courses.at(i, width - row, row));
}

void RigidBodyList::stack(const Fields& fields) {
    Model body = shaped_model(fields);
    const Courses courses(fields, shape_of(body));
    Field number = fields.at("count");
    std::uint64_t total = count(number, static_cast<std::uint64_t>(number.integer(1, 1'000'000'000)));
    reserve(number, total);
    for (std::uint64_t i = 0; i < total; ++i) place(fields.field(), body, courses.at(0, 1, i));
}

// a running bond: odd rows stand over the joints of the even ones and have a brick less
void RigidBodyList::wall(const Fields& fields) {
    Model body = shaped_model(fields);
    const Courses courses(fields, shape_of(body));
    auto columns = static_cast<std::uint64_t>(fields.at("columns").integer(2, 100'000));
    auto rows = static_cast<std::uint64_t>(fields.at("rows").integer(1, 100'000));
    reserve(fields.at("rows"), columns * rows - rows / 2);
    for (std::uint64_t row = 0; row < rows; ++row) {
        std::uint64_t bricks = columns - row % 2;
        for (std::uint64_t i = 0; i < bricks; ++i) place(fields.field(), body, courses.at(i, bricks, row));
    }
}

// a box of sites, layer by layer from below. Resized, it keeps its footprint and grows upwards, so that it still fits
// into its container; or, with "refine", it keeps its size and its proportions, and the bodies are larger or smaller
void RigidBodyList::lattice(const Fields& fields) {
    Model body = model(fields);
    std::vector<std::uint32_t> shapes;
    if (auto one = fields.find("shape")) {
        if (auto several = fields.find("shapes")) several->fail("expected either \"shape\" or \"shapes\"");
        body.body.shape = shaped_model(fields).body.shape;
        shapes.push_back(body.body.shape);
    } else if (auto several = fields.find("shapes")) {
        for (std::size_t i = 0; i < several->list(1, 1000); ++i) {
            shapes.push_back(index_of((*several)[i], rigid_->shapes));
            if (has_plane(rigid_->shapes[shapes.back()]))
                (*several)[i].fail("a plane has no end; expected a shape of finite size");
            if (has_mesh(rigid_->shapes[shapes.back()]))
                (*several)[i].fail("a mesh has no mass; expected a convex shape");
        }
    } else {
        fields.field().fail("expected \"shape\" or \"shapes\"");
    }
    Field pitch = fields.at("spacing");
    Vec3 spacing;
    if (pitch.value().kind == json::Kind::array) spacing = pitch.vector(positive);
    else spacing.x = spacing.y = spacing.z = pitch.number(positive);
    Vec3 origin = fields.vector("origin", {0, spacing.y / 2, 0});
    double shift = wide(fields.number("shift", 0)), jitter = wide(fields.number("jitter", 0, not_negative)),
           tilt = wide(fields.number("tilt_degrees", 0, Range{0, 180}));
    bool tumble = fields.has("tumble") && fields.at("tumble").flag();
    Field counts = fields.at("counts");
    counts.list(3, 3);
    auto a = static_cast<std::uint64_t>(counts[0].integer(1, 100'000));
    auto layers = static_cast<std::uint64_t>(counts[1].integer(1, 100'000));
    auto c = static_cast<std::uint64_t>(counts[2].integer(1, 100'000));
    const std::uint64_t in_file = a * layers * c;
    std::uint64_t total = count(counts, in_file);
    Random random(seed_of(fields, *options_), generators_);
    const bool strata = fields.has("strata") && fields.at("strata").flag();

    reserve(counts, total);
    if (fields.has("refine") && fields.at("refine").flag() && total != in_file) {
        const double size = std::cbrt(static_cast<double>(in_file) / static_cast<double>(total));
        const auto fewer = [&](std::uint64_t number) {
            return static_cast<std::uint64_t>(std::max(1.0, std::round(static_cast<double>(number) / size)));
        };
        a = fewer(a), c = fewer(c);
        std::map<std::uint32_t, std::uint32_t> resized; // others may have the shapes as they are
        for (std::uint32_t& shape : shapes) {
            const auto [at, is_new] = resized.try_emplace(shape, 0);
            if (is_new) {
                RigidShape copy = scaled(rigid_->shapes[shape], static_cast<float>(size));
                copy.name += " of " + std::to_string(total);
                rigid_->shapes.push_back(std::move(copy));
                at->second = static_cast<std::uint32_t>(rigid_->shapes.size() - 1);
            }
            shape = at->second;
        }
        origin.y += static_cast<float>((size - 1) * wide(spacing.y) / 2); // the underside stays where it was
        spacing = spacing * static_cast<float>(size);
        shift *= size, jitter *= size;
    }
    layers = (total + a * c - 1) / (a * c);
    for (std::uint64_t i = 0; i < total; ++i) {
        std::uint64_t site = i % (a * c), layer = i / (a * c), row = site / c;
        double x = static_cast<double>(row) - static_cast<double>(a - 1) / 2;
        double z = static_cast<double>(site % c) - static_cast<double>(c - 1) / 2;
        double dx = random.uniform(-jitter, jitter), dy = random.uniform(-jitter, jitter),
               dz = random.uniform(-jitter, jitter);
        Quat rotation;
        if (tumble) {
            rotation = random.rotation();
        } else if (tilt > 0) {
            double tx = random.uniform(-tilt, tilt), ty = random.uniform(-tilt, tilt),
                   tz = random.uniform(-tilt, tilt);
            DVec3 axis{tx, ty, tz};
            rotation = rotation_by_degrees(axis, length(axis)).value_or(Quat{});
        }
        body.body.shape = shapes[i % shapes.size()];
        if (strata && !body.paints.empty()) body.stratum = layer * body.paints.size() / layers;
        place(fields.field(), body,
              {wide(origin.x) + x * wide(spacing.x) + shift * layer_fraction(layer, 2654435769u) + dx,
               wide(origin.y) + static_cast<double>(layer) * wide(spacing.y) + dy,
               wide(origin.z) + z * wide(spacing.z) + shift * layer_fraction(layer, 3242174889u) + dz},
              rotation);
    }
}

// links along a line, their y axis turned into it, with a joint between neighbours
void RigidBodyList::chain(const Fields& fields) {
    constexpr std::string_view ends[] = {"none", "first", "both"};
    Model link = shaped_model(fields);
    const Size size = size_of(shape_of(link), 0);
    Vec3 origin = fields.vector("origin", {});
    DVec3 along{1, 0, 0};
    Quat rotation = rotation_from_y({1, 0, 0}).value_or(Quat{});
    if (auto direction = fields.find("direction")) {
        direction->vector();
        std::optional<Quat> turn = rotation_from_y(
            {(*direction)[0].number64(), (*direction)[1].number64(), (*direction)[2].number64()});
        if (!turn) direction->refuse("a direction longer than 0");
        rotation = *turn;
        along = rotate(wide(rotation), {0, 1, 0});
    }
    double pitch = fields.has("pitch") ? fields.at("pitch").number64(positive) : size.side.y;
    JointType type = JointType::ball;
    if (auto joint = fields.find("joint"))
        type = static_cast<JointType>(joint->choice(joint_names().first(3)));
    Vec3 axis = fields.vector("axis", {0, 0, 1});
    if (fields.has("axis") && axis == Vec3{}) fields.at("axis").refuse("an axis longer than 0");
    std::size_t anchored = fields.has("anchored") ? fields.at("anchored").choice(ends) : 1;
    Field number = fields.at("count");
    std::uint64_t total = count(number, static_cast<std::uint64_t>(number.integer(1, 1'000'000'000)));

    reserve(number, total, total + 1);
    auto at = [&](double links) { return wide(origin) + along * pitch * links; };
    DVec3 middle = rotate(wide(rotation), size.middle);
    for (std::uint64_t i = 0; i < total; ++i) {
        DVec3 centre = at(static_cast<double>(i) + 0.5);
        std::uint32_t now = place(fields.field(), link, centre - middle, rotation);
        if (i > 0) join(type, now - 1, now, at(static_cast<double>(i)), axis);
        else if (anchored > 0) join(type, now, {}, at(0), axis);
        if (i + 1 == total && anchored > 1) join(type, now, {}, at(static_cast<double>(total)), axis);
    }
}

} // namespace scree
