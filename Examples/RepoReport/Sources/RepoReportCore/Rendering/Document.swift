/// All that is written at the end of a run.
struct Document: Codable, Sendable {
  var reports: [Report]
  /// How the program that wrote the reports is put together, if somebody asked.
  var graph: GraphDrawing?
}
