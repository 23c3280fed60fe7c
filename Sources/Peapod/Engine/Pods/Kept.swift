/// What is looked at while a lock is held: the lock is released first, then these references.
///
/// The last release of an instance, a pod or a provider may run a `deinit` of the user.
final class Kept {
  private var lists: [[AnyObject]] = []

  /// Returns the same objects.
  func keep<Object: AnyObject>(_ objects: [Object]) -> [Object] {
    if !objects.isEmpty { lists.append(objects) }
    return objects
  }
}
