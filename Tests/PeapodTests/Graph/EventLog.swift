import Peapod

/// An observer that writes events down as short lines and then calls a reaction.
final class EventLog: PodObserver {
  private let log = Log<(pod: String, line: String)>()
  private let reaction: @Sendable (Pod, PodEvent) -> Void

  init(reaction: @escaping @Sendable (Pod, PodEvent) -> Void = { _, _ in }) { self.reaction = reaction }

  var lines: [String] { log.entries.map(\.line) }

  /// The lines with the names of the pods in which they happened.
  var placedLines: [String] { log.entries.map { "\($0.pod): \($0.line)" } }

  func drain() -> [String] { log.drain().map(\.line) }

  func pod(_ pod: Pod, did event: PodEvent) {
    log.append((pod.name, EventLog.line(of: event)))
    reaction(pod, event)
  }

  private static func line(of event: PodEvent) -> String {
    switch event {
    case .build(let info, duration: let duration, let dependencies):
      "build \(info.name)(\(dependencies.map(\.name).joined(separator: ",")))\(duration < .zero ? " before it began" : "")"
    case .fail(let info, let error): "fail \(info.name): \(error)"
    case .dispose(let info): "dispose \(info.name)"
    case .override(let info): "override \(info.name)"
    case .removeOverride(let info): "remove override \(info.name)"
    case .clear(let scope, let count): "clear \(scope) \(count)"
    case .captiveDependency(let dependent, let dependency): "captive \(dependent.name) > \(dependency.name)"
    }
  }
}
