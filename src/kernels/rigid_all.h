// SPDX-License-Identifier: MIT
// rigid_all.h — the rigid world's kernel files in order, for one target; include it after all.h in the same namespace.

// clang-format off: the order matters
#include "kernels/blocks.h"
#include "kernels/rigid_locks.h"
#include "kernels/rigid_contact.h"
#include "kernels/rigid_flight.h"
#include "kernels/rigid_body.h"
#include "kernels/rigid_rows.h"
#include "kernels/rigid_coupling.h"
#include "kernels/rigid_joint.h"
#include "kernels/rigid_sor.h"
#include "kernels/rigid_pair.h"
#include "kernels/rigid_box.h"
#include "kernels/rigid_round.h"
#include "kernels/rigid_narrow.h"
// clang-format on
