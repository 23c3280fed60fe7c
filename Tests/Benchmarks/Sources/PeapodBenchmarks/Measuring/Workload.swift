import CBenchmarkSupport

/// An operation that can be repeated, and says how long the repetitions took.
struct Workload: Sendable {
  /// Runs the operation a number of times and returns how long that took, without what had to be prepared for it.
  let time: @Sendable (_ count: Int) async -> Duration

  /// Makes a workload that measures itself.
  init(measuringItself time: @escaping @Sendable (_ count: Int) async -> Duration) {
    self.time = time
  }

  /// Makes a workload of a synchronous loop.
  init(_ body: @escaping @Sendable (_ count: Int) throws -> Void) {
    time = { count in
      ContinuousClock().measure { succeed { try body(count) } }
    }
  }
}

// MARK: - Isolation

extension Workload {
  /// Makes a workload of a synchronous loop on the main actor.
  static func onMainActor(_ body: @escaping @MainActor @Sendable (_ count: Int) throws -> Void) -> Workload {
    Workload(measuringItself: { @MainActor count in
      ContinuousClock().measure { succeed { try body(count) } }
    })
  }

  /// Makes a workload of an asynchronous loop that no actor isolates.
  static func nonisolated(_ body: @escaping @Sendable (_ count: Int) async throws -> Void) -> Workload {
    Workload(measuringItself: { count in
      let start = ContinuousClock.now
      do { try await body(count) } catch { stop(error) }
      return ContinuousClock.now - start
    })
  }

  /// Makes a workload of an asynchronous loop on the main actor.
  static func asyncOnMainActor(
    _ body: @escaping @MainActor @Sendable (_ count: Int) async throws -> Void
  ) -> Workload {
    Workload(measuringItself: { @MainActor count in
      let start = ContinuousClock.now
      do { try await body(count) } catch { stop(error) }
      return ContinuousClock.now - start
    })
  }

  /// Makes a workload of an asynchronous loop on an actor that is not the main one.
  static func asyncOnActor(
    _ body: @escaping @Sendable (_ actor: isolated Bystander, _ count: Int) async throws -> Void
  ) -> Workload {
    let bystander = Bystander()
    return Workload(measuringItself: { count in await bystander.time(count, body) })
  }

  /// An actor that runs loops.
  actor Bystander {
    func time(_ count: Int, _ body: @Sendable (isolated Bystander, Int) async throws -> Void) async -> Duration {
      let start = ContinuousClock.now
      do { try await body(self, count) } catch { stop(error) }
      return ContinuousClock.now - start
    }
  }
}

/// Runs what must not fail.
private func succeed(_ body: () throws -> Void) {
  do { try body() } catch { stop(error) }
}

private func stop(_ error: any Error) -> Never {
  fatalError("an operation that is measured threw \(error): see the row that was being measured")
}
