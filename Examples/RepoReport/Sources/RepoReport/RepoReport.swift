import ArgumentParser
import Foundation
import Peapod
import RepoReportCore

/// The command line: says what to report on, and leaves the rest to a `ReportSession`.
@main
struct RepoReport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repo-report",
    abstract: "Reports who changed what, when, and together with what, in git repositories.")

  @Argument(help: "The repositories to report on.")
  var paths = ["."]

  @Option(help: "Leave out what is older: 2026-01-31, 2026-01-31T12:00:00Z, yesterday or \"2 weeks ago\".")
  var since: String?

  @Option(help: "How to write the report.")
  var format = ReportFormat.text

  @Option(help: "Add the graph of this program's own objects to the report.")
  var graph: GraphStyle?

  func run() async throws {
    let pod = Pod.shared
    let since = try since.map { try pod.resolve(dateParserProvider).date(from: $0) }
    pod.overrideProvider(settingsProvider, withValue: Settings(since: since, format: format, graph: graph))

    let succeeded = await ReportSession(in: pod).run(paths)
    await pod.shutdown()
    if !succeeded { throw ExitCode.failure }
  }

  /// Runs the command, and says what is wrong with a command line in one line, without the usage text.
  static func main() async {
    do {
      try await parse().run()
    } catch let error where error is ExitCode || exitCode(for: error).isSuccess {
      exit(withError: error)
    } catch {
      FileHandle.standardError.write(Data("repo-report: \(message(for: error))\n".utf8))
      Foundation.exit(exitCode(for: error).rawValue)
    }
  }
}

extension ReportFormat: ExpressibleByArgument {}
extension GraphStyle: ExpressibleByArgument {}
