import Peapod
import Testing

/// Rules 19 and 22: families in child pods.
@Suite struct ChildFamilyTests {
  @Test("R19 R22 a child builds again only the members that it changes")
  func members() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let user = Provider.family { (pod: Pod, id: Int) in
      id < 0 ? Part("\(id)") : Part("\(id)", [pod.resolve(setting)])
    }
    let child = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    #expect(child.resolve(user(1)).recipe == "1(SETTING)")
    #expect(root.resolve(user(1)).recipe == "1(setting)")
    #expect(child.resolve(user(-1)) === root.resolve(user(-1)))
  }

  @Test(
    "R15 R22 R26 an override reaches the holder of a family's factory in the pod where a member depends on it, and no other"
  )
  func holdersInTwoPods() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let user = Provider.family { (_: Pod, id: Int) in Part("\(id)") }
    let holder = Provider { pod in
      _ = pod.factory(user)
      return Part("holder")
    }
    let child = root.makeChild { $0.overrideProvider(user(1)) { Part("own", [$0.resolve(setting)]) } }
    let (outer, inner) = (root.resolve(holder), child.resolve(holder))
    _ = (root.resolve(user(1)), child.resolve(user(1)))
    root.overrideProvider(setting) { _ in Part("SETTING") }
    #expect(root.resolve(holder) === outer)
    #expect(child.resolve(holder) !== inner)
  }

  @Test("R22 a member's override wins over its family's in one pod")
  func memberWins() {
    let root = Pod("root")
    let user = Provider.family { (_: Pod, id: Int) in Part("user\(id)") }
    let child = root.makeChild {
      $0.overrideProvider(user(1)) { _ in Part("member") }
      $0.overrideProvider(user) { _, id in Part("family\(id)") }
    }
    #expect(child.resolve(user(1)).recipe == "member")
    #expect(child.resolve(user(2)).recipe == "family2")
    #expect(root.resolve(user(1)).recipe == "user1")
  }

  @Test("R22 the nearest pod decides first, then a member before its family")
  func nearestPodDecides() {
    let root = Pod("root")
    let user = Provider.family { (_: Pod, id: Int) in Part("user\(id)") }
    root.overrideProvider(user(1)) { _ in Part("member") }
    let child = root.makeChild { $0.overrideProvider(user) { _, id in Part("family\(id)") } }
    #expect(child.resolve(user(1)).recipe == "family1")
    #expect(root.resolve(user(1)).recipe == "member")
    #expect(root.resolve(user(2)).recipe == "user2")
    child.removeOverrideProvider(user)
    #expect(child.resolve(user(1)).recipe == "member")
  }

  @Test("R15 R22 an override of a family in the parent reaches what a child built from its members")
  func parentFamilyOverride() {
    let root = Pod("root")
    let setting = Provider { _ in Part("setting") }
    let user = Provider.family { (_: Pod, id: Int) in Part("user\(id)") }
    let page = Provider { Part("page", [$0.resolve(user(7)), $0.resolve(setting)]) }
    let child = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
    let before = child.resolve(page)
    root.overrideProvider(user) { _, id in Part("USER\(id)") }
    #expect(child.resolve(page).recipe == "page(USER7,SETTING)")
    root.removeOverrideProvider(user)
    #expect(child.resolve(page) === before)
  }

  @Test(
    "R19 R22 R26 what held a handle is built again for a child that changes a member that the handle led to, gone or not"
  )
  func goneMembers() {
    let root = Pod("root")
    let number = Locked(1)
    let setting = Provider { _ in Part("setting") }
    let user = Provider.family("user", scope: OwnedScope()) { (pod: Pod, id: Int) in
      Part("user \(id)", [pod.resolve(setting)])
    }
    let view = Provider.family("view", scope: .alwaysCreateNew) { Part("view", [$0.resolve(user($1))]) }
    let changing = Provider("changing", scope: .alwaysCreateNew) { pod in
      Part("changing", [pod.resolve(user(number.withLock { $0 }))])
    }
    let one = Provider("one") { FactoryHolder([$0.factory(view(1))]) }
    let any = Provider("any") { pod in
      let make = pod.factory(view)
      return FactoryHolder([{ make(1) }])
    }
    let many = Provider("many") { FactoryHolder([$0.factory(changing)]) }
    func use() {
      for holder in [one, any, many] { _ = root.resolve(holder).makers[0]() }
      root.clearCachedInstances(forScope: OwnedScope())
    }
    /// Which of the holders a child builds again that changes something.
    func rebuilt(_ configure: (Pod) -> Void) -> [Bool] {
      let child = root.makeChild(configure: configure)
      return [one, any, many].map { (holder: Provider<FactoryHolder>) in child.resolve(holder) !== root.resolve(holder)
      }
    }
    use()
    #expect(rebuilt { $0.overrideProvider(user(1)) { _ in Part("USER") } } == [true, true, true])
    #expect(rebuilt { $0.overrideProvider(user(999)) { _ in Part("USER") } } == [false, false, false])
    #expect(rebuilt { $0.overrideProvider(user) { _, _ in Part("USER") } } == [true, true, true])
    #expect(rebuilt { $0.overrideProvider(setting) { _ in Part("SETTING") } } == [true, true, true])
    #expect(rebuilt { $0.overrideProvider(Provider { _ in 1 }, withValue: 2) } == [false, false, false])
  }

  @Test("R15 R16 R22 R27 what a pod overrides of a member leaves the holder of a factory of the family alone")
  func memberOverrideAndHolder() {
    let log = Log<String>()
    let user = Provider.family("user", scope: OwnedScope()) { (_: Pod, id: Int) in Part("user \(id)") }
    let holder = Provider<FactoryHolder>("holder") { pod in
      let make = pod.factory(user)
      return FactoryHolder([{ make(1) }])
    } onDispose: { _ in
      log.append("holder")
    }
    let pod = Pod()
    let before = pod.resolve(holder)
    for _ in 0..<2 {
      pod.overrideProvider(user(1)) { _ in Part("USER") }
      #expect(pod.resolve(holder) === before)
      #expect(before.makers[0]().recipe == "USER")
      pod.removeOverrideProvider(user(1))
      #expect(pod.resolve(holder) === before)
      #expect(before.makers[0]().recipe == "user 1")
    }
    #expect(log.entries.isEmpty)
  }

  @Test(
    "R15 R19 R22 R27 a child's own holder of a factory is disposed when the child's override of a member is removed")
  func memberOverrideOfChild() {
    let log = Log<String>()
    let user = Provider.family("user") { (_: Pod, id: Int) in Part("user \(id)") }
    let holder = Provider<FactoryHolder>("holder") { pod in
      let make = pod.factory(user)
      return FactoryHolder([{ make(1) }])
    } onDispose: { _ in
      log.append("holder")
    }
    let root = Pod("root")
    let child = root.makeChild("child")
    let before = root.resolve(holder)
    for round in 1...2 {
      child.overrideProvider(user(1)) { _ in Part("USER") }
      let own = child.resolve(holder)
      #expect(own !== before)
      if round == 1 { #expect(own.makers[0]().recipe == "USER") }
      #expect(before.makers[0]().recipe == "user 1")
      child.removeOverrideProvider(user(1))
      #expect(log.entries.count == round)
      #expect(child.resolve(holder) === before)
    }
  }

  @Test("R19 R22 R26 what another pod built from such a holder stays when the child overrides another member")
  func furtherMemberOverride() {
    let user = Provider.family("user") { (_: Pod, id: Int) in Part("user \(id)") }
    let holder = Provider<FactoryHolder>("holder") { pod in
      let make = pod.factory(user)
      return FactoryHolder([{ make(1) }])
    }
    let root = Pod("root")
    let child = root.makeChild { $0.overrideProvider(user(1)) { _ in Part("USER") } }
    _ = child.resolve(holder)
    child.overrideProvider(user(2)) { _ in Part("USER") }
    let dependent = Provider("dependent") { _ in Part("dependent \(child.resolve(holder).makers.count)") }
    let app = Pod("app")
    let first = app.resolve(dependent)
    #expect(app.resolve(dependent) === first)
  }

  @Test("R15 R19 R26 what the members of a family were built from before is followed by what holds a factory of it")
  func membersBefore() {
    let late = Locked<ProviderFamily<Provider<Part>, Int>?>(nil)
    let setting = Provider { _ in Part("setting") }
    let node = Provider.family("node", scope: OwnedScope()) { (pod: Pod, id: Int) in
      let below = id > 0 ? pod.resolve(late.withLock { $0! }(id - 1)) : pod.resolve(setting)
      return Part("node \(id)", [below])
    }
    late.withLock { $0 = node }
    let view = Provider.family("view", scope: .alwaysCreateNew) { Part("view", [$0.resolve(node($1))]) }
    func declareHolder(_ family: ProviderFamily<Provider<Part>, Int>) -> Provider<FactoryHolder> {
      Provider { pod in
        let make = pod.factory(family)
        return FactoryHolder([{ make(1) }])
      }
    }
    do {
      for (holder, text) in [
        (declareHolder(view), "view(node 1(node 0(SETTING)))"), (declareHolder(node), "node 1(node 0(SETTING))"),
      ] {
        let root = Pod("root")
        _ = root.resolve(node(0))
        _ = root.resolve(holder).makers[0]()
        let child = root.makeChild { $0.overrideProvider(setting) { _ in Part("SETTING") } }
        #expect(child.resolve(holder) !== root.resolve(holder))
        #expect(child.resolve(holder).makers[0]().recipe == text)
      }
    }
  }

  @Test("R20 R22 clearing a family in a child clears the members that it sees")
  func clearFamily() {
    let root = Pod("root")
    let user = Provider.family(scope: OwnedScope()) { (_: Pod, id: Int) in Part("user\(id)") }
    let child = root.makeChild(owning: [OwnedScope()])
    let ofRoot = root.resolve(user(1))
    let ofChild = child.resolve(user(1))
    child.clearCachedInstances(of: user)
    #expect(child.resolve(user(1)) !== ofChild)
    #expect(root.resolve(user(1)) === ofRoot)
  }

  private final class Maker: Sendable {
    let parts: [Maker]
    let make: (@Sendable (Int) -> Maker)?

    init(_ parts: [Maker] = [], make: (@Sendable (Int) -> Maker)? = nil) {
      self.parts = parts
      self.make = make
    }
  }

  private static let service: Provider<Maker> = Provider("service") { pod in
    Maker(make: pod.factory(items))
  }
  private static let items = Provider<Maker>.family("items", scope: OwnedScope()) { (pod: Pod, _: Int) in
    Maker([pod.resolve(service)])
  }

  @Test(
    "R2 R17 R22 R26 a decorated member is kept, whoever holds a factory of its family", arguments: [false, true],
    [false, true])
  func decoratedMember(isWhole: Bool, isInRoot: Bool) {
    let (service, items) = (Self.service, Self.items)
    let root = Pod("root")
    let population = Counter()
    let user = Provider("user") { pod in
      population.increment()
      return Maker([pod.resolve(items(1))])
    }
    func override(_ pod: Pod) {
      if isWhole {
        pod.overrideProvider(items) { (pod: Pod, number: Int) in
          Maker([pod.resolve(items(number))], make: pod.factory(items))
        }
      } else {
        pod.overrideProvider(items(1)) { pod in Maker([pod.resolve(items(1))]) }
      }
    }
    if isInRoot { override(root) }
    let child = root.makeChild("child", owning: isInRoot ? [OwnedScope()] : []) { if !isInRoot { override($0) } }
    let first = child.resolve(items(1))
    let held = child.resolve(user)
    for _ in 0..<10 {
      #expect(child.resolve(items(1)) === first)
      #expect(child.resolve(user) === held)
    }
    #expect(held.parts[0] === first)
    #expect(population.value == 1)
    #expect(child.isCached(items(1)))
    #expect(child.resolve(service).make?(1) === first)
    #expect(first.parts[0].parts[0] === child.resolve(service))
    if !isInRoot {
      #expect(root.resolve(items(1)) !== first)
      child.removeAllOverrides()
      #expect(child.resolve(items(1)) === root.resolve(items(1)))
    }
  }
}

/// Keeps factories.
private final class FactoryHolder: Sendable {
  let makers: [@Sendable () -> Part]
  init(_ makers: [@Sendable () -> Part]) { self.makers = makers }
}
