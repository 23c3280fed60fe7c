/// The kinds of mistakes that a strict test reports.
///
/// Choose them with ``Testing/Trait/strict`` or ``Testing/Trait/strict(about:)``. A missing override is not among these kinds.
/// To require an override, use `requireOverride`.
public struct Strictness: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// An override that the test did not resolve.
  public static let unresolvedOverrides = Strictness(rawValue: 1 << 0)

  /// An instance that stays cached longer than one of its dependencies.
  public static let captiveDependencies = Strictness(rawValue: 1 << 1)

  /// An instance that is still alive after the pod of its test was released.
  ///
  /// Only class instances that the test's pod caches or has as weak instances are examined. Those of `.alwaysCreateNew`, of child
  /// pods, and objects inside a structure are not.
  public static let leakedInstances = Strictness(rawValue: 1 << 2)

  /// All kinds.
  public static let all: Strictness = [.unresolvedOverrides, .captiveDependencies, .leakedInstances]
}
