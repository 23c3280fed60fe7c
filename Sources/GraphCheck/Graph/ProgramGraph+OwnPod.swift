import IndexStore

/// The question whether code uses the builder's own pod.
///
/// Another pod may own scopes or have overrides, so a dependency through another pod is uncertain.
extension ProgramGraph {
  /// Whether a token names the builder's own pod: the parameter of the builder or the function, an alias of it, or `self`.
  ///
  /// - Parameters:
  ///   - word: The token of the name.
  ///   - file: The file of the token.
  ///   - path: The path of the file.
  ///   - body: The brace of the builder; if `nil`, the word is in a function or a getter.
  /// - Returns: `false` if the name may stand for another pod.
  func isOwnPod(_ word: Int, _ file: SourceFile, _ path: String, in body: Int?) -> Bool {
    guard file.isWord(word) else { return false }
    switch file.binding(of: word, in: body) {
    case .local: return false
    case .alias(let other): return isOwnPod(other, file, path, in: body)
    case .outer:
      return index.references(in: path, at: file.position(of: word)).allSatisfy { $0.symbol.kind == .parameter }
    }
  }

  /// Whether a member of the pod is used on the builder's own pod.
  func isOnOwnPod(_ member: Int, _ file: SourceFile, _ path: String, in body: Int?) -> Bool {
    // The brackets of a subscript follow the pod.
    let isSubscript = ["(", "["].contains(file.text(member))
    // Without a dot, the pod is `self`.
    guard isSubscript || file.text(member - 1) == "." else {
      return !Token.isOperator(file.text(member).utf8.first ?? 0)
    }
    let name = isSubscript ? member - 1 : member
    let receiver = file.expression(around: name).lowerBound..<(isSubscript ? member : member - 1)
    return receiver.count == 1 && isOwnPod(receiver.lowerBound, file, path, in: body)
  }

  /// Whether a call gives its function the caller's own pod wherever the function receives a pod.
  func givesOwnPod(_ symbol: Symbol, _ token: Int, _ file: SourceFile, _ path: String, in body: Int?) -> Bool {
    guard let text = demangle(symbol.usr) else { return true }
    let signature = Signature(text)
    if signature.isOfPod, !isOnOwnPod(token, file, path, in: body) { return false }
    let call = ["(", "["].contains(file.text(token)) ? token : file.afterGenericArguments(of: token)
    var arguments = (["(", "["].contains(file.text(call)) ? file.arguments(in: call) : [])[...]
    for parameter in signature.parameters {
      // A parameter without an argument has its default value.
      let argument = arguments.first?.label == parameter.label ? arguments.popFirst()?.tokens : nil
      guard parameter.isPod else { continue }
      guard let argument, argument.count == 1, isOwnPod(argument.lowerBound, file, path, in: body) else { return false }
    }
    return true
  }

  /// Whether a called function, or a function that it calls, makes a pod or an override scope, in which the function may run
  /// its closures.
  func mayMakePod(_ call: ProgramIndex.Reference) -> Bool {
    var rest = [call]
    var seen: Set<String> = []
    while let next = rest.popLast() {
      let symbol = next.symbol
      guard symbol.isFunction || symbol.isVariable || symbol.kind == .constructor, providers[symbol.usr] == nil
      else { continue }
      if makesPod(symbol) || isRequirement(symbol) { return true }
      for called in [symbol.usr] + (index.implementations[symbol.usr] ?? []) where seen.insert(called).inserted {
        rest += index.references(of: called)
      }
    }
    return false
  }

  /// Whether a function is a requirement of a protocol of the program, which may have any implementation.
  private func isRequirement(_ function: Symbol) -> Bool {
    guard let parent = index.definitions[function.usr]?.parent, index.definitions[parent]?.symbol.kind == .protocol
    else { return false }
    return demangle(function.usr)?.contains("(extension in ") == false
  }

  /// Whether a function makes a pod, or runs code with another pod.
  func makesPod(_ symbol: Symbol) -> Bool {
    guard symbol.usr.hasPrefix("s:6Peapod3PodC"), symbol.kind == .constructor || symbol.isFunction else { return false }
    return ["init(", "makeChild(", "withChild(", "withOverrides("].contains { symbol.name.hasPrefix($0) }
  }
}
