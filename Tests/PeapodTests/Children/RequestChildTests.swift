import Peapod
import Testing

/// Rules 9, 15, 16, 19, 20, 21, 26 to 28, of children as each request of a server has one: given some values, and asked for what is built
/// from these and from what the root keeps.
///
/// Most of that goes short ways where nothing else happens. Other tests may be at work, so all are run in a process of their own too.
@Suite struct RequestChildTests {
  private struct Keeper: Sendable {
    let pod: Pod
    let parts: [any Sendable]
  }

  /// What a server has, and its requests.
  private final class Server: Sendable {
    let population = Population()
    let log = Log<String>()
    let root = Pod("root")
    let repository: Provider<Tracked>
    let user: Provider<[String]>
    let number: Provider<Int>
    /// Not kept, and built from what follows or is given.
    let service: Provider<Keeper>
    let part: Provider<Keeper>
    /// Kept by the child.
    let session: Provider<Tracked>

    init() {
      let population = population
      let log = log
      let repository = Provider("repository") { _ in
        population.make(onDeinit: { _ in log.append("repository") })
      }
      let user = Provider<[String]>("user", scope: AccountScope()) { _ in fatalError("it is given") }
      let number = Provider<Int>("number", scope: AccountScope()) { _ in fatalError("it is given") }
      let part = Provider("part", scope: .alwaysCreateNew) { pod in
        Keeper(pod: pod, parts: [pod.resolve(repository), pod.resolve(user)])
      }
      service = Provider("service", scope: .alwaysCreateNew) { pod in
        Keeper(pod: pod, parts: [pod.resolve(part), pod.resolve(repository), pod.resolve(number)])
      }
      session = Provider("session", scope: AccountScope()) { pod in
        let parts: [any Sendable] = [pod.resolve(repository), pod.resolve(user), pod.resolve(number)]
        return population.make(keeping: parts, onDeinit: { _ in log.append("session") })
      }
      (self.repository, self.user, self.number, self.part) = (repository, user, number, part)
      _ = root.resolve(repository)
    }

    func request(_ name: String = "child") -> Pod {
      root.makeChild(name, owning: [AccountScope()]) {
        $0.overrideProvider(user, withValue: [name])
        $0.overrideProvider(number, withValue: 7)
      }
    }

    /// Asks for one of the things that a request may ask for.
    func ask(_ question: Int, of pod: Pod) {
      switch question {
      case 0: #expect(pod.resolve(user) == [pod.name])
      case 1: #expect(pod.resolve(number) == 7)
      case 2: #expect(pod.resolve(part).pod.name == pod.name)
      case 3: #expect(pod.resolve(service).pod.name == pod.name)
      case 4: #expect(pod.resolve(session) === pod.resolve(session))
      default: #expect(pod.resolve(repository) === root.resolve(repository))
      }
    }

    static let questionCount = 6
  }

