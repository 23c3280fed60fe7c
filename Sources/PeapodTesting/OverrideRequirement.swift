import Peapod
import Testing

/// That a provider or a family must be overridden in a test case, as `requireOverride` says.
struct OverrideRequirement: Sendable {
  let id: ProviderID
  let description: String
  let sourceLocation: SourceLocation
  let isOverridden: @Sendable (Pod) -> Bool
}
