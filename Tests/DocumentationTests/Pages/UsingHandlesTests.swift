import Peapod
import Testing

// snippet: Handle lazy
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

// snippet: Handle factory
private struct Ticket: Sendable {
  let number: Int
  let holder: String
}

private struct TicketOffice: Sendable {
  let makeTicket: @Sendable (Int, String) -> Ticket
}

private let ticketProvider = Provider.family(scope: .alwaysCreateNew) { (pod, number: Int, holder: String) in
  Ticket(number: number, holder: holder)
}
private let officeProvider = Provider { pod in TicketOffice(makeTicket: pod.factory(ticketProvider)) }
// end

// snippet: Handle models
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

// snippet: Handle loop
private final class Editor: Sendable {
  let toolbar: Toolbar
  init(toolbar: Toolbar) { self.toolbar = toolbar }
}

private final class Toolbar: Sendable {
  let editor: Lazy<Editor>
  init(editor: Lazy<Editor>) { self.editor = editor }
}

private let editorProvider: Provider<Editor> = Provider { pod in Editor(toolbar: pod.resolve(toolbarProvider)) }
private let toolbarProvider = Provider { pod in Toolbar(editor: pod.lazy(editorProvider)) }
// end

// snippet: Handle instance
private final class Connection: Sendable {
  func send(_ text: String) { print("sent \(text)") }
}

private let connectionProvider = Provider { _ in
  Connection()
} onDispose: { _ in
  print("closed")
}
// end

// snippet: Handle injected
private final class Report {
  @Injected(officeProvider) var office
  @LazyInjected(indexProvider) var index
}
// end

@Suite("Using handles", .transcript)
struct UsingHandlesTests {
  private let pod = Pod()

  @Test("A lazy builds at first use, once, and again after dispose")
  func lazy() throws {
    // snippet: Handle lazy use
    let bar = pod.resolve(searchBarProvider)
    print(bar.index.isResolved)
    print(bar.find("pea"), bar.find("pod"))
    // end
    try expectOutput(of: "Handle lazy use")

    // snippet: Handle lazy alone
    let answer = Lazy {
      print("thinking")
      return 42
    }
    print(answer.value, answer.value)
    answer.dispose()
    print(answer.isResolved)
    // end
    try expectOutput(of: "Handle lazy alone")
  }

  @Test("A factory is a plain closure")
  func factory() async throws {
    // snippet: Handle factory use
    let office = pod.resolve(officeProvider)
    print(office.makeTicket(7, "Ada"))
    // end
    try expectOutput(of: "Handle factory use")

    await MainActor.run {
      #expect(pod.resolve(listProvider).select(3).id == 3)
    }
  }

  @Test("A lazy breaks a construction cycle")
  func loop() throws {
    // snippet: Handle loop use
    let editor = pod.resolve(editorProvider)
    print(editor.toolbar.editor.value === editor)
    // end
    try expectOutput(of: "Handle loop use")
  }

  @Test("withFreshInstance builds, lends and disposes")
  func instance() throws {
    // snippet: Handle instance use
    pod.withFreshInstance(of: connectionProvider) { connection in
      connection.send("hello")
    }

    let connection = pod.perUse(connectionProvider)
    connection.use { $0.send("once more") }
    // end
    try expectOutput(of: "Handle instance use")
  }

  @Test("Injected resolves in the acting pod when the object is made")
  func injected() throws {
    // snippet: Handle injected use
    let report = Pod.$current.withValue(pod) { Report() }
    print(report.office.makeTicket(1, "Bob").holder)
    print(report.index.find("six"))
    // end
    try expectOutput(of: "Handle injected use")
  }

  @Test("Disposing a pod lets everything go; afterwards it starts afresh")
  func dispose() throws {
    // snippet: Handle dispose
    let first = pod.resolve(connectionProvider)
    pod.dispose()
    print(pod.resolve(connectionProvider) === first)
    // end
    try expectOutput(of: "Handle dispose")
  }
}