  @Test("R9 R15 R16 R19 R20 R21 R27 R28 of a request, where nothing else happens")
  func alone() async {
    await #expect(processExitsWith: .success) {
      let tests = RequestChildTests()
      tests.anyOrder()
      tests.drawn()
      tests.kept()
      tests.changed()
      tests.repositoryCleared()
      tests.order()
      tests.captive()
      tests.cycle()
      tests.handle()
      tests.many()
      tests.classScope()
    }
  }

  @Test("R9 R19 R21 whatever a request asks for, in whatever order, it leaves nothing")
  func anyOrder() {
    let server = Server()
    let count = Server.questionCount
    // Each sequence of up to four questions, some of them repeated.
    for code in 0..<(count * count * count * count) {
      let questions = [code % count, code / count % count, code / count / count % count, code / count / count / count]
      let child = server.request()
      for question in questions { server.ask(question, of: child) }
    }
    #expect(server.population.live == 1)
    #expect(server.root.graph.edges.isEmpty)
    #expect(server.root.graph.nodes.map(\.provider.name) == ["repository"])
    #expect(server.root.graph.children.isEmpty)
    server.root.clearCachedInstance(of: server.repository)
    #expect(server.population.live == 0)
  }

  @Test("R19 R28 the graph of a request shows what its services were built from, and where they live")
  func drawn() {
    let server = Server()
    let child = server.request()
    _ = child.resolve(server.service)
    _ = child.resolve(server.session)
    let graph = child.graph
    #expect(graph.dependencies(of: server.service).map(\.name) == ["repository", "number", "part"])
    #expect(graph.dependencies(of: server.part).map(\.name) == ["repository", "user"])
    #expect(graph.dependencies(of: server.session).map(\.name) == ["repository", "user", "number"])
    for node in graph.nodes {
      #expect(node.inclusiveDuration >= node.exclusiveDuration && node.exclusiveDuration >= .zero)
      #expect(node.buildCount == 1)
      #expect(node.isCached == !["service", "part"].contains(node.provider.name))
    }
    let whole = server.root.graph
    #expect(whole.nodes.map(\.provider.name) == ["repository"])
    #expect(
      whole.children.map { Set($0.nodes.map(\.provider.name)) } == [["user", "number", "part", "service", "session"]])
  }

  @Test("R19 R20 what a request keeps is its own")
  func kept() {
    let server = Server()
    let (first, second) = (server.request("first"), server.request("second"))
    #expect(first.resolve(server.session) === first.resolve(server.session))
    #expect(first.resolve(server.session) !== second.resolve(server.session))
    #expect(!server.root.isCached(server.session))
    #expect(first.resolve(server.part).parts[1] as? [String] == ["first"])
    #expect(second.resolve(server.part).parts[1] as? [String] == ["second"])
  }

  @Test("R15 R16 what a request was given is changed, and what was built from it goes")
  func changed() {
    let server = Server()
    let child = server.request()
    _ = (child.resolve(server.session), child.resolve(server.service))
    #expect(server.population.live == 2)
    child.overrideProvider(server.user, withValue: ["other"])
    #expect(server.population.live == 1)
    #expect(child.resolve(server.session).parts[1] as? [String] == ["other"])
    #expect(server.population.made == 3)
    let part = child.resolve(server.service).parts[0] as? Keeper
    #expect(part?.parts[1] as? [String] == ["other"])
  }

  @Test("R21 R27 what a request was built from in the root goes after it, and is built again for its next service")
  func repositoryCleared() {
    let server = Server()
    let child = server.request()
    let session = child.resolve(server.session)
    _ = child.resolve(server.service)
    server.root.clearCachedInstance(of: server.repository)
    let repository = child.resolve(server.service).parts[1] as? Tracked
    #expect(repository === server.root.resolve(server.repository) && repository !== session.parts[0] as? Tracked)
    #expect(server.population.made == 3)
    let log = server.log
    let hooked = Provider("hooked", scope: AccountScope()) { [repository = server.repository] pod in
      _ = pod.resolve(repository)
      return 1
    } onDispose: { (_: Int) in
      log.append("hooked")
    }
    _ = child.resolve(hooked)
    server.root.clearCachedInstance(of: server.repository)
    #expect(log.drain().isEmpty)
    server.root.dispose()
    #expect(log.drain() == ["hooked"])
  }

  @Test("R21 R27 what a request kept goes with it, the root's things stay")
  func order() {
    let server = Server()
    do {
      let child = server.request()
      _ = child.resolve(server.session)
      _ = child.resolve(server.service)
    }
    #expect(server.log.drain() == ["session"])
  }

  @Test("R28 what a request keeps longer than what it was built from is told of")
  func captive() {
    let root = Pod("root")
    let lower = Provider("lower", scope: OwnedScope()) { _ in 1 }
    let upper = Provider("upper", scope: AccountScope()) { pod in Tracked(keeping: [pod.resolve(lower)]) }
    let child = root.makeChild("child", owning: [AccountScope(), OwnedScope()])
    _ = child.resolve(upper)
    #expect(child.graph.captiveDependencies.map { [$0.dependent.name, $0.dependency.name] } == [["upper", "lower"]])
  }

  @Test("R12 transients of a request that need each other are found")
  func cycle() {
    let server = Server()
    let names = Locked<[ThrowingProvider<[String]>]>([])
    let number = server.number
    let first = ThrowingProvider("first", scope: .alwaysCreateNew) { pod in
      _ = pod.resolve(number)
      return try pod.resolve(names.withLock { $0[1] })
    }
    let second = ThrowingProvider("second", scope: .alwaysCreateNew) { pod in
      try pod.resolve(names.withLock { $0[0] })
    }
    names.withLock { $0 = [first, second] }
    let child = server.request()
    let error = #expect(throws: ProviderCycleError.self) { try child.resolve(first) }
    #expect(error?.path.map(\.name) == ["first", "second", "first"])
    #expect(child.resolve(server.part).pod.name == "child")
    names.withLock { $0 = [] }
  }

  @Test("R26 who holds a handle of a request's service is told what it was built from")
  func handle() {
    let server = Server()
    let service = server.part
    let holder = Provider("holder", scope: AccountScope()) { pod -> (@Sendable () -> Keeper) in pod.factory(service) }
    let child = server.request()
    let make = child.resolve(holder)
    #expect(make().parts[1] as? [String] == ["child"])
    _ = child.resolve(service)
    child.overrideProvider(server.user, withValue: ["other"])
    #expect(child.resolve(holder)().parts[1] as? [String] == ["other"])
  }

  @Test("R19 R21 a request that asks for more than most is answered as well")
  func many() {
    let server = Server()
    let user = server.user
    let population = server.population
    let scoped = (0..<9).map { number in
      Provider("scoped \(number)", scope: AccountScope()) { pod in population.make(keeping: [pod.resolve(user)]) }
    }
    let transients = scoped.map { part in
      Provider("transient", scope: .alwaysCreateNew) { pod in [pod.resolve(part).parts.count, pod.resolve(user).count] }
    }
    for count in 0...9 {
      do {
        let child = server.request()
        for transient in transients.prefix(count) { #expect(child.resolve(transient) == [1, 1]) }
        #expect(population.live == 1 + count)
      }
      #expect(population.live == 1)
    }
  }

  @Test("R20 a scope that is a class is told from its subclasses")
  func classScope() {
    class Base: ProviderScope, @unchecked Sendable {}
    final class Derived: Base, @unchecked Sendable {}
    let (base, derived): (Base, Base) = (Base(), Derived())
    let ofBase = Provider("base", scope: base) { _ in Tracked() }
    let ofDerived = Provider("derived", scope: derived) { _ in Tracked() }
    let root = Pod("root")
    for _ in 0..<3 {
      let child = root.makeChild("child", owning: [base])
      let other = root.makeChild("other", owning: [derived])
      #expect(child.resolve(ofBase) !== root.resolve(ofBase))
      #expect(child.resolve(ofDerived) === root.resolve(ofDerived))
      #expect(other.resolve(ofDerived) !== root.resolve(ofDerived))
      #expect(other.resolve(ofBase) === root.resolve(ofBase))
    }
  }
}
