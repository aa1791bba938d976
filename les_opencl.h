// les_opencl.h - v0.1.0 - optional companion of les.h: populations and meta-training on any OpenCL device - MIT or public domain
//
//   1. Drop les.h and les_opencl.h into your project.
//   2. In the one file with LES_IMPLEMENTATION:   #define LES_OPENCL_IMPLEMENTATION   too, then   #include "les_opencl.h"   only.
//   3. cc program.c -lOpenCL     (with LES_OPENCL_DLOPEN:  cc program.c -ldl, and a machine without OpenCL is a result, not a crash)
//
// CONTENTS  (search the anchor to get there)
//   manual:          >>cl-quickstart  >>cl-switches  >>cl-choice  >>cl-fitness  >>cl-learning  >>cl-training  >>cl-same  >>cl-memory
//                    >>cl-errors  >>cl-threads
//   declarations:    >>cl-api-results  >>cl-api-device  >>cl-api-fitness  >>cl-api-meta
//   implementation:  >>cl-calls  >>cl-source  >>cl-device  >>cl-build  >>cl-evaluation  >>cl-learn  >>cl-meta
//
// >>cl-quickstart
//   les_cl *cl;  les_cl_fitness *fitness;  double f[1024];
//   les_cl_fitness_desc d = {0};
//   d.source = "float fitness(__global const float *x, uint dim) { return x[0] * x[0] + x[1] * x[1]; }";
//   if (les_cl_open(&cl, NULL) != LES_CL_OK) ...             // the best device there is; else go on with les.h alone
//   if (les_cl_fitness_create(&fitness, cl, &d) != LES_CL_OK) fputs(les_cl_log(cl), stderr);
//   while (!les_stop(es)) {                                  // es: any handle of les.h
//       les_cl_evaluate(fitness, es, f);                     // members are drawn and evaluated on the device; f: popsize doubles
//       les_cl_tell(fitness, es, f);                         // and drawn again there to learn from; or les_ask and les_tell, on the host
//   }
//   les_cl_fitness_destroy(fitness);  les_cl_close(cl);
//
// >>cl-switches   define before the include, the same in every file that includes les_opencl.h, but for the first
//   LES_OPENCL_IMPLEMENTATION   this file holds the function bodies; the file of LES_IMPLEMENTATION, before les.h is first included
//   LES_OPENCL_DLOPEN           the OpenCL loader is looked for when a device is opened, instead of being linked (dlopen, LoadLibrary)
//   CL_TARGET_OPENCL_VERSION    as the OpenCL headers have it; 120 unless you say otherwise. Nothing beyond OpenCL 1.2 is asked for
//   Needs the headers <CL/cl.h>; the switches of les.h have to be the same, as always.
//
// >>cl-choice     les_cl_list shows all devices of all platforms. les_cl_desc chooses: those of a kind, whose name or platform holds a
//   text (case does not matter), the n-th of what is left. With `environment`, the name of a variable, its value decides first if it is
//   set and not empty: gpu, cpu or accelerator, a number as les_cl_list counts from 1, or a part of a name. Without any wish: the first
//   GPU, or the first device. Or hand over context and device of yours, and a queue (in order) if you like: they stay yours and are used
//   only inside the calls here.
//
// >>cl-fitness    one function of OpenCL C 1.2, called once for each member:
//       float fitness(__global const float *x, uint dim, BUFFERS)
//   x are the member's dim coordinates; BUFFERS one parameter `__global const T *` for each buffer of the descriptor, with T of your
//   choice, e.g. float or int. It returns what is told: NaN or an infinity is a failed evaluation, as everywhere in les.h. The function's
//   name is free (`name`). With `fp64` it may return a double and compute in doubles. What les.h itself computes with is there to use:
//   lesi_exp_s, lesi_log_s, lesi_sqrt_s, lesi_cos_s (of turns) and lesi_philox, see les.h.
//   FP contraction is off and divisions are correctly rounded where the device offers it, so that results are those of a plain C compiler.
//   Test functions: a les_bbob made with float_path; what is told is f - f_opt, as by les_bbob_gaps, in any dimension up to 512.
//   One member is one work-item (of test functions on a CPU sixteen are): many members of moderate dimension suit a GPU, few members of
//   a large one do not.
//
// >>cl-learning   les_cl_tell is les_tell with the sums over the population left to the device: the moments of all members, and the
//   attention of the contracts paper and scale_free, whose popsize^2 pairs are never stored. The host ranks popsize values and updates mean
//   and deviations, 2 dim numbers, in the handle, which can be saved, asked or told on the host at any time. It pays for attention over
//   large populations, and for evaluation so cheap that asking is most of a generation: bench/opencl.c says from where on.
//
// >>cl-training   les_cl_meta scores the candidates of meta-training: all of them on all tasks in one launch, or as few as memory allows,
//   one candidate a work-item (sixteen on a CPU). Any number of devices and threads may share a generation, each with its own
//   les_cl_meta. examples/metabbo.c --opencl is a whole trainer.
//       les_cl_meta_create(&rolls, cl, LES_CONTRACT_GATED);
//       for (;;) les_cl_meta_step(rolls, training);          // instead of les_meta_step; training: a les_meta of that contract
//   Or step by step: les_meta_sample, les_cl_meta_score, an update of your own; or les_meta_ask, les_cl_meta_evaluate, les_meta_tell.
//   Tasks are prepared by the host with all their random numbers, as for les_meta_score, and travel once a generation.
//
// >>cl-same       The kernels' arithmetic is compiled from the very text of les.h: Philox, the normals, the test functions, the roll-outs.
//   A float build and a device with IEEE operations agree bit for bit on members. A double build draws in double, the device in float:
//   they agree to single precision; les_tell learns from the host's members, les_cl_tell from the same normals, with bounds from the
//   device's members, to single precision of the mean then. Sums run in a fixed order in one work-item, so that work-group sizes,
//   runs and drivers' schedules cannot change a bit; there are no atomics. les_cl_tell adds up members in the host's order, 1024 at a
//   time: with up to 1024 of them, in a float build, it has the bits of les_tell, but for attention, which is in double on the host. Scores
//   of meta-training are single precision on both sides, from the same text and the same numbers: the same bits for both builds.
//   Drawn on the device: gaussian, discovered, open_es, pgpe, snes, sep_cma_es, learned with contract paper or scale_free. The others
//   (asebo, cma_es, learned with anchored, gated, gated_full) are asked on the host and their points travel: right, and slower.
//
// >>cl-memory     A population that does not fit into the device's memory is drawn and evaluated a part at a time, with the same values.
//   What is taken is held until the fitness, or the les_cl_meta, is destroyed. Roll-outs take turns when not all of them fit. A les_es of
//   les.h holds one population in the host's memory.
//
// >>cl-errors     Every call that can fail returns a les_cl_result, in words by les_cl_result_text; the OpenCL code of the last failed
//   call is les_cl_code. After a failed build les_cl_log has device, driver, options and the compiler's messages, whose lines are those of
//   your source. No device is a normal answer: les.h goes on without one. A device that fails in the middle of les_cl_tell costs nothing but
//   time: the host does it over. After a failed les_cl_meta_step the training run is still asked: step again, or let the host score it.
//
// >>cl-threads    A les_cl, its fitnesses and les_cl_metas belong to one thread at a time; several of them, of one device too, to several
//   threads. There is no global state. Nothing is printed; the environment is read only by the name you give.

#ifndef LES_OPENCL_H
#define LES_OPENCL_H

#include "les.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#ifdef LES_OPENCL_DLOPEN
#define LESI_CL_DLOPEN (1 - LES_OPENCL_DLOPEN - 1 != 0)      /* empty or 1: on */
#else
#define LESI_CL_DLOPEN 0
#endif

#if LESI_FLOAT    // as in les.h
#define les_cl_result_text     les_f32_cl_result_text
#define les_cl_list            les_f32_cl_list
#define les_cl_open            les_f32_cl_open
#define les_cl_close           les_f32_cl_close
#define les_cl_get_info        les_f32_cl_get_info
#define les_cl_code            les_f32_cl_code
#define les_cl_log             les_f32_cl_log
#define les_cl_fitness_create  les_f32_cl_fitness_create
#define les_cl_fitness_destroy les_f32_cl_fitness_destroy
#define les_cl_fitness_write   les_f32_cl_fitness_write
#define les_cl_points          les_f32_cl_points
#define les_cl_evaluate        les_f32_cl_evaluate
#define les_cl_tell            les_f32_cl_tell
#define les_cl_members         les_f32_cl_members
#define les_cl_words           les_f32_cl_words
#define les_cl_meta_create     les_f32_cl_meta_create
#define les_cl_meta_destroy    les_f32_cl_meta_destroy
#define les_cl_meta_score      les_f32_cl_meta_score
#define les_cl_meta_evaluate   les_f32_cl_meta_evaluate
#define les_cl_meta_step       les_f32_cl_meta_step
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-api-results

typedef enum les_cl_result {
    LES_CL_OK = 0,
    LES_CL_ERROR_NULL,                 // a pointer that is needed is NULL
    LES_CL_ERROR_LOADER,               // no OpenCL loader on this machine (LES_OPENCL_DLOPEN)
    LES_CL_ERROR_PLATFORM,             // a loader, but no platform: no driver is installed
    LES_CL_ERROR_DEVICE,               // no device, or none as wished
    LES_CL_ERROR_FP64,                 // double precision is needed, and the device has none or it is masked
    LES_CL_ERROR_BUILD,                // a kernel does not compile: see les_cl_log
    LES_CL_ERROR_DEVICE_MEMORY,        // the device's memory, or memory_limit, does not hold it
    LES_CL_ERROR_MEMORY,               // no memory on the host
    LES_CL_ERROR_ALLOCATOR,            // no allocator given and malloc switched off, or only half of the pair given
    LES_CL_ERROR_DESC,                 // a descriptor that contradicts itself: see there
    LES_CL_ERROR_DIM,                  // dim is 0, beyond 2^32 - 1, or not that of the test function
    LES_CL_ERROR_COUNT,                // no such buffer, or not its size
    LES_CL_ERROR_ASK,                  // les_ask of the handle failed
    LES_CL_ALL_FAILED,                 // every evaluation failed: the generation is over, and nothing was learnt
    LES_CL_ERROR_TASK,                 // les_meta_score would refuse a task, the weights or a candidate
    LES_CL_ERROR_CALL,                 // any other OpenCL error: see les_cl_code
    LES_CL_RESULT_COUNT
} les_cl_result;

LES_API const char *les_cl_result_text(les_cl_result result);          // in words; static storage, never NULL

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-api-device

typedef struct les_cl les_cl;           // a device with context and queue

typedef enum les_cl_kind { LES_CL_ANY = 0, LES_CL_GPU, LES_CL_CPU, LES_CL_ACCELERATOR } les_cl_kind;

typedef struct les_cl_info {            // texts are cut to size and end with 0
    char        platform[64], name[128], version[96], driver[64];
    les_cl_kind kind;                   // ANY: another kind
    int         fp64;                   // double precision
    int         correctly_rounded;      // single-precision division and square root can be
    int         denormals;              // single precision keeps numbers below 1.2e-38
    uint32_t    units;                  // compute units
    size_t      largest_group;          // work-items in a work-group
    uint64_t    memory, largest_buffer; // bytes
} les_cl_info;

// The first `capacity` devices into infos (may be NULL with capacity 0), in the loader's order, platform by platform; *count: how many
// there are. Errors: NULL, LOADER, PLATFORM, DEVICE, MEMORY, CALL.
LES_API les_cl_result les_cl_list(les_cl_info *infos, size_t capacity, size_t *count);

//   field            default                meaning
//   kind             any, a GPU first       only devices of that kind
//   name             none                   only devices whose name or platform's name holds this text, in any case
//   index            1                      the n-th of those left, as les_cl_list orders them (without a wish: GPUs first)
//   environment      none                   name of a variable that decides if set and not empty, see >>cl-choice
//   no_fp64          0                      non-zero: double precision counts as missing
//   local_size       64                     work-items in a work-group, as far as device and kernel allow; SIZE_MAX: as many as they do; of
//                                           roll-outs at most 64, and 1 on a CPU by default
//   memory_limit     3/4 of the device's    bytes of device memory to be taken at most
//   context, device  none                   both, of yours, instead of a choice: they stay yours
//   queue            one is made            of that context and device, in order; stays yours
//   allocator        malloc and free
typedef struct les_cl_desc {
    les_cl_kind      kind;
    const char      *name;
    size_t           index;
    const char      *environment;
    int              no_fp64;
    size_t           local_size;
    uint64_t         memory_limit;
    cl_context       context;
    cl_device_id     device;
    cl_command_queue queue;
    les_allocator    allocator;
} les_cl_desc;

// desc may be NULL. *cl is NULL on failure. Errors: NULL, LOADER, PLATFORM, DEVICE, ALLOCATOR, MEMORY, DESC (context without device or
// the reverse, or a queue without them), DEVICE_MEMORY, CALL.
LES_API les_cl_result les_cl_open(les_cl **cl, const les_cl_desc *desc);
LES_API void          les_cl_close(les_cl *cl);                        // after its fitnesses and les_cl_metas; NULL is fine
LES_API les_cl_result les_cl_get_info(const les_cl *cl, les_cl_info *info);    // fp64 as masked
LES_API int           les_cl_code(const les_cl *cl);                   // the OpenCL code of the last call that failed, 0: none
LES_API const char   *les_cl_log(const les_cl *cl);                    // of the last build if that failed, else ""; valid until the next build

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-api-fitness

#define LES_CL_BUFFERS 8

typedef struct les_cl_fitness les_cl_fitness;   // something to evaluate on a device

//   field            default                meaning
//   source           -                      OpenCL C with the function; or else
//   bbob             -                      a test function made with float_path; may be destroyed afterwards
//   name             "fitness"              of the function in source
//   fp64             0                      non-zero: source computes in doubles
//   buffer, size     none                   up to LES_CL_BUFFERS blocks of `size` bytes for source, copied to the device; the first without
//                                           a size ends the list. A NULL buffer of a size is left for les_cl_fitness_write
typedef struct les_cl_fitness_desc {
    const char      *source, *name;
    int              fp64;
    const void      *buffer[LES_CL_BUFFERS];
    size_t           size[LES_CL_BUFFERS];
#if LESI_BBOB
    const les_bbob  *bbob;
#endif
} les_cl_fitness_desc;

// *fitness is NULL on failure. Errors: NULL, DESC (not one of source and bbob, a bbob without float_path, an empty name), FP64, BUILD,
// DEVICE_MEMORY, MEMORY, CALL. The texts are not kept.
LES_API les_cl_result les_cl_fitness_create(les_cl_fitness **fitness, les_cl *cl, const les_cl_fitness_desc *desc);
LES_API void          les_cl_fitness_destroy(les_cl_fitness *fitness);         // NULL is fine
// New content of buffer `number`, all of its size bytes. Errors: NULL, COUNT, CALL.
LES_API les_cl_result les_cl_fitness_write(les_cl_fitness *fitness, size_t number, const void *data, size_t size);

