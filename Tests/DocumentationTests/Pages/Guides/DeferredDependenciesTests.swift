// snippet: Deferred lazy
import Peapod
// end
import Testing

// snippet: Deferred lazy
private final class SearchIndex: Sendable {
  init() { print("index built") }
  func find(_ word: String) -> Int { word.count }
}

private struct SearchBar: Sendable {
  let index: Lazy<SearchIndex>
  func find(_ word: String) -> Int { index.value.find(word) }
}

private let indexProvider = Provider { _ in SearchIndex() }
private let searchBarProvider = Provider { pod in SearchBar(index: pod.lazy(indexProvider)) }
// end

// snippet: Deferred factory
private struct Ticket: Sendable {
  let number: Int
  let name: String
}

private struct TicketOffice: Sendable {
  let makeTicket: @Sendable (Int, String) -> Ticket
}

private let ticketProvider = Provider.family(scope: .alwaysCreateNew) { (pod, number: Int, name: String) in
  Ticket(number: number, name: name)
}
private let officeProvider = Provider { pod in TicketOffice(makeTicket: pod.factory(ticketProvider)) }
// end

// snippet: Deferred models
@MainActor private final class DetailModel {
  let id: Int
  init(id: Int) { self.id = id }
}

@MainActor private final class ListModel {
  private let makeDetail: @MainActor (Int) -> DetailModel
  init(makeDetail: @escaping @MainActor (Int) -> DetailModel) { self.makeDetail = makeDetail }
  func select(_ id: Int) -> DetailModel { makeDetail(id) }
}

private let detailProvider = MainActorProvider.family(scope: .alwaysCreateNew) { (pod, id: Int) in
  DetailModel(id: id)
}
private let listProvider = MainActorProvider { pod in ListModel(makeDetail: pod.factory(detailProvider)) }
// end

// snippet: Deferred loop
private final class Editor: Sendable {
  let toolbar: Toolbar
  init(toolbar: Toolbar) { self.toolbar = toolbar }
}

private final class Toolbar: Sendable {
  let editor: @Sendable () -> Editor
  init(editor: @escaping @Sendable () -> Editor) { self.editor = editor }
}

private let editorProvider: Provider<Editor> = Provider { pod in Editor(toolbar: pod.resolve(toolbarProvider)) }
private let toolbarProvider = Provider { pod in Toolbar(editor: pod.factory(editorProvider)) }
// end

// snippet: Deferred instance
private final class Connection: Sendable {
  func send(_ text: String) { print("sent \(text)") }
}

private let connectionProvider = Provider { _ in
  Connection()
} onDispose: { _ in
  print("closed")
}
// end

// snippet: Deferred injected
private final class Report {
  @Injected(officeProvider) var office
  @LazyInjected(indexProvider) var index
}
// end

@Suite("Deferred dependencies", .transcript)
struct DeferredDependenciesTests {
  private let pod = Pod()

  @Test("A Lazy builds at the first use, once, and again after dispose")
  func lazy() throws {
    // snippet: Deferred lazy use
    let pod = Pod()
    let bar = pod.resolve(searchBarProvider)
    print(bar.index.isResolved)
    print(bar.find("pea"), bar.find("pod"))
    // end
    try expectOutput(of: "Deferred lazy use")

    // snippet: Deferred lazy alone
    let answer = Lazy {
      print("computing")
      return 42
    }
    print(answer.value, answer.value)
    answer.dispose()
    print(answer.isResolved)
    // end
    try expectOutput(of: "Deferred lazy alone")
  }

  @Test("A factory is a plain closure")
  func factory() async throws {
    // snippet: Deferred factory use
    let office = pod.resolve(officeProvider)
    print(office.makeTicket(7, "Ada"))
    // end
    try expectOutput(of: "Deferred factory use")

    await MainActor.run {
      #expect(pod.resolve(listProvider).select(3).id == 3)
    }
  }

  @Test("A factory breaks a construction cycle")
  func loop() throws {
    // snippet: Deferred loop use
    let editor = pod.resolve(editorProvider)
    print(editor.toolbar.editor() === editor)
    // end
    try expectOutput(of: "Deferred loop use")
  }

  @Test("withFreshInstance builds, passes and disposes")
  func instance() throws {
    // snippet: Deferred instance use
    pod.withFreshInstance(of: connectionProvider) { connection in
      connection.send("hello")
    }

    let connection = pod.perUse(connectionProvider)
    connection.use { $0.send("again") }
    // end
    try expectOutput(of: "Deferred instance use")
  }

  @Test("Injected resolves in the current pod when the object is made")
  func injected() throws {
    _ = pod.resolve(indexProvider)
    #expect(Transcript.current?.take() == "index built\n")
    // snippet: Deferred injected use
    let report = Pod.$current.withValue(pod) { Report() }
    print(report.office.makeTicket(1, "Bob").name)
    print(report.index.find("six"))
    // end
    try expectOutput(of: "Deferred injected use")
  }
}
