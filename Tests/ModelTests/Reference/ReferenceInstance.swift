/// An instance, as the rules see it.
struct ReferenceInstance {
  struct Handle {
    var target: Member
    var isLazy: Bool
    /// What it gave when it was first used, by which it is known on what the instance depends.
    var value: Int?
  }

  var serial: Int
  var member: Member
  var definition: Int
  var scope: ScopeChoice
  /// The pod to which its scope belongs as seen from where it was built.
  var owner: Int
  /// The pod that it lives in.
  var home: Int
  var choices: Choices
  var parts: [Int]
  var handles: [Handle] = []
  var hasHook: Bool
  /// What attempts were built from whose errors its builder handled.
  var failedParts: [Int] = []
  /// Whether a pod ever kept it.
  var wasKept = false
}
