import GraphCheck

#if os(macOS)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Checks the provider graph of a package from the index store of its last build.
@main
struct CheckGraph {
  static func main() {
    #if os(macOS) || os(Linux)
      do throws(CheckError) {
        let arguments = try Arguments(CommandLine.arguments.dropFirst())
        if arguments.wantsHelp {
          print(Arguments.usage)
        } else {
          exit(try run(arguments) ? 0 : 1)
        }
      } catch {
        // In the format of the compiler, so that build logs show it.
        print("error: \(error.description)", toError: true)
        exit(2)
      }
    #else
      print("check-graph runs on macOS and Linux.")
    #endif
  }

  /// Prints the findings and the graph.
  ///
  /// - Returns: Whether there is no error.
  private static func run(_ arguments: Arguments) throws(CheckError) -> Bool {
    let graph = try arguments.reader.graph()
    switch arguments.format {
    case .text?: print(graph.providerGraph(named: arguments.reader.roots.joined(separator: ", ")).description)
    case .mermaid?: print(graph.providerGraph(named: "").mermaid())
    case .dot?: print(graph.providerGraph(named: "").dot())
    case nil: break
    }
    let findings = try arguments.check.findings(of: graph)
    // Standard output contains only the diagram, so the findings go to standard error.
    let isDiagram = arguments.format == .mermaid || arguments.format == .dot
    for finding in findings { print(finding.description, toError: isDiagram) }
    let errors = findings.count { $0.severity == .error }
    print(
      "\(graph.summary): \(errors) \(errors == 1 ? "error" : "errors"), \(findings.count - errors) "
        + "\(findings.count - errors == 1 ? "warning" : "warnings")", toError: isDiagram)
    return errors == 0
  }

  private static func print(_ text: String, toError: Bool = false) {
    #if os(macOS) || os(Linux)
      let bytes = Array("\(text)\n".utf8)
      var count = 0
      while count < bytes.count {
        let written = bytes[count...].withUnsafeBytes { write(toError ? 2 : 1, $0.baseAddress, $0.count) }
        guard written > 0 else { return }
        count += written
      }
    #endif
  }
}
