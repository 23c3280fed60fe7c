extension Row {
  /// Every row, in the order of the table.
  static var all: [Row] {
    scale + cached + borrowed + scoped + children + building + alternatives + creation + graphs + floors + population + threads
      + overrides + asynchronous + observers + drawings + allocationCounts + memory
  }
}
