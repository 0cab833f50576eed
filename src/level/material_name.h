// SPDX-License-Identifier: MIT
// material_name.h — what the name of a texture says to compilers of levels.
#pragma once

#include <cctype>
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

/// Whether a brush of it stops bodies and is not seen: clip of Quake, and its kinds in Quake III, Half-Life and Doom 3.
inline bool marks_clip(std::string_view material) {
    const std::string name = plain_name(material);
    for (const char* clip : {"clip", "botclip", "fullclip", "monsterclip", "playerclip", "weapclip",
                             "weaponclip", "full_clip", "monster_clip", "player_clip", "moveable_clip"})
        if (name == clip) return true;
    return false;
}

} // namespace scree
