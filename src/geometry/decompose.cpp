// SPDX-License-Identifier: MIT
// decompose.cpp — cuts a solid by planes until each piece is nearly convex, then merges what need not be apart.
//
// The measure of a piece is that of CoACD (Wei, Liu, Ling, Su 2022). Planes are compared by the volume that the hulls have too
// much after the cut and after the best second cut; candidates lie across the axes and along concave edges. Everything is decided
// by comparing numbers that each thread computes alone, with the first of equals taken: the result does not depend on threads.
#include "scree/decompose.h"

#include "geometry/hull.h"
#include "geometry/parallel.h"
#include "geometry/piece.h"
#include "geometry/remesh.h"
#include "scree/error.h"
#include "text/checks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

namespace scree {
namespace {

constexpr const char* place = "decompose";
constexpr std::size_t most_triangles = 100'000; ///< beyond, the mesh is remeshed
constexpr std::size_t fine_triangles = 3000;    ///< beyond, planes are compared on a coarser copy
constexpr int coarse_cells = 32;
constexpr std::size_t looked_ahead = 6; ///< planes for which the second cut is tried
constexpr double infinity = std::numeric_limits<double>::infinity();

void check_options(const DecomposeOptions& o) {
    check_within(static_cast<double>(o.concavity), 0.001, 1, "DecomposeOptions::concavity",
                 "from 0.001 to 1");
    check_within(o.max_parts, 1, 256, "DecomposeOptions::max_parts", "from 1 to 256");
    check_within(o.max_vertices_per_part, 4, max_hull_vertices, "DecomposeOptions::max_vertices_per_part",
                 "from 4 to 128");
    check_within(o.planes_per_axis, 1, 100, "DecomposeOptions::planes_per_axis", "from 1 to 100");
    check_within(o.resolution, 8, 256, "DecomposeOptions::resolution", "from 8 to 256");
    check_within(o.threads, 0, 1024, "DecomposeOptions::threads", "from 0 to 1024");
}

// ---- the solid ------------------------------------------------------------------------------------------------------

Solid solid_of(TriangleMesh mesh, const DecomposeOptions& options) {
    check_mesh(mesh, place);
    if (mesh.triangles.empty()) throw Error("the mesh has no triangles", place);
    mesh.parts.clear(), mesh.triangle_parts.clear(), mesh.materials.clear(), mesh.triangle_materials.clear();
    repair(mesh);
    if (mesh.triangles.empty()) throw Error("all triangles of the mesh are without area", place);
    MeshReport report = inspect(mesh);
    const DVec3 side = report.high - report.low;
    const double size = std::max({side.x, side.y, side.z});
    const bool sound =
        report.closed && report.flipped_edges == 0 && std::fabs(report.volume) > 1e-9 * size * size * size;
    if (!sound || options.always_remesh || mesh.triangles.size() > most_triangles) {
        mesh = remeshed(mesh, options.resolution);
        report = inspect(mesh);
    }
    Solid out;
    out.size = size;
    out.closing = 1e-7 * (size + length(report.low) + length(report.high));
    for (const Vec3& v : mesh.vertices) out.points.push_back(wide(v));
    out.triangles = std::move(mesh.triangles);
    if (report.volume < 0)
        for (auto& t : out.triangles) std::swap(t[1], t[2]);
    return out;
}

/// Surfaces that hang together, as pieces of their own; a hollow inside one stays with it.
std::vector<Piece> components(const Solid& solid) {
    std::vector<std::uint32_t> parent(solid.triangles.size());
    for (std::uint32_t i = 0; i < parent.size(); ++i) parent[i] = i;
    const auto root = [&](std::uint32_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        a = root(a), b = root(b);
        parent[std::max(a, b)] = std::min(a, b);
    };
    struct Side {
        std::uint64_t edge;
        std::uint32_t triangle;
        int way;
    };
    std::vector<Side> sides;
    for (std::uint32_t t = 0; t < solid.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = solid.triangles[t][k], b = solid.triangles[t][(k + 1) % 3];
            sides.push_back({(std::uint64_t{std::min(a, b)} << 32) | std::max(a, b), t, a < b ? 1 : -1});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.edge, a.triangle) < std::tie(b.edge, b.triangle);
    });
    // edges of two triangles join them. At edges of more, bodies may merely touch: they join what would be open without
    for (const bool crowded : {false, true})
        for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
            while (end < sides.size() && sides[end].edge == sides[i].edge) ++end;
            if ((end - i > 2) != crowded) continue;
            std::map<std::uint32_t, int> sums;
            for (std::size_t k = i; k < end; ++k) sums[root(sides[k].triangle)] += sides[k].way;
            if (!crowded ||
                std::any_of(sums.begin(), sums.end(), [](const auto& sum) { return sum.second != 0; }))
                for (std::size_t k = i; k < end; ++k) join(sides[i].triangle, sides[k].triangle);
        }
    std::map<std::uint32_t, std::vector<std::uint32_t>> shells;
    for (std::uint32_t t = 0; t < solid.triangles.size(); ++t) shells[root(t)].push_back(t);
    std::vector<Piece> bodies;
    std::vector<Piece> hollows;
    std::vector<std::uint32_t> number(solid.points.size(), 0xffffffffu);
    for (const auto& [first, shell] : shells) {
        Piece piece;
        std::vector<std::uint32_t> used;
        for (const std::uint32_t t : shell) {
            PieceTriangle triangle{solid.triangles[t], false};
            for (std::uint32_t& v : triangle.corner) {
                if (number[v] == 0xffffffffu) {
                    number[v] = static_cast<std::uint32_t>(piece.points.size());
                    piece.points.push_back(solid.points[v]);
                    used.push_back(v);
                }
                v = number[v];
            }
            piece.triangles.push_back(triangle);
        }
        for (const std::uint32_t v : used) number[v] = 0xffffffffu;
        weigh(piece);
        (piece.volume > 0 ? bodies : hollows).push_back(std::move(piece));
    }
    for (const Piece& hollow : hollows) {
        // the smallest body around it; one without a body around it bounds nothing
        Piece* around = nullptr;
        for (Piece& body : bodies)
            if (std::all_of(hollow.outline.begin(), hollow.outline.end(),
                            [&](DVec3 p) { return body.hull.depth(p) >= -solid.closing; }) &&
                (!around || body.hull.volume < around->hull.volume))
                around = &body;
        if (!around) continue;
        Piece both = joined(*around, hollow);
        both.corners.clear();
        weigh(both);
        *around = std::move(both);
    }
    return bodies;
}

