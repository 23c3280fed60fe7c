#if DEBUG && (os(macOS) || os(Linux))
  import Peapod
  import PeapodTesting
  import Testing

  /// Rule 34: the comparison of a run with the source.
  @Suite struct StaticDifferenceTests {
    private static let base = Provider { _ in 1 }
    private static let passed = Provider { pod in twice(base, in: pod) }
    private static let direct = Provider("another name") { pod in pod.resolve(base) }
    private static let member = Provider.family(
      scope: .weak
    ) { (pod, number: Int) in
      number + pod.resolve(base)
    }
    private static let top = Provider { pod in
      pod.resolve(member(1)) + pod.resolve(member(2)) + (Bool(false) ? pod.resolve(direct) : 0)
    }

    private static func twice(_ provider: Provider<Int>, in pod: Pod) -> Int { 2 * pod.resolve(provider) }

    private func names(_ list: [StaticGraphDifference.Dependency]) -> Set<String> {
      Set(
        list.filter { $0.dependent.fileID.hasSuffix("/StaticDifferenceTests.swift") }
          .map { "\($0.dependent.name) → \($0.dependency.name)" })
    }

    @Test("R34 a run shows what the source hides, and the source shows what no run built")
    func difference() throws {
      let source = try ProviderGraph.inSource()
      let pod = Pod()
      let name = "StaticDifferenceTests"
      _ = pod.resolve(Self.passed)
      let first = pod.graph.difference(fromStatic: source)
      #expect(names(first.hidden) == ["\(name).passed → \(name).base"])
      #expect(
        names(first.unbuilt) == [
          "\(name).direct → \(name).base", "\(name).member → \(name).base", "\(name).top → \(name).member",
          "\(name).top → \(name).direct",
        ])
      _ = pod.resolve(Self.top)
      #expect(
        names(pod.graph.difference(fromStatic: source).unbuilt) == [
          "\(name).direct → \(name).base", "\(name).top → \(name).direct",
        ])
      // The graphs of several runs count together, and those of child pods too.
      let other = Pod()
      let child = other.makeChild { $0.overrideProvider(Self.base, withValue: 3) }
      _ = child.resolve(Self.direct)
      let both = [pod.graph, other.graph].difference(fromStatic: source)
      #expect(names(both.unbuilt) == ["\(name).top → \(name).direct"])
      #expect(both.description.contains("- \(name).top (GraphCheckTests/StaticDifferenceTests.swift:"))
      withExtendedLifetime(child) {}
    }

    @Test("R34 the dependencies of an overridden provider are not those of its declaration")
    func overridden() throws {
      let pod = Pod()
      pod.overrideProvider(Self.base) { _ in 5 }
      pod.overrideProvider(Self.passed) { pod in pod.resolve(Self.direct) }
      pod.overrideProvider(Self.direct, withValue: 1)
      _ = pod.resolve(Self.passed)
      let source = try ProviderGraph.inSource()
      let difference = pod.graph.difference(fromStatic: source)
      #expect(names(difference.hidden).isEmpty)
      let name = "StaticDifferenceTests"
      let edge = "\(name).direct → \(name).base"
      #expect(!names(difference.unbuilt).contains(edge))
      #expect(names(difference.unbuilt).contains("\(name).top → \(name).direct"))
      // The dependencies are compared if one run, or one pod of a run, has no override.
      #expect(names([pod.graph, Pod().graph].difference(fromStatic: source).unbuilt).contains(edge))
      let root = Pod()
      _ = root.resolve(Self.top)
      let child = root.makeChild { $0.overrideProvider(Self.top, withValue: 2) }
      _ = child.resolve(Self.top)
      #expect(names(root.graph.difference(fromStatic: source).unbuilt).contains("\(name).top → \(name).direct"))
      #expect(names([ProviderGraph]().difference(fromStatic: source).unbuilt).contains(edge))
      withExtendedLifetime(child) {}
    }
  }
#endif
