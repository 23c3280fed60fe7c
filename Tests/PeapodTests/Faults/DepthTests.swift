import Peapod
import Testing

/// How deep a graph may be on a stack of 8 MB.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct DepthTests {
  /// What the page on guarantees promises, for a stack of 8 MB.
  #if DEBUG
    private static let depth = DeepStack.isSanitized ? 200 : 1_500
  #else
    private static let depth = 10_000
  #endif

  /// A decorator and what it wraps are two builders, and a member takes what it is made of as well.
  private static func depth(of shape: Shape) -> Int {
    shape == .overrides || shape == .members ? depth / 2 : depth
  }

  /// How the providers of a chain ask for each other.
  enum Shape: String, CaseIterable, Sendable {
    case instances, values, throwing, members, transients, overrides, inChild

    /// Makes a pod and what resolves the top of a chain in it; the bottom is told when it is reached.
    func chain(of depth: Int, atLevel note: @escaping @Sendable (Int) -> Void) -> (Pod, @Sendable (Pod) throws -> Int) {
      let root = Pod()
      switch self {
      case .instances, .overrides, .inChild:
        var top: Provider<Tracked>?
        for level in 0..<depth {
          let below = top
          let provider = Provider { pod in
            note(level)
            return Tracked(keeping: below.map { [pod.resolve($0).parts[0] as! Int + 1] } ?? [1])
          }
          if self == .overrides {
            root.overrideProvider(provider) { Tracked(keeping: [$0.resolve(provider).parts[0] as! Int]) }
          }
          top = provider
        }
        let last = top!
        let pod = self == .inChild ? root.makeChild(owning: [OwnedScope()]) { _ in } : root
        return (pod, { $0.resolve(last).parts[0] as! Int })
      case .values, .transients:
        var top: Provider<Int>?
        for level in 0..<depth {
          let below = top
          let build: @Sendable (Pod) -> Int = { pod in
            note(level)
            return below.map { pod.resolve($0) + 1 } ?? 1
          }
          top =
            self == .values ? Provider(scope: SingletonScope(), build) : Provider(scope: AlwaysCreateNewScope(), build)
        }
        let last = top!
        return (root, { $0.resolve(last) })
      case .throwing:
        var top: ThrowingProvider<Tracked>?
        for level in 0..<depth {
          let below = top
          top = ThrowingProvider { pod in
            note(level)
            return Tracked(keeping: [try below.map { try pod.resolve($0).parts[0] as! Int + 1 } ?? 1])
          }
        }
        let last = top!
        return (root, { try $0.resolve(last).parts[0] as! Int })
      case .members:
        let family = Locked<ProviderFamily<Provider<Int>, Int>?>(nil)
        let member = Provider.family { [weak family] (pod, level: Int) in
          note(level)
          guard level > 0, let member = family?.withLock({ $0 }) else { return 1 }
          return pod.resolve(member(level - 1)) + 1
        }
        family.withLock { $0 = member }
        return (root, { pod in withExtendedLifetime(family) { pod.resolve(member(depth - 1)) } })
      }
    }
  }

  @Test("R8 a deep chain of providers is built, found and disposed on a stack of 8 MB", arguments: Shape.allCases)
  func deep(shape: Shape) async throws {
    let depth = Self.depth(of: shape)
    try await DeepStack.run {
      let (pod, resolve) = shape.chain(of: depth) { _ in }
      for _ in 0..<2 {
        let (built, found) = (try resolve(pod), try resolve(pod))
        #expect(built == depth && found == depth)
        pod.dispose()
      }
    }
  }

  @Test("R8 a level takes as much of the stack as documented", .enabled(if: !DeepStack.isSanitized))
  func stack() async throws {
    let levels = 200
    for shape in Shape.allCases {
      let marks = Locked([UInt]())
      let bytes = try await DeepStack.run {
        let (pod, resolve) = shape.chain(of: levels) { level in
          var mark = level
          withUnsafePointer(to: &mark) { address in marks.withLock { $0.append(UInt(bitPattern: address)) } }
        }
        _ = try resolve(pod)
        let marks = marks.withLock { $0 }
        // Whether the top or the bottom is told first, the stack grows downwards.
        return Int(marks.max()! - marks.min()!) / (levels - 1)
      }
      #expect(bytes * Self.depth(of: shape) < DeepStack.bytes, "\(shape): \(bytes) bytes a level")
      print("a level of \(shape) takes \(bytes) bytes of the stack")
    }
  }

  @Test("R8 R27 a deep chain of async providers is built on any stack, and shut down in order")
  func asyncChain() async throws {
    let depth = rounds(10_000)
    let ended = Log<Int>()
    var top: AsyncProvider<Int>?
    for level in 0..<depth {
      let below = top
      top = AsyncProvider { pod in
        if let below { return try await pod.resolve(below) + 1 }
        return 1
      } onDispose: { _ in
        ended.append(level)
      }
    }
    let pod = Pod()
    #expect(try await pod.resolve(top!) == depth)
    await pod.shutdown()
    #expect(ended.entries == (0..<depth).reversed())
  }

  @Test(
    "R14 the caller of a deep chain of async providers is canceled, and so are all builds", arguments: [false, true])
  func canceledAsyncChain(isAlternating: Bool) async throws {
    let depth = DeepStack.isSanitized ? 2_000 : 20_000
    let (gate, canceled, ended) = (AsyncGate(), Counter(), Counter())
    var all: [AsyncProvider<Int>] = []
    for level in 0..<depth {
      let below = all.last
      let build: @Sendable (Pod) async throws -> Int = { pod in
        defer { ended.increment() }
        if let below { return try await pod.resolve(below) + 1 }
        // All outer builds stand for this pod.
        _ = pod.makeChild()
        await withTaskCancellationHandler {
          await gate.wait()
        } onCancel: {
          canceled.increment()
        }
        return 1
      }
      all.append(
        isAlternating && level % 2 == 1
          ? AsyncProvider(scope: .alwaysCreateNew) { try await build($0) } : AsyncProvider { try await build($0) })
    }
    let (pod, top, chain) = (Pod(), all[depth - 1], all)
    Self.kept.withLock { $0 += chain }
    let caller = Task { try await pod.resolve(top) }
    await eventually("the lowest is built") { gate.arrived == 1 }
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    await eventually("the lowest is canceled") { canceled.value == 1 }
    gate.open()
    await eventually("all builds end") { ended.value == depth }
  }

  /// The providers of a chain, which would be released in nested calls.
  private static let kept = Locked<[AsyncProvider<Int>]>([])

  @Test("R15 R19 R27 an override at the bottom of a deep chain is seen at the top, and gone again")
  func overrideBelow() async throws {
    let depth = min(Self.depth, 1_000)
    try await DeepStack.run {
      let ended = Counter()
      let bottom = Provider { _ in 0 }
      var top = bottom
      for _ in 0..<depth {
        let below = top
        top = Provider {
          $0.resolve(below) + 1
        } onDispose: { _ in
          ended.increment()
        }
      }
      let pod = Pod()
      let last = top
      #expect(pod.resolve(last) == depth)
      pod.overrideProvider(bottom, withValue: 7)
      #expect(pod.resolve(last) == depth + 7)
      let child = pod.makeChild { $0.overrideProvider(bottom, withValue: 9) }
      #expect(child.resolve(last) == depth + 9)
      pod.removeAllOverrides()
      #expect(pod.resolve(last) == depth)
      #expect(ended.value == depth)
      child.dispose()
      #expect(pod.graph.nodes.count == depth + 1)
      pod.dispose()
      #expect(ended.value == 3 * depth)
    }
  }
}
