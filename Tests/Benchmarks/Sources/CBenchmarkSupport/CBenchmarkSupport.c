#define _GNU_SOURCE

#include "CBenchmarkSupport.h"

#include <stdlib.h>

void benchmark_sink(const void *value) { (void)value; }

int64_t benchmark_opaque(int64_t value) { return value; }

#if defined(__linux__) && defined(__GLIBC__)

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

int64_t benchmark_preemptions(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

void benchmark_use_processor(int64_t index) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) != 2) { return; }
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (!CPU_ISSET(processor, &allowed) || index-- > 0) { continue; }
    cpu_set_t chosen;
    CPU_ZERO(&chosen);
    CPU_SET(processor, &chosen);
    pthread_setaffinity_np(pthread_self(), sizeof chosen, &chosen);
    return;
  }
}

#else

int64_t benchmark_preemptions(void) { return 0; }

void benchmark_use_processor(int64_t index) { (void)index; }

#endif

#if defined(__linux__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
#define HEAP_IS_MEASURABLE 1
#endif
#endif

#ifdef HEAP_IS_MEASURABLE

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

// The functions below take the place of glibc's in the whole process, and pass on to these.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_bool is_counting;
static atomic_llong allocations;

// One load and a branch while nothing is counted, so that rows that measure time are not distorted.
static inline void count_one(void) {
  if (__builtin_expect(atomic_load_explicit(&is_counting, memory_order_relaxed), 0)) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_one();
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  count_one();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment == 0 || alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) { return EINVAL; }
  count_one();
  void *block = __libc_memalign(alignment, size);
  if (block == NULL) { return ENOMEM; }
  *result = block;
  return 0;
}

bool benchmark_heap_is_measurable(void) { return true; }

void benchmark_start_counting_allocations(void) {
  atomic_store(&allocations, 0);
  atomic_store(&is_counting, true);
}

int64_t benchmark_stop_counting_allocations(void) {
  atomic_store(&is_counting, false);
  return atomic_load(&allocations);
}

int64_t benchmark_heap_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}

#else

bool benchmark_heap_is_measurable(void) { return false; }

void benchmark_start_counting_allocations(void) {}

int64_t benchmark_stop_counting_allocations(void) { return 0; }

int64_t benchmark_heap_bytes_in_use(void) { return 0; }

#endif
