/* switches_opencl.c - the compile test of les_opencl.h: uses what each switch leaves of it

cc -DLES_NO_BBOB tests/switches_opencl.c -o switches_opencl -lOpenCL && ./switches_opencl */
#define LES_IMPLEMENTATION
#define LES_OPENCL_IMPLEMENTATION
#include "../les_opencl.h"
#include "../les_opencl.h"

int main(void) {
    size_t count = 0;
    const les_cl_result result = les_cl_list(NULL, 0, &count);
    les_cl_fitness *fitness = NULL;
    les_cl *cl = NULL;
    les_cl_close(cl);
    les_cl_fitness_destroy(fitness);
    return les_cl_result_text(result)[0] == 0 || les_cl_open(NULL, NULL) != LES_CL_ERROR_NULL;
}
