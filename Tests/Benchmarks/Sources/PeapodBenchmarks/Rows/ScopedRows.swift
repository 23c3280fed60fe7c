import Peapod

extension Row {
  /// Cached instances of custom scopes, and members of families.
  static var scoped: [Row] {
    let scope = "resolve a cached instance of a custom scope"
    let family = "resolve a cached family member"
    return [
      Row(scope, "scope by type", against: globalObject, limit: 3, subject: resolveScoped, baseline: readGlobal),
      Row(scope, "scope by value", against: globalObject, limit: 3, subject: resolveAccount, baseline: readGlobal),
      Row(family, "by a number", against: globalObject, limit: 9, subject: resolveNumbered, baseline: readGlobal),
      Row(family, "by a short text", against: globalObject, limit: 9, subject: resolveNamed, baseline: readGlobal),
      Row(
        family, "by a number and a short text", against: globalObject, subject: resolveNumberedAndNamed,
        baseline: readGlobal),
      Row(
        family, "by a number, the member made once", against: globalObject, limit: 9, subject: resolveHeldMember,
        baseline: readGlobal),
    ]
  }

  static let resolveScoped = Workload { count in
    for _ in 0..<count { consume(pod.resolve(scopedService)) }
  }

  static let resolveAccount = Workload { count in
    for _ in 0..<count { consume(pod.resolve(accountService)) }
  }

  static let resolveNumbered = Workload { count in
    for _ in 0..<count { consume(pod.resolve(numbered(3))) }
  }

  static let resolveNamed = Workload { count in
    for _ in 0..<count { consume(pod.resolve(named("three"))) }
  }

  static let resolveNumberedAndNamed = Workload { count in
    for _ in 0..<count { consume(pod.resolve(numberedAndNamed(3, "three"))) }
  }

  static let resolveHeldMember: Workload = {
    let member = numbered(4)
    return Workload { count in
      for _ in 0..<count { consume(pod.resolve(member)) }
    }
  }()
}

// MARK: - Children

extension Row {
  /// Cached instances through a child pod, and what a child costs.
  static var children: [Row] {
    let section = "resolve a cached instance through a child pod"
    return [
      Row(section, "an empty child", against: globalObject, limit: 5, subject: throughEmpty, baseline: readGlobal),
      Row(
        section, "a child that overrides something else", against: globalObject, limit: 5,
        subject: throughOverriding, baseline: readGlobal),
      Row(
        section, "a child that overrides something else, an instance with a factory and 100 dependencies",
        against: globalObject, limit: 5, subject: deferringThroughOverriding, baseline: readGlobal),
      Row(
        section, "an instance that the child keeps", against: globalObject, limit: 5, subject: keptByChild,
        baseline: readGlobal),
      Row(
        section, "an instance of a scope that the child owns", against: globalObject, limit: 5,
        subject: ownedByChild, baseline: readGlobal),
      Row(
        section, "an existential of a scope that the child owns", against: globalObject,
        subject: existentialOwnedByChild,
        baseline: readGlobal),
      Row(
        section, "a child of an empty child of an empty child", against: globalObject, subject: throughThree,
        baseline: readGlobal),
      Row(
        "make a child, resolve a shared singleton through it, drop it", "an empty child", against: oneObject, limit: 10,
        subject: useChild, baseline: makeObject),
      Row(
        "make a child, resolve a shared singleton through it, drop it", "a child that overrides something else",
        against: oneObject, subject: useOverridingChild, baseline: makeObject),
      Row(
        "make a child, resolve a shared singleton through it, drop it",
        "a child that overrides something else, an instance built from 100 others", against: oneObject,
        subject: useOverridingChildOfMany, baseline: makeObject),
      Row(
        "make a child, resolve a shared singleton through it, drop it", "a child that owns a scope, with an instance",
        against: oneObject, subject: useOwningChild, baseline: makeObject),
    ]
  }

  static let throughEmpty = resolving(service, in: pod.makeChild())

  static let throughOverriding = resolving(
    service, in: pod.makeChild { $0.overrideProvider(neighbour, withValue: Service()) })

  static let deferringThroughOverriding: Workload = {
    let parts = (0..<100).map { _ in Provider { _ in Service() } }
    let whole = Provider { pod in
      for part in parts { consume(pod.resolve(part)) }
      _ = pod.factory(service)
      return Service()
    }
    consume(pod.resolve(whole))
    return resolving(whole, in: pod.makeChild { $0.overrideProvider(neighbour, withValue: Service()) })
  }()

