import Synchronization

@testable import RepoReportCore

/// Hands out an answer piece by piece.
final class AnswerPieces: Sendable {
  private let rest: Mutex<Result<ArraySlice<[UInt8]>, ProcessFailure>>

  init(_ answer: Result<[[UInt8]], ProcessFailure>) {
    rest = Mutex(answer.map { $0[...] })
  }

  func next() throws -> [UInt8]? {
    try rest.withLock { rest in
      var pieces = try rest.get()
      defer { rest = .success(pieces) }
      return pieces.popFirst()
    }
  }
}
