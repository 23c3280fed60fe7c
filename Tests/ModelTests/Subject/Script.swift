/// Writes a program as Swift source that a person can paste into the main file of a package that depends on Peapod.
///
/// What it prints are the numbers of instances, in the order in which they are made.
struct Script {
  private let prelude: [String]
  private var lines = [
    "", "var pods: [Pod?] = [Pod(\"0\"), captured, nil, nil, nil]", "var hands: [Item?] = [nil, nil, nil]",
  ]
  private var depth = 0
  private let world: World

  init(_ world: World) {
    self.world = world
    prelude = Self.prelude(
      hasAsync: world.nodes.contains { $0.kind == .async }, holdsParts: world.flavour.holdsParts)
  }

  /// The program, with those declarations that it needs.
  var text: String {
    let declarations = world.nodes.indices.map { (name: "p\($0)", text: declaration(of: $0)) }
    var needed: Set<String> = []
    var words = Self.words(in: lines)
    while words.contains(where: { !needed.contains($0) }) {
      needed.formUnion(words)
      words = Self.words(in: declarations.filter { needed.contains($0.name) }.map(\.text))
    }
    let declared = declarations.filter { needed.contains($0.name) }.map(\.text)
    return (prelude + declared + lines).joined(separator: "\n")
  }

  private static func words(in lines: [String]) -> Set<String> {
    Set(lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) })
  }

  mutating func add(_ line: String) { lines.append(String(repeating: "  ", count: depth) + line) }

  mutating func note(_ text: String) {
    for line in text.split(separator: "\n") { add("// \(line)") }
  }

  // MARK: - Declarations

  private static func prelude(hasAsync: Bool, holdsParts: Bool) -> [String] {
    let common = """
      import Peapod

      // Instances \(holdsParts ? "hold" : "do not hold") what they were built from.
      struct Outer: ProviderScope { var children: [any ProviderScope] { [Inner(), Tab(number: 1), Inner()] } }
      struct Inner: ProviderScope {}
      struct Tab: ProviderScope, Hashable {
        var number: Int
        var children: [any ProviderScope] { [Tab(number: 3 - number)] }
      }
      struct Refused: Error {}
      final class Item: Sendable {
        nonisolated(unsafe) static var count = 0
        let serial: Int
        let parts: [Item?]
        let lazies: [Lazy<Item>]
        let factories: [@Sendable () -> Item]
        init(_ name: String, _ parts: [Item?], lazies: [Lazy<Item>] = [], factories: [@Sendable () -> Item] = []) {
          Item.count += 1
          (serial, self.parts, self.lazies, self.factories) = (Item.count, \(holdsParts ? "parts" : "[]"), lazies, factories)
          print("built \\(serial): \\(name) of \\(parts.map { $0?.serial ?? 0 })")
        }
        func useHandles() -> [Int] { lazies.map(\\.value.serial) + factories.map { $0().serial } }
      }
      func dispose(_ item: Item) { print("disposed \\(item.serial)") }
      func show(_ item: Item?) { print(item.map { "got \\($0.serial)" } ?? "got nothing") }
      enum Failures {
        nonisolated(unsafe) static var planned: [Int: Int] = [:]
        static func check(_ node: Int) throws {
          guard planned[node, default: 0] > 0 else { return }
          planned[node]! -= 1
          throw Refused()
        }
      }
      let captured = Pod("1")
      """
    let gates = """
      @MainActor enum Gates {
        static var tickets: [String: Int] = [:]
        static func pass(_ name: String) async throws {
          while tickets[name, default: 0] == 0 {
            try Task.checkCancellation()
            await Task.yield()
          }
          tickets[name]! -= 1
        }
        static func open(_ name: String) async {
          tickets[name, default: 0] += 1
          for _ in 0..<1_000 { await Task.yield() }
        }
      }
      """
    return common.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      + (hasAsync ? gates.split(separator: "\n").map(String.init) : []) + [""]
  }

  private func declaration(of index: Int) -> String {
    let node = world.nodes[index]
    let head = node.isFamily ? "\(node.kind.rawValue).family(\"\(index)\"" : "\(node.kind.rawValue)(\"\(index)\""
    let parameters = node.isFamily ? "(pod: Pod, a: Int)" : "pod"
    let body = builder(
      node.recipe, of: Member(node: index, argument: 0), name: "\(index)", argument: node.isFamily ? "a" : "0")
    let hook = node.hasHook ? " onDispose: { dispose($0) }" : ""
    return "let p\(index) = \(head), scope: \(Self.text(of: node.scope))) { \(parameters) in \(body) }\(hook)"
  }

  static func text(of scope: ScopeChoice) -> String {
    switch scope {
    case .singleton, .alwaysCreateNew, .weak, .graph: ".\(scope.rawValue)"
    case .outer: "Outer()"
    case .inner: "Inner()"
    case .firstTab: "Tab(number: 1)"
    case .secondTab: "Tab(number: 2)"
    }
  }

  func text(of member: Member, argument: String? = nil) -> String {
    world.nodes[member.node].isFamily ? "p\(member.node)(\(argument ?? "\(member.argument)"))" : "p\(member.node)"
  }

  private func builder(_ recipe: Recipe, of member: Member, name: String, argument: String) -> String {
    let node = world.nodes[member.node]
    var statements: [String] = []
    for (index, ask) in recipe.asks.enumerated() {
      if world.mustPass(recipe, of: member, before: index) {
        statements.append("try await Gates.pass(\"\(member.node)\")")
      }
      statements.append("let part\(index) = \(request(ask, of: member, argument: argument))")
    }
    if world.mustPass(recipe, of: member, before: recipe.asks.count) {
      statements.append("try await Gates.pass(\"\(member.node)\")")
    }
    let parts = recipe.asks.indices.map { "part\($0)" }.joined(separator: ", ")
    if recipe.fails {
      statements.append("if true { throw Refused() }")
    } else if node.kind.canFail {
      statements.append("try Failures.check(\(member.node))")
    }
    func handles(_ isLazy: Bool) -> String {
      recipe.handles.filter { $0.isLazy == isLazy }
        .map { "pod.\(isLazy ? "lazy" : "factory")(\(text(of: $0.target)))" }.joined(separator: ", ")
    }
    var arguments = "\"\(name)\", [\(parts)]"
    if recipe.handles.contains(where: \.isLazy) { arguments += ", lazies: [\(handles(true))]" }
    if recipe.handles.contains(where: { !$0.isLazy }) { arguments += ", factories: [\(handles(false))]" }
    let result = "Item(\(arguments))"
    return statements.isEmpty ? result : (statements + ["return \(result)"]).joined(separator: "; ")
  }

  private func request(_ ask: Ask, of member: Member, argument: String) -> String {
    let target = ask.target(for: member, in: world)
    let node = world.nodes[target.node]
    if case .inner(let plan, let index, let own) = ask {
      let changes = plan.changes.map { text(of: $0, in: "pod") }.joined(separator: "; ")
      let owning = Self.text(of: plan.owning, isFirst: true)
      let inside = request(.node(index, argument: own, way: .resolve), of: member, argument: argument)
      if plan.isOverrideScope { return "pod.withOverrides({ pod in \(changes) }) { \(inside) }" }
      return "pod.withChild(\(owning)configure: { pod in \(changes) }) { pod in \(inside) }"
    }
    var pod = "pod"
    var name = text(of: target, argument: argument)
    if case .node(_, let own, let way) = ask {
      if let own { name = text(of: target, argument: "\(own)") }
      if way == .captured { pod = "captured" }
      if way == .injected, node.kind == .plain { return "Injected(\(name)).wrappedValue" }
    }
    // Where an error must not end the builder, what it asks for counts as nothing.
    switch node.kind {
    case .plain: return "\(pod).resolve(\(name))"
    case .throwing:
      return world.nodes[member.node].kind.canFail ? "try \(pod).resolve(\(name))" : "try? \(pod).resolve(\(name))"
    case .async: return "try await \(pod).resolve(\(name))"
    case .mainActor:
      return world.nodes[member.node].kind == .mainActor
        ? "\(pod).resolve(\(name))" : "MainActor.assumeIsolated { \(pod).resolve(\(name)) }"
    }
  }
}

