/// The objects that are visited while a lock is held, retained until the lock is released.
///
/// The last release of an instance, a pod or a provider may run a `deinit` of the user.
final class RetainedObjects {
  /// Arrays of objects; a conversion to arrays of `AnyObject` would visit each object.
  private var lists: [Any] = []
  private var values: [(value: StoredValue, declaration: Declaration)] = []

  deinit {
    for (value, declaration) in values { declaration.release(value) }
  }

  func add<Object: AnyObject>(_ objects: [Object]) -> [Object] {
    if !objects.isEmpty { lists.append(objects) }
    return objects
  }

  /// Takes over a reference to a value of a provider.
  func add(_ value: StoredValue, of declaration: Declaration) { values.append((value, declaration)) }
}
