#if os(macOS)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads the name and the type of a declaration from its USR.
///
/// The USR of a Swift declaration is its mangled name.
///
/// `s:6FormsA12leafProvider6Peapod0C0VyAA4LeafVGvp` means `FormsA.leafProvider : Peapod.Provider<FormsA.Leaf>`.
final class Demangler {
  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  #if os(macOS) || os(Linux)
    // Safe: the Swift runtime exports the function with this type on these platforms.
    private let demangle = dlsym(dlopen(nil, RTLD_LAZY), "swift_demangle").map { unsafeBitCast($0, to: Demangle.self) }
  #endif
  private var known: [String: String?] = [:]

  /// The declaration as the runtime describes it, or `nil` for a declaration of another language.
  func callAsFunction(_ usr: String) -> String? {
    if let known = known[usr] { return known }
    let text = text(usr)
    known[usr] = .some(text)
    return text
  }

  private func text(_ usr: String) -> String? {
    #if os(macOS) || os(Linux)
      guard usr.hasPrefix("s:"), let demangle else { return nil }
      let mangled = "$s" + usr.dropFirst(2)
      guard let text = demangle(mangled, mangled.utf8.count, nil, nil, 0) else { return nil }
      defer { free(text) }
      return String(cString: text)
    #else
      return nil
    #endif
  }

  /// The type of a variable or property.
  func type(ofVariable usr: String) -> String? {
    guard let text = self(usr), let colon = text.firstRange(of: " : ") else { return nil }
    return String(text[colon.upperBound...])
  }

  /// The type that a function returns.
  func result(ofFunction usr: String) -> String? {
    guard let text = self(usr), let arrow = text.ranges(of: " -> ").last else { return nil }
    return String(text[arrow.upperBound...])
  }
}