// ---- planes ---------------------------------------------------------------------------------------------------------

/// Across the axes, evenly.
void add_axis_planes(const Piece& piece, int count, std::vector<CutPlane>& out) {
    DVec3 low = piece.outline[0], high = low;
    for (const DVec3& p : piece.outline) low = min(low, p), high = max(high, p);
    const DVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const DVec3 side = high - low;
    const double longest = std::max({side.x, side.y, side.z});
    for (const DVec3& axis : axes) {
        const double from = dot(axis, low), width = dot(axis, side);
        // fewer across the short sides
        const int n = std::max(std::min(count, 3), static_cast<int>(std::ceil(count * width / longest)));
        for (int i = 1; i <= n; ++i) out.push_back({axis, from + width * i / (n + 1)});
    }
}

/// Along the concave edges: the planes of their two triangles and the one between, those with the longest edges first.
void add_edge_planes(const Piece& piece, double size, std::size_t count, std::vector<CutPlane>& out) {
    struct Found {
        CutPlane plane;
        double weight = 0, longest = 0;
    };
    std::map<std::array<int, 4>, Found> found;
    const auto add = [&](DVec3 normal, DVec3 at, double weight) {
        const double l = length(normal);
        if (!(l > 1e-9)) return;
        normal = normal / l;
        // one of the two directions
        if (normal.x < -1e-9 || (std::fabs(normal.x) <= 1e-9 &&
                                 (normal.y < -1e-9 || (std::fabs(normal.y) <= 1e-9 && normal.z < 0))))
            normal = -normal;
        const double offset = dot(normal, at);
        const auto step = [](double x, double width) { return static_cast<int>(std::lround(x / width)); };
        Found& f = found[{step(normal.x, 0.05), step(normal.y, 0.05), step(normal.z, 0.05),
                          step(offset / size, 0.02)}];
        f.weight += weight;
        if (weight > f.longest) f.longest = weight, f.plane = {normal, offset};
    };
    std::unordered_map<std::uint64_t, std::uint32_t> sides;
    sides.reserve(3 * piece.triangles.size());
    for (std::uint32_t t = 0; t < piece.triangles.size(); ++t) {
        if (piece.triangles[t].cap) continue;
        const auto& c = piece.triangles[t].corner;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = c[k], b = c[(k + 1) % 3];
            sides[(std::uint64_t{a} << 32) | b] = t;
            const auto other = sides.find((std::uint64_t{b} << 32) | a);
            if (other == sides.end()) continue;
            const auto normal = [&](std::uint32_t of) {
                const auto& q = piece.triangles[of].corner;
                return normalized(
                    cross(piece.points[q[1]] - piece.points[q[0]], piece.points[q[2]] - piece.points[q[0]]));
            };
            const DVec3 n = normal(t), m = normal(other->second), edge = piece.points[b] - piece.points[a];
            // concave: turning from one normal to the other goes against the edge
            const double bend = -dot(cross(n, m), normalized(edge));
            if (bend < 0.1) continue;
            const double weight = bend * length(edge);
            add(n, piece.points[a], weight);
            add(m, piece.points[a], weight);
            add(cross(n + m, edge), piece.points[a], weight);
        }
    }
    std::vector<std::pair<double, std::size_t>> order; // the heaviest first, of equals the first
    std::vector<CutPlane> planes;
    for (const auto& [key, f] : found) {
        order.emplace_back(-f.weight, planes.size());
        planes.push_back(f.plane);
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < std::min(count, order.size()); ++i) out.push_back(planes[order[i].second]);
}

