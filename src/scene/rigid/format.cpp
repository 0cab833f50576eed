// SPDX-License-Identifier: MIT
// format.cpp — the keys of rigid scenes; see scene/format.h. Those of "world" and "expect" come from the tables of kind.cpp.
#include "scene/rigid/format.h"

namespace scree::format {
namespace {

constexpr bool required = true;

constexpr Key material_keys[] = {{"name", required},     {"friction"},         {"restitution"},
                                 {"rolling_resistance"}, {"surface_velocity"}, {"friction_rule"},
                                 {"restitution_rule"}};
constexpr Key filter_keys[] = {{"category"}, {"mask"}, {"group"}};
constexpr Key shape_keys[] = {
    {"name", required}, {"density"},    {"material"}, {"filter"}, {"paint"},   {"sensor"},
    {"contact_events"}, {"hit_events"}, {"one_way"},  {"sphere"}, {"capsule"}, {"box"},
    {"cylinder"},       {"cone"},       {"plane"},    {"hull"},   {"mesh"},    {"height_field"},
    {"convex_parts"},   {"level"},      {"compound"}, {"draw"},   {"lights"}};
constexpr Key part_keys[] = {{"position"}, {"rotation"}, {"density"},        {"material"},
                             {"filter"},   {"sensor"},   {"contact_events"}, {"hit_events"},
                             {"one_way"},  {"paint"},    {"sphere"},         {"capsule"},
                             {"box"},      {"cylinder"}, {"cone"},           {"plane"},
                             {"hull"},     {"mesh"},     {"height_field"},   {"convex_parts"}};
constexpr Key drawn_keys[] = {{"position"}, {"rotation"}, {"paint"}, {"sphere"}, {"capsule"},
                              {"box"},      {"cylinder"}, {"cone"},  {"hull"},   {"mesh"}};
constexpr Key convex_parts_keys[] = {
    {"file", required}, {"scale"}, {"concavity"}, {"max_parts"}, {"resolution"}};
constexpr Key level_keys[] = {{"file", required}, {"scale"},    {"patch_error"},
                              {"lights"},         {"textures"}, {"collision_cells"}};
constexpr Key sphere_keys[] = {{"radius", required}};
constexpr Key box_keys[] = {{"half_size", required}};
constexpr Key round_keys[] = {{"half_height", required}, {"radius", required}};
constexpr Key hull_keys[] = {{"points"}, {"file"}, {"scale"}};
constexpr Key mesh_keys[] = {{"vertices"}, {"triangles"}, {"file"}, {"two_sided"}, {"scale"}};
constexpr Key height_field_keys[] = {{"columns", required}, {"rows", required}, {"spacing", required},
                                     {"heights"},           {"bowl"},           {"bumps"},
                                     {"bump_size"},         {"seed"},           {"scale"}};
constexpr Key body_keys[] = {{"name"},
                             {"shape", required},
                             {"position", required},
                             {"rotation"},
                             {"type"},
                             {"velocity"},
                             {"angular_velocity"},
                             {"linear_damping"},
                             {"angular_damping"},
                             {"gravity_scale"},
                             {"max_speed"},
                             {"max_angular_speed"},
                             {"locks"},
                             {"can_sleep"},
                             {"bullet"},
                             {"sleep_events"},
                             {"awake"},
                             {"mass"},
                             {"density"},
                             {"material"},
                             {"paint"}};
constexpr Key each_keys[] = {{"type"},
                             {"velocity"},
                             {"angular_velocity"},
                             {"linear_damping"},
                             {"angular_damping"},
                             {"gravity_scale"},
                             {"max_speed"},
                             {"max_angular_speed"},
                             {"locks"},
                             {"can_sleep"},
                             {"bullet"},
                             {"sleep_events"},
                             {"awake"},
                             {"mass"},
                             {"density"},
                             {"material"},
                             {"paint"}};
constexpr Key generator_keys[] = {{"pyramid"},   {"stack"},    {"wall"},    {"lattice"},
                                  {"container"}, {"funnel"},   {"arch"},    {"card_house"},
                                  {"chain"},     {"molecule"}, {"ragdolls"}};
constexpr Key pyramid_keys[] = {{"name"}, {"shape", required}, {"base", required}, {"origin"}, {"gap"},
                                {"each"}};
constexpr Key stack_keys[] = {{"name"}, {"shape", required}, {"count", required}, {"origin"}, {"gap"},
                              {"each"}};
constexpr Key wall_keys[] = {
    {"name"}, {"shape", required}, {"columns", required}, {"rows", required}, {"origin"}, {"gap"}, {"each"}};
constexpr Key lattice_keys[] = {{"name"},
                                {"shape"},
                                {"shapes"},
                                {"counts", required},
                                {"spacing", required},
                                {"origin"},
                                {"shift"},
                                {"jitter"},
                                {"tilt_degrees"},
                                {"tumble"},
                                {"refine"},
                                {"strata"},
                                {"seed"},
                                {"each"}};
constexpr Key container_keys[] = {{"name"},   {"inner", required}, {"thickness"},
                                  {"origin"}, {"material"},        {"paint"}};
constexpr Key funnel_keys[] = {{"name"},      {"top", required}, {"hole", required}, {"height", required},
                               {"thickness"}, {"origin"},        {"material"},       {"paint"}};
constexpr Key arch_keys[] = {{"name"},
                             {"stones", required},
                             {"radius", required},
                             {"thickness", required},
                             {"depth", required},
                             {"origin"},
                             {"each"}};
constexpr Key card_house_keys[] = {{"name"}, {"levels", required}, {"half_size"}, {"lean_degrees"},
                                   {"gap"},  {"origin"},           {"each"}};
constexpr Key chain_keys[] = {{"name"},
                              {"shape", required},
                              {"count", required},
                              {"origin"},
                              {"direction"},
                              {"pitch"},
                              {"joint"},
                              {"axis"},
                              {"anchored"},
                              {"each"}};
constexpr Key molecule_keys[] = {{"name"}, {"side", required}, {"radius"}, {"gap"}, {"origin"}, {"each"}};
constexpr Key ragdolls_keys[] = {{"name"},   {"count", required}, {"columns"},  {"spacing"},
                                 {"height"}, {"limits"},          {"friction"}, {"tumble"},
                                 {"seed"},   {"origin"},          {"each"}};
constexpr Key joint_keys[] = {{"type", required}, {"first", required},
                              {"second"},         {"anchor", required},
                              {"axis"},           {"collide"},
                              {"second_anchor"},  {"limit"},
                              {"motor"},          {"spring"},
                              {"friction"},       {"swing"},
                              {"length"},         {"up"},
                              {"suspension"},     {"steer"},
                              {"axes"},           {"pose"},
                              {"break_force"},    {"break_torque"},
                              {"second_axis"},    {"ratio"},
                              {"ground"}};
constexpr Key joint_limit_keys[] = {{"low"}, {"high"}};
constexpr Key joint_motor_keys[] = {{"speed", required}, {"max_force"}};
constexpr Key joint_spring_keys[] = {{"hertz"}, {"damping_ratio"}, {"target"}, {"max_force"}};
constexpr Key joint_axis_keys[] = {{"limit"}, {"motor"}, {"spring"}, {"friction"}, {"locked"}};
constexpr Key joint_axes_keys[] = {{"x"}, {"y"}, {"z"}, {"turn_x"}, {"turn_y"}, {"turn_z"}};
constexpr Key joint_pose_keys[] = {{"position"},      {"rotation"},  {"hertz"},
                                   {"damping_ratio"}, {"max_force"}, {"max_torque"}};
constexpr Key body_paint_keys[] = {{"body", required}, {"paint", required}};
constexpr Key character_keys[] = {{"name"},        {"figure"}, {"file"},   {"clips"},    {"clip"},
                                  {"blend"},       {"up"},     {"scale"},  {"position"}, {"rotation"},
                                  {"speed"},       {"start"},  {"bodies"}, {"density"},  {"falls"},
                                  {"root_motion"}, {"rises"},  {"paint"},  {"textures"}};
constexpr Key figure_keys[] = {{"height"}};
constexpr Key clip_blend_keys[] = {{"clip", required}, {"share", required}};
constexpr Key motion_keys[] = {{"body", required}, {"on"}, {"axis"}, {"repeat"}, {"keys", required}};
constexpr Key motion_key_keys[] = {{"at", required}, {"move"}, {"turn"}};
constexpr Key force_keys[] = {{"body", required}, {"force"}, {"torque"}, {"from"}, {"until"}};
constexpr Key force_field_keys[] = {{"wind"}, {"water"}, {"attractor"}, {"region"}};
constexpr Key wind_keys[] = {{"velocity", required}, {"density"}, {"drag"}};
constexpr Key water_keys[] = {{"surface", required}, {"normal"}, {"velocity"},
                              {"density"},           {"drag"},   {"damping"}};
constexpr Key attractor_keys[] = {
    {"centre", required}, {"strength", required}, {"radius"}, {"falloff"}, {"core"}};
constexpr Key region_keys[] = {{"low", required}, {"high", required}};
constexpr Key explosion_keys[] = {
    {"centre", required}, {"radius", required}, {"falloff"}, {"impulse", required}, {"at"}};
constexpr Key action_keys[] = {{"name", required},  {"key"},      {"body"}, {"impulse"},
                               {"angular_impulse"}, {"explosion"}};
constexpr Key script_line_keys[] = {{"at", required}, {"action", required}};
constexpr Key cloth_keys[] = {{"balloon"},        {"can_sleep"},   {"grid"},      {"net"},
                              {"tube"},           {"rope"},        {"file"},      {"scale"},
                              {"weld"},           {"vertices"},    {"triangles"}, {"lines"},
                              {"position"},       {"rotation"},    {"velocity"},  {"material"},
                              {"pins"},           {"max_stretch"}, {"tethers"},   {"surface_collision"},
                              {"self_collision"}, {"wind"},        {"pressure"},  {"filter"},
                              {"user_data"},      {"paint"}};
constexpr Key cloth_grid_keys[] = {{"size", required}, {"vertices", required}};
constexpr Key cloth_balloon_keys[] = {{"radius", required}, {"segments", required}};
constexpr Key cloth_tube_keys[] = {{"radii", required}, {"height", required}, {"vertices", required}};
constexpr Key cloth_rope_keys[] = {{"from", required}, {"to", required}, {"segments", required}, {"radius"}};
constexpr Key cloth_material_keys[] = {{"tear"},    {"density"},   {"stretch"},  {"bend"},
                                       {"damping"}, {"thickness"}, {"friction"}, {"drag"}};
constexpr Key cloth_pin_keys[] = {{"vertex", required}, {"count"}, {"step"}, {"body"}, {"point"}};

} // namespace

const Object material{"material", material_keys}, filter{"filter", filter_keys},
    rigid_shape{"rigid_shape", shape_keys}, part{"part", part_keys},
    rigid_sphere{"rigid_sphere", sphere_keys}, rigid_box{"rigid_box", box_keys}, round{"round", round_keys},
    rigid_plane{"rigid_plane", {}}, hull{"hull", hull_keys}, rigid_mesh{"rigid_mesh", mesh_keys},
    convex_parts{"convex_parts", convex_parts_keys}, level{"level", level_keys}, drawn{"drawn", drawn_keys},
    height_field{"height_field", height_field_keys}, rigid_body{"rigid_body", body_keys},
    each{"each", each_keys}, rigid_generator{"rigid_generator", generator_keys},
    pyramid{"pyramid", pyramid_keys}, stack{"stack", stack_keys}, wall{"wall", wall_keys},
    rigid_lattice{"rigid_lattice", lattice_keys}, container{"container", container_keys},
    funnel{"funnel", funnel_keys}, arch{"arch", arch_keys}, card_house{"card_house", card_house_keys},
    chain{"chain", chain_keys}, molecule{"molecule", molecule_keys}, ragdolls{"ragdolls", ragdolls_keys},
    joint{"joint", joint_keys}, joint_limit{"joint_limit", joint_limit_keys},
    joint_motor{"joint_motor", joint_motor_keys}, joint_spring{"joint_spring", joint_spring_keys},
    joint_axis{"joint_axis", joint_axis_keys}, joint_axes{"joint_axes", joint_axes_keys},
    joint_pose{"joint_pose", joint_pose_keys}, character{"character", character_keys},
    figure{"figure", figure_keys}, clip_blend{"clip_blend", clip_blend_keys}, motion{"motion", motion_keys},
    motion_key{"motion_key", motion_key_keys}, force{"force", force_keys},
    force_field{"force_field", force_field_keys}, wind{"wind", wind_keys}, water{"water", water_keys},
    attractor{"attractor", attractor_keys}, region{"region", region_keys},
    explosion{"explosion", explosion_keys}, action{"action", action_keys},
    script_line{"script_line", script_line_keys}, body_paint{"body_paint", body_paint_keys},
    cloth{"cloth", cloth_keys}, cloth_grid{"cloth_grid", cloth_grid_keys},
    cloth_balloon{"cloth_balloon", cloth_balloon_keys}, cloth_tube{"cloth_tube", cloth_tube_keys},
    cloth_rope{"cloth_rope", cloth_rope_keys}, cloth_material{"cloth_material", cloth_material_keys},
    cloth_pin{"cloth_pin", cloth_pin_keys};

} // namespace scree::format
