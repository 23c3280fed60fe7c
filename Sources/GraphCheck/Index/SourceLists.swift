import IndexStore

#if os(macOS) || os(Linux)
  /// The sources of each module in the last builds by SwiftPM.
  ///
  /// SwiftPM lists the sources of a module again whenever a file is added or removed, and writes its database in each build,
  /// even if the build compiles nothing. The configurations have one database, and a list each: the last build may be one of
  /// another configuration. With other build systems, no sources are known.
  final class SourceLists {
    private var lists: [String: Set<String>] = [:]

    /// Whether a build after a time left a file out of the module of a unit.
    func leavesOut(_ file: String, ofModuleOf unit: (unit: Unit, store: Store), since time: Duration) -> Bool {
      // The store is `.build/<triple>/debug/index/store`.
      let products = "\(unit.store.path)/../.."
      guard let last = Freshness.modificationTime("\(products)/../../build.db"), last > time else { return false }
      func list(_ configuration: String) -> Set<String> {
        self.list("\(configuration)/\(unit.unit.module).build/output-file-map.json")
      }
      return !list(products).isEmpty
        && !Freshness.names(in: "\(products)/..").contains { list("\(products)/../\($0)").contains(file) }
    }

    /// The keys of the outer object, each on a line of its own: `  "/package/Sources/Mail/Window.swift": {`.
    private func list(_ path: String) -> Set<String> {
      if let known = lists[path] { return known }
      let lines = SourceText.read(path).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
      let list = Set(
        lines.filter { $0.hasPrefix("  \"") && $0.hasSuffix("\": {") }.map { String($0.dropFirst(3).dropLast(4)) })
      lists[path] = list
      return list
    }
  }
#endif
