import Peapod
import Synchronization

/// An argument whose hash is that of all others.
struct Alike: Hashable, Sendable {
  let number: Int

  func hash(into hasher: inout Hasher) { hasher.combine(0) }
}

extension Row {
  /// Family members whose arguments hash alike, beside a dictionary of the same arguments.
  static var alike: [Row] {
    let section = "family members whose arguments all hash alike"
    return [10, 100, 1_000].map { size in
      Row(
        section, "resolve one of \(size), cached", against: "a locked dictionary", limit: nil, sizes: (size, size),
        subject: resolveAlike(size), baseline: lookUpAlike(size))
    }
      + [100, 1_000].map { size in
        Row(
          section, "build one of \(size)", against: "a locked dictionary", limit: nil, sizes: (size, size),
          subject: buildAlike(size), baseline: insertAlike(size))
      }
  }

  private static let family = Provider.family { (_, _: Alike) in Service() }

  private static func resolveAlike(_ size: Int) -> Workload {
    let pod = Pod()
    return Workload { count in
      for _ in 0..<count {
        for number in 0..<size { consume(pod.resolve(family(Alike(number: number)))) }
      }
    }
  }

  private static func buildAlike(_ size: Int) -> Workload {
    let pod = Pod()
    return Workload { count in
      for _ in 0..<count {
        for number in 0..<size { consume(pod.resolve(family(Alike(number: number)))) }
        pod.clearCachedInstances(of: family)
      }
    }
  }

  private static func lookUpAlike(_ size: Int) -> Workload {
    let family = ManualFamily()
    return Workload { count in
      for _ in 0..<count {
        for number in 0..<size { consume(family.service(Alike(number: number))) }
      }
    }
  }

  private static func insertAlike(_ size: Int) -> Workload {
    let family = ManualFamily()
    return Workload { count in
      for _ in 0..<count {
        for number in 0..<size { consume(family.service(Alike(number: number))) }
        family.clear()
      }
    }
  }

  /// A family written by hand: services by their argument, behind a lock.
  private final class ManualFamily: Sendable {
    private let services = Mutex<[Alike: Service]>([:])

    @inline(never) func service(_ argument: Alike) -> Service {
      services.withLock { services in
        if let service = services[argument] { return service }
        let service = Service()
        services[argument] = service
        return service
      }
    }

    func clear() {
      services.withLock { $0 = [:] }
    }
  }
}
