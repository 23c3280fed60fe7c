import CBenchmarkSupport
import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Row {
  /// What takes part of an operation's time and cannot be left out, so that its ratio can be judged: no implementation that does
  /// what the documentation promises takes less.
  static var floors: [Row] {
    let section = "parts that cannot be left out"
    return [
      firstResolve("a first resolve: wire it, lock twice, read the clock twice, one record", in: section, buildParts),
      firstResolve(
        "the same with no lock: claim and show it in one atomic step each", in: section, leastBuildParts),
      Row(
        section, "a family member: hash, lock, weak reference, compare", against: globalObject, subject: memberParts,
        baseline: readGlobal),
      Row(
        section, "an override cycle: lock four times, read the clock twice, three objects and a record",
        against: oneObject, subject: overrideParts, baseline: makeObject),
    ]
  }

  /// Parts of a first resolve, together with the wiring that it does.
  private static func firstResolve(_ title: String, in section: String, _ parts: Workload) -> Row {
    Row(section, title, against: "wiring one of 1,000, deep", run: { _ = await parts.time($0) }) { effort in
      let times = await effort.nanoseconds(of: parts, and: wire(deep: 1_000))
      let wiring = times.baseline / 1_000
      return Measurement(.nanoseconds(times.subject + wiring), against: .nanoseconds(wiring))
    }
  }

  /// One build is found by others while it runs, is recorded with its duration, and may race with others.
  static let buildParts = Workload { count in
    let parts = Parts()
    for _ in 0..<count { parts.build() }
  }

  /// What is left of these parts where nothing has to be looked at together with anything else.
  static let leastBuildParts = Workload { count in
    let parts = Parts()
    for _ in 0..<count { parts.buildUnlocked() }
  }

  static let overrideParts = Workload { count in
    let parts = Parts()
    var recent = Recent<Service>()
    for _ in 0..<count {
      parts.lock.withLock { _ in }
      consume(Service(), into: &recent)
      consume(Service(), into: &recent)
      parts.build()
      consume(Service(), into: &recent)
      parts.lock.withLock { _ in }
    }
  }

  /// A member that nobody holds ends with its arguments, so that it is found by a weak reference.
  static let memberParts = Workload { count in
    let parts = Parts()
    for _ in 0..<count {
      let number = Int(benchmark_opaque(7))
      let hash = number.hashValue
      if let known = parts.lock.withLock({ _ in parts.hash == hash ? parts.member : nil }), known.number == number {
        consume(known)
      }
    }
  }

  private final class Parts: Sendable {
    let lock = Mutex<Void>(())
    let held = Member()
    let hash = 7.hashValue
    nonisolated(unsafe) weak var member: Member?

    init() { member = held }

    private let claim = Atomic<UInt>(0)

    @inline(never) func buildUnlocked() {
      guard claim.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged else { return }
      var (start, end) = (timespec(), timespec())
      clock_gettime(CLOCK_MONOTONIC, &start)
      let record = malloc(88)
      benchmark_sink(record)
      clock_gettime(CLOCK_MONOTONIC, &end)
      withUnsafePointer(to: end.tv_nsec &- start.tv_nsec) { benchmark_sink($0) }
      _ = claim.exchange(0, ordering: .releasing)
      free(record)
    }

    @inline(never) func build() {
      lock.withLock { _ in }
      let start = ContinuousClock.now
      let record = malloc(88)
      benchmark_sink(record)
      let end = ContinuousClock.now
      withUnsafePointer(to: end - start) { benchmark_sink($0) }
      lock.withLock { _ in }
      free(record)
    }
  }

  final class Member: Sendable {
    let number = Int(benchmark_opaque(7))
  }
}

@inline(never) private func consume(_ value: consuming Row.Member) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}
