// snippet: LazyContainer builder
import Peapod
// end
import Testing

// snippet: LazyContainer declare
private final class Storage: Sendable {}
private struct CatRepository: Sendable { let storage: Storage }
private struct CatScreen: Sendable { let repository: CatRepository }

private let storageProvider = Provider { _ in Storage() }
private let catRepositoryProvider = Provider { pod in CatRepository(storage: pod.resolve(storageProvider)) }
private let catScreenProvider = Provider { pod in CatScreen(repository: pod.resolve(catRepositoryProvider)) }
private let debugMenuProvider = Provider<String?>("debug menu") { _ in nil }
// end

@Suite("Migrating from LazyContainer", .transcript)
struct LazyContainerTests {
  @Test("A builder, a container and an optional resolve")
  func basics() throws {
    // snippet: LazyContainer builder
    let greeting = Lazy {
      print("building")
      return "Hello"
    }
    print(greeting.value)
    print(greeting.value)
    // end
    try expectOutput(of: "LazyContainer builder")

    // snippet: LazyContainer resolve
    let pod = Pod()
    let screen = pod.resolve(catScreenProvider)
    print(screen.repository.storage === pod.resolve(storageProvider))
    print(pod.resolve(debugMenuProvider) ?? "not in this build")
    // end
    try expectOutput(of: "LazyContainer resolve")
  }
}
