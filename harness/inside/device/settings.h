/* What `copycheck exec` has chosen, in the environment variable COPYCHECK_EXEC. */
#ifndef COPYCHECK_INSIDE_SETTINGS_H
#define COPYCHECK_INSIDE_SETTINGS_H

/* Sets device.options, device.sms, and how what is said reaches exec (say.c). */
void settings_read(void);

#endif
// SPDX-License-Identifier: Apache-2.0
