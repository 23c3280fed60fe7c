/// A list that mostly has no more than one element, and needs no memory of its own for that.
struct ShortList<Element> {
  private var head: Element?
  private var tail: [Element] = []
}

extension ShortList: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { head == nil ? 0 : 1 + tail.count }
  var isEmpty: Bool { head == nil }

  subscript(position: Int) -> Element {
    get { position == 0 ? head.unsafelyUnwrapped : tail[position - 1] }
    set { if position == 0 { head = newValue } else { tail[position - 1] = newValue } }
  }
}

extension ShortList {
  mutating func append(_ element: Element) {
    if head == nil { head = element } else { tail.append(element) }
  }

  mutating func removeLast() -> Element {
    if let last = tail.popLast() { return last }
    let last = head.unsafelyUnwrapped
    head = nil
    return last
  }

  /// Takes an element out, and puts the last one in its place.
  mutating func swapOut(at position: Int) {
    let last = removeLast()
    if position < count { self[position] = last }
  }
}
