// A file of the project with edits, its own host part and all.
#include "piece.cuh"
// SPDX-License-Identifier: Apache-2.0
