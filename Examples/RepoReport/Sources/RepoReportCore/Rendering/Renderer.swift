import Peapod

/// Turns reports into text.
protocol Renderer: Sendable {
  func render(_ document: Document) -> String
}

/// A family has one member for each argument: only the renderer that is asked for is ever built.
let rendererProvider = Provider<any Renderer>.family { (pod, format: ReportFormat) in
  switch format {
  case .text: TextRenderer(clock: pod.resolve(clockProvider))
  case .markdown: MarkdownRenderer(clock: pod.resolve(clockProvider))
  case .json: JSONRenderer()
  }
}
