import Peapod

/// The providers of a run, and what their builders and hooks do and tell.
final class Workshop: Sendable {
  struct PlannedFailure: Error {
    var node: Int
  }

  let population = Population()
  let events = Log(of: Outcome.Event.self)
  let declared = Locked<[DeclaredNode]>([])
  let plannedFailures = Locked<[Int: Int]>([:])
  private let world: World

  init(_ world: World) {
    self.world = world
  }

  func node(_ index: Int) -> DeclaredNode { declared.withLock { $0[index] } }

  func provider(_ member: Member) -> TrackedProvider { node(member.node).member(member.argument) }

  /// Asks for all that a recipe names, fails where that was planned, and makes an instance.
  ///
  /// It asks for everything even when something fails, so that what it asks for never depends on failures.
  func build(_ member: Member, _ recipe: Recipe, with pod: Pod) throws -> Tracked {
    var parts: [Int] = []
    var failure: (any Error)?
    for ask in recipe.asks {
      do {
        parts.append(try pod.attempt(provider(ask.target(for: member, in: world))).serial)
      } catch {
        parts.append(0)
        failure = failure ?? error
      }
    }
    if world.nodes[member.node].kind == .throwing {
      if failure == nil, takePlannedFailure(of: member.node) { failure = PlannedFailure(node: member.node) }
      if let failure {
        events.append(.failed(member))
        throw failure
      }
    }
    let instance = population.make()
    events.append(.built(serial: instance.serial, member, parts: parts))
    return instance
  }

  private func takePlannedFailure(of node: Int) -> Bool {
    plannedFailures.withLock { planned in
      guard let count = planned[node], count > 0 else { return false }
      planned[node] = count - 1
      return true
    }
  }
}
