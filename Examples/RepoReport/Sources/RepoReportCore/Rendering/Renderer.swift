import Peapod
import PeapodSystem

/// Turns reports into text.
protocol Renderer: Sendable {
  func render(_ document: Document) -> String
}

/// A family has one member for each argument: only the renderer that is asked for is ever built.
let rendererProvider = Provider<any Renderer>.family { (pod, format: ReportFormat) in
  switch format {
  case .text: TextRenderer(timeZone: pod.resolve(.timeZone))
  case .markdown: MarkdownRenderer(timeZone: pod.resolve(.timeZone))
  case .json: JSONRenderer()
  }
}
