import Peapod

/// Children and blocks with a body.
extension Session {
  func playBlock(_ operation: Operation, _ pod: Int) async {
    guard let actual = subject.pods[operation.pod] else { return }
    switch operation.action {
    case .withOverrides(let changes, _, let body):
      let start = beginBlock(operation.pod, pod)
      write(changes, "await pods[\(operation.pod)]!.withOverrides({ pod in", "}) {")
      await actual.withOverrides({ configure($0, start.block, changes) }) {
        await play(body)
        await finishTasks()
      }
      script.end()
      endBlock(start)
    case .withChild(let variable, let owning, let changes, _, let body):
      let child = model.makeChild(of: pod, owning: owning, [])
      model.pinned += [child, pod]
      write(
        changes, "await pods[\(operation.pod)]!.withChild(\(Script.text(of: owning, isFirst: true))configure: { pod in",
        "}) { child in")
      script.add("pods[\(variable)] = child")
      await actual.withChild(
        "\(variable)", owning: owning.map(\.scope), configure: { configure($0, child, changes) }
      ) { made in
        enterChild(variable, child, made)
        // The pod that the variable named may have gone. Its hooks are not what the end of the block waits for.
        await compare("the beginning of the block", .none, .none, isAsync: true, isAwaited: false)
        await play(body)
        await finishTasks()
        leaveChild(variable, child)
      }
      script.end()
      endChild(variable, child)
    default: break
    }
  }

  func playBlockNow(_ operation: Operation, _ pod: Int) {
    guard let actual = subject.pods[operation.pod] else { return }
    switch operation.action {
    case .withOverrides(let changes, _, let body):
      let start = beginBlock(operation.pod, pod)
      write(changes, "pods[\(operation.pod)]!.withOverrides({ pod in", "}) {")
      actual.withOverrides({ configure($0, start.block, changes) }) { playNow(body) }
      script.end()
      endBlock(start)
    case .withChild(let variable, let owning, let changes, _, let body):
      let child = model.makeChild(of: pod, owning: owning, [])
      model.pinned += [child, pod]
      write(
        changes, "pods[\(operation.pod)]!.withChild(\(Script.text(of: owning, isFirst: true))configure: { pod in",
        "}) { child in")
      script.add("pods[\(variable)] = child")
      actual.withChild("\(variable)", owning: owning.map(\.scope), configure: { configure($0, child, changes) }) {
        made in
        enterChild(variable, child, made)
        playNow(body)
        leaveChild(variable, child)
      }
      script.end()
      endChild(variable, child)
    default: break
    }
  }

  private func write(_ changes: [Change], _ start: String, _ end: String) {
    script.begin(start)
    for change in changes { script.add(script.text(of: change, in: "pod")) }
    script.end(end)
    script.begin("// within the block")
  }

  private typealias Start = (original: Int, block: Int, former: Int?)

  private func beginBlock(_ variable: Int, _ pod: Int) -> Start {
    let original = model.variables[variable] ?? pod
    let block = model.makeBlock(of: pod)
    let former = model.acting.updateValue(block, forKey: original)
    model.pinned += [original, pod]
    return (original, block, former)
  }

  private func configure(_ actual: Pod, _ pod: Int, _ changes: [Change]) {
    for change in changes {
      model.apply(change, to: pod)
      subject.apply(change, to: actual)
    }
  }

  private func endBlock(_ start: Start) {
    model.lazyValues[start.block] = nil
    // With its copies of the pods above.
    model.dispose(model.chain(start.block).last ?? start.block)
    model.acting[start.original] = start.former
    model.pinned.removeLast(2)
    model.collectPods()
  }

  private func enterChild(_ variable: Int, _ child: Int, _ made: Pod) {
    model.variables[variable] = child
    subject.set(variable, made)
    model.collectPods()
  }

  /// The variable forgets the child, if it is still there.
  private func leaveChild(_ variable: Int, _ child: Int) {
    guard model.variables[variable] == child else { return }
    model.variables[variable] = nil
    subject.set(variable, nil)
    script.add("pods[\(variable)] = nil")
  }

  private func endChild(_ variable: Int, _ child: Int) {
    model.dispose(child)
    model.pinned.removeLast(2)
    model.collectPods()
  }
}
