import Peapod
import Testing

/// Rules 15, 21 and 27: what ends with nobody to call goes without steps of its own, in the same order and to the same effect.
///
/// It does so where nothing else is being disposed. Other tests may be doing that, so all are run in a process of their own too.
@Suite struct SilentEndTests {
  /// Says when it goes.
  final class Witness: Sendable {
    let name: String
    private let log: Log<String>
    private let keepsakes: [any Sendable]

    init(_ name: String, in log: Log<String>, keeping keepsakes: [any Sendable] = []) {
      (self.name, self.log, self.keepsakes) = (name, log, keepsakes)
    }

    deinit { log.append(name) }
  }

  private let log = Log<String>()

  private func declare(_ name: String, from parts: [Provider<Witness>] = []) -> Provider<Witness> {
    let log = log
    return Provider(name) { pod in
      for part in parts { _ = pod.resolve(part) }
      return Witness(name, in: log)
    }
  }

  @Test("R15 R21 R27 what goes where nothing else is being disposed")
  func alone() async {
    await #expect(processExitsWith: .success) {
      SilentEndTests().order()
      SilentEndTests().handles()
      SilentEndTests().shared()
      SilentEndTests().onlyInstance()
      SilentEndTests().builderLast()
      SilentEndTests().readers()
      SilentEndTests().ownedBelow()
      SilentEndTests().dependent()
      SilentEndTests().setAside()
      SilentEndTests().earlierInstance()
      SilentEndTests().family()
      SilentEndTests().lateConfiguration()
    }
  }

  @Test("R21 R27 without hooks too, a child's instances go dependents first, then the latest built first")
  func order() {
    let setting = declare("setting")
    let lower = declare("lower", from: [setting])
    let upper = declare("upper", from: [lower, setting])
    let other = declare("other", from: [setting])
    let log = log
    let root = Pod("root")
    do {
      let child = root.makeChild { $0.overrideProvider(setting) { _ in Witness("mock", in: log) } }
      _ = child.resolve(upper)
      _ = child.resolve(other)
    }
    #expect(log.drain() == ["other", "upper", "lower", "mock"])
  }

  @Test("R21 R26 R27 without hooks too, what holds a handle goes before what that leads to")
  func handles() {
    let log = log
    let setting = declare("setting")
    let target = declare("target", from: [setting])
    let holder = Provider("holder") { pod in
      _ = pod.resolve(setting)
      return Witness("holder", in: log, keeping: [pod.factory(target)])
    }
    let root = Pod("root")
    do {
      let child = root.makeChild { $0.overrideProvider(setting) { _ in Witness("mock", in: log) } }
      _ = child.resolve(holder)
      _ = child.resolve(target)
    }
    #expect(log.drain() == ["holder", "target", "mock"])
  }

  @Test("R15 R21 what a child has left behind is not taken for what was built since from what they shared")
  func shared() {
    let setting = declare("setting")
    let shared = declare("shared")
    let local = declare("local", from: [setting, shared])
    // The memory of what has gone is used again; so many use all that there is.
    let neighbours = (0..<5_000).map { declare("neighbour \($0)") }
    let log = log
    let root = Pod("root")
    root.overrideProvider(shared) { _ in Witness("mock", in: log) }
    _ = root.resolve(shared)
    for _ in 0..<8 {
      let child = root.makeChild { $0.overrideProvider(setting) { _ in Witness("mock", in: log) } }
      _ = child.resolve(local)
    }
    let kept = neighbours.map { root.resolve($0) }
    root.removeOverrideProvider(shared)
    #expect(zip(neighbours, kept).allSatisfy { root.resolve($0) === $1 })
  }

  @Test("R15 the only instance of an override goes when that is taken back, and the original is built or comes back")
  func onlyInstance() {
    let log = log
    let root = Pod("root")
    let setting = declare("setting")
    let given = Witness("given", in: log)
    for _ in 0..<2 {
      root.overrideProvider(setting) { _ in Witness("mock", in: log) }
      #expect(root.resolve(setting).name == "mock")
      root.removeOverrideProvider(setting)
      #expect(log.drain() == ["mock"])
      root.overrideProvider(setting, withValue: given)
      #expect(root.resolve(setting) === given)
      root.removeOverrideProvider(setting)
    }
    let original = root.resolve(setting)
    #expect(original.name == "setting")
    root.overrideProvider(setting) { _ in Witness("mock", in: log) }
    #expect(root.resolve(setting).name == "mock")
    root.removeOverrideProvider(setting)
    #expect(root.resolve(setting) === original)
    #expect(log.drain() == ["mock"])
  }

  @Test("R15 R27 what an override's builder keeps goes after what it built")
  func builderLast() {
    let setting = declare("setting")
    let root = Pod("root")
    // As long as there is a child, what the root's override made does not go at once.
    override(setting, in: root)
    #expect(log.drain() == ["mock", "kept by the builder"])
    override(setting, in: root.makeChild())
    #expect(log.drain() == ["mock", "kept by the builder"])
  }

  private func override(_ provider: Provider<Witness>, in pod: Pod) {
    let log = log
    do {
      let kept = Witness("kept by the builder", in: log)
      pod.overrideProvider(provider) { _ in withExtendedLifetime(kept) { Witness("mock", in: log) } }
    }
    _ = pod.resolve(provider)
    pod.removeOverrideProvider(provider)
  }

  @Test("R8 R15 who looks at an override's only instance keeps it while the override is taken back")
  func readers() {
    struct Holder { let witness: Witness }
    let log = log
    let root = Pod("root")
    let holder = Provider { _ in Holder(witness: Witness("original", in: log)) }
    root.overrideProvider(holder) { _ in Holder(witness: Witness("mock", in: log)) }
    // A new pod is not looked into without its lock before the second time.
    for _ in 0..<2 { _ = root.resolve(holder) }
    root.withResolved(holder) { holding in
      root.removeOverrideProvider(holder)
      #expect(log.entries.isEmpty)
      #expect(holding.witness.name == "mock")
    }
    #expect(log.drain() == ["mock"])
  }

  @Test("R15 R20 what an override made in a pod below goes with it too")
  func ownedBelow() {
    let log = log
    let root = Pod("root")
    let scoped = Provider(scope: OwnedScope()) { _ in Witness("original", in: log) }
    root.overrideProvider(scoped) { _ in Witness("mock", in: log) }
    let child = root.makeChild(owning: [OwnedScope()])
    let instances = [root, child].map { ObjectIdentifier($0.resolve(scoped)) }
    #expect(instances[0] != instances[1])
    root.removeOverrideProvider(scoped)
    #expect(log.drain() == ["mock", "mock"])
    #expect(child.resolve(scoped).name == "original")
  }

  @Test("R15 what was built from an override's only instance goes with it")
  func dependent() {
    let log = log
    let root = Pod("root")
    let setting = declare("setting")
    let user = declare("user", from: [setting])
    root.overrideProvider(setting) { _ in Witness("mock", in: log) }
    _ = root.resolve(user)
    root.removeOverrideProvider(setting)
    #expect(log.drain() == ["user", "mock"])
    _ = root.resolve(user)
    #expect(root.cachedInstance(of: setting)?.name == "setting")
  }

  @Test("R15 what an override set aside comes back with all that was built from it")
  func setAside() {
    let log = log
    let root = Pod("root")
    let setting = declare("setting")
    let user = declare("user", from: [setting])
    let originals = [setting, user].map { root.resolve($0) }
    for _ in 0..<3 {
      root.overrideProvider(setting) { _ in Witness("mock", in: log) }
      // Twice, so that it is read without the lock too.
      for _ in 0..<2 { #expect(root.resolve(setting).name == "mock") }
      root.removeOverrideProvider(setting)
      #expect(log.drain() == ["mock"])
      for _ in 0..<2 { #expect(root.resolve(user) === originals[1]) }
      for _ in 0..<2 { #expect(root.resolve(setting) === originals[0]) }
    }
    // The next override finds them as the first one did.
    root.overrideProvider(setting) { _ in Witness("mock", in: log) }
    #expect(root.resolve(user) !== originals[1])
  }

  @Test("R15 R27 what was built from an override's earlier instance goes with it, and so does what its builder keeps")
  func earlierInstance() {
    let log = log
    let root = Pod("root")
    let setting = declare("setting")
    let user = declare("user", from: [setting])
    do {
      let kept = Witness("kept by the builder", in: log)
      root.overrideProvider(setting) { _ in withExtendedLifetime(kept) { Witness("mock", in: log) } }
    }
    let earlier = root.resolve(user)
    root.clearCachedInstance(of: setting)
    let isUserKept = root.isCached(user)
    _ = root.resolve(setting)
    _ = log.drain()
    root.removeOverrideProvider(setting)
    #expect(isUserKept)
    #expect(log.drain() == ["mock", "kept by the builder"])
    #expect(root.resolve(user) !== earlier)
  }

  @Test("R15 the instances of an override of a family go with it")
  func family() {
    let log = log
    let root = Pod("root")
    let members = Provider.family { (_: Pod, number: Int) in Witness("member \(number)", in: log) }
    root.overrideProvider(members) { _, number in Witness("mock \(number)", in: log) }
    let numbers = [1, 2, 3]
    for number in numbers { #expect(root.resolve(members(number)).name == "mock \(number)") }
    root.removeOverrideProvider(members)
    #expect(log.drain() == ["mock 3", "mock 2", "mock 1"])
    for number in numbers { #expect(root.resolve(members(number)).name == "member \(number)") }
  }

  @Test("R15 R19 an override that comes after the first resolves of a child's configuration counts")
  func lateConfiguration() {
    let setting = declare("setting")
    let lower = declare("lower", from: [setting])
    let log = log
    let root = Pod("root")
    let child = root.makeChild { child in
      #expect(child.resolve(lower) === root.resolve(lower))
      child.overrideProvider(setting) { _ in Witness("mock", in: log) }
      #expect(child.resolve(setting).name == "mock")
      #expect(child.resolve(lower) !== root.resolve(lower))
    }
    #expect(child.resolve(lower) !== root.resolve(lower))
    #expect(root.resolve(setting).name == "setting")
  }
}
