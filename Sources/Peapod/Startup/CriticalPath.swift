/// The chain of dependencies that takes longest, among the instances that are finished from now on.
struct CriticalPath {
  private let declarations: [Declaration]
  private let view: PodState
  /// The time of the beginning: an instance that is finished later has a larger serial.
  private let start = UInt64(bitPattern: MonotonicClock.now)

  init(of declarations: [Declaration], in view: PodState) {
    self.declarations = declarations
    self.view = view
  }

  /// The longest chain that ends with an instance.
  private struct Chain {
    let instance: Instance
    let before: ObjectIdentifier?
    let total: Double
  }

  /// The chain that took longest, from its base to one of the providers.
  ///
  /// - Complexity: O(instances and dependencies that were built meanwhile).
  var steps: [Preparation.Step] {
    var chains: [ObjectIdentifier: Chain] = [:]
    let ends = declarations.compactMap { view.answer(to: $0, view.definition(of: $0)) }.filter { isNew($0) }
    // Depth-first without recursion, since a long chain could overflow the stack.
    var rest = ends
    while let instance = rest.last {
      let dependencies = instance.dependencies.compactMap(\.instance).filter { isNew($0) }
      let open = dependencies.filter { chains[ObjectIdentifier($0)] == nil }
      guard open.isEmpty else {
        rest += open
        continue
      }
      rest.removeLast()
      let before = longest(of: dependencies, chains)
      chains[ObjectIdentifier(instance)] = Chain(
        instance: instance, before: before.map { ObjectIdentifier($0.instance) },
        total: (before?.total ?? 0) + Double(instance.exclusive))
    }
    var steps: [Preparation.Step] = []
    var chain = longest(of: ends, chains)
    while let current = chain {
      steps.append(
        Preparation.Step(provider: current.instance.info, exclusiveDuration: current.instance.exclusiveDuration))
      chain = current.before.flatMap { chains[$0] }
    }
    return steps.reversed()
  }

  private func longest(of instances: [Instance], _ chains: [ObjectIdentifier: Chain]) -> Chain? {
    instances.compactMap { chains[ObjectIdentifier($0)] }.max { $0.total < $1.total }
  }

  private func isNew(_ instance: Instance) -> Bool {
    !instance.isConstant && instance.serial > start
  }
}
