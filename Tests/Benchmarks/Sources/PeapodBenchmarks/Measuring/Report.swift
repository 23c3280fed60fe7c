import Foundation

/// Prints rows as they are measured.
struct Report {
  /// Whether the rows are printed as a Markdown table.
  let isMarkdown: Bool
  private var section: String?

  init(isMarkdown: Bool) {
    self.isMarkdown = isMarkdown
  }

  /// Prints one row.
  mutating func add(_ row: Row, _ measurement: Measurement, attempts: Int) {
    if row.section != section {
      section = row.section
      startSection(row.section)
    }
    let figure = measurement.figure.text
    let baseline = measurement.baseline.map { "\(row.baseline): \($0.text)" } ?? row.baseline
    let ratio = measurement.ratio.map { "\(number($0)) ×" } ?? ""
    let limit = row.limit?.text ?? ""
    if isMarkdown {
      print("| \(row.name) | \(figure) | \(baseline) | \(ratio) | \(limit) |")
    } else {
      let verdict = row.limit.map { measurement.isWithin($0) ? "ok" : "OVER" } ?? ""
      let cells = [
        verdict.padded(to: 4), row.name.padded(to: 60), figure.paddedLeft(to: 14), ratio.paddedLeft(to: 9),
        limit.paddedLeft(to: 8), baseline,
      ]
      print(cells.joined(separator: "  ") + (attempts > 1 ? "  (attempt \(attempts))" : ""))
    }
    fflush(nil)
  }

  private func startSection(_ section: String) {
    if isMarkdown {
      print("\n**\(section)**\n\n| operation | figure | manual | ratio | limit |\n| --- | --: | :-- | --: | --: |")
    } else {
      print("\n\(section)")
    }
  }
}

// MARK: - Texts

extension Row.Limit {
  /// The limit as a reader expects it.
  var text: String {
    switch self {
    case .ratio(let most): "≤ \(number(most)) ×"
    case .gain(let least): "≥ \(number(least)) ×"
    case .figure(let most): "≤ \(number(most))"
    case .time(let most): "≤ \(Measurement.Figure.nanoseconds(most.nanoseconds).text)"
    }
  }
}

extension Measurement.Figure {
  /// The amount with a unit that suits its size.
  var text: String {
    switch self {
    case .nanoseconds(let value) where value >= 1_000_000: "\(number(value / 1_000_000)) ms"
    case .nanoseconds(let value) where value >= 1_000: "\(number(value / 1_000)) µs"
    case .nanoseconds(let value): "\(number(value)) ns"
    case .bytes(let value): "\(number(value)) bytes"
    case .allocations(let value): "\(number(value))"
    }
  }
}

/// Writes a number with as many digits as are worth reading.
private func number(_ value: Double) -> String {
  if value == value.rounded() { return String(Int(value)) }
  let digits = abs(value) < 0.1 ? 4 : abs(value) < 10 ? 2 : abs(value) < 100 ? 1 : 0
  return String(format: "%.\(digits)f", value)
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  fileprivate func paddedLeft(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
