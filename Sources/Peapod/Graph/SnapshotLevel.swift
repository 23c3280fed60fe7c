/// The contents of one pod at one moment: references that are copied with its lock held, for a `GraphSnapshot`.
struct SnapshotLevel {
  typealias Entry = (instance: Instance, isCached: Bool, build: Build?, figures: Instance.Figures)
  var instances: [Entry] = []
  var overrides: [Override] = []
  var cleared: [ClearedRecord] = []
  var captives: [[UInt64]: ProviderGraph.CaptiveDependency] = [:]

  init(_ state: PodState) {
    let retained = RetainedObjects()
    defer { withExtendedLifetime(retained) {} }
    state.withLock { held in
      state.forEachInstance(held) {
        let isCached = $0.state == .cached && $0.hiddenCount == 0 && $0.isAlive(retained, held)
        instances.append(($0, isCached, $0.build, $0.figures(held)))
      }
      overrides = state.overrides.elements
      cleared = state.knownRare(held).map { Array($0.cleared.values) } ?? []
      captives = state.knownRare(held)?.captives ?? [:]
    }
  }
}

extension Instance {
  /// The fields that may change while other threads read.
  struct Figures {
    let serial: UInt64
    let buildCount: UInt16
    let inclusive: Float
    let exclusive: Float
  }

  /// The serial and the durations of a running build are not known yet.
  func figures(_ held: borrowing PodState.Held) -> Figures {
    state == .building
      ? Figures(serial: .max, buildCount: buildCount, inclusive: 0, exclusive: 0)
      : Figures(serial: serial, buildCount: buildCount, inclusive: inclusive, exclusive: exclusive)
  }

  var inclusiveDuration: Duration { .nanoseconds(Int64(inclusive)) }
  var exclusiveDuration: Duration { .nanoseconds(Int64(exclusive)) }
}
