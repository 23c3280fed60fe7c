/// Forgetting records that nothing needs any longer, with the engine's lock held.
extension Engine {
  /// Forgets a record, unless something that stays was built from it.
  static func discardUnneeded(_ entry: Entry, _ aftermath: inout Aftermath) {
    if entry.dependents.isEmpty { discard(entry, &aftermath) } else { suspect(entry) }
  }

  /// Forgets a record that nothing depends on, and what only it remembered.
  static func discard(_ entry: Entry, _ aftermath: inout Aftermath) {
    var rest = ShortList<Entry>()
    defer { rest.free() }
    var next: Entry? = entry
    while let entry = next {
      entry.delist()
      while let last = entry.dependencies.indices.last {
        let dependency = entry.stopDepending(at: last)
        guard dependency.isLeftOver else { continue }
        if dependency.dependents.isEmpty { rest.append(dependency) } else { suspect(dependency) }
      }
      entry.end(&aftermath)
      next = rest.isEmpty ? nil : rest.removeLast()
    }
  }
}

// MARK: - Loops

// Handles close loops: something may have been built from what holds a handle of it, so that neither goes first. What is
// needed by such a loop alone is found as in the synchronous cycle collection of Bacon and Rajan (2001): only a record
// that lost a dependent, and not its last one, or that is itself over before its dependents, can be part of one.
extension Engine {
  // Safe: this and what follows are read and written with the lock held.
  @exclusivity(unchecked) nonisolated(unsafe) private static var suspects: [Entry] = []
  /// Whether there are any: a plain load, where the list, being a lazy variable, would be a call.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) static var hasSuspects = false
  /// How many steps are to be waited before it is worth to look again.
  @exclusivity(unchecked) nonisolated(unsafe) private static var patience = 0

  /// Notes a record that may be there only for a loop that it is part of.
  private static func suspect(_ entry: Entry) {
    guard entry.isLoose, !entry.isSuspect else { return }
    entry.isSuspect = true
    entry.hold()
    suspects.append(entry)
    hasSuspects = true
  }

  /// Forgets loops of records that are there only for each other, where it is time for that.
  ///
  /// Called at the end of each step.
  ///
  /// - Complexity: O(1) amortised: after a look that takes long there is none for as many steps.
  static func discardLoops(_ aftermath: inout Aftermath) {
    guard patience == 0 else { return patience -= 1 }
    while hasSuspects {
      let noted = suspects
      suspects = []
      hasSuspects = false
      for entry in noted { entry.isSuspect = false }
      discardLoops(among: noted, &aftermath)
      for entry in noted { entry.letGo(&aftermath) }
    }
  }

  private static func discardLoops(among noted: [Entry], _ aftermath: inout Aftermath) {
    // These and what was built from them, as long as that is nothing but a record too.
    var loose = Set(noted.filter(\.isLoose))
    var needed: [Entry] = []
    var rest = Array(loose)
    while let entry = rest.popLast() {
      if !entry.dependents.allSatisfy(\.entry.isLoose) {
        needed.append(entry)
        continue
      }
      for dependent in entry.dependents where loose.insert(dependent.entry).inserted { rest.append(dependent.entry) }
    }
    patience = loose.count / 16
    for entry in needed { loose.remove(entry) }
    while let entry = needed.popLast() {
      for edge in entry.dependencies where loose.remove(edge.entry) != nil { needed.append(edge.entry) }
    }
    // What one of these takes along may be another.
    for entry in loose where entry.state != .gone {
      while let last = entry.dependents.last { _ = last.entry.stopDepending(at: last.position) }
      discard(entry, &aftermath)
    }
  }
}
