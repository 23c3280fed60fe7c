extension Row {
  /// Every row, in the order of the table.
  static var all: [Row] {
    let resolves = cached + borrowed + scoped + children + building + alternatives + creation
    let wholes = graphs + floors + population + threads + overrides + asynchronous + observers
    let growth =
      removals + builders + sharing + cancellations + requestEnds + asyncChains + alike + snapshots + drawings
    return scale + resolves + wholes + growth + allocationCounts + memory
  }
}
