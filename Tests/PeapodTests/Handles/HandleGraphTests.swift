import Peapod
import Testing

/// Rule 26: what handles lead to is followed by overrides and child pods, whatever was built for whom before.
@Suite struct HandleGraphTests {
  /// Stores a lazy.
  final class Holder: Sendable {
    let lazy: Lazy<Part>
    init(_ lazy: Lazy<Part>) { self.lazy = lazy }
  }

  enum Scope: CaseIterable, Sendable {
    case singleton, alwaysCreateNew, weak, graph, owned

    func declare(_ name: String, _ build: @escaping @Sendable (Pod) -> Part) -> Provider<Part> {
      switch self {
      case .singleton: Provider(name, build)
      case .alwaysCreateNew: Provider(name, scope: .alwaysCreateNew) { build($0) }
      case .weak: Provider(name, scope: .weak, build)
      case .graph: Provider(name, scope: .graph, build)
      case .owned: Provider(name, scope: OwnedScope(), build)
      }
    }
  }

  private let setting = Provider { _ in Part("setting") }

  @Test(
    "R15 R26 the holder of a lazy is built again when what the lazy's instance was built from is overridden",
    arguments: Scope.allCases)
  func override(_ scope: Scope) {
    let pod = Pod()
    let setting = setting
    let item = scope.declare("item") { Part("item", [$0.resolve(setting)]) }
    let holder = Provider { Holder($0.lazy(item)) }
    let before = pod.resolve(holder)
    #expect(before.lazy.value.recipe == "item(setting)")
    pod.overrideProvider(setting) { _ in Part("SETTING") }
    #expect(pod.resolve(holder).lazy.value.recipe == "item(SETTING)")
    pod.removeOverrideProvider(setting)
    #expect(pod.resolve(holder) === before)
    let child = pod.makeChild { $0.overrideProvider(setting) { _ in Part("CHILD") } }
    #expect(child.resolve(holder).lazy.value.recipe == "item(CHILD)")
    #expect(pod.resolve(holder) === before)
  }

  @Test(
    "R19 R26 what a child builds is not what a holder in the root leads to, and goes with the child",
    arguments: Scope.allCases)
  func buildInChild(_ scope: Scope) {
    let pod = Pod()
    let census = Census()
    let setting = setting
    let item = scope.declare("item") { Part("item", [$0.resolve(setting)], in: census) }
    let holder = Provider { Holder($0.lazy(item)) }
    let before = pod.resolve(holder)
    do {
      let child = pod.makeChild { $0.overrideProvider(setting) { _ in Part("CHILD") } }
      #expect(child.resolve(item).recipe == "item(CHILD)")
      pod.overrideProvider(item) { _ in Part("other") }
      pod.removeOverrideProvider(item)
      #expect(pod.resolve(holder) === before)
    }
    #expect(census.alive == 0)
    pod.overrideProvider(item) { _ in Part("other") }
    pod.removeOverrideProvider(item)
    #expect(pod.resolve(holder) === before)
    #expect(before.lazy.value.recipe == "item(setting)")
    #expect(pod.graph.dependencies(of: holder).map(\.id) == [item.id])
  }

  @Test("R22 R26 a child that overrides one member builds the holders of factories of the family again")
  func member() {
    final class Maker: Sendable {
      let make: @Sendable (Int) -> Part
      init(_ make: @escaping @Sendable (Int) -> Part) { self.make = make }
    }
    let pod = Pod()
    let user = Provider.family { (_: Pod, id: Int) in Part("user\(id)") }
    let maker = Provider { Maker($0.factory(user)) }
    let before = pod.resolve(maker)
    let child = pod.makeChild { $0.overrideProvider(user(2)) { _ in Part("mock") } }
    let own = child.resolve(maker)
    #expect(own !== before)
    #expect(own.make(2).label == "mock")
    #expect(own.make(1) === before.make(1))
    #expect(child.resolve(maker) === own)
    #expect(child.makeChild().resolve(maker) === own)
    #expect(pod.resolve(maker) === before)
    #expect(before.make(2).label == "user2")
    #expect(pod.makeChild().resolve(maker) === before)
    child.removeOverrideProvider(user(2))
    #expect(child.resolve(maker).make(2).label == "user2")
  }

  @Test("R13 R15 R26 an instance that is built after a failed attempt is kept, whatever that attempt had asked for")
  func afterFailure() throws {
    struct Refused: Error {}
    final class Maker: Sendable {
      let make: @Sendable () throws -> Part
      init(_ make: @escaping @Sendable () throws -> Part) { self.make = make }
    }
    let pod = Pod()
    let setting = setting
    let item = ThrowingProvider { pod in
      let part = pod.resolve(setting)
      if part.label == "setting" { throw Refused() }
      return Part("item", [part])
    }
    let maker = Provider { Maker($0.factory(item)) }
    #expect(throws: Refused.self) { try pod.resolve(maker).make() }
    pod.overrideProvider(setting) { _ in Part("SETTING") }
    let first = try pod.resolve(item)
    #expect(try pod.resolve(item) === first)
    #expect(try pod.resolve(maker).make() === first)
  }
}
