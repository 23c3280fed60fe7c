import Peapod

/// The pod's operations, for any kind of node.
extension Pod {
  func overrideProvider(_ member: DeclaredMember, scope: (any ProviderScope)?, _ builder: DeclaredNode.Builder) {
    let make = builder.make
    let makeAsync = builder.makeAsync
    func override(_ scope: some ProviderScope) {
      switch member {
      case .plain(let provider): overrideProvider(provider, scope: scope) { try! make($0, 0) }
      case .throwing(let provider): overrideProvider(provider, scope: scope) { try make($0, 0) }
      case .async(let provider): overrideProvider(provider, scope: scope) { try await makeAsync($0, 0) }
      case .mainActor(let provider): overrideProvider(provider, scope: scope) { try! make($0, 0) }
      }
    }
    if let scope { return override(scope) }
    switch member {
    case .plain(let provider): overrideProvider(provider) { try! make($0, 0) }
    case .throwing(let provider): overrideProvider(provider) { try make($0, 0) }
    case .async(let provider): overrideProvider(provider) { try await makeAsync($0, 0) }
    case .mainActor(let provider): overrideProvider(provider) { try! make($0, 0) }
    }
  }

  @MainActor
  func overrideProvider(_ member: DeclaredMember, withValue value: Product) {
    switch member {
    case .plain(let provider): overrideProvider(provider, withValue: value)
    case .throwing(let provider): overrideProvider(provider, withValue: value)
    case .async(let provider): overrideProvider(provider, withValue: value)
    case .mainActor(let provider): overrideProvider(provider, withValue: value)
    }
  }

  func overrideFamily(_ node: DeclaredNode, _ builder: DeclaredNode.Builder) {
    let make = builder.make
    let makeAsync = builder.makeAsync
    switch node {
    case .provider: fatalError("no family")
    case .plain(let family): overrideProvider(family) { try! make($0, $1.number) }
    case .throwing(let family): overrideProvider(family) { try make($0, $1.number) }
    case .async(let family): overrideProvider(family) { try await makeAsync($0, $1.number) }
    case .mainActor(let family): overrideProvider(family) { try! make($0, $1.number) }
    }
  }

  func removeFamilyOverride(_ node: DeclaredNode) {
    switch node {
    case .provider: fatalError("no family")
    case .plain(let family): removeOverrideProvider(family)
    case .throwing(let family): removeOverrideProvider(family)
    case .async(let family): removeOverrideProvider(family)
    case .mainActor(let family): removeOverrideProvider(family)
    }
  }

  func clearFamily(_ node: DeclaredNode) {
    switch node {
    case .provider: fatalError("no family")
    case .plain(let family): clearCachedInstances(of: family)
    case .throwing(let family): clearCachedInstances(of: family)
    case .async(let family): clearCachedInstances(of: family)
    case .mainActor(let family): clearCachedInstances(of: family)
    }
  }

  func cachedSerial(of member: DeclaredMember) -> Int? {
    switch member {
    case .plain(let provider): cachedInstance(of: provider)?.serial
    case .async(let provider): cachedInstance(of: provider)?.serial
    default: nil
    }
  }
}
