/// A word with a bit for each of some things, by which a layer knows at once that it changes nothing that an instance was built
/// from.
///
/// The built-in scopes have bits of their own. All other things share the rest in turn, declarations from one end and scopes
/// from the other: two with one bit only make the layer look more closely.
enum Bits {
  private static let shared: UInt32 = 64 - UInt32(ScopeIdentity.Kind.custom.rawValue)

  static func bit(ofDeclaration number: UInt32) -> UInt64 { 1 << UInt64(63 - number % shared) }
  static func bit(ofScope number: UInt32) -> UInt64 { 1 << UInt64(64 - shared + number % shared) }
}
