/// Stands for a build in the pods that were made while it ran.
///
/// A token retains only the tokens of the dependent builds, so an inner pod retains no instance.
final class BuildToken: Sendable {
  private let parent: BuildToken?

  init(parent: BuildToken?) { self.parent = parent }

  /// Whether this token stands for the build of the other token, or for a build that the other build needed.
  func isWithin(_ other: BuildToken) -> Bool {
    sequence(first: self, next: \.parent).contains { $0 === other }
  }
}
