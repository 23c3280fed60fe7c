import Foundation
import Peapod

/// The providers of a run, and what their builders and hooks do and tell.
final class Workshop: Sendable {
  struct PlannedFailure: Error {
    var node: Int
  }

  struct Ledger {
    var declared: [DeclaredNode] = []
    /// The pod that builders capture.
    var other: Pod?
    var plannedFailures: [Int: Int] = [:]
    var lastSerial = 0
    var lastChange = 0
    var live: [Int: WeakProduct] = [:]
    var events: [Outcome.Event] = []
    /// The hooks that were begun and, with a minus, those that have ended.
    var hooks: [Int] = []
    /// Whether a hook ran of whose end the library may learn a moment after this ledger.
    var hasLateHooks = false
    /// Whether the library may not have learnt of it when the next step began, so that what waits for it comes late.
    var isAhead = false
    var gates: [String: Turnstile] = [:]
    var areGatesOpen = false
    var paths: [String: Int] = [:]
    var answers: [Int: Outcome.Answer] = [:]
    /// Tasks and hooks under way.
    var running = 0
    /// Async builders under way.
    var builders = 0
    /// Those of them that neither wait at their gates nor for what they asked for.
    var moving = 0
    /// Tasks that have come to ask.
    var begun = 0
  }

  struct WeakProduct { weak var product: Product? }

  /// The way from the first caller to the builder that runs.
  @TaskLocal static var path = "?"

  let ledger = Locked(Ledger())
  let world: World

  init(_ world: World) { self.world = world }

  func node(_ index: Int) -> DeclaredNode { ledger.withLock { $0.declared[index] } }

  func member(_ member: Member) -> DeclaredMember { node(member.node).member(member.argument) }

  /// Makes an instance without a builder.
  func makeValue() -> Product { register { Product($0, in: self) } }

  private func register(_ make: (Int) -> Product) -> Product {
    let serial = ledger.withLock {
      $0.lastSerial += 1
      return $0.lastSerial
    }
    let product = make(serial)
    ledger.withLock { $0.live[serial] = WeakProduct(product: product) }
    return product
  }

  func forget(_ serial: Int) { ledger.withLock { _ = $0.live.removeValue(forKey: serial) } }
}

// MARK: - Builders

extension Workshop {
  func builder(_ node: Int, _ recipe: Recipe, definition: Int, argument: Int? = nil) -> DeclaredNode.Builder {
    DeclaredNode.Builder { [self] pod, own in
      try build(Member(node: node, argument: argument ?? own), recipe, definition, with: pod)
    } makeAsync: { [self] pod, own in
      try await buildAsync(Member(node: node, argument: argument ?? own), recipe, definition, with: pod)
    }
  }

  private func build(_ member: Member, _ recipe: Recipe, _ definition: Int, with pod: Pod) throws -> Product {
    var parts: [Product?] = []
    var failure: (any Error)?
    for ask in recipe.asks {
      do {
        parts.append(try answer(to: ask, for: member, with: pod))
      } catch {
        parts.append(nil)
        failure = failure ?? error
      }
    }
    return try finish(member, recipe, definition, with: pod, parts, failure)
  }

  private func answer(to ask: Ask, for member: Member, with pod: Pod) throws -> Product {
    let provider = self.member(ask.target(for: member, in: world))
    switch ask {
    case .itself: return try provider.resolve(in: pod)
    case .node(_, _, let way): return try provider.resolve(in: way == .captured ? other : pod, asBuilder: way)
    case .inner(let plan, _, _):
      func configure(_ inner: Pod) { for change in plan.changes { apply(change, to: inner) } }
      if plan.isOverrideScope { return try pod.withOverrides(configure) { try provider.resolve(in: pod) } }
      return try pod.withChild("inner", owning: plan.owning.map(\.scope), configure: configure) {
        try provider.resolve(in: $0)
      }
    }
  }

  private var other: Pod { ledger.withLock { $0.other! } }

  @MainActor
  private func buildAsync(_ member: Member, _ recipe: Recipe, _ definition: Int, with pod: Pod) async throws -> Product
  {
    let path = ledger.withLock { ledger in
      ledger.builders += 1
      ledger.moving += 1
      ledger.paths[Workshop.path, default: 0] += 1
      return Workshop.path + String(repeating: "'", count: ledger.paths[Workshop.path]! - 1)
    }
    defer {
      ledger.withLock {
        $0.builders -= 1
        $0.moving -= 1
      }
    }
    var parts: [Product?] = []
    var failure: (any Error)?
    for index in 0...recipe.asks.count {
      if world.mustPass(recipe, of: member, before: index) { try await pass(path) }
      guard index < recipe.asks.count else { break }
      let ask = recipe.asks[index]
      do {
        guard case .async(let provider) = self.member(ask.target(for: member, in: world)) else {
          parts.append(try answer(to: ask, for: member, with: pod))
          continue
        }
        let asked = ask.isCaptured ? other : pod
        ledger.withLock { $0.moving -= 1 }
        defer { ledger.withLock { $0.moving += 1 } }
        parts.append(try await Workshop.$path.withValue("\(path)/\(index)") { try await asked.resolve(provider) })
      } catch {
        parts.append(nil)
        failure = failure ?? error
      }
    }
    return try finish(member, recipe, definition, with: pod, parts, failure)
  }

