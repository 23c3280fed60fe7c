/// Makes bytes that nobody can guess, unless a test puts those in their place that it knows.
public struct RandomSource: Sendable {
  private let fill: @Sendable (Int) -> [UInt8]

  /// Makes a source that gets its bytes from a function.
  ///
  /// - Parameter fill: Returns as many bytes as it is asked for.
  public init(_ fill: @escaping @Sendable (Int) -> [UInt8]) {
    self.fill = fill
  }

  /// The source of the operating system, which is fit for secrets.
  public static let system = RandomSource { count in
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() }
  }

  /// Returns new bytes.
  func bytes(_ count: Int) -> [UInt8] { fill(count) }

  /// Returns a new name for something, too long to be guessed or to occur twice.
  func identifier(bytes count: Int = 16) -> String { Base64URL.encode(fill(count)) }
}
