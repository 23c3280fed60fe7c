import IndexStore

#if os(macOS) || os(Linux)
  /// Checks that the reader understands the compiler, on a file whose graph is known.
  struct SelfCheck {
    let library: IndexLibrary

    /// The graph of `KnownForms`, as ``description(of:)`` gives it.
    static let expected = """
      closures: MainActorProvider [singleton] inner direct uncertain, member direct branch
      inner: Provider [KnownForms.InnerScope] outer direct certain
      keeper: ThrowingProvider [singleton] transient direct certain
      later: Provider [singleton] leaf deferred certain, member deferred branch
      leaf: Provider [singleton]
      member: Provider family [weak] leaf direct certain
      outer: Provider [KnownForms.OuterScope] leaf direct certain
      transient: Provider [alwaysCreateNew] inner direct certain
      wrapped: AsyncProvider [graph] leaf direct certain
      warning: KnownForms.keeper keeps KnownForms.inner
      warning: KnownForms.closures keeps KnownForms.inner
      """

    /// Finds the known file in the stores, or else in the store of this program, and checks it.
    func run(_ units: [(unit: Unit, store: Store)]) throws(CheckError) {
      var known = known(in: units)
      if known.isEmpty { known = try knownBesideProgram() }
      let index: ProgramIndex
      do { index = try ProgramIndex(known) } catch { throw CheckError(error.description) }
      let found = try Self.description(of: ProgramGraph(index) { _ in true })
      guard found == Self.expected else {
        throw CheckError(
          """
          This compiler writes an index that check-graph does not understand, so no finding can be trusted. Use a version \
          of Swift that this version of Peapod supports, or report these lines as an issue:
          \(found)
          """)
      }
    }

    private func known(in units: [(unit: Unit, store: Store)]) -> [(unit: Unit, store: Store)] {
      Array(units.filter { $0.unit.module == "GraphCheck" && $0.unit.file.hasSuffix("/KnownForms.swift") }.prefix(1))
    }

    private func knownBesideProgram() throws(CheckError) -> [(unit: Unit, store: Store)] {
      if let path = StoreLocator.besideProgram, let store = try? Store(path: path, library: library) {
        let known = known(in: store.units().map { ($0, store) })
        if !known.isEmpty { return known }
      }
      throw CheckError(
        "The file with known forms is in no index store, so the check cannot verify that it understands this compiler. \(GraphReader.advice)"
      )
    }

    /// The providers of a graph, their edges, and the findings.
    static func description(of graph: ProgramGraph) throws(CheckError) -> String {
      let lines = graph.sorted.sorted { $0.name < $1.name }.map { provider in
        let edges = provider.edges.filter { $0.use != .change }
          .map { "\($0.target.definition.symbol.name) \($0.use) \($0.certainty)" }.sorted()
        let kind = provider.kind + (provider.isFamily ? " family" : "")
        return "\(provider.definition.symbol.name): \(kind) [\(provider.scope.label)]"
          + (edges.isEmpty ? "" : " " + edges.joined(separator: ", "))
      }
      let findings = try GraphChecker().findings(of: graph).map { "\($0.severity): \($0.subject)" }
      return (lines + findings).joined(separator: "\n")
    }
  }
#endif