  /// Fails where that was planned, or makes an instance.
  private func finish(
    _ member: Member, _ recipe: Recipe, _ definition: Int, with pod: Pod, _ parts: [Product?], _ failure: (any Error)?
  ) throws -> Product {
    if world.nodes[member.node].kind.canFail {
      var failure = failure
      if recipe.fails { failure = failure ?? PlannedFailure(node: member.node) }
      if failure == nil, takePlannedFailure(of: member.node) { failure = PlannedFailure(node: member.node) }
      if let failure {
        ledger.withLock { $0.events.append(.failed(member, definition: definition)) }
        throw failure
      }
    }
    let handles = recipe.handles.map { handle -> Product.Handle in
      guard let provider = self.member(handle.target).plain else { fatalError("a handle of another kind") }
      return handle.isLazy ? .lazy(pod.lazy(provider)) : .factory(pod.factory(provider))
    }
    let held = world.flavour.holdsParts ? parts.compactMap(\.self) : []
    let product = register { Product($0, parts: held, handles: handles, in: self) }
    ledger.withLock {
      $0.events.append(
        .built(serial: product.serial, member, definition: definition, parts: parts.map { $0?.serial ?? 0 }))
    }
    return product
  }

  private func takePlannedFailure(of node: Int) -> Bool {
    ledger.withLock { ledger in
      guard let count = ledger.plannedFailures[node], count > 0 else { return false }
      ledger.plannedFailures[node] = count - 1
      return true
    }
  }
}

// MARK: - Overrides

extension Workshop {
  /// Overrides; on the main actor, where the builders of the model run.
  func apply(_ change: Change, to pod: Pod) {
    let number = ledger.withLock {
      $0.lastChange += 1
      return $0.lastChange
    }
    switch change {
    case .builder(let member, let recipe, let scope):
      let builder = builder(member.node, recipe, definition: number, argument: member.argument)
      pod.overrideProvider(self.member(member), scope: scope?.scope, builder)
    case .value(let member):
      MainActor.assumeIsolated { pod.overrideProvider(self.member(member), withValue: makeValue()) }
    case .family(let node, let recipe):
      pod.overrideFamily(self.node(node), builder(node, recipe, definition: number))
    }
  }
}

// MARK: - Hooks and gates

extension Workshop {
  /// `isStarted`: whether the hook may be run by a task of its own.
  func dispose(_ product: Product, isStarted: Bool) {
    ledger.withLock {
      if isStarted || !Thread.isMainThread { $0.hasLateHooks = true }
      $0.events.append(.disposed(serial: product.serial))
      $0.hooks += [product.serial, -product.serial]
    }
  }

  func disposeAsync(_ product: Product) async {
    ledger.withLock {
      $0.hasLateHooks = true
      $0.events.append(.disposed(serial: product.serial))
      $0.hooks.append(product.serial)
      $0.running += 1
    }
    await Task.yield()
    ledger.withLock {
      $0.hooks.append(-product.serial)
      $0.running -= 1
    }
  }

  /// Waits at the gate of an async builder.
  @MainActor
  private func pass(_ path: String) async throws {
    let gate = Turnstile()
    let isOpen = ledger.withLock { ledger in
      if !ledger.areGatesOpen {
        ledger.gates[path] = gate
        ledger.moving -= 1
      }
      return ledger.areGatesOpen
    }
    if isOpen { return try Task.checkCancellation() }
    defer {
      // One that was cancelled leaves a gate that nobody opened.
      ledger.withLock { ledger in
        guard ledger.gates[path] === gate else { return }
        ledger.gates[path] = nil
        ledger.moving += 1
      }
    }
    try await gate.pass()
  }

  func open(_ path: String) {
    ledger.withLock { ledger in
      ledger.moving += 1
      return ledger.gates.removeValue(forKey: path)
    }?.open()
  }

  /// Opens all gates for good.
  func openAll() {
    let gates = ledger.withLock { ledger in
      ledger.areGatesOpen = true
      defer { ledger.gates = [:] }
      return Array(ledger.gates.values)
    }
    for gate in gates { gate.open() }
  }
}
