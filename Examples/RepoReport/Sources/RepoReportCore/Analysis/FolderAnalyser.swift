import Peapod

/// Finds out how few people know each folder.
final class FolderAnalyser: Analyser {
  private let rows: Int
  private let depth: Int
  private var changes: [String: [Author: Int]] = [:]

  /// Makes an analyser that looks at folders at most `depth` below the top.
  init(rows: Int, depth: Int = 2) {
    self.rows = rows
    self.depth = depth
  }

  func learn(from commit: Commit) {
    for change in commit.changes {
      for folder in folders(of: change.path) {
        changes[folder, default: [:]][commit.author, default: 0] += 1
      }
    }
  }

  func complete(_ report: inout Report) {
    report.folders = Ranking(changes.map(knowledge), limit: rows) {
      ($0.busFactor, $1.changes, $0.folder) < ($1.busFactor, $0.changes, $1.folder)
    }
  }
}

// MARK: - Folders

extension FolderAnalyser {
  /// `.`, `Sources/` and `Sources/Peapod/` for a file in or below that folder.
  private func folders(of path: String) -> [String] {
    let names = path.split(separator: "/").dropLast().prefix(depth)
    return names.reduce(into: ["."]) { folders, name in
      folders.append(folders.count == 1 ? "\(name)/" : "\(folders.last!)\(name)/")
    }
  }

  private func knowledge(of folder: String, changes: [Author: Int]) -> FolderKnowledge {
    let total = changes.values.reduce(0, +)
    let byAuthor = changes.sorted { ($1.value, $0.key.name, $0.key.email) < ($0.value, $1.key.name, $1.key.email) }
    var known = 0
    let majority = byAuthor.prefix { _, count in
      defer { known += count }
      return known * 2 <= total
    }
    return FolderKnowledge(
      folder: folder, changes: total, authors: byAuthor.count, busFactor: majority.count,
      mainAuthor: byAuthor[0].key, mainShare: Double(byAuthor[0].value) / Double(total))
  }
}

let folderAnalyserProvider = Provider(scope: .alwaysCreateNew) { pod in
  FolderAnalyser(rows: pod.resolve(settingsProvider).rows)
}
