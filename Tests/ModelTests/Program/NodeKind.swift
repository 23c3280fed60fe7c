/// The four kinds of provider.
enum NodeKind: String, CaseIterable, Sendable {
  case plain = "Provider"
  case throwing = "ThrowingProvider"
  case async = "AsyncProvider"
  case mainActor = "MainActorProvider"

  var canFail: Bool { self == .throwing || self == .async }
}
