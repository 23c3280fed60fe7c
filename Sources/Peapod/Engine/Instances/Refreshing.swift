/// Refreshing providers: removing their instances with all dependents.
extension PodState {
  /// Removes the instances with which this pod and its descendants answer requests for providers, and all their dependents.
  ///
  /// `families`: the families of the providers.
  func refresh(_ meant: Set<ObjectIdentifier>, _ families: Set<ObjectIdentifier>, _ retained: RetainedObjects)
    -> [Instance]
  {
    let states = subtree(retained)
    for state in states { state.revision.wrappingAdd(1, ordering: .releasing) }
    defer { for state in states { state.revision.wrappingAdd(1, ordering: .releasing) } }
    let all = retained.add(states.flatMap { $0.finishedInstances })
    let concerned = DependencyGraph(all, retained).dependents(
      includingThemselves: true,
      where: { instance in
        // An original beneath an override answers no request.
        meant.contains(ObjectIdentifier(instance.declaration)) && instance.hiddenCount == 0
          && instance.definition === instance.home.definition(of: instance.declaration)
      },
      orQuestion: { question in
        meant.contains(ObjectIdentifier(question.declaration))
          || families.contains(ObjectIdentifier(question.declaration))
      })
    for state in states { state.detachBuilds(retained) { meant.contains(ObjectIdentifier($0.declaration)) } }
    return all.filter { instance in
      guard concerned.contains(ObjectIdentifier(instance)), !instance.isConstant else { return false }
      return instance.home.withLock { held in
        // A hidden original stays.
        guard instance.hiddenCount == 0 else { return false }
        // Later builds of a transient get a record of their own.
        if instance.state == .record { instance.home.noteCleared(instance, held) }
        instance.flags.insert(.isOutdated)
        return instance.home.removeFromTable(instance, isForgotten: instance.state == .record, retained, held)
      }
    }
  }
}
