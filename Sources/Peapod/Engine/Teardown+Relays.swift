extension Teardown {
  /// What stands between the holders of a handle that end and what that leads to.
  ///
  /// A relay is a record in no list. It waits for all holders, and what the handle leads to waits for it, so that not each
  /// of these has to wait for each of those.
  struct Relays {
    /// Not where what is being built was cleared, or where others wait already for what ends: there each instance has to
    /// find for itself which holders it waits for.
    let areUsed: Bool
    private var known: [Entry: Entry?] = [:]
    /// All for which something waits, some of them several times.
    private var sources: [Entry] = []
    var made: [Entry] { known.values.compactMap(\.self) }

    init(areUsed: Bool) { self.areUsed = areUsed }

    /// Makes an instance, or a relay, wait for another one.
    mutating func block(_ entry: Entry, behind other: Entry) {
      Teardown.wait(entry, for: other)
      sources.append(other)
    }

    /// For which ones each waits.
    func sourcesByWaiting() -> [Entry: [Entry]] {
      var known: [Entry: [Entry]] = [:]
      for source in Set(sources) {
        for entry in source.blocked { known[entry, default: []].append(source) }
      }
      return known
    }

    /// What waits for the holders of a handle that are to be disposed; `nil` if there are none.
    mutating func relay(of promise: Entry) -> Entry? {
      if let known = known[promise] { return known }
      let holders = Teardown.endingDependents(of: promise)
      guard !holders.isEmpty else {
        known[promise] = .some(nil)
        return nil
      }
      let relay = Entry.make(promise.declaration, promise.override, in: promise.layer, state: .promised)
      for holder in holders { block(relay, behind: holder) }
      known[promise] = relay
      return relay
    }
  }
}
