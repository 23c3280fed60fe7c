import Peapod

extension Row {
  static let globalObject = "reading a global object"

  /// Reads the global object, as the baseline of most rows.
  static let readGlobal = Workload { count in
    for _ in 0..<count { consume(handMadeService) }
  }

  static let readGlobalOnMainActor = Workload.onMainActor { count in
    for _ in 0..<count { consume(handMadeModel) }
  }

  /// Cached singletons of every kind.
  static var cached: [Row] {
    let section = "resolve a cached singleton"
    return [
      Row(section, "class", against: globalObject, limit: 2, subject: resolveClass, baseline: readGlobal),
      Row(
        section, "existential", against: "reading a global existential", limit: 2, subject: resolveExistential,
        baseline: Workload { count in for _ in 0..<count { consume(handMadeGreeter) } }),
      Row(
        section, "existential, against an object", against: globalObject, subject: resolveExistential,
        baseline: readGlobal),
      Row(
        section, "structure of 96 bytes with two references", against: "reading a global structure", limit: 2,
        subject: resolveStructure,
        baseline: Workload { count in for _ in 0..<count { consume(handMadeLargeValue) } }),
      Row(
        section, "main-actor class", against: "reading a main-actor global", limit: 2, subject: resolveOnMainActor,
        baseline: readGlobalOnMainActor),
      Row(
        section, "of a throwing provider", against: globalObject, limit: 2, subject: resolveThrowing,
        baseline: readGlobal),
    ]
  }

  static let resolveClass = Workload { count in
    for _ in 0..<count { consume(pod.resolve(service)) }
  }

  static let resolveExistential = Workload { count in
    for _ in 0..<count { consume(pod.resolve(greeter)) }
  }

  static let resolveStructure = Workload { count in
    for _ in 0..<count { consume(pod.resolve(largeValue)) }
  }

  static let resolveOnMainActor = Workload.onMainActor { count in
    for _ in 0..<count { consume(pod.resolve(model)) }
  }

  static let resolveThrowing = Workload { count in
    for _ in 0..<count { consume(try pod.resolve(throwingService)) }
  }
}

// MARK: - Without a retain

extension Row {
  /// Cached singletons that are only looked at.
  static var borrowed: [Row] {
    let section = "look at a cached singleton (withResolved)"
    return [
      Row(section, "class", against: globalObject, limit: 1, subject: borrowClass, baseline: readGlobal),
      Row(
        section, "existential", against: "reading a global existential", limit: 1, subject: borrowExistential,
        baseline: Workload { count in for _ in 0..<count { consume(handMadeGreeter) } }),
      Row(
        section, "structure of 96 bytes with two references", against: "reading a global structure", limit: 1,
        subject: borrowStructure,
        baseline: Workload { count in for _ in 0..<count { consume(handMadeLargeValue) } }),
    ]
  }

  static let borrowClass = Workload { count in
    for _ in 0..<count { pod.withResolved(service) { inspect($0) } }
  }

  static let borrowExistential = Workload { count in
    for _ in 0..<count { pod.withResolved(greeter) { inspect($0) } }
  }

  static let borrowStructure = Workload { count in
    for _ in 0..<count { pod.withResolved(largeValue) { inspect($0) } }
  }
}

// MARK: - Other ways by hand

extension Row {
  /// What else a user could write by hand, and what else a user could call.
  static var alternatives: [Row] {
    let section = "for comparison"
    return [
      Row(
        section, "class, against a stored property", against: "reading a property of a container",
        subject: resolveClass,
        baseline: Workload { count in for _ in 0..<count { consume(handMadeContainer.service) } }),
      Row(
        section, "class, against a locked dictionary", against: "lock, look up by type, cast", subject: resolveClass,
        baseline: Workload { count in for _ in 0..<count { consume(handMadeDictionary.get(Service.self)) } }),
      Row(section, "cachedInstance(of:)", against: globalObject, subject: readCachedInstance, baseline: readGlobal),
      Row(section, "a lazy that is resolved", against: globalObject, subject: readLazy, baseline: readGlobal),
      Row(
        section, "a factory of a cached singleton", against: globalObject, subject: callFactory, baseline: readGlobal),
      Row(
        section, "the same, made by a builder", against: globalObject, subject: callFactoryOfBuilder,
        baseline: readGlobal),
      Row(
        section, "class of a weak scope, held elsewhere", against: globalObject, subject: resolveWeak,
        baseline: readGlobal),
    ]
  }

  static let readCachedInstance = Workload { count in
    consume(pod.resolve(service))
    for _ in 0..<count { consume(pod.cachedInstance(of: service)!) }
  }

  static let readLazy: Workload = {
    let lazy = pod.lazy(service)
    return Workload { count in
      for _ in 0..<count { consume(lazy.value) }
    }
  }()

  static let callFactory: Workload = {
    let make = pod.factory(service)
    return Workload { count in
      for _ in 0..<count { consume(make()) }
    }
  }()

  static let callFactoryOfBuilder: Workload = {
    let made = Provider { pod in pod.factory(service) }
    let make = pod.resolve(made)
    return Workload { count in
      for _ in 0..<count { consume(make()) }
    }
  }()

  static let resolveWeak = Workload { count in
    let held = pod.resolve(weakService)
    for _ in 0..<count { consume(pod.resolve(weakService)) }
    withExtendedLifetime(held) {}
  }
}
