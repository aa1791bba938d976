/* library.h - les.h for a test of its public part: with the implementation, unless -DLINKED says that an object file holds it.
   The Makefile compiles that object once for all tests with the same flags. */
#ifndef LINKED
#define LES_IMPLEMENTATION
#endif
#include "../les.h"
