extension Collection where Element: Sendable {
  /// Transforms several elements at the same time, and returns the results in the order of the elements.
  func concurrentMap<Output: Sendable>(
    limit: Int, _ transform: @escaping @Sendable (Element) async -> Output
  ) async -> [Output] {
    await withTaskGroup(of: (index: Int, output: Output).self) { group in
      var waiting = enumerated().makeIterator()
      func startNext() {
        guard let (index, element) = waiting.next() else { return }
        group.addTask { (index, await transform(element)) }
      }

      for _ in 0..<limit { startNext() }
      var outputs: [Int: Output] = [:]
      for await (index, output) in group {
        outputs[index] = output
        startNext()
      }
      return (0..<count).map { outputs[$0]! }
    }
  }
}
