#ifndef COPYCHECK_VERSION_H
#define COPYCHECK_VERSION_H

#define CK_VERSION "0.1"

#endif
