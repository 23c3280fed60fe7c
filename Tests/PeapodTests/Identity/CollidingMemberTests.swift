import Peapod
import Synchronization
import Testing

/// Rule 22 and the limits: members whose arguments hash alike cost no more comparisons than the chain of a `Dictionary`.
@Suite struct CollidingMemberTests {
  private final class Comparisons: Sendable {
    private let count = Atomic<Int>(0)
    func add() { count.wrappingAdd(1, ordering: .relaxed) }

    /// The comparisons of a body.
    func counted(in body: () -> Void) -> Int {
      let start = count.load(ordering: .relaxed)
      body()
      return count.load(ordering: .relaxed) - start
    }
  }

  /// An argument that counts how often it is compared and hashed; all hash alike.
  private struct Colliding: Hashable, Sendable {
    var number: Int
    var isEqualToItself = true
    let comparisons: Comparisons

    static func == (left: Colliding, right: Colliding) -> Bool {
      left.comparisons.add()
      return left.isEqualToItself && left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      comparisons.add()
      hasher.combine(0)
    }
  }

  private let family = Provider.family("member") { (_, argument: Colliding) in argument.number }
  private let comparisons = Comparisons()

  private func arguments(_ count: Int, isEqualToItself: Bool = true) -> [Colliding] {
    (0..<count).map { Colliding(number: $0, isEqualToItself: isEqualToItself, comparisons: comparisons) }
  }

  /// The comparisons of a dictionary that gets the same keys and finds them again.
  private func dictionaryCount(_ arguments: [Colliding]) -> Int {
    var dictionary: [Colliding: Int] = [:]
    return comparisons.counted {
      for argument in arguments { dictionary[argument] = argument.number }
      for argument in arguments { #expect(dictionary[argument] == (argument.isEqualToItself ? argument.number : nil)) }
    }
  }

  private func podCount(_ arguments: [Colliding], in pod: Pod) -> Int {
    comparisons.counted {
      for _ in 0..<2 { for argument in arguments { #expect(pod.resolve(family(argument)) == argument.number) } }
    }
  }

  /// How many look-ups a resolve may take for each one that a dictionary takes: of the member, and of its instance in
  /// each pod that is asked.
  private let lookUps = 4

  @Test("R22 resolving members twice", arguments: [50, 100, 200])
  func members(count: Int) {
    let arguments = arguments(count)
    let limit = lookUps * dictionaryCount(arguments)
    #expect(podCount(arguments, in: Pod()) <= limit)
  }

  @Test("R19 R22 through a child pod, and with an override")
  func throughChild() {
    let arguments = arguments(100)
    let limit = lookUps * dictionaryCount(arguments)
    let root = Pod()
    #expect(podCount(arguments, in: root.makeChild()) <= limit)
    let child = root.makeChild { $0.overrideProvider(family) { _, argument in argument.number } }
    #expect(podCount(arguments, in: child) <= limit)
  }

  @Test("R22 the growth is that of a chain: twice the members, four times the comparisons")
  func growth() {
    let few = podCount(arguments(100), in: Pod())
    let many = podCount(arguments(200), in: Pod())
    #expect(many <= 5 * few)
  }

  @Test("R22 arguments that are never equal to themselves, as NaN")
  func neverEqual() {
    let arguments = arguments(60, isEqualToItself: false)
    // Each resolve makes a member of its own, so the dictionary gets each key twice.
    let limit = lookUps * dictionaryCount(arguments + arguments)
    let pod = Pod()
    #expect(podCount(arguments, in: pod) <= limit)
    pod.clearCachedInstances(of: family)
    #expect(pod.resolve(family(Colliding(number: 1, comparisons: comparisons))) == 1)
  }

  @Test("R22 threads that make colliding members at once get one member for the same arguments")
  func atOnce() async throws {
    for _ in 0..<100 {
      let family = Provider.family("member") { (_, argument: Colliding) in argument.number }
      let arguments = arguments(4)
      let members = try await runThreads(4) { _ in arguments.map { family($0) } }
      for member in members { #expect(member == members[0]) }
    }
  }

  @Test("R22 R27 members that are cleared leave nothing to compare with")
  func cleared() {
    let pod = Pod()
    _ = podCount(arguments(100), in: pod)
    pod.clearCachedInstances(of: family)
    let next = comparisons.counted {
      _ = pod.resolve(family(Colliding(number: 1_000, comparisons: comparisons)))
    }
    #expect(next <= 10)
  }
}
