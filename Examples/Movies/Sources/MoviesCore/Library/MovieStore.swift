import Peapod

/// Where movies come from.
package protocol MovieStore: Sendable {
  func movies() async throws -> [Movie]
}

package let movieStoreProvider = Provider<any MovieStore>("movie store") { pod in
  switch pod.resolve(movieSourceProvider) {
  case .samples: SampleMovieStore()
  case .nothing: EmptyMovieStore()
  }
}
