import IndexStore

/// A use of one provider by another.
struct StaticEdge {
  /// The way in which a provider uses another.
  enum Use {
    /// Builds the dependency, or takes the cached instance.
    case direct
    /// Takes the cached instance, and builds nothing.
    case peek
    /// Builds the dependency and disposes it when the body is over.
    case borrow
    /// Makes a `Lazy`, a factory or a `PerUse`.
    case deferred
    /// Overrides, clears or refreshes the provider: no dependency.
    case change
    /// Passes the provider to a function or stores it, so that the use is unknown.
    case passed
  }

  /// The certainty with which code runs while the instance is built, from the most certain to the least.
  enum Certainty: Int, Comparable {
    /// The code runs in every build.
    case certain
    /// The code runs in the build, unless a branch leaves it out.
    case branch
    /// The code may run after the build, or use another pod or provider.
    case uncertain

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// A place on the path from the builder to the dependency.
  struct Step {
    let text, file: String
    let position: Position
  }

  let target: StaticProvider
  let use: Use
  let certainty: Certainty
  /// The calls between the builder and the use, and the use itself.
  let steps: [Step]
}
