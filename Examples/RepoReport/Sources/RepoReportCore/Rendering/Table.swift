/// A part of a report, in rows and columns.
struct Table {
  struct Column {
    var title: String
    var isNumber = false

    static func text(_ title: String) -> Self { Self(title: title) }
    static func number(_ title: String) -> Self { Self(title: title, isNumber: true) }
  }

  var title: String
  var columns: [Column]
  var rows: [[String]]
  /// How many more rows there would be.
  var omitted = 0
}
