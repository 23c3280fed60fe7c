/// The pods that a function receives, read from the demangled name of the function.
///
/// `(extension in Shop):Peapod.Pod.title(of: Swift.Int, Peapod.Pod) -> Swift.String` has a pod as `self` and as its second
/// parameter.
struct Signature {
  struct Parameter {
    let label: String?
    let isPod: Bool
  }

  let parameters: [Parameter]
  /// Whether `self` is a pod.
  let isOfPod: Bool

  init(_ demangled: String) {
    let text = Array(demangled.utf8)
    var (depth, group, open): (Int, Range<Int>?, Int) = (0, nil, 0)
    var end = text.count
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"):
        if depth == 0 { open = index }
        depth += 1
      case UInt8(ascii: ">") where text[index - 1] == UInt8(ascii: "-"):
        if depth == 0 { end = min(end, index) }
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ">"):
        depth -= 1
        // The parameters are the last parentheses before the arrow. `throws(MyError)` is between the two.
        if depth == 0, end == text.count, text[open] == UInt8(ascii: "("), !Self.ends(text[..<open], with: "throws") {
          group = open..<index + 1
        }
      default: break
      }
    }
    if end == text.count { group = nil }
    parameters = group.map { Self.parameters(text[$0.lowerBound + 1..<$0.upperBound - 1]) } ?? []
    var context = Self.string(text[..<(group?.lowerBound ?? text.count)])
    if let colon = context.firstRange(of: " : ") { context = String(context[..<colon.lowerBound]) }
    isOfPod =
      !context.hasPrefix("static ")
      && (context.contains("Peapod.Pod.") || context.contains("Peapod.Pod>") || context.contains("Peapod.Pod,"))
  }

  private static func string(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func ends(_ bytes: some Collection<UInt8>, with suffix: String) -> Bool {
    string(bytes).hasSuffix(suffix)
  }

  private static func parameters(_ text: ArraySlice<UInt8>) -> [Parameter] {
    var (depth, start): (Int, Int) = (0, text.startIndex)
    var parameters: [Parameter] = []
    for index in text.startIndex..<text.endIndex + 1 where start < text.endIndex {
      let byte = index < text.endIndex ? text[index] : UInt8(ascii: ",")
      if "([{<".utf8.contains(byte) { depth += 1 }
      if ")]}>".utf8.contains(byte), text[index - 1] != UInt8(ascii: "-") { depth -= 1 }
      guard byte == UInt8(ascii: ","), depth == 0 || index == text.endIndex else { continue }
      parameters.append(parameter(string(text[start..<index])))
      start = index + 2
    }
    return parameters
  }

  private static func parameter(_ text: String) -> Parameter {
    // A type in parentheses or brackets may contain a colon too.
    let colon = text.firstRange(of: ": ").flatMap { range in
      text[..<range.lowerBound].utf8.contains { "([<".utf8.contains($0) } ? nil : range
    }
    return Parameter(
      label: colon.map { String(text[..<$0.lowerBound]) },
      isPod: !text.contains("->") && text.split(separator: " ").last == "Peapod.Pod")
  }
}
