#if os(macOS) || os(Linux)
  /// What the compiler says of one line.
  struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    enum Severity: String, CaseIterable, Sendable {
      case error, warning, note
    }

    /// Where the compiler says it; the path is empty where it names no place.
    var line: SourceLine
    var severity: Severity
    var text: String

    var description: String { "\(line): \(severity): \(text)" }
  }

  /// A line of a program.
  struct SourceLine: Hashable, Sendable, CustomStringConvertible {
    var path: String
    var number: Int

    var description: String { "\(path.split(separator: "/").last ?? "no file"):\(number)" }
  }

  extension Diagnostic {
    /// Reads one line that the compiler printed with `-diagnostic-style llvm`.
    init?(printed: some StringProtocol) {
      for severity in Severity.allCases {
        let mark = "\(severity.rawValue): "
        if printed.hasPrefix(mark) {
          let nowhere = SourceLine(path: "", number: 0)
          self.init(line: nowhere, severity: severity, text: String(printed.dropFirst(mark.count)))
          return
        }
        guard let found = printed.firstRange(of: ": \(mark)") else { continue }
        let place = printed[..<found.lowerBound].split(separator: ":")
        guard place.count >= 3, Int(place[place.count - 1]) != nil, let number = Int(place[place.count - 2])
        else { continue }
        self.init(
          line: SourceLine(path: place.dropLast(2).joined(separator: ":"), number: number),
          severity: severity, text: String(printed[found.upperBound...]))
        return
      }
      return nil
    }
  }
#endif
