/// The mistakes that a strict test refuses, each of which can make a test with overrides prove nothing.
///
/// Ask for them with ``Testing/Trait/strict`` or ``Testing/Trait/strict(about:)``. A required override needs no member
/// here: `requireOverride` on the pod is itself the request.
public struct Strictness: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// An override that nothing resolved, so that the test ran without the stand-in that it prepared.
  public static let unresolvedOverrides = Strictness(rawValue: 1 << 0)

  /// An instance that is kept longer than one it was built from.
  public static let captiveDependencies = Strictness(rawValue: 1 << 1)

  /// An instance that is still alive after the pod of its test is gone.
  public static let leakedInstances = Strictness(rawValue: 1 << 2)

  /// Every one of them.
  public static let all: Strictness = [.unresolvedOverrides, .captiveDependencies, .leakedInstances]
}
