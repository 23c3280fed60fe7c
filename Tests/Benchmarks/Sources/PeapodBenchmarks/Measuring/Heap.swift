import CBenchmarkSupport

/// What the process takes from the heap.
enum Heap {
  /// Whether that can be measured on this platform.
  static let isMeasurable = benchmark_heap_is_measurable()

  /// Returns the heap allocations of one operation in its steady state.
  static func allocations(of workload: Workload) async -> Double {
    let count = 5_000
    // Twice as many operations less as many: what starting a loop allocates, on whichever thread, is in both.
    _ = await allocations(of: workload, count: count)
    let many = await allocations(of: workload, count: 2 * count)
    let few = await allocations(of: workload, count: count)
    return Double(many - few) / Double(count)
  }

  /// Returns the bytes that something occupies, divided by a number, and what stays when it is gone.
  static func bytes<Made>(per count: Int, of make: () -> Made) -> (kept: Double, left: Double) {
    let before = benchmark_heap_bytes_in_use()
    var during: Int64 = 0
    do {
      let made = make()
      during = benchmark_heap_bytes_in_use()
      withExtendedLifetime(made) {}
    }
    let after = benchmark_heap_bytes_in_use()
    return (Double(during - before) / Double(count), Double(after - before) / Double(count))
  }

  private static func allocations(of workload: Workload, count: Int) async -> Int64 {
    benchmark_start_counting_allocations()
    _ = await workload.time(count)
    return benchmark_stop_counting_allocations()
  }
}
