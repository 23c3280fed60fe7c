/// The changed lines between two texts, with a few unchanged lines around each change.
struct LineDifference: CustomStringConvertible {
  private struct Line {
    let mark: Character
    let text: String
  }

  private static let context = 2
  private var lines: [Line] = []

  init(from old: [String], to new: [String]) {
    let difference = new.difference(from: old)
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (oldIndex, newIndex) = (0, 0)
    while oldIndex < old.count || newIndex < new.count {
      if removed.contains(oldIndex) {
        lines.append(Line(mark: "-", text: old[oldIndex]))
        oldIndex += 1
      } else if inserted.contains(newIndex) {
        lines.append(Line(mark: "+", text: new[newIndex]))
        newIndex += 1
      } else {
        lines.append(Line(mark: " ", text: old[oldIndex]))
        oldIndex += 1
        newIndex += 1
      }
    }
  }

  var description: String {
    var isShown = [Bool](repeating: false, count: lines.count)
    for index in lines.indices where lines[index].mark != " " {
      for near in max(0, index - Self.context)...min(lines.count - 1, index + Self.context) { isShown[near] = true }
    }
    var shown: [String] = []
    for index in lines.indices {
      if isShown[index] {
        shown.append("\(lines[index].mark) \(lines[index].text)")
      } else if index == 0 || isShown[index - 1] {
        shown.append("  …")
      }
    }
    return shown.joined(separator: "\n")
  }
}
