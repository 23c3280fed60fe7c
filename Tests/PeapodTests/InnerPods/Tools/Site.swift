import Peapod
import Testing

/// A page that shows a user and a theme, and requests that each override the user.
struct Site: Sendable {
  let user: Provider<String>
  let theme: Provider<String>
  /// A singleton built from both.
  let page: Provider<String>
  /// Instances that the builders of a test keep alive.
  let keeper = Log<Pod>()

  init() {
    let user = Provider("user") { _ in "nobody" }
    let theme = Provider("theme") { _ in "light" }
    page = Provider("page") { pod in "\(pod.resolve(user)) in \(pod.resolve(theme))" }
    (self.user, self.theme) = (user, theme)
  }

  /// Makes the theme dark in a pod.
  func darken(_ pod: Pod) { pod.overrideProvider(theme, withValue: "dark") }

  /// Makes the pod of a request, a child that overrides the user.
  func request(_ name: String, of root: Pod, owning: [any ProviderScope] = []) -> Pod {
    root.makeChild(name, owning: owning) { $0.overrideProvider(user, withValue: name) }
  }

  /// Expects that two requests and their root, resolving in every order, each get the instance of their own user, again
  /// and again; then that overrides of the user in the root and in a request reach the instance, and their removal too.
  ///
  /// - Parameters:
  ///   - owning: The scopes that the requests own.
  ///   - sourceLocation: The place that a failure names.
  ///   - isolation: The isolation of the caller.
  ///   - text: The expected instance for a user.
  ///   - resolve: Resolves the instance in a pod.
  func expectOwn(
    owning: [any ProviderScope] = [], sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, _ text: (_ user: String) -> String,
    resolve: (Pod) async throws -> String
  ) async rethrows {
    let users = ["Ada", "Bob", "nobody"]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let root = Pod("root")
      let pods = [request("Ada", of: root, owning: owning), request("Bob", of: root, owning: owning), root]
      var (answers, expected): ([String], [String]) = ([], [])
      for index in order + order {
        answers.append(try await resolve(pods[index]))
        expected.append(text(users[index]))
      }
      root.overrideProvider(user, withValue: "someone")
      for index in order {
        answers.append(try await resolve(pods[index]))
        expected.append(text(index == 2 ? "someone" : users[index]))
      }
      pods[0].overrideProvider(user, withValue: "Eve")
      answers += [try await resolve(pods[0]), try await resolve(pods[1])]
      expected += [text("Eve"), text("Bob")]
      pods[0].removeOverrideProvider(user)
      answers += [try await resolve(pods[0]), try await resolve(root)]
      expected += [text("someone"), text("someone")]
      root.removeOverrideProvider(user)
      answers += [try await resolve(pods[0]), try await resolve(root), try await resolve(pods[1])]
      expected += [text("nobody"), text("nobody"), text("Bob")]
      guard answers == expected else {
        #expect(
          answers == expected, "Ada is 0, Bob 1, the root 2; in the order \(order)", sourceLocation: sourceLocation)
        return
      }
    }
  }
}
