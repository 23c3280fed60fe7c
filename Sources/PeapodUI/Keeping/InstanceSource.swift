import Peapod

/// A provider of one of the two kinds that a view can resolve without waiting.
nonisolated enum InstanceSource<Value>: Equatable, Sendable {
  case provider(Provider<Value>)
  case mainActorProvider(MainActorProvider<Value>)

  @MainActor
  func resolve(in pod: Pod) -> Value {
    switch self {
    case .provider(let provider): pod.resolve(provider)
    case .mainActorProvider(let provider): pod.resolve(provider)
    }
  }
}
