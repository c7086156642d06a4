/* The targets from sm_90 on, by the PTX version that brought them, for rows that ask which targets take an instruction.
 */
#ifndef COPYCHECK_TESTS_BULK_TARGETS_H
#define COPYCHECK_TESTS_BULK_TARGETS_H

#define TARGETS_80  "sm_90|sm_90a"
#define TARGETS_86  "sm_100|sm_100a"
#define TARGETS_87  "sm_120|sm_120a"
#define TARGETS_88  "sm_100f|sm_103|sm_103a|sm_103f|sm_120f|sm_121|sm_121a|sm_121f"
#define TARGETS_90  "sm_110|sm_110a|sm_110f"
#define TARGETS_OLD "sm_75|sm_80|sm_86|sm_87|sm_89"

#define VERSIONS_SINCE_80 "8.0|8.1|8.2|8.3|8.4|8.5|8.6|8.7|8.8|9.0"

#endif
// SPDX-License-Identifier: Apache-2.0
