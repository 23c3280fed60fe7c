import Peapod
import Testing

extension Pod {
  /// Requires that a test case overrides these providers.
  ///
  /// An issue is recorded at the call, or in a trait at its declaration, if one of the providers has no override, or if its own
  /// builder runs before it has an override. The trait ``Testing/Trait/strict`` is not needed. An override of a family counts for
  /// its members.
  ///
  /// The requirement belongs to the innermost trait of this pod. A child pod without a trait stands for its nearest ancestor with
  /// a trait.
  ///
  /// ```swift
  /// @Suite(.pod { $0.requireOverride(apiProvider, databaseProvider) })
  /// struct CheckoutTests {}
  /// ```
  ///
  /// - Parameters:
  ///   - providers: The providers whose live instances the test must not build.
  ///   - sourceLocation: The place for the issue.
  public func requireOverride(
    _ providers: any ProviderProtocol..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let watch = watchesOrIssue(for: "requireOverride", at: sourceLocation).last else { return }
    for provider in providers {
      watch.require(
        OverrideRequirement(id: provider.id, description: "\(provider)", sourceLocation: sourceLocation))
    }
  }

  /// Requires that a test case overrides this family.
  ///
  /// An issue is recorded at the call, or in a trait at its declaration, if the family has no override, or if its own builder runs
  /// for a member that has no override.
  ///
  /// - Parameters:
  ///   - family: The family whose live instances the test must not build.
  ///   - sourceLocation: The place for the issue.
  public func requireOverride<Member, each Argument>(
    _ family: ProviderFamily<Member, repeat each Argument>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let watch = watchesOrIssue(for: "requireOverride", at: sourceLocation).last else { return }
    watch.require(
      OverrideRequirement(
        id: family.info.id, description: family.info.labelAndPlace, sourceLocation: sourceLocation))
  }

  /// Allows a strict test case to leave the overrides of these providers unresolved.
  ///
  /// Use this function for overrides of a suite that not every test needs.
  ///
  /// - Parameters:
  ///   - providers: The providers whose overrides may stay unresolved.
  ///   - sourceLocation: The place for an issue if the test has no trait of this pod.
  public func allowUnresolvedOverride(
    _ providers: any ProviderProtocol..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for watch in watchesOrIssue(for: "allowUnresolvedOverride", at: sourceLocation) {
      for provider in providers { watch.allowUnresolved(provider.id) }
    }
  }

  /// Allows a strict test case to leave the overrides of this family and of its members unresolved.
  ///
  /// - Parameters:
  ///   - family: The family whose override may stay unresolved.
  ///   - sourceLocation: The place for an issue if the test has no trait of this pod.
  public func allowUnresolvedOverride<Member, each Argument>(
    _ family: ProviderFamily<Member, repeat each Argument>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for watch in watchesOrIssue(for: "allowUnresolvedOverride", at: sourceLocation) {
      watch.allowUnresolved(family.info.id)
    }
  }

  /// Allows the instances of these providers to outlive the pod of a strict test case.
  ///
  /// Use this function for a provider of an object that the whole process shares, such as a logger.
  ///
  /// - Parameters:
  ///   - providers: The providers whose instances may outlive the pod.
  ///   - sourceLocation: The place for an issue if the test has no trait of this pod.
  public func allowOutliving(
    _ providers: any ProviderProtocol..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for watch in watchesOrIssue(for: "allowOutliving", at: sourceLocation) {
      for provider in providers { watch.allowOutliving(provider.id) }
    }
  }

  /// Allows the instances of this family's members to outlive the pod of a strict test case.
  ///
  /// - Parameters:
  ///   - family: The family whose instances may outlive the pod.
  ///   - sourceLocation: The place for an issue if the test has no trait of this pod.
  public func allowOutliving<Member, each Argument>(
    _ family: ProviderFamily<Member, repeat each Argument>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for watch in watchesOrIssue(for: "allowOutliving", at: sourceLocation) { watch.allowOutliving(family.info.id) }
  }
}

extension Pod {
  /// Returns the watches of this pod's test traits, or records an issue if there is none.
  private func watchesOrIssue(for function: String, at sourceLocation: SourceLocation) -> [PodWatch] {
    let watches = PodWatch.watches(of: self)
    if watches.isEmpty {
      Issue.record(Comment(rawValue: IssueText.outsideTrait(function)), sourceLocation: sourceLocation)
    }
    return watches
  }
}
