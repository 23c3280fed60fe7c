// snippet: Resolver declare
import Peapod
// end
import Testing

// snippet: Resolver declare
private protocol Loading: Sendable { func load() -> String }
private final class RemoteLoader: Loading {
  let verbose: Bool
  init(verbose: Bool) { self.verbose = verbose }
  func load() -> String { verbose ? "loaded, in detail" : "loaded" }
}

private struct Library: Sendable { let loader: any Loading }

private let loaderProvider = Provider<any Loading>(scope: .weak) { _ in RemoteLoader(verbose: false) }
private let verboseLoaderProvider = Provider<any Loading> { _ in RemoteLoader(verbose: true) }
private let libraryProvider = Provider(scope: .graph) { pod in
  Library(loader: pod.resolve(loaderProvider))
}
// end

// snippet: Resolver wrapper
private final class ViewController {
  @Injected(libraryProvider) var library
  @LazyInjected(verboseLoaderProvider) var verboseLoader
}
// end

// snippet: Resolver optional
private struct Feature: Sendable { let name: String }

private let experimentProvider = Provider<Feature?> { _ in nil }
// end

// snippet: Resolver arguments
private struct Editor: Sendable {
  let title: String
  let isReadOnly: Bool
}

private let editorProvider = Provider.family(scope: .alwaysCreateNew) { (pod, title: String, isReadOnly: Bool) in
  Editor(title: title, isReadOnly: isReadOnly)
}
// end

@Suite("Migrating from Resolver", .transcript)
struct ResolverTests {
  @Test("Declaring, resolving, property wrappers and optionals")
  func basics() throws {
    // snippet: Resolver resolve
    let pod = Pod()
    print(pod.resolve(libraryProvider).loader.load())
    print(pod.resolve(verboseLoaderProvider).load())
    print(pod.resolve(experimentProvider)?.name ?? "no experiment")
    // end
    try expectOutput(of: "Resolver resolve")
    let controller = Pod.$current.withValue(pod) { ViewController() }
    #expect(controller.library.loader.load() == "loaded")
    #expect(controller.verboseLoader.load() == "loaded, in detail")
  }

  @Test("Arguments, and a test with another loader")
  func rest() throws {
    let pod = Pod()
    // snippet: Resolver arguments use
    print(pod.resolve(editorProvider("Notes", true)))
    // end
    try expectOutput(of: "Resolver arguments use")

    // snippet: Resolver test
    struct SampleLoader: Loading { func load() -> String { "a sample" } }

    let loaded = pod.withOverrides {
      $0.overrideProvider(loaderProvider) { _ in SampleLoader() }
    } operation: {
      pod.resolve(libraryProvider).loader.load()
    }
    print(loaded)
    // end
    try expectOutput(of: "Resolver test")
  }
}
