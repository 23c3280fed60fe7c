/// The first rows of a longer list.
struct Ranking<Row: Codable & Sendable>: Codable, Sendable {
  var rows: [Row] = []
  /// How many rows there were before the list was cut.
  var total = 0

  /// How many rows were cut off.
  var omitted: Int { total - rows.count }
}

extension Ranking {
  init(_ rows: some Collection<Row>, limit: Int, by areInIncreasingOrder: (Row, Row) -> Bool) {
    self.rows = Array(rows.sorted(by: areInIncreasingOrder).prefix(limit))
    total = rows.count
  }
}
