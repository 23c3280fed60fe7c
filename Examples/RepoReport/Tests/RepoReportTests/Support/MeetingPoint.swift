/// Lets nobody pass until enough have arrived.
actor MeetingPoint {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(of count: Int) {
    missing = count
  }

  /// Waits for the others; who comes when all were there already passes at once.
  func arrive() async {
    missing -= 1
    guard missing > 0 else {
      for continuation in waiting { continuation.resume() }
      waiting = []
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }
}
