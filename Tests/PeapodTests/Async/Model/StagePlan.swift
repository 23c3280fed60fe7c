import Peapod

/// The scopes of the model's providers.
enum StageScope: Int, CaseIterable, Sendable {
  case single, outer, inner, fresh

  struct Outer: ProviderScope {
    var children: [any ProviderScope] { [Inner()] }
  }
  struct Inner: ProviderScope {}

  /// Whether clearing a scope ends this one.
  func isEnded(by cleared: StageScope) -> Bool {
    switch cleared {
    case .outer: self == .outer || self == .inner
    case .inner: self == .inner
    case .single, .fresh: false
    }
  }
}

/// A random set of declarations: synchronous ones, and async ones that depend on some of those and on one async one.
struct StagePlan: Sendable, CustomStringConvertible {
  struct Item: Sendable {
    let scope: StageScope
    /// Indices of synchronous items, asked first.
    var parts: [Int] = []
    /// The index of the async item that is asked last.
    var below: Int?
  }

  let items: [Item]
  let plainCount: Int

  init(using dice: inout Dice) {
    plainCount = 1 + dice.below(3)
    let asyncCount = 2 + dice.below(5)
    var items: [Item] = []
    for index in 0..<(plainCount + asyncCount) {
      let scope = StageScope.allCases[dice.below(index < plainCount ? 3 : 4)]
      guard index >= plainCount else {
        items.append(Item(scope: scope))
        continue
      }
      let parts = (0..<plainCount).filter { _ in dice.chance(40) }
      let below = index > plainCount && dice.chance(75) ? plainCount + dice.below(index - plainCount) : nil
      items.append(Item(scope: scope, parts: parts, below: below))
    }
    self.items = items
  }

  func isAsync(_ index: Int) -> Bool { index >= plainCount }

  var asyncIndices: Range<Int> { plainCount..<items.count }

  var description: String {
    items.enumerated().map { index, item in
      "\(isAsync(index) ? "async" : "plain") \(index) [\(item.scope)] from \(item.parts + (item.below.map { [$0] } ?? []))"
    }.joined(separator: "\n")
  }
}

/// What an override does.
enum StageOverride: Sendable {
  /// Builds without dependencies.
  case builder
  /// Wraps what the provider would have been.
  case decorator
  /// Is a value.
  case value
}
