import Peapod

extension Row {
  static let oneObject = "allocating one object"

  /// Allocates an object and lets an older one go, as a baseline.
  static let makeObject = Workload { count in
    var recent = Recent<Service>()
    for _ in 0..<count { consume(Service(), into: &recent) }
  }

  /// Instances that are built at every resolve.
  static var creation: [Row] {
    let section = "resolve an instance of AlwaysCreateNewScope"
    let initialiser = "calling its initialiser"
    return [
      Row(section, "class", against: initialiser, limit: 3, subject: resolveFresh, baseline: makeObject),
      Row(
        section, "main-actor class", against: initialiser, limit: 3, subject: resolveFreshOnMainActor,
        baseline: .onMainActor { count in
          var recent = Recent<Model>()
          for _ in 0..<count { consume(Model(), into: &recent) }
        }),
      Row(
        section, "of a throwing provider", against: initialiser, limit: 3, subject: resolveFreshThrowing,
        baseline: makeObject),
      Row(
        section, "with a cached dependency", against: "calling its initialiser with a global object",
        subject: resolveFreshClient,
        baseline: Workload { count in
          var recent = Recent<Client>()
          for _ in 0..<count { consume(Client(handMadeService), into: &recent) }
        }),
      Row(section, "by a factory", against: initialiser, subject: callFreshFactory, baseline: makeObject),
    ]
  }

  static let resolveFresh = Workload { count in
    var recent = Recent<Service>()
    for _ in 0..<count { consume(pod.resolve(freshService), into: &recent) }
  }

  static let resolveFreshOnMainActor = Workload.onMainActor { count in
    var recent = Recent<Model>()
    for _ in 0..<count { consume(pod.resolve(freshModel), into: &recent) }
  }

  static let resolveFreshThrowing = Workload { count in
    var recent = Recent<Service>()
    for _ in 0..<count { consume(try pod.resolve(freshThrowing), into: &recent) }
  }

  static let resolveFreshClient = Workload { count in
    var recent = Recent<Client>()
    for _ in 0..<count { consume(pod.resolve(freshClient), into: &recent) }
  }

  static let callFreshFactory: Workload = {
    let make = pod.factory(freshService)
    return Workload { count in
      var recent = Recent<Service>()
      for _ in 0..<count { consume(make(), into: &recent) }
    }
  }()
}

// MARK: - Overrides and pods

extension Row {
  /// What overriding costs, and what a pod costs.
  static var overrides: [Row] {
    [
      Row(
        "override, resolve, remove", "with a builder", against: oneObject, limit: 12, subject: overrideWithBuilder,
        baseline: makeObject),
      Row(
        "override, resolve, remove", "with a value", against: oneObject, limit: 10, subject: overrideWithValue,
        baseline: makeObject),
      Row(
        "override, resolve, remove", "with a builder, over a kept instance", against: oneObject,
        subject: overrideKeptWithBuilder, baseline: makeObject),
      Row(
        "override, resolve, remove", "with a value, over a kept instance", against: oneObject,
        subject: overrideKeptWithValue, baseline: makeObject),
      Row(
        "override, resolve, remove", "in a withOverrides block", against: oneObject, subject: overrideInBlock,
        baseline: makeObject),
      Row(
        "make and drop", "a pod", against: oneObject,
        subject: Workload { count in for _ in 0..<count { consume(Pod()) } }, baseline: makeObject),
      Row(
        "make and drop", "a pod that builds one singleton", against: oneObject,
        subject: Workload { count in for _ in 0..<count { consume(Pod().resolve(service)) } }, baseline: makeObject),
      Row(
        "make and drop", "a provider", against: oneObject,
        subject: Workload { count in for _ in 0..<count { consume(Provider { _ in Service() }) } },
        baseline: makeObject),
      Row("make and drop", "a family member", against: oneObject, subject: buildMember, baseline: makeObject),
      Row(
        "make and drop", "an instance of a custom scope", against: oneObject, subject: clearScope, baseline: makeObject),
    ]
  }

  static let overrideWithBuilder = overridingWithBuilder(in: Pod())
  static let overrideKeptWithBuilder = overridingWithBuilder(in: podWithService())
  static let overrideWithValue = overridingWithValue(in: Pod())
  static let overrideKeptWithValue = overridingWithValue(in: podWithService())

  private static func podWithService() -> Pod {
    let pod = Pod()
    consume(pod.resolve(service))
    return pod
  }

  private static func overridingWithBuilder(in pod: Pod) -> Workload {
    Workload { count in
      for _ in 0..<count {
        pod.overrideProvider(service) { _ in Service() }
        consume(pod.resolve(service))
        pod.removeOverrideProvider(service)
      }
    }
  }

  private static func overridingWithValue(in pod: Pod) -> Workload {
    let replacement = Service()
    return Workload { count in
      for _ in 0..<count {
        pod.overrideProvider(service, withValue: replacement)
        consume(pod.resolve(service))
        pod.removeOverrideProvider(service)
      }
    }
  }

  static let overrideInBlock: Workload = {
    let replacement = Service()
    return Workload { count in
      for _ in 0..<count {
        pod.withOverrides({ $0.overrideProvider(service, withValue: replacement) }) { consume(pod.resolve(service)) }
      }
    }
  }()

  static let buildMember: Workload = {
    let pod = Pod()
    return Workload { count in
      for number in 0..<count {
        let member = numbered(number)
        consume(pod.resolve(member))
        pod.clearCachedInstance(of: member)
      }
    }
  }()

  static let clearScope: Workload = {
    let pod = Pod()
    return Workload { count in
      for _ in 0..<count {
        consume(pod.resolve(scopedService))
        pod.clearCachedInstances(forScope: FeatureScope())
      }
    }
  }()
}
