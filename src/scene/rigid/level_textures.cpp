// SPDX-License-Identifier: MIT
// level_textures.cpp — pictures for the faces of a level or a model: files of a folder that are called as the materials.
#include "scene/files.h"
#include "scene/rigid/parts.h"
#include "scene/setting.h"
#include "text/file_text.h"
#include "text/words.h"

#include <algorithm>
#include <cctype>

namespace scree {
namespace {

constexpr std::string_view endings[] = {".png", ".jpg", ".jpeg", ".tga"};
constexpr std::string_view normal_map_endings[] = {"_norm", "_normal", "_local", "_n"};
constexpr std::size_t most_named = 5; // in a warning

std::string in_small_letters(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Names under which the picture of a material may lie in the folder, best first.
std::vector<std::string> names_of(const std::string& material) {
    std::vector<std::string> names{material};
    // a file's name cannot have the star of Quake's liquids everywhere
    if (material.rfind('*', 0) == 0) names.push_back("#" + material.substr(1));
    // Quake III and Doom 3 have a folder of that name before it, which their maps leave out or not
    if (material.rfind("textures/", 0) == 0) names.push_back(material.substr(9));
    for (std::size_t i = names.size(); i-- > 0;)
        if (std::string lower = in_small_letters(names[i]); lower != names[i])
            names.push_back(std::move(lower));
    return names;
}

/// The same for a model: those of its editor's machine, such as "/home/me/gun.png", too.
std::vector<std::string> names_in_model(std::string material) {
    std::replace(material.begin(), material.end(), '\\', '/');
    const std::size_t dot = material.rfind('.');
    if (dot != std::string::npos && std::find(std::begin(endings), std::end(endings),
                                              in_small_letters(material.substr(dot))) != std::end(endings))
        material.resize(dot);
    std::vector<std::string> names = names_of(material);
    if (const std::size_t slash = material.rfind('/'); slash != std::string::npos)
        for (std::string& last : names_of(material.substr(slash + 1))) names.push_back(std::move(last));
    std::erase_if(names, [](const std::string& name) { return name.empty() || name.back() == '/'; });
    return names;
}

/// The files of a folder that stand for materials.
class TextureFolder {
public:
    TextureFolder(const Field& folder, const ShapeSources& sources)
        : folder_(folder), sources_(sources), within_(folder.text()) {
        check_texture_folder(folder);
        if (!within_.empty() && within_.back() != '/') within_ += '/';
    }

    const SceneFile* seek(const std::string& name) const {
        for (const std::string_view ending : endings)
            if (const SceneFile* file = seek_file(folder_, within_ + name + std::string(ending),
                                                  sources_.options, sources_.files))
                return file;
        return nullptr;
    }
    AppearanceTexture find(const std::vector<std::string>& names) const {
        AppearanceTexture texture;
        for (const std::string& name : names) {
            const SceneFile* colours = seek(name);
            if (!colours) continue;
            texture.name = colours->name;
            texture.colours = std::make_shared<const std::string>(colours->bytes);
            for (const std::string_view ending : normal_map_endings)
                if (const SceneFile* normals = seek(name + std::string(ending))) {
                    texture.normals = std::make_shared<const std::string>(normals->bytes);
                    break;
                }
            break;
        }
        return texture;
    }
    void tell(const std::vector<std::string>& missing, std::size_t all, const char* instead,
              std::vector<std::string>& warnings) const {
        if (missing.empty()) return;
        std::string text = folder_.where() + ": " + count_text(missing.size()) + " of " + count_text(all) +
                           " materials have no .png, .jpg, .jpeg or .tga file in \"" + within_ + "\" and " +
                           instead + ":";
        for (std::size_t i = 0; i < std::min(missing.size(), most_named); ++i)
            text += (i ? ", " : " ") + missing[i];
        warnings.push_back(text + (missing.size() > most_named ? " …" : ""));
    }

private:
    const Field& folder_;
    const ShapeSources& sources_;
    std::string within_;
};

} // namespace

void check_texture_folder(const Field& folder) {
    // its files would be passed over in silence
    if (leads_out(folder.text())) folder.refuse("a folder beside the scene or below it");
}

std::vector<AppearanceTexture> find_textures(const Field& folder, const std::vector<std::string>& materials,
                                             const ShapeSources& sources,
                                             std::vector<std::string>& warnings) {
    const TextureFolder within(folder, sources);
    std::vector<AppearanceTexture> textures;
    std::vector<std::string> missing;
    for (const std::string& material : materials) {
        textures.push_back(within.find(names_of(material)));
        if (!textures.back().colours) missing.push_back(material);
    }
    within.tell(missing, materials.size(), "are painted by their names", warnings);
    return textures;
}

void find_model_textures(const Field& folder, SkinnedModel& model, const ShapeSources& sources,
                         std::vector<std::string>& warnings) {
    const TextureFolder within(folder, sources);
    const std::vector<std::string>& materials = model.mesh.materials;
    std::vector<std::string> missing;
    model.textures.resize(materials.size());
    for (std::size_t m = 0; m < materials.size(); ++m) {
        if (model.textures[m].colours) continue;
        AppearanceTexture found = within.find(names_in_model(materials[m]));
        model.textures[m] = {std::move(found.name), std::move(found.colours)};
        if (!model.textures[m].colours) missing.push_back(materials[m]);
    }
    within.tell(missing, materials.size(), "have one colour", warnings);
}

} // namespace scree