// MARK: - Steps

extension Script {
  mutating func begin(_ line: String) {
    add(line)
    depth += 1
  }

  mutating func end(_ line: String = "}") {
    depth -= 1
    add(line)
  }

  func text(of change: Change, in pod: String) -> String {
    switch change {
    case .value(let member): return "\(pod).overrideProvider(\(text(of: member)), withValue: Item(\"value\", []))"
    case .builder(let member, let recipe, let scope):
      let scope = scope.map { ", scope: \(Script.text(of: $0))" } ?? ""
      let body = builder(recipe, of: member, name: "override of \(member.node)", argument: "\(member.argument)")
      return "\(pod).overrideProvider(\(text(of: member))\(scope)) { pod in \(body) }"
    case .family(let node, let recipe):
      let body = builder(recipe, of: Member(node: node, argument: 0), name: "override of family \(node)", argument: "a")
      return "\(pod).overrideProvider(p\(node)) { pod, a in \(body) }"
    }
  }

  mutating func add(_ action: Action, to variable: Int, task: Int?) {
    let pod = "pods[\(variable)]!"
    switch action {
    case .resolve(let member, let way, let hand): add(resolve(member, way, hand, in: pod))
    case .useHandles(let member): add("print(\(effects(member))\(pod).resolve(\(text(of: member))).useHandles())")
    case .look(let member): add("print(\(pod).isCached(\(text(of: member))))")
    case .withFreshInstance(let member, _):
      let effects = world.nodes[member.node].kind == .async ? "try? await " : ""
      add("\(effects)\(pod).withFreshInstance(of: \(text(of: member))) { show($0) }")
    case .begin(let member): add("let task\(task ?? 0) = Task { show(try await \(pod).resolve(\(text(of: member)))) }")
    case .cancel: add("task\(task ?? 0).cancel()")
    case .step: break
    case .change(let change): add(text(of: change, in: pod))
    case .removeOverride(let member): add("\(pod).removeOverrideProvider(\(text(of: member)))")
    case .removeFamilyOverride(let node): add("\(pod).removeOverrideProvider(p\(node))")
    case .removeAllOverrides: add("\(pod).removeAllOverrides()")
    case .clearScope(let scope, let isAwaited):
      let scope = Script.text(of: scope)
      add(isAwaited ? "await \(pod).shutdown(scope: \(scope))" : "\(pod).clearCachedInstances(forScope: \(scope))")
    case .clearInstance(let member): add("\(pod).clearCachedInstance(of: \(text(of: member)))")
    case .clearFamily(let node): add("\(pod).clearCachedInstances(of: p\(node))")
    case .dispose(let isAwaited): add(isAwaited ? "await \(pod).shutdown()" : "\(pod).dispose()")
    case .makeChild(let variable, let owning, let changes):
      add("pods[\(variable)] = \(pod).makeChild(\(Script.text(of: owning))) { pod in")
      for change in changes { add("  " + text(of: change, in: "pod")) }
      add("}")
    case .forgetPod: add("pods[\(variable)] = nil")
    case .forgetInstance(let hand): add("hands[\(hand)] = nil")
    case .failNextBuild(let node): add("Failures.planned[\(node), default: 0] += 1")
    case .withChild, .withOverrides: break
    }
  }

  private func effects(_ member: Member) -> String {
    switch world.nodes[member.node].kind {
    case .plain, .mainActor: ""
    case .throwing: "try "
    case .async: "try await "
    }
  }

  private func resolve(_ member: Member, _ way: Action.Way, _ hand: Int?, in pod: String) -> String {
    let name = text(of: member)
    let call =
      switch way {
      case .resolve: "\(pod).resolve(\(name))"
      case .withResolved: "\(pod).withResolved(\(name)) { copy $0 }"
      case .lazy: "\(pod).lazy(\(name)).value"
      case .factory: "\(pod).factory(\(name))()"
      case .injected: "Injected(\(name), from: \(pod)).wrappedValue"
      case .perUse: "\(pod).perUse(\(name)).use { $0 }"
      }
    let effects = effects(member).replacing("try ", with: "try? ")
    guard let hand else { return "show(\(effects)\(call))" }
    return "hands[\(hand)] = \(effects)\(call); show(hands[\(hand)])"
  }

  static func text(of owning: [ScopeChoice], isFirst: Bool = false) -> String {
    owning.isEmpty ? "" : "owning: [\(owning.map { text(of: $0) }.joined(separator: ", "))]\(isFirst ? ", " : "")"
  }
}
