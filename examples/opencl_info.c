/* opencl_info.c - the OpenCL devices of this machine, numbered as LES_OPENCL_DEVICE and les_cl_desc.index count them

cc examples/opencl_info.c -o opencl_info -lOpenCL && ./opencl_info

   Without OpenCL on the machine that links: cc -DLES_OPENCL_DLOPEN examples/opencl_info.c -o opencl_info -ldl
   LES_OPENCL_DEVICE=gpu (or cpu, a number, a part of a name) marks another device than the default. */
#define LES_NO_META
#define LES_NO_BBOB
#define LES_IMPLEMENTATION
#define LES_OPENCL_IMPLEMENTATION
#include "../les_opencl.h"
#include <stdio.h>

enum { MOST = 64 };

static const char *kind_name(les_cl_kind kind) {
    static const char *const names[] = {"other", "GPU", "CPU", "accelerator"};
    return names[kind];
}

static void print_device(size_t number, const les_cl_info *info, int chosen) {
    printf("%c %lu  %s (%s, %s)\n", chosen ? '*' : ' ', (unsigned long)number, info->name, kind_name(info->kind), info->platform);
    printf("     %s, driver %s\n", info->version, info->driver);
    printf("     %lu units, groups up to %lu, memory %.1f GiB, largest buffer %.1f GiB\n", (unsigned long)info->units,
           (unsigned long)info->largest_group, (double)info->memory / 1073741824.0, (double)info->largest_buffer / 1073741824.0);
    printf("     double precision: %s; divisions correctly rounded: %s; denormals: %s\n", info->fp64 ? "yes" : "no",
           info->correctly_rounded ? "yes" : "no", info->denormals ? "yes" : "no");
}

/* The one that les_cl_open takes, by its description: a second of the same make looks the same. */
static int is_chosen(const les_cl_info *info) {
    les_cl_desc desc = {0};
    les_cl_info chosen = {0};
    les_cl *cl;
    desc.environment = "LES_OPENCL_DEVICE";
    if (les_cl_open(&cl, &desc) != LES_CL_OK) return 0;
    les_cl_get_info(cl, &chosen);
    les_cl_close(cl);
    return !memcmp(&chosen, info, sizeof chosen);
}

int main(void) {
    static les_cl_info infos[MOST];
    size_t count, i;
    int marked = 0;
    const les_cl_result result = les_cl_list(infos, MOST, &count);
    if (result != LES_CL_OK) {                          /* an answer, no failure: les.h does without */
        printf("no device: %s\n", les_cl_result_text(result));
        return 0;
    }
    for (i = 0; i < count && i < MOST; i++) {
        const int chosen = !marked && is_chosen(&infos[i]);
        marked |= chosen;
        print_device(i + 1, &infos[i], chosen);
    }
    printf("%lu devices%s\n", (unsigned long)count, marked ? ", * is taken" : ", LES_OPENCL_DEVICE fits none");
    return 0;
}
