// SPDX-License-Identifier: MIT
// dem_peers.cpp — decks for LAMMPS and LIGGGHTS, and reading what they print.
#include "dem_peers.h"

#include "process.h"
#include "scree/error.h"
#include "scree/granular_scene.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <locale>
#include <numbers>
#include <sstream>

namespace scree::bench {

namespace {

double grain_radius(const Scene& scene) {
    return granular_scene(scene).shapes.front().particles.front().radius;
}

// LAMMPS: gran/hooke takes damping as a rate times the reduced mass, which is half a grain's for a pair and a whole
// grain's at a wall
void add_lammps_law(std::string& deck, const Scene& scene) {
    const GranularSettings& s = granular_scene(scene).settings;
    const double mass = granular_scene(scene).bodies.front().mass;
    char wall[160];
    std::snprintf(wall, sizeof wall, "wall/gran hooke %.9g NULL %.9g %.9g %.9g 1 limit_damping",
                  double{s.stiffness}, s.damping / mass, s.tangent_damping / mass, double{s.friction});
    add_text(deck, "pair_style gran/hooke %.9g NULL %.9g %.9g %.9g 1 limit_damping\npair_coeff * *\n",
             double{s.stiffness}, 2 * s.damping / mass, 2 * s.tangent_damping / mass, double{s.friction});
    add_text(deck, "fix wall_x all %s xplane %.9g %.9g\n", wall, -double{s.world_size}, double{s.world_size});
    add_text(deck, "fix wall_z all %s zplane %.9g %.9g\n", wall, -double{s.world_size}, double{s.world_size});
    add_text(deck, "fix floor all %s yplane 0 NULL\n", wall);
}

// LIGGGHTS: the hooke/stiffness model takes the constants as they are
void add_liggghts_law(std::string& deck, const Scene& scene) {
    const GranularSettings& s = granular_scene(scene).settings;
    add_text(deck, "fix kn all property/global kn peratomtypepair 1 %.9g\n", double{s.stiffness});
    add_text(deck, "fix kt all property/global kt peratomtypepair 1 0.0\n");
    add_text(deck, "fix cn all property/global gamman_abs peratomtypepair 1 %.9g\n", double{s.damping});
    add_text(deck, "fix ct all property/global gammat_abs peratomtypepair 1 %.9g\n",
             double{s.tangent_damping});
    add_text(deck, "fix mu all property/global coefficientFriction peratomtypepair 1 %.9g\n",
             double{s.friction});
    add_text(deck,
             "pair_style gran model hooke/stiffness tangential no_history absolute_damping on limitForce on\n"
             "pair_coeff * *\n");
    const struct {
        const char *name, *plane;
        double at;
    } walls[] = {{"x_low", "xplane", -double{s.world_size}},
                 {"x_high", "xplane", double{s.world_size}},
                 {"z_low", "zplane", -double{s.world_size}},
                 {"z_high", "zplane", double{s.world_size}},
                 {"floor", "yplane", 0}};
    for (const auto& wall : walls)
        add_text(deck,
                 "fix %s all wall/gran model hooke/stiffness tangential no_history primitive type 1 %s %.9g "
                 "absolute_damping on limitForce on\n",
                 wall.name, wall.plane, wall.at);
}

SpherePile read_dump(const std::string& file, const Scene& scene) {
    std::ifstream stream(file);
    stream.imbue(std::locale::classic());
    std::string line;
    while (std::getline(stream, line) && line.rfind("ITEM: ATOMS", 0) != 0) {}
    SpherePile pile;
    pile.radius = grain_radius(scene);
    pile.mass = granular_scene(scene).bodies.front().mass;
    pile.half_width = granular_scene(scene).settings.world_size;
    std::uint64_t id = 0;
    Vec3 x, v, w;
    while (stream >> id >> x.x >> x.y >> x.z >> v.x >> v.y >> v.z >> w.x >> w.y >> w.z) {
        pile.positions.push_back(x);
        pile.velocities.push_back(v);
        pile.spins.push_back(w);
    }
    return pile;
}

std::string whole_file(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// "LAMMPS (29 Sep 2021 - Update 2)" and "LIGGGHTS (Version LIGGGHTS-PUBLIC 3.8.0, compiled …"
std::string version_in(const std::string& log) {
    const std::size_t open = log.find('('), close = log.find_first_of("),", open);
    if (open == std::string::npos || close == std::string::npos) return "unknown";
    std::string version = log.substr(open + 1, close - open - 1);
    if (version.rfind("Version ", 0) == 0) version.erase(0, 8);
    return version;
}

std::string last_lines(const std::string& text) {
    const std::size_t error = text.rfind("ERROR");
    if (error != std::string::npos) return text.substr(error, text.find('\n', error) - error);
    return text.size() > 400 ? text.substr(text.size() - 400) : text;
}

const char* program_of(DemPeer peer) { return peer == DemPeer::lammps ? "lmp" : "liggghts"; }

/// The input script. `data` and `dump` are the files it reads and writes.
std::string peer_deck(DemPeer peer, const Scene& scene, const DemRun& run, const std::string& data,
                      const std::string& dump) {
    const GranularSettings& s = granular_scene(scene).settings;
    const bool lammps = peer == DemPeer::lammps;
    std::string deck = "units si\n";
    deck += lammps ? "atom_style sphere\n" : "atom_style granular\n";
    deck += "boundary f f f\nnewton off\n";
    // the pile is flat: ranks side by side, none above another
    deck += "processors * 1 *\n";
    deck += lammps ? "comm_modify vel yes\n" : "communicate single vel yes\n";
    deck += "read_data " + data + "\n";
    add_text(deck, "neighbor %.9g bin\nneigh_modify delay 0 every 1 check yes\n", run.skin);
    if (lammps) add_lammps_law(deck, scene);
    else add_liggghts_law(deck, scene);
    add_text(deck, "fix weight all gravity %.9g vector 0 -1 0\n", -double{s.gravity.y});
    deck += "fix move all nve/sphere\n";
    add_text(deck, "timestep %.9g\nthermo_style custom step cpu\nthermo %d\n", double{s.time_step},
             run.block);
    if (!lammps) deck += "thermo_modify lost error\n";
    // the first run warms up, the second is timed, the third only writes the state
    add_text(deck, "run %d\nrun %d\n", run.warm_up, run.steps);
    deck += "dump final all custom 1 " + dump + " id x y z vx vy vz omegax omegay omegaz\n";
    deck += "dump_modify final sort id\nrun 0\n";
    return deck;
}

/// The grains as a LAMMPS data file; LIGGGHTS reads the same but for one comment.
std::string peer_data(DemPeer peer, const Scene& scene) {
    const double radius = grain_radius(scene), wall = granular_scene(scene).settings.world_size + radius;
    const double volume = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
    double top = 0;
    for (const GranularBodyDef& body : granular_scene(scene).bodies)
        top = std::max(top, double{body.position.y});
    std::string text =
        "settled grains\n\n" + std::to_string(granular_scene(scene).bodies.size()) + " atoms\n1 atom types\n";
    add_text(text, "%.9g %.9g xlo xhi\n%.9g %.9g ylo yhi\n%.9g %.9g zlo zhi\n\n", -wall, wall, -radius,
             top + 10 * radius, -wall, wall);
    text += peer == DemPeer::lammps ? "Atoms # sphere\n\n" : "Atoms\n\n";
    std::size_t id = 0;
    for (const GranularBodyDef& body : granular_scene(scene).bodies)
        add_text(text, "%zu 1 %.9g %.12g %.9g %.9g %.9g\n", ++id, 2 * radius, body.mass / volume,
                 double{body.position.x}, double{body.position.y}, double{body.position.z});
    text += "\nVelocities\n\n";
    id = 0;
    for (const GranularBodyDef& body : granular_scene(scene).bodies)
        add_text(text, "%zu %.9g %.9g %.9g %.9g %.9g %.9g\n", ++id, double{body.velocity.x},
                 double{body.velocity.y}, double{body.velocity.z}, double{body.angular_velocity.x},
                 double{body.angular_velocity.y}, double{body.angular_velocity.z});
    return text;
}

/// The clock at each block of the second run in a log, as milliseconds a step.
std::vector<double> block_times(const std::string& log, int block) {
    // a table is a line that begins with "Step" and the lines of two numbers below it
    std::vector<std::vector<std::pair<double, double>>> tables;
    bool inside = false;
    std::istringstream stream(log);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream fields(line);
        fields.imbue(std::locale::classic());
        std::string first, extra;
        double step = 0, seconds = 0;
        if (fields >> first && first == "Step") {
            tables.emplace_back();
            inside = true;
            continue;
        }
        if (!inside) continue;
        std::istringstream numbers(line);
        numbers.imbue(std::locale::classic());
        if (numbers >> step >> seconds && !(numbers >> extra)) tables.back().emplace_back(step, seconds);
        else inside = false;
    }
    std::vector<double> times;
    if (tables.size() < 2) return times;
    const auto& timed = tables[1];
    for (std::size_t i = 1; i < timed.size(); ++i)
        // a last block that is cut short is left out
        if (timed[i].first - timed[i - 1].first == block)
            times.push_back((timed[i].second - timed[i - 1].second) * 1e3 / block);
    return times;
}

} // namespace

std::string peer_name(DemPeer peer) { return peer == DemPeer::lammps ? "lammps" : "liggghts"; }

std::optional<std::string> peer_missing(DemPeer peer, int ranks) {
    if (!find_program(program_of(peer)))
        return peer_name(peer) + " is left out: no program '" + program_of(peer) +
               "' on the PATH (Debian: " + peer_name(peer) + ")";
    if (ranks > 1 && !find_program("mpirun"))
        return peer_name(peer) + " is left out at " + std::to_string(ranks) +
               " ranks: no program 'mpirun' on the PATH (Debian: openmpi-bin)";
    return std::nullopt;
}

DemResult run_peer(DemPeer peer, const Scene& scene, const DemRun& run) {
    TemporaryFolder folder;
    const std::string deck = folder.file("in"), data = folder.file("data"), dump = folder.file("dump");
    const std::string log = folder.file("log");
    std::ofstream(deck, std::ios::binary) << peer_deck(peer, scene, run, data, dump);
    std::ofstream data_stream(data, std::ios::binary);
    data_stream << peer_data(peer, scene);
    data_stream.close();
    if (!data_stream) throw Error("cannot be written; is there room in the temporary folder?", data);

    std::vector<std::string> arguments;
    if (run.ranks > 1) {
        arguments = {"mpirun", "-np", std::to_string(run.ranks), "--oversubscribe"};
        if (running_as_root()) arguments.push_back("--allow-run-as-root");
    }
    for (const std::string& word : {std::string(program_of(peer)), std::string("-in"), deck,
                                    std::string("-log"), log, std::string("-screen"), std::string("none")})
        arguments.push_back(word);
    const ProcessResult process = run_program(arguments);
    const std::string text = whole_file(log);

    DemResult result;
    result.version = version_in(text);
    result.block_ms = block_times(text, run.block);
    if (process.exit_code == 0) result.pile = read_dump(dump, scene);
    if (process.exit_code != 0 || result.block_ms.empty() ||
        result.pile.positions.size() != granular_scene(scene).bodies.size())
        throw Error("ended with exit code " + std::to_string(process.exit_code) + ": " +
                        last_lines(process.output + text),
                    peer_name(peer));
    return result;
}

} // namespace scree::bench
