/// A parameterized provider: it has one member for each distinct set of arguments.
///
/// Call the family with arguments to get a member, which is a provider:
/// ```swift
/// let userProvider = Provider.family { (pod, id: Int) in User(id, api: pod.resolve(apiProvider)) }
/// let user = pod.resolve(userProvider(7))
/// ```
/// - Note: Each call with arguments that are not hashable gives a new member. To override such members, override the
///   family.
public struct ProviderFamily<Member: ProviderProtocol, each Argument>: Sendable {
  @usableFromInline let family: FamilyDeclaration
  /// The members of the latest calls, found by the bits of their arguments.
  // Safe: `makeMember` retains the object.
  @usableFromInline let recent: Unmanaged<RecentMembers>?
  @usableFromInline let makeMember: @Sendable (FamilyDeclaration, Bool, repeat each Argument) -> Member

  /// Returns the member for these arguments.
  ///
  /// - Complexity: O(1) besides hashing the arguments. A member that exists is found without an allocation.
  /// - Parameter arguments: The arguments of the builder.
  /// - Returns: The provider for these arguments.
  @inlinable
  public func callAsFunction(_ arguments: repeat each Argument) -> Member {
    var isToBeNoted = false
    if let recent {
      // This code is inlined into the caller, which knows the types.
      var raw = RawArguments()
      repeat raw.append(each arguments)
      // An optimized caller that does not use the family afterwards would otherwise release the family before this
      // read.
      var word = withExtendedLifetime(self) { recent._withUnsafeGuaranteedRef { $0.member(raw, &isToBeNoted) } }
      // Safe: each kind of provider is one reference to its declaration, and `member` retained this reference for the
      // caller.
      if word != 0 { return Memory.take(&word) }
    }
    return makeMember(family, isToBeNoted, repeat each arguments)
  }
}

extension Declaration {
  /// The arguments of a family member, as the argument type of its family.
  @inline(__always)
  fileprivate func arguments<Arguments: FamilyArguments>(as type: Arguments.Type) -> Arguments {
    // Safe: all members of a family have arguments of its types.
    unsafeDowncast(details.unsafelyUnwrapped.arguments.unsafelyUnwrapped, to: type)
  }
}

extension ProviderFamily: CustomStringConvertible {
  /// The name and the place of the declaration.
  public var description: String { family.description }
}

extension ProviderFamily {
  /// Creates a family that finds its members by their arguments.
  init<Value>(
    hashed name: String?, kind: Declaration.Kind, scope: NamedScope, fileID: StaticString, line: UInt,
    valueType: Value.Type,
    declare: @escaping @Sendable (FamilyDeclaration, TypedArguments<repeat each Argument>) -> Declaration,
    member: @escaping @Sendable (consuming Declaration) -> Member
  ) where repeat each Argument: Hashable & Sendable {
    assert(MemoryLayout<Member>.size == MemoryLayout<UInt>.size, "a provider is one reference")
    family = FamilyDeclaration(
      kind, at: .init(fileID, line), .init(name, scope: scope), valueType: "\(valueType)")
    // Members for integers and strings are mostly found by the bits of the arguments. This is faster than hashing and
    // comparing.
    let recent = RawArguments.hold(repeat (each Argument).self) ? RecentMembers() : nil
    self.recent = recent.map { .passUnretained($0) }
    makeMember = { (family: FamilyDeclaration, isToBeNoted: Bool, arguments: repeat each Argument) in
      // Each argument's own hash is faster than one hasher for all arguments.
      var hash = 0
      for argument in repeat each arguments { hash = (hash &* 31) ^ argument.hashValue }
      // Mostly the first member with that hash is the right one. Checking it here is faster than checking it in a
      // closure.
      if let known = family.members.first(hash: hash) {
        let own = known.arguments(as: TypedArguments<repeat each Argument>.self)
        if own.isEqual(to: repeat each arguments) {
          if isToBeNoted { recent?.note(known, own.raw) }
          return member(known)
        }
      }
      return member(
        family.members.find(hash: hash) { known in
          known.arguments(as: TypedArguments<repeat each Argument>.self).isEqual(to: repeat each arguments)
        } make: {
          declare(family, TypedArguments(repeat each arguments, hash: hash))
        })
    }
  }

  /// Creates a family that makes a new member at each call.
  init<Value>(
    unhashed name: String?, kind: Declaration.Kind, fileID: StaticString, line: UInt, valueType: Value.Type,
    declare: @escaping @Sendable (FamilyDeclaration, TypedArguments<repeat each Argument>) -> Declaration,
    member: @escaping @Sendable (consuming Declaration) -> Member
  ) where repeat each Argument: Sendable {
    family = FamilyDeclaration(
      kind, at: .init(fileID, line), .init(name, scope: .alwaysCreateNew), valueType: "\(valueType)")
    recent = nil
    makeMember = { (family: FamilyDeclaration, _: Bool, arguments: repeat each Argument) in
      member(declare(family, TypedArguments(repeat each arguments, hash: nil)))
    }
  }
}
