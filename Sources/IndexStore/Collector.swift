#if os(macOS) || os(Linux)
  /// A list that a C callback appends to.
  final class Collector<Item> {
    var items: [Item] = []
    let library: IndexLibrary

    init(_ library: IndexLibrary) {
      self.library = library
    }

    /// Calls a function that takes this list as its context, and returns what it appended.
    func collect(_ call: (IndexLibrary.Object) -> Bool) -> [Item] {
      withExtendedLifetime(self) { _ = call(Unmanaged.passUnretained(self).toOpaque()) }
      return items
    }

    /// The list that a callback received as its context.
    static func from(_ context: IndexLibrary.Object?) -> Self {
      // Safe: `collect` retains the list for as long as the callbacks run, and passes no other context.
      Unmanaged<Self>.fromOpaque(context!).takeUnretainedValue()
    }
  }
#endif
