import Peapod

/// The result of the report on one repository.
struct Outcome: Sendable {
  /// The report, if there is one.
  var report: Report?
  /// The error message, or `nil` without an error.
  var complaint: String?

  /// Asks the pod of a repository for its report.
  init(of repository: Pod) async {
    do {
      let report = try await repository.resolve(reportProvider)
      self.report = report
      if report.isShallow {
        complaint = "this is a shallow clone, its report covers a part of the history; run git fetch --unshallow"
      }
    } catch {
      complaint = String(describing: error)
    }
  }
}
