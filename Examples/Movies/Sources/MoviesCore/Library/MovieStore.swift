import Peapod

/// Where movies come from.
package protocol MovieStore: Sendable {
  func movies() async throws -> [Movie]
}

package let movieStoreProvider = Provider<any MovieStore>("movie store") { _ in SampleMovieStore() }
