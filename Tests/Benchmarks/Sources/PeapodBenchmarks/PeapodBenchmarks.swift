import Foundation

/// Measures Peapod beside code that a user could write by hand.
@main
struct PeapodBenchmarks {
  /// How often a row over its limit is measured again: other work on the machine can spoil one measurement.
  static let retries = 3

  static func main() async {
    let options: Options
    do {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      fail("\(error.message)\n\(Options.usage)")
    }
    #if DEBUG
      fail("figures of a debug build mean nothing: add -c release")
    #else
      await run(options)
    #endif
  }

  private static func run(_ options: Options) async {
    let rows = Row.all.filter { row in
      options.filter.isEmpty || "\(row.section) \(row.name)".lowercased().contains(options.filter.lowercased())
    }
    guard !rows.isEmpty else { fail("no row contains \(options.filter)") }
    if let iterations = options.iterations {
      for row in rows { await row.run?(iterations) }
      return
    }
    let overLimit = await measure(rows, options)
    guard options.checks else { return }
    if overLimit.isEmpty {
      print("\nevery limit is kept")
    } else {
      print("\nover the limit: \(overLimit.map { "\($0.section): \($0.name)" }.joined(separator: "; "))")
      exit(1)
    }
  }

  /// Measures and prints rows, and returns those that are over their limit.
  private static func measure(_ rows: [Row], _ options: Options) async -> [Row] {
    let effort: Effort = options.isQuick ? .quick : .full
    var report = Report(isMarkdown: options.printsMarkdown)
    var overLimit: [Row] = []
    for row in rows {
      var measurement = await row.measure(effort)
      var attempts = 1
      if let limit = row.limit {
        while options.checks, !measurement.isWithin(limit), attempts <= retries {
          measurement = await row.measure(effort)
          attempts += 1
        }
        if !measurement.isWithin(limit) { overLimit.append(row) }
      }
      report.add(row, measurement, attempts: attempts)
    }
    return overLimit
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
