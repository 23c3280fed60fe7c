import Observation

/// A model of a view.
@MainActor
@Observable
final class Model {
  let title: String
  var query = ""

  init(_ title: String = "") {
    self.title = title
  }
}
