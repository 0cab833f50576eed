// SPDX-License-Identifier: MIT
// material_name.h — what the name of a texture says to compilers of levels.
#pragma once

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>
#include <string_view>

namespace scree {

/// The last part of a texture's name, in lower case: editors and games do not agree on folders and case.
inline std::string plain_name(std::string_view material) {
    std::string name(material.substr(material.find_last_of("/\\") + 1)); // npos + 1 is 0
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

/// Whether a brush of it only tells where an entity turns.
inline bool marks_origin(std::string_view material) { return plain_name(material) == "origin"; }

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a brush of it stops bodies and is not seen: clip of Quake, and its kinds in Quake III, Half-Life and Doom 3.
inline bool marks_clip(std::string_view material) {
    return is_one_of(plain_name(material),
                     {"clip", "botclip", "fullclip", "monsterclip", "playerclip", "weapclip", "weaponclip",
                      "full_clip", "monster_clip", "player_clip", "moveable_clip"});
}

/// Whether a brush of it only tells a compiler or a game something, and stops nothing.
inline bool marks_tool(std::string_view material) {
    return is_one_of(plain_name(material),
                     {"hint", "hintskip", "hintlocal", "skip", "trigger", "aaatrigger", "origin",
                      "areaportal", "clusterportal", "antiportal", "lightgrid", "donotenter", "botclip",
                      "monsterclip", "nodrawnonsolid", "visportal", "trig_multi"});
}

/// Whether faces of it are not drawn, whether or not their brush is solid: clip and tools, Quake III's caulk, Half-Life's null,
/// and the sides of liquids that Quake's compilers skip.
inline bool draws_nothing(std::string_view material) {
    std::string name = plain_name(material);
    if (!name.empty() && (name[0] == '*' || name[0] == '!')) name.erase(0, 1);
    return marks_clip(name) || marks_tool(name) ||
           is_one_of(name, {"caulk", "nodraw", "invisible", "null", "waterskip", "slimeskip", "lavaskip"});
}

/// Whether faces of it stand for the sky: names of Quake's family begin with "sky", those of Quake III lie in a folder of skies.
inline bool marks_sky(std::string_view material) {
    for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
        end = material.find_first_of("/\\", begin);
        const std::string part =
            plain_name(material.substr(begin, end - begin)); // npos - begin: all the rest
        if (end != std::string_view::npos && (part == "sky" || part == "skies")) return true;
        if (end == std::string_view::npos && part.compare(0, 3, "sky") == 0)
            return part.size() == 3 || part[3] == '_' || part[3] == '-' || (part[3] >= '0' && part[3] <= '9');
    }
    return false;
}

} // namespace scree
