import Foundation
import Peapod

/// A build on another thread that goes on until it is let finish.
final class ParkedBuild: Sendable {
  private let gate = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// Starts a build in a pod and returns when the builder is running.
  init(in pod: Pod) {
    let entered = DispatchSemaphore(value: 0)
    let provider = Provider { [gate] _ in
      entered.signal()
      gate.wait()
      return Service()
    }
    Thread { [done] in
      consume(pod.resolve(provider))
      done.signal()
    }.start()
    entered.wait()
  }

  /// Lets the build finish and waits for it.
  func finish() {
    gate.signal()
    done.wait()
  }
}
