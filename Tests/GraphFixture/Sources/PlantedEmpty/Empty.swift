import Peapod

/// Uses the library and declares no provider that is global or static.
package func makeNumber(in pod: Pod) -> Int {
  let number = Provider { _ in 7 }
  return pod.resolve(number)
}
