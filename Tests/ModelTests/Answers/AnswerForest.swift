/// What the pods of a program override: a root with two children and a grandchild, and another root.
struct AnswerForest {
  /// An open override scope of a root.
  struct Scope {
    let tree: AnswerTree
    var pod: AnswerPod
  }

  /// The parents of the pods, by their numbers.
  private static let parents = [nil, 0, 0, 1, nil]
  static var podCount: Int { parents.count }
  static let roots = parents.indices.filter { parents[$0] == nil }

  let declared: [AnswerDefinition]
  private var pods = parents.map { _ in AnswerPod() }
  var scopes: [Scope] = []

  init(declared: [AnswerDefinition]) { self.declared = declared }

  private func tree(_ index: Int) -> AnswerTree { ancestors(of: index).last == 0 ? .main : .other }

  /// The numbers of a pod and its ancestors.
  func ancestors(of index: Int) -> [Int] { Array(sequence(first: index) { Self.parents[$0] }) }

  /// The innermost override scope that acts for a root.
  private func scope(actingFor index: Int) -> Int? {
    Self.parents[index] == nil ? scopes.lastIndex { $0.tree == tree(index) } : nil
  }

  mutating func openScope(_ root: Int) {
    scopes.append(Scope(tree: tree(root), pod: view(root).pods[0].substitute()))
  }

  /// A pod as code outside of builders sees it: within an override scope, the pod that acts for a root.
  func view(_ index: Int) -> AnswerView { scope(actingFor: index).map { view(ofScope: $0) } ?? outside(index) }

  /// A pod itself.
  func outside(_ index: Int) -> AnswerView {
    AnswerView(pods: ancestors(of: index).map { pods[$0] }, tree: tree(index), scope: nil, base: index)
  }

  /// The pod that a request is made for, whatever the pod that is asked comes to change meanwhile: the nearest that changes anything.
  func effective(_ index: Int, isOwner: (Int) -> Bool) -> AnswerView {
    outside(ancestors(of: index).first { isOwner($0) || !pods[$0].isEmpty } ?? ancestors(of: index).last!)
  }

  private func view(ofScope number: Int) -> AnswerView {
    AnswerView(pods: [scopes[number].pod], tree: scopes[number].tree, scope: number, base: nil)
  }

  /// A captured root as the builder for a view sees it.
  func captured(_ tree: AnswerTree, by view: AnswerView) -> AnswerView {
    let root = Self.roots.first { self.tree($0) == tree }!
    // A builder for a pod of the same tree uses its own scope, or no scope.
    guard view.tree == tree else { return self.view(root) }
    return view.scope.map { self.view(ofScope: $0) } ?? outside(root)
  }

  /// Changes the overrides of a pod; within an override scope, those of the pod that acts for a root.
  mutating func change(_ index: Int, _ body: (inout AnswerPod) -> Void) {
    if let scope = scope(actingFor: index) {
      body(&scopes[scope].pod)
    } else {
      body(&pods[index])
    }
  }

  /// The text of a node's answer in a view.
  func text(_ node: Int, _ view: AnswerView) -> String {
    var course = AnswerCourse(self)
    return course.text(node, view)
  }
}
