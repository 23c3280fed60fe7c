import Peapod
import Synchronization
import Testing

/// A server for stress tests: shared singletons, a cache that anybody may clear, and what each request builds for itself.
final class StressServer: Sendable {
  /// The scope of the cache, which belongs to the root.
  struct CacheScope: ProviderScope {}

  /// The answer of a request's transient handler.
  struct Answer: Sendable {
    let user: String
    let revision: Int
    let session: StressItem
    let cache: StressItem
    let shared: [StressItem]
  }

  let ledger = StressLedger()
  let root = Pod("root")
  let user = Provider<String>("user", scope: AccountScope()) { _ in "nobody" }
  let revision = Provider("revision") { _ in 0 }
  /// Shared by all requests; each is built from the one before it.
  let shared: [Provider<StressItem>]
  let asyncShared: AsyncProvider<StressItem>
  let cache: Provider<StressItem>
  let session: Provider<StressItem>
  /// Cached in the request, since it is built from the user, and from the revision.
  let page: Provider<StressItem>
  let handler: Provider<Answer>
  /// The last override of the revision in the root that was begun, and the last that was done.
  let begun = Atomic<Int>(0)
  let done = Atomic<Int>(0)

  init() {
    let (ledger, user, revision) = (ledger, user, revision)
    var shared: [Provider<StressItem>] = []
    for index in 0..<4 {
      let former = shared.last
      shared.append(
        Provider("shared \(index)") { pod in
          StressItem("shared \(index)", in: ledger, former.map { [pod.resolve($0)] } ?? [])
        } onDispose: {
          $0.dispose()
        })
    }
    let last = shared[3]
    let asyncShared = AsyncProvider("async shared") { pod in
      await Task.yield()
      return StressItem("async shared", in: ledger, [pod.resolve(last)])
    } onDispose: {
      $0.dispose()
    }
    let cache = Provider("cache", scope: CacheScope()) { pod in
      StressItem("cache", in: ledger, [pod.resolve(last)])
    } onDispose: {
      $0.dispose()
    }
    let session = Provider("session", scope: AccountScope()) { pod in
      StressItem("session", in: ledger, [pod.resolve(last)], user: pod.resolve(user))
    } onDispose: {
      $0.dispose()
    }
    let page = Provider("page") { pod in
      StressItem("page", in: ledger, [], user: pod.resolve(user), revision: pod.resolve(revision))
    } onDispose: {
      $0.dispose()
    }
    let all = shared
    handler = Provider("handler", scope: .alwaysCreateNew) { pod in
      Answer(
        user: pod.resolve(user), revision: pod.resolve(revision), session: pod.resolve(session),
        cache: pod.resolve(cache),
        shared: all.map { pod.resolve($0) })
    }
    (self.shared, self.asyncShared, self.cache, self.session, self.page) = (shared, asyncShared, cache, session, page)
  }

  func request(_ name: String) -> Pod {
    root.makeChild(name, owning: [AccountScope()]) { $0.overrideProvider(user, withValue: name) }
  }

  /// Overrides the revision in the root by the next one.
  func advance() {
    let next = begun.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    root.overrideProvider(revision, withValue: next)
    done.store(next, ordering: .sequentiallyConsistent)
  }

  /// Resolves a transient and what the request caches, and checks what must hold whatever the others do.
  func handle(_ pod: Pod, as name: String, isRevised: Bool = false) {
    let start = ledger.tick()
    let lower = done.load(ordering: .sequentiallyConsistent)
    let answer = pod.resolve(handler)
    let page = pod.resolve(page)
    let upper = begun.load(ordering: .sequentiallyConsistent)
    if answer.user != name { ledger.problems.append("\(name) got the user \(answer.user)") }
    if answer.session.user != name { ledger.problems.append("\(name) got the session of \(answer.session.user)") }
    if page.user != name { ledger.problems.append("\(name) got the page of \(page.user)") }
    for revision in [answer.revision, page.revision] where !(lower...upper).contains(revision) {
      ledger.problems.append("\(name) got the revision \(revision), which is none of \(lower)...\(upper)")
    }
    for item in answer.shared + [answer.cache, answer.session, page] { item.check(since: start) }
  }
}

extension StressServer {
  /// Expects that nothing went wrong, and that each instance is disposed once and released when the root is shut down.
  ///
  /// - Parameters:
  ///   - builtOnce: The names of which there must have been exactly one instance.
  ///   - seed: The seed, for the message.
  ///   - sourceLocation: The place that a failure names.
  func expectCalm(builtOnce: [String] = [], seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async {
    #expect(ledger.problems.entries.prefix(5) == [], "seed \(seed)", sourceLocation: sourceLocation)
    let counts = StressLedger.counts(ledger.built)
    for name in builtOnce {
      #expect(counts[name] == 1, "\(name) with seed \(seed)", sourceLocation: sourceLocation)
    }
    await root.shutdown()
    let (built, disposed) = (StressLedger.counts(ledger.built), StressLedger.counts(ledger.disposed))
    #expect(built == disposed, "seed \(seed)", sourceLocation: sourceLocation)
    // The frame of a task that has ended may be released a moment later.
    let end = ContinuousClock.now + .seconds(10)
    while ledger.live.load(ordering: .relaxed) != 0, ContinuousClock.now < end { await Task.yield() }
    #expect(ledger.live.load(ordering: .relaxed) == 0, "alive with seed \(seed)", sourceLocation: sourceLocation)
  }
}
