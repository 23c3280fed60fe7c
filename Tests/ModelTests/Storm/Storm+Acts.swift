import Peapod

/// What the workers of a storm do, and what each of them must see.
extension Storm {
  /// One act of a thread, which alone overrides one of the leaves.
  func act(as worker: Int, in root: Pod, _ isOverridden: inout Int?, _ generator: inout SplitMix64) {
    let leaf = leaves[worker]
    switch generator.below(100) {
    case 0..<30: expectLeaf(isOverridden, worker, in: root)
    case 30..<50: resolveAny(in: root, &generator)
    case 50..<58:
      let value = StormItem("value", leaf: worker, isValue: true, in: ledger)
      isOverridden = value.serial
      root.overrideProvider(leaf, withValue: value)
      expectLeaf(isOverridden, worker, in: root)
    case 58..<64:
      isOverridden = nil
      root.removeOverrideProvider(leaf)
      expectLeaf(nil, worker, in: root)
    case 64..<70:
      let child = root.makeChild(owning: generator.chance(50) ? [ScopeChoice.outer.scope] : [])
      expectLeaf(isOverridden, worker, in: child)
      let value = override(worker, in: child)
      expectLeaf(value, worker, in: child)
      expectLeaf(value, worker, in: child.makeChild(owning: [ScopeChoice.inner.scope]))
      expectLeaf(isOverridden, worker, in: root)
      child.removeOverrideProvider(leaf)
      expectLeaf(isOverridden, worker, in: child)
    case 70..<76:
      var value: Int?
      root.withOverrides({ value = override(worker, in: $0) }) { expectLeaf(value, worker, in: root) }
      expectLeaf(isOverridden, worker, in: root)
    case 76..<80:
      root.withChild(owning: [ScopeChoice.firstTab.scope]) { expectLeaf(isOverridden, worker, in: $0) }
    case 80..<84:
      root.withFreshInstance(of: top) { check($0.leaves[worker], isOverridden, "a fresh top") }
    case 84..<88:
      let lazy = root.lazy(top)
      check(lazy.value.leaves[worker], isOverridden, "a lazy top")
    case 88..<93:
      root.clearCachedInstances(forScope: ScopeChoice.clearable[generator.below(ScopeChoice.clearable.count)].scope)
    case 93..<97: clearAny(in: root, &generator)
    case 97: root.dispose()
    default: _ = root.graph.description
    }
  }

  /// One act of a task.
  func act(
    asTask worker: Int, in root: Pod, _ isOverridden: inout Int?, _ generator: inout SplitMix64
  ) async {
    switch generator.below(100) {
    case 0..<40: await expectLeaf(isOverridden, worker, in: root)
    case 40..<50:
      isOverridden = override(worker, in: root)
      await expectLeaf(isOverridden, worker, in: root)
    case 50..<56:
      isOverridden = nil
      root.removeOverrideProvider(leaves[worker])
      await expectLeaf(nil, worker, in: root)
    case 56..<64:
      var value: Int?
      await root.withOverrides({ value = override(worker, in: $0) }) { await expectLeaf(value, worker, in: root) }
      await expectLeaf(isOverridden, worker, in: root)
    case 64..<70:
      var value: Int?
      await root.withChild(configure: { value = override(worker, in: $0) }) { await expectLeaf(value, worker, in: $0) }
    case 70..<84:
      let task = Task { try await root.resolve(asyncTop) }
      if generator.chance(50) { await Task.yield() }
      task.cancel()
      do { _ = try await task.value } catch {
        if !(error is CancellationError) { ledger.problems.append("a cancelled task got \(error)") }
      }
    case 84..<88: await root.shutdown(scope: ScopeChoice.outer.scope)
    case 88: await root.shutdown()
    default:
      for case .async(let provider) in middles.map(\.provided) {
        do { _ = try await root.resolve(provider) } catch {
          if !(error is Planned) { ledger.problems.append("a task got \(error)") }
        }
      }
    }
  }

  // MARK: - What must be so

  /// A top in a pod is built from the worker's own leaf as the worker has left it, and from nothing else of it.
  private func expectLeaf(_ value: Int?, _ worker: Int, in pod: Pod) {
    let start = ledger.tick()
    let item = pod.resolve(top)
    item.check(since: start)
    check(item.leaves[worker], value, "a top")
  }

  private func expectLeaf(_ value: Int?, _ worker: Int, in pod: Pod) async {
    let start = ledger.tick()
    do {
      let item = try await pod.resolve(asyncTop)
      item.check(since: start)
      check(item.leaves[worker], value, "an async top")
    } catch {
      ledger.problems.append("a task that was not cancelled got \(error)")
    }
  }

  private func check(_ seen: Set<Int>?, _ value: Int?, _ what: String) {
    guard let seen, !seen.isEmpty else { return ledger.problems.append("\(what) has no leaf") }
    if let value {
      if seen != [value] { ledger.problems.append("\(what) was built from \(seen), not from the override \(value)") }
    } else if let stale = seen.first(where: { $0 < 0 }) {
      ledger.problems.append("\(what) was built from the override \(stale), which is gone")
    }
  }

  // MARK: - Acts

  private func override(_ worker: Int, in pod: Pod) -> Int {
    let value = StormItem("value", leaf: worker, isValue: true, in: ledger)
    pod.overrideProvider(leaves[worker], withValue: value)
    return value.serial
  }

  private func resolveAny(in pod: Pod, _ generator: inout SplitMix64) {
    let start = ledger.tick()
    switch middles[generator.below(middles.count)].provided {
    case .plain(let provider): pod.resolve(provider).check(since: start)
    case .throwing(let provider):
      do { try pod.resolve(provider).check(since: start) } catch {
        if !(error is Planned) { ledger.problems.append("a thread got \(error)") }
      }
    case .async(let provider): pod.cachedInstance(of: provider)?.check(since: start)
    }
  }

  private func clearAny(in pod: Pod, _ generator: inout SplitMix64) {
    func clear(_ provider: some ProviderProtocol) { pod.clearCachedInstance(of: provider) }
    clear(middles[generator.below(middles.count)].provided.any)
  }
}
