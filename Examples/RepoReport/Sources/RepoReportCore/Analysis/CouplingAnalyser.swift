import Peapod

/// Finds files that change together.
///
/// There are far more pairs of files than files. To keep memory bounded, commits with very many files are left out
/// (they say little about any pair), and when too many pairs are known, the rarest are forgotten: the counts of pairs
/// that are seldom seen are then too low, those of the pairs in the report hardly.
final class CouplingAnalyser: Analyser {
  private let rows: Int
  private let filesPerCommit: Int
  private let knownPairs: Int

  private var numbers: [String: Int32] = [:]
  private var paths: [String] = []
  private var commits: [Int] = []
  private var together: [Pair: Int] = [:]

  init(rows: Int, filesPerCommit: Int = 30, knownPairs: Int = 100_000) {
    self.rows = rows
    self.filesPerCommit = filesPerCommit
    self.knownPairs = knownPairs
  }

  func learn(from commit: Commit) {
    guard commit.changes.count <= filesPerCommit else { return }
    let files = Set(commit.changes.map(\.path)).map(number).sorted()
    for (index, first) in files.enumerated() {
      commits[Int(first)] += 1
      for second in files[(index + 1)...] {
        together[Pair(first: first, second: second), default: 0] += 1
      }
    }
    if together.count > knownPairs { forgetRarePairs() }
  }

  func complete(_ report: inout Report) {
    let pairs = together.lazy.filter { $0.value > 1 }.map(summary)
    report.pairs = Ranking(Array(pairs), limit: rows) {
      ($1.together, $1.share, $0.first, $0.second) < ($0.together, $0.share, $1.first, $1.second)
    }
  }
}

// MARK: - Pairs

extension CouplingAnalyser {
  /// The numbers of two files, the smaller one first: short keys, because there are many.
  private struct Pair: Hashable {
    var first: Int32
    var second: Int32
  }

  private func number(of path: String) -> Int32 {
    if let number = numbers[path] { return number }
    let number = Int32(paths.count)
    numbers[path] = number
    paths.append(path)
    commits.append(0)
    return number
  }

  private func forgetRarePairs() {
    var rare = 1
    while together.count > knownPairs / 2 {
      together = together.filter { $0.value > rare }
      rare += 1
    }
  }

  private func summary(of pair: Pair, together: Int) -> FilePair {
    let either = commits[Int(pair.first)] + commits[Int(pair.second)] - together
    let names = [paths[Int(pair.first)], paths[Int(pair.second)]].sorted()
    return FilePair(
      first: names[0], second: names[1], together: together, share: Double(together) / Double(either))
  }
}

let couplingAnalyserProvider = Provider(scope: .alwaysCreateNew) { pod in
  CouplingAnalyser(rows: pod.resolve(settingsProvider).rows)
}