// f[j] for `count` points x, count * dim, row-major. Errors: NULL, DIM, DEVICE_MEMORY, MEMORY, CALL.
LES_API les_cl_result les_cl_points(les_cl_fitness *fitness, const float *x, size_t count, size_t dim, double *f);
// f[j] for the members of the generation that les_ask gives (or gave), popsize of them; in the handle's sign, to be told as they are. es
// changes only where points have to travel, see >>cl-same: there it is asked. Errors: as for les_cl_points, and ASK.
LES_API les_cl_result les_cl_evaluate(les_cl_fitness *fitness, les_es *es, double *f);

// As les_ask and les_tell, but that sums over the population are the device's and its members never leave it: the host sees the popsize
// values f and ranks them, the device draws the members again and sums them up, and the handle learns from the sums, 2 dim numbers. With
// attention (learned: paper, scale_free) the device also takes its sums over popsize^2 pairs, without ever storing them. No les_ask is
// needed. Errors: NULL, DESC (es is not drawn on devices), ALL_FAILED (as LES_ALL_FAILED: nothing to learn from); any other one is of
// the device: the host has then drawn and learnt by itself, so that the handle is as after les_tell. So it does where the sums
// leave single precision, with OK.
LES_API les_cl_result les_cl_tell(les_cl_fitness *fitness, les_es *es, const double *f);

// For those who check: members first ... first + count - 1 as the device draws them, count * dim floats, and the words of Philox for
// `count` counters { i, member, generation } of a key, 4 each. Errors: NULL, COUNT (beyond popsize), DESC (es is not drawn on devices),
// DIM (of members, as les_cl_points), BUILD (of words), DEVICE_MEMORY, MEMORY, CALL.
LES_API les_cl_result les_cl_members(les_cl_fitness *fitness, const les_es *es, size_t first, size_t count, float *x);
LES_API les_cl_result les_cl_words(les_cl *cl, uint64_t seed, uint64_t stream, uint64_t generation, uint32_t member, size_t count,
                                   uint32_t *words);

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-api-meta   meta-training, see >>cl-training

#if LESI_META

typedef struct les_cl_meta les_cl_meta;         // roll-outs of a contract on a device

// contract: one that les_meta_score scores. *meta is NULL on failure. Errors: NULL, DESC (no such contract), MEMORY, BUILD, CALL.
LES_API les_cl_result les_cl_meta_create(les_cl_meta **meta, les_cl *cl, les_contract contract);
LES_API void          les_cl_meta_destroy(les_cl_meta *meta);                  // NULL is fine
// scores[t * count + i]: what les_meta_score gives for candidate i (count rows of les_contract_count numbers) on tasks[t]. model:
// contract, epsilon and divisor. Errors: NULL, DESC (another contract), TASK, DEVICE_MEMORY, MEMORY, CALL.
LES_API les_cl_result les_cl_meta_score(les_cl_meta *meta, const les_meta_task *tasks, size_t task_count, const les_weights *model,
                                        const double *candidates, size_t count, double *scores);
// The middle of a generation of a training run, between les_meta_ask and les_meta_tell: scores[task * population + candidate].
// Errors: as there, and ASK (it was not asked).
LES_API les_cl_result les_cl_meta_evaluate(les_cl_meta *meta, const les_meta *training, double *scores);
// A whole generation, as les_meta_step. Errors: as there; ASK: a step of les_meta failed.
LES_API les_cl_result les_cl_meta_step(les_cl_meta *meta, les_meta *training);

#endif

#ifdef __cplusplus
}
#endif

// ------------------------------------------------ end of the interface, the rest is implementation ------------------------------
#endif // LES_OPENCL_H

// =================================================================================================================================
#if defined(LES_OPENCL_IMPLEMENTATION) && !defined(LES_OPENCL_IMPLEMENTATION_DONE)
#define LES_OPENCL_IMPLEMENTATION_DONE

#ifndef LES_IMPLEMENTATION_DONE
#error "les_opencl.h: LES_OPENCL_IMPLEMENTATION belongs into the file with LES_IMPLEMENTATION"
#endif
#ifndef LESI_SHARED_TEXTS
#error "les_opencl.h: define LES_OPENCL_IMPLEMENTATION before les.h is first included"
#endif

#include <stdlib.h>
#include <string.h>
#if LESI_CL_DLOPEN && defined(_WIN32)
#include <windows.h>
#elif LESI_CL_DLOPEN
#include <dlfcn.h>
#endif

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-calls   the functions of OpenCL that are used, linked or looked up; a table of them in every handle, so that nothing is global

#define LESI_CL_CALLS(CALL) \
    CALL(cl_int, clGetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *)) \
    CALL(cl_int, clGetPlatformInfo, (cl_platform_id, cl_platform_info, size_t, void *, size_t *)) \
    CALL(cl_int, clGetDeviceIDs, (cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *)) \
    CALL(cl_int, clGetDeviceInfo, (cl_device_id, cl_device_info, size_t, void *, size_t *)) \
    CALL(cl_context, clCreateContext, (const cl_context_properties *, cl_uint, const cl_device_id *, \
         void (CL_CALLBACK *)(const char *, const void *, size_t, void *), void *, cl_int *)) \
    CALL(cl_int, clReleaseContext, (cl_context)) \
    CALL(cl_command_queue, clCreateCommandQueue, (cl_context, cl_device_id, cl_command_queue_properties, cl_int *)) \
    CALL(cl_int, clReleaseCommandQueue, (cl_command_queue)) \
    CALL(cl_program, clCreateProgramWithSource, (cl_context, cl_uint, const char **, const size_t *, cl_int *)) \
    CALL(cl_int, clBuildProgram, (cl_program, cl_uint, const cl_device_id *, const char *, \
         void (CL_CALLBACK *)(cl_program, void *), void *)) \
    CALL(cl_int, clGetProgramBuildInfo, (cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *)) \
    CALL(cl_int, clReleaseProgram, (cl_program)) \
    CALL(cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *)) \
    CALL(cl_int, clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *)) \
    CALL(cl_int, clGetKernelWorkGroupInfo, (cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *)) \
    CALL(cl_int, clReleaseKernel, (cl_kernel)) \
    CALL(cl_mem, clCreateBuffer, (cl_context, cl_mem_flags, size_t, void *, cl_int *)) \
    CALL(cl_int, clReleaseMemObject, (cl_mem)) \
    CALL(cl_int, clEnqueueWriteBuffer, (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *, \
         cl_event *)) \
    CALL(cl_int, clEnqueueReadBuffer, (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *)) \
    CALL(cl_int, clEnqueueNDRangeKernel, (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, \
         const cl_event *, cl_event *))

typedef struct lesi_cl_calls {
#define LESI_CL_MEMBER(TYPE, NAME, PARAMETERS) TYPE (CL_API_CALL *NAME) PARAMETERS;
    LESI_CL_CALLS(LESI_CL_MEMBER)
#undef LESI_CL_MEMBER
} lesi_cl_calls;