  static let throughThreeOverrides = resolving(
    service,
    in: pod.makeChild {
      $0.overrideProvider(user, withValue: Service())
      $0.overrideProvider(requestNumber, withValue: RequestNumber(value: 1))
      $0.overrideProvider(requestDeadline, withValue: RequestDeadline(nanoseconds: 1))
    })

  static let existentialOwnedByChild: Workload = {
    let greeter = Provider<any Greeter>(scope: RequestScope()) { _ in Service() }
    let child = pod.makeChild(owning: [RequestScope()])
    return Workload { count in
      for _ in 0..<count { consume(child.resolve(greeter)) }
    }
  }()

  static let keptByChild: Workload = {
    let dependency = Provider { _ in Service() }
    let client = Provider { pod in
      consume(pod.resolve(dependency))
      return Service()
    }
    return resolving(client, in: pod.makeChild { $0.overrideProvider(dependency, withValue: Service()) })
  }()

  static let ownedByChild = resolving(requestService, in: pod.makeChild(owning: [RequestScope()]))

  static let throughThree = resolving(service, in: pod.makeChild().makeChild().makeChild())

  static func resolving(_ provider: Provider<Service>, in pod: Pod) -> Workload {
    Workload { count in
      for _ in 0..<count { consume(pod.resolve(provider)) }
    }
  }

  static let useChild = Workload { count in
    for _ in 0..<count { consume(pod.makeChild().resolve(service)) }
  }

  static let useOverridingChild: Workload = {
    let replacement = Service()
    return Workload { count in
      for _ in 0..<count {
        consume(pod.makeChild { $0.overrideProvider(neighbour, withValue: replacement) }.resolve(service))
      }
    }
  }()

  static let useOverridingChildOfMany: Workload = {
    let (user, replacement) = (Provider { _ in Service() }, Service())
    let parts = (0..<100).map { _ in Provider { _ in Service() } }
    let whole = Provider { pod in
      for part in parts { consume(pod.resolve(part)) }
      return Service()
    }
    consume(pod.resolve(whole))
    return Workload { count in
      for _ in 0..<count {
        consume(pod.makeChild { $0.overrideProvider(user, withValue: replacement) }.resolve(whole))
      }
    }
  }()

  static let useOwningChild = Workload { count in
    for _ in 0..<count { consume(pod.makeChild(owning: [RequestScope()]).resolve(requestService)) }
  }
}

// MARK: - While something is going on

extension Row {
  /// Cached instances while a pod is busy.
  static var building: [Row] {
    let section = "resolve a cached singleton while"
    return [
      Row(
        section, "another provider is building", against: globalObject, limit: .ratio(3),
        run: { count in
          let parked = ParkedBuild(in: pod)
          defer { parked.finish() }
          _ = await resolveClass.time(count)
        }
      ) { effort in
        let parked = ParkedBuild(in: pod)
        defer { parked.finish() }
        let times = await effort.nanoseconds(of: resolveClass, and: readGlobal)
        return Measurement(.nanoseconds(times.subject), against: .nanoseconds(times.baseline))
      },
      Row(
        section, "another provider is overridden", against: globalObject,
        subject: whileOverridden, baseline: readGlobal),
      Row(section, "inside a builder", against: globalObject, subject: insideBuilder, baseline: readGlobal),
      Row(section, "inside withOverrides", against: globalObject, subject: insideOverrides, baseline: readGlobal),
    ]
  }

  static let whileOverridden: Workload = {
    let pod = Pod()
    pod.overrideProvider(neighbour, withValue: Service())
    return resolving(service, in: pod)
  }()

  static let insideBuilder = Workload(measuringItself: { count in
    let pod = Pod()
    consume(pod.resolve(service))
    return pod.resolve(
      Provider { pod in
        ContinuousClock().measure {
          for _ in 0..<count { consume(pod.resolve(service)) }
        }
      })
  })

  static let insideOverrides = Workload(measuringItself: { count in
    pod.withOverrides({ $0.overrideProvider(neighbour, withValue: Service()) }) {
      consume(pod.resolve(service))
      return ContinuousClock().measure {
        for _ in 0..<count { consume(pod.resolve(service)) }
      }
    }
  })
}
