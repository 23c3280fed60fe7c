import GraphCheck

/// The arguments of the command line.
struct Arguments {
  enum Format: String {
    case text, mermaid, dot
  }

  static let usage = """
    USAGE: check-graph [options]

    Checks the provider graph of a package from the index store of its last build.
    Exit status: 0 without errors, 1 with errors, 2 if the graph cannot be checked.

      --store PATH       an index store; repeat it for several configurations at once
                         (default: the store in .build/debug of the first package)
      --root PATH        a package whose providers are checked; may be repeated (default: the current directory)
      --accept SUBJECT   a finding that is accepted, such as "appThing keeps screenThing", or with the module of the
                         first provider, "Module.appThing keeps screenThing"; may be repeated
      --unused           also report providers that no code resolves
      --allow-unused-public
                         other packages may resolve public providers
      --graph FORMAT     print the graph: text, mermaid or dot
      --library PATH     the toolchain's libIndexStore (default: the library of the `swift` on the search path)
    """

  private(set) var reader = GraphReader(roots: [])
  private(set) var check = GraphChecker()
  private(set) var format: Format?
  private(set) var wantsHelp = false

  init(_ arguments: some Sequence<String>) throws(CheckError) {
    var rest = Array(arguments.reversed())
    while let argument = rest.popLast() {
      func value() throws(CheckError) -> String {
        guard let value = rest.popLast() else { throw CheckError("\(argument) needs a value.") }
        guard !value.hasPrefix("--") else { throw CheckError("\(argument) needs a value before \(value).") }
        return value
      }
      switch argument {
      case "--store": reader.stores.append(try value())
      case "--root": reader.roots.append(try value())
      case "--library": reader.library = try value()
      case "--accept": check.accepted.append(try value())
      case "--unused": check.includesUnused = true
      case "--allow-unused-public": check.allowsUnusedPublic = true
      case "--graph":
        let name = try value()
        guard let format = Format(rawValue: name) else {
          throw CheckError("\(name) is not a graph format. The formats are text, mermaid and dot.")
        }
        self.format = format
      case "--help", "-h": wantsHelp = true
      default: throw CheckError("\(argument) is not an option.\n\(Self.usage)")
      }
    }
    if reader.roots.isEmpty { reader.roots = ["."] }
    if reader.stores.isEmpty { reader.stores = ["\(reader.roots[0])/.build/debug/index/store"] }
  }
}
