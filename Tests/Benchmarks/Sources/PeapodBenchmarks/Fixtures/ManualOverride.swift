/// A container with one service that can be replaced, written by hand.
final class ManualOverride {
  private var original: Service?
  private var replacement: Service?
  private var build: (() -> Service)?

  /// Replaces the service by what a closure makes.
  @inline(never) func override(with build: @escaping () -> Service) { self.build = build }

  /// Returns the service, which is made once.
  @inline(never) func service() -> Service {
    guard let build else {
      let service = original ?? Service()
      original = service
      return service
    }
    let service = replacement ?? build()
    replacement = service
    return service
  }

  /// Removes the replacement.
  @inline(never) func removeOverride() {
    build = nil
    replacement = nil
  }
}
