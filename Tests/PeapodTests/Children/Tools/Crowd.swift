import Peapod

/// Thirty providers: one value, twenty that do not depend on it, and nine that do, four of them in an owned scope.
struct Crowd: Sendable {
  static let size = 30

  /// An instance that knows the value it was built for, or none.
  final class Member: Sendable {
    let value: Int?
    let parts: [Member]
    private let census: Census

    init(_ value: Int? = nil, _ parts: [Member] = [], in census: Census) {
      self.value = value
      self.parts = parts
      self.census = census
      census.enter()
    }

    deinit { census.leave() }

    /// Whether everything below this one that knows a value knows that one.
    func agrees(with expected: Int) -> Bool {
      // Each once: there are far more ways down than members.
      var seen: Set<ObjectIdentifier> = []
      var rest = [self]
      while let member = rest.popLast() {
        guard (member.value ?? expected) == expected else { return false }
        rest += member.parts.filter { seen.insert(ObjectIdentifier($0)).inserted }
      }
      return true
    }
  }

  let census = Census()
  let built = Counter()
  let value: Provider<Int>
  let untouched: [Provider<Member>]
  let touched: [Provider<Member>]

  init() {
    let census = census
    let built = built
    let value = Provider("value") { _ in -1 }
    var untouched: [Provider<Member>] = []
    for index in 0..<20 {
      let below = [index - 1, index / 2 - 1].filter { $0 >= 0 }.map { untouched[$0] }
      untouched.append(
        Provider("untouched\(index)") { pod in
          built.increment()
          return Member(nil, below.map { pod.resolve($0) }, in: census)
        })
    }
    var touched: [Provider<Member>] = []
    for index in 0..<9 {
      let shared = [untouched[index], untouched[19 - index]]
      let below = Array(touched.suffix(2))
      let build: @Sendable (Pod) -> Member = { pod in
        // Only the lowest two ask for the value themselves; the others learn of it through what they are built from.
        let parts = (shared + below).map { pod.resolve($0) }
        return Member(below.isEmpty || index == 1 ? pod.resolve(value) : parts.last?.value, parts, in: census)
      }
      if index.isMultiple(of: 2) {
        touched.append(Provider("touched\(index)", build))
      } else {
        touched.append(Provider("touched\(index)", scope: OwnedScope(), build))
      }
    }
    self.value = value
    self.untouched = untouched
    self.touched = touched
  }

  /// Whether every provider of the crowd, asked in an order that the number decides, answers for that value.
  func agrees(in pod: Pod, value expected: Int, sharing shared: [Member]?) -> Bool {
    guard pod.resolve(value) == expected else { return false }
    for step in 0..<(untouched.count + touched.count) {
      // 7 and 29 have no common divisor, so each is asked once.
      let index = (step * 7 + abs(expected)) % (untouched.count + touched.count)
      if index < untouched.count {
        let member = pod.resolve(untouched[index])
        guard member.value == nil else { return false }
        if let shared, shared[index] !== member { return false }
      } else {
        let provider = touched[index - untouched.count]
        let member = pod.resolve(provider)
        guard member.value == expected, member.agrees(with: expected), pod.resolve(provider) === member else {
          return false
        }
      }
    }
    return true
  }
}
