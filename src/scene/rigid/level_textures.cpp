// SPDX-License-Identifier: MIT
// level_textures.cpp — pictures for the faces of a level: files of a folder that are called as the map's materials.
#include "scene/files.h"
#include "scene/rigid/parts.h"
#include "scene/setting.h"
#include "text/words.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace scree {
namespace {

constexpr std::string_view endings[] = {".png", ".jpg", ".jpeg"};
constexpr std::string_view normal_map_endings[] = {"_norm", "_normal", "_local", "_n"};
constexpr std::size_t most_named = 5; // in a warning

/// Names under which the picture of a material may lie in the folder, best first.
std::vector<std::string> names_of(const std::string& material) {
    std::vector<std::string> names{material};
    // a file's name cannot have the star of Quake's liquids everywhere
    if (material.rfind('*', 0) == 0) names.push_back("#" + material.substr(1));
    // Quake III and Doom 3 have a folder of that name before it, which their maps leave out or not
    if (material.rfind("textures/", 0) == 0) names.push_back(material.substr(9));
    for (std::size_t i = names.size(); i-- > 0;) {
        std::string lower = names[i];
        for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (lower != names[i]) names.push_back(std::move(lower));
    }
    return names;
}

} // namespace

void check_texture_folder(const Field& folder) {
    const std::string name = folder.text();
    const std::filesystem::path path(name);
    // files in any of these would be passed over in silence
    if (path.has_root_path() || name.find_first_of(":\\") != std::string::npos ||
        std::find(path.begin(), path.end(), "..") != path.end())
        folder.refuse("a folder beside the scene or below it");
}

std::vector<AppearanceTexture> find_textures(const Field& folder, const std::vector<std::string>& materials,
                                             const ShapeSources& sources,
                                             std::vector<std::string>& warnings) {
    std::string within = folder.text();
    if (!within.empty() && within.back() != '/') within += '/';
    const auto seek = [&](const std::string& name) -> const SceneFile* {
        for (const std::string_view ending : endings)
            if (const SceneFile* file =
                    seek_file(folder, within + name + std::string(ending), sources.options, sources.files))
                return file;
        return nullptr;
    };
    std::vector<AppearanceTexture> textures(materials.size());
    std::vector<std::string> missing;
    for (std::size_t m = 0; m < materials.size(); ++m) {
        for (const std::string& name : names_of(materials[m])) {
            const SceneFile* colours = seek(name);
            if (!colours) continue;
            textures[m].name = colours->name;
            textures[m].colours = std::make_shared<const std::string>(colours->bytes);
            for (const std::string_view ending : normal_map_endings)
                if (const SceneFile* normals = seek(name + std::string(ending))) {
                    textures[m].normals = std::make_shared<const std::string>(normals->bytes);
                    break;
                }
            break;
        }
        if (!textures[m].colours) missing.push_back(materials[m]);
    }
    if (!missing.empty()) {
        std::string text = folder.where() + ": " + count_text(missing.size()) + " of " +
                           count_text(materials.size()) +
                           " materials have no .png, .jpg or .jpeg file in \"" + within +
                           "\" and are painted by their names:";
        for (std::size_t i = 0; i < std::min(missing.size(), most_named); ++i)
            text += (i ? ", " : " ") + missing[i];
        warnings.push_back(text + (missing.size() > most_named ? " …" : ""));
    }
    return textures;
}

} // namespace scree
