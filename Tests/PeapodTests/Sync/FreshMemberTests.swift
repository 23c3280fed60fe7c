import Peapod
import Testing

/// Rules 3 and 22: families of each kind whose members are built at each resolve, with arguments of both sorts.
@MainActor
struct FreshMemberTests {
  /// An argument that cannot be compared.
  private struct Note: Sendable { var text: String }

  @Test("R3 R22 always new members of every kind get their arguments; equal ones name one provider")
  func comparable() async throws {
    let plain = Provider.family(scope: AlwaysCreateNewScope()) { (_, number: Int, text: String) in
      Tracked(keeping: ["\(number)\(text)"])
    }
    let throwing = ThrowingProvider.family(scope: AlwaysCreateNewScope()) { (_, number: Int, text: String) in
      if number < 0 { throw CancellationError() }
      return Tracked(keeping: ["\(number)\(text)"])
    }
    let later = AsyncProvider.family(scope: AlwaysCreateNewScope()) { (_, number: Int, text: String) in
      Tracked(keeping: ["\(number)\(text)"])
    }
    let main = MainActorProvider.family(scope: AlwaysCreateNewScope()) { (_, number: Int, text: String) in
      Tracked(keeping: ["\(number)\(text)"])
    }
    #expect(plain(1, "a") == plain(1, "a") && plain(1, "a") != plain(1, "b"))
    #expect(throwing(1, "a") == throwing(1, "a") && throwing(1, "a") != throwing(2, "a"))
    #expect(later(1, "a") == later(1, "a") && later(1, "a") != later(1, "b"))
    #expect(Set([later(1, "a"), later(1, "a"), later(2, "a")]).count == 2)
    #expect(main(1, "a") == main(1, "a") && main(1, "a") != main(1, "b"))
    let pod = Pod()
    var all: [Tracked] = []
    for _ in 0..<3 {
      all.append(pod.resolve(plain(1, "a")))
      all.append(try pod.resolve(throwing(1, "a")))
      all.append(try await pod.resolve(later(1, "a")))
      all.append(pod.resolve(main(1, "a")))
    }
    #expect(Set(all.map { ObjectIdentifier($0) }).count == 12)
    #expect(all.allSatisfy { $0.parts[0] as? String == "1a" })
    #expect(throws: CancellationError.self) { try pod.resolve(throwing(-1, "")) }
  }

  @Test("R3 R22 arguments that cannot be compared name a provider of its own at each call, in every kind")
  func incomparable() async throws {
    let plain = Provider.family("plain", scope: AlwaysCreateNewScope()) { (_, note: Note) in note.text }
    let throwing = ThrowingProvider.family("throwing", scope: AlwaysCreateNewScope()) { (_, note: Note) in note.text }
    let later = AsyncProvider.family("later", scope: AlwaysCreateNewScope()) { (_, note: Note) in note.text }
    let main = MainActorProvider.family("main", scope: AlwaysCreateNewScope()) { (_, note: Note) in note.text }
    let (pod, note) = (Pod(), Note(text: "hello"))
    #expect(plain(note) != plain(note) && plain(note).id != plain(note).id)
    #expect(throwing(note) != throwing(note))
    #expect(later(note) != later(note))
    #expect(main(note) != main(note))
    let own = later(note)
    #expect(own == own && own.id == own.id && Set([own, own]).count == 1)
    #expect(own.description.contains("later") && own.description.contains("FreshMemberTests.swift"))
    #expect(pod.resolve(plain(note)) == "hello")
    #expect(try pod.resolve(throwing(note)) == "hello")
    #expect(try await pod.resolve(later(note)) == "hello")
    #expect(pod.resolve(main(note)) == "hello")
    // Only the family can be named again, so it is what is overridden.
    pod.overrideProvider(plain) { _, note in note.text + "!" }
    pod.overrideProvider(later) { _, note in note.text + "?" }
    #expect(pod.resolve(plain(note)) == "hello!")
    #expect(try await pod.resolve(later(note)) == "hello?")
  }

  @Test("R12 R22 an override of a family that resolves a member whose arguments cannot be compared resolves itself")
  func incomparableCycle() async throws {
    let throwing = ThrowingProvider.family("throwing", scope: AlwaysCreateNewScope()) { (_, note: Note) in note.text }
    let later = AsyncProvider.family("later", scope: AlwaysCreateNewScope()) { (_, note: Note) in note.text }
    let (pod, note) = (Pod(), Note(text: "hello"))
    pod.overrideProvider(throwing) { pod, note in try pod.resolve(throwing(note)) }
    pod.overrideProvider(later) { pod, note in try await pod.resolve(later(note)) }
    let error = #expect(throws: ProviderCycleError.self) { try pod.resolve(throwing(note)) }
    #expect(error?.path.map(\.name).allSatisfy { $0.hasPrefix("throwing(") } == true)
    await #expect(throws: ProviderCycleError.self) { try await pod.resolve(later(note)) }
    // A recursion that ends is no cycle.
    let countdown = ThrowingProvider<Int>.family(scope: AlwaysCreateNewScope()) { (pod, count: Count) in
      count.rest == 0 ? 0 : try 1 + pod.resolve(count.next)
    }
    Count.family.withLock { $0 = countdown }
    #expect(try pod.resolve(countdown(Count(rest: 260))) == 260)
    pod.overrideProvider(countdown) { pod, count in count.rest == 0 ? 1_000 : try 1 + pod.resolve(count.next) }
    #expect(try pod.resolve(countdown(Count(rest: 100))) == 1_100)
  }

  private struct Count: Sendable {
    let rest: Int
    static let family = Locked<ProviderFamily<ThrowingProvider<Int>, Count>?>(nil)
    var next: ThrowingProvider<Int> { Self.family.withLock { $0 }!(Count(rest: rest - 1)) }
  }

  @Test("R9 R22 the text of arguments is asked for only where it is shown, and without a lock")
  func textOfArguments() {
    struct Named: Hashable, Sendable, CustomStringConvertible {
      let texts: Counter
      let resolve: @Sendable () -> Void
      static func == (left: Named, right: Named) -> Bool { left.texts === right.texts }
      func hash(into hasher: inout Hasher) {}
      var description: String {
        texts.increment()
        resolve()
        return "named"
      }
    }
    struct Log: PodObserver {
      let names = Locked<[String]>([])
      func pod(_ pod: Pod, did event: PodEvent) {
        if case .build(let provider, _, _) = event { names.withLock { $0.append(provider.name) } }
      }
    }
    let (log, texts) = (Log(), Counter())
    let (silent, observed) = (Pod(), Pod(observers: [log]))
    let other = Provider("other") { _ in 1 }
    let family = Provider.family("family", scope: OwnedScope()) { (_, _: Named) in 1 }
    let holder = Provider("holder") { pod in pod.factory(family) }
    let named = Named(texts: texts) { [unowned observed] in _ = observed.resolve(other) }
    _ = silent.resolve(family(named))
    _ = silent.resolve(holder)(named)
    silent.clearCachedInstances(forScope: OwnedScope())
    #expect(texts.value == 0)
    _ = observed.resolve(family(named))
    #expect(texts.value > 0 && Set(log.names.withLock { $0 }) == ["family(named)", "other"])
  }
}