class Search {
public:
    Search(const Solid& solid, const DecomposeOptions& options) : solid_(&solid), options_(&options) {}

    /// The plane after which least volume is in excess; nothing if no plane cuts the piece. Adds what it costs to `work`.
    std::optional<CutPlane> best(const Piece& piece, std::uint64_t& work) const {
        const bool large = piece.triangles.size() > fine_triangles;
        const Piece reduced = large ? coarse(piece, coarse_cells) : Piece{};
        const Piece& looked_at = large && !reduced.hull.flat() ? reduced : piece;

        std::vector<CutPlane> planes;
        add_axis_planes(piece, options_->planes_per_axis, planes);
        add_edge_planes(piece, solid_->size, 24, planes);
        work += cost_of_cuts(looked_at, planes.size());
        std::vector<double> excess(planes.size());
        for_each_parallel(planes.size(), options_->threads,
                          [&](std::size_t i) { excess[i] = after(looked_at, planes[i]); });
        std::vector<std::size_t> order = by(excess);
        if (order.empty()) return std::nullopt;
        order = apart(order, planes);
        work +=
            order.size() * cost_of_cuts(looked_at, static_cast<std::size_t>(options_->planes_per_axis) + 8);
        std::vector<double> ahead(order.size());
        for_each_parallel(order.size(), options_->threads, [&](std::size_t i) {
            // the first cut alone settles ties: it need not be followed by another
            ahead[i] = after_second(looked_at, planes[order[i]]) + 0.25 * excess[order[i]];
        });
        std::size_t chosen = 0;
        for (std::size_t i = 1; i < ahead.size(); ++i)
            if (ahead[i] < ahead[chosen] * (1 - 1e-9)) chosen = i;
        return refined(looked_at, planes[order[chosen]], excess[order[chosen]]);
    }

private:
    const Solid* solid_;
    const DecomposeOptions* options_;

    /// A cut visits the piece, and asks the solid about a few points.
    std::uint64_t cost_of_cuts(const Piece& piece, std::size_t cuts) const {
        return cuts * (std::uint64_t{piece.triangles.size()} + solid_->triangles.size());
    }

    double after(const Piece& piece, const CutPlane& plane) const {
        const auto halves = cut(*solid_, piece, plane);
        return halves ? halves->first.excess() + halves->second.excess() : infinity;
    }

