import Peapod
import Testing

/// Rules 1 and 22: equal ids hash alike, wherever they come from.
@Suite struct ProviderIDHashTests {
  /// A key that compares without regard to case.
  private struct Key: Hashable, Sendable {
    var text: String
    init(_ text: String) { self.text = text }
    static func == (left: Key, right: Key) -> Bool { left.text.lowercased() == right.text.lowercased() }
    func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
  }

  /// A key of which many hash alike.
  private struct Colliding: Hashable, Sendable {
    var number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  /// The id of a member in the graph of a pod that is gone.
  private func goneID<Argument>(
    _ family: ProviderFamily<Provider<Int>, Argument>, _ argument: Argument
  ) throws -> ProviderID {
    let pod = Pod("gone")
    _ = pod.resolve(family(argument))
    return try #require(pod.graph.nodes.first).provider.id
  }

  private func expectEqual(_ ids: [ProviderID], sourceLocation: SourceLocation = #_sourceLocation) {
    for id in ids {
      #expect(id == ids[0], sourceLocation: sourceLocation)
      #expect(id.hashValue == ids[0].hashValue, sourceLocation: sourceLocation)
    }
    #expect(Set(ids).count == 1, sourceLocation: sourceLocation)
  }

  @Test("R1 R22 0.0 and -0.0")
  func zeros() throws {
    let family = Provider.family("number") { (_, _: Double) in 1 }
    let ids = try [goneID(family, 0.0), goneID(family, -0.0), family(0.0).id, family(-0.0).id]
    expectEqual(ids)
    expectEqual(ids.reversed())
    let live = Pod("live")
    _ = live.resolve(family(-0.0))
    expectEqual(try [goneID(family, 0.0), #require(live.graph.nodes.first).id, family(0.0).id])
    #expect(live.isCached(family(0.0)))
  }

  @Test("R1 R22 keys that compare without regard to case")
  func cases() throws {
    let family = Provider.family("key") { (_, _: Key) in 1 }
    expectEqual(try [goneID(family, Key("Ada")), goneID(family, Key("ADA")), family(Key("ada")).id])
    #expect(try goneID(family, Key("Ada")) != goneID(family, Key("Bob")))
  }

  @Test("R1 R22 texts of different normal forms")
  func normalForms() throws {
    let family = Provider.family("text") { (_, _: String) in 1 }
    expectEqual(try [goneID(family, "caf\u{E9}"), goneID(family, "cafe\u{301}"), family("cafe\u{301}").id])
  }

  @Test("R1 R22 keys of which many hash alike")
  func colliding() throws {
    let family = Provider.family("number") { (_, _: Colliding) in 1 }
    var ids: Set<ProviderID> = []
    for _ in 0..<2 { for number in 0..<20 { ids.insert(try goneID(family, Colliding(number: number))) } }
    #expect(ids.count == 20)
    for number in 0..<20 { #expect(ids.contains(family(Colliding(number: number)).id)) }
  }

  @Test("R1 R28 ids of graphs can be looked up in other graphs and dictionaries")
  func lookUp() throws {
    let family = Provider.family("number") { (_, _: Double) in 1 }
    var counts: [ProviderID: Int] = [:]
    for argument in [0.0, -0.0, 1.0, 0.0, -0.0] { counts[try goneID(family, argument), default: 0] += 1 }
    #expect(counts[family(-0.0).id] == 4)
    #expect(counts.count == 2)
  }
}
