import IndexStore

#if os(macOS)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if os(macOS) || os(Linux)
  /// Compares the times of source files with the times of their units in the store.
  struct Freshness {
    let units: [(unit: Unit, store: Store)]
    let lists: SourceLists

    /// Checks that no source file is newer than its unit, and that no source file was added since.
    func check() throws(CheckError) {
      for (unit, _) in units {
        if let time = Self.modificationTime(unit.file), time > unit.time {
          throw CheckError("\(unit.file) is newer than the index store. Build the package, then check again.")
        }
      }
      let known = Set(units.map(\.unit.file))
      let last = units.map(\.unit.time).max() ?? .zero
      for directory in Set(known.map(\.parentDirectory)).sorted() {
        for name in Self.names(in: directory) where name.hasSuffix(".swift") && !known.contains("\(directory)/\(name)")
        {
          let file = "\(directory)/\(name)"
          if let time = Self.modificationTime(file), time > last, !isLeftOut(file, since: time) {
            throw CheckError(
              "\(file) was added or changed after the index store was written. Build the package, then check again.")
          }
        }
      }
    }

    /// Whether builds after a time left a file out of each module in its directory: the manifest, or an excluded file.
    private func isLeftOut(_ file: String, since time: Duration) -> Bool {
      units.filter { $0.unit.file.parentDirectory == file.parentDirectory }
        .allSatisfy { lists.leavesOut(file, ofModuleOf: $0, since: time) }
    }

    static func modificationTime(_ path: String) -> Duration? {
      var information = stat()
      guard stat(path, &information) == 0 else { return nil }
      #if os(macOS)
        let time = information.st_mtimespec
      #else
        let time = information.st_mtim
      #endif
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    static func names(in directory: String) -> [String] {
      guard let stream = opendir(directory) else { return [] }
      defer { closedir(stream) }
      var names: [String] = []
      while let entry = readdir(stream) {
        names.append(
          withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            // Safe: the name is a C string inside the entry.
            pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
              String(cString: $0)
            }
          })
      }
      return names
    }
  }
#endif