    /// Also after the best cut through the worse half.
    double after_second(const Piece& piece, const CutPlane& plane) const {
        auto halves = cut(*solid_, piece, plane);
        if (!halves) return infinity;
        Piece &a = halves->first, &b = halves->second;
        Piece& worse = a.excess() >= b.excess() ? a : b;
        const double rest = std::min(a.excess(), b.excess());
        double least = worse.excess();
        if (least <= 1e-6 * worse.volume) return rest + least;
        const Piece rough =
            worse.triangles.size() > fine_triangles / 4 ? coarse(worse, coarse_cells / 2) : worse;
        if (rough.hull.flat()) return rest + least;
        std::vector<CutPlane> planes;
        add_axis_planes(rough, std::max(1, options_->planes_per_axis / 2), planes);
        add_edge_planes(rough, solid_->size, 8, planes);
        for (const CutPlane& p : planes) least = std::min(least, after(rough, p));
        return rest + least;
    }

    static std::vector<std::size_t> by(const std::vector<double>& excess) {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < excess.size(); ++i)
            if (excess[i] < infinity) order.push_back(i);
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(excess[a], a) < std::pair(excess[b], b);
        });
        return order;
    }

    /// The first few that are not nearly the same plane as a better one.
    std::vector<std::size_t> apart(const std::vector<std::size_t>& order,
                                   const std::vector<CutPlane>& planes) const {
        std::vector<std::size_t> out;
        for (const std::size_t i : order) {
            const bool near = std::any_of(out.begin(), out.end(), [&](std::size_t j) {
                return std::fabs(dot(planes[i].normal, planes[j].normal)) > 0.98 &&
                       std::fabs(planes[i].offset - planes[j].offset) < 0.04 * solid_->size;
            });
            if (!near) out.push_back(i);
            if (out.size() == looked_ahead) break;
        }
        return out;
    }

    /// Moves the plane along its normal to where the first cut is best.
    CutPlane refined(const Piece& piece, CutPlane plane, double least) const {
        for (double step = 0.02 * solid_->size; step > 0.003 * solid_->size; step /= 2) {
            const CutPlane tries[2] = {{plane.normal, plane.offset - step},
                                       {plane.normal, plane.offset + step}};
            double found[2];
            for_each_parallel(2, options_->threads,
                              [&](std::size_t i) { found[i] = after(piece, tries[i]); });
            for (std::size_t i = 0; i < 2; ++i)
                if (found[i] < least * (1 - 1e-6) - 1e-12) least = found[i], plane = tries[i];
        }
        return plane;
    }
};

// ---- pieces ---------------------------------------------------------------------------------------------------------

/// Some more than asked for: merging picks those that belong together.
std::size_t most_pieces(const DecomposeOptions& options) {
    return 2 * static_cast<std::size_t>(options.max_parts) + 16;
}

std::vector<Piece> split(const Solid& solid, const DecomposeOptions& options) {
    const double enough = static_cast<double>(options.concavity) * solid.size;
    const Search search(solid, options);
    std::uint64_t work = 0;
    std::vector<Piece> open = components(solid), done;
    for (Piece& piece : open) piece.concavity = concavity(piece, enough);
    while (!open.empty()) {
        const auto worst = std::max_element(open.begin(), open.end(), [](const Piece& a, const Piece& b) {
            return a.concavity < b.concavity;
        });
        if (worst->concavity <= enough || open.size() + done.size() >= most_pieces(options) ||
            work >= options.max_work) {
            // no other is cut either: the worst first
            std::stable_sort(open.begin(), open.end(),
                             [](const Piece& a, const Piece& b) { return a.concavity > b.concavity; });
            std::move(open.begin(), open.end(), std::back_inserter(done));
            break;
        }
        Piece piece = std::move(*worst);
        open.erase(worst);
        std::optional<std::pair<Piece, Piece>> halves;
        if (const std::optional<CutPlane> plane = search.best(piece, work))
            halves = cut(solid, piece, *plane);
        if (!halves) {
            done.push_back(std::move(piece));
        } else {
            Piece* both[2] = {&halves->first, &halves->second};
            for_each_parallel(2, options.threads,
                              [&](std::size_t i) { both[i]->concavity = concavity(*both[i], enough); });
            for (Piece* half : both) open.push_back(std::move(*half));
        }
        const std::size_t count = open.size() + done.size();
        const auto good = static_cast<std::size_t>(
            std::count_if(open.begin(), open.end(), [&](const Piece& p) { return p.concavity <= enough; }));
        if (options.progress)
            options.progress(count, static_cast<double>(done.size() + good) / static_cast<double>(count));
    }
    return done;
}

