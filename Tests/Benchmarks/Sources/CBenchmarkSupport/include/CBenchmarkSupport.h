#ifndef C_BENCHMARK_SUPPORT_H
#define C_BENCHMARK_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

/// Takes a value in a way that the optimiser cannot see through, so that the work that made the value has to be done.
void benchmark_sink(const void *value);

/// Returns its argument in a way that the optimiser cannot see through, so that nothing is computed at compile time.
int64_t benchmark_opaque(int64_t value);

/// Gives the calling thread one of exactly two processors for itself, on Linux; does nothing where there are more.
///
/// With two processors and a busy neighbor, the scheduler often runs both threads of a row on one processor. With more, it
/// knows better which of them share a core.
void benchmark_use_processor(int64_t index);

/// Returns how often the system took the processor from the calling thread, on Linux; zero elsewhere.
int64_t benchmark_preemptions(void);

/// Whether this platform lets the process count its heap allocations and the bytes in use (Linux with glibc 2.33).
bool benchmark_heap_is_measurable(void);

/// Starts counting heap allocations of all threads from zero.
void benchmark_start_counting_allocations(void);

/// Stops counting and returns how many heap allocations there were.
int64_t benchmark_stop_counting_allocations(void);

/// The bytes that the heap has handed out, with what the allocator adds to each block.
int64_t benchmark_heap_bytes_in_use(void);

#endif
