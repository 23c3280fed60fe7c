#if os(macOS)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if os(macOS) || os(Linux)
  /// The functions of the toolchain's `libIndexStore` that the reader needs, found at run time.
  ///
  /// `iovec` stands for `indexstore_string_ref_t`. Both are `{ pointer, size_t }`, and Swift can only call C functions
  /// whose types come from C.
  package final class IndexLibrary {
    typealias Object = UnsafeMutableRawPointer
    typealias Dispose = @convention(c) (Object) -> Void
    typealias GetText = @convention(c) (Object) -> iovec
    typealias GetNumber = @convention(c) (Object) -> UInt32
    typealias GetBits = @convention(c) (Object) -> UInt64
    typealias GetObject = @convention(c) (Object) -> Object
    typealias Visit = @convention(c) (Object?, Object) -> Bool
    typealias Apply = @convention(c) (Object, Object?, Visit) -> Bool
    typealias Open = @convention(c) (Object, UnsafePointer<CChar>, UnsafeMutablePointer<Object?>?) -> Object?

    let storeCreate: @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Object?>?) -> Object?
    let storeDispose: Dispose
    let errorDescription: @convention(c) (Object) -> UnsafePointer<CChar>
    let unitsApply: @convention(c) (Object, UInt32, Object?, @convention(c) (Object?, iovec) -> Bool) -> Bool
    let unitCreate: Open
    let unitDispose: Dispose
    let unitMainFile: GetText
    let unitModuleName: GetText
    let unitIsSystem: @convention(c) (Object) -> Bool
    let unitModificationTime: @convention(c) (Object, UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Int64>) -> Void
    let unitDependenciesApply: Apply
    let dependencyKind: GetNumber
    let dependencyName: GetText
    let dependencyModuleName: GetText
    let recordCreate: Open
    let recordDispose: Dispose
    let occurrencesApply: Apply
    let occurrenceSymbol: GetObject
    let occurrenceRoles: GetBits
    let occurrenceLineColumn:
      @convention(c) (Object, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> Void
    let relationsApply: Apply
    let relationRoles: GetBits
    let relationSymbol: GetObject
    let symbolKind: GetNumber
    let symbolSubkind: GetNumber
    let symbolName: GetText
    let symbolUSR: GetText

    /// Opens the library.
    package init(path: String) throws(IndexError) {
      guard let handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL) else {
        throw IndexError("\(path) cannot be opened: \(dlerror().map { String(cString: $0) } ?? "unknown error")")
      }
      func find<Function>(_ name: String, as type: Function.Type = Function.self) throws(IndexError) -> Function {
        guard let address = dlsym(handle, "indexstore_" + name) else {
          throw IndexError("\(path) has no function indexstore_\(name), so this version of Swift is not supported.")
        }
        // Safe: the header of libIndexStore declares the functions with these types.
        return unsafeBitCast(address, to: type)
      }
      storeCreate = try find("store_create")
      storeDispose = try find("store_dispose")
      errorDescription = try find("error_get_description")
      unitsApply = try find("store_units_apply_f")
      unitCreate = try find("unit_reader_create")
      unitDispose = try find("unit_reader_dispose")
      unitMainFile = try find("unit_reader_get_main_file")
      unitModuleName = try find("unit_reader_get_module_name")
      unitIsSystem = try find("unit_reader_is_system_unit")
      unitModificationTime = try find("unit_reader_get_modification_time")
      unitDependenciesApply = try find("unit_reader_dependencies_apply_f")
      dependencyKind = try find("unit_dependency_get_kind")
      dependencyName = try find("unit_dependency_get_name")
      dependencyModuleName = try find("unit_dependency_get_modulename")
      recordCreate = try find("record_reader_create")
      recordDispose = try find("record_reader_dispose")
      occurrencesApply = try find("record_reader_occurrences_apply_f")
      occurrenceSymbol = try find("occurrence_get_symbol")
      occurrenceRoles = try find("occurrence_get_roles")
      occurrenceLineColumn = try find("occurrence_get_line_col")
      relationsApply = try find("occurrence_relations_apply_f")
      relationRoles = try find("symbol_relation_get_roles")
      relationSymbol = try find("symbol_relation_get_symbol")
      symbolKind = try find("symbol_get_kind")
      symbolSubkind = try find("symbol_get_subkind")
      symbolName = try find("symbol_get_name")
      symbolUSR = try find("symbol_get_usr")
    }
  }

  extension String {
    /// Copies a text that belongs to the library.
    init(_ text: iovec) {
      self = String(decoding: UnsafeRawBufferPointer(start: text.iov_base, count: Int(text.iov_len)), as: UTF8.self)
    }
  }
#endif