bool boxes_meet(const Piece& a, const Piece& b, double gap) {
    const auto box = [](const Piece& p) {
        std::pair<DVec3, DVec3> out{p.outline[0], p.outline[0]};
        for (const DVec3& v : p.outline) out = {min(out.first, v), max(out.second, v)};
        return out;
    };
    const auto [al, ah] = box(a);
    const auto [bl, bh] = box(b);
    return al.x <= bh.x + gap && bl.x <= ah.x + gap && al.y <= bh.y + gap && bl.y <= ah.y + gap &&
           al.z <= bh.z + gap && bl.z <= ah.z + gap;
}

/// A mesh of many bodies has more pieces than merging can compare: joins neighbours, by halving all along the longest side of
/// their middles, until `most` are left.
void gather(std::vector<Piece>& pieces, std::size_t most) {
    if (pieces.size() <= most) return;
    struct Place {
        DVec3 middle;
        std::size_t piece;
    };
    std::vector<Place> places(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        DVec3 sum{};
        for (const DVec3& v : pieces[i].outline) sum += v;
        places[i] = {sum / static_cast<double>(std::max<std::size_t>(pieces[i].outline.size(), 1)), i};
    }
    std::vector<Piece> out;
    struct Group {
        std::size_t begin, end, parts;
    };
    std::vector<Group> open{{0, places.size(), most}};
    while (!open.empty()) {
        const Group group = open.back();
        open.pop_back();
        const auto first = places.begin() + static_cast<std::ptrdiff_t>(group.begin),
                   last = places.begin() + static_cast<std::ptrdiff_t>(group.end);
        if (group.parts == 1 || group.end - group.begin == 1) {
            // two by two, so that no piece is copied often
            std::vector<Piece> level;
            for (auto at = first; at != last; ++at) level.push_back(std::move(pieces[at->piece]));
            while (level.size() > 1) {
                std::vector<Piece> halved;
                for (std::size_t i = 0; i + 1 < level.size(); i += 2)
                    halved.push_back(joined(level[i], level[i + 1]));
                if (level.size() % 2) halved.push_back(std::move(level.back()));
                level.swap(halved);
            }
            out.push_back(std::move(level.front()));
            continue;
        }
        DVec3 low = first->middle, high = low;
        for (auto at = first; at != last; ++at) low = min(low, at->middle), high = max(high, at->middle);
        const DVec3 side = high - low;
        const DVec3 axis = side.x >= side.y && side.x >= side.z ? DVec3{1, 0, 0}
                           : side.y >= side.z                   ? DVec3{0, 1, 0}
                                                                : DVec3{0, 0, 1};
        std::sort(first, last, [&](const Place& a, const Place& b) {
            return std::pair(dot(axis, a.middle), a.piece) < std::pair(dot(axis, b.middle), b.piece);
        });
        const std::size_t half = group.begin + (group.end - group.begin) / 2, parts = group.parts / 2;
        open.push_back({half, group.end, group.parts - parts});
        open.push_back({group.begin, half, parts});
    }
    pieces.swap(out);
}

