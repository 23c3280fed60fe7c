import Peapod
import PeapodSystem

/// Turns reports into text.
protocol Renderer: Sendable {
  func render(_ document: Document) -> String
}

/// A family has one member for each argument, so only the renderer that is resolved is built.
let rendererProvider = Provider<any Renderer>.family { (pod, format: ReportFormat) in
  switch format {
  case .text: TextRenderer(timeZone: pod.resolve(.timeZone))
  case .markdown: MarkdownRenderer(timeZone: pod.resolve(.timeZone))
  case .json: JSONRenderer()
  }
}
