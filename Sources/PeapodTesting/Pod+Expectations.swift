import Peapod
import Testing

extension Pod {
  /// Says that a test case may not go without overrides of these providers.
  ///
  /// An issue is recorded at the call if one of them is built by its own builder before anything overrides it, or has no
  /// override at all. It needs no ``Testing/Trait/strict``. An override of its whole family counts for a member.
  ///
  /// ```swift
  /// @Suite(.pod { $0.requireOverride(apiProvider, databaseProvider) })
  /// struct CheckoutTests {}
  /// ```
  ///
  /// - Parameters:
  ///   - providers: The providers whose real instances no test may touch.
  ///   - sourceLocation: Where to record the issue.
  public func requireOverride(
    _ providers: any ProviderProtocol..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let watch = PodWatch.orIssue("requireOverride", at: sourceLocation) else { return }
    for provider in providers {
      watch.require(
        OverrideRequirement(id: provider.id, description: "\(provider)", sourceLocation: sourceLocation) {
          $0.isOverridden(provider)
        })
    }
  }

  /// Says that a test case may not go without an override of this whole family.
  ///
  /// - Parameters:
  ///   - family: The family whose real instances no test may touch.
  ///   - sourceLocation: Where to record the issue.
  public func requireOverride<Member, each Argument>(
    _ family: ProviderFamily<Member, repeat each Argument>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let watch = PodWatch.orIssue("requireOverride", at: sourceLocation) else { return }
    watch.require(
      OverrideRequirement(
        id: family.info.id, description: family.info.labelAndPlace, sourceLocation: sourceLocation
      ) {
        $0.isOverridden(family)
      })
  }

  /// Says that a strict test case may leave the overrides of these providers unresolved.
  ///
  /// For a suite's overrides, of which not every test needs each one.
  ///
  /// - Parameters:
  ///   - providers: The providers.
  ///   - sourceLocation: Where to record an issue if no test trait is at work.
  public func allowUnresolvedOverride(
    _ providers: any ProviderProtocol..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let watch = PodWatch.orIssue("allowUnresolvedOverride", at: sourceLocation) else { return }
    for provider in providers { watch.allowUnresolved(provider.id) }
  }

  /// Says that a strict test case may leave the override of this whole family unresolved.
  ///
  /// - Parameters:
  ///   - family: The family.
  ///   - sourceLocation: Where to record an issue if no test trait is at work.
  public func allowUnresolvedOverride<Member, each Argument>(
    _ family: ProviderFamily<Member, repeat each Argument>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    PodWatch.orIssue("allowUnresolvedOverride", at: sourceLocation)?.allowUnresolved(family.info.id)
  }

  /// Says that the instances of these providers are meant to outlive the pod of a strict test case.
  ///
  /// For a provider that hands out an object of someone else's: a process-wide session, a logger.
  ///
  /// - Parameters:
  ///   - providers: The providers.
  ///   - sourceLocation: Where to record an issue if no test trait is at work.
  public func allowOutliving(
    _ providers: any ProviderProtocol..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let watch = PodWatch.orIssue("allowOutliving", at: sourceLocation) else { return }
    for provider in providers { watch.allowOutliving(provider.id) }
  }
}

extension PodWatch {
  /// The watch of the test trait at work; records an issue when there is none, as silence would pass for a check.
  fileprivate static func orIssue(_ function: String, at sourceLocation: SourceLocation) -> PodWatch? {
    if let current { return current }
    Issue.record(Comment(rawValue: IssueText.outsideTrait(function)), sourceLocation: sourceLocation)
    return nil
  }
}
