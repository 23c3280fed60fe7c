import IndexStore

#if os(macOS)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds the index store of the build that a running program belongs to.
package enum StoreLocator {
  #if os(macOS) || os(Linux)
    /// The store beside the program that runs, or `nil` if there is none.
    package static var besideProgram: String? { programPath.flatMap(store(above:)) }

    /// The store in a directory above a path, as SwiftPM and Xcode lay it out.
    package static func store(above path: String) -> String? {
      var directory = path
      while let slash = directory.lastIndex(of: "/"), slash != directory.startIndex {
        directory = String(directory[..<slash])
        let places = ["\(directory)/index/store", directory, "\(directory)/Index.noindex/DataStore"]
        if let store = places.first(where: { access("\($0)/v5/units", R_OK) == 0 }) { return store }
      }
      return nil
    }

    private static var programPath: String? {
      #if os(macOS)
        // A test bundle is loaded by a program of Xcode.
        var information = Dl_info()
        guard dladdr(#dsohandle, &information) != 0, let name = information.dli_fname else { return nil }
        let path = String(cString: name)
      #else
        let path = "/proc/self/exe"
      #endif
      guard let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      return String(cString: resolved)
    }
  #else
    package static var besideProgram: String? { nil }
  #endif

  /// The package that a source file belongs to: the nearest directory above with a manifest.
  package static func package(above file: String) -> String? {
    #if os(macOS) || os(Linux)
      var directory = file
      while let slash = directory.lastIndex(of: "/"), slash != directory.startIndex {
        directory = String(directory[..<slash])
        if access("\(directory)/Package.swift", R_OK) == 0 { return directory }
      }
    #endif
    return nil
  }
}
