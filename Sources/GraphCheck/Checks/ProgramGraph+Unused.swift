import IndexStore

extension ProgramGraph {
  /// The providers that no code resolves, except the code of other unused providers.
  ///
  /// - Parameter allowsPublic: Whether other packages may use public providers.
  /// - Returns: A warning for each provider.
  func unused(allowsPublic: Bool) -> [Finding] {
    let tests = Set(index.units.filter { !$0.imports.isDisjoint(with: ["Testing", "XCTest"]) }.map(\.module))
    var (isUsed, isChanged, isTested): (Set<String>, Set<String>, Set<String>) = ([], [], [])
    var rest: [StaticProvider] = []
    func use(_ provider: StaticProvider) {
      if isUsed.insert(provider.usr).inserted { rest.append(provider) }
    }
    for (container, references) in index.references where container.map({ owner(of: $0) == nil }) ?? true {
      for (target, use, reference) in uses(in: references) {
        if use == .change {
          isChanged.insert(target.usr)
        } else if tests.contains(reference.unit.module) {
          isTested.insert(target.usr)
        } else if isUsed.insert(target.usr).inserted {
          rest.append(target)
        }
      }
    }
    let names = namesInOtherConfigurations()
    for provider in sorted where !tests.contains(provider.definition.module) {
      if allowsPublic && isPublic(provider) || names.contains(provider.definition.symbol.name) { use(provider) }
    }
    while let provider = rest.popLast() {
      for edge in provider.edges where edge.use != .change { use(edge.target) }
      for (target, kind, _) in uses(in: index.references(of: provider.usr)) where kind != .change { use(target) }
    }
    return sorted.filter { $0.isOwn && !isUsed.contains($0.usr) && !tests.contains($0.definition.module) }.map {
      let reason =
        isTested.contains($0.usr)
        ? "only tests name it" : isChanged.contains($0.usr) ? "it is only overridden" : "no code that runs names it"
      return Finding(
        .warning, .unused, at: $0, subject: $0.name, text: "\($0.label) is never resolved: \(reason).")
    }
  }

  private func uses(
    in references: [ProgramIndex.Reference]
  ) -> [(StaticProvider, StaticEdge.Use, ProgramIndex.Reference)] {
    references.flatMap { reference in
      targets(of: reference.symbol).map { target in
        let place = token(reference)
        return (target, place.map { use(reference, $0.token, $0.file).0 } ?? StaticEdge.Use.passed, reference)
      }
    }
  }

  /// The provider whose declaration contains a declaration.
  private func owner(of container: String) -> StaticProvider? {
    providers[container] ?? index.accessedVariables[container].flatMap { providers[$0] }
  }

  private func isPublic(_ provider: StaticProvider) -> Bool {
    let file = source.file(provider.file)
    guard var token = file.token(at: provider.position) else { return true }
    while token > 0, !file.beginsLine(token) {
      token -= 1
      if ["public", "open"].contains(file.text(token)) { return true }
    }
    return false
  }

  /// The names of providers that code of another configuration may use: the source has the name more often than the index.
  private func namesInOtherConfigurations() -> Set<String> {
    var counts: [String: Int] = [:]
    for provider in providers.values { counts[provider.definition.symbol.name] = 0 }
    for path in Set(index.units.map(\.file)) {
      let file = source.file(path)
      for token in file.tokens.indices where file.isWord(token) { counts[file.text(token)]? += 1 }
    }
    for definition in index.definitions.values where !definition.isImplicit { counts[definition.symbol.name]? -= 1 }
    for reference in index.references.values.joined() where !reference.roles.contains(.implicit) {
      counts[reference.symbol.name]? -= 1
    }
    return Set(counts.filter { $0.value > 0 }.keys)
  }
}
