/// One thing that a declaration's code does.
enum Fact {
  /// The code uses a provider.
  case use(StaticProvider, StaticEdge.Use, StaticEdge.Certainty, StaticEdge.Step)
  /// The code calls a function, or initializes a property, that has facts of its own.
  case call(String, StaticEdge.Certainty, StaticEdge.Step)
}
