import Synchronization

/// A built instance with its dependencies: a node of the dependency graph.
///
/// An instance that a pod caches is in the table of its `home`. The dependencies of a finished instance never change. Direct dependencies
/// were finished earlier. An instance does not refer to its dependents.
///
/// The same class records instances that no pod caches: transient and graph-scoped instances, instances for one use, failed attempts, and
/// cleared instances. The diagram needs such *records*, and so do their dependents.
final class Instance: Keyed, Defined, @unchecked Sendable {
  // Safe: the lock of `home` guards `home` itself, `next`, `state`, `word`, `build` and `hiddenCount`. A reader that holds the
  // value compares `word` without the lock. Only the build writes the other variables, before the instance is finished under the lock.

  enum State: UInt8 {
    /// Being built. Next: cached, or a record if it is not cached.
    case building
    /// In the table of its home, with a value. Next: a record.
    case cached
    /// Not cached, or not any longer. Final.
    case record
  }

  /// The properties of an instance and of its dependencies, direct or not.
  struct Traits: OptionSet {
    let rawValue: UInt8
    /// Holds a deferred dependency.
    static let isDeferred = Traits(rawValue: 1 << 0)
    /// Depends on an instance of another pod.
    static let isCrossPod = Traits(rawValue: 1 << 1)
    /// Belongs to a scope of the user, which can be cleared.
    static let isClearable = Traits(rawValue: 1 << 2)
    static let isOverridden = Traits(rawValue: 1 << 3)
    static let isDisposable = Traits(rawValue: 1 << 4)
    /// Depends on an instance of a child that received its first override during the build.
    ///
    /// The build ran for the child's parent, so no pod caches this instance.
    static let isOfLaterView = Traits(rawValue: 1 << 5)
    /// Holds a deferred dependency that an inner pod or another pod answers.
    static let isAnsweredElsewhere = Traits(rawValue: 1 << 6)
    /// The traits without which all dependencies and answers live in the home and its ancestors.
    static let reachesOtherPods: Traits = [.isCrossPod, .isOfLaterView, .isAnsweredElsewhere]
  }

  /// The flags of one instance, read without a lock.
  ///
  /// Written with the lock of `home` held, or before other threads have the instance.
  struct FlagWord: ~Copyable {
    private let word = Atomic<UInt8>(0)

    var all: Flags {
      @inline(__always) get { Flags(rawValue: word.load(ordering: .relaxed)) }
    }

    @inline(__always)
    func contains(_ flag: Flags) -> Bool { all.contains(flag) }

    @inline(__always)
    func insert(_ flag: Flags) { word.store(all.union(flag).rawValue, ordering: .relaxed) }

    @inline(__always)
    func remove(_ flag: Flags) { word.store(all.subtracting(flag).rawValue, ordering: .relaxed) }
  }

  struct Flags: OptionSet {
    let rawValue: UInt8
    /// In a slot, where readers find it without a lock.
    static let isPublished = Flags(rawValue: 1 << 0)
    /// The value is a `WeakReference`.
    static let isWeak = Flags(rawValue: 1 << 1)
    /// A refresh removed this instance, or an override found its build in progress, so its dependents are outdated too.
    ///
    /// If the instance is hidden, a refresh removed a dependency, so the instance does not return.
    static let isOutdated = Flags(rawValue: 1 << 2)
    /// An inner pod owned the scope, so other pods do not check the scope.
    static let hasInnerOwner = Flags(rawValue: 1 << 3)
    static let ranOnMain = Flags(rawValue: 1 << 4)
    /// The build was cleared, disposed or abandoned while it ran, so the instance is not cached.
    static let isDetached = Flags(rawValue: 1 << 5)
    /// Belongs to one use.
    static let isFresh = Flags(rawValue: 1 << 6)
    static let hasBuild = Flags(rawValue: 1 << 7)
  }

  let declaration: Declaration
  /// The override whose builder made this instance; `nil` for the declaration's own builder.
  let definition: Override?
  /// The state of the pod in which the instance lives.
  ///
  /// During the build, a dependency may move the instance to a child.
  var home: PodState
  /// The next instance of the same provider in the table.
  var next: Instance?
  @exclusivity(unchecked) var dependencies: [Dependency] = []
  /// The build while it runs, and later the value, or zero: `hasBuild` tells which.
  ///
  /// The build and the value are never needed at the same time, so they share memory: each singleton has an instance.
  private let buildOrWord = Atomic<UInt>(0)
  /// Larger than the serials of all dependencies and of all instances that the pod finished before.
  var serial: UInt64 = 0
  /// The durations of the build in nanoseconds, with and without the builds of dependencies.
  var inclusive: Float = 0
  var exclusive: Float = 0
  var state: State
  var traits: Traits = []
  let flags = FlagWord()
  /// How many overrides hide this instance, since it depends on their providers.
  var hiddenCount: UInt16 = 0
  var buildCount: UInt16 = 0

