// Where one may suspend, the call says so.
// modes: 5 6
// error: expression is 'async' but is not marked with 'await'
import Peapod

let number = AsyncProvider { _ in 3 }

func resolve(_ pod: Pod) async throws -> Int { try pod.resolve(number) }  // here

let other = AsyncProvider { pod in try pod.resolve(number) }  // here
