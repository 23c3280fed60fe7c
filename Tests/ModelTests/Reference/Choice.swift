/// A question whose answer an instance was built on: which definition counts for a member, and whose its scope is.
struct Choice: Hashable {
  struct Answer: Hashable {
    var definition: Int
    var owner: Int
  }

  /// The pod that was asked; `nil` for the one that the instance was built for.
  var pod: Int?
  /// The inner pods through which it was asked, the nearest first; what they change themselves is constant.
  var inner: [Int] = []
  var member: Member
  /// The override whose builder asked for what it overrides; 0 for none.
  var beneath: Int
}

typealias Choices = [Choice: Choice.Answer]
