import Peapod

/// The pods with which a program is played.
final class AnswerRun {
  /// An answer that the overrides do not foretell.
  struct Mismatch: Error {
    let description: String
  }

  private let program: AnswerProgram
  private let world: AnswerWorld
  private let pods: [Pod]
  private var forest: AnswerForest

  init(_ program: AnswerProgram) {
    self.program = program
    world = AnswerWorld(program)
    let first = world.root.makeChild("first", owning: [AnswerWorld.OwnedScope()])
    pods = [world.root, first, world.root.makeChild("second"), first.makeChild("lower"), world.other]
    forest = AnswerForest(declared: program.nodes.map(\.definition))
  }

  /// Plays the program.
  static func play(_ program: AnswerProgram) throws(Mismatch) { try AnswerRun(program).play(program.steps) }

  private func play(_ steps: [AnswerStep]) throws(Mismatch) { for step in steps { try play(step) } }

  private func play(_ step: AnswerStep) throws(Mismatch) {
    switch step {
    case .resolve(let node, let pod): try resolve(node, in: pod)
    case .override(let node, let definition, let pod):
      world.override(node, by: definition, in: pods[pod])
      forest.change(pod) { $0.override(node, by: definition) }
    case .overrideFamily(let family, let definitions, let pod):
      world.override(family: family, by: definitions, in: pods[pod])
      forest.change(pod) { $0.override(familyBy: definitions) }
    case .removeOverride(let node, let pod):
      pods[pod].removeOverrideProvider(world.provider(node))
      forest.change(pod) { $0.removeOverride(node) }
    case .removeFamilyOverride(let family, let pod):
      pods[pod].removeOverrideProvider(world.family(family))
      forest.change(pod) { $0.removeOverride(family: family) }
    case .clearScope(let pod): pods[pod].clearCachedInstances(forScope: AnswerWorld.OwnedScope())
    case .clear(let node, let pod): pods[pod].clearCachedInstance(of: world.provider(node))
    case .refresh(let node, let pod): pods[pod].refresh(world.provider(node))
    case .refreshFamily(let family, let pod): pods[pod].refresh(world.family(family))
    case .dispose(let pod): pods[pod].dispose()
    case .inScope(let pod, let steps):
      forest.openScope(pod)
      defer { forest.scopes.removeLast() }
      try pods[pod].withOverrides({ _ in }) { () throws(Mismatch) in try play(steps) }
    }
  }

  private func resolve(_ node: Int, in index: Int) throws(Mismatch) {
    let pod = pods[index]
    let answer = pod.resolve(world.provider(node))
    let view = forest.view(index)
    let expected = forest.text(node, view)
    func expect(_ condition: Bool, _ problem: @autoclosure () -> String) throws(Mismatch) {
      if !condition { throw Mismatch(description: "\(node) in \(pod.name) \(problem())") }
    }
    try expect(answer.text == expected, "is \(answer.text) and not \(expected)")
    if program.isCached(node) {
      // A graph-scoped answer to a deferred dependency is recorded only after its holder, so the holder may move once.
      let first = program.hasGraphScope ? pod.resolve(world.provider(node)) : answer
      try expect(pod.resolve(world.provider(node)) === first, "is built at each resolve: \(expected)")
    }
    let definition = view.layers.compactMap { $0[node] }.first ?? program.nodes[node].definition
    guard case .builder(_, _, let deferred) = definition else { return }
    // A stored lazy does not follow the overrides of another pod.
    for (deferred, use) in zip(deferred, answer.deferred) where program.hasScopes || !deferred.isLazy {
      // It resolves in the pod of its holder: this one or an ancestor, where that builds the holder identically.
      let seen = use().text
      let lines = forest.ancestors(of: index).map { forest.text(deferred.node, forest.view($0)) }
      let kind = deferred.isLazy ? "lazy" : "factory"
      try expect(lines.contains(seen), "gave \(seen) by its \(kind) of \(deferred.node), none of \(lines)")
    }
  }
}
