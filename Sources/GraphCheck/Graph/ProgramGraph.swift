import IndexStore

/// The providers of a program and the dependencies that its source shows.
package final class ProgramGraph {
  let index: ProgramIndex
  let demangle = Demangler()
  let source = SourceText()
  private(set) var providers: [String: StaticProvider] = [:]
  private var factsByContainer: [String: [Fact]] = [:]
  /// The declarations of types by qualified name, for the scopes.
  private(set) var types: [String: ProgramIndex.Definition] = [:]

  /// Finds the providers, their scopes and their dependencies.
  ///
  /// - Parameters:
  ///   - index: The declarations and references of the program.
  ///   - isOwn: Whether findings about the providers of a file are wanted.
  init(_ index: ProgramIndex, isOwn: (String) -> Bool) {
    self.index = index
    for definition in index.definitions.values {
      if [.struct, .enum, .class].contains(definition.symbol.kind), let name = demangle(definition.symbol.usr) {
        types[name] = definition
      }
      if let provider = provider(definition, isOwn: isOwn(definition.file)) { providers[provider.usr] = provider }
    }
    for provider in providers.values { provider.scope = scope(of: provider) }
    for provider in providers.values { provider.edges = edges(of: provider) }
  }

  /// The providers in the order of their declarations.
  private(set) lazy var sorted: [StaticProvider] = providers.values.sorted {
    ($0.definition.module, $0.file, $0.position, $0.name) < ($1.definition.module, $1.file, $1.position, $1.name)
  }

  /// The source that contains a reference, and the token of its name.
  func token(_ reference: ProgramIndex.Reference) -> (file: SourceFile, token: Int)? {
    let file = source.file(reference.file)
    return file.token(at: reference.position).map { (file, $0) }
  }

  /// The facts of a declaration, found once.
  func facts(of container: String) -> [Fact] {
    if let known = factsByContainer[container] { return known }
    let found = findFacts(of: container)
    factsByContainer[container] = found
    return found
  }
}
