/* Where this program is. */
#ifndef COPYCHECK_BASE_PROGRAM_H
#define COPYCHECK_BASE_PROGRAM_H

/* The folder of the program's file, behind symbolic links: what belongs to the program is looked for beside it. "."
 * where the system does not say. */
const char *ck_program_folder(void);

#endif
