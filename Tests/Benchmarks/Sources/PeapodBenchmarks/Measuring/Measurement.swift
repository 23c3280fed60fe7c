/// What measuring a row gave.
struct Measurement: Sendable {
  /// What the operation took.
  let figure: Figure
  /// What the baseline took.
  let baseline: Figure?
  /// The figure in units of the baseline.
  let ratio: Double?

  /// Makes a measurement without a baseline.
  init(_ figure: Figure) {
    self.figure = figure
    baseline = nil
    ratio = nil
  }

  /// Makes a measurement with its baseline.
  init(_ figure: Figure, against baseline: Figure) {
    self.init(figure, beside: baseline, ratio: figure.value / baseline.value)
  }

  /// Makes a measurement with another one beside it, and the ratio that they are to be judged by, if any.
  init(_ figure: Figure, beside baseline: Figure, ratio: Double?) {
    self.figure = figure
    self.baseline = baseline
    self.ratio = ratio
  }

  /// Whether this is within a limit.
  func isWithin(_ limit: Row.Limit) -> Bool {
    switch limit {
    case .ratio(let most): ratio.map { $0 <= most } ?? false
    case .gain(let least): ratio.map { $0 >= least } ?? false
    case .figure(let most): figure.value <= most
    case .time(let most): figure.value <= most.nanoseconds
    }
  }

  /// An amount with its unit.
  enum Figure: Sendable {
    case nanoseconds(Double)
    case bytes(Double)
    case allocations(Double)

    var value: Double {
      switch self {
      case .nanoseconds(let value), .bytes(let value), .allocations(let value): value
      }
    }
  }
}
