#if os(macOS) || os(Linux)
  /// One way in which a package that uses Peapod may be compiled.
  enum LanguageMode: String, CaseIterable, Sendable {
    case swift5 = "5"
    case swift6 = "6"
    case swift5MainActor = "5-main-actor"
    case swift6MainActor = "6-main-actor"
    /// Swift 5 mode with every check of Swift 6 on, as warnings.
    case swift5Complete = "5-complete"
    /// What new app projects begin with: main-actor default isolation and "approachable concurrency".
    case swift6Approachable = "6-approachable"
    /// Swift 6 mode with the language features that later modes will turn on.
    case swift6Upcoming = "6-upcoming"

    var arguments: [String] {
      switch self {
      case .swift5: ["-swift-version", "5"]
      case .swift6: ["-swift-version", "6"]
      case .swift5MainActor: ["-swift-version", "5", "-default-isolation", "MainActor"]
      case .swift6MainActor: ["-swift-version", "6", "-default-isolation", "MainActor"]
      case .swift5Complete: ["-swift-version", "5", "-strict-concurrency=complete"]
      case .swift6Approachable:
        ["-swift-version", "6", "-default-isolation", "MainActor"]
          + Self.enabling("NonisolatedNonsendingByDefault", "InferIsolatedConformances")
      case .swift6Upcoming:
        ["-swift-version", "6"]
          + Self.enabling(
            "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ExistentialAny",
            "MemberImportVisibility", "InternalImportsByDefault")
      }
    }

    private static func enabling(_ features: String...) -> [String] {
      features.flatMap { ["-enable-upcoming-feature", $0] }
    }
  }
#endif
