import CBenchmarkSupport

/// What an existential row resolves.
protocol Greeter: Sendable {
  func greet() -> Int
}

/// An instance of 32 bytes.
final class Service: Greeter {
  let number: Int
  let other: Int

  init() {
    // Opaque, so that no instance is made at compile time: such a one would not be counted by references at all.
    number = Int(benchmark_opaque(1))
    other = 2
  }

  func greet() -> Int { number }
}

/// Another type that greets: the optimiser replaces an existential of a protocol that has only one.
struct Stranger: Greeter {
  func greet() -> Int { 0 }
}

/// An instance with a dependency.
final class Client: Sendable {
  let service: Service

  init(_ service: Service) {
    self.service = service
  }
}

/// An instance so long that the reference counts of two of them are never on one cache line.
final class PaddedService: Sendable {
  let words: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int)
  let moreWords: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int)

  init() {
    let one = Int(benchmark_opaque(1))
    words = (one, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
    moreWords = (one, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
  }
}

/// A structure of 96 bytes with two references.
struct LargeValue: Sendable {
  var first = Service()
  var second = Service()
  var numbers = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
}

/// What lives on the main actor and is not `Sendable` elsewhere.
@MainActor final class Model {
  var number = Int(benchmark_opaque(1))
  var other = 2
}

/// A member of a graph in which each depends on the one before it.
final class Node: Sendable {
  let dependency: Node?
  let number: Int

  init(_ dependency: Node?) {
    self.dependency = dependency
    number = 1
  }
}

/// The top of a graph in which one depends on all others.
final class Hub: Sendable {
  let nodes: [Node]

  init(_ nodes: [Node]) {
    self.nodes = nodes
  }
}
