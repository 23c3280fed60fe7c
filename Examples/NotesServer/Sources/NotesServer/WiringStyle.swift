import ArgumentParser

/// How the parts of the server come together.
enum WiringStyle: String, CaseIterable, ExpressibleByArgument {
  /// With a pod, and a child of it for each request.
  case peapod
  /// Without Peapod.
  case byHand = "by-hand"
}
