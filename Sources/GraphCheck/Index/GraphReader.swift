import IndexStore

#if os(macOS)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads the graph of a package from index stores.
package struct GraphReader {
  /// The stores of one or more configurations.
  package var stores: [String] = []
  /// The directories whose providers are checked.
  package var roots: [String]
  /// The index library, or `nil` for that of the toolchain on the search path.
  package var library: String?

  package init(roots: [String]) {
    self.roots = roots
  }

  /// The modules of the library, whose code has no providers of the program.
  private static let libraryModules: Set<String> = [
    "Peapod", "PeapodUI", "PeapodTesting", "IndexStore", "GraphCheck", "check_graph",
  ]

  #if os(macOS) || os(Linux)
    /// Reads the stores and finds the providers.
    ///
    /// - Throws: A ``CheckError`` if the roots, the stores, the library or the providers are missing, if the stores do not
    ///   match the sources, or if a source cannot be read.
    package func graph() throws(CheckError) -> ProgramGraph {
      let roots = try roots.map(directory)
      let library = try openLibrary()
      guard !stores.isEmpty else { throw CheckError("There is no index store. \(Self.advice)") }
      var units: [(unit: Unit, store: Store)] = []
      for path in stores { units += try self.units(of: path, library) }
      let isOwn = { (file: String) in
        roots.contains { file.hasPrefix($0 + "/") && !file.dropFirst($0.count).contains("/.build") }
      }
      try SelfCheck(library: library).run(units)
      let users = Set(units.filter { $0.unit.imports.contains("Peapod") }.map(\.unit.module))
        .subtracting(Self.libraryModules)
      // The store still has the unit of a file that the last build left out.
      let lists = SourceLists()
      let built = units.filter {
        users.contains($0.unit.module) && !lists.leavesOut($0.unit.file, ofModuleOf: $0, since: $0.unit.time)
      }
      let own = built.filter { isOwn($0.unit.file) }
      guard !own.isEmpty else {
        throw CheckError(
          "No file below \(roots.joined(separator: ", ")) that was compiled into this index store uses Peapod. "
            + "\(Self.advice)")
      }
      try Freshness(units: own, lists: lists).check()
      let related = Self.modules(relatedTo: Set(own.map(\.unit.module)), in: units.map(\.unit))
      let graph = ProgramGraph(try index(built.filter { related.contains($0.unit.module) }), isOwn: isOwn)
      guard graph.sorted.contains(where: \.isOwn) else {
        throw CheckError(
          "No provider is declared below \(roots.joined(separator: ", ")). Only global and static providers are checked."
        )
      }
      try graph.source.check()
      return graph
    }

    private func openLibrary() throws(CheckError) -> IndexLibrary {
      guard let path = library ?? Toolchain.indexLibrary else {
        throw CheckError(
          "There is no libIndexStore in a toolchain on the search path. Add the directory of `swift` to PATH, or name the "
            + "library with --library.")
      }
      do { return try IndexLibrary(path: path) } catch { throw CheckError(error.description) }
    }

    /// The newest unit of each source file that still exists.
    private func units(of path: String, _ library: IndexLibrary) throws(CheckError) -> [(unit: Unit, store: Store)] {
      guard access(path + "/v5/units", R_OK) == 0 else {
        throw CheckError("There is no index store at \(path). \(Self.advice)")
      }
      let store: Store
      do { store = try Store(path: path, library: library) } catch { throw CheckError(error.description) }
      var newest: [String: Unit] = [:]
      for unit in store.units() where !unit.isSystem && !unit.records.isEmpty && access(unit.file, R_OK) == 0 {
        if let other = newest[unit.file], other.time >= unit.time { continue }
        newest[unit.file] = unit
      }
      guard !newest.isEmpty else { throw CheckError("The index store at \(path) is empty. \(Self.advice)") }
      return newest.values.sorted { $0.file < $1.file }.map { ($0, store) }
    }

    /// Returns the given modules, the modules that they import, and the modules that import them, directly or not.
    private static func modules(relatedTo modules: Set<String>, in units: [Unit]) -> Set<String> {
      var (imports, importers): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
      for unit in units {
        imports[unit.module, default: []].formUnion(unit.imports)
        for name in unit.imports { importers[name, default: []].insert(unit.module) }
      }
      func reachable(_ edges: [String: Set<String>]) -> Set<String> {
        var found = modules
        var rest = Array(modules)
        while let next = rest.popLast() {
          for name in edges[next] ?? [] where found.insert(name).inserted { rest.append(name) }
        }
        return found
      }
      return reachable(imports).union(reachable(importers))
    }

    private func index(_ units: [(unit: Unit, store: Store)]) throws(CheckError) -> ProgramIndex {
      do { return try ProgramIndex(units) } catch { throw CheckError(error.description) }
    }

    /// The path of a directory without symbolic links.
    private func directory(_ path: String) throws(CheckError) -> String {
      // Only a directory contains itself.
      guard access(path + "/.", F_OK) == 0, let resolved = realpath(path, nil) else {
        throw CheckError("There is no directory at \(path).")
      }
      defer { free(resolved) }
      return String(cString: resolved)
    }
  #else
    /// Fails, because there is no index store on this platform.
    package func graph() throws(CheckError) -> ProgramGraph {
      throw CheckError("The graph can be checked only on macOS and Linux, on a machine with the Swift toolchain.")
    }
  #endif

  static let advice = "Build in debug mode, which writes the store, or with --enable-index-store."
}
