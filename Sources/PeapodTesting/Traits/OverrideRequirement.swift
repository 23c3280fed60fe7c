import Peapod
import Testing

/// A provider or a family that must be overridden in a test case.
struct OverrideRequirement: Sendable {
  let id: ProviderID
  let description: String
  let sourceLocation: SourceLocation
}
