/// A provider, or the member of a family that an argument names; a provider's argument is 0.
struct Member: Hashable, Sendable, CustomStringConvertible {
  var node: Int
  var argument: Int

  var description: String { "\(node)(\(argument))" }
}
