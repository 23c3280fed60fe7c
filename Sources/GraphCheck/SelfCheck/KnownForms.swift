import Peapod

/// Providers whose graph is known, in the forms that the reader relies on.
///
/// The compiler that builds a program builds this file too. ``SelfCheck`` compares the graph that the reader finds with the
/// known graph, to notice a compiler with other forms.
enum KnownForms {
  struct OuterScope: ProviderScope {
    var children: [any ProviderScope] { [InnerScope()] }
  }

  struct InnerScope: ProviderScope, Hashable {
    var requiresOwner: Bool { true }
  }

  struct Wrapped: Sendable {
    @Injected(leaf) var number: Int
  }

  static let leaf = Provider { _ in 1 }
  static let outer = Provider("outer", scope: OuterScope()) { pod in pod.resolve(leaf) }
  static let inner = Provider(scope: .knownInner) { pod in
    pod.resolve(KnownForms.outer)
  } onDispose: { number in
    _ = Pod.shared.isCached(leaf) && number > 0
  }
  static let transient = Provider(scope: .alwaysCreateNew) { pod in pod.resolve(inner) }
  static let keeper = ThrowingProvider { pod in total(pod) }
  static let later = Provider { pod in (pod.lazy(leaf), pod.factory(member)) }
  static let member = Provider.family(scope: .weak) { (pod, number: Int) in number + pod.resolve(leaf) }
  static let closures = MainActorProvider { pod in
    let later: @Sendable () -> Int = { pod.resolve(inner) }
    return (later, [1, 2].map { pod.resolve(member($0)) })
  }
  static let wrapped = AsyncProvider(scope: .graph) { _ in Wrapped() }

  private static func total(_ pod: Pod) -> Int { pod.resolve(transient) }
}

extension ProviderScope where Self == KnownForms.InnerScope {
  fileprivate static var knownInner: Self { Self() }
}
