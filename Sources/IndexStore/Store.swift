#if os(macOS) || os(Linux)
  /// An index store that the compiler wrote.
  package final class Store {
    package let path: String
    let library: IndexLibrary
    let object: IndexLibrary.Object

    /// Opens a store.
    package init(path: String, library: IndexLibrary) throws(IndexError) {
      var error: IndexLibrary.Object?
      guard let object = library.storeCreate(path, &error) else {
        let reason = error.map { String(cString: library.errorDescription($0)) } ?? "unknown error"
        throw IndexError("The index store at \(path) cannot be opened: \(reason)")
      }
      self.path = path
      self.library = library
      self.object = object
    }

    deinit { library.storeDispose(object) }

    /// Returns one unit for each compiled file.
    package func units() -> [Unit] {
      Collector<String>(library).collect { context in
        library.unitsApply(object, 1, context) { context, name in
          Collector<String>.from(context).items.append(String(name))
          return true
        }
      }.compactMap(unit(named:))
    }

    private func unit(named name: String) -> Unit? {
      guard let reader = library.unitCreate(object, name, nil) else { return nil }
      defer { library.unitDispose(reader) }
      let dependencies = Collector<(isRecord: Bool, name: String, module: String)>(library).collect { context in
        library.unitDependenciesApply(reader, context) { context, dependency in
          let list = Collector<(isRecord: Bool, name: String, module: String)>.from(context)
          let library = list.library
          list.items.append(
            (
              library.dependencyKind(dependency) == 2, String(library.dependencyName(dependency)),
              String(library.dependencyModuleName(dependency))
            ))
          return true
        }
      }
      var seconds: Int64 = 0
      var nanoseconds: Int64 = 0
      library.unitModificationTime(reader, &seconds, &nanoseconds)
      return Unit(
        module: String(library.unitModuleName(reader)), file: String(library.unitMainFile(reader)),
        isSystem: library.unitIsSystem(reader), records: dependencies.filter(\.isRecord).map(\.name),
        imports: Set(dependencies.filter { !$0.isRecord }.map(\.module)),
        time: .seconds(seconds) + .nanoseconds(nanoseconds))
    }

    /// Returns the occurrences of a file, in order of position.
    package func occurrences(record: String) throws(IndexError) -> [Occurrence] {
      var error: IndexLibrary.Object?
      guard let reader = library.recordCreate(object, record, &error) else {
        let reason = error.map { String(cString: library.errorDescription($0)) } ?? "unknown error"
        throw IndexError("The record \(record) of the index store at \(path) cannot be read: \(reason)")
      }
      defer { library.recordDispose(reader) }
      return Collector<Occurrence>(library).collect { context in
        library.occurrencesApply(reader, context) { context, object in
          let list = Collector<Occurrence>.from(context)
          list.items.append(Occurrence(object, list.library))
          return true
        }
      }.sorted { $0.position < $1.position }
    }
  }

  extension Occurrence {
    init(_ object: IndexLibrary.Object, _ library: IndexLibrary) {
      var line: UInt32 = 0
      var column: UInt32 = 0
      library.occurrenceLineColumn(object, &line, &column)
      let relations = Collector<Relation>(library).collect { context in
        library.relationsApply(object, context) { context, relation in
          let list = Collector<Relation>.from(context)
          let library = list.library
          list.items.append(
            Relation(
              symbol: Symbol(library.relationSymbol(relation), library),
              roles: Roles(rawValue: library.relationRoles(relation))))
          return true
        }
      }
      self.init(
        symbol: Symbol(library.occurrenceSymbol(object), library),
        roles: Roles(rawValue: library.occurrenceRoles(object)),
        position: Position(line: Int(line), column: Int(column)), relations: relations)
    }
  }

  extension Symbol {
    init(_ object: IndexLibrary.Object, _ library: IndexLibrary) {
      self.init(
        usr: String(library.symbolUSR(object)), name: String(library.symbolName(object)),
        kind: Kind(rawValue: Int(library.symbolKind(object))) ?? .unknown, subkind: Int(library.symbolSubkind(object)))
    }
  }
#endif
