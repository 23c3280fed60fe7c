import Peapod

/// What the builders of a run make.
final class Product: Sendable {
  /// A handle that a builder made and stored.
  enum Handle: Sendable {
    case lazy(Lazy<Product>)
    case factory(@Sendable () -> Product)

    var value: Product {
      switch self {
      case .lazy(let lazy): lazy.value
      case .factory(let make): make()
      }
    }
  }

  let serial: Int
  let parts: [Product]
  let handles: [Handle]
  private let workshop: Workshop

  init(_ serial: Int, parts: [Product] = [], handles: [Handle] = [], in workshop: Workshop) {
    self.serial = serial
    self.parts = parts
    self.handles = handles
    self.workshop = workshop
  }

  deinit { workshop.forget(serial) }
}
