import Peapod

/// A program in one thread whose builders and hooks, as it does itself, override, clear and throw away whatever there is,
/// the pods for which they run above all.
///
/// What comes of a request under such circumstances cannot be foretold. But what is kept of it must be right: once all is
/// calm, each answer is as though everything had always been as it is now.
final class Upheaval: @unchecked Sendable {
  // Safe: used by one thread.

  typealias Definition = UpheavalPlace.Definition

  struct Node {
    let provider: Provider<UpheavalItem>
    /// Of which the provider is a member, if it is one.
    let family: ProviderFamily<Provider<UpheavalItem>, Int>?
    let definition: Definition
    let isKept: Bool
    let hasHook: Bool
  }

  let ledger = StormLedger()
  private(set) var nodes: [Node] = []
  var generator: SplitMix64
  /// The pods that are kept.
  var places: [UpheavalPlace] = []
  /// Pods that builders were given, and children of these.
  var stored: [Pod] = []
  /// Factories, with the node that they make.
  var factories: [(node: Int, make: @Sendable () -> UpheavalItem, isOfStored: Bool)] = []
  /// Providers that are declared by the program, with the first node that their builders do not ask for.
  var locals: [(limit: Int, provider: Provider<UpheavalItem>)] = []
  /// Whether builders and hooks do nothing but their work.
  var isCalm = false
  /// Whether builders are there to throw pods away.
  var isStranding = false
  /// The first node that must not be asked for: that of the innermost builder.
  var limit: Int
  /// How many builders are under way.
  var depth = 0
  private var lastNumber: Int
  /// What was done, for a report.
  private(set) var story: [String] = []

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
    let nodeCount = 1 + generator.below(5)
    limit = nodeCount
    lastNumber = nodeCount
    for index in 0..<nodeCount {
      let definition = Definition(number: index, parts: parts(below: index), isDecorator: false)
      let scope = Self.scopes.randomElement(using: &generator).unsafelyUnwrapped
      let build: @Sendable (Pod) -> UpheavalItem = { [unowned self] pod in
        self.build(index, definition, for: pod)
      }
      let family = generator.chance(30) ? declareFamily("node \(index)", scope, build) : nil
      nodes.append(
        Node(
          provider: family.map { $0(index) } ?? declare("node \(index)", scope, build), family: family,
          definition: definition, isKept: scope.keeps, hasHook: Self.hasHook(scope)))
      tell("node \(index), \(scope), of \(definition.parts)\(family == nil ? "" : ", a member")")
    }
  }

  private static let scopes: [ScopeChoice] = [.singleton, .singleton, .outer, .inner, .alwaysCreateNew, .graph, .weak]

  private static func hasHook(_ scope: ScopeChoice) -> Bool { scope.keeps || scope == .graph }

  func tell(_ text: @autoclosure () -> String) {
    story.append(String(repeating: "  ", count: depth) + text())
  }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: - Declaring and building

  /// Up to two of the nodes before one.
  func parts(below limit: Int) -> [Int] { Array((0..<limit).shuffled(using: &generator).prefix(2)) }

  func declare(
    _ name: String, _ scope: ScopeChoice, _ build: @escaping @Sendable (Pod) -> UpheavalItem
  ) -> Provider<UpheavalItem> {
    let (counted, hook) = counted(scope, build)
    func declare(_ kind: some ProviderScope) -> Provider<UpheavalItem> {
      Provider(name, scope: kind, counted, onDispose: hook)
    }
    return declare(scope.scope)
  }

  private func declareFamily(
    _ name: String, _ scope: ScopeChoice, _ build: @escaping @Sendable (Pod) -> UpheavalItem
  ) -> ProviderFamily<Provider<UpheavalItem>, Int> {
    let (counted, hook) = counted(scope, build)
    func declare(_ kind: some ProviderScope) -> ProviderFamily<Provider<UpheavalItem>, Int> {
      Provider<UpheavalItem>.family(name, scope: kind, { (pod: Pod, _: Int) in counted(pod) }, onDispose: hook)
    }
    return declare(scope.scope)
  }

  /// A builder that counts, and a hook, if instances of the scope have one.
  private func counted(
    _ scope: ScopeChoice, _ build: @escaping @Sendable (Pod) -> UpheavalItem
  ) -> (build: @Sendable (Pod) -> UpheavalItem, hook: (@Sendable (UpheavalItem) -> Void)?) {
    guard Self.hasHook(scope) else { return (build, nil) }
    let ledger = ledger
    let counted: @Sendable (Pod) -> UpheavalItem = { pod in
      ledger.hooked.wrappingAdd(1, ordering: .relaxed)
      return build(pod)
    }
    return (counted, { [unowned self] in end($0) })
  }

  /// What the builder of a node does.
  func build(_ node: Int, _ definition: Definition, for pod: Pod) -> UpheavalItem {
    let parts = definition.parts.shuffled(using: &generator)
    return make("node \(node) by \(definition.number)", below: node, of: parts, for: pod) {
      let own: [Int: Set<Int>] = [node: [definition.number]]
      return definition.isDecorator ? own.merging(get(node, from: pod).makers) { $0.union($1) } : own
    }
  }

  /// Makes an item from parts, and something else meanwhile.
  func make(
    _ name: String, below limit: Int, of parts: [Int], for pod: Pod, _ start: () -> [Int: Set<Int>]
  ) -> UpheavalItem {
    let (outerLimit, outerDepth) = (self.limit, depth)
    tell("build \(name)")
    (self.limit, depth) = (limit, depth + 1)
    defer { (self.limit, depth) = (outerLimit, outerDepth) }
    var others: [any Sendable] = []
    if let other = upset(pod) { others.append(other) }
    var makers = start()
    for part in parts {
      makers.merge(get(part, from: pod).makers) { $0.union($1) }
      if let other = upset(pod) { others.append(other) }
    }
    return UpheavalItem(name, makers: makers, others: others, in: ledger)
  }

  @discardableResult
  func get(_ node: Int, from pod: Pod) -> UpheavalItem {
    let start = ledger.tick()
    let item = pod.resolve(nodes[node].provider)
    item.check(since: start)
    return item
  }

  private func end(_ item: UpheavalItem) {
    item.dispose()
    tell("dispose \(item.name)")
    if !isCalm, generator.chance(5) { act(besides: nil) }
  }

  /// Does something in the middle of a build, perhaps; returns what the instance is to hold.
  private func upset(_ pod: Pod) -> (any Sendable)? {
    guard !isCalm, depth < 6 else { return nil }
    if isStranding, generator.chance(40) { drop() }
    guard generator.chance(30) else { return nil }
    switch generator.below(100) {
    case 0..<25:
      tell("store the pod")
      // Few, so that most of them are of pods that are still there.
      if stored.count == 4 { letOneGo(\.stored) }
      stored.append(pod)
      return pod
    case 25..<45: drop()
    case 45..<60: removeOverride()
    default: return act(besides: pod)
    }
    return nil
  }

  // MARK: - What must be so

  /// Asks each pod for something while nothing else happens, and compares.
  func checkAll() {
    isCalm = true
    defer { isCalm = false }
    tell("calm")
    for place in places {
      let node = generator.below(nodes.count)
      let item = get(node, from: place.pod)
      let expected = makers(of: node, in: place.acting)
      if item.makers != expected {
        ledger.problems.append("node \(node) in \(place.name): made by \(item.makers), expected \(expected)")
      }
      if nodes[node].isKept, get(node, from: place.pod) !== item {
        ledger.problems.append("node \(node) in \(place.name) is not kept")
      }
    }
  }

  /// By which definitions a node would be made if nothing was kept.
  private func makers(of node: Int, in place: UpheavalPlace) -> [Int: Set<Int>] {
    var makers: [Int: Set<Int>] = [:]
    for definition in place.definitions(of: node) + [nodes[node].definition] {
      makers[node, default: []].insert(definition.number)
      for part in definition.parts { makers.merge(self.makers(of: part, in: place)) { $0.union($1) } }
      if !definition.isDecorator { break }
    }
    return makers
  }

  /// Lets everything go.
  func end() {
    isCalm = true
    tell("the end")
    letGo(\.places) { _ in true }
    letGo(\.stored) { _ in true }
    letGo(\.factories) { _ in true }
    letGo(\.locals) { _ in true }
    letGo(\.nodes) { _ in true }
  }

  /// Lets some elements of a list go when it can be used again: hooks may do so.
  func letGo<Element>(
    _ list: ReferenceWritableKeyPath<Upheaval, [Element]>, where isMeant: (Element) -> Bool
  ) {
    let all = self[keyPath: list]
    self[keyPath: list] = all.filter { !isMeant($0) }
    withExtendedLifetime(all) {}
  }

  /// Lets one element of a list go, if there is any.
  func letOneGo<Element>(_ list: ReferenceWritableKeyPath<Upheaval, [Element]>) {
    guard !self[keyPath: list].isEmpty else { return }
    let one = self[keyPath: list].remove(at: generator.below(self[keyPath: list].count))
    withExtendedLifetime(one) {}
  }
}
