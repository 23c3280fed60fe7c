/// Every message with which Peapod stops a program or warns: what is wrong, where, and how to fix it.
enum Failure {
  static func abstract() -> String { "Peapod: an abstract member was called. This is a defect of Peapod." }

  static func waitWithoutThreads() -> String {
    "Peapod: another thread was waited for, where there is only one. This is a defect of Peapod."
  }

  static func cycle(_ path: [ProviderInfo]) -> String {
    let steps = path.map { "  \($0.name) (\($0.fileID):\($0.line))" }.joined(separator: "\n  needs\n")
    return """
      Peapod: these providers need each other to be built, so none of them can be:
      \(steps)
      To fix it, let one of them resolve its dependency later: pass `pod.factory(provider)`, or `pod.lazy(provider)` for \
      a `Provider`, instead of `pod.resolve(provider)`, and use it after construction.
      """
  }

  /// `builders`: the builders that needed the provider, the nearest first.
  static func unowned(
    _ declaration: Declaration, _ scope: NamedScope, pod: String, _ deferral: Deferral?, builders: [Declaration]
  ) -> String {
    let name = scope.identity.name
    let problem = """
      Peapod: \(declaration.description) belongs to the scope \(name), which must have an owner, and neither the pod \
      "\(pod)" nor any of its ancestors owns that scope.
      """
    guard let deferral else {
      let way = builders.map { "the builder of \($0.description)" }.joined(separator: ", for ")
      // The instances of the builders depend on this one, so they live in the pod that owns the scope too.
      return problem + (way.isEmpty ? "" : "\nIt was resolved by \(way).") + """
        \nTo fix it, resolve \(builders.last?.name ?? "it") in a pod made with `makeChild(owning: [\(scope.expression)])` or \
        `withChild(owning:)`.
        """
    }
    return problem + """
      \nIt was resolved by a \(deferral.kind) that \(deferral.holder.description) holds, which resolves in the pod where its holder lives.
      To fix it, give \(deferral.holder.description) the scope \(name), so that it lives in a pod that owns the scope, or resolve \
      \(declaration.name) from that pod.
      """
  }

  static func offMainActor(_ declaration: Declaration) -> String {
    """
    Peapod: \(declaration.description) is a main-actor provider, and a property with `@LazyInjected` was read first off the \
    main actor, so the builder would run there.
    To fix it, read the property on the main actor: mark the type or the function that reads it `@MainActor`.
    """
  }

  /// Tells of an instance that stays cached longer than one of its dependencies.
  ///
  /// `first`: the direct dependency that leads to the captive one, which may be that one. `isInChildScope`: whether the scope of the
  /// dependent is a child of the other, so that the dependent lives in a pod that owns the child scope itself.
  static func captive(
    _ dependent: ProviderInfo, _ dependency: ProviderInfo, through first: ProviderInfo, isInChildScope: Bool
  ) -> String {
    let fix =
      isInChildScope
      ? "let \(dependent.name)" : "give \(dependent.name) the scope \(dependency.scope) or a child of it, or let it"
    let way = first.id == dependency.id ? "" : ", through \(first.name) (\(first.fileID):\(first.line))"
    return """
      Peapod: captive dependency: \(dependent.name) (\(dependent.fileID):\(dependent.line)), cached in \(dependent.scope), \
      was built from \(dependency.name) (\(dependency.fileID):\(dependency.line)), cached in \(dependency.scope)\(way). A clear \
      of \(dependency.scope) leaves \(dependent.name) cached, with the outdated \(dependency.name).
      To fix it, \(fix) hold a factory of \(first.name), made with `pod.factory`, and call it at each use.
      """
  }

  static func repeatedDeclaration(_ info: ProviderInfo) -> String {
    """
    Peapod: \(info.fileID):\(info.line) declares provider after provider, each built once: \(info.name) is a computed \
    property, or is declared locally, in a loop or a function, so its instance is never shared.
    To fix it, declare it once: as a `static let` or a global `let` instead of `var … { … }`.
    """
  }
}
