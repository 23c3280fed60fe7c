/// The naive reference: a list of everything that was ever built, and what each build and each caller waits for.
struct StageModel {
  /// Which of an item's builders: 0 for its own, else the number of an override.
  struct Definition: Hashable {
    var item: Int
    var number: Int
  }

  struct Instance {
    let definition: Definition
    let parts: [Int]
    let recipe: String
  }

  enum Waiter: Hashable {
    case caller(Int)
    case build(Int)
  }

  struct Build {
    let definition: Definition
    let fails: Bool
    var parts: [Int] = []
    var waiters: [Waiter] = []
    var waitsFor: Int?
    var isAtGate = false
    var isDetached = false
  }

  enum Answer: Equatable {
    case value(String)
    case boom(Int)
    case cancelled
  }

  private enum Reply {
    case ready(Int)
    case building(Int)
  }

  let plan: StagePlan
  private(set) var overrides: [Int: (number: Int, kind: StageOverride)] = [:]
  /// Everything that was ever built, by its number.
  private(set) var instances: [Int: Instance] = [:]
  private(set) var kept: Set<Int> = []
  private(set) var builds: [Int: Build] = [:]
  private(set) var answers: [Int: Answer] = [:]
  private(set) var disposed: Set<Int> = []
  private(set) var held: Set<Int> = []
  private(set) var failing: Set<Int> = []
  private(set) var serial = 0
  private var overrideCount = 0

  init(_ plan: StagePlan) { self.plan = plan }

  var gated: Int { builds.values.count { $0.isAtGate } }

  /// What the pod should answer for an item without building; nil where it would build.
  func cached(_ item: Int) -> String? {
    hit(definition(of: item, for: nil)).flatMap { instances[$0]?.recipe }
  }

  func isValueOverride(_ item: Int) -> Bool {
    if case .value? = overrides[item]?.kind { true } else { false }
  }

  /// Whether what an item would be without its override is on its way for a decorator.
  func isDecorating(_ item: Int) -> Bool {
    overrides[item] != nil
      && builds.values.contains {
        $0.definition == Definition(item: item, number: 0) && !$0.isDetached
      }
  }
}

// MARK: - What a driver does

extension StageModel {
  mutating func resolve(_ item: Int, caller: Int) {
    switch request(definition(of: item, for: nil), by: .caller(caller)) {
    case .ready(let instance): answers[caller] = .value(recipe(instance))
    case .building: break
    }
  }

  mutating func cancel(caller: Int) {
    guard answers[caller] == nil else { return }
    answers[caller] = .cancelled
    for (number, build) in builds where build.waiters.contains(.caller(caller)) { leave(number, .caller(caller)) }
  }

  mutating func hold(_ item: Int) { held.insert(item) }

  mutating func release(_ item: Int) {
    held.remove(item)
    for number in builds.keys.sorted() where builds[number]?.isAtGate == true && builds[number]?.definition.item == item
    {
      finish(number)
    }
  }

  mutating func failNext(_ item: Int) { failing.insert(item) }

  mutating func clear(_ scope: StageScope) {
    let plan = plan
    drop { plan.items[$0.definition.item].scope.isEnded(by: scope) }
    for (number, build) in builds where plan.items[build.definition.item].scope.isEnded(by: scope) {
      builds[number]?.isDetached = true
    }
  }

  mutating func override(_ item: Int, _ kind: StageOverride) -> Int {
    removeOverride(item)
    overrideCount += 1
    overrides[item] = (overrideCount, kind)
    detachBuilds(of: item)
    return overrideCount
  }

  mutating func removeOverride(_ item: Int) {
    guard let old = overrides.removeValue(forKey: item) else { return }
    let gone = Definition(item: item, number: old.number)
    let fromIt = kept.filter { isMade($0, by: gone) }
    for number in fromIt { dispose(number) }
    detachBuilds(of: item)
  }

  mutating func shutdown() { drop { _ in true } }
}

// MARK: - What follows from it

extension StageModel {
  /// The builder that an item has for someone who asks: an override that asks for its own item gets what it replaced.
  private func definition(of item: Int, for asker: Definition?) -> Definition {
    if let asker, asker.item == item { return Definition(item: item, number: 0) }
    return Definition(item: item, number: overrides[item]?.number ?? 0)
  }

  private func recipe(_ instance: Int) -> String { instances[instance]?.recipe ?? "?" }

  /// Whether an instance would be built of the same builders today.
  private func isRight(_ number: Int) -> Bool {
    guard let instance = instances[number] else { return false }
    return instance.parts.allSatisfy { part in
      guard let other = instances[part] else { return false }
      return other.definition == definition(of: other.definition.item, for: instance.definition) && isRight(part)
    }
  }

  /// Whether a builder made an instance or any part of it.
  private func isMade(_ number: Int, by definition: Definition) -> Bool {
    guard let instance = instances[number] else { return false }
    return instance.definition == definition || instance.parts.contains { isMade($0, by: definition) }
  }

