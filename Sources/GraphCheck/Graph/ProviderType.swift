/// The type of a provider or a family, read from a demangled type.
struct ProviderType {
  let kind, value: String
  let isFamily: Bool

  static let kinds = ["Provider", "ThrowingProvider", "AsyncProvider", "MainActorProvider"]

  init?(_ type: String) {
    let family = "Peapod.ProviderFamily<"
    isFamily = type.hasPrefix(family)
    let member = isFamily ? type.dropFirst(family.count) : type[...]
    guard let kind = Self.kinds.first(where: { member.hasPrefix("Peapod.\($0)<") }) else { return nil }
    let rest = member.dropFirst("Peapod.\(kind)<".count)
    let end = isFamily ? rest.firstRange(of: ">, Pack{")?.lowerBound : rest.lastIndex(of: ">")
    self.kind = kind
    value = String(rest[..<(end ?? rest.endIndex)])
  }
}
