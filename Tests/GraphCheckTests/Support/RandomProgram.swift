/// Generates programs of plain providers, which print what their pods report.
struct RandomProgram {
  private var random: SplitMix64
  private var declarations: [String] = []
  private var statements: [String] = []

  /// Makes programs of groups whose providers lead to each other at random.
  init(seed: UInt64, groups: Int) {
    random = SplitMix64(seed: seed)
    for group in 0..<groups { group.isMultiple(of: 3) ? addCyclicGroup(group) : addGroup(group) }
  }

  /// The files of the program.
  var files: [String: String] {
    let half = declarations.count / 2
    return [
      "First.swift": Self.header + declarations[..<half].joined(separator: "\n"),
      "Second.swift": "import Peapod\n\n" + declarations[half...].joined(separator: "\n"),
      "main.swift": "import Peapod\n\n" + statements.joined(separator: "\n") + "\n",
    ]
  }

  private static let header = """
    import Peapod

    final class Thing: Sendable {
      let parts: [Thing]
      init(_ parts: [Thing]) { self.parts = parts }
    }
    struct OuterScope: ProviderScope { var children: [any ProviderScope] { [InnerScope(), AppScope.window] } }
    struct InnerScope: ProviderScope {}
    struct OtherScope: ProviderScope { var children: [any ProviderScope] { [OuterScope()] } }
    enum AppScope: ProviderScope { case document, window }

    func printCaptives(_ pod: Pod) {
      for pair in pod.graph.captiveDependencies { print("\\(pair.dependent.name) keeps \\(pair.dependency.name)") }
    }

    """

  private static let scopes = [
    "", "", ".alwaysCreateNew", ".weak", ".graph", "OuterScope()", "InnerScope()", "OtherScope()", "AppScope.document",
    "AppScope.window",
  ]

  /// Providers that depend on earlier ones only; each is resolved in a pod of its own.
  private mutating func addGroup(_ group: Int) {
    let count = 3 + random.below(6)
    for number in 0..<count {
      let name = "group\(group)Thing\(number)"
      let scope = Self.scopes[random.below(Self.scopes.count)]
      let parts = (0..<number).filter { _ in random.chance(45) }
        .map { part("group\(group)Thing\($0)", in: "\(name)Part\($0)") }
      declarations.append(
        """
        let \(name) = Provider("\(name)"\(scope.isEmpty ? "" : ", scope: \(scope)")) { pod in
          var parts: [Thing] = []
        \(parts.map { "  \($0)" }.joined(separator: "\n"))
          return Thing(parts)
        }
        """)
      statements.append("do { let pod = Pod(); _ = pod.resolve(\(name)); printCaptives(pod) }")
    }
  }

  /// A statement that uses a provider in one of the ways that the source shows.
  private mutating func part(_ name: String, in function: String) -> String {
    switch random.below(7) {
    case 0: return "_ = pod.lazy(\(name))"
    case 1: return "_ = pod.factory(\(name))"
    case 2: return "if parts.count < 100 { parts.append(pod.resolve(\(name))) }"
    case 3: return "parts += [1].map { _ in pod.resolve(\(name)) }"
    case 4:
      declarations.append("func \(function)(_ pod: Pod) -> Thing { pod.resolve(\(name)) }")
      return "parts.append(\(function)(pod))"
    default: return "parts.append(pod.resolve(\(name)))"
    }
  }

  /// Throwing providers that may depend on any of the group; a cycle throws.
  private mutating func addCyclicGroup(_ group: Int) {
    let count = 2 + random.below(4)
    for number in 0..<count {
      let name = "group\(group)Node\(number)"
      let targets = (0..<count).filter { _ in random.chance(25) }
      declarations.append(
        """
        let \(name): ThrowingProvider<Int> = ThrowingProvider("\(name)") { pod in
          var sum = 0
        \(targets.map { "  sum += try pod.resolve(group\(group)Node\($0))" }.joined(separator: "\n"))
          return sum
        }
        """)
      statements.append(
        """
        do { _ = try Pod().resolve(\(name)) } catch let error as ProviderCycleError {
          for provider in error.path { print("cycle \\(provider.name)") }
        }
        """)
    }
  }
}

/// A small random number generator that gives the same numbers for the same seed everywhere.
private struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
