#if canImport(SwiftUI)
  import Observation
  import Peapod
  import SwiftUI

  /// A property of a view that is resolved in the environment's pod.
  ///
  /// ```swift
  /// struct SearchView: View {
  ///   @Resolve(searchModelProvider) private var model
  ///
  ///   var body: some View {
  ///     TextField("Title", text: $model.query)
  ///   }
  /// }
  /// ```
  /// The instance stays the same while the view's identity, the pod and the provider stay the same. A transient provider
  /// gives each view an instance of its own, which is released with the view. A change of an `@Observable` instance redraws
  /// the views that read the changed property. `$model` gives bindings to the properties.
  ///
  /// - Note: A family member whose arguments are not hashable is another provider at each call. Its instance lasts until the
  ///   parent view is drawn again.
  @propertyWrapper
  @dynamicMemberLookup
  nonisolated public struct Resolve<Value>: DynamicProperty {
    @Environment(\.pod) private var pod
    @State private var keeper: InstanceKeeper<Value>
    private let source: InstanceSource<Value>
    private let following: Following<Value>?
    /// The instance of the last update.
    ///
    /// Closures of this value of the view use this instance.
    private var kept: KeptInstance<Value>?

    /// Creates a property that resolves a provider when it is first read.
    ///
    /// - Parameter provider: The provider to resolve.
    public init(_ provider: Provider<Value>) {
      self.init(.provider(provider))
    }

    /// Creates a property that resolves a main-actor provider when it is first read.
    ///
    /// - Parameter provider: The provider to resolve.
    public init(_ provider: MainActorProvider<Value>) {
      self.init(.mainActorProvider(provider))
    }

    /// Creates a property that resolves a provider when it is first read, and can follow the instance.
    ///
    /// - Parameters:
    ///   - provider: The provider to resolve.
    ///   - following: Whether the view gets each new instance, and is redrawn, when the answer of the pod changes.
    public init(_ provider: Provider<Value>, following: Bool) where Value: Sendable {
      let source = InstanceSource.provider(provider)
      self.init(source, following: following ? Following(source) : nil)
    }

    /// Creates a property that resolves a main-actor provider when it is first read, and can follow the instance.
    ///
    /// - Parameters:
    ///   - provider: The provider to resolve.
    ///   - following: Whether the view gets each new instance, and is redrawn, when the answer of the pod changes.
    public init(_ provider: MainActorProvider<Value>, following: Bool) where Value: Sendable {
      let source = InstanceSource.mainActorProvider(provider)
      self.init(source, following: following ? Following(source) : nil)
    }

    private init(_ source: InstanceSource<Value>, following: Following<Value>? = nil) {
      _keeper = State(initialValue: InstanceKeeper())
      self.source = source
      self.following = following
    }

    /// The instance.
    @MainActor
    public var wrappedValue: Value {
      (kept ?? keeper.instance(of: source, in: pod, following: following)).value
    }

    /// Bindings to the properties of an observable instance: `$model.query`.
    public var projectedValue: Resolve<Value> { self }

    /// Returns a binding to a property of the instance.
    @MainActor
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject>
    where Value: AnyObject & Observable {
      Bindable(wrappedValue)[dynamicMember: keyPath]
    }

    /// Unavailable: bindings need an `@Observable` class.
    @available(*, unavailable, message: "'$' gives bindings to the properties of an @Observable class.")
    public subscript<Subject>(dynamicMember keyPath: KeyPath<Value, Subject>) -> Binding<Subject> { fatalError() }

    /// Finds the instance for the environment's pod.
    ///
    /// SwiftUI calls this function before the view is drawn.
    public mutating func update() {
      kept = keeper.instance(of: source, in: pod, following: following)
    }
  }
#endif
