/* les_shared.c - les.h as a shared library for Python and other languages: it exports the les_ functions and nothing else

cc -O2 -shared -fPIC -fvisibility=hidden examples/shared_library/les_shared.c -o libles.so

   python3 examples/shared_library/minimize.py

On Windows: gcc -O2 -shared examples/shared_library/les_shared.c -o libles.dll; minimize.py then has to load "./libles.dll". */
#ifdef _WIN32
#define LES_API __declspec(dllexport)
#else
#define LES_API __attribute__((visibility("default")))
#endif
#define LES_IMPLEMENTATION
#include "../../les.h"