/// Joins pairs, the one with the least volume in excess first, as long as the result is near enough to the surface; then
/// as long as there are too many.
void merge(std::vector<Piece>& pieces, const Solid& solid, const DecomposeOptions& options) {
    const double enough = static_cast<double>(options.concavity) * solid.size;
    struct Pair {
        std::size_t a, b; ///< numbers that never change
        double excess, concavity;
    };
    std::vector<std::size_t> number(pieces.size());
    for (std::size_t i = 0; i < number.size(); ++i) number[i] = i;
    std::size_t next = pieces.size();
    std::vector<Pair> pairs;
    const auto judge = [&](std::vector<std::array<std::size_t, 2>> fresh) {
        std::vector<Pair> judged(fresh.size());
        for_each_parallel(fresh.size(), options.threads, [&](std::size_t i) {
            const Piece &a = pieces[fresh[i][0]], &b = pieces[fresh[i][1]];
            Pair& pair = judged[i];
            pair = {number[fresh[i][0]], number[fresh[i][1]], infinity, infinity};
            if (!boxes_meet(a, b, enough)) return;
            const Piece both = joined(a, b);
            pair.excess = both.excess() - a.excess() - b.excess();
            pair.concavity = concavity(both, enough);
        });
        pairs.insert(pairs.end(), judged.begin(), judged.end());
    };
    std::vector<std::array<std::size_t, 2>> all;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        for (std::size_t j = i + 1; j < pieces.size(); ++j) all.push_back({i, j});
    judge(all);
    while (pieces.size() > 1) {
        const bool too_many = pieces.size() > static_cast<std::size_t>(options.max_parts);
        const Pair* best = nullptr;
        for (const Pair& pair : pairs)
            if ((pair.concavity <= enough || (too_many && pair.excess < infinity)) &&
                (!best || std::pair(pair.concavity > enough, pair.excess) <
                              std::pair(best->concavity > enough, best->excess)))
                best = &pair;
        // what is left may be far apart, and still too many
        if (!best && too_many) best = &pairs.front();
        if (!best) return;
        const auto index = [&](std::size_t n) {
            return static_cast<std::size_t>(std::find(number.begin(), number.end(), n) - number.begin());
        };
        const std::size_t na = best->a, nb = best->b, a = index(na), b = index(nb);
        pieces[a] = joined(pieces[a], pieces[b]);
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(b));
        number[a] = next++;
        number.erase(number.begin() + static_cast<std::ptrdiff_t>(b));
        std::erase_if(pairs, [&](const Pair& p) { return p.a == na || p.b == na || p.a == nb || p.b == nb; });
        std::vector<std::array<std::size_t, 2>> fresh;
        const std::size_t here = a < b ? a : a - 1;
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (i != here) fresh.push_back({std::min(i, here), std::max(i, here)});
        judge(fresh);
    }
}

/// Nothing for a piece too thin to be a body.
std::optional<Hull> hull_for(const Piece& piece, int most_vertices) {
    for (int most = most_vertices; most >= 4; most = std::min(most - 1, most * 3 / 4)) {
        const PointHull hull = hull_of(piece.outline, static_cast<std::uint32_t>(most));
        if (hull.flat()) return std::nullopt;
        std::vector<Vec3> points;
        const std::vector<std::uint32_t> vertices = hull.vertices();
        // what loses vertices is blown up to the volume it had
        DVec3 middle{};
        for (const std::uint32_t v : vertices)
            middle += piece.outline[v] / static_cast<double>(vertices.size());
        const double grow = hull.missed > 0 ? ball_radius(piece.hull.volume) / ball_radius(hull.volume) : 1;
        points.reserve(vertices.size());
        for (const std::uint32_t v : vertices)
            points.push_back(
                narrow(grow == 1 ? piece.outline[v] : middle + grow * (piece.outline[v] - middle)));
        try {
            return Hull::from_points(points);
        } catch (const Error&) {
            // too many faces, or too thin: fewer vertices help in the first case
            if (points.size() <= 66) return std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace

std::vector<Hull> decompose(const TriangleMesh& mesh, const DecomposeOptions& options) {
    check_options(options);
    const Solid solid = solid_of(mesh, options);
    std::vector<Piece> pieces = split(solid, options);
    std::erase_if(pieces, [](const Piece& p) { return p.hull.flat(); });
    gather(pieces, most_pieces(options));
    merge(pieces, solid, options);
    std::vector<std::pair<double, std::size_t>> order; // the largest first
    std::vector<Hull> hulls;
    for (const Piece& piece : pieces)
        if (const std::optional<Hull> hull = hull_for(piece, options.max_vertices_per_part)) {
            order.emplace_back(-hull->geometry().volume, hulls.size());
            hulls.push_back(*hull);
        }
    if (hulls.empty()) throw Error("the mesh encloses no volume", place);
    std::sort(order.begin(), order.end());
    std::vector<Hull> out;
    out.reserve(order.size());
    for (const auto& [volume, index] : order) out.push_back(hulls[index]);
    return out;
}

} // namespace scree
