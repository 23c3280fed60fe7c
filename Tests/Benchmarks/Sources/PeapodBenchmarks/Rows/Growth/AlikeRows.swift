import Peapod
import Synchronization

/// An argument whose hash is that of all others.
struct Alike: Hashable, Sendable {
  let number: Int

  func hash(into hasher: inout Hasher) { hasher.combine(0) }
}

extension Row {
  /// Family members whose arguments hash alike, beside dictionaries of the same arguments.
  ///
  /// A family compares arguments whose types it does not know, as a dictionary of `AnyHashable` does. So that dictionary limits it.
  static var alike: [Row] {
    let section = "one of 1,000 family members whose arguments all hash alike"
    let (erased, typed) = ("a locked dictionary of AnyHashable", "a locked dictionary of the argument's type")
    let (manyErased, manyTyped) = (ManualFamily { AnyHashable($0) }, ManualFamily { $0 })
    return [
      row(section, "resolve it, cached", against: erased, limit: 1, resolveAlike, manyErased.lookUp),
      row(section, "build it", against: erased, limit: 1, buildAlike, manyErased.insert),
      row(section, "resolve it, cached, beside a typed key", against: typed, resolveAlike, manyTyped.lookUp),
      row(section, "build it, beside a typed key", against: typed, buildAlike, manyTyped.insert),
    ]
  }

  /// Makes a row of loops that handle all members in each turn.
  private static func row(
    _ section: String, _ name: String, against baselineName: String, limit: Double? = nil,
    _ subject: @escaping @Sendable () -> Void, _ baseline: @escaping @Sendable () -> Void
  ) -> Row {
    Row(
      section, name, against: baselineName, limit: limit, sizes: (alikeCount, alikeCount),
      subject: Workload { count in for _ in 0..<count { subject() } },
      baseline: Workload { count in for _ in 0..<count { baseline() } })
  }

  private static let alikeCount = 1_000
  private static let alikeFamily = Provider.family { (_, _: Alike) in Service() }
  private static let alikePod = Pod()

  @Sendable private static func resolveAlike() {
    for number in 0..<alikeCount { consume(alikePod.resolve(alikeFamily(Alike(number: number)))) }
  }

  @Sendable private static func buildAlike() {
    alikePod.clearCachedInstances(of: alikeFamily)
    resolveAlike()
  }

  /// A family written by hand: services by their argument, behind a lock.
  private final class ManualFamily<Key: Hashable>: Sendable {
    private let services = Mutex<[Key: Service]>([:])
    private let key: @Sendable (Alike) -> Key

    init(key: @escaping @Sendable (Alike) -> Key) { self.key = key }

    @inline(never) func service(_ argument: Alike) -> Service {
      services.withLock { services in
        let key = key(argument)
        if let service = services[key] { return service }
        let service = Service()
        services[key] = service
        return service
      }
    }

    @Sendable func lookUp() {
      for number in 0..<alikeCount { consume(service(Alike(number: number))) }
    }

    @Sendable func insert() {
      services.withLock { $0 = [:] }
      lookUp()
    }
  }
}
