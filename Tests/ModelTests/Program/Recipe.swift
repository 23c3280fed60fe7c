/// What a builder does: it makes handles, asks for other members in a row, and makes a product of what it got.
///
/// It asks for everything even when something fails, so that what it asks for never depends on failures. A builder that can
/// throw then passes the first error on.
struct Recipe: Sendable {
  var handles: [Handle] = []
  var asks: [Ask] = []
  /// Whether it throws in the end, whatever it got.
  var fails = false
}
