/// The objects that are visited while a lock is held, retained until the lock is released.
///
/// The last release of an instance, a pod or a provider may run a `deinit` of the user.
final class RetainedObjects {
  private var lists: [[AnyObject]] = []

  func add<Object: AnyObject>(_ objects: [Object]) -> [Object] {
    if !objects.isEmpty { lists.append(objects) }
    return objects
  }

  func add(_ object: AnyObject) { lists.append([object]) }
}