  init(_ declaration: Declaration, _ definition: Override?, in home: PodState, _ state: State) {
    self.declaration = declaration
    self.definition = definition
    self.home = home
    self.state = state
  }

  /// The value, or zero.
  var word: UInt {
    get { flags.contains(.hasBuild) ? 0 : buildOrWord.load(ordering: .relaxed) }
    set {
      assert(!flags.contains(.hasBuild), "a build that runs has no value")
      buildOrWord.store(newValue, ordering: .relaxed)
    }
  }

  /// The build, while it runs.
  ///
  /// The code that runs the build retains it, and sets this property to `nil` at the end, with the lock of `home` held.
  var build: Build? {
    get {
      guard flags.contains(.hasBuild) else { return nil }
      // Safe: with this flag, the word is the address that the setter stored, of a build that has not ended.
      return Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: buildOrWord.load(ordering: .relaxed)).unsafelyUnwrapped)
        .takeUnretainedValue()
    }
    set {
      if let newValue {
        buildOrWord.store(UInt(bitPattern: Unmanaged.passUnretained(newValue).toOpaque()), ordering: .relaxed)
        flags.insert(.hasBuild)
      } else if flags.contains(.hasBuild) {
        buildOrWord.store(0, ordering: .relaxed)
        flags.remove(.hasBuild)
      }
    }
  }

  deinit {
    assert(word == 0, "a value was not disposed")
    guard !dependencies.isEmpty else { return }
    Instance.release(&dependencies)
  }

  /// Releases dependencies one after the other: recursion along a long path could overflow the stack.
  @inline(never)
  private static func release(_ dependencies: inout [Dependency]) {
    var rest = dependencies
    dependencies = []
    while let dependency = rest.popLast() {
      guard var instance = (consume dependency).instance else { continue }
      if isKnownUniquelyReferenced(&instance), !instance.dependencies.isEmpty {
        rest.append(contentsOf: instance.dependencies)
        instance.dependencies = []
      }
    }
  }
}

/// A weak reference in an object of its own.
final class WeakReference: @unchecked Sendable {
  // Safe: written once, before other threads have it.
  weak var object: AnyObject?
  init(_ object: AnyObject) { self.object = object }
}

extension Instance {
  /// Whether nothing else retains the declaration, so that the program cannot name the provider.
  var isOnlyHolder: Bool {
    var address = UInt(bitPattern: Unmanaged.passUnretained(declaration).toOpaque())
    return withUnsafeMutablePointer(to: &address) {
      // Safe: a copy of the bits of a reference that this instance retains, since other threads read the property meanwhile. Only the
      // reference count of the object is read.
      UnsafeMutableRawPointer($0).withMemoryRebound(to: Declaration.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }

  var index: UInt32 { declaration.index }
  var key: UInt32 { declaration.index }
  var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
  var isConstant: Bool { definition?.isConstant ?? false }
  /// Whether a disposal closure is due when the instance is no longer cached.
  var hasDisposal: Bool {
    declaration.hasDisposal && !isConstant && (scopeKind != .weak || flags.contains(.isFresh))
  }

  /// Whether a pod answers requests for a definition with this instance: it is cached and not hidden.
  @inline(__always)
  func isVisible(as definition: Override?, _ held: borrowing PodState.Held) -> Bool {
    state == .cached && hiddenCount == 0 && self.definition === definition
  }

  /// Adds the traits of a dependency, and raises the serial.
  func inherit(_ dependency: Dependency) {
    switch dependency {
    case .instance(let instance):
      traits.formUnion(instance.traits)
      serial = max(serial, instance.serial)
    case .crossPod(let instance, _):
      traits.formUnion(instance.traits.intersection(.isClearable).union(.isCrossPod))
      serial = max(serial, instance.serial)
    case .deferred(let question):
      traits.formUnion(question.isAnsweredElsewhere ? [.isDeferred, .isAnsweredElsewhere] : .isDeferred)
    }
  }

  /// Replaces dependencies by others with the same instances.
  func replaceDependencies(_ settled: [Dependency]) {
    dependencies = settled
    traits = traits.intersection(.isOfLaterView)
    for dependency in dependencies { inherit(dependency) }
  }

  /// Counts one more build, as far as the counter goes.
  func countBuild() { if buildCount < .max { buildCount += 1 } }

  func noteOwnTraits() {
    if scopeKind == .custom, !flags.contains(.hasInnerOwner) { traits.insert(.isClearable) }
    if definition != nil { traits.insert(.isOverridden) }
    if hasDisposal { traits.insert(.isDisposable) }
  }
}
