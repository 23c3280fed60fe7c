import Peapod
import Testing

/// Rule 10: a builder may use its argument, a captured pod or a global one alike.
struct BuilderPodTests {
  private static let global = Pod("global")

  enum Way: String, CaseIterable, Sendable {
    case argument, captured, global

    fileprivate func pod(argument: Pod, captured: Pod) -> Pod {
      switch self {
      case .argument: argument
      case .captured: captured
      case .global: BuilderPodTests.global
      }
    }
  }

  /// A new pod, or the global one where a builder is to use that.
  private func pod(for way: Way) -> Pod {
    way == .global ? Self.global : Pod()
  }

  @Test("R10 what a builder resolves is the pod's own instance", arguments: Way.allCases)
  func sharesInstances(way: Way) {
    let pod = pod(for: way)
    let part = Provider { _ in Tracked() }
    let whole = Provider { [pod] argument in
      Tracked(keeping: [way.pod(argument: argument, captured: pod).resolve(part)])
    }
    #expect(pod.resolve(whole).parts[0] as? Tracked === pod.resolve(part))
    #expect(pod.resolve(whole) === pod.resolve(whole))
    pod.clearCachedInstance(of: whole)
    pod.clearCachedInstance(of: part)
  }

  @Test("R10 R15 whichever pod a builder asks, overrides reach what it built", arguments: Way.allCases, Way.allCases)
  func recordsDependencies(outer: Way, inner: Way) {
    let usesGlobal = outer == .global || inner == .global
    let pod = usesGlobal ? Self.global : Pod()
    let part = Provider { _ in Tracked() }
    let middle = Provider { [pod] argument in
      Tracked(keeping: [inner.pod(argument: argument, captured: pod).resolve(part)])
    }
    let whole = Provider { [pod] argument in
      Tracked(keeping: [outer.pod(argument: argument, captured: pod).resolve(middle)])
    }
    let (originalWhole, originalMiddle) = (pod.resolve(whole), pod.resolve(middle))
    let value = Tracked()
    pod.overrideProvider(part, withValue: value)
    #expect(pod.resolve(middle).parts[0] as? Tracked === value)
    #expect(pod.resolve(whole).parts[0] as? Tracked === pod.resolve(middle))
    pod.removeOverrideProvider(part)
    #expect(pod.resolve(whole) === originalWhole)
    #expect(pod.resolve(middle) === originalMiddle)
    for provider in [part, middle, whole] { pod.clearCachedInstance(of: provider) }
  }

  @Test("R10 the shared pod serves builders of the shared pod")
  func sharedPod() {
    let part = Provider { _ in Tracked() }
    let whole = Provider { _ in Tracked(keeping: [Pod.shared.resolve(part)]) }
    #expect(Pod.shared.resolve(whole).parts[0] as? Tracked === Pod.shared.resolve(part))
    Pod.shared.clearCachedInstance(of: whole)
    Pod.shared.clearCachedInstance(of: part)
  }

  @Test("R10 a builder may resolve from another pod, whose instance stays there")
  func otherPod() {
    let (first, second) = (Pod("first"), Pod("second"))
    let part = Provider { _ in Tracked() }
    let whole = Provider { [second] pod in Tracked(keeping: [pod.resolve(part), second.resolve(part)]) }
    let parts = first.resolve(whole).parts.map { $0 as? Tracked }
    #expect(parts[0] === first.resolve(part))
    #expect(parts[1] === second.resolve(part))
    #expect(parts[0] !== parts[1])
    #expect(!second.isCached(whole))
  }

  @Test("R10 the builders of all kinds may ask any synchronous kind", arguments: SynchronousKind.allCases)
  @MainActor
  func kindsMix(kind: SynchronousKind) {
    let plain = Provider { _ in Tracked() }
    let throwing = ThrowingProvider { pod in Tracked(keeping: [pod.resolve(plain)]) }
    let whole = kind.declare { pod in Tracked(keeping: [pod.resolve(plain), try! pod.resolve(throwing)]) }
    let pod = Pod()
    let instance = pod.resolve(whole)
    #expect(instance.parts[0] as? Tracked === pod.resolve(plain))
    #expect((instance.parts[1] as? Tracked)?.parts[0] as? Tracked === pod.resolve(plain))
  }

  @Test("R10 the pod that a builder was given works as the pod itself, also when it is kept")
  func keptPod() {
    struct Holder: Sendable { var pod: Pod }
    let part = Provider { _ in Tracked() }
    let holder = Provider { pod in Holder(pod: pod) }
    let pod = Pod("name")
    let kept = pod.resolve(holder).pod
    #expect(kept.name == "name")
    #expect(kept.resolve(part) === pod.resolve(part))
    #expect(kept.isCached(part))
    kept.clearCachedInstance(of: part)
    #expect(!pod.isCached(part))
    let value = Tracked()
    kept.overrideProvider(part, withValue: value)
    #expect(pod.resolve(part) === value)
    kept.removeAllOverrides()
    #expect(pod.resolve(part) !== value)
  }
}
