// SPDX-License-Identifier: MIT
// look.cpp — see look.h.
#include "scene/look.h"

#include <string_view>

namespace scree {
namespace {

constexpr Range share{0, 1};

/// `[0.8, 0.2, 0.1]` or `"#cc3319"`, sRGB.
Vec3 read_colour(const Field& field) {
    if (field.value().kind != json::Kind::string) return field.vector(share);
    const std::string& text = field.value().text;
    constexpr std::string_view digits = "0123456789abcdef";
    float part[3] = {};
    bool good = text.size() == 7 && text[0] == '#';
    for (std::size_t i = 0; good && i < 3; ++i) {
        const auto digit = [&](char c) {
            return digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
        };
        const std::size_t high = digit(text[1 + 2 * i]), low = digit(text[2 + 2 * i]);
        good = high != digits.npos && low != digits.npos;
        part[i] = static_cast<float>(16 * high + low) / 255;
    }
    if (!good) field.refuse("a colour as \"#rrggbb\", or a list of 3 numbers from 0 to 1");
    return {part[0], part[1], part[2]};
}

AppearanceCamera read_camera(const Fields& fields) {
    AppearanceCamera camera;
    camera.eye = fields.at("eye").vector();
    camera.target = fields.at("target").vector();
    if (camera.eye == camera.target) fields.at("target").refuse("another point than \"eye\"");
    camera.fov = fields.number("fov", camera.fov, Range{1, 150});
    return camera;
}

/// Others than "camera": their names tell them apart, and from what --camera takes.
std::vector<AppearanceCamera> read_cameras(const Field& list) {
    std::vector<AppearanceCamera> cameras;
    for (std::size_t i = 0; i < list.list(1, 1000); ++i) {
        const Fields fields(list[i], format::named_camera);
        AppearanceCamera camera = read_camera(fields);
        const Field name = fields.at("name");
        camera.name = name.text();
        if (camera.name.empty() || camera.name.size() > 40 ||
            camera.name.find_first_of("=/\r\n") != std::string::npos)
            name.refuse("1 to 40 characters of one line without \"=\" and \"/\"");
        for (const AppearanceCamera& other : cameras)
            if (other.name == camera.name) name.refuse("a name that no other camera has");
        cameras.push_back(std::move(camera));
    }
    return cameras;
}

void read_shine(const Fields& fields, AppearanceLight& light) {
    if (const auto colour = fields.find("colour")) light.colour = read_colour(*colour);
    light.intensity = fields.number("intensity", light.intensity, not_negative);
    light.range = fields.number("range", light.range, positive);
}

AppearanceLight read_light(const Field& field) {
    const Fields fields(field, format::light);
    AppearanceLight light;
    if (fields.has("direction") == fields.has("position"))
        field.fail("expected either \"direction\" or \"position\"");
    if (const auto position = fields.find("position")) light.position = position->vector();
    if (const auto direction = fields.find("direction")) {
        light.direction = direction->vector();
        if (light.direction == Vec3{}) direction->refuse("a direction longer than 0");
    }
    read_shine(fields, light);
    return light;
}

Paint paint_of(const Fields& fields) {
    Paint paint;
    if (const auto colour = fields.find("colour")) paint.colour = read_colour(*colour);
    if (const auto roughness = fields.find("roughness")) paint.roughness = roughness->number(share);
    if (const auto metallic = fields.find("metallic")) paint.metallic = metallic->number(share);
    if (const auto opacity = fields.find("opacity")) paint.opacity = opacity->number(share);
    if (const auto texture = fields.find("texture"))
        paint.texture = texture_names[texture->choice(texture_names)];
    if (const auto size = fields.find("texture_size")) paint.texture_size = size->number(positive);
    return paint;
}

} // namespace

AppearanceLight read_carried_light(const Field& field) {
    const Fields fields(field, format::carried_light);
    AppearanceLight light;
    light.position = fields.vector("position", {});
    read_shine(fields, light);
    return light;
}

Paint read_paint(const Field& field) { return paint_of(Fields(field, format::paint)); }

std::vector<Paint> read_paints(const Field& field) {
    const Fields fields(field, format::paints);
    const auto colours = fields.find("colours");
    if (!colours) return {paint_of(fields)};
    if (fields.has("colour")) colours->fail("expected either \"colour\" or \"colours\"");
    std::vector<Paint> paints(colours->list(1, 1000), paint_of(fields));
    for (std::size_t i = 0; i < paints.size(); ++i) paints[i].colour = read_colour((*colours)[i]);
    return paints;
}

SceneLook read_look(const Fields& document) {
    SceneLook look;
    if (const auto camera = document.find("camera"))
        look.camera = read_camera(Fields(*camera, format::camera));
    if (const auto cameras = document.find("cameras")) look.cameras = read_cameras(*cameras);
    if (const auto lights = document.find("lights"))
        for (std::size_t i = 0; i < lights->list(0, 64); ++i) look.lights.push_back(read_light((*lights)[i]));
    if (const auto ground = document.find("ground")) {
        const Fields fields(*ground, format::ground);
        if (const auto shown = fields.find("shown")) look.ground.shown = shown->flag();
        if (const auto paint = fields.find("paint")) look.ground.paint = read_paint(*paint);
    }
    if (const auto sky = document.find("sky")) {
        const Fields fields(*sky, format::sky);
        if (const auto zenith = fields.find("zenith")) look.sky.zenith = read_colour(*zenith);
        if (const auto horizon = fields.find("horizon")) look.sky.horizon = read_colour(*horizon);
        look.sky.strength = fields.number("strength", look.sky.strength, not_negative);
        look.sky.fog = fields.number("fog", look.sky.fog, Range{0, 100});
        if (const auto colour = fields.find("fog_colour")) look.sky.fog_colour = read_colour(*colour);
    }
    if (const auto shading = document.find("shading"))
        look.shading = static_cast<Shading>(shading->choice(shading_names));
    return look;
}

} // namespace scree
