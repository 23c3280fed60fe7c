import Foundation
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
    let first = world.root.makeChild("first", owning: world.owned(true))
    let second = world.root.makeChild("second", owning: world.owned(false))
    pods = [world.root, first, second, first.makeChild("lower", owning: world.owned(false)), world.other]
    forest = AnswerForest(declared: program.nodes.map(\.definition))
  }

  /// Plays the program.
  static func play(_ program: AnswerProgram) throws(Mismatch) { try AnswerRun(program).play(program.steps) }

  private func play(_ steps: [AnswerStep]) throws(Mismatch) { for step in steps { try play(step) } }

  private func play(_ step: AnswerStep) throws(Mismatch) {
    switch step {
    case .race(let race): try play(race)
    case .resolve(let node, let pod): try resolveCurrent(node, in: pod)
    case .override(let node, let definition, let pod):
      world.override(node, by: definition, in: pods[pod])
      forest.change(pod) { $0.override(node, by: definition) }
    case .overrideFamily(let family, let definitions, let pod):
      world.override(family: family, by: definitions, in: pods[pod])
      forest.change(pod) { $0.override(familyBy: definitions) }
    case .removeOverride(let node, let pod):
      pods[pod].removeOverrideProvider(world.provider(node).any)
      forest.change(pod) { $0.removeOverride(node) }
    case .removeFamilyOverride(let family, let pod):
      world.family(family).removeOverride(in: pods[pod])
      forest.change(pod) { $0.removeOverride(family: family) }
    case .clearScope(let pod): pods[pod].clearCachedInstances(forScope: AnswerWorld.OwnedScope())
    case .clear(let node, let pod): pods[pod].clearCachedInstance(of: world.provider(node).any)
    case .refresh(let node, let pod): pods[pod].refresh(world.provider(node).any)
    case .refreshFamily(let family, let pod): world.family(family).refresh(in: pods[pod])
    case .dispose(let pod): pods[pod].dispose()
    case .inScope(let pod, let steps):
      forest.openScope(pod)
      defer { forest.scopes.removeLast() }
      try pods[pod].withOverrides({ _ in }) { () throws(Mismatch) in try play(steps) }
    }
  }

  private func play(_ race: AnswerRace) throws(Mismatch) {
    if race.isFresh { for root in AnswerForest.roots { pods[root].dispose() } }
    let before = forest
    let gate = AnswerGate(passes: race.passes)
    world.gate.withLock { $0 = gate }
    let first = begin(race.first, gate)
    let place = gate.waitForArrival()
    let earlier = race.earlier.map { begin($0) }
    if place != nil, !earlier.isEmpty { letWait() }
    if race.isCanceled { first.cancel() }
    let ended = earlier.map(\.hasEnded)
    if let change = race.change { try play(change) }
    let later = race.later.map { begin($0) }
    if place != nil, !later.isEmpty { letWait() }
    gate.open()
    var texts = [text(race.first, .at(place ?? []), from: before).text]
    // Where another pod changed, a later request may have built what the first one then receives.
    if program.contents.hasCaptured, !texts.contains(first.answer.text) {
      // For very many points it would take minutes.
      let isLong = text(race.first, .never, from: before).count > 500
      texts += isLong ? [first.answer.text] : anyTexts(race.first, from: before)
    }
    if race.isCanceled { texts.append("\(CancellationError())") }
    try expect(first, race.first, texts, "held at \(place ?? [])")
    for ((request, answer), isEnded) in zip(zip(race.earlier, earlier), ended) {
      if isEnded || race.change == nil {
        try expect(answer, request, [text(request, .never, from: before).text], "earlier")
      } else if answer.answer.isFailure {
        // What it is answered while the override begins is not known, but it is an answer.
        throw Mismatch(description: "\(request), earlier in a race, is \(answer.answer.text)")
      }
    }
    for (request, answer) in zip(race.later, later) {
      try expect(answer, request, [text(request, .never, from: forest).text], "later")
    }
    for (request, answer) in zip(race.later, later) where program.hasOneHome && program.isCached(request.node) {
      let again = world.begin(request.node, in: pods[request.pod]).answer
      if again !== answer.answer {
        throw Mismatch(description: "\(request) is built again after the race: \(again.text)")
      }
    }
    for request in [race.first] + race.earlier + race.later { try resolveCurrent(request.node, in: request.pod) }
  }

  /// Lets the requests that have begun come to wait; if one has not, it begins a little later.
  private func letWait() { for _ in 0..<200 { sched_yield() } }

  private func begin(_ request: AnswerRace.Request, _ gate: AnswerGate? = nil) -> AnswerRequest {
    world.begin(request.node, in: pods[request.pod], gate)
  }

  /// The text of a request that begins before a change to the present overrides, and how many requests builders make for it.
  private func text(
    _ request: AnswerRace.Request, _ change: AnswerCourse.Change, from before: AnswerForest
  ) -> (text: String, count: Int) {
    var course = AnswerCourse(before, change, to: forest)
    let view = before.effective(request.pod) { $0 == 1 || program.contents.hasCurrent }
    return (course.text(request.node, view), course.count)
  }

  /// The texts of a request with the change at any point.
  private func anyTexts(_ request: AnswerRace.Request, from before: AnswerForest) -> [String] {
    let (text, count) = text(request, .never, from: before)
    return [text, self.text(request, .never, from: forest).text]
      + (0...count).map { self.text(request, .after($0), from: before).text }
  }

  private func expect(
    _ answer: AnswerRequest, _ request: AnswerRace.Request, _ texts: [String], _ place: String
  ) throws(Mismatch) {
    let text = answer.answer.text
    if texts.contains(text) { return }
    throw Mismatch(description: "\(request), \(place) in a race, is \(text) and none of \(Set(texts).sorted())")
  }

  private func resolveCurrent(_ node: Int, in pod: Int) throws(Mismatch) {
    guard program.contents.hasCurrent else { return try resolve(node, in: pod) }
    let result = Pod.$current.withValue(pods[pod]) {
      Result { () throws(Mismatch) in try resolve(node, in: pod) }
    }
    try result.get()
  }

  private func resolve(_ node: Int, in index: Int) throws(Mismatch) {
    let pod = pods[index]
    let provider = world.provider(node)
    // In this order: a task may still release a weak instance, which `cached` retains.
    let cached = provider.cachedInstance(in: pod)
    let isCached = pod.isCached(provider.any)
    let answer = provider.resolveNow(in: pod)
    let view = forest.view(index)
    let expected = forest.text(node, view)
    func expect(_ condition: Bool, _ problem: @autoclosure () -> String) throws(Mismatch) {
      if !condition { throw Mismatch(description: "\(node) in \(pod.name) \(problem())") }
    }
    try expect(answer.text == expected, "is \(answer.text) and not \(expected)")
    // A constant override is an answer, and not an instance that is cached.
    try expect(!isCached || cached != nil, "is cached and not found")
    try expect(cached == nil || cached === answer, "is cached as \(cached?.text ?? "") and then built: \(expected)")
    if program.isCached(node) {
      // A graph-scoped answer to a deferred dependency is recorded only after its holder, so the holder may move once.
      let first = program.hasGraphScope ? provider.resolveNow(in: pod) : answer
      try expect(provider.resolveNow(in: pod) === first, "is built at each resolve: \(expected)")
      try expect(pod.isCached(provider.any) && provider.cachedInstance(in: pod) === first, "is not cached: \(expected)")
      // After a change, what was built through another pod may have a part from before.
      let areAllOwn = program.endsWholes
      for part in answer.parts where areAllOwn && program.isCached(part.node) {
        let other = world.provider(part.node).resolveNow(in: pod)
        try expect(other === part.answer, "was built from another \(part.node): \(part.answer.text)")
      }
    }
    let definition = view.layers.compactMap { $0[node] }.first ?? program.nodes[node].definition
    guard case .builder(_, _, let deferred) = definition else { return }
    // What a handle builds for its holder's pod may be built for another pod than `Pod.current`.
    if program.contents.hasCurrent { return }
    // A stored lazy does not follow the overrides of another pod.
    for (deferred, use) in zip(deferred, answer.deferred) where program.contents.hasScopes || !deferred.isLazy {
      // It resolves in the pod of its holder: this one or an ancestor, where that builds the holder identically.
      let seen = use().text
      let lines = forest.ancestors(of: index).map { forest.text(deferred.node, forest.view($0)) }
      let kind = deferred.isLazy ? "lazy" : "factory"
      try expect(lines.contains(seen), "gave \(seen) by its \(kind) of \(deferred.node), none of \(lines)")
    }
  }
}
