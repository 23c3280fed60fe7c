import Peapod

/// The real thing: a pod with the providers of a plan, whose builders do what the model expects of them.
final class StageWorld: Sendable {
  struct Boom: Error {
    let serial: Int
  }

  final class Instance: Sendable {
    let serial: Int
    let recipe: String
    private let parts: [Instance]
    private let census: Census

    init(_ serial: Int, _ name: String, _ parts: [Instance], in census: Census) {
      self.serial = serial
      recipe = "\(name)(\(parts.map(\.recipe).joined(separator: ",")))"
      self.parts = parts
      self.census = census
      census.enter()
    }

    init(value: String, in census: Census) {
      serial = 0
      recipe = value
      parts = []
      self.census = census
      census.enter()
    }

    deinit { census.leave() }
  }

  struct Record {
    var serial = 0
    var begun = 0
    var live = 0
    var gated = 0
    var failing: Set<Int> = []
    var gates: [Int: Turnstile] = [:]
    var disposed: [Int] = []
    var answers: [Int: StageModel.Answer] = [:]
  }

  let pod = Pod("model")
  let record = Locked(Record())
  let census: Census
  let plain: [Provider<Instance>]
  let async: [AsyncProvider<Instance>]

  init(_ plan: StagePlan, in census: Census) {
    self.census = census
    let builder = Builder(record: record, census: census)
    let dispose: @Sendable (Instance) -> Void = { [record] instance in
      record.withLock { $0.disposed.append(instance.serial) }
    }
    var plain: [Provider<Instance>] = []
    for index in 0..<plan.plainCount {
      let build: @Sendable (Pod) -> Instance = { _ in builder.plain(index, 0) }
      let provider =
        switch plan.items[index].scope {
        case .outer: Provider("\(index)", scope: StageScope.Outer(), build, onDispose: dispose)
        case .inner: Provider("\(index)", scope: StageScope.Inner(), build, onDispose: dispose)
        default: Provider("\(index)", build, onDispose: dispose)
        }
      plain.append(provider)
    }
    var async: [AsyncProvider<Instance>] = []
    for index in plan.asyncIndices {
      let item = plan.items[index]
      let parts = item.parts.map { plain[$0] }
      let below = item.below.map { async[$0 - plan.plainCount] }
      let build: @Sendable (Pod) async throws -> Instance = { @Stage pod in
        try await builder.async(index, 0, pod, parts, below)
      }
      let provider =
        switch item.scope {
        case .outer: AsyncProvider("\(index)", scope: StageScope.Outer(), build, onDispose: dispose)
        case .inner: AsyncProvider("\(index)", scope: StageScope.Inner(), build, onDispose: dispose)
        case .single: AsyncProvider("\(index)", build, onDispose: dispose)
        case .fresh: AsyncProvider("\(index)", scope: .alwaysCreateNew, build)
        }
      async.append(provider)
    }
    self.plain = plain
    self.async = async
  }

  func override(_ index: Int, _ number: Int, _ kind: StageOverride) {
    let builder = Builder(record: record, census: census)
    let value = Instance(value: "\(index)=\(number)", in: census)
    guard index >= plain.count else {
      switch kind {
      case .value: pod.overrideProvider(plain[index], withValue: value)
      default: pod.overrideProvider(plain[index]) { _ in builder.plain(index, number) }
      }
      return
    }
    let provider = async[index - plain.count]
    switch kind {
    case .value: pod.overrideProvider(provider, withValue: value)
    case .builder: pod.overrideProvider(provider) { @Stage in try await builder.async(index, number, $0, [], nil) }
    case .decorator:
      pod.overrideProvider(provider) { @Stage in try await builder.async(index, number, $0, [], provider) }
    }
  }

  func removeOverride(_ index: Int) {
    if index < plain.count {
      pod.removeOverrideProvider(plain[index])
    } else {
      pod.removeOverrideProvider(async[index - plain.count])
    }
  }

  func cached(_ index: Int) -> String? {
    index < plain.count
      ? pod.cachedInstance(of: plain[index])?.recipe : pod.cachedInstance(of: async[index - plain.count])?.recipe
  }

  @Stage func resolve(_ index: Int, caller: Int) -> Task<Void, Never> {
    let provider = async[index - plain.count]
    return Task { @Stage [pod, record] in
      record.withLock { $0.begun += 1 }
      let answer: StageModel.Answer
      do {
        answer = .value(try await pod.resolve(provider).recipe)
      } catch let boom as Boom {
        answer = .boom(boom.serial)
      } catch is CancellationError {
        answer = .cancelled
      } catch {
        answer = .value("unexpected: \(error)")
      }
      record.withLock { $0.answers[caller] = answer }
    }
  }

  func hold(_ index: Int) {
    record.withLock { if $0.gates[index] == nil { $0.gates[index] = Turnstile() } }
  }

  func release(_ index: Int) {
    record.withLock { $0.gates.removeValue(forKey: index) }?.open()
  }
}

/// What the builders of a world do.
private struct Builder: Sendable {
  let record: Locked<StageWorld.Record>
  let census: Census

  func plain(_ index: Int, _ number: Int) -> StageWorld.Instance {
    let serial = record.withLock {
      $0.serial += 1
      return $0.serial
    }
    return StageWorld.Instance(serial, name(index, number, serial), [], in: census)
  }

  @Stage func async(
    _ index: Int, _ number: Int, _ pod: Pod, _ parts: [Provider<StageWorld.Instance>],
    _ below: AsyncProvider<StageWorld.Instance>?
  ) async throws -> StageWorld.Instance {
    let (serial, fails) = record.withLock {
      $0.serial += 1
      $0.live += 1
      return ($0.serial, $0.failing.remove(index) != nil)
    }
    defer { record.withLock { $0.live -= 1 } }
    var collected = parts.map { pod.resolve($0) }
    if let below { collected.append(try await pod.resolve(below)) }
    if let gate = record.withLock({ $0.gates[index] }) {
      record.withLock { $0.gated += 1 }
      defer { record.withLock { $0.gated -= 1 } }
      try await gate.pass()
    }
    if fails { throw StageWorld.Boom(serial: serial) }
    return StageWorld.Instance(serial, name(index, number, serial), collected, in: census)
  }

  private func name(_ index: Int, _ number: Int, _ serial: Int) -> String {
    "\(index)\(number == 0 ? "" : "'\(number)")#\(serial)"
  }
}
