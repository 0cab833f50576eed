// SPDX-License-Identifier: MIT
// scree.h — all of Scree's public headers.
#pragma once

#include "scree/appearance.h"
#include "scree/chain.h"
#include "scree/character.h"
#include "scree/error.h"
#include "scree/field.h"
#include "scree/granular.h"
#include "scree/granular_scene.h"
#include "scree/ids.h"
#include "scree/math.h"
#include "scree/place.h"
#include "scree/query.h"
#include "scree/recording.h"
#include "scree/rigid_scene.h"
#include "scree/rollback.h"
#include "scree/scene.h"
#include "scree/shape.h"
#include "scree/version.h"
#include "scree/warning.h"
#include "scree/world.h"
#include "scree/worlds.h"
