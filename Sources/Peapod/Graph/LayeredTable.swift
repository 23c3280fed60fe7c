/// A table of a pod, with the tables of its ancestors, none of which is copied.
package final class LayeredTable<Key: Hashable, Value> {
  private let own: [Key: Value]
  private let ancestors: LayeredTable?

  package init(_ own: [Key: Value], above ancestors: LayeredTable?) {
    self.own = own
    self.ancestors = ancestors
  }

  /// The value of the nearest pod that has the key.
  package subscript(key: Key) -> Value? {
    sequence(first: self, next: \.ancestors).lazy.compactMap { $0.own[key] }.first
  }
}
