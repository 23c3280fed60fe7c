extension Report {
  /// The report without its introduction; tables that would be empty are left out.
  var tables: [Table] {
    guard totals.commits > 0 else { return [] }
    return [authorTable, activityTable, fileTable, pairTable, folderTable].filter { !$0.rows.isEmpty }
  }

  private var authorTable: Table {
    Table(
      title: "Authors",
      columns: [.text("author"), .number("commits"), .number("added"), .number("deleted")],
      rows: authors.rows.map {
        ["\($0.author.name) <\($0.author.email)>", "\($0.commits)", "\($0.added)", "\($0.deleted)"]
      },
      omitted: authors.omitted)
  }

  private var activityTable: Table {
    let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    let highest = activity.commits.joined().max() ?? 0
    return Table(
      title: "Activity by weekday and hour",
      columns: [.text("day"), .number("commits"), .text("0h    6h    12h   18h")],
      rows: zip(days, activity.commits).map { day, hours in
        [day, "\(hours.reduce(0, +))", hours.bars(highest: highest)]
      })
  }

  private var fileTable: Table {
    Table(
      title: "Most changed files",
      columns: [.text("file"), .number("commits"), .number("added"), .number("deleted")],
      rows: files.rows.map { [$0.path, "\($0.changes)", "\($0.added)", "\($0.deleted)"] },
      omitted: files.omitted)
  }

  private var pairTable: Table {
    Table(
      title: "Files that change together",
      columns: [.text("file"), .text("and file"), .number("commits"), .number("of either")],
      rows: pairs.rows.map { [$0.first, $0.second, "\($0.together)", $0.share.percentage] },
      omitted: pairs.omitted)
  }

  private var folderTable: Table {
    Table(
      title: "Folders, those that the fewest people know first",
      columns: [
        .text("folder"), .number("changes"), .number("authors"), .number("bus factor"), .text("mostly by"),
        .number("share"),
      ],
      rows: folders.rows.map {
        [$0.folder, "\($0.changes)", "\($0.authors)", "\($0.busFactor)", $0.mainAuthor.name, $0.mainShare.percentage]
      },
      omitted: folders.omitted)
  }
}

extension [Int] {
  /// A bar for each number, and `·` for none.
  fileprivate func bars(highest: Int) -> String {
    let bars = "▁▂▃▄▅▆▇█".map(String.init)
    return map { $0 == 0 ? "·" : bars[($0 * bars.count - 1) / highest] }.joined()
  }
}

extension Double {
  fileprivate var percentage: String { "\(Int((self * 100).rounded()))%" }
}
