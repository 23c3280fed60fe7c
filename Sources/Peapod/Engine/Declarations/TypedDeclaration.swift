/// A declaration that knows the type of its values.
class TypedDeclaration<Value>: Declaration, @unchecked Sendable {
  // Safe: as its base class; no field is added.

  init(_ kind: Kind, at place: Place, _ details: Details) {
    super.init(kind, isReference: Value.self is AnyObject.Type, at: place, details)
  }

  final override func object(in value: StoredValue) -> AnyObject? {
    classInstance(in: value.load(as: Value.self, isReference: isReference))
  }

  final override func value(of object: StoredValue) -> StoredValue {
    // Safe: `object(in:)` found this instance in a value of this type, directly, in an existential or in an optional.
    StoredValue.storing(object.object.takeUnretainedValue() as! Value, isReference: isReference)
  }

  final override var valueType: String { "\(Value.self)" }
}

/// Returns the class instance that a value is, or that an existential or an optional contains; `nil` for any other value.
func classInstance(in value: Any) -> AnyObject? {
  if type(of: value) is AnyObject.Type { return value as AnyObject }
  guard let optional = value as? any OptionalValue, let wrapped = optional.wrapped else { return nil }
  return classInstance(in: wrapped)
}

private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { self }
}

final class SyncDeclaration<Value>: TypedDeclaration<Value>, @unchecked Sendable {
  // Safe: as its base class; the added field is constant.

  typealias Build = (Pod) throws -> Value

  let build: Build

  init(_ kind: Kind, at place: Place, _ details: Details, build: @escaping Build) {
    self.build = build
    super.init(kind, at: place, details)
  }

  override func store(in pod: Pod) throws -> StoredValue {
    .storing(try build(pod), isReference: isReference)
  }
}

final class AsyncDeclaration<Value: Sendable>: TypedDeclaration<Value>, @unchecked Sendable {
  // Safe: as its base class; the added field is constant.

  typealias Build = @Sendable (Pod) async throws -> Value

  let build: Build

  init(at place: Place, _ details: Details, build: @escaping Build) {
    self.build = build
    super.init(.async, at: place, details)
  }

  override func storeAsync(in pod: Pod) async throws -> StoredValue {
    .storing(try await build(pod), isReference: isReference)
  }
}
