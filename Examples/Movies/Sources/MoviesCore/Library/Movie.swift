/// A movie as the store describes it.
package struct Movie: Codable, Hashable, Identifiable, Sendable {
  package let id: Int
  package let title: String
  package let year: Int
  package let director: String
  package let genres: [String]
  package let minutes: Int
  package let summary: String

  package init(
    id: Int, title: String, year: Int, director: String, genres: [String] = [], minutes: Int = 90, summary: String = ""
  ) {
    self.id = id
    self.title = title
    self.year = year
    self.director = director
    self.genres = genres
    self.minutes = minutes
    self.summary = summary
  }
}
