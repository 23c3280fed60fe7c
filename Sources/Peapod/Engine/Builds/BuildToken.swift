/// Stands for a build in the pods that were made while it ran.
///
/// It retains nothing but the tokens of the builds that needed that build, so an inner pod retains no instance.
final class BuildToken: Sendable {
  private let parent: BuildToken?

  init(parent: BuildToken?) { self.parent = parent }

  /// Whether this stands for the same build, or for one that the other build needed.
  func isWithin(_ other: BuildToken) -> Bool {
    var token: BuildToken? = self
    while let current = token {
      if current === other { return true }
      token = current.parent
    }
    return false
  }
}