  private func isRight(build number: Int) -> Bool {
    guard let build = builds[number] else { return true }
    let areParts = build.parts.allSatisfy { part in
      guard let other = instances[part] else { return false }
      return other.definition == definition(of: other.definition.item, for: build.definition) && isRight(part)
    }
    guard areParts, let lower = build.waitsFor, let other = builds[lower] else { return areParts }
    return other.definition == definition(of: other.definition.item, for: build.definition) && isRight(build: lower)
  }

  private mutating func detachBuilds(of item: Int) {
    for (number, build) in builds where build.definition.item == item || !isRight(build: number) {
      builds[number]?.isDetached = true
    }
  }

  private func hit(_ definition: Definition) -> Int? {
    let found = kept.filter { instances[$0]?.definition == definition && isRight($0) }
    precondition(found.count <= 1, "the model keeps two instances of one definition")
    return found.first
  }

  private mutating func request(_ definition: Definition, by waiter: Waiter) -> Reply {
    let item = plan.items[definition.item]
    if definition.number > 0, let override = overrides[definition.item], case .value = override.kind {
      return .ready(valueInstance(definition))
    }
    if item.scope != .fresh {
      if let number = hit(definition) { return .ready(number) }
      if let number = builds.first(where: { $0.value.definition == definition && !$0.value.isDetached })?.key {
        builds[number]?.waiters.append(waiter)
        return .building(number)
      }
    }
    return start(definition, for: waiter)
  }

  /// Values are instances too, below all serials, so that what is built from them is known to be.
  private mutating func valueInstance(_ definition: Definition) -> Int {
    let number = -definition.number
    instances[number] = Instance(
      definition: definition, parts: [], recipe: "\(definition.item)=\(definition.number)")
    return number
  }

  private mutating func start(_ definition: Definition, for waiter: Waiter) -> Reply {
    serial += 1
    let number = serial
    let item = plan.items[definition.item]
    if !plan.isAsync(definition.item) {
      instances[number] = Instance(definition: definition, parts: [], recipe: name(definition, number, []))
      kept.insert(number)
      return .ready(number)
    }
    builds[number] = Build(definition: definition, fails: failing.remove(definition.item) != nil, waiters: [waiter])
    var below: Int?
    if definition.number == 0 {
      for part in item.parts {
        guard case .ready(let instance) = request(self.definition(of: part, for: definition), by: .build(number)) else {
          continue
        }
        builds[number]?.parts.append(instance)
      }
      below = item.below
    } else if case .decorator? = overrides[definition.item]?.kind {
      below = definition.item
    }
    guard let below else { return arrive(number) }
    switch request(self.definition(of: below, for: definition), by: .build(number)) {
    case .ready(let instance):
      builds[number]?.parts.append(instance)
      return arrive(number)
    case .building(let lower):
      // Where nothing held it up, it is done already.
      if builds[lower] != nil { builds[number]?.waitsFor = lower }
      return .building(number)
    }
  }

  private mutating func arrive(_ number: Int) -> Reply {
    guard let build = builds[number] else { return .building(number) }
    if held.contains(build.definition.item) {
      builds[number]?.isAtGate = true
    } else {
      finish(number)
    }
    return .building(number)
  }

  private func name(_ definition: Definition, _ number: Int, _ parts: [Int]) -> String {
    let override = definition.number == 0 ? "" : "'\(definition.number)"
    return "\(definition.item)\(override)#\(number)(\(parts.map { recipe($0) }.joined(separator: ",")))"
  }

  private mutating func finish(_ number: Int) {
    guard let build = builds[number] else { return }
    if build.fails { return fail(number, .boom(number)) }
    builds[number] = nil
    let isFresh = plan.items[build.definition.item].scope == .fresh
    instances[number] = Instance(
      definition: build.definition, parts: build.parts, recipe: name(build.definition, number, build.parts))
    if !isFresh {
      if build.isDetached { disposed.insert(number) } else { kept.insert(number) }
    }
    for waiter in build.waiters {
      switch waiter {
      case .caller(let caller): answers[caller] = .value(recipe(number))
      case .build(let upper):
        builds[upper]?.waitsFor = nil
        builds[upper]?.parts.append(number)
        _ = arrive(upper)
      }
    }
  }

  private mutating func fail(_ number: Int, _ answer: Answer) {
    guard let build = builds.removeValue(forKey: number) else { return }
    for waiter in build.waiters {
      switch waiter {
      case .caller(let caller): answers[caller] = answer
      case .build(let upper): fail(upper, answer)
      }
    }
  }

  /// Takes a waiter from a build, which is cancelled when that was the last one.
  private mutating func leave(_ number: Int, _ waiter: Waiter) {
    builds[number]?.waiters.removeAll { $0 == waiter }
    guard let build = builds[number], build.waiters.isEmpty else { return }
    builds[number] = nil
    if let lower = build.waitsFor { leave(lower, .build(number)) }
  }

  private mutating func drop(_ isGone: (Instance) -> Bool) {
    for number in kept {
      if let instance = instances[number], isGone(instance) { dispose(number) }
    }
  }

  private mutating func dispose(_ number: Int) {
    if kept.remove(number) != nil { disposed.insert(number) }
  }
}
