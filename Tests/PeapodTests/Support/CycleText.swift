import Foundation
import Peapod
import Testing

/// Expects a cycle message to list places of declaration in the order of the cycle, from any of them round to itself
/// again, and to say how to break the cycle.
func expectCycleText(_ text: String, lists places: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  // A crash report, which may follow the message, is full of other names.
  let message = text.components(separatedBy: "Program crashed")[0]
  let isListed = places.indices.contains { start in
    var rest = message[...]
    for place in places[start...] + places[...start] {
      guard let range = rest.range(of: place) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
  #expect(isListed, "the cycle through \(places) is not in: \(message)", sourceLocation: sourceLocation)
  #expect(message.contains("lazy"), "no word of lazy in: \(message)", sourceLocation: sourceLocation)
  #expect(message.contains("factory"), "no word of factory in: \(message)", sourceLocation: sourceLocation)
}

/// Expects an error to report the cycle through providers of the given names, from any of them round to itself again.
func expectCycle(
  _ error: (any Error)?, through names: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let error = error as? ProviderCycleError else {
    Issue.record("no cycle error: \(String(describing: error))", sourceLocation: sourceLocation)
    return
  }
  let path = error.path.map(\.name)
  #expect(error.path.first == error.path.last, sourceLocation: sourceLocation)
  #expect(error.path.first?.id == error.path.last?.id, sourceLocation: sourceLocation)
  let rotations = names.indices.map { Array(names[$0...] + names[...$0]) }
  #expect(rotations.contains(path), "not the cycle through \(names): \(path)", sourceLocation: sourceLocation)
  let places = error.path.dropLast().map { "\($0.fileID):\($0.line)" }
  expectCycleText(error.description, lists: places, sourceLocation: sourceLocation)
}

/// Returns the error that a body throws.
func error(of body: () throws -> some Any) -> (any Error)? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