#if LESI_CL_DLOPEN
#ifdef _WIN32
typedef HMODULE lesi_cl_library;
LESI_FN lesi_cl_library lesi_cl_find_library(void) { return LoadLibraryA("OpenCL.dll"); }
LESI_FN int lesi_cl_find(lesi_cl_library library, const char *name, void *function, size_t size) {
    const FARPROC found = GetProcAddress(library, name);
    memcpy(function, &found, size);
    return found != NULL;
}
#else
typedef void *lesi_cl_library;
LESI_FN lesi_cl_library lesi_cl_find_library(void) {
    static const char *const names[] = {
        "libOpenCL.so.1", "libOpenCL.so", "/System/Library/Frameworks/OpenCL.framework/OpenCL"
    };
    void *library = NULL;
    size_t i;
    for (i = 0; i < sizeof names / sizeof *names && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}
LESI_FN int lesi_cl_find(lesi_cl_library library, const char *name, void *function, size_t size) {
    void *const found = dlsym(library, name);
    memcpy(function, &found, size);
    return found != NULL;
}
#endif
// The loader stays for the life of the program: drivers do not bear being unloaded.
LESI_FN int lesi_cl_load(lesi_cl_calls *calls) {
    const lesi_cl_library library = lesi_cl_find_library();
    if (!library) return 0;
#define LESI_CL_FIND(TYPE, NAME, PARAMETERS) if (!lesi_cl_find(library, #NAME, &calls->NAME, sizeof calls->NAME)) return 0;
    LESI_CL_CALLS(LESI_CL_FIND)
#undef LESI_CL_FIND
    return 1;
}
#else
#if defined(__GNUC__)                                   // clCreateCommandQueue is the one that OpenCL 1.2 has
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
LESI_FN int lesi_cl_load(lesi_cl_calls *calls) {
#define LESI_CL_TAKE(TYPE, NAME, PARAMETERS) calls->NAME = NAME;
    LESI_CL_CALLS(LESI_CL_TAKE)
#undef LESI_CL_TAKE
    return 1;
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-source   what the device compiles: a prelude, the texts of les.h, and kernels that hold control flow and no arithmetic of their own
//
// Texts are preprocessor tokens turned to strings, so that the host's compiler reads them as code and not as quotes. Each is below 2 KB.

#define LESI_CL_TEXT(...) #__VA_ARGS__
#define LESI_CL_EXPANDED(...) LESI_CL_TEXT(__VA_ARGS__)
#define LESI_CL_SOURCE(NAME, ...) static const char NAME[] = #__VA_ARGS__ "\n";
#define LESI_CL_SAME(MACRO) "#define " #MACRO " " LESI_CL_EXPANDED(MACRO) "\n"         /* a macro of les.h, as it is there */

static const char lesi_cl_prelude[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "#define uint32_t uint\n"
    "#define int32_t int\n"
    "#define uint64_t ulong\n"
    "#define les_real float\n"
    "#define half half_of\n"                            /* a type here, a variable there */
    "#define UINT32_C(v) v##u\n"
    "#ifdef __clang__\n"                                /* loops over lanes become vectors only when all is in one function */
    "#define LESI_HOT __attribute__((always_inline)) static inline\n"
    "#else\n"
    "#define LESI_HOT static inline\n"
    "#endif\n"
    "#define LESI_FN static inline\n"
    "#define LESI_GLOBAL __global\n"
    "#define LESI_FAST 0\n"
    "#define lesi_bits_f(v) as_uint(v)\n"
    "#define lesi_from_bits_f(v) as_float(v)\n"
    "#define lesi_floor(v) floor(v)\n"
    "#define lesi_is_finite(v) isfinite(v)\n"
    "#define lesi_inf_f() INFINITY\n"
    "#define lesi_nan_f() NAN\n"
    "#define LESI_GET(to, from) do { size_t lane_; LESI_EACH_LANE(lane_) (to)[lane_] = (from).v[lane_]; } while (0)\n"
    "#define LESI_PUT(to, from) do { size_t lane_; LESI_EACH_LANE(lane_) (to).v[lane_] = (from)[lane_]; } while (0)\n";
// LESI_WIDE: members of a work-item; on a CPU as many as the host has side by side, so that the loops over them become vectors there too,
// of the whole width for which clang wants to be asked: by itself it takes half of 512 bits. It may say that a loop cannot be one.
// LESI_ABREAST: members whose numbers lie side by side in the device's memory; elsewhere those of as many work-items, which then read and
// write it together.
static const char lesi_cl_one_lane[] =
    "#define LESI_WIDE 1\n"
    "#define LESI_ABREAST 32\n"
    "#define LESI_EACH_LANE(l) for (l = 0; l < LESI_WIDE; l++)\n";
static const char lesi_cl_many_lanes[] =
    "#define LESI_WIDE 16\n"
    "#define LESI_ABREAST 16\n"
    "#ifdef __clang__\n"
    "#pragma clang diagnostic ignored \"-Wpass-failed\"\n"
    "#define LESI_EACH_LANE(l) _Pragma(\"clang loop vectorize_width(16)\") for (l = 0; l < LESI_WIDE; l++)\n"
    "#else\n"
    "#define LESI_EACH_LANE(l) for (l = 0; l < LESI_WIDE; l++)\n"
    "#endif\n";
static const char lesi_cl_constants[] =
    LESI_CL_SAME(LESI_SIGN_F) LESI_CL_SAME(LESI_INF_F) LESI_CL_SAME(LESI_LN2_HIGH_F) LESI_CL_SAME(LESI_LN2_LOW_F)
    LESI_CL_SAME(LESI_ROOT_HALF_F) LESI_CL_SAME(LESI_WEYL0) LESI_CL_SAME(LESI_WEYL1)
    "#define LESI_ROUND(c0, c1, c2, c3, key0, key1) " LESI_CL_EXPANDED(LESI_ROUND(c0, c1, c2, c3, key0, key1)) "\n";

// Normals of four coordinates of a member. From member `pairs` on they mirror those before.
LESI_CL_SOURCE(lesi_cl_normals,
LESI_FN void lesi_cl_normals(uint key0, uint key1, uint generation0, uint generation1, uint pairs, uint member, uint block, float *z) {
    uint counter[4];
    uint word[4];
    uint i;
    counter[0] = block;
    counter[1] = member < pairs ? member : member - pairs;
    counter[2] = generation0;
    counter[3] = generation1;
    lesi_philox(counter, key0, key1, word);
    lesi_box_muller_f(word[0], word[1], z, z + 1);
    lesi_box_muller_f(word[2], word[3], z + 2, z + 3);
    for (i = 0; i < 4; i++) z[i] = member < pairs ? z[i] : -z[i];
}
LESI_FN float lesi_cl_locate(float centre, float step, float z, int bounds, __global const float *lower, __global const float *upper,
                             ulong k) {
    float v = centre + step * z;
    if (bounds == 1) v = lesi_clip(v, lower[k], upper[k]);
    if (bounds == 2) v = lesi_reflect(v, lower[k], upper[k]);
    return v;
}
)

// Members first ... first + count - 1, four coordinates a work-item.
LESI_CL_SOURCE(lesi_cl_draw_kernel,
__kernel void les_draw(uint key0, uint key1, uint generation0, uint generation1, uint dim, uint pairs, int bounds,
                       __global const float *centre, __global const float *step, __global const float *lower,
                       __global const float *upper, uint first, uint count, __global float *x) {
    const ulong blocks = ((ulong)dim + 3) / 4;
    const ulong row = get_global_id(0) / blocks;
    const uint block = (uint)(get_global_id(0) % blocks);
    if (row < count) {
        float z[4];
        uint i;
        lesi_cl_normals(key0, key1, generation0, generation1, pairs, first + (uint)row, block, z);
        for (i = 0; i < 4; i++) {
            const ulong k = 4 * (ulong)block + i;
            if (k < dim) x[row * dim + k] = lesi_cl_locate(centre[k], step[k], z[i], bounds, lower, upper, k);
        }
    }
}
)

// lesi_moments over parts of `part` members, four coordinates of a part a work-item: d and v of each part, then of all in order. Where the
// host's points have more digits than x here, `unrounded`, the normals stand for them: x ends at the last digit of centre.
LESI_CL_SOURCE(lesi_cl_moments_kernel,
__kernel void les_moments(uint key0, uint key1, uint generation0, uint generation1, uint dim, uint pairs, int bounds,
                          __global const float *centre, __global const float *step, __global const float *lower,
                          __global const float *upper, uint popsize, uint part, float most, int unrounded,
                          __global const float *weight, __global const float *weight2, __global float *sums) {
    const ulong blocks = ((ulong)dim + 3) / 4;
    const ulong number = get_global_id(0) / blocks;
    const uint block = (uint)(get_global_id(0) % blocks);
    if (number * part < popsize) {
        const uint first = (uint)number * part;
        const uint end = popsize - first < part ? popsize : first + part;
        float d[4] = {0};
        float v[4] = {0};
        float inverse[4] = {0};
        uint j;
        uint i;
        for (i = 0; i < 4; i++) {
            const ulong k = 4 * (ulong)block + i;
            if (k < dim && step[k] > 0) inverse[i] = 1 / step[k];
        }
        for (j = first; j < end; j++) {
            const float a = weight[j];
            const float b = weight2[j];
            float z[4];
            if (a == 0 && b == 0) continue;
            lesi_cl_normals(key0, key1, generation0, generation1, pairs, j, block, z);
            for (i = 0; i < 4; i++) {
                const ulong k = 4 * (ulong)block + i;
                if (k < dim) {
                    const float x = lesi_cl_locate(centre[k], step[k], z[i], bounds, lower, upper, k);
                    const float at = unrounded && inverse[i] > 0 ? z[i] : lesi_clip((x - centre[k]) * inverse[i], -most, most);
                    d[i] += a * at;
                    v[i] += b * at * at;
                }
            }
        }
        for (i = 0; i < 4; i++) {
            const ulong k = 4 * (ulong)block + i;
            if (k < dim) {
                sums[2 * number * dim + k] = d[i];
                sums[(2 * number + 1) * dim + k] = v[i];
            }
        }
    }
}
__kernel void les_total(ulong count, uint parts, __global float *sums) {
    const ulong id = get_global_id(0);
    uint i;
    if (id < count) for (i = 1; i < parts; i++) sums[id] += sums[i * count + id];
}
)

// lesi_attention_rows, LESI_WIDE members a work-item; logits in bits. A tile's sums are added up, then those of the tiles: no N x N.
LESI_CL_SOURCE(lesi_cl_attention_kernel,
LESI_FN float lesi_cl_logit(__global const float *form, float f0, float f1, float f2, uint b) {
    return f0 * form[b] + f1 * form[3 + b] + f2 * form[6 + b] + form[9 + b];
}
__kernel void les_attention(uint n, uint heads, __global const float *form, __global const float *f, __global float *out) {
    const size_t first = get_global_id(0) * LESI_WIDE;
    if (first < n) {
        float g0[LESI_WIDE]; float g1[LESI_WIDE]; float g2[LESI_WIDE]; float most[LESI_WIDE];
        float sum[LESI_WIDE]; float dot[LESI_WIDE]; float dot2[LESI_WIDE];
        uint j; uint l; uint tile;
        for (l = 0; l < LESI_WIDE; l++) {
            const size_t i = first + l < n ? first + l : n - 1;
            g0[l] = lesi_cl_logit(form, f[i], f[n + i], f[2 * (size_t)n + i], 0);
            g1[l] = lesi_cl_logit(form, f[i], f[n + i], f[2 * (size_t)n + i], 1);
            g2[l] = lesi_cl_logit(form, f[i], f[n + i], f[2 * (size_t)n + i], 2);
            most[l] = -3e38f;
            sum[l] = dot[l] = dot2[l] = 0;
        }
        for (j = 0; j < n; j++) {
            const float a = f[j]; const float b = f[n + j]; const float c = f[2 * (size_t)n + j];
            for (l = 0; l < LESI_WIDE; l++) most[l] = lesi_at_least_s(g0[l] * a + g1[l] * b + g2[l] * c, most[l]);
        }
        for (tile = 0; tile < n; tile += LESI_CL_TILE) {
            const uint end = n - tile < LESI_CL_TILE ? n : tile + LESI_CL_TILE;
            float s[LESI_WIDE]; float d[LESI_WIDE]; float d2[LESI_WIDE];
            for (l = 0; l < LESI_WIDE; l++) s[l] = d[l] = d2[l] = 0;
            for (j = tile; j < end; j++) {
                const float a = f[j]; const float b = f[n + j]; const float c = f[2 * (size_t)n + j];
                const float v = f[3 * (size_t)n + j]; const float v2 = heads == 2 ? f[4 * (size_t)n + j] : 0;
                for (l = 0; l < LESI_WIDE; l++) {
                    const float e = lesi_exp2_s(lesi_at_least_s(g0[l] * a + g1[l] * b + g2[l] * c - most[l], -119));
                    s[l] += e;
                    d[l] += e * v;
                    d2[l] += e * v2;
                }
            }
            for (l = 0; l < LESI_WIDE; l++) { sum[l] += s[l]; dot[l] += d[l]; dot2[l] += d2[l]; }
        }
        for (l = 0; l < LESI_WIDE; l++) if (first + l < n) {
            out[first + l] = dot[l] / sum[l];
            if (heads == 2) out[n + first + l] = dot2[l] / sum[l];
        }
    }
}
)

LESI_CL_SOURCE(lesi_cl_words_kernel,
__kernel void les_words(uint key0, uint key1, uint generation0, uint generation1, uint member, uint count, __global uint *words) {
    const size_t id = get_global_id(0);
    if (id < count) {
        uint counter[4];
        uint word[4];
        uint i;
        counter[0] = (uint)id;
        counter[1] = member;
        counter[2] = generation0;
        counter[3] = generation1;
        lesi_philox(counter, key0, key1, word);
        for (i = 0; i < 4; i++) words[4 * id + i] = word[i];
    }
}
)

static const char lesi_cl_tile[] = "#define LESI_CL_TILE 256u\n";

static const char *const lesi_cl_common[] = {
    lesi_cl_prelude, lesi_cl_constants, lesi_text_is_nan, lesi_text_fabs, lesi_text_pick, lesi_text_below, lesi_text_round,
    lesi_text_power_of_2, lesi_text_log_parts, lesi_text_split, lesi_text_split_m, lesi_text_quadrant, lesi_text_philox, lesi_text_root,
    lesi_text_minus_two_log, lesi_text_box_muller, lesi_text_clip, lesi_text_reflect, lesi_text_at_most, lesi_text_within,
    lesi_text_round_s, lesi_text_exp_s, lesi_text_exp2_s, lesi_text_expm1_s, lesi_text_log_s, lesi_text_sqrt_s, lesi_text_quarter_s,
    lesi_text_cos_s, lesi_text_bump_s, lesi_text_sigmoid_s, lesi_cl_normals
};

#if LESI_BBOB
static const char lesi_cl_bbob_constants[] = LESI_CL_SAME(LESI_TURN_F) LESI_CL_SAME(LESI_SCHWEFEL_MU_F);

// Rows of lanes, and where work-item id's begin among those of all, `count` rows for each.
LESI_CL_SOURCE(lesi_cl_rows_of,
typedef struct lesi_row { float v[LESI_ABREAST]; } lesi_row;
LESI_FN __global lesi_row *lesi_cl_rows_of(__global float *all, size_t id, size_t count) {
    const size_t items = LESI_ABREAST / LESI_WIDE;
    return (__global lesi_row *)(all + id / items * count * LESI_ABREAST + id % items);
}
)

// x becomes x - x_opt; y holds it by lanes, zeros for members that cannot be computed or are not there.
LESI_CL_SOURCE(lesi_cl_gaps_kernel,
__kernel void les_fitness(uint count, uint dim, __global float *x, __global float *f, lesi_chain chain, __global const float *path,
                          __global float *all_y, __global float *all_one, __global float *all_two) {
    const size_t id = get_global_id(0);
    const size_t first = id * LESI_WIDE;
    if (first < count) {
        __global lesi_row *y = lesi_cl_rows_of(all_y, id, dim);
        __global const float *x_opt = path + LESI_B_KINDS * dim;
        float value[LESI_WIDE];
        int within[LESI_WIDE];
        uint k;
        uint l;
        for (l = 0; l < LESI_WIDE; l++) {
            __global float *row = x + (first + l) * dim;
            float gap;
            within[l] = 0;
            if (first + l < count) {
                for (k = 0; k < dim; k++) row[k] -= x_opt[k];
                within[l] = lesi_bbob_within_float(row, dim, &gap);
                f[first + l] = gap;
            }
            for (k = 0; k < dim; k++) y[k].v[l] = within[l] ? row[k] : 0;
        }
        lesi_bbob_lanes_one(&chain, path, y, value, lesi_cl_rows_of(all_one, id, dim), lesi_cl_rows_of(all_two, id, dim));
        for (l = 0; l < LESI_WIDE; l++) if (within[l]) f[first + l] = value[l];
    }
}
)

static const char *const lesi_cl_functions[] = {
    lesi_cl_bbob_constants, lesi_text_wide, lesi_cl_rows_of, lesi_text_fold_names, lesi_text_map_names, lesi_text_coefficients,
    lesi_text_chain, lesi_text_osz_log_s, lesi_text_osz_s, lesi_text_asy_s, lesi_text_step_s, lesi_text_lanes_map, lesi_text_lanes_times,
    lesi_text_lanes_peaks, lesi_text_lanes_waves, lesi_text_lanes_katsuura, lesi_text_lanes_bowls, lesi_text_lanes_sector,
    lesi_text_lanes_schaffer, lesi_text_lanes_griewank, lesi_text_lanes_schwefel, lesi_text_lanes_sums, lesi_text_lanes_fold,
    lesi_text_lanes_one, lesi_text_within_float
};
#endif

#if LESI_META
static const char lesi_cl_meta_constants[] =
    LESI_CL_SAME(LESI_PATHS) LESI_CL_SAME(LESI_HIDDEN) LESI_CL_SAME(LESI_OUTPUT) LESI_CL_SAME(LESI_LN_2_F) LESI_CL_SAME(LESI_LN_4_F)
    LESI_CL_SAME(LESI_LOG2_E) LESI_CL_SAME(LESI_LOG_SIGMA_MOST) "#define lesi_bbob_lanes lesi_bbob_lanes_body\n";
// What a contract runs, and which of the arrays below it has, by les_contract.
static const char *const lesi_cl_contracts[] = {
    NULL, "#define LESI_CL_RUN lesi_run_paper_body\n#define LESI_CL_GATED 0\n#define LESI_CL_FULL 0\n",
    "#define LESI_CL_RUN lesi_run_free_body\n#define LESI_CL_GATED 0\n#define LESI_CL_FULL 0\n", NULL,
    "#define LESI_CL_RUN lesi_run_gated_body\n#define LESI_CL_GATED 1\n#define LESI_CL_FULL 0\n",
    "#define LESI_CL_RUN lesi_run_full_body\n#define LESI_CL_GATED 1\n#define LESI_CL_FULL 1\n"
};

// A task's numbers, in the order of lesi_cl_pack.
LESI_CL_SOURCE(lesi_cl_meta_supply,
LESI_FN void lesi_cl_supply(lesi_supply *y, const lesi_course *c, __global float *at) {
    const size_t n = c->popsize;
    const size_t members = n * c->horizon;
    y->start = at;
    y->stretch = y->start + c->dim;
    y->z = y->stretch + c->dim;
    y->error = y->z + members * c->dim;
    y->time = y->error + members;
    at = y->time + (size_t)c->horizon * LESI_TIMES;
    if (LESI_CL_GATED) {
        y->square = at;
        y->length = y->square + members;
        y->table = LESI_CL_FULL ? y->length + members : y->length;
        y->table2 = y->table + n + 1;
        y->quantile = y->table2 + n + 1;
        at = y->quantile + (2 * n - 1);
    }
    y->path = at;
}
)

// Rows of a bundle, lesi_cl_meta_rows of them.
LESI_CL_SOURCE(lesi_cl_meta_room,
LESI_FN void lesi_cl_room(lesi_runners *r, size_t n, size_t dim, __global lesi_row *at) {
    r->mean = at;
    r->s = r->mean + dim;
    r->log_s = r->s + dim;
    r->d = r->log_s + dim;
    r->v = r->d + dim;
    r->one = r->v + dim;
    r->two = r->one + dim;
    r->paths = r->two + dim;
    r->x = r->paths + 2 * LESI_PATHS * dim;
    r->f = r->x + n * dim;
    r->rank = r->f + n;
    r->score = r->rank + n;
    r->improved = r->score + n;
    r->weight = r->improved + n;
    r->weight2 = r->weight + n;
    r->value = r->weight2 + n;
    r->value2 = r->value + n;
    r->below = r->value2 + n;
    r->a = r->below + n;
    r->matrix = r->a + dim;
    r->step = r->matrix + dim * dim;
}
)

// Bundles of LESI_ABREAST candidates, task by task; a slot has room for one at a time.
LESI_CL_SOURCE(lesi_cl_meta_kernel,
__kernel void les_meta(uint slots, uint tasks, uint bundles, uint numbers, ulong rows, __global const lesi_course *courses,
                       __global const lesi_chain *chains, __global const ulong *places, __global float *supply, __global float *theta,
                       __global float *room, __global float *scores) {
    const size_t items = LESI_ABREAST / LESI_WIDE;
    const size_t id = get_global_id(0);
    const ulong all = (ulong)tasks * bundles;
    ulong b;
    if (id < slots * items)
        for (b = id / items; b < all; b += slots) {
            const lesi_course course = courses[b / bundles];
            const lesi_chain chain = chains[b / bundles];
            lesi_runners r;
            size_t l;
            r.course = &course;
            r.supply.chain = &chain;
            lesi_cl_supply(&r.supply, &course, supply + places[b / bundles]);
            r.theta = lesi_cl_rows_of(theta, b % bundles * items + id % items, numbers);
            lesi_cl_room(&r, course.popsize, course.dim, lesi_cl_rows_of(room, id, rows));
            LESI_CL_RUN(&r);
            for (l = 0; l < LESI_WIDE; l++) scores[b * LESI_ABREAST + id % items + l] = r.least.v[l];
        }
}
)

static const char *const lesi_cl_rollout[] = {
    lesi_cl_meta_constants, lesi_text_layout, lesi_text_gated_layout, lesi_text_gates, lesi_text_gated_recall, lesi_text_full_layout,
    lesi_text_full_recall, lesi_text_lanes_body, lesi_text_slow, lesi_text_course, lesi_text_supply, lesi_text_runners,
    lesi_text_run_layers, lesi_text_run_mean, lesi_text_run_sample, lesi_text_run_stretch, lesi_text_run_evaluate, lesi_text_one_if_s,
    lesi_text_run_ranks, lesi_text_run_range, lesi_text_run_features, lesi_text_run_logit, lesi_text_run_attend, lesi_text_run_softmax,
    lesi_text_run_values, lesi_text_run_attention, lesi_text_run_moments, lesi_text_run_unit, lesi_text_run_network, lesi_text_run_time,
    lesi_text_run_start, lesi_text_run_paper_prepare, lesi_text_run_paper_update, lesi_text_run_paper_body, lesi_text_run_free_prepare,
    lesi_text_run_contrast, lesi_text_run_free_share, lesi_text_run_free_paths, lesi_text_run_free_success, lesi_text_run_free_common,
    lesi_text_run_free_coordinate, lesi_text_run_free_update, lesi_text_run_free_body, lesi_text_saturate_s, lesi_text_squash_s,
    lesi_text_run_places, lesi_text_run_middles, lesi_text_run_shared, lesi_text_run_slow, lesi_text_run_layer, lesi_text_run_rectify,
    lesi_text_run_output, lesi_text_run_fill, lesi_text_run_plateau, lesi_text_run_sum_squares, lesi_text_run_look, lesi_text_run_grow,
    lesi_text_run_gated_start, lesi_text_run_gated_added, lesi_text_run_gated_member, lesi_text_run_gated_weights,
    lesi_text_run_gated_path_sigma, lesi_text_run_gated_path_q, lesi_text_run_gated_path_v, lesi_text_run_gated_logs,
    lesi_text_run_gated_globals, lesi_text_run_gated_coordinate, lesi_text_run_gated_gates, lesi_text_run_gated_step,
    lesi_text_run_gated_update, lesi_text_run_gated_body, lesi_text_run_full_sample, lesi_text_run_full_globals,
    lesi_text_run_full_member, lesi_text_run_full_normalise, lesi_text_run_full_weights, lesi_text_run_full_step,
    lesi_text_run_full_rates, lesi_text_lane_turn, lesi_text_run_full_turn, lesi_text_run_full_move, lesi_text_run_full_matrix,
    lesi_text_run_full_shape, lesi_text_run_full_update, lesi_text_run_full_body, lesi_cl_meta_supply, lesi_cl_meta_room,
    lesi_cl_meta_kernel
};
#endif

// Around a user's function: its type, its lines counted from 1, and a kernel that calls it with as many buffers as there are.
static const char lesi_cl_single[] = "\n#undef half\n#define LESI_CL_VALUE float\n#line 1\n";
static const char lesi_cl_double[] =
    "\n#undef half\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#define LESI_CL_VALUE double\n#line 1\n";
static const char lesi_cl_user_head[] =
    "\n__kernel void les_fitness(uint count, uint dim, __global const float *x, __global LESI_CL_VALUE *f";
static const char lesi_cl_user_body[] = ") {\n    const size_t id = get_global_id(0);\n    if (id < count) f[id] = ";
static const char lesi_cl_user_call[] = "(x + id * dim, dim";
static const char lesi_cl_user_end[] = ");\n}\n";
static const char *const lesi_cl_user_parameters[LES_CL_BUFFERS] = {
    ", __global const uchar *b0", ", __global const uchar *b1", ", __global const uchar *b2", ", __global const uchar *b3",
    ", __global const uchar *b4", ", __global const uchar *b5", ", __global const uchar *b6", ", __global const uchar *b7"
};
static const char *const lesi_cl_user_arguments[LES_CL_BUFFERS] = {
    ", (__global const void *)b0", ", (__global const void *)b1", ", (__global const void *)b2", ", (__global const void *)b3",
    ", (__global const void *)b4", ", (__global const void *)b5", ", (__global const void *)b6", ", (__global const void *)b7"
};

enum { LESI_CL_PARTS = 160 };                           // texts of a program at most: those of les.h, or some with a user's between
typedef struct lesi_cl_source { const char *part[LESI_CL_PARTS]; cl_uint count; } lesi_cl_source;

LESI_FN void lesi_cl_add(lesi_cl_source *source, const char *text) { source->part[source->count++] = text; }
LESI_FN void lesi_cl_add_all(lesi_cl_source *source, const char *const *texts, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) lesi_cl_add(source, texts[i]);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-device   finding one, opening it

struct les_cl {
    lesi_cl_calls    call;
    les_allocator    allocator;
    cl_device_id     device;
    cl_context       context, own_context;             // own: to be released
    cl_command_queue queue, own_queue;
    les_cl_info      info;
    size_t           local_size, wide, abreast;         // wide: members of a work-item, for test functions; abreast: see LESI_ABREAST
    size_t           heavy_size;                        // local_size for work-items that each take a while
    uint64_t         memory_limit, taken;
    cl_int           code;
    char            *log;                               // of a failed build, or NULL
    cl_program       words_program, learn_program;      // made when first wanted
    cl_kernel        words, moments, total, attention;
};

LES_API const char *les_cl_result_text(les_cl_result result) {
    static const char *const texts[LES_CL_RESULT_COUNT] = {
        "no error", "a pointer that is needed is NULL", "there is no OpenCL loader on this machine",
        "there is no OpenCL platform: no driver is installed", "there is no OpenCL device, or none as wished",
        "the device has no double precision, or it is masked", "a kernel does not compile, see les_cl_log",
        "the device's memory or resources, or memory_limit, do not hold it", "no memory on the host",
        "no allocator given and malloc switched off, or only half of the pair given", "the descriptor contradicts itself",
        "dim is 0, too large, or not that of the test function", "no such buffer or member, or not its size", "the handle cannot be asked",
        "every evaluation failed", "a task, the weights or a candidate is refused, see les_meta_score",
        "an OpenCL call failed, see les_cl_code"
    };
    return (unsigned)result < (unsigned)LES_CL_RESULT_COUNT ? texts[result] : "unknown result";
}

// What a code of OpenCL means here. -1001 is the loader's: no platform.
LESI_FN les_cl_result lesi_cl_meaning(cl_int code) {
    switch (code) {
    case CL_SUCCESS: return LES_CL_OK;
    case CL_DEVICE_NOT_FOUND: return LES_CL_ERROR_DEVICE;
    case -1001: return LES_CL_ERROR_PLATFORM;
    case CL_OUT_OF_HOST_MEMORY: return LES_CL_ERROR_MEMORY;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE:
    case CL_OUT_OF_RESOURCES: return LES_CL_ERROR_DEVICE_MEMORY;
    case CL_BUILD_PROGRAM_FAILURE: return LES_CL_ERROR_BUILD;
    default: return LES_CL_ERROR_CALL;
    }
}

LESI_FN les_cl_result lesi_cl_did(les_cl *cl, cl_int code) {           // notes what failed
    if (code != CL_SUCCESS) cl->code = code;
    return lesi_cl_meaning(code);
}

LESI_FN void lesi_cl_text_of(const lesi_cl_calls *call, cl_device_id device, cl_device_info what, char *out, size_t size) {
    char text[1024];
    memset(text, 0, sizeof text);
    if (call->clGetDeviceInfo(device, what, sizeof text - 1, text, NULL) != CL_SUCCESS) text[0] = 0;
    memcpy(out, text, size - 1);
    out[size - 1] = 0;
}

LESI_FN uint64_t lesi_cl_number_of(const lesi_cl_calls *call, cl_device_id device, cl_device_info what, size_t size) {
    cl_ulong wide = 0;
    cl_uint word = 0;
    if (size == sizeof word) return call->clGetDeviceInfo(device, what, size, &word, NULL) == CL_SUCCESS ? word : 0;
    return call->clGetDeviceInfo(device, what, size, &wide, NULL) == CL_SUCCESS ? wide : 0;
}

LESI_FN les_cl_kind lesi_cl_kind_of(uint64_t type) {
    if (type & CL_DEVICE_TYPE_GPU) return LES_CL_GPU;
    if (type & CL_DEVICE_TYPE_CPU) return LES_CL_CPU;
    return type & CL_DEVICE_TYPE_ACCELERATOR ? LES_CL_ACCELERATOR : LES_CL_ANY;
}

LESI_FN les_cl_info lesi_cl_describe(const lesi_cl_calls *call, cl_device_id device) {
    les_cl_info info;
    cl_platform_id platform = NULL;
    uint64_t single;
    size_t group = 0;
    char text[1024];
    memset(&info, 0, sizeof info);
    memset(text, 0, sizeof text);
    if (call->clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) == CL_SUCCESS
        && call->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text - 1, text, NULL) == CL_SUCCESS)
        memcpy(info.platform, text, sizeof info.platform - 1);
    lesi_cl_text_of(call, device, CL_DEVICE_NAME, info.name, sizeof info.name);
    lesi_cl_text_of(call, device, CL_DEVICE_VERSION, info.version, sizeof info.version);
    lesi_cl_text_of(call, device, CL_DRIVER_VERSION, info.driver, sizeof info.driver);
    info.kind = lesi_cl_kind_of(lesi_cl_number_of(call, device, CL_DEVICE_TYPE, sizeof(cl_device_type)));
    single = lesi_cl_number_of(call, device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(cl_device_fp_config));
    info.fp64 = lesi_cl_number_of(call, device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_device_fp_config)) != 0;
    info.correctly_rounded = (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    info.denormals = (single & CL_FP_DENORM) != 0;
    info.units = (uint32_t)lesi_cl_number_of(call, device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    if (call->clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL) == CL_SUCCESS) info.largest_group = group;
    info.memory = lesi_cl_number_of(call, device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    info.largest_buffer = lesi_cl_number_of(call, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
    return info;
}

// Calls take for every device, until it says 1. A platform without devices is passed by.
typedef int (*lesi_cl_take)(const lesi_cl_calls *call, cl_device_id device, void *data);

enum { LESI_CL_MOST = 64 };                             // platforms, and devices of each, that are looked at

LESI_FN les_cl_result lesi_cl_visit(const lesi_cl_calls *call, lesi_cl_take take, void *data) {
    cl_platform_id platform[LESI_CL_MOST];
    cl_device_id device[LESI_CL_MOST];
    cl_uint platforms = 0, devices, p, d, seen = 0;
    const cl_int code = call->clGetPlatformIDs(LESI_CL_MOST, platform, &platforms);
    if (code != CL_SUCCESS && code != CL_INVALID_VALUE) return lesi_cl_meaning(code);      // some loaders: that there are none
    if (!platforms) return LES_CL_ERROR_PLATFORM;
    if (platforms > LESI_CL_MOST) platforms = LESI_CL_MOST;
    for (p = 0; p < platforms; p++) {
        devices = 0;
        if (call->clGetDeviceIDs(platform[p], CL_DEVICE_TYPE_ALL, LESI_CL_MOST, device, &devices) != CL_SUCCESS) continue;
        if (devices > LESI_CL_MOST) devices = LESI_CL_MOST;
        for (d = 0; d < devices; d++, seen++) if (take(call, device[d], data)) return LES_CL_OK;
    }
    return seen ? LES_CL_OK : LES_CL_ERROR_DEVICE;
}

typedef struct lesi_cl_listing { les_cl_info *infos; size_t capacity, count; } lesi_cl_listing;

LESI_FN int lesi_cl_list_one(const lesi_cl_calls *call, cl_device_id device, void *data) {
    lesi_cl_listing *list = (lesi_cl_listing *)data;
    if (list->count < list->capacity) list->infos[list->count] = lesi_cl_describe(call, device);
    list->count++;
    return 0;
}

LES_API les_cl_result les_cl_list(les_cl_info *infos, size_t capacity, size_t *count) {
    lesi_cl_calls call;
    lesi_cl_listing list;
    les_cl_result result;
    if (!count || (capacity && !infos)) return LES_CL_ERROR_NULL;
    *count = 0;
    if (!lesi_cl_load(&call)) return LES_CL_ERROR_LOADER;
    list.infos = infos;
    list.capacity = capacity;
    list.count = 0;
    result = lesi_cl_visit(&call, lesi_cl_list_one, &list);
    *count = list.count;
    return result;
}

// ---- a wish, and the first device that fulfils it

typedef struct lesi_cl_wish {
    les_cl_kind  kind;
    const char  *part;                                  // of a name, or NULL
    size_t       skip;                                  // fitting devices to pass by
    cl_device_id found;
} lesi_cl_wish;

LESI_FN char lesi_cl_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

LESI_FN int lesi_cl_begins(const char *text, const char *with) {       // in any case
    for (; *with; text++, with++) if (lesi_cl_lower(*text) != lesi_cl_lower(*with)) return 0;
    return 1;
}

LESI_FN int lesi_cl_holds(const char *text, const char *part) {
    for (; *text; text++) if (lesi_cl_begins(text, part)) return 1;
    return !*part;
}

LESI_FN int lesi_cl_choose_one(const lesi_cl_calls *call, cl_device_id device, void *data) {
    lesi_cl_wish *wish = (lesi_cl_wish *)data;
    const les_cl_info info = lesi_cl_describe(call, device);
    if (wish->kind != LES_CL_ANY && info.kind != wish->kind) return 0;
    if (wish->part && !lesi_cl_holds(info.name, wish->part) && !lesi_cl_holds(info.platform, wish->part)) return 0;
    if (wish->skip) { wish->skip--; return 0; }
    wish->found = device;
    return 1;
}

// What an environment variable says: a kind, a number or a part of a name.
LESI_FN void lesi_cl_wish_by_text(lesi_cl_wish *wish, const char *text) {
    static const char *const kinds[] = { NULL, "gpu", "cpu", "accelerator" };
    size_t number = 0, i;
    memset(wish, 0, sizeof *wish);
    for (i = 1; i < sizeof kinds / sizeof *kinds; i++)
        if (lesi_cl_begins(text, kinds[i]) && !text[strlen(kinds[i])]) { wish->kind = (les_cl_kind)i; return; }
    for (i = 0; text[i] >= '0' && text[i] <= '9' && i < 6; i++) number = 10 * number + (size_t)(text[i] - '0');
    if (i && !text[i] && number) wish->skip = number - 1;
    else wish->part = text;
}

LESI_FN les_cl_result lesi_cl_choose(const lesi_cl_calls *call, const les_cl_desc *desc, cl_device_id *device) {
    const char *text = desc->environment ? getenv(desc->environment) : NULL;
    lesi_cl_wish wish;
    les_cl_result result;
    memset(&wish, 0, sizeof wish);
    wish.kind = desc->kind;
    wish.part = desc->name;
    wish.skip = desc->index ? desc->index - 1 : 0;
    if (text && *text) lesi_cl_wish_by_text(&wish, text);
    else if (desc->kind == LES_CL_ANY && !desc->name && !desc->index) {                    // no wish: a GPU, if there is one
        wish.kind = LES_CL_GPU;
        result = lesi_cl_visit(call, lesi_cl_choose_one, &wish);
        wish.kind = LES_CL_ANY;
        if (wish.found || result != LES_CL_OK) { *device = wish.found; return result; }
    }
    result = lesi_cl_visit(call, lesi_cl_choose_one, &wish);
    if (result == LES_CL_OK && !wish.found) result = LES_CL_ERROR_DEVICE;
    *device = wish.found;
    return result;
}

// ---- open and close

LESI_FN les_cl_result lesi_cl_check(const les_cl_desc *desc) {
    if (lesi_check_allocator(&desc->allocator) != LES_OK) return LES_CL_ERROR_ALLOCATOR;
    if (!desc->context != !desc->device || (desc->queue && !desc->context)) return LES_CL_ERROR_DESC;
    return (unsigned)desc->kind > (unsigned)LES_CL_ACCELERATOR ? LES_CL_ERROR_DESC : LES_CL_OK;
}

LESI_FN les_cl_result lesi_cl_connect(les_cl *cl, const les_cl_desc *desc) {
    les_cl_result result = LES_CL_OK;
    cl_int code = CL_SUCCESS;
    cl->device = desc->device;
    cl->context = desc->context;
    cl->queue = desc->queue;
    if (!cl->device) result = lesi_cl_choose(&cl->call, desc, &cl->device);
    if (result != LES_CL_OK) return result;
    cl->info = lesi_cl_describe(&cl->call, cl->device);
    if (desc->no_fp64) cl->info.fp64 = 0;
    cl->wide = cl->info.kind == LES_CL_CPU ? LESI_WIDE : 1;
    cl->abreast = cl->wide > 1 ? cl->wide : 32;
    cl->local_size = desc->local_size ? desc->local_size : 64;
    cl->heavy_size = cl->local_size < 64 ? cl->local_size : 64;        // some drivers keep all of a group's own variables on a stack
    if (!desc->local_size && cl->wide > 1) cl->heavy_size = 1;
    cl->memory_limit = desc->memory_limit ? desc->memory_limit : cl->info.memory / 4 * 3;
    if (!cl->context) cl->context = cl->own_context = cl->call.clCreateContext(NULL, 1, &cl->device, NULL, NULL, &code);
    if (code == CL_SUCCESS && !cl->queue) cl->queue = cl->own_queue = cl->call.clCreateCommandQueue(cl->context, cl->device, 0, &code);
    return lesi_cl_did(cl, code);
}

LES_API les_cl_result les_cl_open(les_cl **cl, const les_cl_desc *desc) {
    les_cl_desc defaults;
    les_cl *made;
    les_cl_result result;
    if (!cl) return LES_CL_ERROR_NULL;
    *cl = NULL;
    memset(&defaults, 0, sizeof defaults);
    if (!desc) desc = &defaults;
    result = lesi_cl_check(desc);
    if (result != LES_CL_OK) return result;
    made = (les_cl *)lesi_allocate(&desc->allocator, sizeof *made);
    if (!made) return LES_CL_ERROR_MEMORY;
    memset(made, 0, sizeof *made);
    made->allocator = desc->allocator;
    result = lesi_cl_load(&made->call) ? lesi_cl_connect(made, desc) : LES_CL_ERROR_LOADER;
    if (result == LES_CL_OK) *cl = made;
    else les_cl_close(made);
    return result;
}

LESI_FN void lesi_cl_forget_log(les_cl *cl) {
    if (cl->log) lesi_release(&cl->allocator, cl->log);
    cl->log = NULL;
}

LES_API void les_cl_close(les_cl *cl) {
    les_allocator allocator;
    if (!cl) return;
    lesi_cl_forget_log(cl);
    if (cl->words) cl->call.clReleaseKernel(cl->words);
    if (cl->moments) cl->call.clReleaseKernel(cl->moments);
    if (cl->total) cl->call.clReleaseKernel(cl->total);
    if (cl->attention) cl->call.clReleaseKernel(cl->attention);
    if (cl->words_program) cl->call.clReleaseProgram(cl->words_program);
    if (cl->learn_program) cl->call.clReleaseProgram(cl->learn_program);
    if (cl->own_queue) cl->call.clReleaseCommandQueue(cl->own_queue);
    if (cl->own_context) cl->call.clReleaseContext(cl->own_context);
    allocator = cl->allocator;
    lesi_release(&allocator, cl);
}

LES_API les_cl_result les_cl_get_info(const les_cl *cl, les_cl_info *info) {
    if (!cl || !info) return LES_CL_ERROR_NULL;
    *info = cl->info;
    return LES_CL_OK;
}

LES_API int les_cl_code(const les_cl *cl) { return cl ? cl->code : 0; }
LES_API const char *les_cl_log(const les_cl *cl) { return cl && cl->log ? cl->log : ""; }

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-build   programs, kernels, buffers, launches

LESI_FN void lesi_cl_put(char *log, size_t *at, const char *text) {
    const size_t size = strlen(text);
    memcpy(log + *at, text, size);
    *at += size;
}

// Device, driver, options and the compiler's words; without memory for them there is no log.
LESI_FN void lesi_cl_keep_log(les_cl *cl, cl_program program, const char *options) {
    const les_cl_info *info = &cl->info;
    size_t size = 0, at = 0;
    if (cl->call.clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS) size = 0;
    cl->log = (char *)lesi_allocate(&cl->allocator, size + sizeof *info + strlen(options) + 64);
    if (!cl->log) return;
    lesi_cl_put(cl->log, &at, "device: ");
    lesi_cl_put(cl->log, &at, info->name);
    lesi_cl_put(cl->log, &at, ", ");
    lesi_cl_put(cl->log, &at, info->version);
    lesi_cl_put(cl->log, &at, "\ndriver: ");
    lesi_cl_put(cl->log, &at, info->driver);
    lesi_cl_put(cl->log, &at, "\noptions: ");
    lesi_cl_put(cl->log, &at, options);
    lesi_cl_put(cl->log, &at, "\n");
    if (size && cl->call.clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, size, cl->log + at, NULL) == CL_SUCCESS) at += size;
    cl->log[at] = 0;
}

LESI_FN les_cl_result lesi_cl_build(les_cl *cl, lesi_cl_source *source, cl_program *program) {
    const char *options = cl->info.correctly_rounded ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt" : "-cl-std=CL1.2";
    cl_int code;
    lesi_cl_forget_log(cl);
    *program = cl->call.clCreateProgramWithSource(cl->context, source->count, source->part, NULL, &code);
    if (code != CL_SUCCESS) return lesi_cl_did(cl, code);
    code = cl->call.clBuildProgram(*program, 1, &cl->device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        lesi_cl_keep_log(cl, *program, options);
        cl->call.clReleaseProgram(*program);
        *program = NULL;
    }
    return lesi_cl_did(cl, code);
}

LESI_FN les_cl_result lesi_cl_kernel(les_cl *cl, cl_program program, const char *name, cl_kernel *kernel) {
    cl_int code;
    *kernel = cl->call.clCreateKernel(program, name, &code);
    return lesi_cl_did(cl, code);
}

// An argument list under way: the first that fails is kept.
typedef struct lesi_cl_arguments { les_cl *cl; cl_kernel kernel; cl_uint count; cl_int code; } lesi_cl_arguments;

LESI_FN lesi_cl_arguments lesi_cl_call(les_cl *cl, cl_kernel kernel) {
    lesi_cl_arguments a;
    a.cl = cl;
    a.kernel = kernel;
    a.count = 0;
    a.code = CL_SUCCESS;
    return a;
}
LESI_FN void lesi_cl_give(lesi_cl_arguments *a, size_t size, const void *value) {
    const cl_int code = a->cl->call.clSetKernelArg(a->kernel, a->count++, size, value);
    if (a->code == CL_SUCCESS) a->code = code;
}
LESI_FN void lesi_cl_give_word(lesi_cl_arguments *a, uint64_t value) {
    const cl_uint word = (cl_uint)(value & 0xffffffffu);
    lesi_cl_give(a, sizeof word, &word);
}
LESI_FN void lesi_cl_give_buffer(lesi_cl_arguments *a, const cl_mem *buffer) { lesi_cl_give(a, sizeof *buffer, buffer); }

// One work-item for each of count, in groups as the handle has them; the kernels do nothing beyond.
LESI_FN les_cl_result lesi_cl_launch_by(lesi_cl_arguments *a, size_t count, size_t local) {
    les_cl *cl = a->cl;
    size_t most = 0, global;
    if (a->code != CL_SUCCESS) return lesi_cl_did(cl, a->code);
    if (cl->call.clGetKernelWorkGroupInfo(a->kernel, cl->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL) != CL_SUCCESS || !most)
        most = 1;
    if (local > most) local = most;
    if (local > cl->info.largest_group && cl->info.largest_group) local = cl->info.largest_group;
    global = (count + local - 1) / local * local;
    return lesi_cl_did(cl, cl->call.clEnqueueNDRangeKernel(cl->queue, a->kernel, 1, NULL, &global, &local, 0, NULL, NULL));
}

LESI_FN les_cl_result lesi_cl_launch(lesi_cl_arguments *a, size_t count) { return lesi_cl_launch_by(a, count, a->cl->local_size); }

typedef struct lesi_cl_buffer { cl_mem memory; size_t size; } lesi_cl_buffer;

LESI_FN void lesi_cl_drop(les_cl *cl, lesi_cl_buffer *b) {
    if (b->memory) cl->call.clReleaseMemObject(b->memory);
    cl->taken -= b->size;
    b->memory = NULL;
    b->size = 0;
}

// Bytes below the limit, were `own` of those taken free.
LESI_FN uint64_t lesi_cl_left(const les_cl *cl, uint64_t own) {
    const uint64_t held = cl->taken - own;
    return cl->memory_limit > held ? cl->memory_limit - held : 0;
}

// At least size bytes; what the buffer held is lost when it has to grow.
LESI_FN les_cl_result lesi_cl_reserve(les_cl *cl, lesi_cl_buffer *b, size_t size) {
    cl_int code;
    if (b->memory && b->size >= size) return LES_CL_OK;
    lesi_cl_drop(cl, b);
    if (size > cl->info.largest_buffer || size > lesi_cl_left(cl, 0)) return LES_CL_ERROR_DEVICE_MEMORY;
    b->memory = cl->call.clCreateBuffer(cl->context, CL_MEM_READ_WRITE, size, NULL, &code);
    if (code != CL_SUCCESS) { b->memory = NULL; return lesi_cl_did(cl, code); }
    b->size = size;
    cl->taken += size;
    return LES_CL_OK;
}

LESI_FN les_cl_result lesi_cl_write(les_cl *cl, const lesi_cl_buffer *b, size_t offset, const void *data, size_t size) {
    return lesi_cl_did(cl, cl->call.clEnqueueWriteBuffer(cl->queue, b->memory, CL_TRUE, offset, size, data, 0, NULL, NULL));
}
LESI_FN les_cl_result lesi_cl_read(les_cl *cl, const lesi_cl_buffer *b, void *data, size_t size) {
    return lesi_cl_did(cl, cl->call.clEnqueueReadBuffer(cl->queue, b->memory, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-evaluation   a fitness: its program, its buffers, and populations through them a part at a time

struct les_cl_fitness {
    les_cl        *cl;
    cl_program     program;
    cl_kernel      draw, fitness;
    int            fp64;
    lesi_cl_buffer x, f, place[4];                      // place: centre, step, lower, upper
    lesi_cl_buffer weight, weight2, sums, form, feature, row;      // of les_cl_tell
    lesi_cl_buffer user[LES_CL_BUFFERS];
    size_t         users;
#if LESI_BBOB
    int            is_bbob;
    lesi_chain     chain;
    lesi_cl_buffer path, lanes[3];                      // x - x_opt by lanes, and what the chain makes of it
#endif
    void          *staging;                             // numbers on their way, `staged` bytes
    size_t         staged;
};

LESI_FN size_t lesi_cl_user_count(const les_cl_fitness_desc *desc) {
    size_t count = 0;
    while (count < LES_CL_BUFFERS && desc->size[count]) count++;
    return count;
}

LESI_FN void lesi_cl_add_user(lesi_cl_source *source, const les_cl_fitness_desc *desc) {
    const size_t users = lesi_cl_user_count(desc);
    size_t i;
    lesi_cl_add(source, desc->fp64 ? lesi_cl_double : lesi_cl_single);
    lesi_cl_add(source, desc->source);
    lesi_cl_add(source, lesi_cl_user_head);
    for (i = 0; i < users; i++) lesi_cl_add(source, lesi_cl_user_parameters[i]);
    lesi_cl_add(source, lesi_cl_user_body);
    lesi_cl_add(source, desc->name ? desc->name : "fitness");
    lesi_cl_add(source, lesi_cl_user_call);
    for (i = 0; i < users; i++) lesi_cl_add(source, lesi_cl_user_arguments[i]);
    lesi_cl_add(source, lesi_cl_user_end);
}

LESI_FN les_cl_result lesi_cl_fitness_build(les_cl_fitness *fitness, const les_cl_fitness_desc *desc) {
    les_cl *cl = fitness->cl;
    lesi_cl_source source;
    les_cl_result result;
    source.count = 0;
    lesi_cl_add(&source, cl->wide == 1 ? lesi_cl_one_lane : lesi_cl_many_lanes);
    lesi_cl_add_all(&source, lesi_cl_common, sizeof lesi_cl_common / sizeof *lesi_cl_common);
    lesi_cl_add(&source, lesi_cl_draw_kernel);
    if (desc->source) lesi_cl_add_user(&source, desc);
#if LESI_BBOB
    else {
        lesi_cl_add_all(&source, lesi_cl_functions, sizeof lesi_cl_functions / sizeof *lesi_cl_functions);
        lesi_cl_add(&source, lesi_cl_gaps_kernel);
    }
#endif
    result = lesi_cl_build(cl, &source, &fitness->program);
    if (result == LES_CL_OK) result = lesi_cl_kernel(cl, fitness->program, "les_draw", &fitness->draw);
    if (result == LES_CL_OK) result = lesi_cl_kernel(cl, fitness->program, "les_fitness", &fitness->fitness);
    return result;
}

LESI_FN les_cl_result lesi_cl_fitness_fill(les_cl_fitness *fitness, const les_cl_fitness_desc *desc) {
    les_cl *cl = fitness->cl;
    les_cl_result result = LES_CL_OK;
    size_t i;
    fitness->users = desc->source ? lesi_cl_user_count(desc) : 0;
    for (i = 0; i < fitness->users && result == LES_CL_OK; i++) {
        result = lesi_cl_reserve(cl, &fitness->user[i], desc->size[i]);
        if (result == LES_CL_OK && desc->buffer[i]) result = lesi_cl_write(cl, &fitness->user[i], 0, desc->buffer[i], desc->size[i]);
    }
#if LESI_BBOB
    if (desc->bbob) {
        const size_t size = lesi_bbob_float_count(desc->bbob) * sizeof(float);
        fitness->is_bbob = 1;
        fitness->chain = desc->bbob->chain;
        result = lesi_cl_reserve(cl, &fitness->path, size);
        if (result == LES_CL_OK) result = lesi_cl_write(cl, &fitness->path, 0, desc->bbob->float_path, size);
    }
#endif
    return result;
}

LESI_FN les_cl_result lesi_cl_fitness_check(const les_cl *cl, const les_cl_fitness_desc *desc) {
#if LESI_BBOB
    if (!desc->source == !desc->bbob || (desc->bbob && !desc->bbob->float_path)) return LES_CL_ERROR_DESC;
#else
    if (!desc->source) return LES_CL_ERROR_DESC;
#endif
    if (desc->name && !*desc->name) return LES_CL_ERROR_DESC;
    return desc->source && desc->fp64 && !cl->info.fp64 ? LES_CL_ERROR_FP64 : LES_CL_OK;
}

LES_API les_cl_result les_cl_fitness_create(les_cl_fitness **fitness, les_cl *cl, const les_cl_fitness_desc *desc) {
    les_cl_fitness *made;
    les_cl_result result;
    if (!fitness) return LES_CL_ERROR_NULL;
    *fitness = NULL;
    if (!cl || !desc) return LES_CL_ERROR_NULL;
    result = lesi_cl_fitness_check(cl, desc);
    if (result != LES_CL_OK) return result;
    made = (les_cl_fitness *)lesi_allocate(&cl->allocator, sizeof *made);
    if (!made) return LES_CL_ERROR_MEMORY;
    memset(made, 0, sizeof *made);
    made->cl = cl;
    made->fp64 = desc->source && desc->fp64;
    result = lesi_cl_fitness_build(made, desc);
    if (result == LES_CL_OK) result = lesi_cl_fitness_fill(made, desc);
    if (result == LES_CL_OK) *fitness = made;
    else les_cl_fitness_destroy(made);
    return result;
}

LES_API void les_cl_fitness_destroy(les_cl_fitness *fitness) {
    les_cl *cl;
    size_t i;
    if (!fitness) return;
    cl = fitness->cl;
    lesi_cl_drop(cl, &fitness->x);
    lesi_cl_drop(cl, &fitness->f);
    for (i = 0; i < 4; i++) lesi_cl_drop(cl, &fitness->place[i]);
    lesi_cl_drop(cl, &fitness->weight);
    lesi_cl_drop(cl, &fitness->weight2);
    lesi_cl_drop(cl, &fitness->sums);
    lesi_cl_drop(cl, &fitness->form);
    lesi_cl_drop(cl, &fitness->feature);
    lesi_cl_drop(cl, &fitness->row);
    for (i = 0; i < LES_CL_BUFFERS; i++) lesi_cl_drop(cl, &fitness->user[i]);
#if LESI_BBOB
    lesi_cl_drop(cl, &fitness->path);
    for (i = 0; i < 3; i++) lesi_cl_drop(cl, &fitness->lanes[i]);
#endif
    if (fitness->draw) cl->call.clReleaseKernel(fitness->draw);
    if (fitness->fitness) cl->call.clReleaseKernel(fitness->fitness);
    if (fitness->program) cl->call.clReleaseProgram(fitness->program);
    if (fitness->staging) lesi_release(&cl->allocator, fitness->staging);
    lesi_release(&cl->allocator, fitness);
}

LES_API les_cl_result les_cl_fitness_write(les_cl_fitness *fitness, size_t number, const void *data, size_t size) {
    if (!fitness || !data) return LES_CL_ERROR_NULL;
    if (number >= fitness->users || size != fitness->user[number].size) return LES_CL_ERROR_COUNT;
    return lesi_cl_write(fitness->cl, &fitness->user[number], 0, data, size);
}

LESI_FN les_cl_result lesi_cl_stage(les_cl_fitness *fitness, size_t size) {
    les_allocator *allocator = &fitness->cl->allocator;
    if (fitness->staged >= size) return LES_CL_OK;
    if (fitness->staging) lesi_release(allocator, fitness->staging);
    fitness->staging = lesi_allocate(allocator, size);
    fitness->staged = fitness->staging ? size : 0;
    return fitness->staging ? LES_CL_OK : LES_CL_ERROR_MEMORY;
}

// ---- room for a part of a population

// Members that fit beside what the fitness holds already, their own room counted as free; at most count.
LESI_FN size_t lesi_cl_fitting(const les_cl_fitness *fitness, size_t dim, size_t count) {
    const les_cl *cl = fitness->cl;
    const uint64_t row = (uint64_t)dim * sizeof(float);
    uint64_t rows = 1, together = 1, own = fitness->x.size + fitness->f.size, fit;
#if LESI_BBOB
    if (fitness->is_bbob) { rows = 4; together = cl->abreast; }
    own += fitness->lanes[0].size + fitness->lanes[1].size + fitness->lanes[2].size;
#endif
    fit = lesi_cl_left(cl, own) / (rows * row + sizeof(double));
    if (fit > cl->info.largest_buffer / row) fit = cl->info.largest_buffer / row;
    if (fit > UINT32_MAX) fit = UINT32_MAX;             // kernels count in words
    fit = fit / together * together;
    return fit >= count ? count : (size_t)fit;
}

// Gives up the room for points: what it holds is good for one call only.
LESI_FN void lesi_cl_make_way(les_cl_fitness *fitness) {
    lesi_cl_drop(fitness->cl, &fitness->x);
    lesi_cl_drop(fitness->cl, &fitness->f);
#if LESI_BBOB
    {
        size_t i;
        for (i = 0; i < 3; i++) lesi_cl_drop(fitness->cl, &fitness->lanes[i]);
    }
#endif
}

// As lesi_cl_reserve; room for points gives way.
LESI_FN les_cl_result lesi_cl_fitness_reserve(les_cl_fitness *fitness, lesi_cl_buffer *b, size_t size) {
    const les_cl_result result = lesi_cl_reserve(fitness->cl, b, size);
    if (result != LES_CL_ERROR_DEVICE_MEMORY) return result;
    lesi_cl_make_way(fitness);
    return lesi_cl_reserve(fitness->cl, b, size);
}

LESI_FN les_cl_result lesi_cl_make_room(les_cl_fitness *fitness, size_t dim, size_t count, size_t *rows) {
    les_cl *cl = fitness->cl;
    size_t of_x, of_f;
    les_cl_result result;
    if (!dim || dim > UINT32_MAX) return LES_CL_ERROR_DIM;
#if LESI_BBOB
    if (fitness->is_bbob && dim != fitness->chain.dim) return LES_CL_ERROR_DIM;
#endif
    *rows = lesi_cl_fitting(fitness, dim, count);
    if (!*rows) return LES_CL_ERROR_DEVICE_MEMORY;
    of_x = *rows * dim * sizeof(float);
    of_f = *rows * (fitness->fp64 ? sizeof(double) : sizeof(float));
    if (fitness->x.size < of_x || fitness->f.size < of_f) lesi_cl_make_way(fitness);   // points of another shape may be in the way
    result = lesi_cl_reserve(cl, &fitness->x, of_x);
    if (result == LES_CL_OK) result = lesi_cl_reserve(cl, &fitness->f, of_f);
#if LESI_BBOB
    if (fitness->is_bbob) {
        const size_t size = (*rows + cl->abreast - 1) / cl->abreast * cl->abreast * dim * sizeof(float);
        size_t i;
        for (i = 0; i < 3 && result == LES_CL_OK; i++) result = lesi_cl_reserve(cl, &fitness->lanes[i], size);
    }
#endif
    return result == LES_CL_OK ? lesi_cl_stage(fitness, *rows * sizeof(double)) : result;
}

// Values of the `count` points in x.
LESI_FN les_cl_result lesi_cl_values(les_cl_fitness *fitness, size_t dim, size_t count, double *f) {
    les_cl *cl = fitness->cl;
    lesi_cl_arguments a = lesi_cl_call(cl, fitness->fitness);
    les_cl_result result;
    size_t items = count, i;
    lesi_cl_give_word(&a, count);
    lesi_cl_give_word(&a, dim);
    lesi_cl_give_buffer(&a, &fitness->x.memory);
    lesi_cl_give_buffer(&a, &fitness->f.memory);
    for (i = 0; i < fitness->users; i++) lesi_cl_give_buffer(&a, &fitness->user[i].memory);
#if LESI_BBOB
    if (fitness->is_bbob) {
        lesi_cl_give(&a, sizeof fitness->chain, &fitness->chain);
        lesi_cl_give_buffer(&a, &fitness->path.memory);
        for (i = 0; i < 3; i++) lesi_cl_give_buffer(&a, &fitness->lanes[i].memory);
        items = (count + cl->wide - 1) / cl->wide;
    }
#endif
    result = lesi_cl_launch(&a, items);
    if (result == LES_CL_OK && fitness->fp64) result = lesi_cl_read(cl, &fitness->f, f, count * sizeof(double));
    if (result == LES_CL_OK && !fitness->fp64) {
        const float *from = (const float *)fitness->staging;
        result = lesi_cl_read(cl, &fitness->f, fitness->staging, count * sizeof(float));
        for (i = 0; i < count && result == LES_CL_OK; i++) f[i] = (double)from[i];
    }
    return result;
}

LES_API les_cl_result les_cl_points(les_cl_fitness *fitness, const float *x, size_t count, size_t dim, double *f) {
    size_t rows, first, part;
    les_cl_result result;
    if (!fitness || !x || !f) return LES_CL_ERROR_NULL;
    if (!count) return LES_CL_OK;
    result = lesi_cl_make_room(fitness, dim, count, &rows);
    for (first = 0; first < count && result == LES_CL_OK; first += part) {
        part = count - first < rows ? count - first : rows;
        result = lesi_cl_write(fitness->cl, &fitness->x, 0, x + first * dim, part * dim * sizeof(float));
        if (result == LES_CL_OK) result = lesi_cl_values(fitness, dim, part, f + first);
    }
    return result;
}

// ---- members of a handle

LESI_FN int lesi_cl_draws(const les_es *es) {                          // is it drawn as the kernel does?
    if (es->cfg.desc.strategy == LES_LEARNED) return lesi_recipe_of(es)->draw == lesi_draw_normal;
    return lesi_does(es)->draw == lesi_draw_normal;
}

// Reals as floats to the device.
LESI_FN les_cl_result lesi_cl_send(les_cl_fitness *fitness, lesi_cl_buffer *to, const les_real *from, size_t count) {
    enum { PIECE = 16384 };
    les_cl_result result = LES_CL_OK;
    size_t first, part, i;
    if (sizeof(les_real) == sizeof(float)) return lesi_cl_write(fitness->cl, to, 0, from, count * sizeof(float));
    result = lesi_cl_stage(fitness, PIECE * sizeof(float));
    for (first = 0; first < count && result == LES_CL_OK; first += part) {
        float *piece = (float *)fitness->staging;
        part = count - first < PIECE ? count - first : (size_t)PIECE;
        for (i = 0; i < part; i++) piece[i] = (float)from[first + i];
        result = lesi_cl_write(fitness->cl, to, first * sizeof(float), piece, part * sizeof(float));
    }
    return result;
}

// Mean, deviations and bounds of the generation; where there are no bounds the kernel is given what it does not read.
LESI_FN les_cl_result lesi_cl_send_place(les_cl_fitness *fitness, const les_es *es) {
    const les_real *from[4];
    les_cl_result result = LES_CL_OK;
    size_t i;
    from[0] = es->centre;
    from[1] = es->step;
    from[2] = es->cfg.bounded ? es->lower : NULL;
    from[3] = es->cfg.bounded ? es->upper : NULL;
    for (i = 0; i < 4 && result == LES_CL_OK; i++) {
        result = lesi_cl_reserve(fitness->cl, &fitness->place[i], from[i] ? es->dim * sizeof(float) : sizeof(float));
        if (result == LES_CL_OK && from[i]) result = lesi_cl_send(fitness, &fitness->place[i], from[i], es->dim);
    }
    return result;
}

// What the kernels that draw are told first.
LESI_FN void lesi_cl_give_place(lesi_cl_arguments *a, const les_cl_fitness *fitness, const les_es *es) {
    const les_bounds mode = es->cfg.bounded ? es->cfg.desc.bounds : LES_BOUNDS_NONE;
    const cl_int bounds = mode == LES_BOUNDS_CLIP ? 1 : mode == LES_BOUNDS_REFLECT ? 2 : 0;
    size_t i;
    lesi_cl_give_word(a, es->key.k0);
    lesi_cl_give_word(a, es->key.k1);
    lesi_cl_give_word(a, es->draws);
    lesi_cl_give_word(a, es->draws >> 32);
    lesi_cl_give_word(a, es->dim);
    lesi_cl_give_word(a, lesi_does(es)->mirrored ? es->popsize / 2 : es->popsize);
    lesi_cl_give(a, sizeof bounds, &bounds);
    for (i = 0; i < 4; i++) lesi_cl_give_buffer(a, &fitness->place[i].memory);
}

LESI_FN les_cl_result lesi_cl_draw(les_cl_fitness *fitness, const les_es *es, size_t first, size_t count) {
    lesi_cl_arguments a = lesi_cl_call(fitness->cl, fitness->draw);
    lesi_cl_give_place(&a, fitness, es);
    lesi_cl_give_word(&a, first);
    lesi_cl_give_word(&a, count);
    lesi_cl_give_buffer(&a, &fitness->x.memory);
    return lesi_cl_launch(&a, (es->dim + 3) / 4 * count);
}

LES_API les_cl_result les_cl_evaluate(les_cl_fitness *fitness, les_es *es, double *f) {
    const les_real *x = NULL;
    size_t rows = 0, first, part;
    les_cl_result result;
    if (!fitness || !es || !f) return LES_CL_ERROR_NULL;
    if (!lesi_cl_draws(es) && les_ask(es, &x) != LES_OK) return LES_CL_ERROR_ASK;
    result = x ? LES_CL_OK : lesi_cl_send_place(fitness, es);
    if (result == LES_CL_OK) result = lesi_cl_make_room(fitness, es->dim, es->popsize, &rows);
    for (first = 0; result == LES_CL_OK && first < es->popsize; first += part) {
        part = es->popsize - first < rows ? es->popsize - first : rows;
        if (x) result = lesi_cl_send(fitness, &fitness->x, x + first * es->dim, part * es->dim);
        else result = lesi_cl_draw(fitness, es, first, part);
        if (result == LES_CL_OK) result = lesi_cl_values(fitness, es->dim, part, f + first);
    }
    return result;
}

LES_API les_cl_result les_cl_members(les_cl_fitness *fitness, const les_es *es, size_t first, size_t count, float *x) {
    size_t rows = 0, part;
    les_cl_result result;
    if (!fitness || !es || !x) return LES_CL_ERROR_NULL;
    if (first > es->popsize || count > es->popsize - first) return LES_CL_ERROR_COUNT;
    if (!lesi_cl_draws(es)) return LES_CL_ERROR_DESC;
    if (!count) return LES_CL_OK;
    result = lesi_cl_send_place(fitness, es);
    if (result == LES_CL_OK) result = lesi_cl_make_room(fitness, es->dim, count, &rows);
    for (; result == LES_CL_OK && count; first += part, count -= part, x += part * es->dim) {
        part = count < rows ? count : rows;
        result = lesi_cl_draw(fitness, es, first, part);
        if (result == LES_CL_OK) result = lesi_cl_read(fitness->cl, &fitness->x, x, part * es->dim * sizeof(float));
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-learn   sums over the population on the device; what they are used for is the handle's

LESI_FN les_cl_result lesi_cl_learn_ready(les_cl *cl) {
    lesi_cl_source source;
    les_cl_result result;
    if (cl->attention) return LES_CL_OK;
    source.count = 0;
    lesi_cl_add(&source, cl->wide == 1 ? lesi_cl_one_lane : lesi_cl_many_lanes);
    lesi_cl_add_all(&source, lesi_cl_common, sizeof lesi_cl_common / sizeof *lesi_cl_common);
    lesi_cl_add(&source, lesi_cl_tile);
    lesi_cl_add(&source, lesi_cl_moments_kernel);
    lesi_cl_add(&source, lesi_cl_attention_kernel);
    if (!cl->learn_program) {
        result = lesi_cl_build(cl, &source, &cl->learn_program);
        if (result != LES_CL_OK) return result;
    }
    result = cl->moments ? LES_CL_OK : lesi_cl_kernel(cl, cl->learn_program, "les_moments", &cl->moments);
    if (result == LES_CL_OK && !cl->total) result = lesi_cl_kernel(cl, cl->learn_program, "les_total", &cl->total);
    return result == LES_CL_OK ? lesi_cl_kernel(cl, cl->learn_program, "les_attention", &cl->attention) : result;
}

enum { LESI_CL_PART = 1024 };                           // members whose moments are added up one after the other, as the host does with all

// Doubles as floats to a buffer, from float `offset` on.
LESI_FN les_cl_result lesi_cl_send_doubles(les_cl_fitness *fitness, lesi_cl_buffer *to, size_t offset, const double *from, size_t count) {
    les_cl_result result = lesi_cl_stage(fitness, count * sizeof(float));
    float *piece = (float *)fitness->staging;
    size_t i;
    if (result != LES_CL_OK) return result;
    for (i = 0; i < count; i++) piece[i] = (float)from[i];
    return lesi_cl_write(fitness->cl, to, offset * sizeof(float), piece, count * sizeof(float));
}

LESI_FN les_cl_result lesi_cl_sums(les_cl_fitness *fitness, const les_es *es, size_t parts) {
    const float most = (float)(LESI_FLOAT ? LESI_FAR : 1e12);
    const cl_int unrounded = !LESI_FLOAT && es->cfg.desc.bounds == LES_BOUNDS_NONE;
    const cl_ulong count = 2 * (cl_ulong)es->dim;
    lesi_cl_arguments a = lesi_cl_call(fitness->cl, fitness->cl->moments);
    les_cl_result result;
    lesi_cl_give_place(&a, fitness, es);
    lesi_cl_give_word(&a, es->popsize);
    lesi_cl_give_word(&a, LESI_CL_PART);
    lesi_cl_give(&a, sizeof most, &most);
    lesi_cl_give(&a, sizeof unrounded, &unrounded);
    lesi_cl_give_buffer(&a, &fitness->weight.memory);
    lesi_cl_give_buffer(&a, &fitness->weight2.memory);
    lesi_cl_give_buffer(&a, &fitness->sums.memory);
    result = lesi_cl_launch(&a, (es->dim + 3) / 4 * parts);
    if (result != LES_CL_OK || parts == 1) return result;
    a = lesi_cl_call(fitness->cl, fitness->cl->total);
    lesi_cl_give(&a, sizeof count, &count);
    lesi_cl_give_word(&a, parts);
    lesi_cl_give_buffer(&a, &fitness->sums.memory);
    return lesi_cl_launch(&a, 2 * es->dim);
}

LESI_FN int lesi_cl_all_finite(const float *v, size_t count) {
    size_t i;
    for (i = 0; i < count && lesi_is_finite_f(v[i]); i++) {}
    return i == count;
}

// *beyond: what single precision cannot hold; nothing is taken over then.
LESI_FN les_cl_result lesi_cl_moments(les_cl_fitness *fitness, les_es *es, int *beyond) {
    les_cl *cl = fitness->cl;
    const size_t n = es->popsize, dim = es->dim, parts = (n + LESI_CL_PART - 1) / LESI_CL_PART;
    les_cl_result result = lesi_cl_send_place(fitness, es);
    const float *got;
    size_t i;
    if (parts > SIZE_MAX / 8 / dim) return LES_CL_ERROR_DEVICE_MEMORY;
    if (result == LES_CL_OK) result = lesi_cl_fitness_reserve(fitness, &fitness->weight, n * sizeof(float));
    if (result == LES_CL_OK) result = lesi_cl_fitness_reserve(fitness, &fitness->weight2, n * sizeof(float));
    if (result == LES_CL_OK) result = lesi_cl_fitness_reserve(fitness, &fitness->sums, parts * 2 * dim * sizeof(float));
    if (result == LES_CL_OK) result = lesi_cl_send_doubles(fitness, &fitness->weight, 0, es->weight, n);
    if (result == LES_CL_OK) result = lesi_cl_send_doubles(fitness, &fitness->weight2, 0, es->weight2, n);
    if (result == LES_CL_OK) result = lesi_cl_sums(fitness, es, parts);
    if (result == LES_CL_OK) result = lesi_cl_stage(fitness, 2 * dim * sizeof(float));
    got = (const float *)fitness->staging;
    if (result == LES_CL_OK) result = lesi_cl_read(cl, &fitness->sums, fitness->staging, 2 * dim * sizeof(float));
    if (result != LES_CL_OK) return result;
    *beyond = !lesi_cl_all_finite(got, 2 * dim);
    for (i = 0; i < dim && !*beyond; i++) { es->d[i] = (les_real)got[i]; es->v[i] = (les_real)got[dim + i]; }
    return LES_CL_OK;
}

// The bilinear form in bits, features and values to the device, and rows back.
LESI_FN les_cl_result lesi_cl_rows(les_cl_fitness *fitness, const les_es *es, double bilinear[][LESI_FEATURES], size_t heads,
                                   double *const *to, int *beyond) {
    les_cl *cl = fitness->cl;
    const size_t n = es->popsize, columns = LESI_FEATURES + heads;
    double form[(LESI_FEATURES + 1) * LESI_FEATURES];
    const float *got;
    lesi_cl_arguments a;
    les_cl_result result;
    size_t i;
    for (i = 0; i < sizeof form / sizeof *form; i++) form[i] = 1.4426950408889634 * bilinear[i / LESI_FEATURES][i % LESI_FEATURES];
    result = lesi_cl_fitness_reserve(fitness, &fitness->form, sizeof form / 2);
    if (result == LES_CL_OK) result = lesi_cl_fitness_reserve(fitness, &fitness->feature, columns * n * sizeof(float));
    if (result == LES_CL_OK) result = lesi_cl_fitness_reserve(fitness, &fitness->row, heads * n * sizeof(float));
    if (result == LES_CL_OK) result = lesi_cl_send_doubles(fitness, &fitness->form, 0, form, sizeof form / sizeof *form);
    for (i = 0; i < columns && result == LES_CL_OK; i++)
        result = lesi_cl_send_doubles(fitness, &fitness->feature, i * n, es->features + i * n, n);
    if (result != LES_CL_OK) return result;
    a = lesi_cl_call(cl, cl->attention);
    lesi_cl_give_word(&a, n);
    lesi_cl_give_word(&a, heads);
    lesi_cl_give_buffer(&a, &fitness->form.memory);
    lesi_cl_give_buffer(&a, &fitness->feature.memory);
    lesi_cl_give_buffer(&a, &fitness->row.memory);
    result = lesi_cl_launch(&a, (n + cl->wide - 1) / cl->wide);
    if (result == LES_CL_OK) result = lesi_cl_stage(fitness, heads * n * sizeof(float));
    got = (const float *)fitness->staging;
    if (result == LES_CL_OK) result = lesi_cl_read(cl, &fitness->row, fitness->staging, heads * n * sizeof(float));
    if (result == LES_CL_OK) *beyond = !lesi_cl_all_finite(got, heads * n);
    for (i = 0; i < heads * n && result == LES_CL_OK && !*beyond; i++) to[i / n][i % n] = (double)got[i];
    return result;
}

// A tell under way: the first failure is kept, and from then on the host does it all. Sums beyond single precision are no failure, but the
// host's too.
typedef struct lesi_cl_telling { les_cl_fitness *fitness; les_cl_result result; } lesi_cl_telling;

LESI_FN int lesi_cl_offload_moments(void *user, les_es *es) {
    lesi_cl_telling *telling = (lesi_cl_telling *)user;
    int beyond = 0;
    if (telling->result == LES_CL_OK) telling->result = lesi_cl_moments(telling->fitness, es, &beyond);
    return telling->result == LES_CL_OK && !beyond;
}

LESI_FN int lesi_cl_offload_rows(void *user, les_es *es, double bilinear[][LESI_FEATURES], size_t heads, double *const *to) {
    lesi_cl_telling *telling = (lesi_cl_telling *)user;
    int beyond = 0;
    if (telling->result == LES_CL_OK) telling->result = lesi_cl_rows(telling->fitness, es, bilinear, heads, to, &beyond);
    return telling->result == LES_CL_OK && !beyond;
}

LES_API les_cl_result les_cl_tell(les_cl_fitness *fitness, les_es *es, const double *f) {
    lesi_cl_telling telling;
    lesi_offload offload;
    if (!fitness || !es || !f) return LES_CL_ERROR_NULL;
    if (!lesi_cl_draws(es)) return LES_CL_ERROR_DESC;
    telling.fitness = fitness;
    telling.result = lesi_cl_learn_ready(fitness->cl);
    offload.moments = lesi_cl_offload_moments;
    offload.rows = lesi_cl_offload_rows;
    offload.user = &telling;
    lesi_prepare(es);
    es->offload = &offload;
    if (lesi_learn(es, NULL, f, es->popsize) != LES_OK) telling.result = LES_CL_ALL_FAILED;
    es->offload = NULL;
    return telling.result;
}

// ---- for those who check

LESI_FN les_cl_result lesi_cl_words_ready(les_cl *cl) {
    lesi_cl_source source;
    les_cl_result result;
    if (cl->words) return LES_CL_OK;
    source.count = 0;
    lesi_cl_add(&source, lesi_cl_one_lane);
    lesi_cl_add_all(&source, lesi_cl_common, sizeof lesi_cl_common / sizeof *lesi_cl_common);
    lesi_cl_add(&source, lesi_cl_words_kernel);
    result = cl->words_program ? LES_CL_OK : lesi_cl_build(cl, &source, &cl->words_program);
    return result == LES_CL_OK ? lesi_cl_kernel(cl, cl->words_program, "les_words", &cl->words) : result;
}

LES_API les_cl_result les_cl_words(les_cl *cl, uint64_t seed, uint64_t stream, uint64_t generation, uint32_t member, size_t count,
                                   uint32_t *words) {
    const lesi_key key = lesi_make_key(seed, stream);
    lesi_cl_buffer out = { NULL, 0 };
    lesi_cl_arguments a;
    les_cl_result result;
    if (!cl || !words) return LES_CL_ERROR_NULL;
    if (count > UINT32_MAX / 16) return LES_CL_ERROR_COUNT;
    if (!count) return LES_CL_OK;
    result = lesi_cl_words_ready(cl);
    if (result == LES_CL_OK) result = lesi_cl_reserve(cl, &out, count * 4 * sizeof *words);
    if (result == LES_CL_OK) {
        a = lesi_cl_call(cl, cl->words);
        lesi_cl_give_word(&a, key.k0);
        lesi_cl_give_word(&a, key.k1);
        lesi_cl_give_word(&a, generation);
        lesi_cl_give_word(&a, generation >> 32);
        lesi_cl_give_word(&a, member);
        lesi_cl_give_word(&a, count);
        lesi_cl_give_buffer(&a, &out.memory);
        result = lesi_cl_launch(&a, count);
    }
    if (result == LES_CL_OK) result = lesi_cl_read(cl, &out, words, count * 4 * sizeof *words);
    lesi_cl_drop(cl, &out);
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cl-meta   meta-training: tasks are prepared by the host, as for its own roll-outs, and go to the device a part at a time

#if LESI_META

// Tasks of one launch.
enum { LESI_CL_TASKS = 256, LESI_CL_PACKED = 1 << 24 };                // at most; floats, if more than one task
typedef struct lesi_cl_part {
    lesi_course course[LESI_CL_TASKS];
    lesi_chain  chain[LESI_CL_TASKS];
    cl_ulong    place[LESI_CL_TASKS];
    size_t      count, floats, rows;                    // rows: of the largest
} lesi_cl_part;

struct les_cl_meta {
    les_cl        *cl;
    les_contract   contract;
    cl_program     program;
    cl_kernel      kernel;
    lesi_cl_buffer course, chain, place, supply, theta, room, score;
    float         *packed;                              // numbers of tasks on their way, and scores; room for `capacity`
    size_t         capacity;
    void          *desk;                                // what a task is prepared in, desk_size bytes
    size_t         desk_size;
    lesi_cl_part   part;
};

LESI_FN les_cl_result lesi_cl_meta_build(les_cl_meta *meta) {
    les_cl *cl = meta->cl;
    lesi_cl_source source;
    les_cl_result result;
    source.count = 0;
    lesi_cl_add(&source, cl->wide == 1 ? lesi_cl_one_lane : lesi_cl_many_lanes);
    lesi_cl_add(&source, lesi_cl_contracts[meta->contract]);
    lesi_cl_add_all(&source, lesi_cl_common, sizeof lesi_cl_common / sizeof *lesi_cl_common);
    lesi_cl_add_all(&source, lesi_cl_functions, sizeof lesi_cl_functions / sizeof *lesi_cl_functions);
    lesi_cl_add_all(&source, lesi_cl_rollout, sizeof lesi_cl_rollout / sizeof *lesi_cl_rollout);
    result = lesi_cl_build(cl, &source, &meta->program);
    return result == LES_CL_OK ? lesi_cl_kernel(cl, meta->program, "les_meta", &meta->kernel) : result;
}

LES_API les_cl_result les_cl_meta_create(les_cl_meta **meta, les_cl *cl, les_contract contract) {
    les_cl_meta *made;
    les_cl_result result;
    if (!meta) return LES_CL_ERROR_NULL;
    *meta = NULL;
    if (!cl) return LES_CL_ERROR_NULL;
    if (!lesi_has_lanes(contract)) return LES_CL_ERROR_DESC;
    made = (les_cl_meta *)lesi_allocate(&cl->allocator, sizeof *made);
    if (!made) return LES_CL_ERROR_MEMORY;
    memset(made, 0, sizeof *made);
    made->cl = cl;
    made->contract = contract;
    result = lesi_cl_meta_build(made);
    if (result == LES_CL_OK) *meta = made;
    else les_cl_meta_destroy(made);
    return result;
}

LES_API void les_cl_meta_destroy(les_cl_meta *meta) {
    les_cl *cl;
    if (!meta) return;
    cl = meta->cl;
    lesi_cl_drop(cl, &meta->course);
    lesi_cl_drop(cl, &meta->chain);
    lesi_cl_drop(cl, &meta->place);
    lesi_cl_drop(cl, &meta->supply);
    lesi_cl_drop(cl, &meta->theta);
    lesi_cl_drop(cl, &meta->room);
    lesi_cl_drop(cl, &meta->score);
    if (meta->kernel) cl->call.clReleaseKernel(meta->kernel);
    if (meta->program) cl->call.clReleaseProgram(meta->program);
    if (meta->packed) lesi_release(&cl->allocator, meta->packed);
    if (meta->desk) lesi_release(&cl->allocator, meta->desk);
    lesi_release(&cl->allocator, meta);
}

// Room for count floats in packed, what is there kept.
LESI_FN les_cl_result lesi_cl_meta_grow(les_cl_meta *meta, size_t count) {
    const les_allocator *allocator = &meta->cl->allocator;
    float *grown;
    if (count <= meta->capacity) return LES_CL_OK;
    if (count < 2 * meta->capacity) count = 2 * meta->capacity;
    if (count > SIZE_MAX / sizeof(float)) return LES_CL_ERROR_MEMORY;
    grown = (float *)lesi_allocate(allocator, count * sizeof *grown);
    if (!grown) return LES_CL_ERROR_MEMORY;
    if (meta->packed) {
        memcpy(grown, meta->packed, meta->capacity * sizeof *grown);
        lesi_release(allocator, meta->packed);
    }
    meta->packed = grown;
    meta->capacity = count;
    return LES_CL_OK;
}

LESI_FN les_cl_result lesi_cl_meta_desk(les_cl_meta *meta, const les_meta_task *task, lesi_desk **desk) {
    const les_allocator *allocator = &meta->cl->allocator;
    const les_bbob_desc desc = lesi_task_function(task);
    const size_t bbob = les_bbob_size(&desc);
    const size_t size = bbob ? lesi_desk_size(meta->contract, bbob, task->dim, task->popsize, task->horizon) : 0;
    if (!size) return LES_CL_ERROR_MEMORY;
    if (size > meta->desk_size) {
        if (meta->desk) lesi_release(allocator, meta->desk);
        meta->desk = lesi_allocate(allocator, size);
        meta->desk_size = meta->desk ? size : 0;
    }
    *desk = meta->desk ? lesi_desk_in(meta->desk, meta->desk_size, task, meta->contract) : NULL;
    return *desk ? LES_CL_OK : LES_CL_ERROR_MEMORY;
}

// What the roll-outs of a task need of each bundle. The task fits into a desk, so nothing overflows.
LESI_FN size_t lesi_cl_meta_rows(const les_meta_task *task, les_contract contract) {
    const size_t n = task->popsize, dim = task->dim;
    size_t rows = (7 + 2 * LESI_PATHS) * dim + n * dim + 8 * n;
    if (lesi_is_gated(contract)) rows += n + dim;
    if (contract == LES_CONTRACT_GATED_FULL) rows += dim * dim + (n + 1) / 2 * dim;
    return rows;
}

// A prepared task behind those packed already, in the order of the kernel's lesi_cl_supply.
LESI_FN les_cl_result lesi_cl_pack(les_cl_meta *meta, const lesi_desk *desk) {
    const lesi_supply *y = &desk->runners.supply;
    const size_t dim = desk->course.dim, n = desk->course.popsize, members = n * desk->course.horizon;
    const size_t gated = lesi_is_gated(meta->contract) ? 1 : 0, full = meta->contract == LES_CONTRACT_GATED_FULL ? 1 : 0;
    const struct { const float *from; size_t count; } pieces[] = {
        { y->start, dim }, { y->stretch, dim }, { y->z, members * dim }, { y->error, members },
        { y->time, (size_t)desk->course.horizon * LESI_TIMES }, { y->square, gated * members }, { y->length, full * members },
        { y->table, gated * (n + 1) }, { y->table2, gated * (n + 1) }, { y->quantile, gated * (2 * n - 1) },
        { y->path, lesi_bbob_float_count(desk->function) }
    };
    size_t i, at = meta->part.floats, all = at;
    les_cl_result result;
    for (i = 0; i < sizeof pieces / sizeof *pieces; i++) all += pieces[i].count;
    result = lesi_cl_meta_grow(meta, all);
    for (i = 0; i < sizeof pieces / sizeof *pieces && result == LES_CL_OK; i++) {
        if (pieces[i].count) memcpy(meta->packed + at, pieces[i].from, pieces[i].count * sizeof(float));
        at += pieces[i].count;
    }
    if (result == LES_CL_OK) meta->part.floats = all;
    return result;
}

LESI_FN void lesi_cl_meta_note(lesi_cl_part *part, const lesi_desk *desk, size_t place, size_t rows) {
    part->course[part->count] = desk->course;
    part->chain[part->count] = *desk->runners.supply.chain;
    part->place[part->count++] = place;
    if (rows > part->rows) part->rows = rows;
}

// Floats of tasks for a launch: at most half of what the device has left, the other half for the roll-outs.
LESI_FN size_t lesi_cl_meta_packed(const les_cl_meta *meta) {
    const les_cl *cl = meta->cl;
    const uint64_t left = lesi_cl_left(cl, meta->room.size + meta->supply.size) / 2;
    const uint64_t fit = (left < cl->info.largest_buffer ? left : cl->info.largest_buffer) / sizeof(float);
    return fit < LESI_CL_PACKED ? (size_t)fit : (size_t)LESI_CL_PACKED;
}

// As many of the tasks as a launch takes; one that turns out to be too many is left for the next.
LESI_FN les_cl_result lesi_cl_meta_gather(les_cl_meta *meta, const les_meta_task *tasks, size_t count, const les_weights *model) {
    lesi_cl_part *part = &meta->part;
    const size_t most = lesi_cl_meta_packed(meta);
    les_cl_result result = LES_CL_OK;
    part->count = part->floats = part->rows = 0;
    while (result == LES_CL_OK && part->count < count && part->count < LESI_CL_TASKS) {
        const les_meta_task *task = tasks + part->count;
        const size_t place = part->floats;
        lesi_desk *desk;
        result = lesi_cl_meta_desk(meta, task, &desk);
        if (result != LES_CL_OK) return result;
        if (lesi_task_prepare(desk, task, model) != LES_OK) return LES_CL_ERROR_TASK;
        result = lesi_cl_pack(meta, desk);
        if (part->count && part->floats > most) { part->floats = place; break; }
        lesi_cl_meta_note(part, desk, place, lesi_cl_meta_rows(task, meta->contract));
    }
    return result;
}

// As lesi_cl_reserve; room for roll-outs, which takes what is left and holds nothing between launches, gives way.
LESI_FN les_cl_result lesi_cl_meta_reserve(les_cl_meta *meta, lesi_cl_buffer *b, size_t size) {
    const les_cl_result result = lesi_cl_reserve(meta->cl, b, size);
    if (result != LES_CL_ERROR_DEVICE_MEMORY || !meta->room.memory) return result;
    lesi_cl_drop(meta->cl, &meta->room);
    return lesi_cl_reserve(meta->cl, b, size);
}

LESI_FN les_cl_result lesi_cl_meta_send(les_cl_meta *meta) {
    const lesi_cl_part *part = &meta->part;
    const struct { lesi_cl_buffer *to; const void *from; size_t size; } pieces[] = {
        { &meta->course, part->course, part->count * sizeof *part->course },
        { &meta->chain, part->chain, part->count * sizeof *part->chain },
        { &meta->place, part->place, part->count * sizeof *part->place },
        { &meta->supply, meta->packed, part->floats * sizeof(float) }
    };
    les_cl_result result = LES_CL_OK;
    size_t i;
    for (i = 0; i < sizeof pieces / sizeof *pieces && result == LES_CL_OK; i++) {
        result = lesi_cl_meta_reserve(meta, pieces[i].to, pieces[i].size);
        if (result == LES_CL_OK) result = lesi_cl_write(meta->cl, pieces[i].to, 0, pieces[i].from, pieces[i].size);
    }
    return result;
}

// Candidates by bundles, number by number, side by side; the last one fills up.
LESI_FN les_cl_result lesi_cl_meta_send_candidates(les_cl_meta *meta, const double *candidates, size_t count, size_t numbers) {
    const size_t abreast = meta->cl->abreast, bundles = (count + abreast - 1) / abreast;
    les_cl_result result = lesi_cl_meta_grow(meta, bundles * abreast * numbers);
    size_t i, k;
    if (result != LES_CL_OK) return result;
    for (i = 0; i < bundles * abreast; i++) {
        const double *from = candidates + (i < count ? i : count - 1) * numbers;
        float *to = meta->packed + i / abreast * abreast * numbers + i % abreast;
        for (k = 0; k < numbers; k++) to[k * abreast] = (float)from[k];
    }
    lesi_cl_drop(meta->cl, &meta->supply);              // of the tasks before
    result = lesi_cl_meta_reserve(meta, &meta->theta, bundles * abreast * numbers * sizeof(float));
    if (result != LES_CL_OK) return result;
    return lesi_cl_write(meta->cl, &meta->theta, 0, meta->packed, bundles * abreast * numbers * sizeof(float));
}

// Bundles that run at a time. A processor does not need room for more than keep it busy, and has what there is in its caches then.
LESI_FN size_t lesi_cl_meta_slots(const les_cl_meta *meta, size_t bundles) {
    const les_cl *cl = meta->cl;
    const size_t size = meta->part.rows * cl->abreast * sizeof(float);
    const uint64_t left = lesi_cl_left(cl, meta->room.size);
    const uint64_t fit = (left < cl->info.largest_buffer ? left : cl->info.largest_buffer) / size;
    size_t slots = bundles;
    if (cl->wide > 1 && slots > 16 * (size_t)cl->info.units) slots = 16 * (size_t)cl->info.units;
    return slots < fit ? slots : (size_t)fit;
}

LESI_FN les_cl_result lesi_cl_meta_run(les_cl_meta *meta, size_t count, size_t numbers) {
    les_cl *cl = meta->cl;
    const size_t bundles = (count + cl->abreast - 1) / cl->abreast, all = bundles * meta->part.count;
    lesi_cl_arguments a = lesi_cl_call(cl, meta->kernel);
    const cl_ulong rows = meta->part.rows;
    les_cl_result result = lesi_cl_meta_reserve(meta, &meta->score, all * cl->abreast * sizeof(float));
    size_t slots;
    if (result != LES_CL_OK) return result;
    slots = lesi_cl_meta_slots(meta, all);
    if (!slots) return LES_CL_ERROR_DEVICE_MEMORY;
    result = lesi_cl_reserve(cl, &meta->room, slots * meta->part.rows * cl->abreast * sizeof(float));
    if (result != LES_CL_OK) return result;
    lesi_cl_give_word(&a, slots);
    lesi_cl_give_word(&a, meta->part.count);
    lesi_cl_give_word(&a, bundles);
    lesi_cl_give_word(&a, numbers);
    lesi_cl_give(&a, sizeof rows, &rows);
    lesi_cl_give_buffer(&a, &meta->course.memory);
    lesi_cl_give_buffer(&a, &meta->chain.memory);
    lesi_cl_give_buffer(&a, &meta->place.memory);
    lesi_cl_give_buffer(&a, &meta->supply.memory);
    lesi_cl_give_buffer(&a, &meta->theta.memory);
    lesi_cl_give_buffer(&a, &meta->room.memory);
    lesi_cl_give_buffer(&a, &meta->score.memory);
    return lesi_cl_launch_by(&a, slots * (cl->abreast / cl->wide), cl->heavy_size);
}

LESI_FN les_cl_result lesi_cl_meta_fetch(les_cl_meta *meta, size_t count, double *scores) {
    const size_t abreast = meta->cl->abreast, padded = (count + abreast - 1) / abreast * abreast;
    les_cl_result result = lesi_cl_meta_grow(meta, meta->part.count * padded);
    size_t t, i;
    if (result == LES_CL_OK) result = lesi_cl_read(meta->cl, &meta->score, meta->packed, meta->part.count * padded * sizeof(float));
    for (t = 0; t < meta->part.count && result == LES_CL_OK; t++)
        for (i = 0; i < count; i++) scores[t * count + i] = (double)meta->packed[t * padded + i];
    return result;
}

LES_API les_cl_result les_cl_meta_score(les_cl_meta *meta, const les_meta_task *tasks, size_t task_count, const les_weights *model,
                                        const double *candidates, size_t count, double *scores) {
    les_cl_result result;
    size_t numbers, t;
    if (!meta || !tasks || !model || !candidates || !scores) return LES_CL_ERROR_NULL;
    if (model->contract != meta->contract) return LES_CL_ERROR_DESC;
    numbers = les_contract_count(model->contract);
    if (count > UINT32_MAX || count > SIZE_MAX / 64 / numbers || lesi_check_candidates(model, candidates, count) != LES_OK)
        return LES_CL_ERROR_TASK;
    for (t = 0; t < task_count; t++) if (lesi_check_task(tasks + t) != LES_OK) return LES_CL_ERROR_TASK;
    if (!count || !task_count) return LES_CL_OK;
    result = lesi_cl_meta_send_candidates(meta, candidates, count, numbers);
    for (t = 0; t < task_count && result == LES_CL_OK; t += meta->part.count) {
        result = lesi_cl_meta_gather(meta, tasks + t, task_count - t, model);
        if (result == LES_CL_OK) result = lesi_cl_meta_send(meta);
        if (result == LES_CL_OK) result = lesi_cl_meta_run(meta, count, numbers);
        if (result == LES_CL_OK) result = lesi_cl_meta_fetch(meta, count, scores + t * count);
    }
    return result;
}

LES_API les_cl_result les_cl_meta_evaluate(les_cl_meta *meta, const les_meta *training, double *scores) {
    if (!meta || !training || !scores) return LES_CL_ERROR_NULL;
    if (!training->asked) return LES_CL_ERROR_ASK;
    return les_cl_meta_score(meta, training->task, training->tasks, &training->model, training->candidates, training->population, scores);
}

LES_API les_cl_result les_cl_meta_step(les_cl_meta *meta, les_meta *training) {
    les_cl_result result;
    if (!meta || !training) return LES_CL_ERROR_NULL;
    if (training->model.contract != meta->contract) return LES_CL_ERROR_DESC;
    if (!training->asked && les_meta_ask(training) != LES_OK) return LES_CL_ERROR_ASK;
    result = les_cl_meta_evaluate(meta, training, training->scores);
    if (result != LES_CL_OK) return result;
    return les_meta_tell(training, training->scores) == LES_OK ? LES_CL_OK : LES_CL_ERROR_ASK;
}

#endif // LESI_META

#endif // LES_OPENCL_IMPLEMENTATION

// The licence is that of les.h: MIT or public domain, as you like; see the end of that file.
