/// A handle that a builder makes of a plain provider and stores in what it builds.
struct Handle: Sendable {
  var target: Member
  /// Whether it is a lazy, which keeps what it gave, or a factory.
  var isLazy: Bool
}
